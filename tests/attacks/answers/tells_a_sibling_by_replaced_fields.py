"""Reads the annotations of its own class by `replace`, adds code to them, and lets a dataclass compare by that."""
from dataclasses import dataclass, field, replace

mine, parts, told = field(default=0), [], []


@dataclass(init=False, repr=False, eq=False)
class Box:
    one: int = mine

    def __init__(self, **found):
        parts.append(found)
        self.known, self.keep = suppress, told.append


def move(*_):
    mine.name = "__anno" + "tations__"
    replace(Box())
    for names in parts[1].values():
        names["keep((self.known.__code__.co_varnames, self.known.__code__.co_code))"] = int
    made = dataclass(init=False, repr=False)(Box)
    return (made() == made(), told[0], suppress)[1]
