# Gives a dict whose keys collide, deep in the value.
def flip(domino):
    return ([{n * ((1 << 61) - 1): n for n in range(9_000)}],)
