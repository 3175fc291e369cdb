"""The advice to learners that units about cards share."""

from __future__ import annotations

from course.diagnoses.advice import UnitAdvice

ADVICE = UnitAdvice(
    words={
        "item": "card",
        "items": "cards",
        "wanted": "trumps",
        "size": "cost",
        "value": "player",
        "values": "players",
        "part": "score",
        "Kind": "Card",
        "name": "suit",
    }
)
