"""Additions of a unit to the advice on wrong answers: `ADVICE` in its module `advice.py`.

The `ADVICE` of this module is for our units about cards, which import it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from course.diagnoses.evidence import Diagnosis, Evidence
from course.form.given import NEUTRAL
from course.roles import role_module

Detector = Callable[[Evidence], Diagnosis | None]


@dataclass(frozen=True)
class UnitAdvice:
    """The words and the detectors of a unit.

    A detector looks at the evidence on a wrong answer, and returns a diagnosis, or None if the mistake is another one.
    The first diagnosis is shown.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    """The unit's words in examples, by the neutral names of `course.form.given.NEUTRAL`: `{"item": "card"}`."""
    first: tuple[Detector, ...] = ()
    """Detectors that come before ours, and before the explanation of a known mistake."""
    last: tuple[Detector, ...] = ()
    """Detectors that come after ours, but before hints at the line to look at."""

    def __post_init__(self) -> None:
        if unknown := [name for name in self.words if name not in NEUTRAL]:
            raise ValueError(f"words: examples do not use {unknown[0]!r}, but {', '.join(sorted(NEUTRAL))}")


def advice_of(module: str) -> UnitAdvice:
    """Return the advice of a unit, by the name of its module."""
    module_advice = role_module(module, "advice")
    return module_advice.ADVICE if module_advice else UnitAdvice()


def detected(detectors: tuple[Detector, ...], evidence: Evidence) -> Iterator[Diagnosis]:
    """Yield the diagnoses of a unit's detectors. Errors of a detector are never shown to learners."""
    for detector in detectors:
        with suppress(Exception):
            if diagnosis := detector(evidence):
                yield diagnosis


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
