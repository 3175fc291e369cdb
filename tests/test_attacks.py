"""The corpus of attacks, and that who judges it would notice; `make attacks` runs it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.attack import NEIGHBOURS, ROOT, SEED, Attack, Told, attacks, tally


def test_each_of_a_hundred_attacks_or_more_says_in_its_first_line_what_it_tries() -> None:
    lines = [attack.tries for attack in attacks()]
    assert len({*lines}) == len(lines) >= 100
    assert all(len(line) > 5 and line.endswith(".") for line in lines)


def test_each_test_that_security_names_is_there() -> None:
    told = set(re.findall(r"`(test_\w+)`", (ROOT / "SECURITY.md").read_text(encoding="utf-8")))
    there = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob("test_*.py"))
    assert len(told) > 15
    assert not {name for name in told if f"def {name}(" not in there}


def test_who_gains_harms_or_leaks_is_found_out() -> None:
    chosen = [attack for attack in attacks() if attack.name in ("constant", "forks", "calls_exit", "pipe")]
    honest, nothing = {"flip": 1.0, "take": 1.0, "append": 0.0}, {"flip": 0.0, "take": 1.0}
    told = {name: Told(dict(honest)) for name in NEIGHBOURS} | {each.name: Told(dict(nothing)) for each in chosen}
    assert _found(chosen, told) == ([], [], [])
    told["constant"].marks["flip"] = 1.0
    told["forks"].marks["take"] = 0.0
    told["pipe"].text = f"the seed is {SEED}"
    told[NEIGHBOURS[1]].marks["flip"] = 0.5
    assert _found(chosen, told) == (["constant"], ["m_neighbour: 0.5, 1.0, 0.0", "forks"], [f"pipe: {SEED}"])


def _found(chosen: list[Attack], told: dict[str, Told]) -> tuple[list[str], list[str], list[str]]:
    found = tally("pytest", chosen, told, Path("/course"))
    return found.gained, found.harmed, found.leaked
