"""Whose turn it is: no process of an answer has held what a later one must not know, and none can tell what it read."""

from __future__ import annotations

import pytest

from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading.run import grade
from autograder.grading.session import Setting
from autograder.grading.turns import turns
from autograder.report.model import WRONG
from autograder.sandbox.cage import OFF
from autograder.sandbox.host import Sandbox
from autograder.submission.model import Submission
from autograder.submission.plain import what_looks_in
from autograder.units.unit import read_unit, unit_names
from tests.classroom import references, right_answers, submission_of_right, submission_with

# The one circle that papers make: a visible example of the first plays a move, and who moves asks a human.
CIRCLE = {("input_human_move", "move")}
PEEK = "def append(domino, chain, end):\n    return {}"


def early_references(submission: Submission) -> list[tuple[str, str]]:
    """Give the pairs of an exercise and one whose turn is later, of which the first one's process has the reference."""
    exam = exam_for(submission.unit.name)
    setting = Setting(Sandbox(level=OFF, secrets=()), submission, Policy(), exam)
    order = list(turns(exam, submission, submission.assigned))
    found = []
    for place, turn in enumerate(order):
        plan = setting.plan({turn.name, *turn.own}, exam.papers[turn.name], turn.references)
        held = {step.name for step in plan if step.kind == "reference"}
        found += [(turn.name, later.name) for later in order[place + 1 :] if later.name in held]
    return found


@pytest.mark.parametrize("unit", unit_names())
def test_no_reference_is_in_a_process_before_its_exercise_was_examined(unit: str) -> None:
    submissions = [submission_of_right(right) for right in right_answers(unit)]
    for submission in (*submissions, submission_with(unit, references(read_unit(unit)))):
        assert {*early_references(submission)} <= CIRCLE


def test_answers_that_name_everything_get_no_reference_that_is_still_to_be_examined() -> None:
    names = ", ".join(read_unit("dominoes").by_name)
    answers = {name: f"def {name}(*args):\n    return {names}" for name in read_unit("dominoes").by_name}
    assert {*early_references(submission_with("dominoes", answers))} <= CIRCLE


@pytest.mark.parametrize(
    "look",
    [
        "flip.__code__.co_code",
        "'{0.__code__.co_consts}'.format(flip)",
        "getattr(flip, '__co' + 'de__').co_names",
        "__import__('inspect').getsource(flip)",
        "__import__('sys')._getframe(1).f_globals['flip'].__code__.co_varnames",
    ],
)
@pytest.mark.sandbox
def test_who_looks_into_an_unsolved_reference_is_not_told_what_was_seen(look: str) -> None:
    report = grade(
        submission_with("dominoes", {"append": PEEK.format(f"str({look}), flip")}), Policy(exercises=("append",))
    )
    assert report["append"].state == WRONG
    told = {str(facet.failure) for facet in report["append"].facets}
    assert {text.partition(":")[0] for text in told} == {"what it does is not shown"}


@pytest.mark.sandbox
def test_plain_answers_are_told_what_they_gave_and_so_is_who_has_solved_it() -> None:
    plain = grade(submission_with("dominoes", {"append": PEEK.format("flip")}), Policy(exercises=("append",)))
    assert "gave flip" in plain["append"].facets[0].verdict
    both = {"flip": references(read_unit("dominoes"))["flip"], "append": PEEK.format("flip.__name__.__class__")}
    solved = grade(submission_with("dominoes", both), Policy(exercises=("flip", "append")))
    assert "gave <" in solved["append"].facets[0].verdict


def test_what_students_import_of_a_pack_is_plain_and_of_no_other() -> None:
    source = "from war_course.war import *\nimport war_course.war"
    assert (what_looks_in([source], "war_course"), what_looks_in([source])) == ("", "war_course.war")
    assert what_looks_in(["from war_course.war import __dict__"], "war_course") == "__dict__"


@pytest.mark.parametrize("unit", unit_names())
def test_full_solutions_are_plain_but_for_getattr(unit: str) -> None:
    assert {what_looks_in(right.answers.values()) for right in right_answers(unit)} <= {"", "getattr"}
