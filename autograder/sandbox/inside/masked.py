"""References made by calls, as by `compose`: without a mask, their text and attributes reveal their parts."""

from __future__ import annotations

from types import FunctionType
from typing import Any
from weakref import WeakSet

_masks: WeakSet[Any] = WeakSet()


def masked(thing: Any, name: str) -> Any:
    """Return a function of this name for a callable that is no function or class; everything else unchanged.

    >>> from functools import partial
    >>> masked(partial(max, 3), "at_least_three")(5), masked(partial(max, 3), "at_least_three").__name__
    (5, 'at_least_three')
    """
    if not callable(thing) or isinstance(thing, type) or (isinstance(thing, FunctionType) and thing not in _masks):
        return thing

    def call(*args: Any, **kwargs: Any) -> Any:
        return masked(thing(*args, **kwargs), name)

    call.__name__ = call.__qualname__ = name
    _masks.add(call)
    return call
