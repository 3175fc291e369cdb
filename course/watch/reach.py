"""Which functions are recorded in a run: the learner's own, and the given functions that the notebook mentions."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from functools import partial
from types import FunctionType, MethodType

from toolz.functoolz import Compose, curry

from course.form.given import word_set
from course.kernel.catalogue import homes
from course.limits import DEEPEST_REACH

UNSEEN = frozenset(("tail_recursive", "recur", "transcript"))


def functions_in(thing: object, depth: int = 0) -> Iterator[FunctionType]:
    """Yield the functions in a value.

    These are the value itself, the functions it was made from (by currying, composing or decorating), and its items.

    >>> def double(n): return 2 * n
    >>> [f.__name__ for f in functions_in((curry(double), Compose((double, len))))]
    ['double', 'double']
    """
    if isinstance(thing, FunctionType):
        yield thing
    for part in parts_to_search(thing) if depth < DEEPEST_REACH else ():
        yield from functions_in(part, depth + 1)


def parts_to_search(thing: object) -> tuple[object, ...]:
    """Return the parts of a value in which to look for functions."""
    match thing:
        case FunctionType():
            return tuple(wrapped for name in ("__wrapped__",) if (wrapped := getattr(thing, name, None)))
        case MethodType():
            return (thing.__func__,)
        case partial() | curry():
            return thing.func, *thing.args
        case Compose():
            return thing.first, *thing.funcs
        case tuple() | list():
            return tuple(thing[:100])
    return ()


def own_functions(names: dict[str, object]) -> list[FunctionType]:
    """Return all functions that were defined in a namespace, nested ones included.

    The search for referrers does not find frozen objects, so the functions in named values are added.
    """
    named = (each for thing in list(names.values()) for each in functions_in(thing))
    every = (*gc.get_referrers(names), *named)
    functions = (each for each in every if type(each) is FunctionType and each.__globals__ is names)
    return [*dict.fromkeys(functions)]


def given_functions(names: dict[str, object]) -> list[FunctionType]:
    """Return the functions of the course that a namespace names."""
    results = (each for thing in list(names.values()) for each in functions_in(thing))
    return [each for each in results if is_given(each) and each.__name__ not in UNSEEN]


def is_given(function: FunctionType) -> bool:
    """Return whether a function belongs to the part of the course, or of a pack, that learners build on."""
    package, _, module = (function.__module__ or "").partition(".")
    return package in homes() and module.split(".")[0] not in NOT_GIVEN


NOT_GIVEN = word_set("check diagnoses exam form graph kernel learner show svg syntax tables watch")
