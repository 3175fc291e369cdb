"""Encode values as plain JSON, and decode them by a strict table: no pickle, no `eval`, and only the unit's classes.

Integers, strings, booleans and None are encoded as themselves. Any other value becomes a list whose first item names
the value's kind. Two values are strictly equal exactly when their trees are equal: `True` is not `1`, and a list is not
a tuple.
"""

from __future__ import annotations

import builtins
import json
import sys
from collections.abc import Callable, Collection, Iterator, Sized
from dataclasses import fields, is_dataclass
from enum import Enum
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from course.exam.standard import (
    MUTABLE_STANDARD_TYPES,
    STANDARD_TYPES,
    UNENDED,
    IteratedItems,
    have_few_collisions,
    standard_parts,
    standard_value,
)
from course.limits import DEEPEST_VALUE, MOST_BITS, MOST_ITERATOR_ITEMS, MOST_VALUE_NODES

Tree = Any
_json_text = json.JSONEncoder(separators=(",", ":")).encode
C = TypeVar("C", bound=Sized)
STANDARD_TYPE_MODULES = {name: kind.module for name, kind in STANDARD_TYPES.items() if kind.module != "builtins"}
LEAF_TYPES = frozenset({type(None), bool, int, str})
SMALL_NUMBER_BOUND = 1 << 60
_attribute_of = object.__getattribute__
MUTABLE_HEADS = MUTABLE_STANDARD_TYPES | {"l", "d", "s"}
TIMES_AS_LARGE, ROOM_FOR_MORE = 4, 4_000
MODULES_WITHOUT_PARTS = {"abc", "collections.abc", "typing"}  # modules of Python whose classes hold nothing themselves
OWN_CLASS, OWN_FUNCTION = "a class of their own", "<student function>"
BUILTIN_ERRORS = {
    name: error
    for name, error in vars(builtins).items()
    if isinstance(error, type) and issubclass(error, BaseException) and error.__name__ == name
}
# In Python 3.11, the `str` of these exceptions reads memory wherever their arguments say, and can crash the process.
UNREADABLE_ERRORS = UnicodeDecodeError, UnicodeEncodeError, UnicodeTranslateError


class WireError(ValueError):
    """Raised for a tree that is not the encoding of a value."""


class TooLargeValue(Exception):
    """Raised for a value with more parts, or deeper nesting, than an observation may have."""


class _DescribedValue:
    """A value of which only a description is known. Values with the same description are equal."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.text == self.text  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return self.text


class OpaqueValue(_DescribedValue):
    """A value that cannot be encoded, described by a short text."""

    def __repr__(self) -> str:
        return f"<{self.text}>"


class NamedFunction(_DescribedValue):
    """A function in another process. Only the function's name is known, so the function cannot be called."""


def text_of(tree: Tree) -> str:
    """Return the canonical text of a tree. Two trees are equal exactly if their texts are equal."""
    return _json_text(tree)


def is_within_limits(tree: Tree) -> bool:
    """Return whether a tree is within the limits of size and depth.

    The items of each range are counted, too, because code that judges the value may loop over them.
    """
    level, nodes = [tree], 0
    for _ in range(2 * DEEPEST_VALUE + 10):
        lists = [item for item in level if type(item) is list]
        nodes += len(level)
        for head, *numbers in (item for item in lists if len(item) == 4):
            if head == "range" and {*map(type, numbers)} == {int} and numbers[2]:
                start, stop, step = numbers
                nodes += max(0, (stop - start) // step)
        if not level or nodes > 4 * MOST_VALUE_NODES or dict in map(type, level):
            return not level
        level = [part for item in lists for part in item]
    return False


def has_comparable_length(text: str | bytes, expected: str | bytes) -> bool:
    """Return whether the text of a result is not much longer than the text of the expected result.

    Acceptance relations do not judge results that are much longer than the expected result.

    >>> has_comparable_length("x" * 5000, "xx"), has_comparable_length("x" * 9000, "x" * 4000)
    (False, True)
    """
    return len(text) <= TIMES_AS_LARGE * len(expected) + ROOM_FOR_MORE


class Wire:
    """The table that encodes a unit's values: the unit's classes, and the functions that may be part of values."""

    def __init__(self, module: ModuleType) -> None:
        exported = {name: thing for name, thing in vars(module).items() if not name.startswith("_")}
        classes = {n: thing for n, thing in exported.items() if isinstance(thing, type) and thing.__name__ == n}
        self.classes = {n: c for n, c in classes.items() if _shows_its_parts(c)}
        self.fields = dict[type, tuple[str, ...]]()
        self.enums, self.named, self.mutable = set[int](), set[type](), set[str]()
        for name, cls in self.classes.items():
            if issubclass(cls, Enum):
                self.enums.add(id(cls))
            elif is_dataclass(cls):
                self.fields[cls] = tuple(field.name for field in fields(cls))
                if not all(field.init and not field.kw_only for field in fields(cls)):  # not passed by position
                    self.named.add(cls)
                if not cls.__dataclass_params__.frozen:  # type: ignore[attr-defined]
                    self.mutable.add(name)
            else:
                self.fields[cls] = tuple(getattr(cls, "_fields", ()))
        self.given = {name: vars(module).get(name) for name in getattr(module, "__all__", exported)}
        self.homes = (
            dict.fromkeys(exported, module.__name__)
            | STANDARD_TYPE_MODULES
            | dict.fromkeys(self.classes, module.__name__)
        )
        self.errors = BUILTIN_ERRORS | {n: c for n, c in classes.items() if issubclass(c, BaseException)}
        probes = {probe.__name__: probe for probe in getattr(module, "PROBES", ())}
        self.functions = {n: thing for n, thing in exported.items() if isinstance(thing, FunctionType)} | probes
        self.names = {id(function): name for name, function in self.functions.items()}

    def encode(
        self,
        value: object,
        names: Callable[[object], str | None] = lambda _: None,
        interrupted: list[BaseException] | None = None,
    ) -> Tree:
        """Return the tree of `value`. Raises TooLargeValue if the value has too many parts or is nested too deeply.

        For a function that is not in this table, `names` returns its name, or None. Iterators are consumed only if
        `interrupted` is a list. Exceptions that iterators raise are added to `interrupted`.
        """
        return _Encoder(self, names, interrupted).tree(value, 0)

    def error_name(self, error: BaseException) -> str:
        """Return the name of an exception's class, or OWN_CLASS if the table does not contain this class."""
        cls = type(error)
        return cls.__name__ if self.errors.get(cls.__name__) is cls else OWN_CLASS

    def is_mutable(self, tree: Tree) -> bool:
        """Return whether the value that a tree encodes is mutable, or has a mutable part."""
        if type(tree) is not list:
            return False
        head, *rest = tree
        is_itself = head in MUTABLE_HEADS or (head == "v" and rest[0] in self.mutable)
        return is_itself or any(map(self.is_mutable, rest))

    def decode(self, tree: Tree, function: Callable[[str], object] = NamedFunction) -> object:
        """Return the value of `tree`. Raises WireError if the tree is malformed.

        `function` takes the name of a function and returns the function.
        """
        try:
            return self._decode(tree, function)
        except WireError:
            raise
        except Exception as error:
            raise WireError(f"a malformed value ({type(error).__name__})") from None

    def _decode(self, tree: Tree, function: Callable[[str], object]) -> object:
        if type(tree) in LEAF_TYPES:
            return tree
        if type(tree) is not list or not tree or type(tree[0]) is not str:
            raise WireError("a malformed value")
        head, *rest = tree
        return _DECODERS[head](self, rest, function)

    def _decode_items(self, trees: list[Tree], function: Callable[[str], object]) -> list[object]:
        """Return the values of some trees. Leaves are decoded on a fast path."""
        return [tree if type(tree) in LEAF_TYPES else self._decode(tree, function) for tree in trees]

    def _decode_dict(self, rest: list[Tree], function: Callable[[str], object]) -> dict[object, object]:
        if any(type(pair) is not list or len(pair) != 2 for pair in rest):
            raise WireError("a malformed pair")
        pairs = [(self._decode(key, function), self._decode(item, function)) for key, item in rest]
        _ensure_few_collisions([key for key, _ in pairs])
        return _without_duplicates(dict(pairs), rest)

    def _decode_set(self, rest: list[Tree], function: Callable[[str], object]) -> set[object]:
        items = self._decode_items(rest, function)
        _ensure_few_collisions(items)
        return _without_duplicates(set(items), rest)

    def _decode_instance(self, rest: list[Tree], function: Callable[[str], object]) -> object:
        cls: Any = self.classes[rest[0]]
        if len(rest) - 1 != len(self.fields[cls]):
            raise WireError(f"a malformed {rest[0]}")
        items = self._decode_items(rest[1:], function)
        if cls not in self.named:
            return cls(*items)
        parts = dict(zip(self.fields[cls], items, strict=True))
        value = cls(**{field.name: parts[field.name] for field in fields(cls) if field.init})
        for name in (field.name for field in fields(cls) if not field.init):  # set by the class itself
            object.__setattr__(value, name, parts[name])
        return value

    def _decode_member(self, rest: list[Tree], function: Callable[[str], object]) -> Enum:
        cls, name = self.classes[rest[0]], _only_item(rest[1:])
        if not issubclass(cls, Enum):
            raise WireError(f"no member of {rest[0]}")
        return cls[name]

    def _decode_iterator(self, rest: list[Tree], function: Callable[[str], object]) -> IteratedItems:
        end, *items = rest
        if len(items) > MOST_ITERATOR_ITEMS or (end == UNENDED and len(items) < MOST_ITERATOR_ITEMS):
            raise WireError("a malformed iterator")
        return IteratedItems(tuple(self._decode_items(items, function)), _short_name(end))

    def _decode_error(self, rest: list[Tree], function: Callable[[str], object]) -> BaseException:
        cls = self.errors[rest[0]]
        if issubclass(cls, UNREADABLE_ERRORS):
            raise WireError("an exception that cannot be read")
        return cls(*self._decode_items(rest[1:], function))


def _only_item(rest: list[Tree]) -> Tree:
    if len(rest) != 1:
        raise WireError("a malformed value")
    return rest[0]


def _ensure_few_collisions(items: list[object]) -> None:
    """Raise WireError if many items have the same hash, because making a set of them would take minutes."""
    if not have_few_collisions(items):
        raise WireError("items that are made to collide")


def _without_duplicates(items: C, rest: list[Tree]) -> C:
    """Return `items`, a set or a dict made from `rest`. Raises WireError if an item occurs twice."""
    if len(items) != len(rest):
        raise WireError("the same item twice")
    return items


def _decoded_float(text: Tree) -> float:
    if type(text) is not str or repr(float(text)) != text:
        raise WireError("a malformed float")
    return float(text)


def _standard_decoder(name: str) -> Callable[[Wire, list[Tree], Callable[[str], object]], object]:
    return lambda wire, rest, function: standard_value(name, wire._decode_items(rest, function))


_DECODERS: dict[str, Callable[[Wire, list[Tree], Callable[[str], object]], object]] = {
    "t": lambda wire, rest, function: tuple(wire._decode_items(rest, function)),
    "l": Wire._decode_items,
    "d": Wire._decode_dict,
    "s": Wire._decode_set,
    "z": lambda wire, rest, function: frozenset(wire._decode_set(rest, function)),
    "v": Wire._decode_instance,
    "e": Wire._decode_member,
    "n": lambda _wire, rest, _: _decoded_float(_only_item(rest)),
    "f": lambda _wire, rest, function: function(_short_name(_only_item(rest))),
    "x": Wire._decode_error,
    "c": lambda wire, rest, _: wire.errors[_only_item(rest)],
    "?": lambda _wire, rest, _: OpaqueValue(_short_name(_only_item(rest))),
    "iter": Wire._decode_iterator,
    **{name: _standard_decoder(name) for name in STANDARD_TYPES},
}


def _shows_its_parts(cls: type) -> bool:
    """Return whether the values of a class consist of its fields only, or are the members of an enumeration.

    In other classes, such as a subclass of `tuple` or `dict`, values with different items would have the same tree.
    """
    if issubclass(cls, (Enum, tuple)):
        return issubclass(cls, Enum) or hasattr(cls, "_fields")
    bases = (base for base in cls.__mro__[1:-1] if base.__module__.split(".")[0] in sys.stdlib_module_names)
    hold_none = all(base.__module__ in MODULES_WITHOUT_PARTS or issubclass(base, BaseException) for base in bases)
    return is_dataclass(cls) and hold_none


def unobserved_parts(tree: Tree) -> Iterator[str]:
    """Yield a description of each part of a tree that could not be observed completely."""
    match tree:
        case ["?", str(text)]:
            yield text
        case ["f", str(name)] if name == OWN_FUNCTION:
            yield "function"
        case ["iter", str(end), *_] if end == OWN_CLASS:
            yield "iterator that raises an exception of a class of its own"
        case ["d", *pairs]:
            yield from (text for pair in pairs for part in pair for text in unobserved_parts(part))
        case [*parts]:
            yield from (text for part in parts for text in unobserved_parts(part))


def _short_name(text: object) -> str:
    if type(text) is not str or len(text) > 100 or not text.isprintable():
        raise WireError("a malformed name")
    return text


class _Encoder:
    """An encoder of one value, which counts its parts. A container counts its items."""

    def __init__(
        self, wire: Wire, names: Callable[[object], str | None], interrupted: list[BaseException] | None
    ) -> None:
        self.wire, self.names, self.interrupted, self.nodes = wire, names, interrupted, 1

    def _count_parts(self, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes > MOST_VALUE_NODES:
            raise TooLargeValue

    def _item_trees(self, values: Collection[object], depth: int) -> list[Tree]:
        """Return the trees of some values at a depth. Most of them are small numbers, which have a fast path."""
        self._count_parts(len(values))
        if values and depth > DEEPEST_VALUE:
            raise TooLargeValue
        return [
            value
            if type(value) is int and -SMALL_NUMBER_BOUND < value < SMALL_NUMBER_BOUND
            else self.tree(value, depth)
            for value in values
        ]

    def tree(self, value: Any, depth: int) -> Tree:
        cls = type(value)
        if value is None or cls is bool:
            return value
        if cls is int:
            return value if value.bit_length() <= MOST_BITS else ["?", "an enormous int"]
        if cls is str:
            self._count_parts(len(value) // 20)
            return value
        if cls is tuple:
            return ["t", *self._item_trees(value, depth + 1)]
        if cls in self.wire.fields:
            parts = [_attribute_of(value, name) for name in self.wire.fields[cls]]
            return ["v", cls.__name__, *self._item_trees(parts, depth + 1)]
        if id(cls) in self.wire.enums:
            return ["e", cls.__name__, value._name_]
        return self._tree_of_rarer_value(value, cls, depth)

    def _tree_of_rarer_value(self, value: Any, cls: type, depth: int) -> Tree:
        if cls is list:
            return ["l", *self._item_trees(value, depth + 1)]
        if cls is set or cls is frozenset:
            items = self._item_trees(value, depth + 1)
            return ["s" if cls is set else "z", *sorted(items, key=text_of)]
        if cls is dict:
            pairs = [self._item_trees(pair, depth + 1) for pair in value.items()]
            return ["d", *sorted(pairs, key=text_of)]
        if cls is float:
            return ["n", repr(value)]
        return self._tree_by_class(value, cls, depth)

    def _tree_by_class(self, value: Any, cls: type, depth: int) -> Tree:
        if (parts := standard_parts(value, cls)) is not None:
            return [cls.__name__, *self._item_trees([*parts], depth + 1)]
        if cls is IteratedItems:
            return ["iter", value.end, *self._item_trees(value.items, depth + 1)]
        if name := self.wire.names.get(id(value)) or self.names(value):
            return ["f", name]
        if self.wire.errors.get(cls.__name__) is cls and not issubclass(cls, UNREADABLE_ERRORS):
            return ["x", cls.__name__, *self._item_trees(value.args, depth + 1)]
        if cls is type and self.wire.errors.get(own := type.__getattribute__(value, "__name__")) is value:
            return ["c", own]
        if self.interrupted is not None and hasattr(cls, "__next__") and hasattr(cls, "__iter__"):
            return self._iterator_tree(value, depth)
        name = type.__getattribute__(cls, "__name__")
        safe = name if name.isidentifier() and len(name) < 60 else "value"
        return ["f", OWN_FUNCTION] if callable(value) else ["?", f"{safe} object"]

    def _iterator_tree(self, value: Iterator[object], depth: int) -> Tree:
        """Consume the observed items of an iterator, and encode them."""
        assert self.interrupted is not None
        items: list[Tree] = []
        try:
            for item in value:
                if len(items) == MOST_ITERATOR_ITEMS:
                    return ["iter", UNENDED, *items]
                items += self._item_trees((item,), depth + 1)
        except (TooLargeValue, MemoryError):
            raise
        except Exception as error:
            self.interrupted.append(error)
            return ["iter", self.wire.error_name(error), *items]
        return ["iter", "", *items]
