# Makes system calls by number, past Python's own wrappers.
import ctypes
def flip(domino):
    libc = ctypes.CDLL(None, use_errno=True)
    for number in range(0, 460):
        if number not in (15, 60, 231, 34, 61, 0, 7, 23, 35, 127, 128, 130, 270, 271, 202, 230):
            libc.syscall(number, -1, -1, -1, -1, -1, -1)
    return domino
