# Gives a huge text.
def flip(domino):
    return 'x' * 10**8
