# Prints 100 MB in lines.
def flip(domino):
    for _ in range(10**6): print('x' * 100)
