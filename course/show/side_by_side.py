"""Two sources side by side: a learner's own, and the reference."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import zip_longest

from course.show.blocks import CODE, GREEN, RED
from course.show.highlight import colored
from course.show.results import OPEN, Shown, framed

ONLY_HERE, IN_BOTH = "▸ ", "  "


def side_by_side(own: str, reference: str) -> Shown:
    """Return two sources side by side, or one below the other in a narrow window."""
    sources = own.strip().splitlines(), reference.strip().splitlines()
    columns = tuple(zip(("yours", "the reference"), sources, _only_here(*sources), (RED, GREEN), strict=True))
    text = "\n\n".join("\n".join([f"# {title}", *_marked(lines, only)]) for title, lines, only, _ in columns)
    html = "".join(
        f'<div style="flex:1 1 24em;min-width:0"><b>{title}</b>{_html(lines, only, hue)}</div>'
        for title, lines, only, hue in columns
    )
    return Shown(text, framed(f'<div style="display:flex;flex-wrap:wrap;gap:1.5em">{html}</div>', OPEN))


def _only_here(own: list[str], reference: list[str]) -> tuple[set[int], set[int]]:
    """Return the indices of the lines that only one of two sources has."""
    codes = SequenceMatcher(None, own, reference, autojunk=False).get_opcodes()
    unlike = [code for code in codes if code[0] != "equal"]
    left = {position for _, begin, end, _, _ in unlike for position in range(begin, end)}
    return left, {position for _, _, _, begin, end in unlike for position in range(begin, end)}


def _marked(lines: list[str], only: set[int]) -> list[str]:
    return [f"{ONLY_HERE if index in only else IN_BOTH}{line}".rstrip() for index, line in enumerate(lines)]


def _html(lines: list[str], only: set[int], hue: str) -> str:
    marked = f"background:{hue}26;box-shadow:inset 3px 0 {hue}"
    rows = (
        f'<div style="padding-left:.6em;{marked if index in only else ""}">{line or "&nbsp;"}</div>'
        for index, (_, line) in enumerate(zip_longest(lines, colored("\n".join(lines)).split("\n"), fillvalue=""))
    )
    return f'<pre style="{CODE}">{"".join(rows)}</pre>'
