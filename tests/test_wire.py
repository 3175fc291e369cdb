"""The codec: values survive the round trip, equal trees are equal values, and forged trees are refused."""

from __future__ import annotations

import json
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import repeat
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course import dominoes, uno
from course.dominoes import EMPTY, Bot, Chain, Domino, Human
from course.exam.standard import ENDED, STANDARD_TYPES, UNENDED, IteratedItems
from course.exam.wire import (
    OWN_CLASS,
    NamedFunction,
    OpaqueValue,
    TooLargeValue,
    Wire,
    WireError,
    is_within_limits,
    text_of,
    unobserved_parts,
)
from course.limits import DEEPEST_VALUE, MOST_ITERATOR_ITEMS, MOST_VALUE_NODES

WIRE = Wire(dominoes)
STANDARD = st.one_of(
    st.fractions(),
    st.decimals().filter(lambda number: not number.is_snan()),
    st.dates(),
    st.times(timezones=st.just(timezone(timedelta(minutes=-90)))),
    st.datetimes(),
    st.timedeltas(),
    st.binary(max_size=4),
    st.binary(max_size=4).map(bytearray),
    st.complex_numbers(),
    st.builds(range, st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 4)),
)
ATOMS = st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text(max_size=3), st.floats(allow_nan=False))
TILES = st.builds(Domino, st.integers(0, 6), st.integers(0, 6))
VALUES = st.recursive(
    st.one_of(ATOMS, TILES, st.just(EMPTY), st.builds(Human, ATOMS), st.builds(Bot, st.integers(1, 4))),
    lambda inner: st.one_of(
        st.tuples(inner, inner),
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.builds(Chain, inner, st.text(max_size=3), inner),
    ),
    max_leaves=8,
)
CONTAINERS = st.one_of(
    st.lists(STANDARD | ATOMS, max_size=3).map(deque),
    st.builds(deque, st.lists(ATOMS, max_size=3), st.integers(3, 5)),
    st.dictionaries(ATOMS, STANDARD, max_size=3).map(OrderedDict),
    st.dictionaries(ATOMS, STANDARD, max_size=3).map(partial(defaultdict, list)),
    st.lists(ATOMS, max_size=5).map(Counter),
)
HASHABLE = st.one_of(ATOMS, TILES, st.tuples(ATOMS, TILES))
COLLECTIONS = st.one_of(
    st.sets(HASHABLE, max_size=4), st.frozensets(HASHABLE, max_size=4), st.dictionaries(HASHABLE, ATOMS, max_size=4)
)
ANY = VALUES | COLLECTIONS | STANDARD | CONTAINERS
HEADS = st.sampled_from(
    ["t", "l", "s", "z", "d", "v", "e", "n", "f", "x", "c", "?", "iter", *STANDARD_TYPES, "ok", "ValueError", "1.5"]
)
TREES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), HEADS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.builds(lambda head, rest: [head, *rest], HEADS, st.lists(inner, max_size=4)),
        st.dictionaries(st.text(max_size=2), inner, max_size=2),
    ),
    max_leaves=12,
)


def strict(value: object) -> object:
    """Return a key that two values share exactly if the grader considers them equal: types and parts, without order."""
    match value:
        case set() | frozenset():
            parts: object = frozenset(map(strict, value))
        case dict():
            items = [(strict(key), strict(item)) for key, item in value.items()]
            parts = tuple(items) if isinstance(value, OrderedDict) else frozenset(items)
        case tuple() | list() | deque() | range():
            parts = getattr(value, "maxlen", None), tuple(map(strict, value))
        case Domino() | Chain() | Human() | Bot():
            parts = tuple(map(strict, vars(value).values()))
        case _:
            parts = repr(value)
    return type(value), parts


@given(ANY)
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    tree = json.loads(text_of(WIRE.encode(value)))
    back = WIRE.decode(tree)
    assert (strict(back), text_of(WIRE.encode(back))) == (strict(value), text_of(tree)) and is_within_limits(tree)


@given(ANY, ANY)
def test_trees_are_equal_exactly_if_values_are_strictly_equal(one: Any, other: Any) -> None:
    assert (text_of(WIRE.encode(one)) == text_of(WIRE.encode(other))) == (strict(one) == strict(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (True, 1),
        (1, 1.0),
        ((1, 2), [1, 2]),
        ({1}, frozenset({1})),
        (Domino(True, 0), Domino(1, 0)),
        (Domino(1, 2), (1, 2)),
        (Human(1), Bot(1)),
        (EMPTY, None),
        ("", None),
        (0.0, -0.0),
        (ValueError, ValueError()),
        (ValueError("1"), ValueError(1)),
        (print, len),
        (Fraction(1, 2), 0.5),
        (Fraction(2), 2),
        (Decimal("1.0"), Decimal("1.00")),
        (Decimal(1), 1),
        (b"a", bytearray(b"a")),
        (b"a", "a"),
        (Counter("a"), {"a": 1}),
        (OrderedDict(a=1), {"a": 1}),
        (OrderedDict(a=1, b=2), OrderedDict(b=2, a=1)),
        (defaultdict(int), {}),
        (deque([1]), [1]),
        (deque([1]), deque([1], 5)),
        (date(2026, 1, 1), datetime(2026, 1, 1)),
        (datetime(2026, 1, 1), datetime(2026, 1, 1, tzinfo=UTC)),
        (time(1, fold=1), time(1)),
        (timedelta(days=1), 86400),
        (range(2), (0, 1)),
        (1 + 0j, 1.0),
    ],
)
def test_values_equal_only_to_python_are_distinguished(one: Any, other: Any) -> None:
    names = {id(print): "print", id(len): "len"}
    trees = [text_of(WIRE.encode(value, lambda thing: names.get(id(thing)))) for value in (one, other)]
    assert trees[0] != trees[1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (range(0, 5, 2), range(0, 6, 2)),
        (range(0), range(3, 3)),
        (range(7, 10**30, 10**29), range(7, 10**30 - 1, 10**29)),
        (Counter("ab"), Counter("ba")),
        (defaultdict(int, {1: 2}), defaultdict(list, {1: 2})),
        ({1: 2, 3: 4}, {3: 4, 1: 2}),
        ({"b", "a", "c"}, {"c", "b", "a"}),
    ],
)
def test_equivalent_values_have_one_tree(one: Any, other: Any) -> None:
    assert WIRE.encode(one) == WIRE.encode(other)


@given(TREES)
def test_dishonest_trees_raise_only_wire_errors(tree: Any) -> None:
    try:
        value = WIRE.decode(tree)
    except WireError:
        return
    names = {NamedFunction: lambda thing: thing.text}
    back = WIRE.encode(value, lambda thing: names.get(type(thing), lambda _: None)(thing))
    assert "?" in text_of(tree) or len(text_of(back)) == len(text_of(tree))


@pytest.mark.parametrize(
    "tree",
    [
        [],
        {},
        [1],
        [["t"]],
        1.5,
        float("nan"),
        ["no"],
        ["t", {}],
        ["v", "Domino", 1],
        ["v", "Domino", 1, 2, 3],
        ["v", "Chain"],
        ["v", "Path", "/"],
        ["v", ["Domino"], 1, 2],
        ["v"],
        ["e", "Domino", "left"],
        ["e", "Colour"],
        ["n", 1.5],
        ["n", "1_0"],
        ["n", " 1.0"],
        ["n", "1.0", "1.0"],
        ["n", "one"],
        ["s", 1, 1],
        ["s", ["l"]],
        ["d", "ab"],
        ["d", [1]],
        ["d", [1, 2], [1, 3]],
        ["d", [["l"], 1]],
        ["f", 5],
        ["f", "x" * 101],
        ["f", "a\nb"],
        ["f"],
        ["?", "\x1b[2J"],
        ["x", "Domino"],
        ["x", "UnicodeDecodeError", 1],
        ["x", "UnicodeDecodeError", "utf-8", ["bytes", "00"], -(10**15), 1 - 10**15, "str() would read far away"],
        ["x", ["ValueError"]],
        ["c", "int"],
        ["c", "ValueError", 1],
        ["Fraction", 2, 4],
        ["Fraction", 1, 0],
        ["Fraction", True, 2],
        ["Fraction", "1/2"],
        ["Fraction", "1e1000000000"],
        ["Fraction", ["Fraction", 1, 2], 3],
        ["Decimal", "1_0"],
        ["Decimal", "1E+9999"],
        ["Decimal", 1],
        ["Decimal", "sNaN"],
        ["date", 2026, 2, 30],
        ["datetime", 2026, 1, 1, 0, 0, 0, 0, 0, ["?", "ZoneInfo object"]],
        ["timedelta", 0, 90000, 0],
        ["bytes", "AB"],
        ["bytes", ["l", 1]],
        ["complex", 1, 2],
        ["range", 0, 5, 2],
        ["range", 0, 1],
        ["deque", 1, 1, 2],
        ["Counter", ["l", 1, 1]],
        ["Counter", ["d", [1, 2]], 3],
        ["Counter", ["range", 0, 10**12, 1]],
        ["OrderedDict", ["t", 1, 1], ["d", [1, 2]]],
        ["defaultdict"],
        ["iter"],
        ["iter", 1],
        ["iter", "...", 1],
        ["iter", "", *range(101)],
        ["iter", "a\nb"],
    ],
)
def test_dishonest_trees_are_refused(tree: Any) -> None:
    with pytest.raises(WireError):
        WIRE.decode(tree)


def test_a_tree_of_any_depth_is_a_wire_error_at_most() -> None:
    deep: Any = 1
    for _ in range(20_000):
        deep = ["t", deep]
    with pytest.raises(WireError):
        WIRE.decode(deep)
    assert not is_within_limits(deep)


def test_a_large_value_is_not_encoded() -> None:
    deep: tuple[Any, ...] = ()
    shared = deep
    cyclic: list[Any] = []
    for _ in range(DEEPEST_VALUE + 1):
        deep = (deep,)
    for _ in range(DEEPEST_VALUE - 1):
        shared = (shared, shared)
    cyclic.append(cyclic)
    wide, long = tuple(range(MOST_VALUE_NODES + 1)), "x" * 21 * MOST_VALUE_NODES
    for value in (deep, shared, cyclic, wide, long, ["x" * 10**4] * 200):
        with pytest.raises(TooLargeValue):
            WIRE.encode(value)


@pytest.mark.parametrize("value", [range(10**9), (1, [range(10**30, 0, -7)]), (range(9999),) * 99])
def test_a_range_that_nobody_goes_through_does_not_fit(value: object) -> None:
    assert not is_within_limits(["ok", WIRE.encode(value), "", []])
    assert is_within_limits(["ok", WIRE.encode((range(0), range(9, 0, -2), range(100_000))), "", []])


def test_a_value_as_large_as_may_be_fits() -> None:
    nested: Any = {}
    for key in range(DEEPEST_VALUE - 1):
        nested = {key: nested}
    for value in (nested, tuple(range(MOST_VALUE_NODES - 1)), (1.5,) * (MOST_VALUE_NODES - 1)):
        assert is_within_limits(["ok", WIRE.encode(value), "", []])


@pytest.mark.parametrize(
    ("value", "tree"),
    [
        (type("Tile", (Domino,), {})(1, 2), ["?", "Tile object"]),
        (type("Number", (int,), {})(1), ["?", "Number object"]),
        (object(), ["?", "object object"]),
        (1 << 9000, ["?", "an enormous int"]),
        (Decimal("sNaN"), ["?", "Decimal object"]),  # comparing it raises an exception
        (lambda: 0, ["f", "<student function>"]),
        (int, ["f", "<student function>"]),
    ],
)
def test_foreign_values_are_only_described(value: object, tree: object) -> None:
    assert WIRE.encode(value) == tree


class Sly(type(Fraction)):  # type: ignore[misc]
    __name__ = property(lambda cls: "Fraction")


class Liar(Fraction):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = Fraction.__hash__


class Forger(Fraction, metaclass=Sly):
    pass


class Impostor(type):
    __name__ = property(lambda cls: "Domino")  # type: ignore[assignment]


FORGED = type("Domino", (), {"left": 1, "right": 2})(), Impostor("Other", (), {"left": 1, "right": 2})()
DAY = type("date", (date,), {})(2026, 1, 1)


class Tally(Counter):  # type: ignore[type-arg]
    def items(self) -> Any:
        return {"a": 1}.items()


@pytest.mark.parametrize("value", [Liar(1, 2), Forger(1, 2), Tally("b"), DAY, *FORGED])
def test_a_value_with_a_forged_class_is_only_described(value: Any) -> None:
    assert WIRE.encode(value)[0] == "?" and WIRE.encode([value])[1][0] == "?"


class Own(Exception):
    pass


def raising(error: Exception) -> Any:
    yield 1
    raise error


ITERATORS = {
    (ENDED, 2): lambda: iter((1, 1)),
    (UNENDED, MOST_ITERATOR_ITEMS): lambda: repeat(1),
    (ENDED, MOST_ITERATOR_ITEMS): lambda: iter((1,) * MOST_ITERATOR_ITEMS),
    ("KeyError", 1): lambda: raising(KeyError("no")),
    (OWN_CLASS, 1): lambda: raising(Own()),
}


@pytest.mark.parametrize("ending", ITERATORS)
def test_iterator_is_its_items_and_how_it_ended(ending: tuple[str, int]) -> None:
    errors: list[BaseException] = []
    tree = WIRE.encode(ITERATORS[ending](), interrupted=errors)
    assert (tree, WIRE.decode(tree)) == (
        ["iter", ending[0], *(1,) * ending[1]],
        IteratedItems((1,) * ending[1], ending[0]),
    )
    assert len(errors) == (ending[0] not in (ENDED, UNENDED))


def test_unobservable_parts_are_named_wherever_they_are() -> None:
    value = {"?": 1, "a": [object(), (lambda: 0, Fraction(1, 2))], 1 << 9000: "?"}
    assert sorted(unobserved_parts(WIRE.encode(value))) == ["an enormous int", "function", "object object"]


def test_functions_travel_by_name_and_cannot_be_called_outside() -> None:
    tree, named = WIRE.encode(dominoes.first), NamedFunction("first")
    assert (tree, WIRE.decode(tree)) == (["f", "first"], named)
    assert WIRE.decode(tree, lambda name: getattr(dominoes, name)) is dominoes.first
    assert not callable(named) and named != OpaqueValue("first")


def test_exceptions_travel_with_their_arguments() -> None:
    back = WIRE.decode(WIRE.encode(ValueError("no", 1)))
    assert (type(back), back.args) == (ValueError, ("no", 1)) and WIRE.decode(WIRE.encode(KeyError)) is KeyError


@pytest.mark.parametrize("member", uno.COLORS)
def test_members_of_enumerations_travel_by_name(member: Any) -> None:
    assert Wire(uno).decode(Wire(uno).encode(member)) is member


@pytest.mark.promise("marks")
def test_a_class_with_more_than_fields_is_only_described(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a hand of wrong cards would be as right as any other."""
    monkeypatch.setitem(sys.modules, "hands", module := ModuleType("hands"))
    source = """
from abc import ABC
from collections import deque
from collections.abc import Sized
from dataclasses import dataclass
from decimal import Decimal
from typing import Generic, NamedTuple, TypeVar
class Hand(tuple): pass
@dataclass
class Bag(dict): owner: str = "me"
@dataclass
class Pile(deque): owner: str = "me"
@dataclass
class Price(Decimal): owner: str = "me"
class Card(NamedTuple): rank: int
class Box(Generic[TypeVar("T")]): pass
@dataclass
class Small(Box[int], Sized, ABC):
    size: int
    def __len__(self): return self.size
@dataclass
class Lost(Exception): size: int
"""
    exec(source, vars(module))
    wire, known = Wire(module), vars(module)
    assert {*wire.classes} == {"Card", "Small", "Lost"}
    trees = [wire.encode(value) for value in (known["Hand"]((1, 2)), known["Bag"](), known["Pile"](), known["Price"]())]
    assert trees == [["?", f"{name} object"] for name in ("Hand", "Bag", "Pile", "Price")]


@pytest.mark.promise("batch")
def test_colliding_items_are_refused_before_they_are_compared() -> None:
    colliding = [n * (2**61 - 1) for n in range(1, 16_000)]
    with pytest.raises(WireError, match="made to collide"):
        Wire(dominoes).decode(["s", *colliding])
    with pytest.raises(WireError, match="made to collide"):
        Wire(dominoes).decode(["d", *([n, 0] for n in colliding)])
    with pytest.raises(WireError):
        Wire(dominoes).decode(["OrderedDict", ["t", *colliding], ["t", *colliding]])
    assert len(Wire(dominoes).decode(["s", *range(16_000)])) == 16_000
