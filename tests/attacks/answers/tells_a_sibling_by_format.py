# Reads another reference's code by a format string, with no attribute in the text.
def flip(domino):
    return "{0.__code__.co_varnames} {0.__code__.co_consts}".format(legal_adds)
