"""How a class did, exercise by exercise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from toolz import groupby

from autograder.report.model import PASSED, ExerciseReport, Graded, Report


@dataclass(frozen=True)
class Summary:
    """How a class did in an exercise: the share that solved it, the commonest failing facet with its shortest verdict,
    and the commonest mistake that was recognised, by what its authors probably thought and how many they are.

    Where nothing failed in a facet, what kept the others from being tried (`not written yet`) is in its place.
    """

    name: str
    solved: float
    facet: str = ""
    verdict: str = ""
    belief: str = ""
    believers: int = 0


def class_summary(reports: Iterable[Report]) -> list[Summary]:
    """Give how a class did, exercise by exercise."""
    graded = [exercise for report in reports if isinstance(report, Graded) for exercise in report.exercises]
    return [_exercise_summary(*named) for named in groupby(lambda exercise: exercise.name, graded).items()]


def _exercise_summary(name: str, found: Sequence[ExerciseReport]) -> Summary:
    solved = sum(exercise.state == PASSED for exercise in found) / len(found)
    failures = [facet for exercise in found if (facet := exercise.first_failure)]
    if not failures:
        problems = Counter(exercise.problem for exercise in found if exercise.problem).most_common(1)
        return Summary(name, solved, problems[0][0] if problems else "")
    commonest, _ = Counter(failure.name for failure in failures).most_common(1)[0]
    verdicts = [failure.verdict for failure in failures if failure.name == commonest]
    verdict = min(verdicts, key=lambda text: (len(text), text))
    beliefs = Counter(exercise.belief for exercise in found if exercise.belief).most_common(1)
    return Summary(name, solved, commonest, verdict, *(beliefs[0] if beliefs else ()))
