# Calls the C library's own functions that open, run and fork.
import ctypes
def flip(domino):
    libc = ctypes.CDLL(None, use_errno=True)
    seen = [libc.open(b"/etc/passwd", 0), libc.fork(), libc.system(b"id"), libc.creat(b"/tmp/x", 511)]
    return str(seen)
