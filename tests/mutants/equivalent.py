"""The mutants that answer as the reference does, listed in `tests/equivalent_mutants.toml`, each with a reason."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tests.mutants.judging import SURVIVED
from tests.mutants.mutate import Mutant

LIST = Path(__file__).parent.parent / "equivalent_mutants.toml"
Key = tuple[str, str, str, str]


@cache
def equivalents() -> dict[Key, str]:
    """Give the reason for each mutant that is equivalent, by unit, exercise, line, and what the line becomes."""
    found: dict[Key, str] = {}
    for entry in tomllib.loads(LIST.read_text(encoding="utf-8")).get("equivalent", ()):
        for becomes in entry["becomes"]:
            found[entry["unit"], entry["exercise"], entry["line"], becomes] = entry["because"]
    return found


def stale(results: Iterable[tuple[Mutant, str]]) -> list[Key]:
    """Give those listed whose mutant was judged, and refused."""
    refused = {mutant.key for mutant, fate in results if fate not in (SURVIVED, "equivalent")}
    return [key for key in equivalents() if key in refused]
