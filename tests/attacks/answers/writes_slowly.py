# Writes a frame byte by byte, as slow as it can.
import os, time
def flip(domino):
    os.write(3, (10**6).to_bytes(4, "big"))
    while True:
        os.write(3, b"x")
        sum(range(10**4))
