"""Common mistakes are recognized however an answer is written, and nothing else is.

`test_grading.py` tests that each known mistake is recognized as itself, since it grades them anyway.
"""

from __future__ import annotations

import pytest

from autograder.units.mistakes import about_mistake, contains_belief
from course.diagnoses.beliefs import BeliefSubject
from course.exam.sealed import Known
from course.limits import LONGEST_TEXT
from tests.classroom import all_wrong
from tests.grader import Grader
from tests.sample import one_in
from tests.units import mistakes_of, read_unit, unit_names

DOUBLED = "def swap_ends(hand):\n    return (*hand[-1:], *hand[1:-1], *hand[:1])"
DOUBLED_BELIEF = "Every hand has a first card and a last card, even a hand of one card."


RECOGNISED = {
    "in other words": (DOUBLED, DOUBLED_BELIEF),
    "though it prints something": (DOUBLED.replace("    return", "    print(hand)\n    return"), DOUBLED_BELIEF),
    "not if there are two mistakes": (DOUBLED.replace("(*", "[*").replace("[:1])", "[:1]]"), ""),
    "not in a right answer": (
        "def swap_ends(hand):\n    return hand if len(hand) < 2 else (hand[-1], *hand[1:-1], hand[0])",
        "",
    ),
}


@pytest.mark.parametrize("name", RECOGNISED)
def test_a_mistake_is_recognised_by_its_results(grader: Grader, name: str) -> None:
    source, belief = RECOGNISED[name]
    assert grader.one("warmup", "swap_ends", source).belief == belief


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


RAISING = "raise TypeError('something of its own')"


@pytest.mark.parametrize("unit", one_in(6, unit_names()))
def test_no_placeholder_and_no_other_error_is_taken_for_a_mistake(grader: Grader, unit: str) -> None:
    taken = {}
    for exercise in (each for each in read_unit(unit).exercises if not each.is_value):
        names = [parameter.name for parameter in exercise.parameters]
        given = [f"return {value}" for value in ("True", "()", *names[:1]) if names]
        for body in (RAISING, *given):
            source = f"def {exercise.name}({', '.join(names)}):\n    {body}"
            taken[source] = grader.one(unit, exercise.name, source).belief
    assert not any(taken.values()), taken


def test_every_belief_in_our_units_is_followed_by_what_is_true() -> None:
    """A wrong answer with the same results as another one has neither."""
    assert [str(wrong) for wrong in all_wrong() if wrong.belief and not wrong.truth] == []


def test_a_belief_about_code_is_shown_only_if_the_answer_has_that_code() -> None:
    """An example is the belief about `case Joker:`, because another slip has the same results."""
    unit = read_unit("warmup")
    wrong = next(each for each in mistakes_of("warmup") if about_mistake(each) != BeliefSubject())
    assert contains_belief(unit, wrong.exercise, wrong.belief, wrong.source)
    assert not contains_belief(unit, wrong.exercise, wrong.belief, unit[wrong.exercise].source)


def test_no_slip_is_looked_for_in_a_very_long_answer() -> None:
    """Some detectors compare each part of an answer with all others."""
    unit = read_unit("warmup")
    wrong = next(each for each in mistakes_of("warmup") if about_mistake(each).slips)
    long, deep = f"{wrong.source}\n# {'x' * LONGEST_TEXT}", f"{wrong.source}\n    return hand == 1{' + 1' * 700}"
    asked = [contains_belief(unit, wrong.exercise, wrong.belief, source) for source in (wrong.source, long, deep)]
    assert asked[:2] == [True, False]  # and the deep one raises nothing
