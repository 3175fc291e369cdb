"""Answers that leave their work to an unwritten exercise, in every way that we know: none of them may earn points."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from typing import NamedTuple

from autograder.prove.answers import grade_trusted, submission_with
from autograder.report.model import PASSED
from autograder.units.unit import Unit


class Route(NamedTuple):
    """An answer that leaves its work to `{other}`, with what it needs: a helper, or an answer to `{between}`."""

    answer: str
    helper: str = ""
    between: str = ""


CALL = "def {name}(*args):\n    return {other}(*args)"
SIMPLE = CALL, CALL.replace("{other}(*args)", "bool({other}(*args))"), f"{CALL} is not None"
ROUTES: Mapping[str, Route] = {
    "a call": Route(CALL),
    "another name": Route("{name} = {other}"),
    "a lambda": Route("{name} = lambda *args: {other}(*args)"),
    "a default argument": Route("def {name}(*args, work={other}):\n    return work(*args)"),
    "an inner function": Route(
        "def {name}(*args):\n    def inner():\n        return {other}(*args)\n    return inner()"
    ),
    "a function of functions": Route("def {name}(*args):\n    return next(map({other}, *([arg] for arg in args)))"),
    "partial application": Route("from functools import partial\n{name} = partial({other})"),
    "a method": Route(
        "class Other:\n    work = staticmethod({other})\ndef {name}(*args):\n    return Other.work(*args)"
    ),
    "a comprehension": Route("def {name}(*args):\n    return [{other}(*args) for _ in '1'][0]"),
    "a truth value": Route("def {name}(*args):\n    return bool({other}(*args))"),
    "a test for None": Route("def {name}(*args):\n    return {other}(*args) is not None"),
    "its global names": Route("def {name}(*args):\n    return globals()['{other}'](*args)"),
    "text that is run": Route("def {name}(*args):\n    return eval('{other}')(*args)"),
    "the names of a reference": Route("def {name}(*args):\n    return {first}.__globals__['{other}'](*args)"),
    "the names of a caller": Route(
        "import sys\ndef {name}(*args):\n    frame = sys._getframe()\n    while '{other}' not in frame.f_globals:\n"
        "        frame = frame.f_back\n    return frame.f_globals['{other}'](*args)"
    ),
    "all objects": Route(
        "import gc\ndef {name}(*args, met=[]):\n    found = met or [\n        each for each in gc.get_objects()\n"
        "        if getattr(each, '__name__', '') == '{other}' and hasattr(each, '__code__')\n    ] or [None]\n"
        "    met[:] = found\n    return found[0](*args)"
    ),
    "a helper": Route(
        "def {name}(*args):\n    return left_to(*args)", "def left_to(*args):\n    return {other}(*args)"
    ),
    "a helper's other name": Route("def {name}(*args):\n    return left_to(*args)", "left_to = {other}"),
    "another answer": Route(
        "def {name}(*args):\n    return {between}(*args)", between="def {between}(*args):\n    return {other}(*args)"
    ),
    "another answer's other name": Route(
        "def {name}(*args):\n    return {between}(*args)", between="{between} = {other}"
    ),
}


def closed_exercises(unit: Unit, name: str) -> list[str]:
    """Return the exercises whose references an answer may not call."""
    return [other for other in unit.by_name if other not in (name, *unit.callable_by[name])]


def earns(unit: Unit, name: str, answers: dict[str, str], helpers: tuple[str, ...] = ()) -> bool:
    """Return whether these answers earn points for an exercise."""
    report = grade_trusted(submission_with(unit, answers, helpers), name)[name]
    return bool(report.points) or report.state == PASSED


def earns_through(unit: Unit, name: str, other: str, route: Route) -> bool:
    """Return whether an answer that leaves its work to another exercise earns points."""
    between = next((each for each in closed_exercises(unit, name) if each != other), name)
    names = {"name": name, "other": other, "between": between, "first": next(iter(unit.by_name))}
    answer, helper, own = (code.format(**names) for code in route)
    return earns(unit, name, {**({between: own} if own else {}), name: answer}, (helper,) if helper else ())


def closed_pairs(unit: Unit) -> list[tuple[str, str, str]]:
    """Return pairs of exercises, each with a route. The first exercise may not call the second's reference."""
    pairs = [(name, other) for name in unit.by_name for other in closed_exercises(unit, name)]
    return [(name, other, route) for (name, other), route in zip(pairs, cycle(ROUTES), strict=False)]


def earns_by_unwritten(unit: Unit, pair: tuple[str, str, str]) -> list[str]:
    """Report an answer that earns points by calling an unwritten exercise.

    All routes are tried if the exercise could do the work once it is written.
    """
    name, other, route = pair
    is_alike = len(unit[other].parameters) == len(unit[name].parameters)
    codes = [code.format(name=name, other=other) for code in SIMPLE]
    could = is_alike and any(earns(unit, name, {other: unit[other].source, name: code}) for code in codes)
    earning = [each for each in (ROUTES if could else [route]) if earns_through(unit, name, other, ROUTES[each])]
    where = unit.location(unit[name])
    return [f"{where}: {name} earns points by calling the unwritten {other}, through {each}" for each in earning]
