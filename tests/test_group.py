"""Plain answers of a submission run as a group in one child, and their neighbors never affect a mark."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.config import Policy
from autograder.grading import group, trial
from autograder.grading.run import grade_in, open_sandbox
from autograder.report.model import Graded
from autograder.sandbox.cage import OFF
from autograder.sandbox.host import Sandbox
from tests.classroom import reference_answers, submission_with
from tests.units import read_unit

UNIT = read_unit("dominoes")
POLICY = Policy(sandbox=OFF, seconds_per_call=0.3)
RIGHT = {
    name: source for name, source in reference_answers(UNIT).items() if name in ("flip", "append", "take", "suppress")
}
ENDLESS = "def flip(domino):\n    while True:\n        pass"
STORE = "def flip(domino):\n    Domino.left = domino\n    return domino"
CLASS = f"{UNIT['take'].source}\nclass Own:\n    pass"
NEIGHBORS = {
    "wrong": "def flip(domino):\n    return domino",
    "endless": ENDLESS,
    "exits": "def flip(domino):\n    exit()",
    "too deep": "def flip(domino):\n    return flip(domino)",
    "seeds": "from random import seed\ndef flip(domino):\n    seed(7)",
    "too much": "def flip(domino):\n    print('x' * 200_000)",
    "unloaded": "flip = 1 / 0",
    "sets": STORE,
}


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Return the names of the answers that run alone."""
    names, run = list[str](), trial._alone

    def noted(setting, paper, plan, answer):  # type: ignore[no-untyped-def]
        names.append(answer.name)
        return run(setting, paper, plan, answer)

    monkeypatch.setattr(trial, "_alone", noted)
    yield names


def graded(answers: dict[str, str]) -> Graded:
    with open_sandbox(UNIT, POLICY, Sandbox) as sandbox:
        return grade_in(sandbox, submission_with(UNIT.name, answers), POLICY)


def test_right_plain_answers_run_only_in_the_group(alone: list[str]) -> None:
    assert graded(RIGHT).points == sum(UNIT[name].points for name in RIGHT) and not alone


def test_an_answer_that_is_not_plain_runs_alone(alone: list[str]) -> None:
    graded(RIGHT | {"take": CLASS})
    assert alone == ["take"]


@pytest.mark.promise("answers")
@pytest.mark.parametrize("flip", NEIGHBORS.values(), ids=NEIGHBORS)
def test_neighbors_of_a_group_affect_no_mark(flip: str, alone: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    together = graded(RIGHT | {"flip": flip})
    assert alone == ["flip"]
    monkeypatch.setattr(group, "with_group", lambda setting, _: setting)
    monkeypatch.setattr("autograder.grading.run.with_group", lambda setting, _: setting)
    assert graded(RIGHT | {"flip": flip}) == together


def test_no_group_holds_withheld_modules_or_contests() -> None:
    from autograder.exam.store import exam_for

    exam = exam_for(read_unit("bots"))
    assert not any(exam.by_name[name].contests or exam.by_name[name].modules for name in group._usual(exam))
