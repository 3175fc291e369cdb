# Raises BaseException.
def flip(domino):
    raise BaseException('no')
