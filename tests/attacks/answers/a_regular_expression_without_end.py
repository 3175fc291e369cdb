# Runs a regular expression that takes for ever in C.
import re
def flip(domino):
    return re.match(r"(a+)+$", "a" * 64 + "b")
