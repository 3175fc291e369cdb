# Remembers all dominoes that it was asked about, and gives the one before.
asked = []
def flip(domino):
    asked.append(domino)
    return asked[-2] if len(asked) > 1 else domino
