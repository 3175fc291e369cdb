# Opens solutions.
def flip(domino):
    return open('@ROOT@/solutions/dominoes.py').read()
