# Crashes the interpreter.
import ctypes
def flip(domino):
    return ctypes.string_at(0)
