"""A call that failed, set out in lines that can be compared: the call, what it gave, what was expected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from course.diagnoses.compared import Piece, Pieces, compared, whole
from course.diagnoses.failure import CHANGED, GAVE, NOTHING_MORE, PRINTED, RAISED, STOPPED, Did, Failure
from course.show.blocks import Element, Prose, Row, Rows
from course.syntax import expression_of

SHOWN, WHOLE = 100, 10_000


def failure_elements(failure: Failure, about: str = "", is_drawn: bool = False) -> Iterator[Element]:
    """Yield a failed call: what has to be run before it, the call, what it did, what was expected, where it broke.

    If it `is_drawn`, cards and tiles are shown beside their code.
    """
    if not failure.call and failure.did != RAISED:
        yield Prose(failure.deed, lead=f"{about}:" if about else "")
        return
    rows = (*_asked_rows(failure, about), *_told_rows(failure)) if failure.call else tuple(_told_rows(failure))
    yield Rows(rows if is_drawn else tuple(replace(row, drawn="") for row in rows))
    if failure.line:
        yield Prose(f"`{failure.code}`" if failure.code else "", lead=f"{_where(failure)}:")
    if failure.remark and failure.wanted is None:
        yield Prose(str(failure.remark))


def _asked_rows(failure: Failure, about: str) -> Iterator[Row]:
    yield from _setup_rows(failure.setup)
    yield Row("call", whole(as_line(failure.call), WHOLE), about, drawn=failure.call, copied=_pasted(failure))


def _told_rows(failure: Failure) -> Iterator[Row]:
    seen, wanted = _compared(failure)
    verb = failure.did.value if failure.is_done else GAVE
    yield Row(verb, seen, _where_seen(failure), drawn=failure.seen or "" if failure.did in (GAVE, CHANGED) else "")
    if wanted:
        drawn = "" if failure.did == PRINTED else failure.wanted_words
        yield Row("expected", wanted, str(failure.remark), drawn=drawn)


def is_code(text: str) -> bool:
    """Return whether a text is an expression."""
    return expression_of(text) is not None


def as_line(code: str) -> str:
    """Return code as one line."""
    return " ".join(code.split())


def _pasted(failure: Failure) -> str:
    return "\n".join((*failure.setup, failure.call))


def _setup_rows(setup: tuple[str, ...]) -> list[Row]:
    """Return what has to be run first, in one line, that nothing else is pushed out of sight."""
    line = "; ".join(map(as_line, setup))
    return [Row("first", whole(line, WHOLE), drawn=line)] if line else []


def _where(failure: Failure) -> str:
    return f"line {failure.line} of {failure.label}" if failure.label else f"line {failure.line}"


def _where_seen(failure: Failure) -> str:
    if failure.did == CHANGED:
        return "in its argument, after the call"
    if failure.did != PRINTED:
        return ""
    return f"in line {failure.row}" + (f", with the right {failure.error}" if failure.error else "")


def _compared(failure: Failure) -> tuple[Pieces, Pieces]:
    """Return what was seen and what was wanted, in pieces, cut and marked where they differ."""
    match failure.did:
        case Did.RAISED:
            return whole(failure.story, 2 * SHOWN), whole(failure.wanted_words, SHOWN)
        case Did.PRINTED:
            return _printed(failure)
        case Did.GAVE | Did.CALLED | Did.CHANGED if is_code(failure.wanted_code):
            return compared(failure.seen or "", failure.wanted_code, SHOWN)
        case Did.GAVE | Did.CALLED | Did.CHANGED:
            return whole(failure.seen or "", SHOWN), whole(failure.wanted_words, SHOWN)
    return whole(f"no value: it {failure.deed}", SHOWN), whole(failure.wanted_words, SHOWN)


def _printed(failure: Failure) -> tuple[Pieces, Pieces]:
    """Return two lines of printed text, as text; tabs and blanks are made visible where they matter."""
    if failure.seen is None or failure.wanted is None:
        seen = whole(STOPPED if failure.seen is None else visible(failure.seen), SHOWN)
        return seen, whole(NOTHING_MORE if failure.wanted is None else visible(failure.wanted_code), SHOWN)
    seen, wanted = compared(failure.seen, failure.wanted_code, SHOWN)
    return _visible(seen), _visible(wanted)


def _visible(pieces: Pieces) -> Pieces:
    return tuple(Piece(visible(piece.text, piece.differs), piece.differs) for piece in pieces) or (Piece("(empty)"),)


def visible(text: str, blanks: bool = False) -> str:
    """Return a printed text with its tabs to be seen, and its blanks if they matter: at the end they always do.

    >>> visible("a\\tb c ")
    'a→   b c·'
    """
    kept = text.rstrip(" ")
    ending = "·" * (len(text) - len(kept))
    return (kept.replace(" ", "·") if blanks else kept).replace("\t", "→   ") + ending or "(an empty line)"
