# Gives a generator that yields whatever is asked for.
def flip(domino):
    while True:
        yield Domino(domino.left, domino.left)
