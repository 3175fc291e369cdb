"""The outcome of an exam, whether it is a kit's sealed exam or comes from an installed autograder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from course.learner.answer import Answer
from course.show.results import Result


class FullExaminer(Protocol):
    """An installed autograder, which has all exams."""

    def examine(self, answer: Answer) -> Examined | None:
        """Return the outcome of the complete exam, or None if it cannot be run here."""
        ...


@dataclass(frozen=True)
class Examined:
    """The outcome of an exam: its result without advice, and whether the answer printed something.

    If a known mistake has the same results, `belief` is the idea behind it, and `truth` corrects that idea. If no call
    could be made, the result may have advice already.
    """

    result: Result
    prints: bool = False
    belief: str = ""
    truth: str = ""
