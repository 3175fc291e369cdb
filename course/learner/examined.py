"""The outcome of an exam, whether it is a kit's sealed exam or comes from an installed autograder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from course.diagnoses.failure import Failure
from course.form import FormFinding
from course.learner.answer import Answer
from course.show.results import Part


class FullExaminer(Protocol):
    """An installed autograder, which has all exams."""

    def examine(self, answer: Answer) -> Examined | None:
        """Return the outcome of the complete exam, or None if it cannot be run here."""
        ...


@dataclass(frozen=True)
class Examined:
    """The outcome of an exam: its parts in order, and a headline with the number of right parts.

    If a known mistake has the same results, `belief` is the idea behind it, and `truth` corrects that idea. If no call
    could be made, `says` may hold advice, with an `example`. `points` is None if points are not counted.
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
