# Is a tuple.
def flip(domino):
    return (domino.right, domino.left)
