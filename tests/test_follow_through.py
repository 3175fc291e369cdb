"""Follow-through: which of an author's other answers, and which references, run with an answer."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading.run import Examination, grade
from autograder.grading.runs import Setting
from autograder.hosts.kernel import Examiner
from autograder.prove.answers import graded
from autograder.report.model import PASSED, ExerciseReport
from autograder.report.words import verdict_text
from autograder.sandbox.cage import OFF
from autograder.sandbox.host import Sandbox
from course.learner.answer import answer_among
from course.show.results import BAD
from tests.classroom import reference_answers, submission_with
from tests.lesson import Lesson
from tests.routes import closed_pairs, earns_by_unwritten
from tests.units import read_unit, unit_names

DELEGATE = "def {0}(*args):\n    return {1}(*args)"
STUB = "def replay_at_once(cards):\n    raise NotImplementedError"


@pytest.mark.promise("answers")
def test_answer_that_names_everything_gets_few_references() -> None:
    unit = read_unit("dominoes")
    names = ", ".join(unit.by_name)
    answers = {name: f"def {name}(*args):\n    return {names}" for name in unit.by_name}
    exam, submission = exam_for(unit), submission_with("dominoes", answers)
    examination = Examination(Setting(Sandbox(level=OFF, secrets=()), submission, Policy(), exam), [])
    for name in unit.by_name:
        plan = examination._job(name).plan
        assert {step.name for step in plan if step.kind == "reference"} <= unit.callable_by[name]
        assert name not in {step.name for step in plan if step.is_reference}


def examined(unit: str, name: str, answers: dict[str, str]) -> ExerciseReport:
    return graded(submission_with(unit, answers), name)[name]


@pytest.mark.parametrize(
    ("unit", "pair"), [("sedma", ("replay", "replay_at_once")), ("basra", ("capture", "produce_all_captures"))]
)
def test_unwritten_exercise_does_no_other_exercises_work(unit: str, pair: tuple[str, str]) -> None:
    could = examined(
        unit, pair[0], {pair[0]: DELEGATE.format(*pair), pair[1]: reference_answers(read_unit(unit))[pair[1]]}
    )
    assert could.points > 0 and earns_by_unwritten(read_unit(unit), (*pair, "a call")) == []


@pytest.mark.promise("marks")
def test_captures_without_a_choice_earn_nothing_of_the_bonus() -> None:
    name = "produce_all_captures"
    assert examined("basra", name, {name: DELEGATE.format(name, "capture")}).points == 0


@pytest.mark.promise("marks")
@pytest.mark.proof
@pytest.mark.parametrize("unit", unit_names())
def test_no_unwritten_exercise_does_anothers_work(unit: str) -> None:
    assert [line for pair in closed_pairs(read_unit(unit)) for line in earns_by_unwritten(read_unit(unit), pair)] == []


def delegating(later: str = STUB) -> ExerciseReport:
    """Return the report on a `replay` that only calls `replay_at_once`, with an answer to that."""
    answers = {"replay": DELEGATE.format("replay", "replay_at_once"), "replay_at_once": later}
    return examined("sedma", "replay", answers)


LATER = {
    "def replay_at_once(cards):\n    return 1": "returned 1",
    DELEGATE.format("replay_at_once", "replay"): "RecursionError",
}


def test_later_exercise_runs_as_its_author_wrote_it() -> None:
    assert [text for later, text in LATER.items() if text not in verdict_text(delegating(later).facets[1])] == []
    between = reference_answers(read_unit("sedma"))["replay"].replace("replay", "replay_at_once")
    assert delegating(between).state == PASSED  # `tally` and the others are references


def test_report_names_the_unwritten_exercise_that_is_called() -> None:
    report = delegating()
    assert report.advice and report.advice.says.startswith("`replay` calls `replay_at_once`, which is not written yet.")


def test_learners_check_follows_the_same_rule_with_and_without_references() -> None:
    lesson = Lesson("sedma", DELEGATE.format("replay", "replay_at_once"), STUB)
    assert (
        lesson.check("replay").headline
        == "your function calls `replay_at_once`, a later exercise that is not right yet"
    )
    installed = Examiner().examine(answer_among(lesson.names, "replay", "sedma"))
    assert installed and installed.state == BAD
    assert "raised    NotWritten: replay_at_once" in installed.text()


def test_unwritten_exercise_that_is_named_but_not_called_costs_nothing() -> None:
    source = reference_answers(read_unit("sedma"))["replay"]
    assert examined("sedma", "replay", {"replay": f"{source}\n\nspare = [replay_at_once]"}).state == PASSED


def test_mark_of_an_exercise_does_not_depend_on_which_are_chosen() -> None:
    answers = {"flip": DELEGATE.format("flip", "append"), "append": DELEGATE.format("append", "flip")}
    submission = submission_with("dominoes", reference_answers(read_unit("dominoes")) | answers)
    one, everything = graded(submission, "append"), graded(submission)
    assert one["append"] == replace(everything["append"], own=one["append"].own)


@pytest.mark.sandbox
def test_text_of_a_composed_reference_shows_its_name_only() -> None:
    shown = "str(draw_four), draw_four.__name__, str(Player('a', (), draw_two, False)), str(color_is_lt(RED))"
    answer = f"def move_action(move, desk, had_color):\n    raise ValueError({shown})"
    report = grade(submission_with("uno", {"move_action": answer}), Policy(exercises=("move_action",)))["move_action"]
    verdict = verdict_text(report.facets[0])
    assert "<function draw_four" in verdict and "Player('a', (), draw_two, False)" in verdict
    assert not [word for word in ("Compose", "draw_of_draw", "precedes", "Details are hidden") if word in verdict]
