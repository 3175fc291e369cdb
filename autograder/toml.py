"""TOML tables as dataclasses, which declare the keys, their types and their limits.

    points: Number

For an invalid file, the error is one line with the file's name and the line number.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from course.exam.readable import one_line

T = TypeVar("T")
KeyPath: TypeAlias = tuple[str | int, ...]
NOT_A_TOML_KEY = {"key": False}  # metadata of fields that no file may set

# Types that several tables use.
Text: TypeAlias = Annotated[str, Meta(description="a text in quotes")]
Texts: TypeAlias = Annotated[tuple[str, ...], Meta(description="a list of texts in quotes")]
Switch: TypeAlias = Annotated[bool, Meta(description="true or false")]
Name: TypeAlias = Annotated[str, Meta(pattern=r"^[^\W\d]\w*$", description="a name of letters and digits")]
REASONABLE_RANGE = Meta(ge=0, lt=1_000_000)  # prevents infinite sums
Number: TypeAlias = Annotated[  # keeps the difference between 1 and 1.0 in the file
    Annotated[int, REASONABLE_RANGE] | Annotated[float, REASONABLE_RANGE],
    Meta(description="a number from 0 to 999,999"),
]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1, description="a number from 0 to 1")]


def read_toml(file: Path, kind: type[T], error: type[ValueError]) -> T:
    """Read a TOML file as a value of the type `kind`. Raises `error`, with file and line, if the file is invalid."""
    return toml_content(file, read_text(file, error), kind, error)


def read_text(file: Path, error: type[ValueError]) -> str:
    """Return the text of a file. Raises `error`, with the file's name, if the file cannot be read."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as trouble:
        raise error(f"{file}: {getattr(trouble, 'strerror', None) or 'it is not UTF-8 text'}") from None


def toml_content(file: Path, text: str, kind: type[T], error: type[ValueError]) -> T:
    """Return the content of TOML text as a value of the type `kind`.

    Raises `error`, with file and line, if the content is invalid.
    """
    table = parse_toml(text, file, error)
    for where, wrong in table_errors(kind, table):
        raise error(f"{file}:{line_number_of(text, *where)}: {wrong}")
    return msgspec.convert(table, kind)


def parse_toml(text: str, file: Path, error: type[ValueError]) -> dict[str, Any]:
    """Return the tables in TOML text. Raises `error`, with file and line, if the text cannot be parsed."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as trouble:
        message = "too many brackets inside each other" if isinstance(trouble, RecursionError) else str(trouble)
        wrong, _, end = " ".join(message.split()).partition(" (at ")
        line = re.match(r"line (\d+)", end)
        raise error(f"{file}:{line[1] if line else max(1, len(text.splitlines()))}: {wrong}") from None


def toml_keys_of(kind: Any) -> dict[str, Field[object]]:
    """Return the keys that a TOML table for the type `kind` can have, with their fields."""
    return {field.name: field for field in fields(kind) if field.metadata.get("key", True)}


def table_errors(kind: object, table: Mapping[str, object], where: KeyPath = ()) -> Iterator[tuple[KeyPath, str]]:
    """Yield each error in a table: the path of its key, and what is wrong.

    >>> from dataclasses import dataclass
    >>> Point = dataclass(type("Point", (), {"__annotations__": {"across": Share, "down": Share}, "down": 0.0}))
    >>> for where, wrong in table_errors(Point, {"across": 2, "dwon": 0.5}): print(wrong)
    unknown key 'dwon': did you mean 'down'?
    across must be a number from 0 to 1, not 2
    """
    keys, kinds = toml_keys_of(kind), get_type_hints(kind, include_extras=True)
    yield from (((*where, key), unknown_name_message("key", key, keys)) for key in table if key not in keys)
    for key, field in keys.items():
        kind, value, here = kinds[key], table.get(key), (*where, key)
        bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
        inner = next((each for each in get_args(bare) if is_dataclass(each)), None)
        if key not in table:
            if field.default is MISSING and field.default_factory is MISSING:
                yield here, f"the key {key!r} is missing"
        elif is_dataclass(kind) and isinstance(value, dict):
            yield from table_errors(kind, value, here)
        elif inner and isinstance(value, list) and all(isinstance(each, dict) for each in value):
            yield from (
                wrong for index, each in enumerate(value) for wrong in table_errors(inner, each, (*here, index))
            )
        elif not is_of_type(kind, value):
            yield here, f"{key} must be {type_description(kind)}, not {value!r}"


def is_of_type(kind: object, value: object) -> bool:
    """Return whether a value from a TOML file is of the type `kind`.

    >>> is_of_type(Switch, True), is_of_type(Switch, 1), is_of_type(Share, 1)
    (True, False, True)
    >>> is_of_type(Name, "war-game"), is_of_type(Texts, ["a", 1])
    (False, False)
    """
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def type_description(kind: Any) -> str:
    """Return a description of the values that a key of this type can have.

    >>> type_description(Share), type_description(Share | None)
    ('a number from 0 to 1', 'a number from 0 to 1')
    """
    if get_origin(kind) is Annotated:
        return next(each.description or "" for each in kind.__metadata__ if isinstance(each, Meta))
    return next((type_description(each) for each in get_args(kind) if get_origin(each) is Annotated), "a table")


def unknown_name_message(what: str, name: str, names: Collection[str]) -> str:
    """Return a message that `name` is unknown, with a suggestion.

    `what` is the kind of thing that has the name, such as a key or a unit.

    >>> unknown_name_message("key", "hint", {"hints": 1, "seed": 2})
    "unknown key 'hint': did you mean 'hints'?"
    >>> unknown_name_message("key", "x", {"hints": 1, "seed": 2})
    "unknown key 'x': the keys are hints, seed"
    """
    near = get_close_matches(name, names, 1)
    return f"unknown {what} {name!r}: " + (
        f"did you mean {near[0]!r}?" if near else f"the {what}s are {one_line(', '.join(names))}"
    )


TABLE_HEAD_PATTERN = re.compile(r"\s*(\[\[?)\s*([\w\-\"'. ]+?)\s*\]\]?\s*(#.*)?$")
KEY_LINE_PATTERN = re.compile(r"\s*[\"']?([^\"'=\[\]#]+?)[\"']?\s*=")


def line_number_of(text: str, *where: str | int) -> int:
    """Return the line number of a key or table in a TOML text. If the key is missing, return the line of its table.

    >>> text = 'name = "war"' + chr(10) + '[[exercise]]' + chr(10) + '[[exercise]]' + chr(10) + 'points = 1'
    >>> [line_number_of(text, "exercise", index, "points") for index in (1, 0)], line_number_of(text, "units")
    ([4, 2], 1)
    """
    lines, counts = dict[KeyPath, int](), dict[KeyPath, int]()
    table: KeyPath = ()
    for number, line in enumerate(text.splitlines(), 1):
        if head := TABLE_HEAD_PATTERN.match(line):
            table = tuple(part.strip(" \"'") for part in head[2].split("."))
            lines.setdefault(table, number)
            if head[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
                lines.setdefault(table, number)
        elif key := KEY_LINE_PATTERN.match(line):
            lines.setdefault((*table, key[1].strip()), number)
    return next((lines[where[:end]] for end in range(len(where), 0, -1) if where[:end] in lines), 1)
