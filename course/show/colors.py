"""Colored cards, for the units of any pack: `COLORED_CARD`, with codes such as `R7`, `BS` and `W`, and `COLOR`."""

from __future__ import annotations

from course.show.cards import CARD_IN_CODE, CARD_IN_RUN, CARD_SIZE, boxed, card, number_word
from course.show.drawing import EDGE, PAPER, at, box, letters, path
from course.show.kinds import ACROSS, DOWN, PictureKind, PictureLook, Printed, no_name

COLOR_NAMES = {"R": "red", "B": "blue", "G": "green", "Y": "yellow"}
ACTION_NAMES = {"R": "reverse", "S": "skip", "D": "draw two"}
WILD_NAMES = {"W": "wild", "F": "wild draw four"}
ACTION_SIGNS = {"R": "⇄", "S": "⊘", "D": "+2"}
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


def colored_card(what: str) -> str:
    """Return a card: `R7` (red seven), `BS` (blue skip; `R` reverse, `D` draw two), `W` (wild), `F` (draw four)."""
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
    """Return the number or the action in the middle of a colored card."""
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


def colored_card_name(code: str) -> str:
    """Return the name of a card.

    >>> colored_card_name("R7"), colored_card_name("BD"), colored_card_name("W")
    ('red seven', 'blue draw two', 'wild')
    """
    return WILD_NAMES.get(code) or f"{COLOR_NAMES[code[0]]} {ACTION_NAMES.get(code[1:]) or number_word(code[1:])}"


def colored_card_text(code: str, look: PictureLook) -> Printed:
    """Return a card as lines of characters, with their colors."""
    if code in ("back", "W", "F"):
        return boxed("", {"back": "UNO", "W": "WILD", "F": "+4"}[code], ""), "#ffffff on #20242f"
    letter, sign = code[0], ACTION_SIGNS.get(code[1:], code[1:])
    return boxed(letter, sign, letter), _style(letter)


def color_text(code: str, look: PictureLook) -> Printed:
    """Return a color as lines of characters: its name, on the color."""
    return [" " * 8, f"{COLOR_NAMES[code]:^8}"], _style(code)


def _style(hue: str) -> str:
    return f"{'#2a2000' if hue == 'Y' else '#ffffff'} on {GROUNDS[hue]}"


COLORED_CARD = PictureKind(colored_card, colored_card_name, CARD_SIZE, colored_card_text, CARD_IN_CODE, CARD_IN_RUN)
COLOR = PictureKind(color, no_name, (60, 60), color_text)


PLATE_STYLE = "on grey11"


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


def sign_text(code: str, look: PictureLook) -> Printed:
    """Return a sign as a line of characters."""
    return [{"clockwise": "↻ clockwise", "counterclockwise": "↺ counterclockwise"}.get(code, "▸")], "yellow"


def plate_text(code: str, look: PictureLook) -> Printed:
    """Return a plate as empty lines."""
    width, height = map(int, code.split("x"))
    return [" " * (width // ACROSS)] * round(height / DOWN), PLATE_STYLE


def fan_text(code: str, look: PictureLook) -> Printed:
    """Return a fan as a line of characters."""
    return [f"{'▒' * min(int(code), 9)} {code}"], "cyan"


SIGNS_OF_TABLES = {
    "sign": PictureKind(sign, no_name, text=sign_text),
    "plate": PictureKind(plate, no_name, text=plate_text),
    "fan": PictureKind(fan, no_name, text=fan_text),
    "color": COLOR,
}
