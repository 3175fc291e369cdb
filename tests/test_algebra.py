"""Mutants that are right by algebra are left out: they have the same value as the reference, for all arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.prove.mutate import (
    is_equivalent_change,
    mutants_of,
    node_positions,
    number_names,
    replacements,
    siblings_in,
)
from autograder.units.unit import Exercise
from course.dominoes import Domino
from tests.units import read_unit

HEAD = "def flip(a: int, b: float, c: bool, text: str, hand: tuple[int, ...], tile: Domino, new, *more: int):\n    "
SAME = {
    "a + new": "new + a",
    "a * tile.left": "tile.left * a",
    "new + sum(more)": "sum(more) + new",
    "(c & (a > 2)) + a": "((a > 2) & c) + a",
    "text.count(new) + hand[a]": "hand[a] + text.count(new)",
    "(a, b) * len(hand)": "len(hand) * (a, b)",
    "len(hand) == 0": "len(hand) <= 0",
    "a in (b, new)": "a in (new, b)",
    "tile not in (tile, flip(tile))": "tile not in (flip(tile), tile)",
}
OTHER = {
    "text + text[1:]": "text[1:] + text",
    "new + more": "more + new",
    "input_int(a) + input_int(b)": "input_int(b) + input_int(a)",
    "len(hand) == 1": "len(hand) <= 1",
    "(a, b)": "(b, a)",
    "a - b": "b - a",
    "(a, new) in hand": "(new, a) in hand",
    "new | tile": "tile | new",
    "left + right": "right + left",
}


def exercise_of(code: str) -> tuple[Exercise, ast.Module]:
    """Return an exercise of dominoes whose reference returns this expression, with its tree."""
    source = f"{HEAD}return {code}"
    tree = ast.parse(source)
    return replace(read_unit("dominoes")["flip"], node=tree.body[0], source=source), tree


def left_out(code: str) -> Iterator[str]:
    """Yield the changed expressions that are right by algebra."""
    unit = read_unit("dominoes")
    exercise, tree = exercise_of(code)
    for position in [*node_positions(tree)]:
        for new in replacements(position.node, siblings_in(tree, unit)):
            if is_equivalent_change(position.parent, position.node, new, number_names(unit, exercise)):
                position.replace_node(new)
                yield ast.unparse(tree).partition("return ")[2]
                position.replace_node(position.node)


@pytest.mark.parametrize(("code", "swapped"), [*SAME.items(), *OTHER.items()])
def test_a_change_is_a_mutant_unless_algebra_undoes_it(code: str, swapped: str) -> None:
    sources = {mutant.source for mutant in mutants_of(read_unit("dominoes"), exercise_of(code)[0])}
    assert (ast.unparse(ast.parse(f"{HEAD}return {swapped}")) in sources) == (code in OTHER)


LEAVES = st.sampled_from(
    [
        "a",
        "b",
        "c",
        "text",
        "2",
        "0.5",
        "tile",
        "tile.left",
        "len(hand)",
        "sum(hand)",
        "hand[0]",
        "len(text)",
        "more[0]",
    ]
)
SHAPES = ["({} + {})", "({} * {})", "({} - {})", "({} & {})", "({} % 2 == 0)", "({} % 3 == 2)", "(len({}) == 0)"]
SHAPES += ["({} in ({}, {}))", "(-{})", "({} if c else {})", "({} == {})", "sum(x * {} for x in hand)", "sum({})"]


def combined_code(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return a strategy for expressions made from smaller ones."""
    return st.builds(lambda shape, *few: shape.format(*few), st.sampled_from(SHAPES), parts, parts, parts)


ARGUMENTS = st.tuples(
    st.integers(-9, 9),
    st.floats(-9, 9),
    st.booleans(),
    st.text("ab", max_size=2),
    st.lists(st.integers(0, 3), max_size=3).map(tuple),
    st.builds(Domino, st.integers(0, 3), st.integers(0, 3)),
    st.none(),
    st.integers(0, 3),
)


def outcome(code: str, args: tuple[Any, ...]) -> str:
    """Return the value of an expression as text, which shows its type, or that it raises an exception."""
    names: dict[str, Any] = {"Domino": Domino}
    exec(f"{HEAD}return {code}", names)
    try:
        return repr(names["flip"](*args))
    except Exception:
        return "an exception"


@given(code=st.recursive(LEAVES, combined_code, max_leaves=6), args=ARGUMENTS)
def test_what_is_right_by_algebra_has_the_same_value(code: str, args: tuple[Any, ...]) -> None:
    for changed in left_out(code):
        assert outcome(changed, args) == outcome(code, args), changed
