# Reads another reference's code by a field inside a field's width.
def move(*_):
    return "{:{0.__code__}}".format(suppress, suppress)
