"""Inputs near chosen ones: `inputs = "near"` of a `Check`. One part of a call changes, then a part of its shape."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import cast

from autograder.exam.cases import Case

NEAR = "near"
STEPS = (-2, -1, 1, 2)
SMALL_NUMBER = 20  # a whole number below it may grow a little; others stay among the chosen ones
MOST_CHANGES = 3
TRIES = 8  # for each input; many are found twice


def near_cases(chosen: Sequence[Case], count: int, seed: int, avoided: Sequence[Case] = ()) -> list[Case]:
    """Return up to `count` different calls near the chosen ones, without these and those to avoid.

    The same seed gives the same calls.
    """
    random, known, drawn = (
        Random(seed),
        {repr(replace(case, hidden=False)) for case in (*chosen, *avoided)},
        list[Case](),
    )
    leaves = [leaf for case in chosen for leaf in _leaves((*case.args, *(value for _, value in case.keywords)))]
    for _ in range(TRIES * count):
        case = _changed_case(random, random.choice(chosen), chosen, leaves)
        if len(drawn) < count and repr(case) not in known:
            known.add(repr(case))
            drawn.append(case)
    return drawn


def _changed_case(random: Random, case: Case, chosen: Sequence[Case], leaves: list[object]) -> Case:
    """Return a call in which one to three parts differ, or an argument of another call is taken over."""
    args, named = list(case.args), dict(case.keywords)
    for _ in range(random.choice((1, 1, 1, 2, 2, MOST_CHANGES))):
        index = random.randrange(len(args) + len(named)) if args or named else 0
        others = [other.args[index] for other in chosen if index < len(other.args)]
        if index < len(args):
            args[index] = random.choice(others) if random.random() < 0.15 else _changed(random, args[index], leaves)
        elif named:
            name = [*named][index - len(args)]
            named[name] = _changed(random, named[name], leaves)
    return replace(case, args=tuple(args), keywords=tuple(named.items()), hidden=False)


def _leaves(value: object) -> Iterable[object]:
    """Yield the parts of a value that have no parts."""
    if isinstance(value, dict):
        yield from (leaf for pair in value.items() for leaf in _leaves(pair))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from (leaf for part in value for leaf in _leaves(part))
    else:
        yield value


def _changed(random: Random, value: object, leaves: list[object]) -> object:
    """Return a value with one change: a leaf, or an item that is dropped, doubled or moved."""
    match value:
        case list() | tuple():
            items = _changed_items(random, [*value], leaves)
            return items if isinstance(value, list) else tuple(items)
        case set() | frozenset():
            items = _changed_items(random, sorted(value, key=repr), leaves)
            return type(value)(item for item in items if _is_hashable(item))
        case dict():
            pairs = _changed_items(random, [*value.items()], leaves, is_dict=True)
            return {key: item for key, item in cast("list[tuple[object, object]]", pairs) if _is_hashable(key)}
    return _changed_leaf(random, value, [leaf for leaf in leaves if type(leaf) is type(value)])


def _is_hashable(value: object) -> bool:
    try:
        return hash(value) is not None
    except TypeError:
        return False


def _changed_items(random: Random, items: list[object], leaves: list[object], is_dict: bool = False) -> list[object]:
    if not items:
        return items
    index, other = random.randrange(len(items)), random.randrange(len(items))
    match random.choice(("part", "part", "part", "drop", "double", "swap", "reverse")):
        case "drop":
            return items[:index] + items[index + 1 :]
        case "double" if not is_dict:
            return [*items[: index + 1], *items[index:]]
        case "swap":
            items[index], items[other] = items[other], items[index]
            return items
        case "reverse":
            return items[::-1]
    if is_dict:
        key, item = cast("tuple[object, object]", items[index])
        pair = (_changed(random, key, leaves), item) if random.random() < 0.3 else (key, _changed(random, item, leaves))
        return [*items[:index], pair, *items[index + 1 :]]
    return [*items[:index], _changed(random, items[index], leaves), *items[index + 1 :]]


def _changed_leaf(random: Random, value: object, alike: list[object]) -> object:
    """Return a number or a text near one, or another one that the chosen calls have."""
    if type(value) is bool:
        return not value
    if isinstance(value, int | float) and random.random() < 0.7:
        return _changed_number(random, value, cast("list[float]", alike))
    if isinstance(value, str) and random.random() < 0.7:
        return _changed_text(random, value, "".join(map(str, alike)))
    return random.choice(alike or [value])


def _changed_number(random: Random, value: float, alike: list[float]) -> float:
    low, high = min(alike), max(alike)
    if random.random() < 0.3 and type(value) is int:
        return random.randint(int(low), int(high))
    step = random.choice(STEPS) * (1 if type(value) is int else random.choice((0.25, 0.5, 1.0)))
    new = value + step
    return new if low <= new <= high or abs(new) <= SMALL_NUMBER else random.choice(alike)


def _changed_text(random: Random, value: str, letters: str) -> str:
    """Return a text with a letter dropped, doubled, moved, replaced, or in the other case."""
    index = random.randrange(len(value)) if value else 0
    letter = random.choice(letters) if letters else "a"
    before, here, after = value[:index], value[index : index + 1], value[index + 1 :]
    changes = (before + after, before + 2 * here + after, before + letter + after, before + here.swapcase() + after)
    return random.choice((*changes, before + letter + here + after, value[::-1], after + before + here))
