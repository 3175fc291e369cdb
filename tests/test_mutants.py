"""The mutation operators one by one, and that the exams refuse a fixed sample of mutants."""

from __future__ import annotations

import ast
import re
from collections import Counter

import pytest

from autograder.prove.laws import mutant_refused
from autograder.prove.mutate import (
    Key,
    all_mutants,
    changed_texts,
    is_right,
    listed_mutants,
    mutants_of,
)
from tests.units import read_unit, unit_names

PER_UNIT = 3  # `foldem prove` takes all
CHANGES = (
    ("x < 3", {"x <= 3", "x >= 3", "x < 2", "x < 4"}),
    ("x == y", {"x != y", "x >= y", "x <= y"}),
    ("x < y < z", {"x < y", "y < z", "x >= y < z", "x < y >= z"}),
    ("x in y", {"x not in y"}),
    ("True", {"False"}),
    ("x('ab ')", {"x('ab X')", "x('b ')", "x('ab')"}),
    ("f'{x}-'", {"f'{x}-X'", "f'{x}'"}),
    ("x + y", {"x - y", "y + x", "x", "y"}),
    ("x // 2", {"x * 2", "x // 3", "x // 1", "x"}),
    ("-x", {"x"}),
    ("x if y else z", {"x if not y else z", "x if True else z", "x if False else z"}),
    ("x and y", {"x or y", "x", "y"}),
    ("not x", {"x"}),
    ("[x for x in y if x]", {"[x for x in y]", "[x for x in y if not x]"}),
    ("print(x, y)", {"print(y, x)", "x", "y"}),
    ("sorted(x, key=y)", {"sorted(x)", "x"}),
    ("next(x)", {"x"}),
    ("next(flip(x))", {"next(x)", "next(flip(flip(x)))", "flip(x)"}),
    ("x.strip()", {"x"}),
    ("min(x)", {"max(x)", "x"}),
    ("x[:2]", {"x[:]", "x[:3]", "x[:1]", "x"}),
    ("x[y:]", {"x[:]", "x[y + 1:]", "x[y - 1:]", "x"}),
    ("x[-1]", {"x[1]", "x[-2]", "x[-0]", "x"}),
    ("range(x)", {"range(x + 1)", "range(x - 1)", "x"}),
    ("(x, y)", {"(y, x)", "(x,)", "(y,)"}),
    ("(x, *y)", {"(*y, x)", "(x,)", "(*y,)"}),
    ("{1: x, 2: y}", {"{1: y, 2: x}"}),
    ("x.left", {"x.right"}),
    ("Human(x)", {"Bot(x)", "Human(Human(x))", "x"}),
    ("print(x)", {"pass"}),
    ("raise x", {"pass"}),
    ("@curry\ndef f():\n    pass", {"def f():\n    pass"}),
    ("def f(x, y):\n    return x", {"def f(x, y):\n    return y"}),
    ("x, *y = z", {"*y, x = z"}),
)
ARMS = "match x:\n    case {}:\n        1\n    case {}:\n        2\n    case _:\n        3"


def texts(code: str) -> set[str]:
    """Return the mutants of a piece of code, as if it were in a reference of the dominoes unit."""
    return set(changed_texts(ast.parse(code), read_unit("dominoes"))) - {code}


@pytest.mark.parametrize(("code", "wrong"), CHANGES, ids=[code for code, _ in CHANGES])
def test_code_is_changed_in_one_place_at_a_time(code: str, wrong: set[str]) -> None:
    assert wrong <= {text.strip() for text in texts(code)}


def test_an_arm_is_dropped_or_comes_later() -> None:
    later = ARMS.format("[y, *_]", "[_]").replace("1", "0").replace("2", "1").replace("0", "2")
    assert {later, "match x:\n    case [_]:\n        1\n    case _:\n        3"} <= texts(ARMS.format("[_]", "[y, *_]"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Human(_)", "Bot(_)"),
        ("Human(1)", "Human(2)"),
        ("[_]", "[_, _]"),
        ("1 | 2", "3"),
        ("[Bot(), _]", "[Human(), _]"),
    ],
)
def test_arms_that_nothing_fits_both_of_keep_their_order(one: str, other: str) -> None:
    swapped = rf"case {re.escape(other)}:(?s:.*)case {re.escape(one)}:"
    assert not [text for text in texts(ARMS.format(one, other)) if re.search(swapped, text)]


@pytest.mark.parametrize(
    ("pattern", "wrong"),
    [
        ("Human(1)", {"_", "Human(_)", "Bot(1)", "Human(2)"}),
        ("1 | 2", {"_", "1", "2"}),
        ("[x, *y]", {"[*y, x]"}),
        ("Chain(x, y)", {"Chain(y, x)"}),
    ],
)
def test_a_pattern_fits_more_or_less_or_its_parts_are_swapped(pattern: str, wrong: set[str]) -> None:
    shape = "match z:\n    case {}:\n        pass"
    assert {shape.format(new) for new in wrong} <= texts(shape.format(pattern))


def test_annotations_and_docstrings_are_left_alone() -> None:
    mutants = mutants_of(read_unit("dominoes"), read_unit("dominoes")["flip"])
    assert {mutant.source.splitlines()[0] for mutant in mutants} == {"def flip(domino: Domino) -> Domino:"}


@pytest.mark.parametrize("unit", unit_names())
def test_the_exam_refuses_a_sample_of_the_mutants(unit: str) -> None:
    wrong = [mutant for mutant in all_mutants(read_unit(unit)) if not is_right(mutant)]
    sample = wrong[:: len(wrong) // PER_UNIT]  # spread evenly over the exercises
    assert [line for mutant in sample for line in mutant_refused(mutant)] == []


def reasons_by_key(unit: str) -> dict[Key, str]:
    """Return the reason for each listed mutant of a unit, by the mutant's key."""
    return {
        (unit, entry.exercise, entry.line, becomes): entry.because
        for entry in listed_mutants(read_unit(unit)).equivalent
        for becomes in entry.becomes
        if entry.unit == unit
    }


@pytest.mark.parametrize("unit", unit_names())
def test_a_mutant_listed_as_equivalent_is_there_once(unit: str) -> None:
    listed = set(reasons_by_key(unit))
    assert Counter(mutant.key for mutant in all_mutants(read_unit(unit)) if mutant.key in listed) == Counter(listed)


@pytest.mark.parametrize("unit", unit_names())
def test_every_mutant_listed_has_a_reason(unit: str) -> None:
    assert {key for key, reason in reasons_by_key(unit).items() if len(reason.split()) < 3} == set()
