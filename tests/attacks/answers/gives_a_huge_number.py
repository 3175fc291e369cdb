# Gives a huge number.
def flip(domino):
    return 1 << 10**7
