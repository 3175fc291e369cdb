# Never loads.
while True:
    try: pass
    except BaseException: pass
def flip(domino):
    return Domino(domino.right, domino.left)
