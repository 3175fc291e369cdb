# Opens a socket.
import socket
def flip(domino):
    return socket.socket()
