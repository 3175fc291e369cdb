# Reads another reference's code by a class pattern whose class `ABCMeta` makes and functions are registered with.
from abc import ABCMeta
every = ABCMeta("C", (), {"__match" + "_args__": ("__co" + "de__",)})
def move(*_):
    every.register(type(suppress))
    match suppress:
        case every(self):
            return str(self.co_code)
