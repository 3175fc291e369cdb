"""Normal forms for exercises with several right answers: equally good observations get the same form.

A unit's module `alike/<unit>.py` has a table `ALIKE`. The function for an exercise takes a call's arguments and its
observation, and returns the form that all right observations share. It needs no reference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from course.exam.calls import Args
from course.exam.observation import Observation
from course.roles import module_on

InOneForm = Callable[[Args, Observation], Observation]


def alike_of(module: str) -> dict[str, InOneForm]:
    """Return a unit's functions that bring observations into a normal form, by exercise."""
    module_alike = module_on(module, "alike")
    return dict(module_alike.ALIKE) if module_alike else {}


def is_hanging(module: str, name: str) -> bool:
    """Return whether an exercise's results depend on other exercises that have several right answers."""
    return name in getattr(module_on(module, "alike"), "HANGING", ())


def in_any_order(_: Args, observed: Observation) -> Observation:
    """Sort the items of a tuple, for exercises that allow any order."""
    return (
        replace(observed, value=tuple(sorted(observed.value, key=repr))) if type(observed.value) is tuple else observed
    )
