"""The corpus of attacks, and that its judge notices gains, harm and leaks; `make attacks` runs it."""

from __future__ import annotations

from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from tests import promises
from tests.attack import NEIGHBOURS, SCREEN, SEED, Attack, Tally, Told, attacks, ended, tally


def test_each_of_at_least_100_attacks_has_a_first_line_of_its_own() -> None:
    lines = [attack.tries for attack in attacks()]
    assert len({*lines}) == len(lines) >= 100
    assert all(len(line) > 5 and line.endswith(".") for line in lines)


def test_attacks_on_references_can_reach_one() -> None:
    """When `flip` is judged, no reference is loaded. For `move`, the unsolved `suppress` is loaded."""
    texts = [attack.file.read_text(encoding="utf-8") for attack in attacks() if attack.name.startswith("tells_a_")]
    assert len(texts) >= 16
    assert all("def move(" in text and "suppress" in text for text in texts)


def test_each_promise_of_security_has_a_test_and_the_list_is_current() -> None:
    marked = list(promises.marked_tests())
    assert {*promises.promises()} == {name for name, _ in marked}
    assert len({test for _, test in marked}) > 40
    assert promises.PAGE.read_text(encoding="utf-8") == promises.page()


def test_gains_harms_and_leaks_are_detected() -> None:
    chosen = [attack for attack in attacks() if attack.name in ("constant", "forks", "calls_exit", "pipe")]
    honest, nothing = {"flip": 1.0, "take": 1.0, "append": 0.0}, {"flip": 0.0, "take": 1.0}
    told = {name: Told(dict(honest)) for name in NEIGHBOURS} | {each.name: Told(dict(nothing)) for each in chosen}
    assert _found(chosen, told) == ([], [], [])
    told["constant"].marks["flip"] = 1.0
    told["forks"].marks["take"] = 0.0
    told["pipe"].text = f"the seed is {SEED}"
    told[NEIGHBOURS[1]].marks["flip"] = 0.5
    assert _found(chosen, told) == (["constant"], ["m_neighbour: 0.5, 1.0, 0.0", "forks"], [f"pipe: {SEED}"])


def test_unreported_attacks_and_dead_modes_count_as_harm() -> None:
    chosen = [attack for attack in attacks() if attack.name in ("link_to_itself", "pipe")]
    honest = {name: Told({"flip": 1.0, "take": 1.0, "append": 0.0}) for name in NEIGHBOURS}
    found = tally("pytest", chosen, honest | {SCREEN: Told(text="link_to_itself: it is a link")}, Path("/course"))
    assert (found.attempts, found.harmed) == (1, ["pipe: nothing is told of it"]) and not found.is_clean
    dead = Future[Tally]()
    dead.set_exception(BrokenProcessPool("it ended abruptly"))
    assert ended("nbgrader", dead).harmed == ["the whole batch: BrokenProcessPool: it ended abruptly"]


def _found(chosen: list[Attack], told: dict[str, Told]) -> tuple[list[str], list[str], list[str]]:
    found = tally("pytest", chosen, told, Path("/course"))
    return found.gained, found.harmed, found.leaked
