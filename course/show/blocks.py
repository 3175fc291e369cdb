"""The parts of a result, and two ways to write them: as HTML that needs no style sheet, and as plain text.

Text between backquotes is shown as code in both. The contents of a fold are only in the HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from textwrap import wrap
from typing import TypeAlias

from course.diagnoses.compared import CUT_MARK, TextPieces, joined_pieces

# White on each hue has a contrast of at least 4.5:1. No color has that on both white and dark backgrounds, so text is
# white on the hue, and the hues alone are for lines.
GREEN, RED, OCHRE, GREY, BLUE = "#1a8754", "#d6364a", "#8a6d1d", "#6b7480", "#2b6cb0"
CODE_FONT_STYLE = "font-family:var(--jp-code-font-family,monospace)"
LINE_STYLE = f"{CODE_FONT_STYLE};white-space:pre;margin:0;padding:0;background:none"
WRAPPED_CODE_STYLE = f"{CODE_FONT_STYLE};white-space:pre-wrap;overflow-wrap:anywhere"
FAINT_STYLE = "opacity:.75"
SUMMARY_STYLE = "display:list-item"  # keeps the triangle, which nbgrader's style sheet removes
MARK_STYLE = "background:#d6364a33;color:inherit;text-decoration:underline 2px"
LABEL_COLUMNS = 10
ROW_ROOM = 80  # letters; a longer one is wrapped
# On a page, in letters of code: a row beside the frame, the labels and the gap, the indent of an example, the triangle
# of a fold, and the gap before a picture. A letter has so many pixels, and a row, too.
PAGE_ROW, LABELS_ON_PAGE, INDENT, TRIANGLE, PICTURE_GAP = 76, 11, 8, 2, 2
PROSE_ROW_LENGTH = 81  # its letters are narrower than those of code
LETTER_WIDTH, ROW_HEIGHT = 8.4, 21
LABEL_WIDTH = "5.6em"  # with the button that copies
CODE_FONT_SIZE = ".93em"  # JupyterLab's cells, too, have smaller letters than its text
CODE_WIDTH_NEXT_TO_LABEL = 30  # letters of code that stay beside their label on a narrow page


@dataclass(frozen=True)
class Prose:
    """One or two sentences, after an optional bold `lead`.

    If `aside` is true, a vertical line marks the sentences.
    """

    text: str
    lead: str = ""
    faint: bool = False
    aside: bool = False


@dataclass(frozen=True)
class CodeExample:
    """A piece of code, with its line breaks."""

    code: str


@dataclass(frozen=True)
class Row:
    """A line of code with a label in front. The code is in pieces, some of which are marked.

    `drawn` is code to show as a picture, and `copied` the text that a button copies. If `pieces` are shortened, `full`
    has all of the code, statement by statement. HTML shows `full` in a fold, and plain text leaves it out.
    """

    label: str
    pieces: TextPieces
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
    """Elements that are hidden below a summary until the summary is clicked.

    Plain text omits these elements. If `quiet` is true, plain text omits the summary, too.
    """

    summary: str
    inside: tuple[Element, ...]
    quiet: bool = False


@dataclass(frozen=True)
class ProgressBar:
    """A progress bar that shows how many exercises are finished, which one is next, and what help is available.

    `link` has the HTML attributes of the link to the next exercise.
    """

    done: int | None
    total: int
    offer: str = ""
    ahead: str = ""
    link: str = ""


@dataclass(frozen=True)
class WrongAnswerCards:
    """Wrong answers as cards in a row: those that the learner has caught are face up, the others are face down."""

    cards: tuple[tuple[str, bool], ...]


Element: TypeAlias = Prose | CodeExample | Rows | Fold | ProgressBar | WrongAnswerCards


# ------------------------------------------------------------------------------------------------ text


def as_text(blocks: Iterable[Element], has_carets: bool = True) -> str:
    """Return elements as plain text, without the contents of folds. Carets in the line below mark differences.

    >>> as_text([Fold("2 others fail", ()), ProgressBar(None, 0, "Stuck?")])
    '  2 others fail · Stuck?'
    """
    shown = [block for block in blocks if not (isinstance(block, Fold) and block.quiet)]
    shared = _shared_row(shown)
    lines = [line for block in (shown[:-2] if shared else shown) for line in _text_lines(block, has_carets)]
    return "\n".join(f"  {line}" for line in (*lines, *filter(None, [shared])))


def _shared_row(blocks: Sequence[Element]) -> str:
    """Return the row that the last two blocks share, or "". A fold and a progress bar share a row if they fit."""
    match blocks:
        case [*_, Fold(summary), ProgressBar() as last]:
            row = " · ".join((summary, *_text_lines(last, has_carets=False)))
            return row if TRIANGLE + len(row) <= PAGE_ROW else ""
    return ""


def text_row_count(text: str, width: int = ROW_ROOM) -> int:
    """Return how many rows a text fills in a window that is `width` columns wide.

    >>> text_row_count("short\\n" + 81 * "x")
    3
    """
    return sum(max(1, -(-len(line) // width)) for line in text.splitlines())


def page_row_count(blocks: Sequence[Element]) -> int:
    """Return how many rows some elements fill on a page, whose rows have room for 76 letters of code.

    >>> page_row_count([Prose("short"), Fold("more", (), quiet=True)])
    2
    """
    return sum(map(_element_row_count, blocks[:-1] if _shared_row(blocks) else blocks))


def _element_row_count(block: Element) -> int:
    """Return how many rows an element fills on a page. A picture is next to its code, or below the code."""
    match block:
        case CodeExample(code):
            return text_row_count(code, PAGE_ROW - INDENT)
        case Fold(summary):
            return text_row_count(summary, PAGE_ROW - TRIANGLE)
        case Rows(rows):
            return sum(map(_row_height, rows))
        case _:
            return len(wrap(as_text([block]), PROSE_ROW_LENGTH))


def _row_height(row: Row) -> int:
    room = PAGE_ROW - LABELS_ON_PAGE
    comment = f"   # {row.comment}" if row.comment else ""
    length = len(joined_pieces(row.pieces)) + len(comment) + TRIANGLE * bool(row.full)
    lines, drawing = max(1, -(-length // room)), None
    if row.drawn:
        from course.show.pictured import card_picture_of  # imported only here, because few results have pictures

        drawing = card_picture_of(row.drawn)
    width, height = (drawing.width / LETTER_WIDTH, round(drawing.height / ROW_HEIGHT)) if drawing else (0, 0)
    fits_next_to = lines == 1 and length + PICTURE_GAP + width <= room
    return max(lines, height) if fits_next_to else lines + height


def _text_lines(block: Element, has_carets: bool) -> Iterator[str]:
    match block:
        case Prose(text, lead):
            yield f"{lead} {text}".lstrip()
        case CodeExample(code):
            yield from (f"    {line}" for line in code.splitlines())
        case Rows(rows):
            marked = [row for row in rows if any(piece.differs for piece in row.pieces)]
            for row in rows:
                comment = f"   # {row.comment}" if row.comment else ""
                yield f"{row.label:<{LABEL_COLUMNS}}{joined_pieces(row.pieces)}{comment}"
                if has_carets and row in marked[-1:]:
                    carets = "".join(("^" if piece.differs else " ") * len(piece.text) for piece in row.pieces)
                    yield f"{'':<{LABEL_COLUMNS}}{carets}".rstrip()
        case Fold(summary):
            yield summary
        case WrongAnswerCards(cards):
            yield from (f"[✓] {text}" for text, is_caught in cards if is_caught)
            yield from (f"[?] {down} more cards, face down" for down in [sum(not it for _, it in cards)] if down)
        case ProgressBar(done, total, offer, ahead):
            shown = progress_bar_text(done, total) if done is not None else "", f"Next: {ahead}" if ahead else "", offer
            yield " · ".join(filter(None, shown))


def as_line(code: str) -> str:
    """Return code on one line."""
    return " ".join(code.split())


def cut(text: str, room: int) -> str:
    """Return a text of at most `room` letters. A longer text is cut after a word, and ends with "…".

    >>> cut("also wrong: one card, and no card", 24)
    'also wrong: one card …'
    """
    return text if len(text) <= room else f"{text[: room - 1].rpartition(' ')[0].rstrip(',:·. ')} {CUT_MARK}"


def progress_bar_text(done: int | None, total: int) -> str:
    """Return a progress bar as text."""
    filled = round(20 * (done or 0) / total) if total else 0
    return f"{'█' * filled}{'░' * (20 - filled)} {done} of {total}"


# ------------------------------------------------------------------------------------------------ HTML


def as_html(blocks: Iterable[Element]) -> str:
    """Return elements as HTML. If a fold and a progress bar come last, they share a row."""
    match [*blocks]:
        case [*others, Fold() as fold, ProgressBar() as last]:
            row = "display:flex;flex-wrap:wrap;gap:0 1.5em"
            return f'{as_html(others)}<div style="{row}">{_element_html(fold)}{_element_html(last)}</div>'
        case others:
            return "".join(map(_element_html, others))


def _element_html(block: Element) -> str:
    match block:
        case Prose(text, lead, faint, aside):
            border = f"padding-left:.8em;border-left:2px solid {GREY};margin:.2em 0;" if aside else ""
            style = f' style="{border}{FAINT_STYLE if faint else ""}"' if aside or faint else ""
            head = f"<b>{backquotes_html(lead)}</b> " if lead else ""
            return f"<div{style}>{head}{backquotes_html(text)}</div>"
        case CodeExample(code):
            style = f"{WRAPPED_CODE_STYLE};margin:.2em 1.4em;padding:0;background:none"
            return f'<pre style="{style}">{wrapped_code_html(code)}</pre>'
        case Rows(rows):
            about = f'role="group" aria-label="{escape(", ".join(row.label for row in rows))}"'
            length = max((len(joined_pieces(row.pieces)) for row in rows), default=0)
            return f"<div {about}>{''.join(_row_html(row, length) for row in rows)}</div>"
        case Fold(summary, inside):
            head = f'<summary style="{SUMMARY_STYLE};cursor:pointer;{FAINT_STYLE}">{backquotes_html(summary)}</summary>'
            return f'<details>{head}<div style="margin-left:1.2em">{as_html(inside)}</div></details>'
        case WrongAnswerCards(cards):
            style = "display:flex;flex-wrap:wrap;gap:.5em;list-style:none;margin:.4em 0;padding:0"
            caught = f'<li style="{WRONG_ANSWER_CARD_STYLE};border:2px solid {GREEN}"><b>✓ caught</b><br>'
            items = (
                f"{caught}{backquotes_html(text)}</li>" if is_caught else FACE_DOWN_CARD for text, is_caught in cards
            )
            return f'<ul style="{style}">{"".join(items)}</ul>'
        case ProgressBar(done, total, offer, ahead, link):
            further = f"<a {link}><b>Next: <code>{escape(ahead)}</code></b></a>" if ahead else ""
            offered = f' <span style="{FAINT_STYLE}">{backquotes_html(offer)}</span>' if offer else ""
            style = "display:flex;gap:1em;flex-wrap:wrap"
            shown = progress_bar_html(done, total) if done is not None else ""
            return f'<div style="{style}">{shown}{further}{offered}</div>'


WRONG_ANSWER_CARD_STYLE = (
    "box-sizing:border-box;width:14em;min-height:6em;padding:.4em .6em;border-radius:.5em;font-size:.9em;margin:0"
)
CARD_BACK_STYLE = "border:1px solid #8888;background:repeating-linear-gradient(45deg,#8882 0 6px,#8884 6px 12px)"
FACE_DOWN_CARD = (
    f'<li style="{WRONG_ANSWER_CARD_STYLE};{CARD_BACK_STYLE}"><span role="img" aria-label="face down"></span></li>'
)
# Jupyter removes this button from notebooks that are not trusted.
COPY_SCRIPT = "navigator.clipboard.writeText(this.dataset.code).then(()=>{this.textContent='copied'})"
COPY_BUTTON_STYLE = (
    "font-size:.8em;padding:0 .4em;border:1px solid #8886;border-radius:.3em;background:none;color:inherit;"
    f"{FAINT_STYLE}"
)


def _row_html(row: Row, length: int) -> str:
    """Return a row as HTML. The code is below its label if there is no room for `length` letters beside the label.

    A piece that differs is marked, and has no other color.
    """
    texts = [piece.text for piece in row.pieces]
    parts = colored_parts(texts) if row.is_code else map(escape, texts)
    code = "".join(
        f'<mark style="{MARK_STYLE}">{escape(piece.text)}</mark>' if piece.differs else part
        for piece, part in zip(row.pieces, parts, strict=True)
    )
    comment = f'<span style="{FAINT_STYLE}">&emsp;# {escape(row.comment)}</span>' if row.comment else ""
    look = f"{WRAPPED_CODE_STYLE};font-size:{CODE_FONT_SIZE};display:{'inline' if row.full else 'block'}"
    line = f'<code style="{look}">{code}{comment}</code>'
    if row.full:
        full = f'<pre style="{WRAPPED_CODE_STYLE};margin:.2em 1.4em">{wrapped_code_html(chr(10).join(row.full))}</pre>'
        line = f'<details><summary style="{SUMMARY_STYLE};cursor:pointer">{line}</summary>{full}</details>'
    if row.drawn:
        from course.show.pictured import card_image_html  # as above

        line += card_image_html(row.drawn)
    style = "display:flex;flex-wrap:wrap;gap:0 1em;align-items:center;min-width:0"
    body = f'<div style="{style};flex:1 1 {min(length, CODE_WIDTH_NEXT_TO_LABEL)}ch">{line}</div>'
    label = f'<span style="{FAINT_STYLE}">{escape(row.label)}</span>'
    if row.copied:
        about = f'type="button" title="Copy the code" style="{COPY_BUTTON_STYLE}" data-code="{escape(row.copied)}"'
        label += f'<button {about} onclick="{COPY_SCRIPT}">copy</button>'
    head = f'<div style="display:flex;align-items:baseline;gap:.5em;flex:none;min-width:{LABEL_WIDTH}">{label}</div>'
    return f'<div style="display:flex;flex-wrap:wrap;gap:0 .8em;align-items:baseline">{head}{body}</div>'


def backquotes_html(text: str) -> str:
    """Return a text as HTML. The parts between backquotes are shown as code."""
    style = f"{CODE_FONT_STYLE};background:#8882;padding:0 .2em;border-radius:.2em"
    return re.sub(r"`([^`]+)`", rf'<code style="{style}">\1</code>', escape(text, quote=False))


def progress_bar_html(done: int, total: int) -> str:
    """Return a progress bar as HTML that is visible in high-contrast modes, too."""
    share = 100 * done / total if total else 0
    shape = "forced-color-adjust:none;border-radius:.25em"
    track = f"{shape};display:inline-block;width:10em;height:.5em;background:#8884;vertical-align:middle"
    filled = f"{shape};display:block;width:{share:.0f}%;height:100%;background:{GREEN}"
    label = f"{done} of {total}"
    return f'<div style="{FAINT_STYLE}"><span style="{track}"><span style="{filled}"></span></span> {label}</div>'


# ------------------------------------------------------------------------------------------------ colored code

# In a page without JupyterLab's variables, `light-dark` follows the page's color scheme.
TOKEN_COLORS = {
    "Token.Keyword": "var(--jp-mirror-editor-keyword-color,light-dark(#00712b,#7ee2a0))",
    "Token.Operator.Word": "var(--jp-mirror-editor-keyword-color,light-dark(#00712b,#7ee2a0))",
    "Token.Literal.String": "var(--jp-mirror-editor-string-color,light-dark(#a31f2b,#ff9aa2))",
    "Token.Literal.Number": "var(--jp-mirror-editor-number-color,light-dark(#00712b,#7ee2a0))",
    "Token.Comment": "var(--jp-mirror-editor-comment-color,light-dark(#3f6a6a,#9fc7c7))",
}
BLANK_LINE_PATTERN = re.compile(r"^[^\S\n]+$", re.MULTILINE)
HANGING_INDENT = 4  # letters by which the rest of a wrapped line is indented further than its beginning


def colored_parts(parts: Sequence[str]) -> list[str]:
    """Return the parts of some Python code as highlighted HTML, with one string for each part.

    Each colored HTML element ends before the end of its line.

    >>> [part.count("<span") for part in colored_parts(["f('a", "b')"])]
    [1, 1]
    """
    try:
        from pygments.lexers import PythonLexer  # imported here, because few cells need it
    except ImportError:  # the page of shared games has only Python's library and toolz
        return [*map(escape, parts)]
    # Pygments takes minutes for thousands of lines of blanks. Empty lines instead have the same colors.
    even = BLANK_LINE_PATTERN.sub(lambda line: "\n" * len(line[0]), "".join(parts))
    every, results = list[str](), list[str]()
    # Without `get_tokens`, which would change line ends: there must be as many letters as in the source.
    for _, kind, text in PythonLexer(ensurenl=False, stripnl=False).get_tokens_unprocessed(even):
        hue = next((hue for begin, hue in TOKEN_COLORS.items() if str(kind).startswith(begin)), "")
        every += [hue] * len(text)
    hues = iter(every)
    for part in parts:
        letters, spans = [(letter, next(hues, "")) for letter in part], list[str]()
        for (hue, is_end), run in groupby(letters, key=lambda pair: (pair[1], pair[0] == "\n")):
            text = escape("".join(letter for letter, _ in run))
            spans.append(f'<span style="color:{hue}">{text}</span>' if hue and not is_end else text)
        results.append("".join(spans))
    return results


def wrapped_code_html(source: str) -> str:
    """Return code as highlighted HTML for a `pre` that wraps long lines.

    The rest of a wrapped line is indented further than its beginning.

    >>> wrapped_code_html("if a:\\n  b").count("padding-left:6ch")
    1
    """
    parts = []
    for line, html in zip(source.split("\n"), colored_parts([source])[0].split("\n"), strict=True):
        indent = len(line) - len(line.lstrip()) + HANGING_INDENT
        parts.append(f'<span style="display:block;padding-left:{indent}ch;text-indent:-{indent}ch">{html}\n</span>')
    return "".join(parts)
