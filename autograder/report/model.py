"""Reports as data: what the grader returns for a submission. The same submission and seed have the same report."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TypeAlias

from autograder.text import counted
from course.diagnoses.failure import Failure
from course.form import FormFinding
from course.show.results import AlsoPrints


class AnswerState(StrEnum):
    """The state of an exercise."""

    PASSED, WRONG, UNWRITTEN, UNGRADED = "passed", "wrong", "not written", "ungraded"


PASSED, WRONG, UNWRITTEN, UNGRADED = AnswerState
Notes: TypeAlias = tuple[AlsoPrints | str, ...]  # a description replaces values that JSON cannot represent


@dataclass(frozen=True)
class FacetReport:
    """One facet: whether all its calls are right, and if not, the smallest failing call.

    A contest has `sets` instead of calls. If only contrast calls fail, the facet does not pass and has no failure,
    because the answer returns the same for everything. The facet of contrast calls is not a rule, and does not `count`.
    """

    name: str
    """The rule, in a few words."""
    passed: bool
    """Whether all calls of the facet are right."""
    calls: int
    """The number of calls."""
    failure: Failure | None = None
    """The smallest call that fails, or null."""
    sets: int = 0
    """The number of sets played, in a contest."""
    counts: bool = True
    """Whether the facet counts for the points."""

    @property
    def verdict(self) -> str:
        """Return the failure as one line that can be pasted, or ""."""
        return str(self.failure or "")

    def as_dict(self) -> dict[str, object]:
        """Return the facet as plain data, with the verdict as a line."""
        failure = self.failure.as_dict() if self.failure else None
        return vars(self) | {"failure": failure, "verdict": self.verdict}

    @property
    def size(self) -> str:
        return counted(self.sets, "set") if self.sets else counted(self.calls, "call")


@dataclass(frozen=True)
class Waits:
    """An outcome: the exercise is right, but uses functions of the learner that are not written yet."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Fits:
    """The exercise works with the learner's own functions."""


@dataclass(frozen=True)
class Clashes:
    """An outcome: the exercise is right, but fails with these functions of the learner.

    If `together` is true, it fails only with all of them together.
    """

    names: tuple[str, ...]
    together: bool = False


@dataclass(frozen=True)
class NotTried:
    """An outcome: the exercise was not tried, because too many of the learner's functions are endless."""


Own: TypeAlias = Waits | Fits | Clashes | NotTried | None


@dataclass(frozen=True)
class ExerciseReport:
    """One exercise: state, points (results and form), facets, and how it works with the learner's own functions.

    For a known mistake, `belief` is what the learner probably thought, and `truth` is what is right. Otherwise `says`
    is the next step, if one is known, with an `example`. Wrong answers with the same results have the same `digest`.
    """

    name: str
    """The exercise, or `bonus`, `mark by hand`, `lateness` or `extra credit`."""
    number: int
    """The exercise's number in the notebook; 0 for rows that are not exercises."""
    state: AnswerState
    """`passed`, `wrong`, `not written` or `ungraded`."""
    points: float
    """The points earned, form included."""
    of: float
    """The points that can be earned."""
    problem: str = ""
    """Why nothing was run, or the run stopped; else empty."""
    facets: tuple[FacetReport, ...] = ()
    """The rules that were checked."""
    form_points: float = 0.0
    """The points earned for form."""
    form_of: float = 0.0
    """The points that form can earn."""
    form: tuple[FormFinding, ...] = ()
    """The findings about form."""
    own: str = ""
    """A sentence: whether the answer works with the student's other functions."""
    belief: str = ""
    """The probable belief of a student who made a known mistake."""
    truth: str = ""
    """The truth that corrects this belief."""
    says: str = ""
    """The next step, where results or code show one."""
    example: str = ""
    """Code for the next step."""
    remarks: Notes = ()
    """Further remarks."""
    digest: str = ""
    """The group of answers with the same results."""
    parses: bool = True
    """Whether Python can parse the answer."""

    @property
    def first_failure(self) -> FacetReport | None:
        return next((facet for facet in self.facets if facet.failure), None)

    @property
    def rules(self) -> tuple[FacetReport, ...]:
        """Return the facets that count."""
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
        """Return the share of facets that passed, from 0 to 1."""
        return sum(facet.passed for facet in self.rules) / len(self.rules) if self.rules else 0.0

    def as_dict(self) -> dict[str, object]:
        """Return the report as plain data for JSON, including the verdicts as text."""
        data = {"facets": [facet.as_dict() for facet in self.facets], "form": tuple(map(asdict, self.form))}
        return vars(self) | data | {"remarks": tuple(map(str, self.remarks))}


@dataclass(frozen=True)
class Graded:
    """The grader's report on a submission."""

    unit: str
    """The unit."""
    title: str
    """The unit's title."""
    version: str
    """The version of Foldem."""
    seed: str
    """`0` for the published exam, else `secret`."""
    sandbox: str
    """The sandbox that was used."""
    exercises: tuple[ExerciseReport, ...]
    """A report on each exercise."""
    remarks: tuple[str, ...] = ()
    """Remarks on the notebook."""

    @property
    def points(self) -> float:
        """Return the points earned."""
        return round(sum(exercise.points for exercise in self.exercises), 2)

    @property
    def of(self) -> float:
        """Return the points that can be earned."""
        return round(sum(exercise.of for exercise in self.exercises), 2)

    @property
    def solved(self) -> int:
        """Return the number of exercises that are right."""
        return sum(exercise.state == PASSED for exercise in self.sets)

    @property
    def calls(self) -> int:
        """Return the number of calls made."""
        return sum(exercise.calls for exercise in self.exercises)

    @property
    def sets(self) -> tuple[ExerciseReport, ...]:
        """Return the reports on the notebook's exercises, without rows for a bonus or lateness."""
        return tuple(exercise for exercise in self.exercises if exercise.number)

    @property
    def set_exercises(self) -> tuple[str, ...]:
        """Return the exercises that the notebook assigns."""
        return tuple(exercise.name for exercise in self.sets)

    @property
    def is_graded(self) -> bool:
        return all(exercise.state != UNGRADED for exercise in self.exercises)

    def __getitem__(self, name: str) -> ExerciseReport:
        return {exercise.name: exercise for exercise in self.exercises}[name]

    def as_dict(self) -> dict[str, object]:
        """Return the report as plain data for JSON, its totals included."""
        totals = {"points": self.points, "of": self.of, "solved": self.solved, "calls": self.calls}
        data = {"exercises": [exercise.as_dict() for exercise in self.exercises], "problem": ""}
        return totals | vars(self) | data


@dataclass(frozen=True)
class Ungradable:
    """A file that could not be graded, with the reason."""

    problem: str
    unit: str = ""
    title: str = ""
    is_graded = False

    def as_dict(self) -> dict[str, object]:
        """Return the file as plain data for JSON, with the same keys as a graded submission."""
        return Graded(self.unit, self.title, "", "", "", ()).as_dict() | {"problem": self.problem}


Report: TypeAlias = Graded | Ungradable
