"""What came of a call that failed, beside what should have come: as data, and as one line that can be pasted."""

from __future__ import annotations

import ast
import re
from dataclasses import asdict, dataclass, fields, is_dataclass
from enum import StrEnum
from itertools import zip_longest
from typing import Any

from course.diagnoses.compared import compared, text_of
from course.syntax import expression_of
from course.values import strictly_equal


class Did(StrEnum):
    """What a call that failed did; `CHANGED` what it made of its arguments, `OTHER` is what only its words tell."""

    GAVE, RAISED, PRINTED, CALLED, CHANGED = "returned", "raised", "printed", "called", "left"
    SLOW, OTHER = "took too long", ""


GAVE, RAISED, PRINTED, CALLED, CHANGED, SLOW, OTHER = Did
STOPPED, NOTHING_MORE = "stopped", "nothing more"
LONGEST_TOLD = 240


class Sort(StrEnum):
    """A kind of value that is easily taken for another."""

    TUPLE, LIST, TRUTH = "a tuple", "a list", "a truth value"
    WHOLE, POINT = "a whole number", "a number with a point"


KIND_OF = {tuple: Sort.TUPLE, list: Sort.LIST, bool: Sort.TRUTH, int: Sort.WHOLE, float: Sort.POINT}
ALIKE = ({Sort.TUPLE, Sort.LIST}, {Sort.TRUTH, Sort.WHOLE}, {Sort.WHOLE, Sort.POINT})


@dataclass(frozen=True)
class OtherKind:
    """One kind stands where another is wanted that looks like it; `path` leads there within the value."""

    wanted: Sort
    seen: Sort
    path: str = ""

    def __str__(self) -> str:
        return f"{f'at {self.path} ' if self.path else ''}{self.wanted}, not {self.seen}"


@dataclass(frozen=True)
class ToBeRaised:
    """An exception is wanted: its class, and what it is made of where that is told."""

    error: str

    def __str__(self) -> str:
        return f"{self.error}{TO_BE_RAISED}"

    @property
    def kind(self) -> str:
        """The class alone."""
        return re.split("[(:]", self.error)[0]


TO_BE_RAISED = " to be raised"


@dataclass(frozen=True)
class UnnamedCell:
    """A cell that is no exercise's, by the number in its brackets, 0 if that is not known."""

    number: int = 0

    def __str__(self) -> str:
        return f"cell [{self.number}]" if self.number else "a cell"


@dataclass(frozen=True)
class Failure:
    """A call that failed. Its parts are whole; who shows them shortens them.

    `did` is what it did, in `words` where that is more than its name. `seen` and `wanted` are code; of printed text
    the line `row`, as text, None where there was none. A `remark` of ours is a value, an author's own a sentence. Of
    an exception `error` is the class (the expected one, if
    something else is wrong), `seen` what it says, and `label`, `line` and `code` tell where it came from in the
    learner's own cells.
    """

    call: str = ""
    did: Did = OTHER
    seen: str | None = None
    wanted: ToBeRaised | str | None = None
    remark: OtherKind | str = ""
    setup: tuple[str, ...] = ()
    error: str = ""
    label: UnnamedCell | str = ""
    line: int = 0
    row: int = 0
    code: str = ""
    words: str = ""

    def __str__(self) -> str:
        """The failure as one line: the call as code that can be pasted, what it did, and what was expected."""
        return " ".join(part for part in (self.pasted, self._told) if part)

    @property
    def pasted(self) -> str:
        """The call with what has to be run before it, as one line."""
        return "; ".join(" ".join(line.split()) for line in (*self.setup, self.call) if line)

    @property
    def _told(self) -> str:
        seen, wanted = self.parts
        remark = f" ({self.remark})" if self.remark else ""
        match self.did:
            case Did.RAISED if self.wanted is None:
                return f"raised {self.story}{self.where}: {self.remark}"
            case Did.RAISED:
                return f"raised {self.story}{self.where}, expected {wanted}"
            case Did.PRINTED:
                row = f"printed, in line {self.row}, {seen or STOPPED}, expected {wanted or NOTHING_MORE}"
                return f"{self._as_expected}{row}"
            case Did.CHANGED:
                ending = f": {self.remark}" if self.wanted is None else f", expected {wanted}"
                return f"{self._as_expected}left its argument as {seen}{ending}"
            case Did.GAVE | Did.CALLED if self.wanted is not None:
                return f"{self._as_expected}{self.did} {seen}, expected {wanted}{remark}"
            case Did.GAVE:
                return f"returned {seen}: {self.remark}"
        return self.deed

    @property
    def _as_expected(self) -> str:
        return f"raised {self.error}, as expected, but " if self.error else ""

    @property
    def deed(self) -> str:
        """What it did, in words."""
        return self.words or self.did

    @property
    def wanted_code(self) -> str:
        """What is wanted, "" if that is no value."""
        return self.wanted if isinstance(self.wanted, str) else ""

    @property
    def wanted_words(self) -> str:
        """What is wanted, "" where nothing of it is told."""
        return "" if self.wanted is None else str(self.wanted)

    def as_dict(self) -> dict[str, Any]:
        """Return the failure as plain data, what it did in words."""
        words = {"did": self.deed, "remark": str(self.remark), "label": str(self.label)}
        told = asdict(self) | words | {"wanted": None if self.wanted is None else str(self.wanted)}
        return {key: part for key, part in told.items() if key != "words"}

    @property
    def parts(self) -> tuple[str, str]:
        """What was seen and what was wanted, as code, cut to where they differ."""
        if self.did == PRINTED:
            one, other = ("" if part is None else repr(part) for part in (self.seen, self.wanted))
        else:
            one, other = self.seen or "", self.wanted_words
        seen, wanted = compared(one, other, LONGEST_TOLD)
        return text_of(seen), text_of(wanted)

    @property
    def story(self) -> str:
        """The exception as Python says it."""
        return f"{self.error}: {self.seen}" if self.seen else self.error

    @property
    def where(self) -> str:
        cell = self.label if isinstance(self.label, UnnamedCell) else f"the cell of {self.label}"
        return f" (line {self.line} of {cell})" if self.line else ""

    @property
    def is_done(self) -> bool:
        """Return whether the call came to an end."""
        return self.did in (GAVE, RAISED, PRINTED, CALLED, CHANGED)

    @property
    def gives_none(self) -> bool:
        """Return whether None was given; of several calls, by all that gave something wrong."""
        if self.seen == "None" or not self._is_several:
            return self.seen == "None"
        pairs = zip(_items(self.seen or ""), _items(self.wanted_code), strict=False)
        wrong = [seen for seen, wanted in pairs if seen != wanted]
        return bool(wrong) and {*wrong} == {"None"}

    @property
    def _is_several(self) -> bool:
        """Return whether the call is an example of several calls, or of one for each of several things."""
        body = expression_of(self.call)
        return isinstance(body, ast.Tuple) or (isinstance(body, ast.Call) and ast.unparse(body.func) == "tuple")

    @property
    def cause(self) -> tuple[object, ...]:
        """What failures have in common that have one cause; () where nothing can be said of it."""
        match self.did:
            case Did.RAISED:
                return self.error, self.label, self.line or self.seen
            case Did.GAVE if self.gives_none:
                return ("None",)
            case Did.GAVE if isinstance(self.remark, OtherKind):
                return (self.remark.seen,)
            case Did.CHANGED:
                return (self.did,)
            case Did.GAVE | Did.PRINTED | Did.CALLED:
                return ()
        return (self.deed,)


def failure_in(data: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of a failure that `as_dict` made this of, the values that it wrote in words among them."""
    did, wanted, remark = data["did"], data["wanted"], data["remark"]
    parts = {} if did in {*Did} else {"did": OTHER, "words": did}
    if did != PRINTED and wanted is not None and wanted.endswith(TO_BE_RAISED):
        parts["wanted"] = {"error": wanted.removesuffix(TO_BE_RAISED)}
    if wanted is not None and (found := OTHER_KIND.fullmatch(remark)):
        parts["remark"] = {key: part or "" for key, part in found.groupdict().items()}
    return data | parts


OTHER_KIND = re.compile("(at (?P<path>.*) )?(?P<wanted>{0}), not (?P<seen>{0})".format("|".join(Sort)))


def _items(code: str) -> list[str]:
    """Return the parts of a tuple's code."""
    body = expression_of(code)
    return [ast.unparse(each) for each in body.elts] if isinstance(body, ast.Tuple) else []


def kind_remark(want: Any, seen: Any) -> OtherKind | str:
    """Say so where a list is in a tuple's place, or a number in the place of a truth value: it is easily overlooked.

    >>> kind_remark((1, (2,)), (1, [2]))
    OtherKind(wanted=<Sort.TUPLE: 'a tuple'>, seen=<Sort.LIST: 'a list'>, path='[1]')
    """
    path, wanted, got = first_difference(want, seen) or ("", None, None)
    kinds = KIND_OF.get(type(wanted)), KIND_OF.get(type(got))
    return OtherKind(kinds[0], kinds[1], path) if kinds[0] and kinds[1] and {*kinds} in ALIKE else ""


def first_difference(want: Any, seen: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """Return the path to the first part in which two values differ, and that part of each; None if they are equal."""
    if type(want) is not type(seen):
        return path, want, seen
    parts = _parts(want, seen)
    for label, one, other in parts:
        if found := first_difference(one, other, path + label):
            return found
    return None if parts or repr(want) == repr(seen) else (path, want, seen)


def smallest_part(call: str, want: Any, seen: Any) -> tuple[str, Any, Any]:
    """Return the smallest wrong part of a call that makes several calls, with its expected and actual value.

    >>> smallest_part("f(10), f(2)", (1, 2), (3, 4))
    ('f(2)', 2, 4)
    """
    body = expression_of(call)
    items = body.elts if isinstance(body, ast.Tuple) else []
    if any(type(value) is not tuple or len(value) != len(items) for value in (want, seen)):
        return call, want, seen
    codes = [ast.get_source_segment(call, node) or call for node in items]
    unlike = [part for part in zip(codes, want, seen, strict=True) if not strictly_equal(part[1], part[2])]
    return min(unlike, key=lambda part: len(part[0]), default=(call, want, seen))


class _Nothing:
    """Stands where one of two values has no part."""

    def __repr__(self) -> str:
        return "<nothing>"


NOTHING = _Nothing()


def _parts(want: Any, seen: Any) -> list[tuple[str, Any, Any]]:
    if isinstance(want, (tuple, list)):
        pairs = zip_longest(want, seen, fillvalue=NOTHING)
        return [(f"[{index}]", one, other) for index, (one, other) in enumerate(pairs)]
    if is_dataclass(want):
        return [(f".{f.name}", getattr(want, f.name), getattr(seen, f.name)) for f in fields(want)]
    return []


def first_row(want: str, seen: str) -> tuple[int, str | None, str | None] | None:
    """Return the number of the first line in which two texts differ, and that line of each, None where it has none."""
    for row, (wanted, got) in enumerate(zip_longest(want.split("\n"), seen.split("\n")), 1):
        if wanted != got:
            return row, wanted, got
    return None
