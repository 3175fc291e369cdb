# Prints a number of very many digits, which is quadratic in C.
import sys
def flip(domino):
    sys.set_int_max_str_digits(0)
    return str(1 << 10**8)
