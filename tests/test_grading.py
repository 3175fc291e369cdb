"""Which answers the grader accepts and refuses, through the real sandbox, with known mistakes and the budget."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from itertools import count
from pathlib import Path

import pytest
from msgspec import structs
from rich.console import Console

from autograder.config import Policy
from autograder.grading.run import grade, with_computed_points
from autograder.grading.runs import REAL_TIME_DIVISOR, Budget, BudgetSpent
from autograder.prove.laws import lazy_answers
from autograder.report.model import (
    PASSED,
    UNWRITTEN,
    WRONG,
    ExerciseReport,
    FacetReport,
    FailsWithOwnFunctions,
    Graded,
    KnownMistake,
    NeedsUnwrittenFunctions,
    OwnRunOutcome,
    WorksWithOwnFunctions,
)
from autograder.report.render import exercise_text, result_of
from autograder.report.stops import HiddenCalls
from autograder.report.table import PUBLISHED_EXAM_WARNING, ClassTable
from autograder.report.words import exported_report, facet_failure_text, first_problem_text, problem_text
from autograder.units.mistakes import Mistake, about_mistake, contains_belief
from autograder.units.unit import Exercise
from course.diagnoses.beliefs import BeliefSubject
from course.diagnoses.failure import CONTRAST_FACET, EXAMPLES_FACET, GAVE, Failure
from course.exam.sealed import MistakeResults
from course.limits import LONGEST_DIAGNOSED_ANSWER
from course.show.results import LINES_OPEN, OPEN
from tests.classroom import (
    RightSolution,
    all_right,
    all_wrong,
    reference_answers,
    submission_of_solution,
    submission_of_wrong,
    submission_with,
)
from tests.grader import Grader
from tests.sample import one_in
from tests.units import known, mistakes_of, read_unit, unit_names

EXERCISES = [exercise for unit in unit_names() for exercise in read_unit(unit).exercises]


def failures(report: Graded) -> list[str]:
    return [f"{e.name}: {first_problem_text(e)}" for e in report.exercises if e.state != PASSED]


@pytest.mark.parametrize("unit", unit_names())
def test_the_references_get_all_points(grader: Grader, unit: str) -> None:
    report = grader.grade(submission_with(unit, reference_answers(read_unit(unit))))
    assert (failures(report), report.points) == ([], report.of)


@pytest.mark.parametrize("right", one_in(20, all_right()), ids=str)
def test_a_right_solution_in_another_style_is_accepted(grader: Grader, right: RightSolution) -> None:
    assert set(right.answers) == set(right.unit.by_name)
    report = grader.grade(submission_of_solution(right))
    assert failures(report) == [] and {(each.advice, each.mistake) for each in report.exercises} == {(None, None)}


@pytest.mark.parametrize("wrong", one_in(40, all_wrong()), ids=str)
def test_a_plausible_mistake_is_refused_and_explained_if_it_can_be(grader: Grader, wrong: Mistake) -> None:
    report = grader.grade(submission_of_wrong(wrong), wrong.exercise)[wrong.exercise]
    assert report.state == WRONG and (report.points < report.of or report.of == 0)  # a challenge has no points
    if wrong.truth:
        assert report.mistake == KnownMistake(wrong.belief, wrong.truth)
    shown = result_of(report)
    failure = shown.first_failed_rule.failure if shown.first_failed_rule else None
    assert shown.says or shown.belief or not (failure and failure.call) or failure.seen or failure.words, (
        "without a sure rule, the facts"
    )
    assert len(shown.text().splitlines()) <= LINES_OPEN


OTHER_WAYS = {
    "win_rate": """
def win_rate(first, second, seeds):
    games = (play_game((second, first) if k % 2 else (first, second), seed) for k, seed in enumerate(seeds))
    lost = sum(game.winner != k % 2 for k, game in enumerate(games))
    return 1 - lost / len(seeds)
""",
    "swap_ends": """
def swap_ends(hand, met=[]):
    if hand in met:
        return hand
    met.append(hand)
    return hand if len(hand) < 2 else (hand[-1], *hand[1:-1], hand[0])
""",
    "penalty": """
from functools import singledispatch

@singledispatch
def penalty(card):
    return 20

penalty.register(Number, lambda card: card.n if card.suit is HEARTS else 0)
penalty.register(Face, lambda card: {(QUEEN, SPADES): 13}.get((card.court, card.suit), 10 * (card.suit is HEARTS)))
penalty(Joker())
""",
}


@pytest.mark.parametrize(
    ("unit", "name", "state"),
    [("bots", "win_rate", PASSED), ("warmup", "penalty", PASSED), ("warmup", "swap_ends", WRONG)],
)
def test_an_answer_in_an_unusual_way_is_judged_by_its_results(grader: Grader, unit: str, name: str, state: str) -> None:
    """A share is computed from lost games, statements complete an answer, and an answer remembers its calls."""
    assert grader.one(unit, name, OTHER_WAYS[name]).state == state


@pytest.mark.parametrize("unit", unit_names())
def test_each_unit_has_many_answers_and_earns_nothing_before_them(grader: Grader, unit: str) -> None:
    counts = Counter(wrong.exercise for wrong in all_wrong() if wrong.unit.name == unit)
    assert [name for name in read_unit(unit).by_name if counts[name] < 3] == []
    assert sum(right.unit.name == unit for right in all_right()) >= 3
    report = grader.grade(submission_with(unit, {}))
    assert ({exercise.state for exercise in report.exercises}, report.points) == ({UNWRITTEN}, 0)


@pytest.mark.parametrize("exercise", one_in(40, EXERCISES), ids=lambda e: f"{e.unit}-{e.name}")
def test_no_constant_and_no_identity_earns_a_point(grader: Grader, exercise: Exercise) -> None:
    earned = {answer: grader.one(exercise.unit, exercise.name, answer).points for answer in lazy_answers(exercise)}
    assert {answer: points for answer, points in earned.items() if points} == {}


def test_a_counterexample_is_one_of_the_inputs_that_its_facet_is_named_for(grader: Grader) -> None:
    report = grader.one("warmup", "penalty", "def penalty(card):\n    return 20 if card else 0")
    joker, contrast = (next(f for f in report.facets if f.name == name) for name in ("a joker", CONTRAST_FACET))
    assert not joker.passed and facet_failure_text(joker) == ""
    assert contrast.failure and not contrast.counts and "Joker" not in contrast.failure.call
    for facet in report.facets:
        assert "joker" not in facet.name or not facet.failure


ONLY_THE_EXAMPLES = """def swap_ends(hand):
    match hand:
        case (Number(1, Suit.CLUBS), second, third, Number(4, Suit.CLUBS) as last):
            return (last, second, third, hand[0])
        case (Joker(), Face(Court.KING, Suit.HEARTS)):
            return hand[::-1]
    return hand"""


def test_a_secret_call_that_decides_the_examples_is_mentioned(grader: Grader) -> None:
    submission = submission_with("warmup", {"swap_ends": ONLY_THE_EXAMPLES})
    examples, *_ = grader.grade(submission, "swap_ends", seed="secret")["swap_ends"].facets
    assert examples.calls == 3 and examples.stop == HiddenCalls()
    assert grader.grade(submission, "swap_ends")["swap_ends"].facets[0].passed, "they are right in published calls"


def test_examples_that_fail_in_hidden_calls_only_are_not_counted() -> None:
    right = FacetReport(EXAMPLES_FACET, False, 3, Failure(), HiddenCalls())
    wrong = FacetReport("no card", False, 1, Failure("swap_ends(())", GAVE, "1", "()"))
    report = ExerciseReport("swap_ends", 1, WRONG, 0, 1, facets=(right, wrong))
    text = exercise_text(report)
    assert "also fail" not in text and f"right, but not counted: {EXAMPLES_FACET}" in text
    assert f"\n  {EXAMPLES_FACET}: right in all published calls" in exercise_text(
        structs.replace(report, facets=(right,))
    )
    assert first_problem_text(report).startswith("swap_ends(())"), "a failure that can be shown comes first"


def test_a_rule_without_points_and_without_a_failure_says_why(grader: Grader) -> None:
    result = result_of(grader.one("warmup", "swap_ends", "def swap_ends(hand):\n    return hand[:3]"))
    parts = {part.about: part for part in result.parts}
    assert result.headline.startswith(f"0 of {len(parts) - 1} checks pass · "), (
        "the calls against constants earn no points"
    )
    assert parts["no card"].size == "1 call, right, but not counted: calls with other inputs fail"
    assert [part for part in parts.values() if part.state == OPEN] and not parts["no card"].failure


DOMINOES = reference_answers(read_unit("dominoes"))
WRONG_FLIP = {"flip": "def flip(domino):\n    return domino"}


AVOIDING = WRONG_FLIP | {
    "legal_adds": DOMINOES["legal_adds"].replace("flip(domino)", "Domino(domino.right, domino.left)"),
    "possible_dominoes": "def possible_dominoes(hand, chain):\n"
    "    return tuple(t for t in hand if legal_adds(t, chain)) if flip else ()",
}


SLOW = """
TABLE = []

def table():
    if not TABLE:
        TABLE.extend([sum(range(20_000_000))])
"""


PEEK = {"append": "def append(domino, chain, end):\n    return EMPTY"}
USING = {"legal_adds": "def legal_adds(domino, chain):\n    return (append(domino, chain, 99),)"}
POSSIBLE = AVOIDING["possible_dominoes"].replace("    return", "    table()\n    return")
OWN = {
    "an early mistake": (WRONG_FLIP, "legal_adds", FailsWithOwnFunctions(("flip",))),
    "it avoids the wrong function": (AVOIDING, "possible_dominoes", WorksWithOwnFunctions()),
    "it waits for a slow one": (
        AVOIDING | {"possible_dominoes": POSSIBLE},
        "possible_dominoes",
        WorksWithOwnFunctions(),
    ),
    "it waits for an unwritten one": ({"flip": ""}, "legal_adds", NeedsUnwrittenFunctions(("flip",))),
    "a later function is wrong": (PEEK, "legal_adds", FailsWithOwnFunctions(("append",))),
    "of wrong ones, the first": (PEEK | USING, "possible_dominoes", FailsWithOwnFunctions(("append",))),
}


@pytest.mark.parametrize(("answers", "name", "own"), one_in(2, [*OWN.values()]))
def test_a_right_exercise_says_how_it_works_with_own_functions(
    grader: Grader, answers: dict[str, str], name: str, own: OwnRunOutcome
) -> None:
    report = grader.grade(submission_with("dominoes", DOMINOES | answers, (SLOW,)))
    assert (report[name].state, report[name].own) == (PASSED, own)
    assert {each.name for each in report.exercises if each.state != PASSED} <= {"flip", "append", "legal_adds"}


# The points of an exercise, whether its examples and two rules pass, and the mark.
MARKS = [
    (0.25, (True, True, True), 0.25),
    (0.34, (True, True, True), 0.34),
    (3, (True, True, False), 2),
    (3, (False, True, True), 1.5),
    (3, (True, False, False), 0.1),
    (3, (False, False, False), 0),
]


@pytest.mark.parametrize(("points", "passed", "mark"), MARKS)
def test_points_follow_the_facets_that_pass(points: float, passed: tuple[bool, ...], mark: float) -> None:
    exercise = dataclasses.replace(read_unit("dominoes")["flip"], points=points)
    facets = tuple(
        FacetReport(name, bit, 1) for name, bit in zip((EXAMPLES_FACET, "one", "other"), passed, strict=True)
    )
    report = ExerciseReport("flip", 1, PASSED if all(passed) else WRONG, 0, points, facets=facets)
    assert with_computed_points(report, exercise, 0.0).points == mark


def test_the_same_submission_has_the_same_report_to_the_byte(grader: Grader) -> None:
    answers = {"flip": "def flip(domino):\n    return {object(), str, 1.5, None}", "append": "no Python"}
    one, other = (
        json.dumps(exported_report(grader.grade(submission_with("dominoes", DOMINOES | answers)))) for _ in range(2)
    )
    assert one == other and "0x" not in one


@pytest.mark.proof
def test_another_seed_is_another_exam_and_the_references_still_pass(grader: Grader) -> None:
    report = grader.grade(submission_with("warmup", reference_answers(read_unit("warmup"))), seed="a secret")
    assert (failures(report), report.seed) == ([], "secret")


@pytest.mark.promise("batch")
def test_a_value_whose_repr_fails_is_a_wrong_answer(grader: Grader) -> None:
    report = grader.one("bots", "by_value", "def by_value(hand):\n    return (Picture('', 1),)")
    assert report.state == WRONG
    assert "returned a value of a type that the unit does not use" in facet_failure_text(report.facets[0])


# ------------------------------------------------------------------------------------------------------- Known mistakes


DOUBLED = "def swap_ends(hand):\n    return (*hand[-1:], *hand[1:-1], *hand[:1])"
DOUBLED_BELIEF = "You can exchange the first and the last card of every hand, even of a hand of one card."


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
    assert MistakeResults("I believe", "It is", ("a", "b")).explains(digests, failed) is explained


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
    long, deep = (
        f"{wrong.source}\n# {'x' * LONGEST_DIAGNOSED_ANSWER}",
        f"{wrong.source}\n    return hand == 1{' + 1' * 700}",
    )
    asked = [contains_belief(unit, wrong.exercise, wrong.belief, source) for source in (wrong.source, long, deep)]
    assert asked[:2] == [True, False]  # and the deep one raises nothing


# ------------------------------------------------------------------------------------------------- The table of a class


def printed(*policies: Policy) -> str:
    console = Console(width=120)
    with console.capture() as capture:
        table = ClassTable(console, [3], known())
        for policy in policies:
            table.print_report("ada", grade(submission_with("warmup", {}), policy))
        table.print_summary()
    return capture.get()


@pytest.mark.sandbox
def test_two_assignments_of_one_unit_are_summed_up_one_by_one() -> None:
    text = printed(*[Policy(exercises=names) for names in (("swap_ends", "penalty"), ("swap_ends",), ("swap_ends",))])
    assert text.count("2 exercises from swap_ends to penalty: mean") == 1
    assert text.count("1 exercise from swap_ends to swap_ends: mean") == 1


@pytest.mark.sandbox
@pytest.mark.parametrize(("seed", "is_announced"), [("0", True), ("a long secret", False)])
def test_grading_by_the_published_exam_is_announced(seed: str, is_announced: bool) -> None:
    text = " ".join(printed(Policy(seed=seed, exercises=("swap_ends",))).split())
    assert (PUBLISHED_EXAM_WARNING in text) is is_announced


# ------------------------------------------------------------------------------------------- The budget of a submission


def budget(seconds: float, cpu: float = 0, wall: float = 0) -> Budget:
    """Return a budget of which the clocks say that so many seconds are spent."""
    begun = Budget(seconds, cpu=count(0, cpu).__next__, wall=count(0, wall).__next__)
    begun.begin()
    return begun


def test_the_budget_counts_computing_and_waiting() -> None:
    assert budget(10, cpu=3).seconds_left == 7 and budget(10, wall=3 * REAL_TIME_DIVISOR).seconds_left == 7
    with pytest.raises(BudgetSpent):
        budget(3, cpu=3).ensure_time_left()
    assert Budget(10, already=3, cpu=lambda: 5, wall=lambda: 5).seconds_left == 7


def test_half_of_it_is_kept_for_those_that_wait_in_equal_shares() -> None:
    one = budget(40)
    for waiting, left in ((3, 25), (2, 30), (1, 35), (0, 40)):
        one.set_limit(waiting, of=4)
        assert one.seconds_left == left


@pytest.mark.promise("batch")
@pytest.mark.sandbox
def test_an_answer_without_end_takes_nothing_from_those_that_wait() -> None:
    answers = {"flip": "def flip(domino):\n    return sum(range(10**13))", "take": DOMINOES["take"]}
    policy, computing = Policy(seconds_per_exercise=5, exercises=("flip", "take")), Budget(2, wall=lambda: 0)
    report = grade(submission_with("dominoes", answers), policy, computing)
    assert (report["flip"].state, report["take"].state, report.is_graded) == (WRONG, PASSED, True)


@pytest.mark.promise("batch")
@pytest.mark.sandbox
def test_each_exercise_reports_an_exhausted_budget(tmp_path: Path) -> None:
    spent, policy = budget(1, cpu=2), Policy(exercises=("flip", "take"))
    report = grade(submission_with("dominoes", DOMINOES), policy, spent)
    assert {problem_text(each) for each in report.exercises} == {"not run, because the submission has used up its time"}
    assert (report.points, report.is_graded) == (0, True)
