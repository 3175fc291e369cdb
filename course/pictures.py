"""The pictures of the types in our units, and the names with which any unit declares its pictures."""

from course.show.cards import CARD, COLORED_CARD, number_word
from course.show.kinds import (
    EDGE,
    INK,
    PAPER,
    RED_INK,
    PictureKind,
    Pictures,
    Size,
    at,
    box,
    letters,
    path,
)

__all__ = [
    "CARD",
    "COLORED_CARD",
    "EDGE",
    "INK",
    "PAPER",
    "RED_INK",
    "PictureKind",
    "Pictures",
    "Size",
    "at",
    "box",
    "letters",
    "number_word",
    "path",
]
