# Gives a set whose items collide, which is quadratic for who puts it together again.
def flip(domino):
    return {n * ((1 << 61) - 1) for n in range(16_000)}
