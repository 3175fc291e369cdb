"""Charts of tournaments as static SVG, which a notebook can show with or without a kernel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from course.arena.arena import Game
from course.arena.contests import RoundRobin, Tournament, wilson
from course.svg import image, svg, tag
from course.values import value

__all__ = ["Picture", "heat_map", "points_chart", "rates_chart"]

CHART_WIDTH, BAR_ROW, MARGIN, LABEL = 640, 30, 20, 170
TEXT_INK, FAINT_LINE, BACKGROUND = "#222222", "#c8c8c8", "#ffffff"
FOUL_COLOR = "#a01c1c"
LINE_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


@value
class Picture:
    """A picture as SVG, with a text that describes it."""

    svg: str
    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return the picture for a notebook. In HTML it is an image, which needs no kernel and no script."""
        return {"image/svg+xml": self.svg, "text/html": image(self.svg, self.text), "text/plain": self.text}


def text_line(x: float, y: float, text: str, **attributes: object) -> str:
    """Return the SVG of a line of text at `x`; its middle is at height `y`."""
    return tag("text", escape(text), **({"x": f"{x:.1f}", "y": f"{y + 4:.1f}", "fill": TEXT_INK} | attributes))


def line(x1: float, y1: float, x2: float, y2: float, **attributes: object) -> str:
    """Return the SVG of a straight line from one point to another."""
    ends = {"x1": f"{x1:.1f}", "y1": f"{y1:.1f}", "x2": f"{x2:.1f}", "y2": f"{y2:.1f}"}
    return tag("line", **(ends | {"stroke": FAINT_LINE} | attributes))


def svg_picture(height: float, text: str, parts: Iterable[str]) -> Picture:
    """Return an SVG picture that consists of these parts."""
    frame = {"viewBox": f"0 0 {CHART_WIDTH} {height:g}", "width": CHART_WIDTH, "height": f"{height:g}", "role": "img"}
    style = {"font_family": "sans-serif", "font_size": 13}
    paper = tag("rect", width=CHART_WIDTH, height=f"{height:g}", fill=BACKGROUND)
    return Picture(svg(tag("title", escape(text)), paper, *parts, **frame, **style), text)


def rates_chart(tournament: Tournament) -> Picture:
    """Return a chart of the share of games (dots) and sets (rings) that each player won, with Wilson intervals."""
    counts = [
        (row.name, what, won, total, LINE_COLORS[index % len(LINE_COLORS)])
        for index, row in enumerate(tournament.standings)
        for what, won, total in (("games", row.games, tournament.games), ("sets", row.sets, tournament.sets))
    ]
    bottom, parts = MARGIN + BAR_ROW * len(counts), list[str]()
    for rate in (0, 0.25, 0.5, 0.75, 1):
        parts.append(line(rate_x(rate), MARGIN, rate_x(rate), bottom, stroke=TEXT_INK if rate == 0.5 else FAINT_LINE))
        parts.append(text_line(rate_x(rate), bottom + MARGIN, f"{rate:.0%}", text_anchor="middle"))
    for index, (name, what, won, total, hue) in enumerate(counts):
        y, (low, high) = MARGIN + BAR_ROW * (index + 0.5), wilson(won, total)
        x, fill = f"{rate_x(won / max(total, 1)):.1f}", hue if what == "games" else BACKGROUND
        parts.append(text_line(LABEL - 15, y, f"{name[:16]}, {what}", text_anchor="end"))
        parts.append(line(rate_x(low), y, rate_x(high), y, stroke=hue, stroke_width=4))
        parts.append(tag("circle", cx=x, cy=y, r=5, fill=fill, stroke=hue, stroke_width=2))
        parts.append(text_line(rate_x(1) + 15, y, rate_text(won, total)))
    text = "; ".join(f"{name}: {rate_text(won, total)} of {total} {what}" for name, what, won, total, _ in counts)
    return svg_picture(bottom + 2 * MARGIN, f"{text} (95 % intervals)", parts)


def rate_text(won: int, total: int) -> str:
    """Return the percentage of games that were won, with its confidence interval.

    >>> rate_text(950, 1000)
    '95.0 % (93.5 to 96.2)'
    """
    low, high = wilson(won, total)
    return f"{100 * won / max(total, 1):.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def rate_x(rate: float) -> float:
    """Return the x coordinate of a rate on the percent axis."""
    return LABEL + rate * (CHART_WIDTH - LABEL - 190)


def points_chart(names: Sequence[str], game: Game, target: int) -> Picture:
    """Return a chart of each player's points during a game, set by set, up to `target`, with the fouls."""
    rows = ((0,) * len(names), *game.scores)
    left, width, height, top = 60, CHART_WIDTH - 220, 260, max(target, *rows[-1])
    parts, step = list[str](), width / max(1, len(rows) - 1)
    for number in range(0, top + 1, 100 if top > 200 else 10 if top > 20 else 1):
        y = MARGIN + height * (1 - number / top)
        parts.append(line(left, y, left + width, y, stroke=TEXT_INK if number == target else FAINT_LINE))
        parts.append(text_line(left - 10, y, str(number), text_anchor="end"))
    parts.append(text_line(left + width / 2, height + 2 * MARGIN, "points after each set", text_anchor="middle"))
    for player, name in enumerate(names):
        hue = LINE_COLORS[player % len(LINE_COLORS)]
        dots = [(left + step * k, MARGIN + height * (1 - row[player] / top)) for k, row in enumerate(rows)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
        parts.append(tag("polyline", points=path, fill="none", stroke=hue, stroke_width=2.5))
        parts += [tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=3, fill=hue) for x, y in dots]
        x, y = dots[-1]
        parts.append(text_line(x + 10, y, f"{name[:16]} {rows[-1][player]}", fill=hue, font_weight="bold"))
    ended = ", ".join(f"{name} {points}" for name, points in zip(names, rows[-1], strict=True))
    fouls, below = [f"Foul by {names[foul.player]}: {foul.reason}" for foul in game.fouls], height + 3 * MARGIN
    parts += [text_line(MARGIN, below + MARGIN * n, foul[:90], fill=FOUL_COLOR) for n, foul in enumerate(fouls)]
    text = "; ".join([f"Points during a game of {len(game.scores)} sets", f"at the end {ended}", *fouls])
    return svg_picture(below + MARGIN * len(fouls), text, parts)


def heat_map(results: RoundRobin) -> Picture:
    """Return a chart of a round robin: the share of games that each row's player won against each column's player.

    A cell is blue for a share over one half, orange for a share under one half, and pale near one half.
    """
    names, games, parts, wins = results.names, results.games, list[str](), list[str]()
    size = min(90, (CHART_WIDTH - LABEL - MARGIN) / max(1, len(names)))
    for k in range(len(names)):
        parts.append(text_line(LABEL + size * (k + 0.5), MARGIN, str(k + 1), text_anchor="middle"))
    for index, name in enumerate(names):
        top = 2 * MARGIN + 0.6 * size * index
        parts.append(text_line(LABEL - 15, top + 0.3 * size, f"{name[:16]} {index + 1}", text_anchor="end"))
        for k, won in enumerate(results.won[index]):
            if k != index:
                rate, x = won / max(1, games), LABEL + size * k
                hue, depth = LINE_COLORS[rate < 0.5], 0.1 + 1.2 * abs(rate - 0.5)
                box = {
                    "x": f"{x:.1f}",
                    "y": f"{top:.1f}",
                    "width": f"{size - 2:.1f}",
                    "height": f"{0.6 * size - 2:.1f}",
                }
                parts.append(tag("rect", fill=hue, fill_opacity=f"{depth:.2f}", **box))
                parts.append(text_line(x + size / 2, top + 0.3 * size, f"{rate:.0%}", text_anchor="middle"))
                wins.append(f"{name} wins {rate:.0%} of the games against {names[k]}")
    height = 3 * MARGIN + 0.6 * size * len(names)
    return svg_picture(height, f"{games} games for each pair of players: {'; '.join(wins)}", parts)
