"""Hide the parts of references that are callable objects, such as those made by `compose`."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from weakref import WeakSet

_masks: WeakSet[Callable[..., object]] = WeakSet()


def masked(thing: object, name: str) -> object:
    """Return a plain function with this name instead of a callable object. Other values are returned unchanged.

    >>> from functools import partial
    >>> masked(partial(max, 3), "at_least_three")(5), masked(partial(max, 3), "at_least_three").__name__
    (5, 'at_least_three')
    """
    if not callable(thing) or isinstance(thing, type) or (isinstance(thing, FunctionType) and thing not in _masks):
        return thing

    def call(*args: object, **kwargs: object) -> object:
        return masked(thing(*args, **kwargs), name)

    call.__name__ = call.__qualname__ = name
    _masks.add(call)
    return call
