"""Signs on tables of any game: the direction of play, plates for text, and hands that are seen from behind."""

from __future__ import annotations

from course.show.colors import COLOR
from course.show.drawing import EDGE, PAPER, at, box, letters, path
from course.show.kinds import ACROSS, DOWN, PictureKind, PictureLook, Printed, no_name

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
