# Recurses without end.
def flip(domino):
    return flip(domino)
