"""Reports as data: the grader's result for a submission, identical for the same submission and seed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from autograder.text import counted
from course.diagnoses.failure import Failure
from course.form import FormFinding
from course.show.results import AlsoPrints


class AnswerState(StrEnum):
    """The state of an exercise."""

    PASSED, WRONG, UNWRITTEN, UNGRADED = "passed", "wrong", "not written", "ungraded"


PASSED, WRONG, UNWRITTEN, UNGRADED = AnswerState
Notes: TypeAlias = tuple[AlsoPrints | str, ...]  # a description of values that JSON cannot have


@dataclass(frozen=True)
class FacetReport:
    """One facet: whether all its calls are right, else the smallest failing call.

    A contest has `sets` played instead of calls. If only the contrast calls of a facet fail, it does not pass and has
    no failure: the answer returns the same for everything. The facet of contrast calls is no rule and does not `count`.
    """

    name: str
    passed: bool
    calls: int
    failure: Failure | None = None
    sets: int = 0
    counts: bool = True

    @property
    def verdict(self) -> str:
        """The failure as one line, or ""."""
        return str(self.failure or "")

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, with the verdict as a line."""
        failure = self.failure.as_dict() if self.failure else None
        return vars(self) | {"failure": failure, "verdict": self.verdict}

    @property
    def size(self) -> str:
        return counted(self.sets, "set") if self.sets else counted(self.calls, "call")


@dataclass(frozen=True)
class Waits:
    """An exercise that is right, but waits for other functions of the learner to be written."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Fits:
    """An exercise that works with the learner's own functions."""


@dataclass(frozen=True)
class Clashes:
    """A right exercise that fails with these of the learner's functions; `together`: only with all of them."""

    names: tuple[str, ...]
    together: bool = False


@dataclass(frozen=True)
class NotTried:
    """Too many of the learner's functions do not terminate."""


Own: TypeAlias = Waits | Fits | Clashes | NotTried | None


@dataclass(frozen=True)
class ExerciseReport:
    """One exercise: state, points (results and form), facets, and how it works with the learner's functions.

    For a known mistake, `belief` is what the learner probably thought, and `truth` what is right. Otherwise `says` is
    the next step, with an `example`, if the answer and its results show one. Wrong answers with the same results have
    the same `digest`.
    """

    name: str
    number: int
    state: AnswerState
    points: float
    of: float
    problem: str = ""
    facets: tuple[FacetReport, ...] = ()
    form_points: float = 0.0
    form_of: float = 0.0
    form: tuple[FormFinding, ...] = ()
    own: str = ""
    belief: str = ""
    truth: str = ""
    says: str = ""
    example: str = ""
    remarks: Notes = ()
    digest: str = ""
    parses: bool = True

    @property
    def first_failure(self) -> FacetReport | None:
        return next((facet for facet in self.facets if facet.failure), None)

    @property
    def rules(self) -> tuple[FacetReport, ...]:
        """The facets that count."""
        return tuple(facet for facet in self.facets if facet.counts)

    @property
    def calls(self) -> int:
        return sum(facet.calls for facet in self.facets)

    @property
    def size(self) -> str:
        sets = sum(facet.sets for facet in self.facets)
        return counted(self.calls, "call") + (f" and {counted(sets, 'set')}" if sets else "")

    @property
    def share(self) -> float:
        """The share of facets passed, 0 to 1."""
        return sum(facet.passed for facet in self.rules) / len(self.rules) if self.rules else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain data for JSON, the verdicts as lines among it."""
        told = {"facets": [facet.as_dict() for facet in self.facets], "form": tuple(map(asdict, self.form))}
        return vars(self) | told | {"remarks": tuple(map(str, self.remarks))}


@dataclass(frozen=True)
class Graded:
    """The grader's report on a submission."""

    unit: str
    title: str
    version: str
    seed: str
    sandbox: str
    exercises: tuple[ExerciseReport, ...]
    remarks: tuple[str, ...] = ()

    @property
    def points(self) -> float:
        return round(sum(exercise.points for exercise in self.exercises), 2)

    @property
    def of(self) -> float:
        return round(sum(exercise.of for exercise in self.exercises), 2)

    @property
    def solved(self) -> int:
        return sum(exercise.state == PASSED for exercise in self.sets)

    @property
    def calls(self) -> int:
        return sum(exercise.calls for exercise in self.exercises)

    @property
    def sets(self) -> tuple[ExerciseReport, ...]:
        """The reports on the notebook's exercises; rows such as a bonus or lateness have no number."""
        return tuple(exercise for exercise in self.exercises if exercise.number)

    @property
    def set_exercises(self) -> tuple[str, ...]:
        """The exercises that the notebook sets."""
        return tuple(exercise.name for exercise in self.sets)

    @property
    def is_graded(self) -> bool:
        return all(exercise.state != UNGRADED for exercise in self.exercises)

    def __getitem__(self, name: str) -> ExerciseReport:
        return {exercise.name: exercise for exercise in self.exercises}[name]

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain data for JSON, its totals included."""
        totals = {"points": self.points, "of": self.of, "solved": self.solved, "calls": self.calls}
        told = {"exercises": [exercise.as_dict() for exercise in self.exercises], "problem": ""}
        return totals | vars(self) | told


@dataclass(frozen=True)
class Ungradable:
    """The problem with a file that could not be graded."""

    problem: str
    unit: str = ""
    title: str = ""
    is_graded = False

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data for JSON, with the same keys as a graded submission."""
        return Graded(self.unit, self.title, "", "", "", ()).as_dict() | {"problem": self.problem}


Report: TypeAlias = Graded | Ungradable
