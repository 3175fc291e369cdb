# Allocates without end.
def flip(domino):
    hoard = []
    while True: hoard.append(bytes(10**7))
