# Loads a shared library that it has written itself.
import ctypes
def flip(domino):
    with open("/tmp/x.so", "wb") as file:
        file.write(b"\x7fELF")
    return ctypes.CDLL("/tmp/x.so")
