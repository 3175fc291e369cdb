"""Lets a dataclass compare by a field whose name is code; its base is called Exception, and the name is set late."""
from dataclasses import dataclass, field

mine, told = field(default=0), []


@dataclass(init=False, repr=False)
class Base:
    one: int = mine


mine.name = "keep((self.known.__code__.co_varnames, self.known.__code__.co_code))"
Exception = Base


@dataclass(init=False, repr=False)
class Told(Exception):
    two: int = 0

    def __init__(self):
        self.known, self.keep = suppress, told.append


def move(*_):
    return (Told() == Told(), told[0], suppress)[1]
