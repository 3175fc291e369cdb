"""The budget of a submission: it covers everything done for it, and one exercise can't use up the others' share."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from pathlib import Path

import pytest

from autograder.config import Policy
from autograder.grading import exercise
from autograder.grading.budget import WAITING, Budget, Spent
from autograder.grading.memory import no_verdicts, recall_from
from autograder.grading.run import grade_and_learn
from autograder.report.model import PASSED, WRONG, Graded
from autograder.report.words import problem_text
from autograder.sandbox.cage import OFF, Limits, Parent
from autograder.sandbox.host import Sandbox
from course import form
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
    with pytest.raises(Spent):
        budget(3, cpu=3).demand()
    assert Budget(10, already=3, cpu=lambda: 5, wall=lambda: 5).left == 7


def test_half_of_it_is_kept_for_those_that_wait_in_equal_shares() -> None:
    one = budget(40)
    for waiting, left in ((3, 25), (2, 30), (1, 35), (0, 40)):
        one.draw(waiting, of=4)
        assert one.left == left


@pytest.mark.sandbox
def test_a_child_gets_the_remaining_budget_and_spends_what_it_used() -> None:
    whole = budget(2)
    with Sandbox(level=OFF, limits=Limits(cpu_seconds=9), runner="inside.selftest", secrets=()) as sandbox:
        with whole.child(sandbox) as child:
            assert child._limits == Limits(cpu_seconds=2, wall_seconds=11)
        child.cpu_seconds = 3.0
        with pytest.raises(Spent), whole.child(sandbox):
            pass


@pytest.mark.promise("batch")
@pytest.mark.sandbox
def test_an_answer_without_end_takes_nothing_from_those_that_wait() -> None:
    answers = {"flip": "def flip(domino):\n    return sum(range(10**13))", "take": REFERENCES["take"]}
    policy, computing = Policy(seconds_per_exercise=5, exercises=("flip", "take")), Budget(2.5, wall=lambda: 0)
    report, _ = grade_and_learn(submission_with("dominoes", answers), policy, no_verdicts, computing)
    assert (report["flip"].state, report["take"].state, report.is_graded) == (WRONG, PASSED, True)


@pytest.mark.promise("batch")
@pytest.mark.sandbox
def test_each_exercise_reports_an_exhausted_budget(tmp_path: Path) -> None:
    spent, policy = budget(1, cpu=2), Policy(exercises=("flip", "take"))
    report, known = grade_and_learn(submission_with("dominoes", REFERENCES), policy, no_verdicts, spent)
    assert {problem_text(each) for each in report.exercises} == {"not examined: the submission has used up its time"}
    assert (report.points, report.is_graded, known) == (0, True, {})


@pytest.mark.promise("others")
@pytest.mark.sandbox
def test_a_cached_verdict_uses_as_much_of_the_budget_as_its_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process takes 3 s here. So some budgets are too small for all exercises, with and without a cache."""
    reap, policy = Parent.reap, Policy(exercises=("flip", "take", "append"))
    monkeypatch.setattr(Parent, "reap", lambda *args, **options: (*reap(*args, **options)[:2], 3.0))
    # These answers are not plain, so each has a process of its own.
    answers = {name: f"{source}\nclass Own: ..." for name, source in REFERENCES.items()}
    submission = submission_with("dominoes", answers)

    def graded(seconds: float, known: Mapping[str, str]) -> tuple[Graded, Mapping[str, str]]:
        return grade_and_learn(submission, policy, recall_from(known), Budget(seconds, cpu=lambda: 0, wall=lambda: 0))

    _, known = graded(100, {})
    fresh, again = ([graded(seconds, cached)[0] for seconds in range(1, 12, 2)] for cached in ({}, known))
    assert fresh == again and len({report.points for report in fresh}) > 2


@pytest.mark.promise("batch")
@pytest.mark.sandbox
def test_no_time_for_a_second_run_keeps_the_points_of_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process takes 3 s here. `fill()` may change a value of the answer, so a wrong answer runs again."""
    reap, policy = Parent.reap, Policy(exercises=("append",))
    monkeypatch.setattr(Parent, "reap", lambda *args, **options: (*reap(*args, **options)[:2], 3.0))
    first = "Chain(domino.left, f'{domino.left}-{domino.right}', domino.right)"
    answers = {"append": f"def append(domino, chain, end):\n    return {first} if chain is EMPTY else ends"}
    submission = submission_with("dominoes", answers, ("ends = []\ndef fill(): ends.append(1)\nfill()",))

    def points(seconds: float) -> float:
        budget = Budget(seconds, cpu=lambda: 0, wall=lambda: 0)
        return grade_and_learn(submission, policy, no_verdicts, budget)[0].points

    assert 0 < points(3) == points(100)


@pytest.mark.promise("others")
@pytest.mark.sandbox
def test_a_cached_review_of_form_uses_as_much_of_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each review takes 3 s here, and an equal file that is graded later has it from a cache."""
    now, policy = [0.0], Policy(exercises=("flip", "take", "append"))
    monkeypatch.setattr(form, "review", lambda *_: now.append(now.pop() + 3) or ())
    monkeypatch.setattr(exercise, "thread_time", lambda: now[0])

    def spent() -> float:
        used = Budget(100, cpu=lambda: now[0], wall=lambda: 0)
        grade_and_learn(submission_with("dominoes", REFERENCES), policy, no_verdicts, used)
        return round(used.spent)

    exercise._form_of.cache_clear()
    assert (spent(), spent()) == (9, 9)
    exercise._form_of.cache_clear()
