"""The code that form shows instead of a loop: it has the learner's own names, and the same results."""

from __future__ import annotations

import ast
import textwrap
from typing import Any

import pytest

from autograder.units.unit import requirements_of
from course.form import review
from tests.units import read_unit

WHILES = {
    "n = numbers[0]\nwhile n > 1:\n    n = n // 2\nreturn n": "recur(n // 2)",
    "total = 0\ni = 0\nwhile i < len(numbers):\n    if numbers[i] > 2:\n"
    "        total += numbers[i]\n    i += 1\nreturn total": "go(0, 0)",
    "a, b = 0, 1\nwhile b < 50:\n    a, b = b, a + b\nreturn a, b": "recur(b, a + b)",
    "i = 0\nwhile i < len(numbers):\n    if numbers[i] == 3:\n"
    "        return i\n    i = i + 1\nreturn None": "recur(i + 1)",
    "found, rest = (), numbers\nwhile rest:\n"
    "    found = (rest[0], *found)\n    rest = rest[1:]\nreturn found": "go((), numbers)",
    "i = 0\nwhile i < 9:\n    i += 1\n    if i > 5:\n        return i\nraise ValueError": "raise ValueError",
}
FORS = {
    "total = 0\nfor n in numbers:\n    total += n * n\nreturn total": "sum(n * n for n in numbers)",
    "total = 0\nfor n in numbers:\n    if n > 2:\n"
    "        total = total + n\nreturn total": "sum(n for n in numbers if n > 2)",
    "kept = ()\nfor n in numbers:\n    if n > 2:\n"
    "        kept = (*kept, n)\nreturn kept": "tuple(n for n in numbers if n > 2)",
    "for n in numbers:\n    if n > 2:\n        return n\nreturn 0": "next((n for n in numbers if n > 2), 0)",
    "for n in numbers:\n    if n > 2:\n        return True\nreturn False": "any(n > 2 for n in numbers)",
    "for n in numbers:\n    if n > 9:\n        return False\nreturn True": "not any(n > 9 for n in numbers)",
    "best = 0\nfor n in numbers:\n    if n > best:\n        best = n\nreturn best": (
        "fold_left(lambda best, n: n if n > best else best, 0, numbers)"
    ),
}
OTHERS = (
    "total = 0\nfor n in numbers:\n    print(n)\n    total += n\nreturn total",
    "while True:\n    break\nreturn 3",
    "n = 3\nwhile n:\n    n -= 1\n    while n > 5:\n        n -= 2\nreturn n",
    "seen = {}\nfor n in numbers:\n    seen[n] = n\nreturn seen",
)
NUMBERS = ((), (3,), (1, 2, 3, 4, 3), (7, 0, 1, 5, 9, 12))


def example_for(body: str) -> str:
    unit = read_unit("warmup")
    source = f"def penalty(numbers):\n{textwrap.indent(body, '    ')}"
    return next(f.example for f in review(requirements_of(unit, unit["penalty"]), source) if f.rule == "loops")


def results(body: str) -> list[object]:
    names: dict[str, Any] = {}
    exec(f"from course.warmup import *\ndef f(numbers):\n{textwrap.indent(body, '    ')}", names)
    return [result_of(names["f"], numbers) for numbers in NUMBERS]


def result_of(function: Any, numbers: tuple[int, ...]) -> object:
    try:
        return function(numbers)
    except (IndexError, ValueError) as error:
        return type(error)


@pytest.mark.parametrize("body", WHILES)
def test_while_is_shown_as_a_function_with_the_same_results(body: str) -> None:
    example = example_for(body)
    assert WHILES[body] in example
    before = body[: body.index("while")] if "numbers[0]" in body.splitlines()[0] else ""
    assert results(before + example) == results(body)


@pytest.mark.parametrize("body", FORS)
def test_for_is_shown_as_an_expression_with_the_same_results(body: str) -> None:
    assert example_for(body) == FORS[body] and results(f"return {FORS[body]}") == results(body)


@pytest.mark.parametrize("body", OTHERS)
def test_loop_that_does_more_gets_the_general_example(body: str) -> None:
    example = ast.unparse(ast.parse(example_for(body)))
    assert "so_far" in example or "trumps" in example
