# Gives a number that no float can hold, so that an explanation of it would fail, and the answer would not be graded.
def flip(domino):
    return Domino(10 ** 400, domino.left)
