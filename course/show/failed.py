"""A failed call as lines that can be compared: the call, its result, and the expected result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from course.diagnoses.compared import TextPiece, TextPieces, as_one_piece, compare_texts
from course.diagnoses.failure import (
    CALLED,
    CHANGED,
    EVERY_INPUT_FACET,
    EXAMPLES_FACET,
    GAVE,
    NOTHING_MORE,
    PRINTED,
    RAISED,
    STOPPED,
    Failure,
)
from course.show.bits import ELLIPSIS
from course.show.blocks import Element, Prose, Row, Rows, as_line, cut
from course.syntax import expression_of


def shorten_code(code: str, room: int) -> str:
    """Return code of at most `room` characters. If the code is longer, its end is cut off.

    >>> shorten_code("tuple(append(tile, chain, '<') for tile in turned)", 30), shorten_code("2 + 2", 1)
    ("tuple(append(tile, chain, '<'…", '…')
    """
    return code if len(code) <= room else f"{code[: max(room - 1, 0)].rstrip()}{ELLIPSIS}"


# Letters in a line or an exception that may wrap, beside a label, and between a label and the button that copies.
LINE_ROOM, SHOWN, CALL_SHOWN = 96, 66, 58
SETUP_LABEL, RESULT_LABEL, EXPECTED_LABEL = "first", "result", "expected"  # labels of rows
# Letters between code and its comment, and the least room of each.
BEFORE_COMMENT, LEAST_CODE, LEAST_COMMENT = 5, 20, 10


def failure_elements(failure: Failure, about: str = "", *, is_drawn: bool = False) -> Iterator[Element]:
    """Yield the elements that show a failed call: its setup, the call, the results, and the line that failed.

    If `is_drawn` is true, cards and tiles are shown as pictures, too.
    """
    if not failure.call and failure.did != RAISED:
        yield Prose(failure.action_text, lead=f"{about}:" if about else "")
        return
    rows = [*_result_rows(failure)]
    if failure.call:
        call = as_line(failure.call)
        # A comment is cut before the call is, unless the call alone would be too long.
        room = CALL_SHOWN - BEFORE_COMMENT - (len(call) if len(call) <= CALL_SHOWN else LEAST_CODE)
        is_clear = about == EVERY_INPUT_FACET or (
            about == EXAMPLES_FACET and _code_width_next_to(about, CALL_SHOWN) < len(call)
        )
        comment = "" if is_clear or room < LEAST_COMMENT else cut(about, room)
        short = shorten_code(call, _code_width_next_to(comment, CALL_SHOWN))
        row = _code_row("call", (failure.call,), short, comment, drawn=failure.call, copied=failure.source)
        rows = [*_setup_rows(failure.setup), row, *rows]
    yield Rows(tuple(rows) if is_drawn else tuple(replace(row, drawn="") for row in rows))
    if failure.line:
        where = f"line {failure.line} of {failure.label}" if failure.label else f"line {failure.line}"
        yield Prose(f"`{shorten_code(failure.code, LINE_ROOM - len(where))}`" if failure.code else "", lead=f"{where}:")
    if failure.remark and failure.wanted is None:
        yield Prose(str(failure.remark))


def _code_width_next_to(comment: str, room: int = SHOWN) -> int:
    """Return how many letters of code fit into a row with a comment."""
    return max(room - BEFORE_COMMENT - len(comment), LEAST_CODE) if comment else room


def _result_rows(failure: Failure) -> Iterator[Row]:
    where, remark = "", str(failure.remark)
    if failure.did == CHANGED:
        where = "in the argument, after the call"
    elif failure.did == PRINTED:
        where = f"in line {failure.row}" + (f", and the right {failure.error} was raised" if failure.error else "")
    observed, wanted = _compared_results(
        failure, _code_width_next_to(max(where, remark if failure.wanted else "", key=len))
    )
    verb = failure.did.value if failure.has_ended else RESULT_LABEL
    is_code = failure.did in (GAVE, CALLED, CHANGED)
    drawn = failure.seen or "" if failure.did in (GAVE, CHANGED) else ""
    full = (failure.exception_text,) if failure.did == RAISED and len(failure.exception_text) > LINE_ROOM else ()
    if failure.action_text:
        yield Row(verb, observed, where, drawn=drawn, full=full, is_code=is_code)
    if wanted:
        drawn = "" if failure.did == PRINTED else failure.wanted_words
        yield Row(EXPECTED_LABEL, wanted, remark, drawn=drawn, is_code=is_code and isinstance(failure.wanted, str))


def _code_row(label: str, code: tuple[str, ...], short: str, about: str = "", drawn: str = "", copied: str = "") -> Row:
    """Return a row with statements, or with their `short` form if they are too long."""
    return Row(
        label, as_one_piece(short, SHOWN), about, drawn, copied, full=() if (short,) == code else code, is_code=True
    )


def _setup_rows(setup: tuple[str, ...]) -> list[Row]:
    """Return the setup of a call as one line, which saves space."""
    one_line = "; ".join(map(as_line, setup))
    return [_code_row(SETUP_LABEL, setup, shorten_code(one_line, SHOWN), drawn=one_line)] if setup else []


def _compared_results(failure: Failure, room: int) -> tuple[TextPieces, TextPieces]:
    """Return the actual and the expected result in pieces of at most `room` letters, with differences marked.

    An exception has more room. In printed lines, visible signs replace tabs, and spaces that matter.
    """
    observed, wanted = failure.action_text, failure.wanted_words
    if failure.did == RAISED:
        observed = failure.exception_text
    elif failure.did == PRINTED and (failure.seen is None or failure.wanted is None):
        observed = STOPPED if failure.seen is None else show_whitespace(failure.seen)
        wanted = NOTHING_MORE if failure.wanted is None else show_whitespace(failure.wanted_code)
    elif failure.did == PRINTED:
        first, second = (
            tuple(TextPiece(show_whitespace(piece.text, piece.differs), piece.differs) for piece in pieces)
            or (TextPiece("(empty)"),)
            for pieces in compare_texts(failure.seen or "", failure.wanted_code, room)
        )
        return first, second
    elif failure.did in (GAVE, CALLED, CHANGED):
        observed = failure.seen or ""
        if expression_of(failure.wanted_code) is not None:
            return compare_texts(observed, failure.wanted_code, room)
    return as_one_piece(observed, LINE_ROOM if failure.did == RAISED else room), as_one_piece(wanted, room)


def show_whitespace(text: str, blanks: bool = False) -> str:
    """Return a printed line in which tabs, and spaces at the end, are replaced by visible signs.

    If `blanks` is true, all spaces are replaced.

    >>> show_whitespace("a\\tb c ")
    'a→   b c·'
    """
    stripped = text.rstrip(" ")
    spaces = "·" * (len(text) - len(stripped))
    return (stripped.replace(" ", "·") if blanks else stripped).replace("\t", "→   ") + spaces or "(an empty line)"
