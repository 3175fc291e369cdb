"""The lessons of the warm-up: its trial cells run, and its given functions obey their laws.

Sections 6.1 to 6.3 of the source list what the lab assumes. They contain no worked examples.
"""

from __future__ import annotations

import ast
import re
from importlib import import_module
from typing import Any

import jupytext
import pytest
from hypothesis import given
from hypothesis import strategies as st

import course.warmup
from autograder.exams.warmup.checks import CARDS, PENALTY_RULES
from course.warmup import (
    Hand,
    Number,
    Rules,
    Suit,
    beats,
)
from solutions.warmup import kindest_rule, riffle, riffles_to_restore, winning_card
from tests.lesson import value_of_cell
from tests.units import ROOT, read_unit

CARD = st.sampled_from(CARDS)
CARD_TUPLES = st.lists(CARD, max_size=8).map(tuple)
TRICKS = st.lists(CARD, min_size=1, max_size=6).map(tuple)
EXERCISES = read_unit("warmup").by_name
SOME_RULES = st.lists(st.sampled_from(PENALTY_RULES), min_size=1, unique=True).map(tuple)

SHOWN = (
    "('bob', 'ann', 'cleo', 'dan', 'eve')",
    "('the ace of HEARTS', 'a black 9', 'a red 9', 'something else')",
    "((), ('A', 'A', 'B', 'B', 'C', 'C'))",
    """\
total(5)
▌ 5 + total(4)
▌▌ 5 + (4 + total(3))
▌▌▌ 5 + (4 + (3 + total(2)))
▌▌▌▌ 5 + (4 + (3 + (2 + total(1))))
▌▌▌▌▌ 5 + (4 + (3 + (2 + (1 + total(0)))))
▌▌▌▌▌ 5 + (4 + (3 + (2 + (1 + 0))))
▌▌▌▌ 5 + (4 + (3 + (2 + 1)))
▌▌▌ 5 + (4 + (3 + 3))
▌▌ 5 + (4 + 6)
▌ 5 + 10
15""",
    "'HELLO ANN!'",
    "total(5)\nadd(5, 0)\nadd(4, 5)\nadd(3, 9)\nadd(2, 12)\nadd(1, 14)\nadd(0, 15)\n15",
    "((5, 5, 4), (5, 5, 4), <map object>)",
    "((('ann', 12), ('bob', 7), ('cleo', 30)), ((12, 7), (7, 30)), False)",
    "('deuce', 407)",
    "('f(g(h(x)))', 'h(g(f(x)))')",
    "(True, 'w-h-i-s-t')",
    "81",
    "((9, 5), True)",
    "(False, False, (3, 5, 1))",
    "((2, 4, 8, 1024), 5)",
    "(3, 'Old Maid')",
    "('joker', None, None)",
    "(Purse('ann', 3), Purse('ann', 5), True)",
)


def trial_cells() -> tuple[str, ...]:
    """Return the source of the cells that only the notebook runs, in order, without predictions and `catch`."""
    notebook = jupytext.read(ROOT / "solutions" / "warmup.py")
    sources = (cell.source for cell in notebook.cells if cell.metadata.get("active") == "ipynb")
    return tuple(source for source in sources if "predict(" not in source and "catch(" not in source)


def names_bound(source: str) -> set[str]:
    """Return the names that a cell binds at its top level."""
    tree = ast.walk(ast.parse(source))
    return {node.id for node in tree if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def named(source: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}


def test_the_last_cell_runs_with_the_functions_above_it():
    *_, last = (cell for cell in trial_cells() if named(cell) & {*EXERCISES})
    assert value_of_cell(last, dict(vars(import_module("solutions.warmup"))))


def test_every_trial_cell_runs_and_shows_the_stated_result():
    scope: dict[str, Any] = {name: getattr(course.warmup, name) for name in course.warmup.__all__}
    scope["__name__"] = "__main__"
    alone = [cell for cell in trial_cells() if not named(cell) & {*EXERCISES}]
    cells = [cell for cell in alone if "course.tables" not in cell]
    assert tuple(re.sub(" at 0x[0-9a-f]+", "", repr(value_of_cell(cell, scope))) for cell in cells) == SHOWN


@pytest.mark.parametrize("source", trial_cells())
def test_a_trial_cell_binds_no_name_of_an_exercise_or_of_anything_given(source: str):
    assert not names_bound(source) & {*EXERCISES, *course.warmup.__all__}


@pytest.mark.parametrize("cards", range(4, 55, 2))
def test_a_pack_is_restored_by_just_as_many_riffles_of_its_halves(cards: int):
    pack: Hand = tuple(Number(n, Suit.CLUBS) for n in range(cards))
    riffled, riffles = pack, 0
    while riffles == 0 or riffled != pack:
        riffled, riffles = riffle(riffled[: cards // 2], riffled[cards // 2 :]), riffles + 1
    assert riffles_to_restore(cards) == riffles


@given(TRICKS)
def test_no_card_of_a_trick_beats_the_one_that_wins_it(trick: Hand):
    winner = winning_card(trick)
    assert winner in trick and not any(beats(card, winner) for card in trick)


@given(CARD_TUPLES, SOME_RULES)
def test_no_rule_is_kinder_than_the_kindest(hand: Hand, rules: Rules):
    kindest = kindest_rule(hand, rules)
    assert all(sum(map(kindest, hand)) <= sum(map(rule, hand)) for rule in rules)
