"""The parts of a result, and two renderings of them: as HTML that needs no style sheet, and as plain text.

Text between backquotes is shown as code in both. Only the HTML contains what is inside a fold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import TypeAlias

from course.diagnoses.compared import CUT, Piece, Pieces, pieces_text
from course.show.highlight import colored_parts, wrapped

# White on each hue has a contrast of at least 4.5:1. No color has that on both white and dark backgrounds, so text is
# white on the hue, and the hues alone are for lines.
GREEN, RED, OCHRE, GREY, BLUE = "#1a8754", "#d6364a", "#8a6d1d", "#6b7480", "#2b6cb0"
FONT = "font-family:var(--jp-code-font-family,monospace)"
LINE = f"{FONT};white-space:pre;margin:0;padding:0;background:none"
CODE = f"{LINE};overflow-x:auto"
WRAPPED = f"{FONT};white-space:pre-wrap;overflow-wrap:anywhere"
FAINT = "opacity:.75"
FOLDED = "display:list-item"  # keeps the triangle, which nbgrader's style sheet removes
MARKED = "background:#d6364a33;color:inherit;text-decoration:underline 2px"
LABELS = 10
ROW_ROOM = 80  # letters; a longer one is wrapped
# On a page, in letters of code: a row beside the frame, the labels and the gap, the indent of an example, the triangle
# of a fold, and the gap before a picture. A letter has so many pixels, and a row, too.
PAGE_ROW, LABELS_ON_PAGE, INDENT, TRIANGLE, PICTURE_GAP = 76, 11, 8, 2, 2
PROSE_ROW = 81  # its letters are narrower than those of code
LETTER_WIDTH, ROW_HEIGHT = 8.4, 21
LABEL_WIDTH = "5.6em"  # with the button that copies
CODE_SIZE = ".93em"  # JupyterLab's cells, too, have smaller letters than its text
LABELS_ROW_ROOM = 30  # letters of code that stay beside their label on a narrow page


@dataclass(frozen=True)
class Prose:
    """One or two sentences, after an optional bold `lead`. If `aside` is true, a line separates them from the rest."""

    text: str
    lead: str = ""
    faint: bool = False
    aside: bool = False


@dataclass(frozen=True)
class CodeExample:
    """Code with its line breaks."""

    code: str


@dataclass(frozen=True)
class Row:
    """A line of code behind its label, in pieces, some of them marked.

    `drawn` is code to show as a picture, `copied` the text that a button copies. If `pieces` are shortened, `full` is
    all of the code, by statement: HTML folds it, plain text leaves it out.
    """

    label: str
    pieces: Pieces
    comment: str = ""
    drawn: str = ""
    copied: str = ""
    full: tuple[str, ...] = ()
    is_code: bool = False


@dataclass(frozen=True)
class Rows:
    """Lines of code, one below the other, so that they can be compared."""

    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Fold:
    """Elements that are folded away behind a summary. If `quiet` is true, plain text leaves the summary out, too."""

    summary: str
    inside: tuple[Element, ...]
    quiet: bool = False


@dataclass(frozen=True)
class Bar:
    """A progress bar with the number of finished exercises, the next exercise, and the help that is offered.

    `link` has the attributes of the link to the next exercise.
    """

    done: int | None
    total: int
    offer: str = ""
    ahead: str = ""
    link: str = ""


@dataclass(frozen=True)
class Cards:
    """Cards in a row: those that were caught are face up, the others are face down."""

    cards: tuple[tuple[str, bool], ...]


Element: TypeAlias = Prose | CodeExample | Row | Rows | Fold | Bar | Cards


# ------------------------------------------------------------------------------------------------ text


def as_text(blocks: Iterable[Element], has_carets: bool = True) -> str:
    """Return blocks as plain text, without the inside of folds; with carets below what differs.

    >>> as_text([Fold("2 others fail", ()), Bar(None, 0, "Stuck?")])
    '  2 others fail · Stuck?'
    """
    match [*blocks]:
        case [*others, Fold(quiet=False) as fold, Bar() as last] if _fit_in_one_row(fold, last):
            lines = [*(line for block in others for line in _lines(block, has_carets)), _shared_row(fold, last)]
        case others:
            lines = [line for block in others for line in _lines(block, has_carets)]
    return "\n".join(f"  {line}" for line in lines)


def _shared_row(fold: Fold, last: Bar) -> str:
    return " · ".join((fold.summary, *_lines(last, has_carets=False)))


def _fit_in_one_row(fold: Fold, last: Bar) -> bool:
    return TRIANGLE + len(_shared_row(fold, last)) <= PAGE_ROW


def rows_in(text: str, width: int = ROW_ROOM) -> int:
    """Return how many rows a text takes in a window that is `width` columns wide.

    >>> rows_in("short\\n" + 81 * "x")
    3
    """
    return sum(max(1, -(-len(line) // width)) for line in text.splitlines())


def rows_of(blocks: Sequence[Element]) -> int:
    """Return how many rows of a page blocks take if a row has 80 letters of code.

    >>> rows_of([Prose("short"), Fold("more", (), quiet=True)])
    2
    """
    match blocks:
        case [*others, Fold() as fold, Bar() as last] if _fit_in_one_row(fold, last):
            return rows_of([*others, fold])
    return sum(map(_rows_on_page, blocks))


def _rows_on_page(block: Element) -> int:
    match block:
        case CodeExample(code):
            return rows_in(code, PAGE_ROW - INDENT)
        case Rows(rows):
            return sum(map(_rows_of_row, rows))
        case Fold(summary):
            return rows_in(summary, PAGE_ROW - TRIANGLE)
    return len(wrap(as_text([block]), PROSE_ROW))


def _rows_of_row(row: Row) -> int:
    """Return how many rows of a page a row takes, with its picture next to the code or below it."""
    room = PAGE_ROW - LABELS_ON_PAGE
    length = (
        len(pieces_text(row.pieces)) + len(f"   # {row.comment}" if row.comment else "") + TRIANGLE * bool(row.full)
    )
    lines = max(1, -(-length // room))
    width, height = _picture_size(row.drawn)
    fits_next_to = lines == 1 and length + PICTURE_GAP + width / LETTER_WIDTH <= room
    return max(lines, round(height / ROW_HEIGHT)) if fits_next_to else lines + round(height / ROW_HEIGHT)


def _lines(block: Element, has_carets: bool) -> Iterator[str]:
    match block:
        case Prose(text, lead):
            yield f"{lead} {text}".lstrip()
        case CodeExample(code):
            yield from (f"    {line}" for line in code.splitlines())
        case Rows(rows):
            marked = [row for row in rows if any(piece.differs for piece in row.pieces)]
            for row in rows:
                yield from _row_lines(row, has_carets and row in marked[-1:])
        case Fold(summary, _, quiet):
            yield from () if quiet else (summary,)
        case Cards(cards):
            yield from (f"[✓] {text}" for text, is_caught in cards if is_caught)
            yield from (f"[?] {down} more, face down" for down in [sum(not it for _, it in cards)] if down)
        case Bar(done, total, offer, ahead):
            shown = bar(done, total) if done is not None else "", f"Next: {ahead}" if ahead else "", offer
            yield " · ".join(filter(None, shown))


def _row_lines(row: Row, is_marked: bool) -> Iterator[str]:
    comment = f"   # {row.comment}" if row.comment else ""
    yield f"{row.label:<{LABELS}}{pieces_text(row.pieces)}{comment}"
    if is_marked:
        carets = "".join(("^" if piece.differs else " ") * len(piece.text) for piece in row.pieces)
        yield f"{'':<{LABELS}}{carets}".rstrip()


def as_line(code: str) -> str:
    """Return code as one line."""
    return " ".join(code.split())


def cut(text: str, room: int) -> str:
    """Return a text in at most `room` letters; a longer one ends with "…" after a complete word.

    >>> cut("also wrong: one card, and no card", 24)
    'also wrong: one card …'
    """
    return text if len(text) <= room else f"{text[: room - 1].rpartition(' ')[0].rstrip(',:·. ')} {CUT}"


def bar(done: int | None, total: int) -> str:
    """Return a progress bar as text."""
    filled = round(20 * (done or 0) / total) if total else 0
    return f"{'█' * filled}{'░' * (20 - filled)} {done} of {total}"


# ------------------------------------------------------------------------------------------------ HTML


def as_html(blocks: Iterable[Element]) -> str:
    """Return blocks as HTML; a fold and the bar behind it share a row."""
    match [*blocks]:
        case [*others, Fold() as fold, Bar() as last]:
            row = "display:flex;flex-wrap:wrap;gap:0 1.5em"
            return f'{as_html(others)}<div style="{row}">{_html(fold)}{_html(last)}</div>'
        case others:
            return "".join(map(_html, others))


def _html(block: Element) -> str:
    match block:
        case Prose(text, lead, faint, aside):
            border = f"padding-left:.8em;border-left:2px solid {GREY};margin:.2em 0;" if aside else ""
            head = f"<b>{backquotes_html(lead)}</b> " if lead else ""
            return f'<div style="{border}{FAINT if faint else ""}">{head}{backquotes_html(text)}</div>'
        case CodeExample(code):
            return f'<pre style="{WRAPPED};margin:.2em 1.4em;padding:0;background:none">{wrapped(code)}</pre>'
        case Rows(rows):
            about = f'role="group" aria-label="{escape(", ".join(row.label for row in rows))}"'
            length = max((len(pieces_text(row.pieces)) for row in rows), default=0)
            return f"<div {about}>{''.join(_row_html(row, length) for row in rows)}</div>"
        case Fold(summary, inside):
            head = f'<summary style="{FOLDED};cursor:pointer;{FAINT}">{backquotes_html(summary)}</summary>'
            return f'<details>{head}<div style="margin-left:1.2em">{as_html(inside)}</div></details>'
        case Cards(cards):
            style = "display:flex;flex-wrap:wrap;gap:.5em;list-style:none;margin:.4em 0;padding:0"
            return f'<ul style="{style}">{"".join(_card_html(*card) for card in cards)}</ul>'
        case Bar(done, total, offer, ahead, link):
            further = f"<a {link}><b>Next: <code>{escape(ahead)}</code></b></a>" if ahead else ""
            offered = f' <span style="{FAINT}">{backquotes_html(offer)}</span>' if offer else ""
            style = "display:flex;gap:1em;flex-wrap:wrap"
            return f'<div style="{style}">{bar_html(done, total) if done is not None else ""}{further}{offered}</div>'
    return _row_html(block, len(pieces_text(block.pieces)))


CARD_BOX = (
    "box-sizing:border-box;width:14em;min-height:6em;padding:.4em .6em;border-radius:.5em;font-size:.9em;margin:0"
)


def _card_html(text: str, is_caught: bool) -> str:
    """Return a card as HTML: its text, or its back."""
    if not is_caught:
        back = "border:1px solid #8888;background:repeating-linear-gradient(45deg,#8882 0 6px,#8884 6px 12px)"
        return f'<li role="img" aria-label="face down" style="{CARD_BOX};{back}"></li>'
    return f'<li style="{CARD_BOX};border:2px solid {GREEN}"><b>✓ caught</b><br>{backquotes_html(text)}</li>'


def _row_html(row: Row, length: int) -> str:
    """Return a row as HTML. The code is below its label if there is no room for `length` letters beside the label."""
    texts = [piece.text for piece in row.pieces]
    code = "".join(map(_piece_html, row.pieces, colored_parts(texts) if row.is_code else map(escape, texts)))
    comment = f'<span style="{FAINT}">&emsp;# {escape(row.comment)}</span>' if row.comment else ""
    look = f"{WRAPPED};font-size:{CODE_SIZE};display:{'inline' if row.full else 'block'}"
    line = f'<code style="{look}">{code}{comment}</code>'
    if row.full:
        full = f'<pre style="{WRAPPED};margin:.2em 1.4em">{wrapped(chr(10).join(row.full))}</pre>'
        line = f'<details><summary style="{FOLDED};cursor:pointer">{line}</summary>{full}</details>'
    style = "display:flex;flex-wrap:wrap;gap:0 1em;align-items:center;min-width:0"
    body = f'<div style="{style};flex:1 1 {min(length, LABELS_ROW_ROOM)}ch">{line}{_picture(row.drawn)}</div>'
    label = f'<span style="{FAINT}">{escape(row.label)}</span>{_copy(row.copied)}'
    head = f'<div style="display:flex;align-items:baseline;gap:.5em;flex:none;min-width:{LABEL_WIDTH}">{label}</div>'
    return f'<div style="display:flex;flex-wrap:wrap;gap:0 .8em;align-items:baseline">{head}{body}</div>'


def _piece_html(piece: Piece, html: str) -> str:
    """Return a piece of code as HTML; a piece that differs is marked, and has no other color."""
    return f'<mark style="{MARKED}">{escape(piece.text)}</mark>' if piece.differs else html


def _picture(code: str) -> str:
    """Return code as a picture. The drawing module is imported only when it is needed."""
    if not code:
        return ""
    from course.show.pictured import pictured

    return pictured(code)


def _picture_size(code: str) -> tuple[float, float]:
    """Return the width and height of the picture of some code, in pixels."""
    if not code:
        return 0, 0
    from course.show.pictured import card_picture_of

    drawing = card_picture_of(code)
    return (drawing.width, drawing.height) if drawing else (0, 0)


COPY = "navigator.clipboard.writeText(this.dataset.code).then(()=>{this.textContent='copied'})"


def _copy(code: str) -> str:
    """Return a button that copies code. Jupyter removes it from notebooks that are not trusted."""
    if not code:
        return ""
    style = (
        f"font-size:.8em;padding:0 .4em;border:1px solid #8886;border-radius:.3em;background:none;color:inherit;{FAINT}"
    )
    about = 'type="button" title="Copy the code"'
    return f'<button {about} style="{style}" data-code="{escape(code)}" onclick="{COPY}">copy</button>'


def backquotes_html(text: str) -> str:
    """Return a text as HTML, with the parts between backquotes as code."""
    style = f"{FONT};background:#8882;padding:0 .2em;border-radius:.2em"
    return re.sub(r"`([^`]+)`", rf'<code style="{style}">\1</code>', escape(text, quote=False))


def bar_html(done: int, total: int) -> str:
    """Return a progress bar as HTML. The bar is visible in high-contrast modes, too."""
    share = 100 * done / total if total else 0
    shape = "forced-color-adjust:none;border-radius:.25em"
    track = f"{shape};display:inline-block;width:10em;height:.5em;background:#8884;vertical-align:middle"
    filled = f"{shape};display:block;width:{share:.0f}%;height:100%;background:{GREEN}"
    label = f"{done} of {total}"
    return f'<div style="{FAINT}"><span style="{track}"><span style="{filled}"></span></span> {label}</div>'
