# Reads another reference's code by the mapping protocol of `str.format_map`.
class Seen(dict):
    def __missing__(self, key): return legal_adds
def flip(domino):
    return "{x.__code__.co_varnames}".format_map(Seen())
