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
    parts: tuple[object, ...] = ()
    match thing:
        case FunctionType():
            yield thing
            parts = (getattr(thing, "__wrapped__", None),)
        case MethodType():
            parts = (thing.__func__,)
        case partial() | curry():
            parts = thing.func, *thing.args
        case Compose():
            parts = thing.first, *thing.funcs
        case tuple() | list():
            parts = tuple(thing[:100])
    for part in parts if depth < DEEPEST_REACH else ():
        yield from functions_in(part, depth + 1)


def functions_reached(function: object, names: dict[str, object]) -> dict[FunctionType, bool]:
    """Return the functions that a call may reach among the names of a notebook, and whether each is the learner's own.

    The learner's own are the functions defined there, nested ones included. Others are those of the course that the
    notebook names, and the parts of the function itself.
    """
    named = [each for thing in list(names.values()) for each in functions_in(thing)]
    # The search for referrers does not find frozen objects, so the functions in named values are added.
    every = (*gc.get_referrers(names), *named)
    own = (each for each in every if type(each) is FunctionType and each.__globals__ is names)
    given = (each for each in named if is_given(each) and each.__name__ not in UNSEEN)
    parts = (each for each in functions_in(function) if each.__globals__ is not names)
    return dict.fromkeys(own, True) | dict.fromkeys((*given, *parts), False)


def is_given(function: FunctionType) -> bool:
    """Return whether a function belongs to the part of the course, or of a pack, that learners build on."""
    package, _, module = (function.__module__ or "").partition(".")
    return package in homes() and module.split(".")[0] not in NOT_GIVEN


NOT_GIVEN = word_set("check diagnoses exam form graph kernel learner show svg syntax tables watch")
