"""Pictures of the cards of the first unit."""

from __future__ import annotations

from course.show.cards import CARD
from course.show.kinds import Pictures
from course.warmup import Face, Joker, Number


def _number_key(card: Number) -> str:
    return f"card:{'A' if card.n == 1 else card.n}{card.suit.name[0]}"


def _face_key(card: Face) -> str:
    return f"card:{card.court.name[0]}{card.suit.name[0]}"


PICTURES = Pictures({"card": CARD}, {Number: _number_key, Face: _face_key, Joker: lambda _: "card:joker"})
