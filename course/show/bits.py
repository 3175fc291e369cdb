"""Values as they are shown: as code, cut where it is long, with a picture for each tile and card."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, partial
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, NamedTuple

from toolz.functoolz import Compose, curry

from course.dominoes import Chain
from course.functional import Recur
from course.show.drawing import art
from course.show.pictures import picture_of
from course.show.snapshots import Alive, Copied, Held, kind_name
from course.show.spoken import spoken
from course.values import Named, Todo, positional_repr

ROOM, LONGEST_BIT = 160, 60
MOST_SHARES, LEAST_LENGTH = 4, 16  # among how many parts of a value room is shared, and what each gets at least
TILE = re.compile(r"\d+-\d+")
MORE = "…"


class Bit(NamedTuple):
    """A piece of what is shown: its text, the key of its picture if it has one, and how it looks."""

    text: str
    picture: str = ""
    look: str = ""


def bits_of(thing: Any, room: int = ROOM) -> tuple[Bit, ...]:
    """Return a value as code, in about `room` characters.

    >>> text_of(bits_of((1, "a", [None])))
    "(1, 'a', [None])"
    >>> text_of(bits_of(tuple(range(1000)), 20))
    '(0, 1, 2, 3, 4, 5, 6, … 993 more)'
    """
    return merged(_Writer(room).value(thing))


def text_of(bits: Iterable[Bit]) -> str:
    """Return bits as text."""
    return "".join(bit.text for bit in bits)


def code_of(thing: Any, room: int = ROOM) -> str:
    """Return a value as code, in about `room` characters, without pictures."""
    return text_of(_Writer(room, pictures=False).value(thing))


def merged(bits: Iterable[Bit]) -> tuple[Bit, ...]:
    """Return bits with texts put together that look the same."""
    found: list[Bit] = []
    for bit in bits:
        if found and not bit.picture and not found[-1].picture and found[-1].look == bit.look:
            found[-1] = found[-1]._replace(text=found[-1].text + bit.text)
        elif bit.text:
            found.append(bit)
    return tuple(found)


@cache
def can_draw(key: str) -> bool:
    """Return whether there is a picture of a key, and words for it: a tile may have halves that no tile has."""
    try:
        spoken(key)
        return bool(key) and "--" not in key and ":-" not in key and bool(art(key))
    except Exception:  # a learner's value may hold anything
        return False


def drawn(thing: Any) -> str:
    """Return the key of a thing's picture, the empty text if it has none."""
    try:
        key = picture_of(thing)
    except Exception:  # as above: a card of a rank that is no rank
        return ""
    return key if can_draw(key) else ""


class _Writer:
    """Writes a value bit by bit, until there is no more room."""

    def __init__(self, room: int, pictures: bool = True) -> None:
        self.room, self.pictures = room, pictures

    def value(self, thing: Any) -> tuple[Bit, ...]:
        """Return a thing's bits; of what cannot be looked at, as a learner's class may have it, the class's name."""
        try:
            return tuple(self._value(thing))
        except Exception:
            return (self._said(f"<{kind_name(thing)}>"),)

    def _value(self, thing: Any) -> Iterator[Bit]:
        picture = drawn(thing) if self.pictures else ""
        if picture:
            yield self._said(_Writer(ROOM, pictures=False).text(thing), picture, 4)
        elif self.pictures and type(thing) is Chain and isinstance(thing.text, str) and len(thing.text) <= LONGEST_BIT:
            yield from self._chain(thing)
        else:
            yield from self._code(thing)

    def _chain(self, chain: Chain) -> Iterator[Bit]:
        """Yield a chain with its tiles as pictures, one against the other."""
        yield self._said(f"Chain({chain.left!r}, '")
        for place, tile in enumerate(chain.text.split(" ")):
            key = f"tile:{tile}" if TILE.fullmatch(tile) else ""
            yield from [self._said(" ", room=1)] * (place > 0)
            yield self._said(tile, key if can_draw(key) else "", 4)
        yield self._said(f"', {chain.right!r})")

    def text(self, thing: Any) -> str:
        return "".join(bit.text for bit in self.value(thing))

    def _said(self, text: str, picture: str = "", room: int = 0) -> Bit:
        self.room -= room or len(text)
        return Bit(text, picture)

    def _code(self, thing: Any) -> Iterator[Bit]:
        match thing:
            case Alive(kind=kind):
                yield self._said(f"<{kind}>")
            case Held(kind=kind, items=items):
                yield from self._held(kind, items)
            case Copied(kind=kind, fields=named):
                yield from self._named(kind, named)
            case tuple() if hasattr(thing, "_fields"):
                yield from self._named(type(thing).__name__, zip(thing._fields, thing, strict=False))
            case tuple():
                yield from self._several("(", thing, ",)" if len(thing) == 1 else ")")
            case list():
                yield from self._several("[", thing, "]")
            case Recur():
                yield from self._several("recur(", thing.args, ")")
            case Compose() | partial() | curry():
                yield from self._made(thing)
            case _ if is_dataclass(thing) and not isinstance(thing, type):
                yield from self._dataclass(thing)
            case _:
                yield self._said(name_of(thing))

    def _several(self, begin: str, things: Any, end: str) -> Iterator[Bit]:
        yield self._said(begin)
        for place, thing in enumerate(things):
            if self.room <= 0:
                yield Bit(f"{', ' if place else ''}{MORE} {len(things) - place} more")
                end = end.strip(",")
                break
            yield self._said(", " if place else "")
            yield from self._share(thing, len(things) - place)
        yield self._said(end)

    def _share(self, thing: Any, left: int) -> tuple[Bit, ...]:
        """Return the bits of one of the things that are left to write: a long one leaves room for those after it."""
        room = max(self.room // min(left, MOST_SHARES), LEAST_LENGTH)
        whole, self.room = self.room, room
        bits = self.value(thing)
        self.room += whole - room
        return bits

    def _named(self, kind: str, named: Iterable[tuple[str, Any]]) -> Iterator[Bit]:
        yield self._said(f"{kind}(")
        pairs = tuple(named)
        for place, (name, thing) in enumerate(pairs):
            if self.room <= 0:
                yield Bit(f", {MORE}")
                break
            yield self._said(f"{', ' if place else ''}{name}=")
            yield from self._share(thing, len(pairs) - place)
        yield self._said(")")

    def _held(self, kind: str, items: tuple[Any, ...]) -> Iterator[Bit]:
        if kind != "dict":
            yield from self._several("{" if kind == "set" else f"{kind}(", items, "}" if kind == "set" else ")")
            return
        yield self._said("{")
        for place, (key, thing) in enumerate(items):
            yield self._said(", " if place else "")
            yield from self.value(key)
            yield self._said(": ")
            yield from self.value(thing)
        yield self._said("}")

    def _made(self, thing: Any) -> Iterator[Bit]:
        """Yield a function that was made of others."""
        if isinstance(thing, Compose):
            yield from self._several("compose(", (*reversed(thing.funcs), thing.first), ")")
        elif isinstance(thing, partial):
            yield from self._several("partial(", (thing.func, *thing.args), ")")
        elif thing.args:
            yield from self._several(f"{name_of(thing.func)}(", thing.args, ")")
        else:
            yield self._said(name_of(thing.func))

    def _dataclass(self, thing: Any) -> Iterator[Bit]:
        kind, shows = type(thing), type(thing).__repr__
        is_own = kind.__module__.startswith("course.") and shows is not positional_repr
        if is_own and len(repr(thing)) <= max(self.room, LEAST_LENGTH):
            yield self._said(repr(thing))
            return
        inside = [(field.name, getattr(thing, field.name, None)) for field in fields(thing)]
        if is_own or shows is positional_repr:
            yield from self._several(f"{kind.__name__}(", tuple(each for _, each in inside), ")")
        else:
            yield from self._named(kind.__name__, inside)


def name_of(thing: Any) -> str:
    """Return what is no collection as code; what is alive as its kind in angle brackets."""
    match thing:
        case str() | bytes():
            return repr(thing) if len(thing) <= LONGEST_BIT else f"{thing[:LONGEST_BIT]!r}{MORE}"
        case FunctionType() | BuiltinFunctionType() | MethodType() | type():
            return thing.__name__.replace("<lambda>", "λ")
        case int() if thing.bit_length() > 200:
            return f"<a whole number of about {thing.bit_length() * 3 // 10:,} digits>"
        case BaseException():
            return story(thing)
        case None | bool() | int() | float() | complex() | range() | Todo():
            return repr(thing)
        case Enum():
            is_bare = isinstance(thing, Named) or type(thing).__module__.startswith("course.")
            return thing.name if is_bare else f"{type(thing).__name__}.{thing.name}"
    return f"<{type(thing).__name__}>"


def story(error: BaseException) -> str:
    """Return an exception as Python's last line on it says it, without asking it."""
    args = BaseException.args.__get__(error)  # type: ignore[attr-defined]
    said = ", ".join(each if isinstance(each, str) and len(args) == 1 else code_of(each) for each in args)
    return f"{kind_name(error)}: {said[: LONGEST_BIT * 4]}" if said else kind_name(error)
