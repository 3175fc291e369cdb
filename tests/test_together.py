"""Plain answers of a submission run together in one child, and no neighbor affects a mark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from autograder.config import Policy
from autograder.grading import run as grading_run
from autograder.grading import runs
from autograder.grading.run import grade_in, open_sandbox
from autograder.report.model import Graded
from autograder.sandbox.cage import OFF
from autograder.submission.model import Submission
from tests.classroom import (
    RightSolution,
    all_right,
    needing,
    reference_answers,
    submission_of_solution,
    submission_with,
)
from tests.sample import as_proof, one_in
from tests.units import mistakes_of, read_unit, unit_names

UNIT = read_unit("dominoes")
RIGHTS = sorted(all_right(), key=lambda right: right.unit.name != "dominoes")
POLICY = Policy(sandbox=OFF)
IMPATIENT = Policy(sandbox=OFF, seconds_per_call=0.3)
RIGHT = {
    name: source for name, source in reference_answers(UNIT).items() if name in ("flip", "append", "take", "suppress")
}
WAITS = "n = 0\nwhile n < 5_000_000:\n    n += 1\n"
RECURS = "def nested(n):\n    return n and nested(n - 1)\ndeepest = nested(950)\n"
NEIGHBORS = {
    "shows an address": "def flip(domino):\n    return str(lambda: 0)",
    "wrong": "def flip(domino):\n    return domino",
    "endless": "def flip(domino):\n    while True:\n        pass",
    "exits": "def flip(domino):\n    exit()",
    "too deep": "def flip(domino):\n    return flip(domino)",
    "seeds": "from random import seed\ndef flip(domino):\n    seed(7)",
    "too much": "def flip(domino):\n    print('x' * 200_000)",
    "unloaded": "flip = 1 / 0",
    "sets": "def flip(domino):\n    Domino.left = domino\n    return domino",
    "prints": f"{RIGHT['flip']}\nflip_it = flip\ndef flip(domino):\n    print(1)\n    return flip_it(domino)",
    "hoards": needing(f"hoard = bytes(400_000_000)\n{RIGHT['flip']}", "hoard"),
    "slow": needing(f"{WAITS}{RIGHT['flip']}", "n"),
    "deep": needing(f"{RECURS}{RIGHT['flip']}", "deepest"),
}


SLOW = ("endless", "slow", "too much", "hoards")  # the suite tries others that end in the same way


@pytest.fixture(autouse=True)
def fresh() -> None:
    """Forget the results of earlier tests."""
    runs._known_results.clear()


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Return the names of the answers that run alone."""
    names, run = list[str](), grading_run.run_alone

    def noted(setting, job):  # type: ignore[no-untyped-def]
        names.append(job.paper.exercise.name)
        return run(setting, job)

    monkeypatch.setattr(grading_run, "run_alone", noted)
    yield names


def graded(submission: Submission, policy: Policy = POLICY) -> Graded:
    runs._known_results.clear()
    with open_sandbox(submission.unit, policy) as sandbox:
        return grade_in(sandbox, submission, policy)


def graded_both_ways(submission: Submission, policy: Policy = POLICY) -> tuple[bytes, bytes]:
    """Return the report as JSON, with answers that run together and without."""
    together = graded(submission, policy)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs.GradingContext, "may_share_process", False)
        return msgspec.json.encode(together), msgspec.json.encode(graded(submission, policy))


def mixed(right: RightSolution, share: float) -> Submission:
    """Return a submission in which this share of the answers, chosen by chance, are known mistakes."""
    chance, answers = Random(str(right)), dict(right.answers)
    for mistake in sorted(mistakes_of(right.unit.name), key=lambda _: chance.random()):
        if chance.random() < share:
            answers[mistake.exercise] = mistake.source
    return submission_with(right.unit, answers, right.helpers)


def test_right_plain_answers_run_only_in_the_group(alone: list[str]) -> None:
    report = graded(submission_with(UNIT, RIGHT))
    assert report.points == sum(UNIT[name].points for name in RIGHT) and not alone


def test_an_answer_that_is_not_plain_runs_alone(alone: list[str]) -> None:
    graded(submission_with(UNIT, RIGHT | {"take": needing(f"class Own: pass\n{RIGHT['take']}", "Own")}))
    assert alone == ["take"]


@pytest.mark.promise("answers")
@pytest.mark.parametrize("neighbor", [as_proof(each) if each in SLOW else each for each in NEIGHBORS])
def test_neighbors_of_a_group_affect_no_mark(neighbor: str) -> None:
    submission = submission_with(UNIT, RIGHT | {"flip": NEIGHBORS[neighbor]})
    together, apart = graded_both_ways(submission, IMPATIENT)
    assert together == apart


def down(depths: dict[str, int]) -> dict[str, str]:
    """Return right answers that first nest so many calls."""
    nested = "def down(n):\n    return n and down(n - 1)\n"
    return {name: nested + RIGHT[name].replace("    ", f"    down({n})\n    ", 1) for name, n in depths.items()}


HOARD = "hoard = [bytes(400_000_000)]\nhoard += [hoard]\n"
NEEDS = "try:\n    enough = len(bytes(200_000_000))\nexcept MemoryError:\n    take = 0\n"
MADE = "from typing import Dict\nnoted = Dict[1, 2]\n"
READS = "from typing import Dict\nif '1, 2' not in str(Dict[True, 2.0]):\n    take = 0\n"
LEFT_BEHIND = {
    "depth": (down({"flip": 988, "append": 986, "take": 987, "suppress": 985}), {"wrong", "passed"}),
    "memory": ({"flip": needing(f"{HOARD}{RIGHT['flip']}", "hoard"), "take": f"{RIGHT['take']}\n{NEEDS}"}, {"passed"}),
    "a type": ({"flip": needing(f"{MADE}{RIGHT['flip']}", "noted"), "take": f"{RIGHT['take']}\n{READS}"}, {"wrong"}),
}


@pytest.mark.promise("answers")
@pytest.mark.parametrize(("answers", "states"), LEFT_BEHIND.values(), ids=LEFT_BEHIND)
def test_what_an_answer_leaves_behind_changes_no_report(answers: dict[str, str], states: set[str]) -> None:
    together, apart = graded_both_ways(submission_with(UNIT, RIGHT | answers))
    assert together == apart and states <= {*re.findall(r'"(wrong|passed)"', together.decode())} <= states | {"passed"}


@pytest.mark.promise("marks")
@pytest.mark.parametrize("right", one_in(len(RIGHTS), RIGHTS), ids=str)
def test_a_group_changes_no_byte_of_a_report(right: RightSolution) -> None:
    for submission in (submission_of_solution(right), mixed(right, 0.1), mixed(right, 0.6)):
        together, apart = graded_both_ways(submission)
        assert together == apart


@pytest.mark.promise("answers")
@pytest.mark.parametrize("unit", unit_names())
def test_given_names_of_our_units_hold_no_state(unit: str) -> None:
    """Answers to our units share a process, so none may change a name for the next one. A list has no hash."""
    module = read_unit(unit).module
    assert [hash(getattr(module, name)) for name in module.__all__]


def test_answers_to_units_of_other_packs_run_alone(alone: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "FOLDEM_PACK_FOLDER", Path())
    graded(submission_with(UNIT, RIGHT))
    assert {*alone} == {*RIGHT}


def test_equal_plain_answers_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = graded(submission_with(UNIT, RIGHT))
    monkeypatch.setattr(runs, "_receive_result", lambda *_: pytest.fail("it has run before"))
    with open_sandbox(UNIT, POLICY) as sandbox:
        assert grade_in(sandbox, submission_with(UNIT, RIGHT), POLICY) == first
