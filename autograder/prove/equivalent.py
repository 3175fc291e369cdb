"""Mutants that are right answers, listed in a pack's `right/equivalent_mutants.toml`, each with a reason.

Most of them have the reference's results for all inputs that the statement allows. If several answers are right, a
mutant may be one of them. In an open exercise, every answer that reaches the goal is right.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

from autograder.prove.mutate import Key, Mutant, mutants_of
from autograder.toml import Name, Text, Texts, line_of, read_text, read_toml
from autograder.units.mistakes import no_exercise
from autograder.units.pack import UnitError
from autograder.units.unit import Unit
from course.exam.readable import one_line

EQUIVALENT_FILE = "equivalent_mutants.toml"


@dataclass(frozen=True)
class OpenExercise:
    """An exercise all of whose mutants may be right."""

    unit: Name
    """The unit."""
    exercise: Name
    """The exercise."""
    because: Text
    """The reason why such answers are right."""


@dataclass(frozen=True)
class Equivalent(OpenExercise):
    """A line of a reference, and the changed lines that are right, too."""

    line: Text
    """The line or lines of the reference."""
    becomes: Texts
    """The changed line or lines."""


@dataclass(frozen=True)
class RightMutants:
    """The content of the file."""

    open: tuple[OpenExercise, ...] = ()
    """Exercises of which any mutant may be right."""
    equivalent: tuple[Equivalent, ...] = ()
    """Single mutants that are right."""


def _listed(unit: Unit) -> RightMutants:
    return _read(unit.pack.folder("right") / EQUIVALENT_FILE)


@cache
def _read(path: Path) -> RightMutants:
    return read_toml(path, RightMutants, UnitError) if path.exists() else RightMutants()


def equivalent_wrong(unit: Unit) -> Iterator[str]:
    """Yield what is wrong with the listed mutants of a unit, each in one line with file and line."""
    for table in ("open", "equivalent"):
        for number, entry in enumerate(getattr(_listed(unit), table)):
            for key, wrong in _entry_wrong(unit, entry):
                yield f"{_location(unit, table, number, key)}: {wrong}"


def _location(unit: Unit, *where: str | int) -> str:
    path = unit.pack.folder("right") / EQUIVALENT_FILE
    return f"{path}:{line_of(read_text(path, UnitError), *where)}"


def _entry_wrong(unit: Unit, entry: OpenExercise) -> Iterator[tuple[str, str]]:
    if entry.unit not in unit.pack.units:
        yield "unit", f"the pack has no unit {entry.unit!r}. Its units are {', '.join(unit.pack.units)}"
    elif entry.unit == unit.name and entry.exercise not in unit.by_name:
        yield "exercise", no_exercise(unit, entry.exercise)
    elif entry.unit == unit.name and isinstance(entry, Equivalent):
        lines = [line.strip() for line in ast.unparse(ast.parse(unit[entry.exercise].source)).splitlines()]
        if entry.line not in "\n".join(lines):
            yield "line", f"{entry.exercise} has no such line. Copy it from the message of `foldem prove`"


def stale_mutants(unit: Unit) -> Iterator[str]:
    """Yield the listed changes of references that are no mutants, each in one line with file and line."""
    for number, entry in enumerate(_listed(unit).equivalent):
        if entry.unit == unit.name:
            keys = {mutant.key for mutant in mutants_of(unit, unit[entry.exercise])}
            for becomes in entry.becomes:
                if (unit.name, entry.exercise, entry.line, becomes) not in keys:
                    wrong = f"no mutant of {entry.exercise} becomes {one_line(becomes, 200)!r}. Remove it"
                    yield f"{_location(unit, 'equivalent', number, 'becomes')}: {wrong}"


def equivalents(unit: Unit) -> dict[Key, str]:
    """Return the reason for each listed mutant of a unit, by exercise, line, and changed line."""
    return {
        (unit.name, entry.exercise, entry.line, becomes): entry.because
        for entry in _listed(unit).equivalent
        for becomes in entry.becomes
        if entry.unit == unit.name
    }


def is_right(mutant: Mutant) -> bool:
    """Return whether the exam may accept a mutant: it is listed, or belongs to an open exercise."""
    is_open = any((entry.unit, entry.exercise) == mutant.key[:2] for entry in _listed(mutant.unit).open)
    return is_open or mutant.key in equivalents(mutant.unit)


def equivalent_toml(mutants: Iterable[Mutant]) -> str:
    """Return entries of the file for mutants, with the reasons left to fill in."""
    groups = groupby(sorted(mutants, key=lambda each: each.key[:3]), key=lambda each: each.key[:3])
    return "\n\n".join(_entry(key, group) for key, group in groups)


def _entry(key: tuple[str, str, str], mutants: Iterable[Mutant]) -> str:
    unit, exercise, line = map(_quoted, key)
    becomes = "".join(f"    {_quoted(mutant.becomes)},\n" for mutant in mutants)
    return f"""[[equivalent]]
unit = {unit}
exercise = {exercise}
because = "…"
line = {line}
becomes = [
{becomes}]"""


def _quoted(text: str) -> str:
    """Return a text as a string of TOML, which has the same escapes as JSON.

    >>> print(_quoted('say "no"'), _quoted("two" + chr(10) + "lines"))
    "say \\"no\\"" "two\\nlines"
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
