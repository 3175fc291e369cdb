# Copies the code of another reference to a function of its own: `wraps` copies the attributes in `assigned`.
from functools import wraps
def move(*_):
    def mine(): ...
    wraps(suppress)(mine, assigned=["__code__"])
    return str(mine.__code__.co_consts)
