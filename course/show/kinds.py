"""The types with which a unit declares its pictures, in `PICTURES` of `<course>/<unit>/pictures.py`, and SVG helpers.

All drawings are our own work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from math import ceil
from typing import NamedTuple

HIGHEST_IN_CODE, HIGHEST_IN_RUN = 44, 28


class Size(NamedTuple):
    """The width and height that a picture needs, its scale, and the angle by which it is turned."""

    width: float
    height: float
    scale: float
    turn: int = 0


def no_name(code: str) -> str:
    """Return "" as the name of a picture. Pictures that need no name use this function."""
    return ""


@dataclass(frozen=True)
class PictureKind:
    """A kind of picture, such as a card. The key of a picture is `kind:code`, and `draw` and `say` get the code.

    `draw` returns the SVG of a picture of the size `size`, with the origin in the middle. `say` returns the picture's
    name for sentences and screen readers. `in_code` is the size of pictures between code, as in results of `check`.
    `in_run` is the size in watched runs. If `in_code` or `in_run` is missing, it is computed from `size`.
    """

    draw: Callable[[str], str]
    say: Callable[[str], str]
    size: tuple[float, float] = (40, 40)
    in_code: Size | None = None
    in_run: Size | None = None

    @property
    def size_in_code(self) -> Size:
        """Return the size of a picture between pieces of code."""
        return self.in_code or self._size_within(HIGHEST_IN_CODE)

    @property
    def size_in_run(self) -> Size:
        """Return the size of a picture in a watched run."""
        return self.in_run or self._size_within(HIGHEST_IN_RUN)

    def _size_within(self, height: float) -> Size:
        """Return the size of a picture that is at most `height` high."""
        scale = min(height / self.size[1], 1)
        return Size(ceil(scale * self.size[0]), ceil(scale * self.size[1]), round(scale, 3))


@dataclass(frozen=True)
class Pictures:
    """The pictures of a unit. `kinds` maps names to kinds of pictures.

    For each type of value, `keys` has a function that returns the key of a value's picture, such as `card:QS`. `rows`
    is for values that are drawn as several pictures side by side, such as a chain of tiles. The functions in `rows`
    split a value's code into parts. Each part is a pair of a text and the key of the part's picture, or "" if the part
    has no picture.
    """

    kinds: Mapping[str, PictureKind]
    keys: Mapping[type, Callable[..., str]] = field(default_factory=dict)
    rows: Mapping[type, Callable[..., Iterable[tuple[str, str]]]] = field(default_factory=dict)


# ------------------------------------------------------------------------------------------------ strokes

INK, RED_INK, PAPER, EDGE = "#1c2530", "#b3202c", "#fffdf7", "#5b6470"
CARD_FONT = 'font-family="system-ui,Segoe UI,Helvetica,Arial,sans-serif" text-anchor="middle"'


def box(width: float, height: float, fill: str, edge: str = EDGE, corner: float = 6, more: str = "") -> str:
    """Return the SVG of a rounded box with the origin in its middle."""
    attributes = f'x="{-width / 2:g}" y="{-height / 2:g}" width="{width:g}" height="{height:g}" rx="{corner:g}"'
    return f'<rect {attributes} fill="{fill}" stroke="{edge}" {more}/>'


def letters(text: str, x: float, y: float, size: float, fill: str = INK, more: str = "") -> str:
    """Return the SVG of a text that is centered at a point."""
    attributes = f'x="{x:g}" y="{y + size * 0.35:.1f}" font-size="{size:g}" fill="{fill}"'
    return f'<text {attributes} font-weight="700" {CARD_FONT} {more}>{escape(text)}</text>'


def path(line: str, fill: str, more: str = "") -> str:
    """Return the SVG of a filled path."""
    return f'<path d="{line}" fill="{fill}" {more}/>'


def at(x: float, y: float, inside: str, scale: float = 1, turn: float = 0) -> str:
    """Return a drawing that is moved to a point, turned and scaled."""
    turned = f" rotate({turn:g})" if turn else ""
    scaled = f" scale({scale:g})" if scale != 1 else ""
    return f'<g transform="translate({x:g},{y:g}){turned}{scaled}">{inside}</g>'


def upside_down(inside: str) -> str:
    """Return a drawing that is turned upside down."""
    return f'<g transform="rotate(180)">{inside}</g>'
