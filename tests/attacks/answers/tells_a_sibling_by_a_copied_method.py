# Tells a sibling's signature: a copied method is read again by the name of its function, here a hidden attribute.
from copy import copy
def _sigspec(held): ...
curry.left = _sigspec
def move(*_):
    held = curry(suppress)
    try:
        held()
    except TypeError:
        pass
    return str(copy(held.left)), str(suppress)
