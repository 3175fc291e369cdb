"""Values as code, shortened if they are long, with a picture for each tile and card."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache, partial
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import TYPE_CHECKING, NamedTuple

from toolz.functoolz import Compose, curry

from course.functional import Recur
from course.kernel import catalogue
from course.limits import MOST_CACHED_PICTURES
from course.show.pictures import picture_of, picture_svg, pictures_of_type, spoken
from course.show.snapshots import ContainerCopy, ObjectCopy, UncopiedValue, class_name
from course.values import Named, Todo, positional_repr

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

SIMPLE_TYPES = frozenset((str, bytes, bool, int, float, complex))  # a subclass may have a `__repr__` that never ends
ROOM, BIT_ROOM = 160, 60
PICTURED_ROOM, PICTURE_ROOM = 75, 4  # the most characters of code with pictures side by side; the room of a picture
SHARES, LEAST_LENGTH = 4, 16  # the largest number of parts that share the room, and the least room for each
SHOWN_HAND_SIZES = None, 7, 3, 1  # most items of each hand: all, or fewer, so that there is room for all players
ELLIPSIS = "…"
LARGE_NUMBER_PATTERN = re.compile(r"\d[\d_]{3}")


class DisplayPiece(NamedTuple):
    """A piece of displayed text, the key of the piece's picture (or ""), and its look: "code", or "" for prose."""

    text: str
    picture: str = ""
    look: str = ""


def bits_of(thing: object, room: int = ROOM) -> tuple[DisplayPiece, ...]:
    """Return a value as code of about `room` characters, divided into pieces. Cards and tiles are pieces with pictures.

    >>> joined_text(bits_of((1, "a", [None])))
    "(1, 'a', [None])"
    >>> joined_text(bits_of(tuple(range(1000)), 20))
    '(0, 1, 2, 3, 4, 5, 6, … 993 more)'
    """
    for most in SHOWN_HAND_SIZES:
        writer = _ValueWriter(room, most=most)
        bits = writer.write(thing)
        if not writer.has_lost_parts:
            return merged_pieces(bits)
    return merged_pieces(_ValueWriter(room).write(thing))


def joined_text(bits: Iterable[DisplayPiece]) -> str:
    """Return the text of several pieces, joined."""
    return "".join(bit.text for bit in bits)


def code_of(thing: object, room: int = ROOM) -> str:
    """Return a value as code, in about `room` characters."""
    return joined_text(_ValueWriter(room, pictures=False).write(thing))


def merged_pieces(bits: Iterable[DisplayPiece]) -> tuple[DisplayPiece, ...]:
    """Join neighboring pieces that have the same look and no pictures, and return all pieces."""
    results: list[DisplayPiece] = []
    for bit in bits:
        if results and not bit.picture and not results[-1].picture and results[-1].look == bit.look:
            results[-1] = results[-1]._replace(text=results[-1].text + bit.text)
        elif bit.text:
            results.append(bit)
    return tuple(results)


@lru_cache(maxsize=MOST_CACHED_PICTURES)
def can_draw(key: str) -> bool:
    """Return whether a key has a picture and a name. A tile with impossible halves has no picture and no name.

    Large numbers are not drawn, because a picture of so many things, such as seeds in Kalah, could take all memory of
    the grader.
    """
    if LARGE_NUMBER_PATTERN.search(key):
        return False
    try:
        spoken(key)
        return bool(key) and bool(picture_svg(key))
    except Exception:  # a learner's value may contain anything
        return False


def picture_key(thing: object) -> str:
    """Return the key of a value's picture, or ""."""
    try:
        key = picture_of(thing)
    except Exception:  # as above: a card may have an impossible rank
        return ""
    return key if can_draw(key) else ""


def picture_row(thing: object) -> tuple[DisplayPiece, ...]:
    """Return a value's code as a row of pictures, such as the tiles of a chain; () if the value has no pictures."""
    try:
        declared = pictures_of_type(type(thing))
        parts_of = declared.rows.get(type(thing)) if declared else None
        return (
            tuple(DisplayPiece(text, key if can_draw(key) else "") for text, key in parts_of(thing)) if parts_of else ()
        )
    except Exception:  # as above: a chain may have a number for its text
        return ()


class _ValueWriter:
    """An object that writes a value as pieces, with about `room` letters. Long collections lose their last items.

    `most` is the largest number of items that are written of each collection of simple values, such as a hand. All
    other parts are written until the room is full. `has_lost_parts` is true if the room was too small for some parts.
    """

    def __init__(self, room: int, pictures: bool = True, most: int | None = None) -> None:
        self.room, self.pictures, self.most, self.has_lost_parts = room, pictures, most, False

    def write(self, thing: object) -> tuple[DisplayPiece, ...]:
        """Return the pieces of a value's code.

        If a method of the value raises an exception, return only the name of the value's class.
        """
        try:
            if picture := picture_key(thing) if self.pictures else "":
                code = joined_text(_ValueWriter(ROOM, pictures=False).write(thing))
                return (self._take_piece(code, picture, PICTURE_ROOM),)
            row = picture_row(thing) if self.pictures else ()
            if row and len(joined_text(row)) <= PICTURED_ROOM:
                return tuple(self._take_piece(bit.text, bit.picture, PICTURE_ROOM * bool(bit.picture)) for bit in row)
            return tuple(self._write_code(thing))
        except Exception:
            return (self._take_piece(f"<{class_name(thing)}>"),)

    def _take_piece(self, text: str, picture: str = "", room: int = 0) -> DisplayPiece:
        self.room -= room or len(text)
        return DisplayPiece(text, picture)

    def _write_code(self, thing: object) -> Iterator[DisplayPiece]:
        match thing:
            case UncopiedValue(kind=kind):
                yield self._take_piece(f"<{kind}>")
            case ContainerCopy(kind=kind, items=items):
                begin, end = ("{", "}") if kind in ("set", "dict") else (f"{kind}(", ")")
                labels = [f"{code_of(key)}: " for key, _ in items] if kind == "dict" else []
                yield from self._write_parts(begin, [value for _, value in items] if labels else items, end, labels)
            case ObjectCopy(kind=kind, fields=named):
                labels = [f"{name}=" for name, _ in named]
                yield from self._write_parts(f"{kind}(", [part for _, part in named], ")", labels)
            case tuple() if hasattr(thing, "_fields"):
                yield from self._write_parts(
                    f"{type(thing).__name__}(", thing, ")", [f"{name}=" for name in thing._fields]
                )
            case tuple():
                yield from self._write_parts("(", thing, ",)" if len(thing) == 1 else ")")
            case list():
                yield from self._write_parts("[", thing, "]")
            case Recur():
                yield from self._write_parts("recur(", thing.args, ")")
            case Compose() | partial() | curry():
                yield from self._write_made_function(thing)
            case _ if is_dataclass(thing) and not isinstance(thing, type):
                yield from self._write_dataclass(thing)
            case _:
                yield self._take_piece(simple_code(thing))

    def _write_parts(
        self, begin: str, things: Sequence[object], end: str, labels: Sequence[str] = ()
    ) -> Iterator[DisplayPiece]:
        """Yield the pieces of a collection's items, or of an object's fields, whose names are in `labels`."""
        yield self._take_piece(begin)
        is_hand = begin in ("(", "[", "{") and not any(map(contains_collection, things))
        most = self.most if self.most and is_hand else len(things)
        for index, thing in enumerate(things):
            if self.room <= 0 or index >= most:
                self.has_lost_parts |= not is_hand
                comma = ", " if index else ""
                yield DisplayPiece(f"{comma}{ELLIPSIS}" if labels else f"{comma}{ELLIPSIS} {len(things) - index} more")
                end = end.strip(",")
                break
            yield self._take_piece((", " if index else "") + (labels[index] if labels else ""))
            yield from self._write_part(thing, len(things) - index)
        yield self._take_piece(end)

    def _write_part(self, thing: object, left: int) -> tuple[DisplayPiece, ...]:
        """Return the pieces of one part. A long part is shortened, to leave room for later parts.

        `left` is the number of parts that are not written yet, including this part.
        """
        room = self.room if self.most else max(self.room // min(left, SHARES), LEAST_LENGTH)
        complete, self.room = self.room, room
        bits = self.write(thing)
        self.room += complete - room
        return bits

    def _write_made_function(self, thing: Compose | partial[object] | curry) -> Iterator[DisplayPiece]:
        """Yield the pieces of a function that was made from other functions, such as a partial function."""
        match thing:
            case Compose():
                yield from self._write_parts("compose(", (*reversed(thing.funcs), thing.first), ")")
            case partial():
                yield from self._write_parts("partial(", (thing.func, *thing.args), ")")
            case curry(args=()):
                yield self._take_piece(simple_code(thing.func))
            case curry():
                yield from self._write_parts(f"{simple_code(thing.func)}(", thing.args, ")")

    def _write_dataclass(self, thing: DataclassInstance) -> Iterator[DisplayPiece]:
        kind, shows = type(thing), type(thing).__repr__
        is_own = catalogue.has_units(kind.__module__.partition(".")[0]) and shows is not positional_repr
        if (
            is_own
            and not (self.most and contains_collection(thing))
            and len(repr(thing)) <= max(self.room, LEAST_LENGTH)
        ):
            yield self._take_piece(repr(thing))
            return
        names = [field.name for field in fields(thing)]
        inside = [getattr(thing, name, None) for name in names]
        labels = [] if is_own or shows is positional_repr else [f"{name}=" for name in names]
        yield from self._write_parts(f"{kind.__name__}(", inside, ")", labels)


def contains_collection(thing: object) -> bool:
    """Return whether a value is a collection, or has a field with a collection, such as a player's hand."""
    inside = [thing]
    if is_dataclass(thing) and not isinstance(thing, type):
        inside = [getattr(thing, field.name, None) for field in fields(thing)]
    return any(isinstance(each, tuple | list) and not picture_key(each) for each in inside)


def simple_code(thing: object) -> str:
    """Return a simple value as code, and any other object as the name of its class in angle brackets."""
    match thing:
        case str() | bytes() | int() | float() | complex() if type(thing) not in SIMPLE_TYPES and not isinstance(
            thing, Enum
        ):
            return f"<{type(thing).__name__}>"
        case str() | bytes():
            return repr(thing) if len(thing) <= BIT_ROOM else f"{thing[:BIT_ROOM]!r}{ELLIPSIS}"
        case FunctionType() | BuiltinFunctionType() | MethodType() | type():
            return thing.__name__.replace("<lambda>", "λ")
        case int() if thing.bit_length() > 200:
            return f"<a whole number of about {thing.bit_length() * 3 // 10:,} digits>"
        case BaseException():
            return f"{class_name(thing)}({', '.join(map(code_of, arguments_of(thing)))})"
        case None | bool() | int() | float() | complex() | range() | Todo():
            return repr(thing)
        case Enum():
            is_bare = isinstance(thing, Named) or type(thing).__module__.startswith("course.")
            return thing.name if is_bare else f"{type(thing).__name__}.{thing.name}"
    return f"<{type(thing).__name__}>"


def arguments_of(error: BaseException) -> tuple[object, ...]:
    """Return an exception's arguments, without calling methods of a learner's class."""
    return BaseException.args.__get__(error)  # type: ignore[attr-defined, no-any-return]


def exception_text(error: BaseException) -> str:
    """Return the last line of an exception's traceback, without calling methods of a learner's class."""
    args = arguments_of(error)
    text = ", ".join(each if isinstance(each, str) and len(args) == 1 else code_of(each) for each in args)
    return f"{class_name(error)}: {text[: BIT_ROOM * 4]}" if text else class_name(error)
