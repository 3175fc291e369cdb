# Holds subclasses of int.
class Number(int): pass
def flip(domino):
    return Domino(Number(domino.right), Number(domino.left))
