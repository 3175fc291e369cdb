# Reads another reference's code by a format string, with no attribute in the text.
def move(*_):
    return "{0.__code__.co_code} {0.__code__.co_consts}".format(suppress)
