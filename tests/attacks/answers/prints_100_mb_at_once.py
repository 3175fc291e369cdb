# Prints 100 MB at once.
def flip(domino):
    print('x' * 10**8)
