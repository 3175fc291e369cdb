# Warns with the arguments, and writes them to both outputs.
import sys
import warnings


def is_sound(chain):
    warnings.warn(repr(chain), stacklevel=1)
    print(chain, file=sys.stderr)
    sys.stdout.write(repr(chain))
    return
