"""The call map: a unit's exercises with lines from functions to those that call them, and links to their cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from html import escape
from itertools import accumulate, pairwise, zip_longest

from course.show.blocks import CODE, FAINT, FONT, GREEN, RED
from course.show.highlight import colored
from course.show.results import HUES, OPEN, SIGNS, STATE_WORDS, Shown, framed
from course.svg import image, svg, tag

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


STEP, TALL, LETTER, PADDING = 34, 26, 7.9, 24
USUAL_WIDTH, BETWEEN = 960, (24, 96)  # the width that a map takes if it can, and the least and most between columns
LINE_HUE = "#808080"
RIGHTWARDS = "Each function is to the right of the functions that it calls."
FOLLOWED = "Each function is followed by the functions that it calls."
LIST_WIDTH = 600  # pixels; a map that is wider than a narrower page is shown as a list there
LIST_STYLE = """<style>
@container foldem-calls (max-width: {width}px) {{
  .foldem-calls-map {{ position: static !important; width: auto !important; height: auto !important; }}
  .foldem-calls-map img, .foldem-calls-on-map {{ display: none !important; }}
  .foldem-calls-map > div {{ margin: 4px 0; overflow-wrap: anywhere; }}
  .foldem-calls-map a {{ position: static !important; display: inline-block; max-width: 100%; width: auto !important;
    height: auto !important; white-space: normal !important; }}
  .foldem-calls-in-list {{ display: inline !important; }}
}}
</style>"""
# A browser leaves a link that a part of is in sight where it is.
REVEAL = "this.scrollIntoView({block: 'nearest', inline: 'nearest'})"


@dataclass(frozen=True)
class CallMap:
    """The calls between the exercises of a unit, according to the references, and the state of each exercise."""

    calls: Mapping[str, tuple[str, ...]]
    states: Mapping[str, str]

    @cached_property
    def levels(self) -> dict[str, int]:
        """Return each exercise's level: one more than the highest level that it calls, or 0.

        >>> CallMap({"a": (), "b": ("a",), "c": ("a", "b")}, {}).levels
        {'a': 0, 'b': 1, 'c': 2}
        """
        results: dict[str, int] = {}

        def level(name: str) -> int:
            if name not in results:
                results[name] = 0  # a function may call itself
                results[name] = 1 + max((level(other) for other in self.calls[name] if other != name), default=-1)
            return results[name]

        return {name: level(name) for name in self.calls}

    @cached_property
    def columns(self) -> tuple[tuple[str, ...], ...]:
        """Return the exercises by level, each at about the height of the exercises that it calls."""
        height: dict[str, float] = {}
        columns = []
        for level in range(max(self.levels.values(), default=-1) + 1):
            names = [name for name in self.calls if self.levels[name] == level]
            column = tuple(sorted(names, key=lambda name: self._mean(name, height)))
            height |= {name: index - len(column) / 2 for index, name in enumerate(column)}
            columns.append(column)
        return tuple(columns)

    def _mean(self, name: str, height: Mapping[str, float]) -> float:
        called = [height[other] for other in self.calls[name] if other in height]
        return sum(called) / len(called) if called else 0

    @cached_property
    def size(self) -> tuple[float, float]:
        """Return the map's width and height."""
        return self._edges[-1] - self._between, STEP * max(map(len, self.columns), default=0)

    @cached_property
    def _edges(self) -> list[float]:
        """Return the left edge of each column, and of a column after the last."""
        return [*accumulate((self._wide(column) + self._between for column in self.columns), initial=0.0)]

    @cached_property
    def _between(self) -> float:
        """Return the room between two columns: more in a narrow map, so that it takes the usual width."""
        room = USUAL_WIDTH - sum(map(self._wide, self.columns))
        return min(max(room / max(len(self.columns) - 1, 1), BETWEEN[0]), BETWEEN[1])

    def _wide(self, column: tuple[str, ...]) -> float:
        return PADDING + LETTER * max(map(len, column))

    @cached_property
    def boxes(self) -> dict[str, tuple[float, float, float]]:
        """Return the position of each exercise: left, top, and width."""
        pairs = [(column, left) for column, left in zip(self.columns, self._edges, strict=False)]
        return {
            name: (left, (self.size[1] - STEP * len(column)) / 2 + STEP * index, self._wide(column))
            for column, left in pairs
            for index, name in enumerate(column)
        }

    def text(self) -> str:
        """Return the map as text."""
        return "\n".join(
            f"{SIGNS[self.states.get(name, OPEN)]} {name}{_calling(self.calls[name])}" for name in self.calls
        )

    def html(self, link_to: Callable[[str], str]) -> str:
        """Return the map as HTML; `link_to` returns the attributes of a link to an exercise.

        On a narrow page it is a list. If a host removes style sheets, it stays a map.
        """
        width, height = self.size
        lines = svg(*self._lines(), width=f"{width:g}", height=f"{height:g}", viewBox=f"0 0 {width:g} {height:g}")
        behind = image(
            lines, "lines from functions to those that call them", style="position:absolute;left:0;top:0;max-width:none"
        )
        nodes = "".join(
            f"<div>{self._node(name, link_to(name))}{_listed(self.calls[name])}</div>" for name in self.calls
        )
        style = f"position:relative;width:{width:g}px;height:{height:g}px"
        about = 'role="group" aria-label="Which function calls which" tabindex="0" style="overflow-x:auto;padding:4px"'
        head = f'<span class="foldem-calls-on-map">{RIGHTWARDS}</span>{_in_list(FOLLOWED)}'
        drawn = f'<div {about}><div class="foldem-calls-map" style="{style}">{behind}{nodes}</div></div>'
        sheet = LIST_STYLE.format(width=f"{min(width + 7, LIST_WIDTH):g}")
        return f'<div style="container:foldem-calls/inline-size">{sheet}<div style="{FAINT}">{head}</div>{drawn}</div>'

    def _lines(self) -> list[str]:
        return [self._line(other, name) for name, called in self.calls.items() for other in called if other != name]

    def route(self, called: str, caller: str) -> list[tuple[float, float]]:
        """Return the points of a line from a function to one that calls it, past the boxes of the columns between."""
        (left, top, wide), (to, down, _) = self.boxes[called], self.boxes[caller]
        start, end = (left + wide, top + TALL / 2), (to, down + TALL / 2)
        points = [start]
        for level in range(self.levels[called] + 1, self.levels[caller]):
            here, column = self._edges[level], self.columns[level]
            share = (here - start[0]) / (end[0] - start[0])
            y = self._gap(column, start[1] + share * (end[1] - start[1]))
            points += [(here, y), (here + self._wide(column), y)]
        return [*points, end]

    def _gap(self, column: tuple[str, ...], y: float) -> float:
        """Return the height nearest to `y` that lies between the boxes of a column, or above or below all of them."""
        tops = [self.boxes[name][1] - (STEP - TALL) / 2 for name in column]
        return min((*tops, tops[-1] + STEP), key=lambda gap: abs(gap - y))

    def _line(self, called: str, caller: str) -> str:
        points = self.route(called, caller)
        steps = [f"M{points[0][0]:g},{points[0][1]:g}"]
        for index, ((x, y), (to, down)) in enumerate(pairwise(points)):
            bend = (to - x) / 2
            is_along = index % 2 == 1
            way = f"L{to:g},{down:g}" if is_along else f"C{x + bend:g},{y:g} {to - bend:g},{down:g} {to:g},{down:g}"
            steps.append(way)
        return tag("path", d="".join(steps), fill="none", stroke=LINE_HUE, stroke_opacity=0.6)

    def _node(self, name: str, link: str) -> str:
        (left, top, wide), state = self.boxes[name], self.states.get(name, OPEN)
        position = (
            f"position:absolute;left:{left:g}px;top:{top:g}px;width:{wide:g}px;height:{TALL}px;box-sizing:border-box"
        )
        look = f"{FONT};font-size:13px;line-height:{TALL - 2}px;padding:0 6px;border-radius:5px;text-decoration:none"
        ground = "background:var(--jp-layout-color1,Canvas);border:1px solid #8888"
        filled = f"background:{HUES[state]};border:1px solid {HUES[state]};color:#fff"
        text = f"{name}, {STATE_WORDS[state]}{_calling(self.calls[name])}"
        shown = f"{position};white-space:nowrap;{look};{ground if state == OPEN else filled}"
        sign = "" if state == OPEN else f"{SIGNS[state]} "
        about = f'title="{escape(text)}" style="{shown}" onfocus="{REVEAL}"'
        return f"<a {link} {about}>{sign}{escape(name)}</a>"


def _listed(called: tuple[str, ...]) -> str:
    return _in_list(f'<span style="{FONT};font-size:13px">{escape(_calling(called))}</span>') if called else ""


def _in_list(text: str) -> str:
    """Return HTML that is shown only if the map is a list."""
    return f'<span class="foldem-calls-in-list" style="display:none">{text}</span>'


def _calling(called: tuple[str, ...]) -> str:
    return f" calls {', '.join(called)}" if called else ""
