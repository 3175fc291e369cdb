"""A failed call, its result and the expected result, as data and as one line to paste."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from itertools import zip_longest

from course.diagnoses.compared import compare_texts, joined_pieces
from course.syntax import expression_of
from course.values import strictly_equal


class FailureKind(StrEnum):
    """The possible outcomes of a failed call.

    `CHANGED` means that the call changed its arguments. For `OTHER`, the failure's `words` describe what happened.
    """

    GAVE, RAISED, PRINTED, CALLED, CHANGED = "returned", "raised", "printed", "called", "left"
    SLOW, OTHER = "took too long", ""


GAVE, RAISED, PRINTED, CALLED, CHANGED, SLOW, OTHER = FailureKind
STOPPED, NOTHING_MORE = "nothing", "nothing more"
FAILURE_WIDTH = 240
CANNOT_BE_JUDGED_REMARK = "which cannot be judged ({})"  # a remark, if an acceptance relation raises an exception
EXAMPLES_FACET = "the examples of the statement"  # the first facet of each exam
CONTRAST_FACET = "different results for different inputs"
EVERY_INPUT_FACET = "every input"  # a facet whose calls are all that there are


class SimilarKind(StrEnum):
    """A type that is easily mistaken for another type, such as a list for a tuple."""

    TUPLE, LIST, TRUTH = "a tuple", "a list", "True or False"
    INTEGER, FLOAT = "an integer", "a float"


KINDS_BY_TYPE = {
    tuple: SimilarKind.TUPLE,
    list: SimilarKind.LIST,
    bool: SimilarKind.TRUTH,
    int: SimilarKind.INTEGER,
    float: SimilarKind.FLOAT,
}
SIMILAR_PAIRS = (
    {SimilarKind.TUPLE, SimilarKind.LIST},
    {SimilarKind.TRUTH, SimilarKind.INTEGER},
    {SimilarKind.INTEGER, SimilarKind.FLOAT},
)


@dataclass(frozen=True)
class OtherKind:
    """A value of a wrong but similar type; `path` is its position in the result."""

    wanted: SimilarKind
    seen: SimilarKind
    path: str = ""

    def __str__(self) -> str:
        return f"{f'at {self.path} ' if self.path else ''}{self.wanted}, not {self.seen}"


@dataclass(frozen=True)
class ExpectedException:
    """An expected exception: its class, and its arguments if they are known."""

    error: str

    def __str__(self) -> str:
        return f"{self.error} to be raised"

    @property
    def kind(self) -> str:
        """Return the name of the exception's class, without arguments."""
        return re.split("[(:]", self.error)[0]


@dataclass(frozen=True)
class UnnamedCell:
    """A cell that contains no exercise. `number` is the cell's number, or 0 if the number is unknown."""

    number: int = 0

    def __str__(self) -> str:
        return f"cell [{self.number}]" if self.number else "a cell"


@dataclass(frozen=True)
class InnerCall:
    """A call in the learner's code, in which the called function raised an exception.

    An `InnerCall` has the name of the called function, and the types of its arguments, such as `int` and `tuple[Card]`.
    """

    name: str
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Failure:
    """A failed call. Its texts are complete; they are shortened only when they are shown.

    `did` says what the call did; if `did` is `OTHER`, `words` describe what happened. `seen` is the actual and `wanted`
    the expected result, as code. For printed text, `seen` and `wanted` are the first lines that differ, or None if a
    line is missing; `row` is the line number. `remark` is an `OtherKind`, or a sentence by a unit's author. For an
    exception, `error` is its class and `seen` its message. If the expected exception was raised but something else is
    wrong, `error` is the class of this exception. `label`, `line` and `code` say where in the learner's cells the
    exception was raised, and `inside` is the call on this line that raised it.
    """

    call: str = ""
    """The call, as code."""
    did: FailureKind = OTHER
    """`returned`, `raised`, `printed`, `called`, `left`, `took too long` or empty."""
    seen: str | None = None
    """The result of the call, as code; printed text as text."""
    wanted: ExpectedException | str | None = None
    """The expected result."""
    remark: OtherKind | str = ""
    """A hint about where to look."""
    setup: tuple[str, ...] = ()
    """Statements to run before the call."""
    error: str = ""
    """The class of an exception."""
    label: UnnamedCell | str = ""
    """The cell where the exception was raised."""
    line: int = 0
    """The line where the exception was raised."""
    row: int = 0
    """The line of printed text that differs."""
    code: str = ""
    """The code of the line that raised the exception."""
    words: str = ""
    """The action of the call in words, if no other key describes it. It is empty in reports, which have a `stop`."""
    inside: InnerCall | None = None
    """The call on that line that raised the exception, or null."""

    def __str__(self) -> str:
        """Return the failure as one line: the call as code, what it did, and what was expected."""
        return " ".join(part for part in (self.one_line_code, self.outcome()) if part)

    @property
    def one_line_code(self) -> str:
        """Return the call and its setup as one line of code."""
        return "; ".join(" ".join(line.split()) for line in (*self.setup, self.call) if line)

    @property
    def source(self) -> str:
        """Return the setup and the call as source code, each on its own line."""
        return "\n".join((*self.setup, self.call))

    def outcome(self, longest: int = FAILURE_WIDTH) -> str:
        """Return in words what the call did and what was expected.

        The actual and the expected result are cut to `longest` characters.
        """
        observed, wanted = self._shortened_results(longest)
        remark = f" ({self.remark})" if self.remark else ""
        match self.did:
            case FailureKind.RAISED if self.wanted is None:
                return f"raised {self.exception_text}{self.location_text}: {self.remark}"
            case FailureKind.RAISED:
                return f"raised {self.exception_text}{self.location_text}, expected {wanted}"
            case FailureKind.PRINTED:
                row = f"printed {observed or STOPPED} in line {self.row}, expected {wanted or NOTHING_MORE}"
                return f"{self._expected_exception_prefix}{row}"
            case FailureKind.CHANGED:
                expectation = f": {self.remark}" if self.wanted is None else f", expected {wanted}"
                return f"{self._expected_exception_prefix}had the argument {observed} after the call{expectation}"
            case FailureKind.GAVE | FailureKind.CALLED if self.wanted is not None:
                return f"{self._expected_exception_prefix}{self.did} {observed}, expected {wanted}{remark}"
            case FailureKind.GAVE:
                return f"returned {observed}: {self.remark}"
        return self.action_text

    @property
    def _expected_exception_prefix(self) -> str:
        return f"raised {self.error}, as expected, but " if self.error else ""

    @property
    def action_text(self) -> str:
        """Return in words what the failed call did."""
        return self.words or self.did

    @property
    def wanted_code(self) -> str:
        """Return the code of the expected value, or "" if no value was expected."""
        return self.wanted if isinstance(self.wanted, str) else ""

    @property
    def wanted_words(self) -> str:
        """Return the expected result, or "" if it is unknown."""
        return "" if self.wanted is None else str(self.wanted)

    def _shortened_results(self, longest: int) -> tuple[str, str]:
        """Return the actual and the expected result as code, shortened to where they differ."""
        if self.did == PRINTED:
            one, other = ("" if part is None else repr(part) for part in (self.seen, self.wanted))
        else:
            one, other = self.seen or "", self.wanted_words
        observed, wanted = compare_texts(one, other, longest)
        return joined_pieces(observed), joined_pieces(wanted)

    @property
    def exception_text(self) -> str:
        """Return the class and message of the exception, as Python shows them."""
        return f"{self.error}: {self.seen}" if self.seen else self.error

    @property
    def location_text(self) -> str:
        cell = self.label if isinstance(self.label, UnnamedCell) else f"the cell of {self.label}"
        return f" (line {self.line} of {cell})" if self.line else ""

    @property
    def has_ended(self) -> bool:
        """Return whether the call ended with a result or an exception.

        A call that exceeded a limit does not count as ended.
        """
        return self.did in (GAVE, RAISED, PRINTED, CALLED, CHANGED)

    @property
    def gives_none(self) -> bool:
        """Return whether the result was None. If an example shows several results, each wrong result must be None."""
        match expression_of(self.call), expression_of(self.seen or ""), expression_of(self.wanted_code):
            case (
                ast.Tuple() | ast.Call(func=ast.Name(id="tuple" | "transcript")),
                ast.Tuple(elts=some),
                ast.Tuple(elts=others),
            ):
                wrong = {*map(ast.unparse, some)} - {*map(ast.unparse, others)}
                return wrong == {"None"}
        return self.seen == "None"

    @property
    def cause_key(self) -> tuple[object, ...]:
        """Return a value that is equal for all failures with the same cause, or () if no cause is known."""
        match self.did:
            case FailureKind.RAISED:
                return self.error, self.label, self.line or self.seen
            case FailureKind.GAVE if self.gives_none:
                return ("None",)
            case FailureKind.GAVE if isinstance(self.remark, OtherKind):
                return (self.remark.seen,)
            case FailureKind.CHANGED:
                return (self.did,)
            case FailureKind.GAVE | FailureKind.PRINTED | FailureKind.CALLED:
                return ()
        return (self.action_text,)


def kind_remark(want: object, observed: object) -> OtherKind | str:
    """Return a remark if a value has a similar but wrong type, such as a list instead of a tuple; otherwise "".

    >>> kind_remark((1, (2,)), (1, [2]))
    OtherKind(wanted=<SimilarKind.TUPLE: 'a tuple'>, seen=<SimilarKind.LIST: 'a list'>, path='[1]')
    """
    path, wanted, got = first_difference(want, observed) or ("", None, None)
    kinds = KINDS_BY_TYPE.get(type(wanted)), KINDS_BY_TYPE.get(type(got))
    return OtherKind(kinds[0], kinds[1], path) if kinds[0] and kinds[1] and {*kinds} in SIMILAR_PAIRS else ""


def first_difference(want: object, observed: object, path: str = "") -> tuple[str, object, object] | None:
    """Return the path to the first difference between two values, and both parts at this path; None if equal."""
    if type(want) is not type(observed):
        return path, want, observed
    parts = _paired_parts(want, observed)
    for label, one, other in parts:
        if difference := first_difference(one, other, path + label):
            return difference
    return None if parts or repr(want) == repr(observed) else (path, want, observed)


def smallest_wrong_part(call: str, want: object, observed: object) -> tuple[str, object, object]:
    """Return the smallest wrong part of an example that has several calls: its code, the expected and the actual value.

    >>> smallest_wrong_part("f(10), f(2)", (1, 2), (3, 4))
    ('f(2)', 2, 4)
    """
    body = expression_of(call)
    items = body.elts if isinstance(body, ast.Tuple) else []
    if type(want) is not tuple or type(observed) is not tuple or {len(want), len(observed)} != {len(items)}:
        return call, want, observed
    codes = [ast.get_source_segment(call, node) or call for node in items]
    unlike = [part for part in zip(codes, want, observed, strict=True) if not strictly_equal(part[1], part[2])]
    return min(unlike, key=lambda part: len(part[0]), default=(call, want, observed))


def _paired_parts(want: object, observed: object) -> list[tuple[str, object, object]]:
    if isinstance(want, (tuple, list)) and isinstance(observed, (tuple, list)):
        pairs = zip_longest(want, observed, fillvalue=object())  # of another type than any part
        return [(f"[{index}]", one, other) for index, (one, other) in enumerate(pairs)]
    if is_dataclass(want) and not isinstance(want, type):
        return [(f".{f.name}", getattr(want, f.name), getattr(observed, f.name)) for f in fields(want)]
    return []


def first_differing_line(want: str, observed: str) -> tuple[int, str | None, str | None] | None:
    """Return the number of the first line in which two texts differ, and both lines (None if one is missing)."""
    for row, (wanted, got) in enumerate(zip_longest(want.split("\n"), observed.split("\n")), 1):
        if wanted != got:
            return row, wanted, got
    return None
