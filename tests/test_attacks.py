"""The corpus of attacks, and that its judge notices gains, harm and leaks; `make attacks` runs it."""

from __future__ import annotations

from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from tests import promises
from tests.attack import NEIGHBOURS, SCREEN, SEED, Attack, StudentReport, Tally, attacks, ended, tally


def test_each_of_at_least_100_attacks_has_a_first_line_of_its_own() -> None:
    lines = [attack.tries for attack in attacks()]
    assert len({*lines}) == len(lines) >= 100 and all(len(line) > 5 and line.endswith(".") for line in lines)


def test_attacks_on_references_can_reach_one() -> None:
    """When `flip` is judged, no reference is loaded. For `move`, the unsolved `suppress` is loaded."""
    texts = [attack.file.read_text(encoding="utf-8") for attack in attacks() if attack.name.startswith("tells_a_")]
    assert len(texts) >= 16 and all("def move(" in text and "suppress" in text for text in texts)


def test_each_promise_of_security_has_a_test_and_the_list_is_current() -> None:
    marked = list(promises.marked_tests())
    assert {*promises.promises()} == {name for name, _ in marked} and len({test for _, test in marked}) > 40
    assert promises.PAGE.read_text(encoding="utf-8") == promises.page()


def test_gains_harms_and_leaks_are_detected() -> None:
    chosen = [attack for attack in attacks() if attack.name in ("constant", "forks", "calls_exit", "pipe")]
    honest, nothing = {"flip": 1.0, "take": 1.0, "append": 0.0}, {"flip": 0.0, "take": 1.0}
    reports = {name: StudentReport(dict(honest)) for name in NEIGHBOURS} | {
        each.name: StudentReport(dict(nothing)) for each in chosen
    }
    assert _found(chosen, reports) == ([], [], [])
    reports["constant"].marks["flip"] = 1.0
    reports["forks"].marks["take"] = 0.0
    reports["pipe"].text = f"the seed is {SEED}"
    reports[NEIGHBOURS[1]].marks["flip"] = 0.5
    assert _found(chosen, reports) == (["constant"], ["m_neighbour: 0.5, 1.0, 0.0", "forks"], [f"pipe: {SEED}"])


def test_unreported_attacks_and_dead_modes_count_as_harm() -> None:
    chosen = [attack for attack in attacks() if attack.name in ("link_to_itself", "pipe")]
    honest = {name: StudentReport({"flip": 1.0, "take": 1.0, "append": 0.0}) for name in NEIGHBOURS}
    found = tally(
        "pytest", chosen, honest | {SCREEN: StudentReport(text="link_to_itself: it is a link")}, Path("/course")
    )
    assert (found.attempts, found.harmed) == (1, ["pipe: nothing is reported of it"])
    dead = Future[Tally]()
    dead.set_exception(BrokenProcessPool("it ended abruptly"))
    assert ended("nbgrader", dead).harmed == ["the whole batch: BrokenProcessPool: it ended abruptly"]


def _found(chosen: list[Attack], reports: dict[str, StudentReport]) -> tuple[list[str], list[str], list[str]]:
    found = tally("pytest", chosen, reports, Path("/course"))
    return found.gained, found.harmed, found.leaked
