"""Pictures of the cards of the warm-up."""

from __future__ import annotations

from course.show.cards import CARD
from course.show.kinds import Pictures
from course.warmup import Face, Joker, Number

PICTURES = Pictures(
    {"card": CARD},
    {
        Number: lambda card: f"card:{'A' if card.n == 1 else card.n}{card.suit.name[0]}",
        Face: lambda card: f"card:{card.court.name[0]}{card.suit.name[0]}",
        Joker: lambda _: "card:joker",
    },
)
