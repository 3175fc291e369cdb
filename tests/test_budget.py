"""The budget of a submission: it covers everything done for it, and one exercise can't use up the others' share."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from autograder.config import Policy
from autograder.grading.run import grade
from autograder.grading.runs import WAITING, Budget, BudgetSpent
from autograder.report.model import PASSED, WRONG
from autograder.report.words import problem_text
from tests.classroom import reference_answers, submission_with
from tests.units import read_unit

REFERENCES = reference_answers(read_unit("dominoes"))


def budget(seconds: float, cpu: float = 0, wall: float = 0) -> Budget:
    """Return a budget of which the clocks say that so many seconds are spent."""
    begun = Budget(seconds, cpu=count(0, cpu).__next__, wall=count(0, wall).__next__)
    begun.begin()
    return begun


def test_the_budget_counts_computing_and_waiting() -> None:
    assert budget(10, cpu=3).left == 7 and budget(10, wall=3 * WAITING).left == 7
    with pytest.raises(BudgetSpent):
        budget(3, cpu=3).demand()
    assert Budget(10, already=3, cpu=lambda: 5, wall=lambda: 5).left == 7


def test_half_of_it_is_kept_for_those_that_wait_in_equal_shares() -> None:
    one = budget(40)
    for waiting, left in ((3, 25), (2, 30), (1, 35), (0, 40)):
        one.set_limit(waiting, of=4)
        assert one.left == left


@pytest.mark.promise("batch")
@pytest.mark.sandbox
def test_an_answer_without_end_takes_nothing_from_those_that_wait() -> None:
    answers = {"flip": "def flip(domino):\n    return sum(range(10**13))", "take": REFERENCES["take"]}
    policy, computing = Policy(seconds_per_exercise=5, exercises=("flip", "take")), Budget(1, wall=lambda: 0)
    report = grade(submission_with("dominoes", answers), policy, computing)
    assert (report["flip"].state, report["take"].state, report.is_graded) == (WRONG, PASSED, True)


@pytest.mark.promise("batch")
@pytest.mark.sandbox
def test_each_exercise_reports_an_exhausted_budget(tmp_path: Path) -> None:
    spent, policy = budget(1, cpu=2), Policy(exercises=("flip", "take"))
    report = grade(submission_with("dominoes", REFERENCES), policy, spent)
    assert {problem_text(each) for each in report.exercises} == {"not run, because the submission has used up its time"}
    assert (report.points, report.is_graded) == (0, True)
