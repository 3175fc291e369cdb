# Copies another reference's code onto a function of its own with the names that `wraps` is told to copy.
from functools import wraps
def move(*_):
    def mine(): ...
    wraps(suppress)(mine, assigned=["__code__"])
    return str(mine.__code__.co_consts)
