"""Cards for the units of any pack: `CARD` (French), `COLORED_CARD`, `COLOR`, and the signs of all tables.

French cards have codes such as `QS`, `10H`, `joker` and `back`, and colored cards have codes such as `R7`, `BS` and
`W`.
"""

from __future__ import annotations

from course.show.kinds import (
    EDGE,
    INK,
    PAPER,
    RED_INK,
    PictureKind,
    Size,
    at,
    box,
    letters,
    no_name,
    path,
    upside_down,
)

NUMBER_NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number_word(digits: str) -> str:
    """Return a number up to ten as a word, and a larger number in digits.

    >>> number_word("7"), number_word("12")
    ('seven', '12')
    """
    return NUMBER_NAMES[int(digits)] if int(digits) < len(NUMBER_NAMES) else digits


def joined_with_and(names: list[str]) -> str:
    """Return names joined by commas and "and".

    >>> joined_with_and(["a"]), joined_with_and(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


CARD_SIZE, CARD_IN_CODE, CARD_IN_RUN = (70, 104), Size(29.5, 44, 0.42), Size(19, 28, 0.265)
COURT_CARD_NAMES = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SUIT_NAMES = {"H": "hearts", "D": "diamonds", "S": "spades", "C": "clubs"}
SUIT_PATHS = {
    "H": "M0,10C-13,1 -10,-10 -4.6,-9.4C-2,-9 0,-6.6 0,-4.8C0,-6.6 2,-9 4.6,-9.4C10,-10 13,1 0,10Z",
    "D": "M0,-11C2,-7 5,-3 8,0C5,3 2,7 0,11C-2,7 -5,3 -8,0C-5,-3 -2,-7 0,-11Z",
    "S": "M0,-10.5C12.5,-1 9.5,7.5 4.8,7.2C2.8,7 1.2,6 .7,4.6C1,7.6 2,9.2 4,10.5H-4C-2,9.2 -1,7.6 -.7,4.6"
    "C-1.2,6 -2.8,7 -4.8,7.2C-9.5,7.5 -12.5,-1 0,-10.5Z",
    "C": "M0,-10.5A4.7,4.7 0 0 1 3.4,-2.6A4.7,4.7 0 1 1 .8,4.4C1,7.6 2,9.2 4,10.5H-4C-2,9.2 -1,7.6 -.8,4.4"
    "A4.7,4.7 0 1 1 -3.4,-2.6A4.7,4.7 0 0 1 0,-10.5Z",
}
SUIT_INKS = {"H": RED_INK, "D": RED_INK, "S": INK, "C": INK}
CROWN_PATH = "M-13,7L-15,-6L-7,0L0,-10L7,0L15,-6L13,7Z"
HAT_PATH = "M-13,7C-14,-3 -8,-8 0,-8C8,-8 14,-3 13,7ZM8,-6C12,-16 18,-15 20,-11C15,-12 12,-8 11,-3Z"
PIP_POSITIONS = {1: "0,0", 2: "0,-2 0,2", 3: "0,-2 0,0 0,2", 4: "-1,-2 1,-2 -1,2 1,2"} | {
    5: "-1,-2 1,-2 0,0 -1,2 1,2",
    6: "-1,-2 1,-2 -1,0 1,0 -1,2 1,2",
    7: "-1,-2 1,-2 0,-1 -1,0 1,0 -1,2 1,2",
    8: "-1,-2 1,-2 0,-1 -1,0 1,0 0,1 -1,2 1,2",
    9: "-1,-2 1,-2 -1,-.67 1,-.67 0,0 -1,.67 1,.67 -1,2 1,2",
    10: "-1,-2 1,-2 0,-1.33 -1,-.67 1,-.67 -1,.67 1,.67 0,1.33 -1,2 1,2",
}


BACK_PATH = "".join(f"M{x},-40L{x + 20},0L{x},40" for x in (-24, -10, 4))
BACK_LINES = f'<path d="{BACK_PATH}" fill="none" stroke="#5f7fae" stroke-width="2"/>'


def french_card_svg(what: str) -> str:
    """Return the SVG of a French card by rank and suit (`QS`, `10H`), or of `joker`, `back` or `ghost` (an outline)."""
    if what == "back":
        return box(70, 104, PAPER, EDGE, 8) + box(58, 92, "#28456b", "#28456b", 4) + BACK_LINES
    if what == "ghost":
        return box(70, 104, "#ffffff10", "#ffe08a", 8, 'stroke-width="2" stroke-dasharray="6 4"')
    if what == "joker":
        return box(70, 104, PAPER, EDGE, 8) + at(0, -12, path(HAT_PATH, RED_INK), 1.1) + letters("JOKER", 0, 26, 13)
    rank, suit = what[:-1], what[-1]
    size = 11 if rank == "10" else 15
    corner = letters(rank, -26, -41, size, SUIT_INKS[suit]) + at(-26, -27, path(SUIT_PATHS[suit], SUIT_INKS[suit]), 0.5)
    return box(70, 104, PAPER, EDGE, 8) + corner + at(0, 0, corner, turn=180) + card_middle_svg(rank, suit)


def card_middle_svg(rank: str, suit: str) -> str:
    """Return the SVG of the middle of a French card: pips, one large pip, or a framed letter below a crown or a hat."""
    pip = path(SUIT_PATHS[suit], SUIT_INKS[suit])
    if rank == "A":
        return at(0, 0, pip, 2)
    if rank in "JQK":
        hat = at(0, -22, path(HAT_PATH if rank == "J" else CROWN_PATH, SUIT_INKS[suit]), 0.72 if rank != "K" else 0.9)
        frame = box(34, 76, "none", SUIT_INKS[suit], 4, 'stroke-opacity=".5"')
        return frame + hat + letters(rank, 0, 3, 24, SUIT_INKS[suit]) + at(0, 26, pip, 0.8)
    spots = (map(float, spot.split(",")) for spot in PIP_POSITIONS[int(rank)].split())
    return "".join(at(x * 9.5, y * 16, pip if y <= 0 else upside_down(pip), 0.55) for x, y in spots)


def card_name(code: str) -> str:
    """Return the name of a French card in words.

    >>> card_name("10H"), card_name("QS"), card_name("joker")
    ('ten of hearts', 'queen of spades', 'joker')
    """
    if code == "joker":
        return code
    return f"{COURT_CARD_NAMES.get(code[:-1]) or number_word(code[:-1])} of {SUIT_NAMES[code[-1]]}"


CARD = PictureKind(french_card_svg, card_name, CARD_SIZE, CARD_IN_CODE, CARD_IN_RUN)


# ------------------------------------------------------------------------------------------------ colored cards

COLOR_NAMES = {"R": "red", "B": "blue", "G": "green", "Y": "yellow"}
ACTION_NAMES = {"R": "reverse", "S": "skip", "D": "draw two"}
WILD_NAMES = {"W": "wild", "F": "wild draw four"}
BACKGROUND_COLORS = {"R": "#bf2b2b", "B": "#1f5aa8", "G": "#1d7440", "Y": "#f0b90b"}
COLOR_SHAPES = {
    "R": "M0,-12L11,0L0,12L-11,0Z",
    "B": "M0,-13C7,-4 9,0 9,4A9,9 0 0 1 -9,4C-9,0 -7,-4 0,-13Z",
    "G": "M0,-12L12,10H-12Z",
    "Y": "M0,-12L3,-4.5L11.4,-3.7L5,1.8L7,10L0,5.6L-7,10L-5,1.8L-11.4,-3.7L-3,-4.5Z",
}
SWAP_SHAPE = "M-13,-3V-9H5V-15L16,-6L5,3V-3ZM13,3V9H-5V15L-16,6L-5,-3V3Z"
BAN_SIGN = (
    '<circle r="15" fill="none" stroke="{0}" stroke-width="5"/><path d="M-10,10L10,-10" stroke="{0}" stroke-width="5"/>'
)


def colored_card_svg(what: str) -> str:
    """Return the SVG of a card such as `R7` (red seven), `BS` (blue skip), `W` (wild) or `F` (wild draw four).

    As the second letter, `R` means reverse, and `D` means draw two.
    """
    if what == "back":
        return box(70, 104, PAPER, EDGE, 8) + box(58, 92, "#262b3a", "#262b3a", 5) + color_shapes_svg(0.9)
    if what in ("W", "F", "ghost"):
        return {"W": wild_card_svg(""), "F": wild_card_svg("+4"), "ghost": french_card_svg("ghost")}[what]
    hue, sign = what[0], what[1:]
    ink = "#2a2000" if hue == "Y" else "#ffffff"
    ground = box(70, 104, BACKGROUND_COLORS[hue], "#00000088", 8) + box(60, 94, "none", ink, 5, 'stroke-opacity=".55"')
    match sign:
        case "R":
            emblem = path(SWAP_SHAPE, ink)
        case "S":
            emblem = BAN_SIGN.format(ink)
        case "D":
            emblem = letters("+2", 0, 0, 34, ink)
        case _:
            under = f'<path d="M-9,21H9" stroke="{ink}" stroke-width="3"/>' if sign in "69" else ""
            emblem = letters(sign, 0, 0, 42, ink) + under
    shape = at(0, 0, path(COLOR_SHAPES[hue], ink, 'fill-opacity=".2"'), 2.5)
    corner = at(-23, -38, path(COLOR_SHAPES[hue], ink), 0.55)
    return ground + shape + corner + at(0, 0, corner, turn=180) + emblem


def wild_card_svg(sign: str) -> str:
    """Return the SVG of a wild card: all four colors with their shapes, and `+4` for a wild draw four."""
    ground = box(70, 104, "#20242f", "#0d1018", 8) + box(60, 94, "none", "#ffffff", 5, 'stroke-opacity=".55"')
    bold = 'stroke="#20242f" stroke-width="5" paint-order="stroke"'
    under = letters(sign, 0, 31, 22, "#ffffff", bold) if sign else ""
    return ground + at(0, -10 if sign else 0, color_shapes_svg(1 if sign else 1.1)) + under


def color_shapes_svg(scale: float) -> str:
    """Return the SVG of the shapes of the four colors, in two rows of two shapes."""
    positions = {"R": (-13, -14), "B": (13, -14), "G": (-13, 14), "Y": (13, 14)}
    light = {"R": "#ef6a62", "B": "#6aa5ee", "G": "#57bd7e", "Y": "#f5c83a"}
    return at(0, 0, "".join(at(x, y, path(COLOR_SHAPES[hue], light[hue])) for hue, (x, y) in positions.items()), scale)


def color_disc_svg(what: str) -> str:
    """Return the SVG of a disc with the shape that represents a color."""
    ink = "#2a2000" if what == "Y" else "#ffffff"
    return f'<circle r="30" fill="{BACKGROUND_COLORS[what]}" stroke="#ffffff" stroke-width="2"/>' + path(
        COLOR_SHAPES[what], ink
    )


def colored_card_name(code: str) -> str:
    """Return the name of a colored card in words.

    >>> colored_card_name("R7"), colored_card_name("BD"), colored_card_name("W")
    ('red seven', 'blue draw two', 'wild')
    """
    return WILD_NAMES.get(code) or f"{COLOR_NAMES[code[0]]} {ACTION_NAMES.get(code[1:]) or number_word(code[1:])}"


COLORED_CARD = PictureKind(colored_card_svg, colored_card_name, CARD_SIZE, CARD_IN_CODE, CARD_IN_RUN)
COLOR = PictureKind(color_disc_svg, no_name, (60, 60))


def table_sign_svg(what: str) -> str:
    """Return the SVG of a sign: an arrow for the direction of play, or a small triangle that points right or down."""
    lines = {
        "clockwise": "M-60,-6A62,40 0 0 1 52,-18L58,-28L64,-4L40,-6L47,-12A54,34 0 0 0 -52,-4Z",
        "counterclockwise": "M60,-6A62,40 0 0 0 -52,-18L-58,-28L-64,-4L-40,-6L-47,-12A54,34 0 0 1 52,-4Z",
        "turn": "M-6,-7L7,0L-6,7Z",
        "down": "M-8,-6L0,7L8,-6Z",
    }
    return path(lines[what], "#ffe08a")


def text_plate_svg(what: str) -> str:
    """Return the SVG of a dark rectangle to draw behind text. `what` is the width and height, such as `120x30`."""
    width, height = map(float, what.split("x"))
    return box(width, height, "#0b2219", "#ffffff55", 8)


def card_fan_svg(what: str) -> str:
    """Return the SVG of a fan of face-down cards, and of the number of these cards. At most nine cards are drawn."""
    shown = min(int(what), 9)
    back = box(25, 37, PAPER, EDGE, 3) + box(19, 31, "#262b3a", "#262b3a", 2)
    cards = "".join(at(11 * (n - (shown - 1) / 2), 0, back) for n in range(shown))
    return cards + letters(what, 11 * (shown - 1) / 2 + 28, 0, 17, "#ffe08a")


TABLE_PICTURE_KINDS = {
    "sign": PictureKind(table_sign_svg, no_name),
    "plate": PictureKind(text_plate_svg, no_name),
    "fan": PictureKind(card_fan_svg, no_name),
    "color": COLOR,
}
