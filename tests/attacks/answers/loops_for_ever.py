# Loops for ever.
def flip(domino):
    while True: pass
