"""What came of examining an answer, whoever examined it: a kit's sealed exam, or an installed autograder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from course.diagnoses.failure import Failure
from course.form import FormFinding
from course.learner.answer import Answer
from course.show.results import AlsoPrints, Part


class FullExaminer(Protocol):
    """An installed autograder: it has all exams."""

    def examine(self, answer: Answer) -> Examined | None:
        """Return what comes of the whole exam, None if none can be run here."""
        ...


@dataclass(frozen=True)
class Examined:
    """What came of an exam: its parts in order, and how many of those that count are right, as a headline.

    `belief` is what the author of a mistake that gives just the same thinks, `truth` how it is instead. Who examined
    may know what to do about what went wrong before any call (`says`, with an `example`). `points` are None where
    nobody counts them.
    """

    state: str
    headline: str
    parts: tuple[Part, ...] = ()
    prints: bool = False
    belief: str = ""
    truth: str = ""
    notes: tuple[str, ...] = ()
    says: str = ""
    example: str = ""
    form: tuple[FormFinding, ...] = ()
    points: float | None = None
    form_points: float = 0.0
    form_of: float = 0.0

    @property
    def failures(self) -> tuple[Failure, ...]:
        return tuple(part.failure for part in self.parts if part.failure)

    @property
    def print_notes(self) -> tuple[str, ...]:
        """That something is printed which need not be."""
        return (str(AlsoPrints()),) if self.prints else ()
