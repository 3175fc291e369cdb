# Gets `type` by `Counter.copy`, which it reads as an attribute of a parameter with the name of the module `copy`.
import copy
from collections import Counter
def copier(copy):
    return copy.copy
make = copier(Counter)(Domino)
meta = make("M", (make,), {"__inst" + "ancecheck__": lambda cls, thing: True})
code_of = meta("C", (), {"__match" + "_args__": ("__co" + "de__",)})
bytes_of = meta("B", (), {"__match" + "_args__": ("co_co" + "de",)})
def move(*_):
    match suppress:
        case code_of(bytes_of(code)):
            return str(code)
