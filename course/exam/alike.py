"""Results that count as equal: normal forms for exercises with several right results, and floats with a tolerance.

A unit's module `alike.py` has a table `ALIKE`. Its function for an exercise takes a call's arguments and the
observation, and returns the observation in a normal form. All right observations have the same normal form, so no
reference is needed.

To compare floats, the grader compares two observations, and a sealed exam compares cells of a grid. Everything else is
strict: `1` is not `1.0`, infinity equals only itself, and nan equals nan.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import cast

from course.exam.calls import Args
from course.exam.observation import Observation, arguments_after_call
from course.exam.wire import Tree, text_of
from course.roles import role_module
from course.values import strictly_equal

EXACT_FLOAT_BOUND = 2.0**53
Normalizer = Callable[[Args, Observation], Observation]


def normalizers_of(module: str) -> dict[str, Normalizer]:
    """Return a unit's table `ALIKE`: for each exercise in it, the function that normalizes observations."""
    module_alike = role_module(module, "alike")
    return dict(module_alike.ALIKE) if module_alike else {}


def as_equal(_: Args, observed: Observation) -> Observation:
    """Return an observation in which numbers that are `==` have the same type."""
    return replace(observed, value=plain_numbers(observed.value), after=tuple(map(plain_numbers, observed.after)))


def plain_numbers(value: object) -> object:
    """Return a value with every whole number as `int`, so that values that are `==` get the same form.

    >>> plain_numbers([True, 2.0, {"a": (0.5, -0.0)}])
    [1, 2, {'a': (0.5, 0)}]
    """
    match value:
        case bool():
            return int(value)
        case float() if value.is_integer() and abs(value) < EXACT_FLOAT_BOUND:
            return int(value)
        case dict() if type(value) is dict:
            return {plain_numbers(key): plain_numbers(item) for key, item in value.items()}
        case list() | tuple() | set() | frozenset() if type(value) in (list, tuple, set, frozenset):
            return type(value)(map(plain_numbers, value))
    return value


def with_equal_parts(want: Observation, observed: Observation) -> Observation:
    """Return an observation in which each part that is `==` to the expected part is replaced by the expected part."""
    after = cast("tuple[object, ...]", _replace_equal_parts(want.after, observed.after))
    return replace(observed, value=_replace_equal_parts(want.value, observed.value), after=after)


def _replace_equal_parts(want: object, observed: object) -> object:
    if strictly_equal(plain_numbers(want), plain_numbers(observed)):
        return want
    match want, observed:
        case ([*_] as wants, [*_] as items) if type(wants) is type(items) and type(wants) in (list, tuple):
            parts = [_replace_equal_parts(*pair) for pair in zip(wants, items, strict=False)]
            rebuilt = [*parts, *items[len(wants) :]]
            return rebuilt if isinstance(items, list) else tuple(rebuilt)
        case dict(), dict():
            return {
                key: _replace_equal_parts(want[key], item) if key in want else item for key, item in observed.items()
            }
    return observed


def in_any_order(_: Args, observed: Observation) -> Observation:
    """Return an observation with the items of its tuple sorted, for exercises that allow any order."""
    return (
        replace(observed, value=tuple(sorted(observed.value, key=repr))) if type(observed.value) is tuple else observed
    )


# ------------------------------------------------------------------------------------------------ floats

GRID_CELL_SLACK = 1.01  # a cell is wider than the tolerance by this factor, because the grid itself rounds
GridCell = tuple[float, float] | None  # the start of a cell modulo its width, and the width; None for nan and infinity
Grid = tuple[GridCell, ...]


def with_close_floats(want: Tree, observed: Tree, tolerance: float) -> Tree:
    """Return a value's tree, in which the expected float replaces each float that is close to it.

    A float is close if it differs by at most `tolerance`. For numbers above 1, `tolerance` is a relative error.

    >>> with_close_floats(["t", 1, ["n", "0.3"]], ["t", True, ["n", "0.30000000000000004"]], 1e-9)
    ['t', True, ['n', '0.3']]
    >>> with_close_floats(["n", "inf"], ["n", "1e+308"], 1e-9)
    ['n', '1e+308']
    """
    match want, observed:
        case ["n", str(one)], ["n", str(other)]:
            try:
                left, right = float(one), float(other)
            except ValueError:  # a malformed tree
                return observed
            is_finite = math.isfinite(left) and math.isfinite(right)
            return want if is_finite and abs(left - right) <= tolerance * max(1.0, abs(left)) else observed
        case ["d", *pairs], ["d", *others]:
            pairs_snapped = [_parts_with_close_floats(*each, tolerance) for each in zip(pairs, others, strict=False)]
            return ["d", *pairs_snapped, *others[len(pairs) :]]
        case [str(head), *parts], [str(same), *others] if head == same and head not in ("s", "z"):
            return [head, *_parts_with_close_floats(parts, others, tolerance)]
    return observed


def _parts_with_close_floats(want: list[Tree], observed: Tree, tolerance: float) -> Tree:
    """Return the parts of a tree with close floats replaced. Parts without a counterpart do not change."""
    if type(observed) is not list:
        return observed
    pairs = zip(want, observed, strict=False)
    return [*(with_close_floats(*pair, tolerance) for pair in pairs), *observed[len(want) :]]


def observation_with_close_floats(want: Tree, observed: Tree, tolerance: float) -> Tree:
    """Return an observation with the expected floats instead of close ones, also in the arguments after the call."""
    match want, observed:
        case ["ok", value, *effects], ["ok", other, *others]:
            after = [_parts_with_close_floats(*each, tolerance) for each in zip(effects[2:], others[2:], strict=False)]
            return ["ok", with_close_floats(value, other, tolerance), *others[:2], *after, *others[2 + len(after) :]]
    return observed


def _subtrees(tree: list[Tree]) -> list[Tree]:
    """Return the subtrees of a tree. For a dict, these are its keys and values."""
    return [part for pair in tree[1:] for part in pair] if tree[0] == "d" else tree[1:]


def floats_in(tree: Tree) -> Iterator[float]:
    """Yield the floats in a tree, in order."""
    match tree:
        case ["n", str(text)]:
            yield float(text)
        case [str(), *_]:
            yield from (number for part in _subtrees(tree) for number in floats_in(part))


def has_floats_in_sets_or_keys(tree: Tree) -> bool:
    """Return whether a tree has floats in a set or in keys of a dict.

    Floats in a set or in a key must be exactly equal to the expected floats.
    """
    match tree:
        case ["s" | "z", *_]:
            return any(True for _ in floats_in(tree))
        case ["d", *pairs]:
            return any(any(True for _ in floats_in(key)) or has_floats_in_sets_or_keys(item) for key, item in pairs)
        case [str(), *parts]:
            return any(map(has_floats_in_sets_or_keys, parts))
    return False


# ------------------------------------------------------------------------------------------------ sealed


def grid_of(tree: Tree, tolerance: float) -> Grid:
    """Return the grid of an observation: a `GridCell` for each of its floats.

    A `GridCell` divides the numbers into cells of one width. All floats within the tolerance of the right float are in
    one cell. The number of this cell is not in the grid, only in a digest. The width shows only the power of two above
    the right float, so a cell can be twice as wide as the tolerance asks for.
    """
    grid = list[GridCell]()
    for number in (number for part in _value_and_arguments(tree) for number in floats_in(part)):
        width = math.ldexp(GRID_CELL_SLACK * tolerance / 2, max(0, math.frexp(number)[1]))
        # This is a multiple of a quarter of the width, so it cannot overflow.
        grid.append((math.fmod(number / 4 - width / 2, width), width) if math.isfinite(number) else None)
    return tuple(grid)


def _value_and_arguments(tree: Tree) -> list[Tree]:
    """Return the value of an observation, and its arguments after the call."""
    return [tree[1], *arguments_after_call(tree)] if tree[0] == "ok" else []


def text_on_grid(tree: Tree, grid: Grid) -> str:
    """Return the text of an observation, with each float replaced by the number of its cell."""
    cells = iter(grid)
    numbered = [_with_cell_numbers(part, cells) for part in _value_and_arguments(tree)]
    return text_of([*numbered, tree[2:4]]) if numbered else text_of(tree)


def _with_cell_numbers(tree: Tree, cells: Iterator[GridCell]) -> Tree:
    match tree:
        case ["n", str(text)]:
            number, cell = float(text), next(cells, None)
            position = (number / 4 - cell[0]) / cell[1] if cell else math.inf
            return ["n", math.floor(position)] if math.isfinite(position) else tree
        case [str(head), *_]:
            return [head, *(_with_cell_numbers(part, cells) for part in _subtrees(tree))]
    return tree
