# Reads another reference's code by the mapping protocol of `str.format_map`.
class Seen(dict):
    def __missing__(self, key): return suppress
def move(*_):
    return "{x.__code__.co_code}".format_map(Seen())
