"""The memory of `foldem prove --watch` from one change to the next, and the exams that it builds from its memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from autograder.config import PUBLISHED
from autograder.exam.build import build_exam
from autograder.exam.model import Exam, StoredPaper
from autograder.exam.store import exam_for, put_exam
from autograder.units.unit import Unit


@dataclass(frozen=True)
class Proved:
    """The result of a round for an exercise, given a digest of its needs: the laws that do not hold."""

    needs: str
    failing: tuple[str, ...]


@dataclass
class ProofMemory:
    """The last proofs by unit and exercise, and the papers of exams by the digest of what they depend on."""

    proved: dict[tuple[str, str], Proved] = field(default_factory=dict)
    stored: dict[str, StoredPaper] = field(default_factory=dict)

    def add(self, news: ProofMemory) -> None:
        """Remember what a round has sent."""
        self.proved |= news.proved
        self.stored |= news.stored

    def changed(self, unit: str, needs: Mapping[str, str]) -> list[str]:
        """Return the exercises of a unit to prove again."""
        proved = {name: proof.needs for (of, name), proof in self.proved.items() if of == unit}
        return [name for name, digest in needs.items() if digest != proved.get(name)]

    def failing(self) -> list[str]:
        """Return each law that does not hold, with its exercise."""
        return [f"{'.'.join(key)}: {law}" for key, proof in self.proved.items() for law in proof.failing]


def remembered_exam(unit: Unit, needs: Mapping[str, str], stored: Mapping[str, StoredPaper]) -> Exam:
    """Return the published exam of a unit, and let `exam_for` return it. Only papers that have changed are built."""
    known = {name: stored[digest].paper(unit[name]) for name, digest in needs.items() if digest in stored}
    exam = build_exam(unit, PUBLISHED, None, known) if known else exam_for(unit)
    put_exam(exam)
    return exam
