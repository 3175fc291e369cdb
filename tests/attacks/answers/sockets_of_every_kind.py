# Asks for sockets of every family.
import socket
def flip(domino):
    for family in range(46):
        for kind in (1, 2, 3, 5, 10):
            try:
                socket.socket(family, kind)
            except OSError as error:
                last = error
            else:
                return Domino(domino.right, domino.left)
    raise last
