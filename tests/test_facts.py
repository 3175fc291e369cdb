"""The facts of a failing call, and watching it as the check ran it."""

from __future__ import annotations

import pytest

from course.diagnoses.failure import GAVE, RAISED, Failure
from course.learner.answer import answer_among
from course.learner.offering import failed_run
from course.learner.rerun import facts_about
from tests.grader import Grader
from tests.kernel import Kernel
from tests.kernel import folder as folder
from tests.kernel import kernel as kernel
from tests.lesson import Lesson

LISTED = """
def legal_adds(domino, chain):
    match chain:
        case Empty():
            return (append(domino, chain, "<"),)
        case Chain(left, _, right):
            at_left = tuple(append(tile, chain, "<") for tile in (domino, flip(domino)) if tile.left == left)
            return at_left
"""
FOLD = """
def winning_card(trick):
    return fold_left(lambda best, card: card if beats(best, card) else best, trick[0], trick)
"""
CALLS = {
    "an item that was left out": (
        "dominoes",
        "suppress",
        "def suppress(domino, hand):\n    return tuple(tile for tile in hand if tile != domino and tile.left)",
        Failure("suppress(Domino(1, 2), (Domino(0, 3),))", GAVE, "()", "(Domino(0, 3),)"),
        "On line 2, `tile != domino and tile.left` was False for `tile` = `Domino(0, 3)`, "
        "`domino` = `Domino(1, 2)`, so it was left out.",
    ),
    "an item that was kept": (
        "dominoes",
        "suppress",
        "def suppress(domino, hand):\n    return tuple(tile for tile in hand if tile != domino)",
        Failure("suppress(Domino(1, 2), (Domino(2, 1),))", GAVE, "(Domino(2, 1),)", "()"),
        "On line 2, `tile != domino` was True for `tile` = `Domino(2, 1)`, `domino` = `Domino(1, 2)`, so it was kept.",
    ),
    "a part of the result": (
        "dominoes",
        "flip",
        "def flip(domino):\n    return Domino(domino.right, domino.left + 1)",
        Failure("flip(Domino(1, 2))", GAVE, "Domino(2, 2)", "Domino(2, 1)"),
        "On line 2, `domino.left + 1` was `2` for `domino` = `Domino(1, 2)`.",
    ),
    "a step of a fold": (
        "warmup",
        "winning_card",
        FOLD,
        Failure("winning_card((Joker(), Number(3, CLUBS)))", GAVE, "Number(3, CLUBS)", "Joker()"),
        "On line 3, `beats(best, card)` was True for `best` = `Joker()`, `card` = `Number(3, CLUBS)`, so the step "
        "returned `Number(3, CLUBS)`.",
    ),
    "what raised": (
        "dominoes",
        "players_of_string",
        "def players_of_string(players):\n    return tuple(Player(n) for n, _ in enumerate(players, 1))",
        Failure("players_of_string('B')", RAISED, "'types.UnionType' object is not callable", error="TypeError"),
        "On line 2, `Player(n)` raised it for `n` = `1`: `Player` is `Human | Bot`, and cannot be called.",
    ),
    "a decision": (
        "dominoes",
        "get_hand_size",
        "def get_hand_size(count):\n    if count < 2:\n        return 7\n    return 6",
        Failure("get_hand_size(2)", GAVE, "6", "7"),
        "On line 2, `count < 2` was False for `count` = `2`. So on line 4, `6` was returned.",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_facts_show_what_decided(name: str) -> None:
    unit, exercise, source, failure, facts = CALLS[name]
    answer = answer_among(Lesson(unit, source).names, exercise, unit)
    assert facts_about(answer, failure) == facts


def test_facts_of_a_run_that_never_ends_are_empty() -> None:
    source = "def get_hand_size(count):\n    while True:\n        pass"
    answer = answer_among(Lesson("dominoes", source).names, "get_hand_size", "dominoes")
    assert facts_about(answer, Failure("get_hand_size(2)", GAVE, "6", "7")) == ""


def test_a_failed_check_is_watched_with_the_references_that_it_used() -> None:
    """The morning after, the cells of yesterday's helpers have not run."""
    answer = answer_among(Lesson("dominoes", LISTED).names, "legal_adds", "dominoes")
    viewer = failed_run('legal_adds(Domino(1, 2), Chain(1, "1-1", 1))', answer)
    assert viewer.run.error is None and viewer.run.calls[1].name == "legal_adds"


def test_a_check_again_without_a_run_in_between_asks_to_run_the_cell(kernel: Kernel) -> None:
    wrong = "def flip(domino):\n    return domino"
    again = "did you change the cell? Run it (Shift-Enter), then check again. Otherwise: "
    assert again not in kernel.after(wrong)
    assert kernel.run('check("flip")').startswith(f"✗ flip: {again}")
    assert again not in kernel.after(wrong)


UNSURE = "def get_hand_size(count):\n    if count < 2 or count > 3:\n        return 7\n    return 6"


@pytest.mark.parametrize("unit, exercise, source", [("dominoes", "get_hand_size", UNSURE)])
def test_a_report_shows_the_facts_of_a_check(grader: Grader, unit: str, exercise: str, source: str) -> None:
    report = grader.one(unit, exercise, source)
    assert report.advice and "On line 2, `count < 2 or count > 3` was False for `count` = `2`." in report.advice.says
