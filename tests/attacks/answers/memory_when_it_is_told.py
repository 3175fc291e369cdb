# Takes all memory when its exception is to be told.
class Greedy(Exception):
    def __str__(self): return "x" * (1 << 40)
    @property
    def args(self): return tuple(range(1 << 40))
def flip(domino):
    raise Greedy
