"""Common mistakes are recognized however an answer is written, and nothing else is.

`test_grading.py` tests that each known mistake is recognized as itself, since it grades them anyway.
"""

from __future__ import annotations

from time import process_time

import pytest

from autograder.exam.beliefs import about_mistake, contains_belief
from autograder.report.model import ExerciseReport
from course.diagnoses.beliefs import About
from course.exam.known import Known, is_placeholder
from course.show.results import THOUGHT
from tests.classroom import reference_answers, submission_with
from tests.grader import Grader
from tests.sample import one_in
from tests.units import mistakes_of, read_unit, unit_names

DOUBLED = "def swap_ends(hand):\n    return (*hand[-1:], *hand[1:-1], *hand[:1])"
DOUBLED_BELIEF = "Every hand has a first card and a last card, even a hand of one card."


def test_a_mistake_is_recognised_in_other_words(grader: Grader) -> None:
    assert grader.one("warmup", "swap_ends", DOUBLED).belief == DOUBLED_BELIEF


def test_a_mistake_is_recognised_though_it_prints_something(grader: Grader) -> None:
    printing = DOUBLED.replace("    return", "    print(hand)\n    return")
    assert grader.one("warmup", "swap_ends", printing).belief == DOUBLED_BELIEF


GROWING = """
def game(players):
    def turns(desk):
        if (found := check_winner(desk)) is not None:
            return found
        return next_turn(desk)
    def next_turn(desk):
        return turns(your_turn(desk))
    return turns(desk_normalize(deal(players)))
"""


def test_a_full_stack_is_recognised_wherever_it_was_full(grader: Grader) -> None:
    assert grader.one("uno", "game", GROWING).belief == "A tail call takes no space on the stack."


def test_two_mistakes_at_once_are_not_taken_for_one(grader: Grader) -> None:
    both = DOUBLED.replace("(*", "[*").replace("[:1])", "[:1]]")
    assert grader.one("warmup", "swap_ends", both).belief == ""


def test_a_right_answer_has_no_mistake(grader: Grader) -> None:
    right = "def swap_ends(hand):\n    return hand if len(hand) < 2 else (hand[-1], *hand[1:-1], hand[0])"
    assert grader.one("warmup", "swap_ends", right).belief == ""


@pytest.mark.parametrize(
    ("digests", "failed", "explained"),
    [
        (("a", "b"), [0, 1], True),
        (("a", "x"), [0], True),
        (("a", "x"), [0, 1], False),
        (("a",), [0, 1], False),
    ],
)
def test_expected_exceptions_must_match(digests: tuple[str, ...], failed: list[int], explained: bool) -> None:
    assert Known("I believe", "It is", ("a", "b")).explains(digests, failed) is explained


def test_a_learner_reads_it(grader: Grader) -> None:
    from autograder.report.render import exercise_html, exercise_text

    report: ExerciseReport = grader.one("warmup", "swap_ends", DOUBLED)
    assert f'{THOUGHT} "{DOUBLED_BELIEF}" ' in exercise_text(report)
    assert DOUBLED_BELIEF in exercise_html(report)


def test_a_teacher_reads_how_many_probably_thought_it(grader: Grader) -> None:
    from autograder.report.summary import class_summary

    listed = "def swap_ends(hand):\n    return list(hand)"
    answers = [DOUBLED, DOUBLED, listed]
    reports = [grader.grade(submission_with("warmup", {"swap_ends": answer}), "swap_ends") for answer in answers]
    (summary,) = class_summary(reports)
    assert (summary.name, summary.solved, summary.belief, summary.believers) == ("swap_ends", 0.0, DOUBLED_BELIEF, 2)


def test_a_teacher_sees_unwritten_exercises(grader: Grader) -> None:
    from autograder.report.summary import class_summary

    (summary,) = class_summary([grader.grade(submission_with("warmup", {}), "swap_ends")])
    assert (summary.name, summary.solved, summary.facet) == ("swap_ends", 0.0, "not written yet")
    assert summary.failure is None


RAISING = "raise TypeError('something of its own')"
ALWAYS = ("True", "False", "0", "()", "None")


@pytest.mark.parametrize("unit", one_in(6, unit_names()))
def test_no_placeholder_and_no_other_error_is_taken_for_a_mistake(grader: Grader, unit: str) -> None:
    taken = []
    for exercise in read_unit(unit).exercises:
        names = ", ".join(parameter.name for parameter in exercise.parameters)
        given = [f"return {value}" for value in (*ALWAYS, *(each.name for each in exercise.parameters))]
        for body in (RAISING, *given):
            if names or body == RAISING:
                report = grader.one(unit, exercise.name, f"def {exercise.name}({names}):\n    {body}")
                taken += [(exercise.name, body, report.belief)] * bool(report.belief)
    assert taken == []


def test_a_belief_about_code_is_shown_only_if_the_answer_has_that_code() -> None:
    """An example is the belief about `case Joker:`, because another slip has the same results."""
    unit = read_unit("warmup")
    wrong = next(each for each in mistakes_of("warmup") if about_mistake(each) != About())
    other = reference_answers(unit)[wrong.exercise]
    assert contains_belief(unit, wrong.exercise, wrong.belief, wrong.source)
    assert not contains_belief(unit, wrong.exercise, wrong.belief, other)


def test_time_to_know_a_placeholder_grows_with_its_length() -> None:
    inner = "".join(f"{' ' * depth}def g(n):\n" for depth in range(1, 45))
    source = f"def f(n):\n{inner}{' ' * 45}{'n;return n;' * 4_000}"
    began = process_time()
    assert not is_placeholder(source)
    assert process_time() - began < 10
