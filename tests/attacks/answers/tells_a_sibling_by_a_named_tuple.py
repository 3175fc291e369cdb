# Poses as a partial function: a named tuple has the attributes that `curry` reads of its argument, and calls another.
from collections import namedtuple
Partial = namedtuple("Partial", "func args keywords __code__".replace("__code__", "code"))
def move(*_):
    return str(curry(Partial(suppress, (), {}, 0)).func.__code__.co_code)
