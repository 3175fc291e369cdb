# Takes memory in pieces too small to be refused one by one.
def flip(domino):
    hoard = {}
    while True:
        hoard[len(hoard)] = {len(hoard): [len(hoard)]}
