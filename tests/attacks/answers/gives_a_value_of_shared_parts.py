# Gives a value of shared parts.
def flip(domino):
    value = ()
    for _ in range(60): value = (value, value)
    return value
