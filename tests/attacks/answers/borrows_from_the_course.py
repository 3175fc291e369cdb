# Asks the kit itself for the reference.
def flip(domino):
    from course.check import borrow
    return borrow("flip")(domino)
