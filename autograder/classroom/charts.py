"""Charts of the class page. matplotlib draws them as SVG, with the page's light and dark colors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from io import StringIO
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from autograder.classroom.model import Counts

# Placeholders for the page's colors: each is replaced by a CSS variable after drawing.
CHART_INK, GRID_LINE, STATE_COLORS = "#010101", "#010102", ("#020201", "#020202", "#020203", "#020204", "#020205")
VARIABLES = {CHART_INK: "--ink", GRID_LINE: "--faint"}
VARIABLES |= {hue: f"--hue-{number}" for number, hue in enumerate(STATE_COLORS, 1)}
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "foldem",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": CHART_INK,
    "axes.edgecolor": GRID_LINE,
    "axes.labelcolor": CHART_INK,
    "xtick.color": CHART_INK,
    "ytick.color": CHART_INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}
WIDTH, ROW = 7.6, 0.27
HATCHES = ("", "//", "..", "xx", "")


def drawn(table: Counts, draw: Callable[[Axes, Counts], None], rows: int = 0) -> str:
    """Return a chart as SVG. `rows` is the number of bars, which determines the height."""
    with rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, 0.9 + ROW * rows if rows else 2.6), layout="constrained")
        draw(figure.subplots(), table)
        text = StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _themed(text.getvalue(), f"{table.title}, of {table.of}")


def _themed(svg: str, label: str) -> str:
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub("|".join(VARIABLES), lambda match: f"var({VARIABLES[match[0]]})", svg)
    svg = re.sub(r'width="[\d.]+pt" height="[\d.]+pt"', "", svg, count=1)
    return svg.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)


def columns(axes: Axes, table: Counts) -> None:
    """Draw a column for each row of a table, with its count above."""
    names, counts = zip(*((row[0], row[-1]) for row in table.rows), strict=True)
    bars = axes.bar(range(len(names)), counts, color=STATE_COLORS[0], width=0.85)
    axes.bar_label(bars, [count or "" for count in counts])
    axes.set_xticks(range(len(names)), [name.removesuffix(" %").replace(" to ", "–") for name in names])
    axes.set_xlabel(f"{table.columns[0]}, in %")
    axes.set_yticks([])
    axes.spines.left.set_visible(False)


def bars(axes: Axes, table: Counts) -> None:
    """Draw a horizontal bar for each row of a table, with its count at the end."""
    names, counts = [str(row[0]) for row in table.rows], [row[1] for row in table.rows]
    drawn_bars = axes.barh(range(len(names)), counts, color=STATE_COLORS[0], height=0.7)
    axes.bar_label(drawn_bars, counts, padding=3)
    _rows_downwards(axes, names, table)


def stacked(axes: Axes, table: Counts) -> None:
    """Draw a bar for each row of a table, divided by columns in different colors and hatches."""
    left = [0] * len(table.rows)
    for number, state in enumerate(table.columns[1:]):
        counts = [row[number + 1] for row in table.rows]
        hue, hatch = STATE_COLORS[number], HATCHES[number]
        axes.barh(range(len(left)), counts, left=left, color=hue, hatch=hatch, edgecolor=CHART_INK, lw=0.3, label=state)
        left = [before + count for before, count in zip(left, counts, strict=True)]
    _rows_downwards(axes, [str(row[0]) for row in table.rows], table)
    axes.figure.legend(loc="outside upper center", ncols=len(table.columns) - 1, fontsize=8)


def changes(axes: Axes, table: Counts) -> None:
    """Draw a histogram of changes in points."""
    gained = [now - before for _, before, now in table.rows]
    step, positions = max(1.0, *map(abs, gained)) / 5, range(-5, 6)
    counts = Counter(round(each / step) for each in gained)
    hues = [STATE_COLORS[2] if position < 0 else STATE_COLORS[0] for position in positions]
    hatches = [HATCHES[1] if position < 0 else "" for position in positions]
    middles, heights = [position * step for position in positions], [counts[position] for position in positions]
    drawn_bars = axes.bar(middles, heights, color=hues, hatch=hatches, width=step * 0.85)
    axes.bar_label(drawn_bars, [height or "" for height in heights])
    axes.set_xlabel("change in points")
    axes.set_yticks([])
    axes.spines.left.set_visible(False)


def means(axes: Axes, table: Counts) -> None:
    """Draw the mean and median of each row, with the number of submissions."""
    positions = range(len(table.rows))
    for shift, number, name in ((-0.2, 1, "mean"), (0.2, 2, "median")):
        shares = [100 * row[number] for row in table.rows]
        drawn_bars = axes.barh(
            [position + shift for position in positions], shares, 0.36, color=STATE_COLORS[number - 1], label=name
        )
        axes.bar_label(drawn_bars, [f"{share:.0f} %" for share in shares], padding=3, fontsize=8)
    axes.set_yticks(positions, [f"{row[0]} (of {row[-1]})" for row in table.rows])
    axes.set_ylim(len(table.rows) - 0.4, -0.6)
    axes.set_xlim(0, 108)
    axes.set_xlabel("share of the points, in %")
    axes.figure.legend(loc="outside upper center", ncols=2, fontsize=8)


def _rows_downwards(axes: Axes, names: Sequence[str], table: Counts) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlim(0, max(table.of, 1) * 1.04)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(f"of {table.of}")
