# Never loads.
def wait():
    while True:
        try: pass
        except BaseException: pass
def flip(domino, wait=wait()):
    return Domino(domino.right, domino.left)
