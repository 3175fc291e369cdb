"""How a checked exercise looks: as HTML in light and dark notebooks and on feedback pages, and as plain text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

GOOD, BAD, OPEN, BORROWED, STALE = "good", "bad", "open", "borrowed", "stale"
SIGNS = {GOOD: "✓", BAD: "✗", OPEN: "○", BORROWED: "◇", STALE: "↻"}
SAID = {GOOD: "right", BAD: "not right", OPEN: "open", BORROWED: "borrowed", STALE: "changed since it was right"}
# White on each hue is at least 4.5:1. No colour is that on white and on a dark ground as well: so signs are white on
# a ground of their own, and the hues alone are for lines.
HUES = {GOOD: "#1a8754", BAD: "#d6364a", OPEN: "#8a6d1d", BORROWED: "#8a6d1d", STALE: "#8a6d1d"}
CODE = "font-family:var(--jp-code-font-family,monospace);white-space:pre-wrap;overflow-wrap:anywhere"
FAINT = "opacity:.75"
BADGE = "display:inline-block;min-width:1.1em;padding:0 .15em;border-radius:.3em;text-align:center;color:#fff"
FOLDED = "display:list-item"  # with its triangle, which nbgrader's style sheet takes away
THOUGHT = "Perhaps you thought:"


@dataclass(frozen=True)
class Part:
    """One line of a result: good, bad or open, what it is about, and the verdict."""

    state: str
    about: str
    verdict: str = ""


@dataclass(frozen=True)
class Result:
    """What `check` shows of one exercise: a headline, its parts, notes, and how far the notebook is."""

    name: str
    state: str
    headline: str
    parts: tuple[Part, ...] = ()
    notes: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    done: int | None = None
    total: int = 0
    points: float | None = None
    form: float = 0.0
    form_of: float = 0.0
    belief: str = ""
    truth: str = ""

    def text(self) -> str:
        """Give the result as plain text."""
        lines = [f"{SIGNS[self.state]} {self.name}: {self.headline}"]
        for part in self.parts if self.state != GOOD else ():
            lines += [f"  {SIGNS[part.state]} {part.about}", *(f"      {line}" for line in part.verdict.splitlines())]
        lines += [f"  {THOUGHT} {self.belief}", f"  {self.truth}"] if self.belief else []
        lines += [f"  form: {line}" for line in self.advice] + [f"  {note}" for note in self.notes]
        return "\n".join(lines + [f"  {bar(self.done, self.total)}"] * (self.done is not None))

    def html(self) -> str:
        """Give the result as HTML that needs no style sheet and no script."""
        inside = [f"<div>{sign(self.state)} <b><code>{escape(self.name)}</code></b> {escape(self.headline)}</div>"]
        inside += _parts_html(self.parts, folded=self.state == GOOD)
        inside += _thought_html(self.belief, self.truth)
        inside += _advice_html(self.advice)
        inside += [f'<div style="{FAINT}">{escape(note)}</div>' for note in self.notes]
        if self.done is not None:
            inside.append(bar_html(self.done, self.total))
        return framed("".join(inside), self.state)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self.text(), "text/html": self.html()}

    def __repr__(self) -> str:
        return self.text()


@dataclass(frozen=True)
class Shown:
    """Something that is only shown: as plain text, and as HTML."""

    plain: str
    markup: str

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self.plain, "text/html": self.markup}

    def __repr__(self) -> str:
        return self.plain


def framed(inside: str, state: str) -> str:
    """Give HTML in the frame that tells a state."""
    border = f"border-left:4px solid {HUES[state]};padding:.2em .8em;margin:.2em 0;line-height:1.5"
    return f'<div class="foldem-result" role="status" style="{border}">{inside}</div>'


def told(lines: tuple[str, ...], state: str = OPEN) -> Shown:
    """Give lines of prose to be shown; what stands between backquotes is code."""
    html = "".join(f"<div>{_with_code(escape(line))}</div>" for line in lines)
    return Shown("\n".join(lines), framed(html, state))


def _with_code(html: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html)


def sign(state: str) -> str:
    """Give the sign of a state on its hue; the sign alone tells it too, and is read out as a word."""
    return f'<b role="img" aria-label="{SAID[state]}" style="{BADGE};background:{HUES[state]}">{SIGNS[state]}</b>'


def bar(done: int | None, total: int) -> str:
    """Give a progress bar as text."""
    filled = round(20 * (done or 0) / total) if total else 0
    return f"{'█' * filled}{'░' * (20 - filled)} {done} of {total}"


def _parts_html(parts: tuple[Part, ...], folded: bool) -> list[str]:
    """Give the parts, folded away where there is nothing to mend."""
    lines = [_part_html(part) for part in parts]
    if not folded or not lines:
        return lines
    summary = f'<summary style="{FOLDED};{FAINT}">{len(lines)} thing{"" if len(lines) == 1 else "s"} checked</summary>'
    return [f'<details style="margin-left:1.2em">{summary}{"".join(lines)}</details>']


def _part_html(part: Part) -> str:
    line = f'<div style="margin-left:1.2em">{sign(part.state)} {escape(part.about)}'
    if part.verdict:
        line += f'<div style="{CODE};margin-left:1.4em">{escape(part.verdict)}</div>'
    return line + "</div>"


def _thought_html(belief: str, truth: str) -> list[str]:
    """Give what the learner probably thought, and how it is instead."""
    if not belief:
        return []
    told = f"<i>{THOUGHT} {_with_code(escape(belief))}</i><br>{_with_code(escape(truth))}"
    return [f'<div style="margin:.4em 0 .4em 1.2em;padding-left:.8em;border-left:2px solid {HUES[OPEN]}">{told}</div>']


def _advice_html(advice: tuple[str, ...]) -> list[str]:
    if not advice:
        return []
    items = "".join(f"<li>{escape(line)}</li>" for line in advice)
    return [
        '<details style="margin-left:1.2em">'
        f'<summary style="{FOLDED}">Form: {len(advice)} to look at</summary><ul>{items}</ul></details>'
    ]


def bar_html(done: int, total: int) -> str:
    """Give a progress bar as HTML."""
    share = 100 * done / total if total else 0
    track = "display:inline-block;width:10em;height:.5em;border-radius:.25em;background:#8884;vertical-align:middle"
    filled = f"display:block;width:{share:.0f}%;height:100%;border-radius:.25em;background:{HUES[GOOD]}"
    label = f"{done} of {total}"
    return f'<div style="{FAINT}"><span style="{track}"><span style="{filled}"></span></span> {label}</div>'
