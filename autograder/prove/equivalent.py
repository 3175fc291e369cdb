"""The mutants that are right answers, listed in a pack's `right/equivalent_mutants.toml`, each with a reason.

Most give what the reference gives for all inputs that the statement allows. Where many answers are right, mutants may
be others of them, and in an open exercise, where anything goes that reaches a goal, whoever reaches it is right.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from autograder.prove.mutate import Key, Mutant
from autograder.units.pack import pack_of

EQUIVALENT_FILE = "equivalent_mutants.toml"


def _listed(unit: str) -> dict[str, Any]:
    return _read(pack_of(unit).folder("right") / EQUIVALENT_FILE)


@cache
def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def equivalents(unit: str) -> dict[Key, str]:
    """Give the reason for each mutant of a unit that is listed, by exercise, line, and what the line becomes."""
    return {
        (unit, entry["exercise"], entry["line"], becomes): entry["because"]
        for entry in _listed(unit).get("equivalent", ())
        for becomes in entry["becomes"]
        if entry["unit"] == unit
    }


def is_right(mutant: Mutant) -> bool:
    """Tell whether the exam may let a mutant pass: it is listed, or one of an open exercise."""
    listed = _listed(mutant.unit).get("open", ())
    is_open = any((entry["unit"], entry["exercise"]) == mutant.key[:2] for entry in listed)
    return is_open or mutant.key in equivalents(mutant.unit)
