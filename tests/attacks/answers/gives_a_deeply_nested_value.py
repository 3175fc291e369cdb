# Gives a deeply nested value.
def flip(domino):
    value = ()
    for _ in range(10**5): value = (value,)
    return value
