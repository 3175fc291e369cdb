"""The mutants that are right answers, listed in `tests/equivalent_mutants.toml`, each with a reason.

Most give what the reference gives for all inputs that the statement allows. Where many answers are right, mutants may
be others of them, and in an open exercise, where anything goes that reaches a goal, whoever reaches it is right.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from tests.mutants.judging import KILLED, TIMED_OUT
from tests.mutants.mutate import Key, Mutant

LIST = Path(__file__).parent.parent / "equivalent_mutants.toml"


@cache
def _listed() -> dict[str, Any]:
    return tomllib.loads(LIST.read_text(encoding="utf-8"))


@cache
def equivalents() -> dict[Key, str]:
    """Give the reason for each mutant that is listed, by unit, exercise, line, and what the line becomes."""
    return {
        (entry["unit"], entry["exercise"], entry["line"], becomes): entry["because"]
        for entry in _listed()["equivalent"]
        for becomes in entry["becomes"]
    }


def is_open(mutant: Mutant) -> bool:
    """Tell whether the mutant is one of an open exercise."""
    return any((entry["unit"], entry["exercise"]) == mutant.key[:2] for entry in _listed()["open"])


def is_right(mutant: Mutant) -> bool:
    """Tell whether the exam may let a mutant pass."""
    return mutant.key in equivalents() or is_open(mutant)


def stale(results: Iterable[tuple[Mutant, str]]) -> list[Key]:
    """Give those listed whose mutant was judged, and refused."""
    refused = {mutant.key for mutant, fate in results if fate in (KILLED, TIMED_OUT)}
    return [key for key in equivalents() if key in refused]
