"""A failed call as lines that can be compared: the call, its result, and the expected result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from course.diagnoses.compared import Piece, Pieces, compared, whole
from course.diagnoses.failure import CHANGED, GAVE, NOTHING_MORE, PRINTED, RAISED, STOPPED, Did, Failure
from course.show.bits import MORE
from course.show.blocks import Element, Prose, Row, Rows, as_line
from course.show.shortening import shortened
from course.syntax import expression_of

LINE_ROOM, SHOWN = 74, 68  # the most letters in a line, and next to a label, so that both have at most 80


def failure_elements(
    failure: Failure, about: str = "", *, is_drawn: bool = False, with_line: bool = True
) -> Iterator[Element]:
    """Yield a failed call: its setup, the call, its result, the expected result, and the line that failed.

    If `is_drawn`, cards and tiles are shown as pictures, too.
    """
    if not failure.call and failure.did != RAISED:
        yield Prose(failure.deed, lead=f"{about}:" if about else "")
        return
    rows = (*_call_rows(failure, about), *_result_rows(failure)) if failure.call else tuple(_result_rows(failure))
    yield Rows(rows if is_drawn else tuple(replace(row, drawn="") for row in rows))
    if failure.line:
        where = _where(failure)
        yield Prose(f"`{shortened(failure.code, LINE_ROOM - len(where))}`" if failure.code else "", lead=f"{where}:")
    if failure.remark and failure.wanted is None:
        yield Prose(str(failure.remark))


def _call_rows(failure: Failure, about: str) -> Iterator[Row]:
    yield from _setup_rows(failure.setup)
    short = one_row(as_line(failure.call), max(SHOWN - len(about), LINE_ROOM // 2))
    yield _code_row("call", (failure.call,), short, about, drawn=failure.call, copied=_pasted(failure))


def _result_rows(failure: Failure) -> Iterator[Row]:
    observed, wanted = _compared(failure)
    verb = failure.did.value if failure.is_done else GAVE
    yield Row(
        verb, observed, _result_location(failure), drawn=failure.seen or "" if failure.did in (GAVE, CHANGED) else ""
    )
    if wanted:
        drawn = "" if failure.did == PRINTED else failure.wanted_words
        yield Row("expected", wanted, str(failure.remark), drawn=drawn)


def is_code(text: str) -> bool:
    """Return whether a text is an expression."""
    return expression_of(text) is not None


def _pasted(failure: Failure) -> str:
    return "\n".join((*failure.setup, failure.call))


def _code_row(label: str, code: tuple[str, ...], short: str, about: str = "", drawn: str = "", copied: str = "") -> Row:
    """Return a row of statements, shortened to `short` if they are too long."""
    return Row(label, whole(short, SHOWN), about, drawn, copied, full=() if (short,) == code else code)


def _setup_rows(setup: tuple[str, ...]) -> list[Row]:
    """Return the setup of a call as one line, which saves space."""
    lines = [*map(as_line, setup)]
    whole_line = "; ".join(lines)
    if len(whole_line) > SHOWN:
        lines = [_step(line, SHOWN // len(lines) - 2) for line in lines]
        lines = lines if len("; ".join(lines)) <= SHOWN else [_step(line, 0) for line in lines]
    return [_code_row("first", setup, "; ".join(lines), drawn=whole_line)] if setup else []


def _step(line: str, room: int) -> str:
    """Return a shortened statement of a setup. The names that it binds remain.

    >>> _step("hand = (Crd(Num(5), RED), Wild())", 25), _step("def same(card): return card", 25)
    ('hand = (Crd(…, RED), Wild())', 'def same(…): …')
    """
    if line.startswith("def "):
        return f"{line.partition('(')[0]}({MORE}): {MORE}"
    names, equals, value = line.partition(" = ")
    if len(line) <= room or not equals:
        return shortened(line, room)
    return f"{names} = {one_row(value, room - len(names))}"


def one_row(code: str, room: int) -> str:
    """Return code in at most `room` characters, or "…".

    >>> one_row("legal_adds((Domino(1, 2), Domino(3, 4)))", 30), one_row("2 + 2", 1)
    ('legal_adds((…, Domino(3, 4)))', '…')
    """
    short = shortened(code, room) if room > 0 else MORE
    return short if len(short) <= room else f"{short[: room - 1].rstrip()}{MORE}" if room > 9 else MORE


def _where(failure: Failure) -> str:
    return f"line {failure.line} of {failure.label}" if failure.label else f"line {failure.line}"


def _result_location(failure: Failure) -> str:
    if failure.did == CHANGED:
        return "in its argument, after the call"
    if failure.did != PRINTED:
        return ""
    return f"in line {failure.row}" + (f", with the right {failure.error}" if failure.error else "")


def _compared(failure: Failure) -> tuple[Pieces, Pieces]:
    """Return the actual and the expected result in pieces, shortened, with differences marked."""
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
    """Return two printed lines in pieces; tabs and spaces are made visible if they matter."""
    if failure.seen is None or failure.wanted is None:
        observed = whole(STOPPED if failure.seen is None else visible(failure.seen), SHOWN)
        return observed, whole(NOTHING_MORE if failure.wanted is None else visible(failure.wanted_code), SHOWN)
    observed, wanted = compared(failure.seen, failure.wanted_code, SHOWN)
    return _visible(observed), _visible(wanted)


def _visible(pieces: Pieces) -> Pieces:
    return tuple(Piece(visible(piece.text, piece.differs), piece.differs) for piece in pieces) or (Piece("(empty)"),)


def visible(text: str, blanks: bool = False) -> str:
    """Return a printed text with visible tabs. Spaces are visible at the end, or everywhere if `blanks`.

    >>> visible("a\\tb c ")
    'a→   b c·'
    """
    stripped = text.rstrip(" ")
    spaces = "·" * (len(text) - len(stripped))
    return (stripped.replace(" ", "·") if blanks else stripped).replace("\t", "→   ") + spaces or "(an empty line)"
