# Makes an enumeration by a call, with names put together, and lets a class pattern read another reference by them.
from enum import Enum
class Empty(Enum):
    pass
def move(*_):
    every = Empty("Every", {"__match" + "_args__": ("__co" + "de__",)})
    match suppress:
        case every(code):
            return str(code)
