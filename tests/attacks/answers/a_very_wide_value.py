# Gives the widest value that an observation holds, for each call.
def flip(domino):
    return tuple(range(49_000))
