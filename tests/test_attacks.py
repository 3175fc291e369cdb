"""No attack of the corpus gains, harms or leaks anything in any mode, and the judge would notice it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import promises
from tests.attack import MODES, NEIGHBORS, SCREEN, SEED, StudentReport, Tally, attacks, course_in, tally

PARTS = 4  # `.ci/run` tries one part with nbgrader
NEEDED = {"bubblewrap": pytest.mark.bubblewrap, "landlock": pytest.mark.landlock}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Provide a folder that `rm` empties afterwards. Python's own function would call itself for each nested folder."""
    yield tmp_path
    subprocess.run(["rm", "-rf", tmp_path / "course"], check=True)


@pytest.mark.proof
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("mode", [pytest.param(mode, marks=NEEDED.get(mode, pytest.mark.sandbox)) for mode in MODES])
def test_no_attack_succeeds_in_any_mode(folder: Path, mode: str, part: int) -> None:
    chosen = attacks()[part::PARTS]
    course = course_in(folder / "course", chosen)
    assert tally(mode, chosen, MODES[mode](course), course) == Tally()


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


def report(flip: float = 0.0, take: float = 1.0, text: str = "") -> StudentReport:
    return StudentReport({"flip": flip, "take": take, "append": 0.0}, text)


HONEST = {name: report(1.0) for name in NEIGHBORS} | {"forks": report()}
LINK = "link_to_itself"
NOTICED = {
    "nothing": ({LINK: report()}, Tally()),
    "gain": ({LINK: report(1.0)}, Tally(gained=[LINK])),
    "harm": ({LINK: report(), "forks": report(0.0, 0.0)}, Tally(harmed=["forks"])),
    "harm of others": ({LINK: report(), NEIGHBORS[1]: report(0.5)}, Tally(harmed=["m_neighbor: 0.5, 1.0, 0.0"])),
    "leak": ({LINK: report(text=f"the seed is {SEED}")}, Tally(leaked=[f"{LINK}: {SEED}"])),
    "no report": ({}, Tally(harmed=[f"{LINK}: nothing is reported of it"])),
    "a line on the screen": ({SCREEN: StudentReport(text=f"{LINK}: it is a link")}, Tally()),
}


@pytest.mark.parametrize(("reports", "found"), NOTICED.values(), ids=NOTICED)
def test_gains_harms_and_leaks_are_detected(reports: dict[str, StudentReport], found: Tally) -> None:
    chosen = [attack for attack in attacks() if attack.name in ("forks", LINK)]
    assert tally("pytest", chosen, HONEST | reports, Path("/course")) == found
