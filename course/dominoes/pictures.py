"""Pictures of the tiles and chains of Dominoes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from course.dominoes import Chain, Domino
from course.show.cards import number_word
from course.show.kinds import EDGE, INK, PAPER, PictureKind, Pictures, Size, at, box, letters

TILE_PATTERN = re.compile(r"\d+-\d+")
PIP_OFFSETS = {"nw": (-1, -1), "n": (0, -1), "ne": (1, -1), "w": (-1, 0), "m": (0, 0), "e": (1, 0)} | {
    "sw": (-1, 1),
    "s": (0, 1),
    "se": (1, 1),
}
PIP_PATTERNS = ("", "m", "nw se", "nw m se", "nw ne sw se", "nw ne m sw se", "nw ne w e sw se", "nw ne w m e sw se") + (
    "nw n ne w e sw s se",
    "nw n ne w m e sw s se",
)


def halves(code: str) -> tuple[int, int]:
    """Return the two numbers of a tile. Raises ValueError if `code` is not the code of a tile.

    >>> halves("2-4")
    (2, 4)
    """
    if not TILE_PATTERN.fullmatch(code):
        raise ValueError(f"there is no tile {code}")
    left, right = code.split("-")
    return int(left), int(right)


def tile_svg(what: str) -> str:
    """Return the SVG of an upright tile with its left half on top.

    If `what` is `back`, return the back of a tile. If `what` is `ghost`, return an outline that shows where a tile may
    go.
    """
    if what == "back":
        return box(40, 80, PAPER, EDGE, 7) + box(31, 71, "#2f3f57", "#2f3f57", 4) + box(23, 63, "none", "#8ea3c2", 3)
    if what == "ghost":
        return box(40, 80, "#ffffff22", "#ffe08a", 7, 'stroke-width="2.5" stroke-dasharray="6 4"')
    top, bottom = halves(what)
    bar = '<path d="M-14,0H14" stroke="#9a8f78" stroke-width="2"/>'
    return box(40, 80, "#fdf8ea", "#6d6350", 7) + at(0, -20, half_svg(top)) + bar + at(0, 20, half_svg(bottom))


def half_svg(number: int) -> str:
    """Return the SVG of one half of a tile: its pips, or its number in digits if there are too many pips."""
    if number >= len(PIP_PATTERNS):
        return letters(str(number), 0, 0, 20)
    spots = (PIP_OFFSETS[name] for name in PIP_PATTERNS[number].split())
    return "".join(f'<circle cx="{x * 11}" cy="{y * 11}" r="3.7" fill="{INK}"/>' for x, y in spots)


def tile_name(code: str) -> str:
    """Return the name of a tile in words.

    >>> tile_name("2-4")
    'tile two four'
    """
    return f"tile {' '.join(map(number_word, code.split('-')))}"


def chain_parts(chain: Chain) -> Iterator[tuple[str, str]]:
    """Yield each part of a chain's code, with the key of its picture if the part is a tile, or else with "".

    >>> [*chain_parts(Chain(6, "6-1", 1))]
    [("Chain(6, '", ''), ('6-1', 'tile:6-1'), ("', 1)", '')]
    """
    yield f"Chain({chain.left!r}, '", ""
    for index, tile in enumerate(chain.text.split(" ")):
        yield from [(" ", "")] * (index > 0)
        yield tile, f"tile:{tile}" if TILE_PATTERN.fullmatch(tile) else ""
    yield f"', {chain.right!r})", ""


TILE_KIND = PictureKind(tile_svg, tile_name, (40, 80), Size(48, 26, 0.6, -90), Size(26, 13, 0.32, -90))
PICTURES = Pictures({"tile": TILE_KIND}, {Domino: lambda tile: f"tile:{tile}"}, {Chain: chain_parts})
