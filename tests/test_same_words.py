"""Learners read the same with a kit as with everything installed, which adds points and expected values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.report.stops import unanswered
from autograder.report.words import stop_text
from autograder.units.mistakes import Mistake
from course.exam.calls import Names
from course.exam.sealed import SealedExam
from course.kernel import catalogue
from course.learner.answer import answer_among
from course.learner.checking import check_answer
from course.show.results import BAD, GOOD, Result
from tests.classroom import reference_answers
from tests.kernel import Kernel, working_in
from tests.sample import one_in
from tests.sealed import read_sealed
from tests.units import mistakes_of, read_unit, submission_with

UNIT = "warmup"
RIGHT = reference_answers(read_unit(UNIT))
NAME = next(iter(RIGHT))
HEAD = RIGHT[NAME].splitlines()[0]
POINTS = re.compile(r" · [\d.]+ / [\d.]+ points?( \(style .*\))?$")

SEEN_IN_FILES = {
    "its stub": f"{HEAD}\n    raise NotImplementedError",
    "a missing colon": RIGHT[NAME].replace(":", "", 1),
    "another name": RIGHT[NAME].replace("def ", "def x", 1),
}
OBSTACLES = SEEN_IN_FILES | {
    "an error above it": f"1 / 0\n{RIGHT[NAME]}",
    "a module that does not exist": f"import nosuch\n{RIGHT[NAME]}",
    "nothing": "",
    "a name that no statement binds": f"globals()['{NAME}'] = lambda cards: cards",
}
WRONG = one_in(12, mistakes_of(UNIT))


@pytest.fixture(scope="module")
def kit() -> SealedExam:
    """Return a kit's sealed exam."""
    return read_sealed(UNIT)


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[Kernel]:
    with working_in(tmp_path):
        kernel = Kernel(has_imports=False)
        kernel.run(f"from course.{UNIT} import *\nfrom course.check import *")
        yield kernel


def both(
    kernel: Kernel, name: str, source: str, kit: SealedExam, monkeypatch: pytest.MonkeyPatch
) -> tuple[Result, Result]:
    """Return the results of a check with a kit and with everything installed. All other answers are right."""
    for cell in (RIGHT | {name: source}).values():
        kernel.run(cell)
    names: Names = kernel.shell.user_ns
    full = check_answer(answer_among(names, name), catalogue.examiner())
    monkeypatch.setattr(catalogue, "sealed", lambda _: kit)
    return check_answer(answer_among(names, name), None), full


def without_points(result: Result) -> str:
    head, *rest = result.text().splitlines()
    return "\n".join((POINTS.sub("", head), *rest))


@pytest.mark.forks
@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_an_obstacle_is_reported_in_the_same_words(
    kernel: Kernel, obstacle: str, kit: SealedExam, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, full = both(kernel, NAME, OBSTACLES[obstacle], kit, monkeypatch)
    assert mine.state != GOOD and mine.text() == full.text()


@pytest.mark.forks
@pytest.mark.parametrize("obstacle", SEEN_IN_FILES)
def test_a_report_has_the_words_of_the_kernel(
    kernel: Kernel, obstacle: str, kit: SealedExam, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, _ = both(kernel, NAME, OBSTACLES[obstacle], kit, monkeypatch)
    attempt = submission_with(UNIT, {NAME: OBSTACLES[obstacle]}).attempts[NAME]
    assert attempt.obstacle and mine.headline.startswith(stop_text(unanswered(NAME, attempt.obstacle)))


@pytest.mark.forks
@pytest.mark.parametrize("name", one_in(4, [*RIGHT]))
def test_a_right_answer_is_reported_in_the_same_words(
    kernel: Kernel, name: str, kit: SealedExam, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, full = both(kernel, name, RIGHT[name], kit, monkeypatch)
    assert mine.state == GOOD and without_points(mine) == without_points(full)


@pytest.mark.forks
@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_a_wrong_answer_is_reported_in_the_same_words(
    kernel: Kernel,
    wrong: Mistake,
    kit: SealedExam,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A kit shows a failing example first, because it knows the expected results only of the examples."""
    mine, full = both(kernel, wrong.exercise, wrong.source, kit, monkeypatch)
    assert (mine.state, full.state) == (BAD, BAD) and mine.belief == full.belief
    calls = [part.first.failure.call for part in (mine, full) if part.first and part.first.failure]
    is_sure = not mine.says.startswith("On line ")  # else these are facts, which only a kernel knows
    if is_sure and (mine.belief or calls[:1] == calls[1:]):
        assert mine.says and full.says.endswith(mine.says)
