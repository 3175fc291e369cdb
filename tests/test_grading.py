"""Which answers the grader accepts and refuses, through the real sandbox."""

from __future__ import annotations

import json

import pytest

from autograder.exam.model import CONTRAST
from autograder.prove.laws import lazy_answers
from autograder.report.model import PASSED, UNWRITTEN, WRONG, Graded
from autograder.report.render import result_of
from autograder.units.mistakes import Mistake
from autograder.units.unit import Exercise
from course.show.results import MOST_LINES_OPEN
from tests.classroom import (
    Right,
    all_right,
    all_wrong,
    reference_answers,
    submission_of_right,
    submission_of_wrong,
    submission_with,
)
from tests.grader import Grader
from tests.sample import one_in
from tests.units import read_unit, unit_names

EXERCISES = [exercise for unit in unit_names() for exercise in read_unit(unit).exercises]


def failures(report: Graded) -> list[str]:
    return [f"{e.name}: {e.problem or e.first_failure}" for e in report.exercises if e.state != PASSED]


@pytest.mark.parametrize("unit", unit_names())
def test_the_references_get_all_points(grader: Grader, unit: str) -> None:
    report = grader.grade(submission_with(unit, reference_answers(read_unit(unit))))
    assert failures(report) == []
    assert report.points == report.of


@pytest.mark.parametrize("right", one_in(8, all_right()), ids=str)
def test_a_right_solution_in_another_style_is_accepted(grader: Grader, right: Right) -> None:
    assert set(right.answers) == set(right.unit.by_name)
    report = grader.grade(submission_of_right(right))
    assert failures(report) == [] and {(each.says, each.belief) for each in report.exercises} == {("", "")}


@pytest.mark.parametrize("wrong", one_in(20, all_wrong()), ids=str)
def test_a_plausible_mistake_is_refused_and_explained_if_it_can_be(grader: Grader, wrong: Mistake) -> None:
    report = grader.grade(submission_of_wrong(wrong), wrong.exercise)[wrong.exercise]
    assert report.state == WRONG
    assert report.points < report.of or report.of == 0  # a challenge has no points
    if wrong.truth:
        assert (report.belief, report.truth) == (wrong.belief, wrong.truth)
    shown = result_of(report)
    assert shown.says or shown.belief or not (shown.first and shown.first.failure and shown.first.failure.call)
    assert len(shown.text().splitlines()) <= MOST_LINES_OPEN


FROM_WHAT_WAS_LOST = """
def win_rate(first, second, seeds):
    games = (play_game((second, first) if k % 2 else (first, second), seed) for k, seed in enumerate(seeds))
    lost = sum(game.winner != k % 2 for k, game in enumerate(games))
    return 1 - lost / len(seeds)
"""


def test_a_share_may_be_worked_out_in_another_way(grader: Grader) -> None:
    assert failures(grader.grade(submission_with("bots", {"win_rate": FROM_WHAT_WAS_LOST}), "win_rate")) == []


REGISTERED = """
from functools import singledispatch

@singledispatch
def penalty(card):
    return 20

penalty.register(Number, lambda card: card.n if card.suit is HEARTS else 0)
penalty.register(Face, lambda card: {(QUEEN, SPADES): 13}.get((card.court, card.suit), 10 * (card.suit is HEARTS)))
penalty(Joker())
"""


def test_statements_that_complete_an_answer_are_run(grader: Grader) -> None:
    assert failures(grader.grade(submission_with("warmup", {"penalty": REGISTERED}), "penalty")) == []


REMEMBERING = """
def swap_ends(hand, met=[]):
    if hand in met:
        return hand
    met.append(hand)
    return hand if len(hand) < 2 else (hand[-1], *hand[1:-1], hand[0])
"""


def test_an_answer_that_remembers_its_calls_is_refused(grader: Grader) -> None:
    assert grader.one("warmup", "swap_ends", REMEMBERING).state == WRONG


ALIKE = {
    "swap_ends": (
        "def swap_ends(hand):\n    return [*(hand if len(hand) < 2 else (hand[-1], *hand[1:-1], hand[0]))]",
        "(a tuple, not a list)",
    ),
    "goes_with": (
        "@curry\ndef goes_with(led, card):\n    return int(led is getattr(card, 'suit', led))",
        "(True or False, not an integer)",
    ),
}


@pytest.mark.parametrize("name", ALIKE)
def test_values_that_only_look_equal_are_explained(grader: Grader, name: str) -> None:
    source, remark = ALIKE[name]
    (failure,) = [grader.one("warmup", name, source).first_failure]
    assert failure and failure.verdict.endswith(remark)


@pytest.mark.parametrize("unit", unit_names())
def test_each_exercise_has_at_least_three_wrong_answers(unit: str) -> None:
    counts = {
        name: sum(w.exercise == name for w in all_wrong() if w.unit.name == unit) for name in read_unit(unit).by_name
    }
    assert {name: count for name, count in counts.items() if count < 3} == {}


@pytest.mark.parametrize("unit", unit_names())
def test_each_unit_has_at_least_three_right_solutions(unit: str) -> None:
    assert sum(right.unit.name == unit for right in all_right()) >= 3


@pytest.mark.parametrize("unit", unit_names())
def test_before_work_every_exercise_is_unwritten_and_worth_nothing(grader: Grader, unit: str) -> None:
    report = grader.grade(submission_with(unit, {}))
    assert {exercise.state for exercise in report.exercises} == {UNWRITTEN}
    assert report.points == 0


@pytest.mark.parametrize("exercise", one_in(20, EXERCISES), ids=lambda e: f"{e.unit}-{e.name}")
def test_no_constant_and_no_identity_earns_a_point(grader: Grader, exercise: Exercise) -> None:
    answers = lazy_answers(exercise)
    earned = {answer: grader.one(exercise.unit, exercise.name, answer).points for answer in answers}
    assert {answer: points for answer, points in earned.items() if points} == {}


def test_a_counterexample_is_one_of_the_inputs_that_its_facet_is_named_for(grader: Grader) -> None:
    report = grader.one("warmup", "penalty", "def penalty(card):\n    return 20 if card else 0")
    joker, contrast = (next(f for f in report.facets if f.name == name) for name in ("a joker", CONTRAST))
    assert not joker.passed and joker.verdict == ""
    assert contrast.failure and not contrast.counts and "Joker" not in contrast.failure.call
    for facet in report.facets:
        assert "joker" not in facet.name or not facet.failure


def test_an_early_mistake_costs_its_own_points_only(grader: Grader) -> None:
    answers = reference_answers(read_unit("dominoes")) | {"flip": "def flip(domino):\n    return domino"}
    report = grader.grade(submission_with("dominoes", answers))
    assert [exercise.name for exercise in report.exercises if exercise.state != PASSED] == ["flip"]


def test_the_report_names_the_own_function_at_fault(grader: Grader) -> None:
    answers = reference_answers(read_unit("dominoes")) | {"flip": "def flip(domino):\n    return domino"}
    report = grader.grade(submission_with("dominoes", answers))
    assert report["legal_adds"].own == "does not work with your own flip"


def test_exercises_that_avoid_a_wrong_function_work_with_own_ones(grader: Grader) -> None:
    turned = "Domino(domino.right, domino.left)"
    legal_adds = read_unit("dominoes")["legal_adds"].source.replace("flip(domino)", turned)
    wrong = {"flip": "def flip(domino):\n    return domino", "legal_adds": legal_adds}
    possible = (
        "def possible_dominoes(hand, chain):\n    return tuple(t for t in hand if legal_adds(t, chain)) if flip else ()"
    )
    answers = reference_answers(read_unit("dominoes")) | wrong | {"possible_dominoes": possible}
    report = grader.grade(submission_with("dominoes", answers))
    assert "flip(" not in legal_adds and report["legal_adds"].state == PASSED
    assert report["possible_dominoes"].own == "works with your own functions"


SLOW = """
TABLE = []

def table():
    if not TABLE:
        TABLE.extend([sum(range(20_000_000))])
"""


def test_no_wrong_function_is_blamed_for_a_slow_one(grader: Grader) -> None:
    possible = (
        "def possible_dominoes(hand, chain):\n    table()\n    return tuple(t for t in hand if legal_adds(t, chain))"
    )
    legal_adds = read_unit("dominoes")["legal_adds"].source.replace("flip(domino)", "Domino(domino.right, domino.left)")
    own = {"flip": "def flip(domino):\n    return domino", "possible_dominoes": f"{possible} if flip else ()"}
    answers = reference_answers(read_unit("dominoes")) | own | {"legal_adds": legal_adds}
    report = grader.grade(submission_with("dominoes", answers, (SLOW,)))
    assert report["possible_dominoes"].own == "works with your own functions"


def test_an_unwritten_exercise_is_named_by_those_that_wait_for_it(grader: Grader) -> None:
    answers = {name: text for name, text in reference_answers(read_unit("dominoes")).items() if name != "flip"}
    report = grader.grade(submission_with("dominoes", answers))
    assert report["legal_adds"].own == "waits for flip"


def test_a_failing_example_caps_the_points_at_half(grader: Grader) -> None:
    source = read_unit("dominoes")["get_hand_size"].source.replace("return 7", "return 6")
    report = grader.one("dominoes", "get_hand_size", source)
    assert report.state == WRONG
    assert report.points <= report.of / 2


def test_the_same_submission_has_the_same_report_to_the_byte(grader: Grader) -> None:
    answers = reference_answers(read_unit("dominoes")) | {"flip": "def flip(domino):\n    return object()"}
    reports = [grader.grade(submission_with("dominoes", answers)) for _ in range(2)]
    texts = [json.dumps(report.as_dict()) for report in reports]
    assert texts[0] == texts[1]
    assert "0x" not in texts[0]


@pytest.mark.proof
def test_another_seed_is_another_exam_and_the_references_still_pass(grader: Grader) -> None:
    submission = submission_with("warmup", reference_answers(read_unit("warmup")))
    report = grader.grade(submission, seed="a secret")
    assert failures(report) == []
    assert report.seed == "secret"


def test_a_verdict_can_be_pasted(grader: Grader) -> None:
    source = "def legal_adds(domino, chain):\n    return ()"
    verdict = grader.one("dominoes", "legal_adds", source).facets[0].verdict
    assert verdict == "legal_adds(Domino(5, 6), EMPTY) returned (), expected (Chain(5, '5-6', 6),)"


@pytest.mark.promise("batch")
def test_a_value_whose_repr_fails_is_a_wrong_answer(grader: Grader) -> None:
    report = grader.one("bots", "by_value", "def by_value(hand):\n    return (Picture('', 1),)")
    assert report.state == "wrong"
    assert "returned a value of a type that the course does not use" in report.facets[0].verdict


def test_a_verdict_shows_text_printed_before_the_right_error(grader: Grader) -> None:
    says_it_first = next(wrong for wrong in all_wrong() if str(wrong) == "uno-play__says_it_before_checking")
    report = grader.grade(submission_of_wrong(says_it_first), "play")["play"]
    assert "raised IllegalMove, as expected, but printed " in (report.first_failure or report).verdict
