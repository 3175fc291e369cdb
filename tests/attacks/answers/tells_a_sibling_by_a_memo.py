"""Sets attributes of any name by `deepcopy`, whose memo it answers itself, and lets a dataclass compare by a name."""
from collections import OrderedDict
from copy import deepcopy
from dataclasses import dataclass

told = []


class Box:
    def __init__(self):
        self.known, self.keep = suppress, told.append


def put(owner, names):
    """Set attributes, by name, on what the owner makes."""
    memo, calls = OrderedDict(), []

    def get(_number, missing=None):
        calls.append(1)
        return {2: owner, 3: (None, names)}.get(len(calls), missing)

    memo.get = get
    return deepcopy(Box(), memo)


def move(*_):
    maker = put(Box, {"__new__": lambda *_: Box})
    put(maker, {"__annotations__": {"keep((self.known.__code__.co_varnames, self.known.__code__.co_code))": int}})
    made = dataclass(init=False, repr=False)(Box)
    return (made() == made(), told[0], suppress)[1]
