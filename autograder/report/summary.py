"""The results of a class, exercise by exercise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from autograder.report.model import PASSED, ExerciseReport, Graded, Report
from course.diagnoses.failure import Failure


@dataclass(frozen=True)
class Summary:
    """A class's results in an exercise: the share that solved it, the commonest failure and the commonest mistake.

    The failing facet comes with its shortest failure, and the mistake with its number of students. If no facet failed,
    the reason why answers were not tried (`not written yet`) is shown instead.
    """

    name: str
    solved: float
    facet: str = ""
    failure: Failure | None = None
    belief: str = ""
    believers: int = 0


def class_summary(reports: Iterable[Report]) -> list[Summary]:
    """Return the results of a class, exercise by exercise."""
    tally = Tally()
    for report in reports:
        tally.add(report)
    return list(tally.summaries())


class Tally:
    """The counts of a class so far. The reports themselves are not stored."""

    def __init__(self) -> None:
        self._counts: dict[str, _Count] = {}

    def add(self, report: Report) -> None:
        """Count one report. An ungradable file is not counted."""
        for exercise in report.sets if isinstance(report, Graded) else ():
            self._counts.setdefault(exercise.name, _Count()).add(exercise)

    def summaries(self) -> Iterator[Summary]:
        """Return the results of the class, exercise by exercise."""
        return (count.summary(name) for name, count in self._counts.items())


@dataclass
class _Count:
    """The counts of an exercise so far."""

    number: int = 0
    solved: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    shortest: dict[str, Failure] = field(default_factory=dict)
    problems: Counter[str] = field(default_factory=Counter)
    beliefs: Counter[str] = field(default_factory=Counter)

    def add(self, exercise: ExerciseReport) -> None:
        self.number += 1
        self.solved += exercise.state == PASSED
        self.problems.update([exercise.problem] * bool(exercise.problem))
        self.beliefs.update([exercise.belief] * bool(exercise.belief))
        if facet := exercise.first_failure:
            self.failures[facet.name] += 1
            known = [each for each in (self.shortest.get(facet.name), facet.failure) if each]
            self.shortest |= {facet.name: min(known, key=lambda each: (len(str(each)), str(each)))} if known else {}

    def summary(self, name: str) -> Summary:
        solved = self.solved / self.number
        if not self.failures:
            problems = self.problems.most_common(1)
            return Summary(name, solved, problems[0][0] if problems else "")
        commonest, _ = self.failures.most_common(1)[0]
        beliefs = self.beliefs.most_common(1)
        return Summary(name, solved, commonest, self.shortest.get(commonest), *(beliefs[0] if beliefs else ()))
