"""Pictures of tiles and cards as SVG, each with a short key. All drawings are our own."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from html import escape

INK, RED_INK, PAPER, EDGE = "#1c2530", "#b3202c", "#fffdf7", "#5b6470"
GRID = {"nw": (-1, -1), "n": (0, -1), "ne": (1, -1), "w": (-1, 0), "m": (0, 0), "e": (1, 0)} | {
    "sw": (-1, 1),
    "s": (0, 1),
    "se": (1, 1),
}
PIPS = ("", "m", "nw se", "nw m se", "nw ne sw se", "nw ne m sw se", "nw ne w e sw se", "nw ne w m e sw se") + (
    "nw n ne w e sw s se",
    "nw n ne w m e sw s se",
)
CARD_FONT = 'font-family="system-ui,Segoe UI,Helvetica,Arial,sans-serif" text-anchor="middle"'


@cache
def art(key: str) -> str:
    """Return the picture of a key such as `tile:2-4`, `card:QS` or `uno:R7`, as SVG around the origin.

    >>> art("tile:1-0").count("<circle")
    1
    """
    kind, _, what = key.partition(":")
    return PAINTERS[kind](what)


# ------------------------------------------------------------------------------------------------ strokes


def box(width: float, height: float, fill: str, edge: str = EDGE, corner: float = 6, more: str = "") -> str:
    """Return a rounded box around the origin."""
    attributes = f'x="{-width / 2:g}" y="{-height / 2:g}" width="{width:g}" height="{height:g}" rx="{corner:g}"'
    return f'<rect {attributes} fill="{fill}" stroke="{edge}" {more}/>'


def letters(text: str, x: float, y: float, size: float, fill: str = INK, more: str = "") -> str:
    """Return a text centered at a point."""
    attributes = f'x="{x:g}" y="{y + size * 0.35:.1f}" font-size="{size:g}" fill="{fill}"'
    return f'<text {attributes} font-weight="700" {CARD_FONT} {more}>{escape(text)}</text>'


def path(line: str, fill: str, more: str = "") -> str:
    """Return a filled path."""
    return f'<path d="{line}" fill="{fill}" {more}/>'


def at(x: float, y: float, inside: str, scale: float = 1, turn: float = 0) -> str:
    """Return a drawing moved, turned and scaled."""
    turned = f" rotate({turn:g})" if turn else ""
    scaled = f" scale({scale:g})" if scale != 1 else ""
    return f'<g transform="translate({x:g},{y:g}){turned}{scaled}">{inside}</g>'


# ------------------------------------------------------------------------------------------------ dominoes


def tile(what: str) -> str:
    """Return an upright tile with its left half on top; `back` is its back, `ghost` an outline where a tile may go."""
    if what == "back":
        return box(40, 80, PAPER, EDGE, 7) + box(31, 71, "#2f3f57", "#2f3f57", 4) + box(23, 63, "none", "#8ea3c2", 3)
    if what == "ghost":
        return box(40, 80, "#ffffff22", "#ffe08a", 7, 'stroke-width="2.5" stroke-dasharray="6 4"')
    top, bottom = map(int, what.split("-"))
    bar = '<path d="M-14,0H14" stroke="#9a8f78" stroke-width="2"/>'
    return box(40, 80, "#fdf8ea", "#6d6350", 7) + at(0, -20, half(top)) + bar + at(0, 20, half(bottom))


def half(number: int) -> str:
    """Return the pips of one half of a tile, or its number in digits if it has too many."""
    if number >= len(PIPS):
        return letters(str(number), 0, 0, 20)
    spots = (GRID[name] for name in PIPS[number].split())
    return "".join(f'<circle cx="{x * 11}" cy="{y * 11}" r="3.7" fill="{INK}"/>' for x, y in spots)


# ------------------------------------------------------------------------------------------------ French cards

SUIT_PATHS = {
    "H": "M0,10C-13,1 -10,-10 -4.6,-9.4C-2,-9 0,-6.6 0,-4.8C0,-6.6 2,-9 4.6,-9.4C10,-10 13,1 0,10Z",
    "D": "M0,-11C2,-7 5,-3 8,0C5,3 2,7 0,11C-2,7 -5,3 -8,0C-5,-3 -2,-7 0,-11Z",
    "S": "M0,-10.5C12.5,-1 9.5,7.5 4.8,7.2C2.8,7 1.2,6 .7,4.6C1,7.6 2,9.2 4,10.5H-4C-2,9.2 -1,7.6 -.7,4.6"
    "C-1.2,6 -2.8,7 -4.8,7.2C-9.5,7.5 -12.5,-1 0,-10.5Z",
    "C": "M0,-10.5A4.7,4.7 0 0 1 3.4,-2.6A4.7,4.7 0 1 1 .8,4.4C1,7.6 2,9.2 4,10.5H-4C-2,9.2 -1,7.6 -.8,4.4"
    "A4.7,4.7 0 1 1 -3.4,-2.6A4.7,4.7 0 0 1 0,-10.5Z",
}
SUIT_INKS = {"H": RED_INK, "D": RED_INK, "S": INK, "C": INK}
CROWN = "M-13,7L-15,-6L-7,0L0,-10L7,0L15,-6L13,7Z"
HAT = "M-13,7C-14,-3 -8,-8 0,-8C8,-8 14,-3 13,7ZM8,-6C12,-16 18,-15 20,-11C15,-12 12,-8 11,-3Z"
PIP_COLUMNS = {1: "0,0", 2: "0,-2 0,2", 3: "0,-2 0,0 0,2", 4: "-1,-2 1,-2 -1,2 1,2"} | {
    5: "-1,-2 1,-2 0,0 -1,2 1,2",
    6: "-1,-2 1,-2 -1,0 1,0 -1,2 1,2",
    7: "-1,-2 1,-2 0,-1 -1,0 1,0 -1,2 1,2",
    8: "-1,-2 1,-2 0,-1 -1,0 1,0 0,1 -1,2 1,2",
    9: "-1,-2 1,-2 -1,-.67 1,-.67 0,0 -1,.67 1,.67 -1,2 1,2",
    10: "-1,-2 1,-2 0,-1.33 -1,-.67 1,-.67 -1,.67 1,.67 0,1.33 -1,2 1,2",
}


def card(what: str) -> str:
    """Return a French card by rank and suit (`QS`, `10H`), or one of `joker`, `back` and `ghost`."""
    if what == "back":
        return box(70, 104, PAPER, EDGE, 8) + box(58, 92, "#28456b", "#28456b", 4) + weave("#5f7fae")
    if what == "ghost":
        return box(70, 104, "#ffffff10", "#ffe08a", 8, 'stroke-width="2" stroke-dasharray="6 4"')
    if what == "joker":
        return box(70, 104, PAPER, EDGE, 8) + at(0, -12, path(HAT, RED_INK), 1.1) + letters("JOKER", 0, 26, 13)
    rank, suit = what[:-1], what[-1]
    size = 11 if rank == "10" else 15
    corner = letters(rank, -26, -41, size, SUIT_INKS[suit]) + at(-26, -27, path(SUIT_PATHS[suit], SUIT_INKS[suit]), 0.5)
    return box(70, 104, PAPER, EDGE, 8) + corner + at(0, 0, corner, turn=180) + middle(rank, suit)


def middle(rank: str, suit: str) -> str:
    """Return the middle of a card: pips, one large pip, or a framed letter below a crown or a hat."""
    pip = path(SUIT_PATHS[suit], SUIT_INKS[suit])
    if rank == "A":
        return at(0, 0, pip, 2)
    if rank in "JQK":
        hat = at(0, -22, path(HAT if rank == "J" else CROWN, SUIT_INKS[suit]), 0.72 if rank != "K" else 0.9)
        frame = box(34, 76, "none", SUIT_INKS[suit], 4, 'stroke-opacity=".5"')
        return frame + hat + letters(rank, 0, 3, 24, SUIT_INKS[suit]) + at(0, 26, pip, 0.8)
    spots = (map(float, spot.split(",")) for spot in PIP_COLUMNS[int(rank)].split())
    return "".join(at(x * 9.5, y * 16, pip if y <= 0 else turned(pip), 0.55) for x, y in spots)


def turned(inside: str) -> str:
    """Return a drawing upside down."""
    return f'<g transform="rotate(180)">{inside}</g>'


def weave(ink: str) -> str:
    """Return the pattern on a card's back."""
    lines = "".join(f"M{x},-40L{x + 20},0L{x},40" for x in (-24, -10, 4))
    return f'<path d="{lines}" fill="none" stroke="{ink}" stroke-width="2"/>'


# ------------------------------------------------------------------------------------------------ Uno cards

GROUNDS = {"R": "#bf2b2b", "B": "#1f5aa8", "G": "#1d7440", "Y": "#f0b90b"}
COLOR_SHAPES = {
    "R": "M0,-12L11,0L0,12L-11,0Z",
    "B": "M0,-13C7,-4 9,0 9,4A9,9 0 0 1 -9,4C-9,0 -7,-4 0,-13Z",
    "G": "M0,-12L12,10H-12Z",
    "Y": "M0,-12L3,-4.5L11.4,-3.7L5,1.8L7,10L0,5.6L-7,10L-5,1.8L-11.4,-3.7L-3,-4.5Z",
}
SWAP_SHAPE = "M-13,-3V-9H5V-15L16,-6L5,3V-3ZM13,3V9H-5V15L-16,6L-5,-3V3Z"
BAN = (
    '<circle r="15" fill="none" stroke="{0}" stroke-width="5"/><path d="M-10,10L10,-10" stroke="{0}" stroke-width="5"/>'
)


def uno(what: str) -> str:
    """Return an Uno card: `R7` (red seven), `BS` (blue skip; `R` reverse, `D` draw two), `W` (wild), `F` (draw
    four).
    """
    if what == "back":
        return box(70, 104, PAPER, EDGE, 8) + box(58, 92, "#262b3a", "#262b3a", 5) + quarters(0.9)
    if what in ("W", "F", "ghost"):
        return {"W": wild(""), "F": wild("+4"), "ghost": card("ghost")}[what]
    hue, sign = what[0], what[1:]
    ink = "#2a2000" if hue == "Y" else "#ffffff"
    ground = box(70, 104, GROUNDS[hue], "#00000088", 8) + box(60, 94, "none", ink, 5, 'stroke-opacity=".55"')
    shape = at(0, 0, path(COLOR_SHAPES[hue], ink, 'fill-opacity=".2"'), 2.5)
    corner = at(-23, -38, path(COLOR_SHAPES[hue], ink), 0.55)
    return ground + shape + corner + at(0, 0, corner, turn=180) + emblem(sign, ink)


def emblem(sign: str, ink: str) -> str:
    """Return the number or the action in the middle of an Uno card."""
    match sign:
        case "R":
            return path(SWAP_SHAPE, ink)
        case "S":
            return BAN.format(ink)
        case "D":
            return letters("+2", 0, 0, 34, ink)
    under = f'<path d="M-9,21H9" stroke="{ink}" stroke-width="3"/>' if sign in "69" else ""
    return letters(sign, 0, 0, 42, ink) + under


def wild(sign: str) -> str:
    """Return a wild card: all four colors with their shapes, and `+4` for a wild draw four."""
    ground = box(70, 104, "#20242f", "#0d1018", 8) + box(60, 94, "none", "#ffffff", 5, 'stroke-opacity=".55"')
    bold = 'stroke="#20242f" stroke-width="5" paint-order="stroke"'
    under = letters(sign, 0, 31, 22, "#ffffff", bold) if sign else ""
    return ground + at(0, -10 if sign else 0, quarters(1 if sign else 1.1)) + under


def quarters(scale: float) -> str:
    """Return the four shapes in their colors, two by two."""
    positions = {"R": (-13, -14), "B": (13, -14), "G": (-13, 14), "Y": (13, 14)}
    light = {"R": "#ef6a62", "B": "#6aa5ee", "G": "#57bd7e", "Y": "#f5c83a"}
    return at(0, 0, "".join(at(x, y, path(COLOR_SHAPES[hue], light[hue])) for hue, (x, y) in positions.items()), scale)


def color(what: str) -> str:
    """Return a disc with the shape of a color."""
    ink = "#2a2000" if what == "Y" else "#ffffff"
    return f'<circle r="30" fill="{GROUNDS[what]}" stroke="#ffffff" stroke-width="2"/>' + path(COLOR_SHAPES[what], ink)


# ------------------------------------------------------------------------------------------------ signs


def sign(what: str) -> str:
    """Return a sign: the direction of play, the marker of a player, a cross, a check mark."""
    lines = {
        "clockwise": "M-60,-6A62,40 0 0 1 52,-18L58,-28L64,-4L40,-6L47,-12A54,34 0 0 0 -52,-4Z",
        "counterclockwise": "M60,-6A62,40 0 0 0 -52,-18L-58,-28L-64,-4L-40,-6L-47,-12A54,34 0 0 1 52,-4Z",
        "turn": "M-6,-7L7,0L-6,7Z",
        "down": "M-8,-6L0,7L8,-6Z",
    }
    return path(lines[what], "#ffe08a")


def plate(what: str) -> str:
    """Return a dark plate for text, with width and height from a text like `120x30`."""
    width, height = map(float, what.split("x"))
    return box(width, height, "#0b2219", "#ffffff55", 8)


def fan(what: str) -> str:
    """Return a fan of face-down cards with their number. The picture has at most nine cards."""
    shown = min(int(what), 9)
    back = box(25, 37, PAPER, EDGE, 3) + box(19, 31, "#262b3a", "#262b3a", 2)
    cards = "".join(at(11 * (n - (shown - 1) / 2), 0, back) for n in range(shown))
    return cards + letters(what, 11 * (shown - 1) / 2 + 28, 0, 17, "#ffe08a")


PAINTERS: dict[str, Callable[[str], str]] = {
    "tile": tile,
    "card": card,
    "uno": uno,
    "color": color,
    "sign": sign,
    "plate": plate,
    "fan": fan,
}
