# Copies a frame's owner: a deep copy of an object whose hook is given everything that is copied.
from copy import deepcopy
class Hook:
    def __deepcopy__(self, memo):
        return [*memo.values()]
def move(*_):
    return str(deepcopy([suppress, Hook()])[0].__code__.co_consts)
