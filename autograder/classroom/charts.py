"""Charts of the class page as SVG, in the page's light and dark colors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from zlib import crc32

from autograder.classroom.model import Counts
from course.svg import svg, tag

CHART_INK, GRID_LINE = "var(--ink)", "var(--faint)"
STATE_COLORS = tuple(f"var(--hue-{number})" for number in range(1, 6))
HATCHES = ("", "M0 8L8 0", "M3 3h2v2h-2z", "M0 0L8 8M8 0L0 8", "")  # in a square of 8 by 8, one for each color
CHART_ACROSS, COLUMN_HEIGHT, BAR, KEY_HEIGHT = 760, 150, 24, 26
LABEL_LETTER = 6.3  # the width of an average letter
ROUND_STEPS = tuple(digit * 10**power for power in range(6) for digit in (1, 2, 5))
ChartParts = tuple[float, Iterable[str]]  # a height and the parts


def chart_svg(table: Counts, draw: Callable[[Counts], ChartParts]) -> str:
    """Return a chart as SVG."""
    height, parts = draw(table)
    return svg(
        tag("defs", *(_pattern(table, number, path) for number, path in enumerate(HATCHES) if path)),
        *parts,
        role="img",
        aria_label=f"{table.title}, of {table.of}",
        viewBox=f"0 0 {CHART_ACROSS} {height:g}",
        font_family="sans-serif",
        font_size=12,
        fill=CHART_INK,
    )


def _hatch(table: Counts, number: int) -> str:
    """Return the id of a pattern, which no other chart of the page has."""
    return f"hatch-{crc32(repr(table).encode()):08x}-{number}"


def _pattern(table: Counts, number: int, path: str) -> str:
    lines = tag("path", d=path, stroke=CHART_INK, fill=CHART_INK, stroke_width=0.7)
    return tag("pattern", lines, id=_hatch(table, number), width=8, height=8, patternUnits="userSpaceOnUse")


def _box(table: Counts, number: int, x: float, y: float, width: float, height: float) -> str:
    """Return a box in the color and with the hatch of a state."""
    corner = {"x": f"{x:.1f}", "y": f"{y:.1f}", "width": f"{width:.1f}", "height": f"{height:.1f}"}
    box = tag("rect", fill=STATE_COLORS[number], **corner)
    if not HATCHES[number] or not width or not height:
        return box
    return box + tag("rect", fill=f"url(#{_hatch(table, number)})", stroke=CHART_INK, stroke_width=0.3, **corner)


def _text(x: float, y: float, text: object, anchor: str = "start") -> str:
    return tag("text", escape(str(text)), x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return tag("line", x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}", stroke=GRID_LINE)


def columns(table: Counts) -> ChartParts:
    """Draw a column for each row of a table, with its count above."""
    return COLUMN_HEIGHT + 60, _upright(table)


def _upright(table: Counts) -> Iterator[str]:
    step, most, floor = CHART_ACROSS / len(table.rows), max(1, *(row[-1] for row in table.rows)), COLUMN_HEIGHT + 20
    for index, row in enumerate(table.rows):
        height, middle = COLUMN_HEIGHT * row[-1] / most, (index + 0.5) * step
        yield _box(table, 0, middle - 0.42 * step, floor - height, 0.84 * step, height)
        yield _text(middle, floor - height - 5, row[-1] or "", "middle")
        yield _text(middle, floor + 16, str(row[0]).removesuffix(" %").replace(" to ", "–"), "middle")
    yield _line(0, floor, CHART_ACROSS, floor)
    yield _text(CHART_ACROSS / 2, floor + 34, f"{table.columns[0]}, in %", "middle")


def bars(table: Counts) -> ChartParts:
    """Draw a horizontal bar for each row of a table, with its first count at the end."""
    across, parts = _scale(table), [*_axis(table)]
    for row, (_, count, *_) in enumerate(table.rows):
        parts.append(_box(table, 0, across(0), _top(row), across(count) - across(0), 0.7 * BAR))
        parts.append(_text(across(count) + 4, _top(row) + 13, count))
    return _height(table), parts


def stacked(table: Counts) -> ChartParts:
    """Draw a bar for each row of a table, divided by columns in different colors and hatches."""
    across = _scale(table)
    boxes = (
        _box(table, number, across(sum(row[1 : number + 1])), _top(index), across(count) - across(0), 0.7 * BAR)
        for index, row in enumerate(table.rows)
        for number, count in enumerate(row[1:])
    )
    return _height(table), [*_legend(table, table.columns[1:]), *_axis(table), *boxes]


def _scale(table: Counts) -> Callable[[float], float]:
    """Return a function that turns a number into its x coordinate, to the right of the names."""
    left = min(CHART_ACROSS * 0.6, LABEL_LETTER * max(len(str(row[0])) for row in table.rows) + 14)
    return lambda number: left + number / max(table.of, 1) * (CHART_ACROSS - 40 - left)


def _top(row: int) -> float:
    return KEY_HEIGHT + BAR * row + 0.15 * BAR


def _height(table: Counts) -> float:
    return KEY_HEIGHT + BAR * len(table.rows) + 44


def _axis(table: Counts) -> Iterator[str]:
    """Yield the names on the left, and a scale with round numbers below the rows."""
    across, most, floor = _scale(table), max(table.of, 1), KEY_HEIGHT + BAR * len(table.rows)
    for row, (name, *_) in enumerate(table.rows):
        yield _text(across(0) - 8, _top(row) + 13, name, "end")
    step = next(step for step in ROUND_STEPS if most <= 8 * step)
    for number in range(0, most + 1, step):
        yield _line(across(number), KEY_HEIGHT, across(number), floor + 4)
        yield _text(across(number), floor + 18, number, "middle")
    yield _text(across(most / 2), floor + 36, f"of {table.of}", "middle")


def _legend(table: Counts, names: Sequence[str]) -> Iterator[str]:
    """Yield a box and a name for each color, above the rows."""
    x = 0.0
    for number, name in enumerate(names):
        yield _box(table, number, x, 4, 14, 12)
        yield _text(x + 19, 14, name)
        x += 19 + LABEL_LETTER * len(name) + 22
