"""Reports as data: the grader's result for a submission. The same submission and seed always have the same report.

Reports store what happened as values, which are also written as JSON. `words.py` turns the values into sentences.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from autograder.report.stops import Stop
from autograder.sandbox.cage import ChildError
from autograder.submission.model import Remark, TextTuple
from course.diagnoses import Diagnosis
from course.diagnoses.failure import Failure
from course.form import FormFinding


class AnswerState(StrEnum):
    """The state of an exercise."""

    PASSED, WRONG, UNWRITTEN, UNGRADED = "passed", "wrong", "not written", "ungraded"


PASSED, WRONG, UNWRITTEN, UNGRADED = AnswerState


class ExtraPrinting(Struct, frozen=True, tag=True):
    """A remark: the answer prints something that it does not have to print."""


class BrokenHelper(Struct, frozen=True, tag=True):
    """A remark: a helper could not be loaded.

    The remark has the label of the helper's cell, and the error (None if the error is unreadable).
    """

    label: str
    error: ChildError | None


# Tags that differ from the name of the class are in stored reports.
class RunWithWrongFunctions(Struct, frozen=True, tag="AmongOwn"):
    """A remark: the result in the report is from a run with the learner's functions `names`, which are wrong."""

    names: TextTuple


class SecondFile(Struct, frozen=True, tag=True):
    """A remark: the student has several files for a unit, and a file other than this one counts."""

    student: str
    unit: str
    counts: str


# Texts are those of teachers, and those about a teacher's adjustments.
ExerciseRemark: TypeAlias = BrokenHelper | ExtraPrinting | RunWithWrongFunctions | str
NotebookRemark: TypeAlias = Remark | SecondFile | str


class FacetReport(Struct, frozen=True):
    """The report on one facet: whether all its calls are right.

    If a call fails, `failure` is the smallest failing call. A contest has `sets` instead of calls. Contrast calls
    detect an answer that returns the same value for all inputs. If only contrast calls fail, the facet does not pass,
    but has no `failure`. The facet of the contrast calls is not a rule, so `counts` is false.
    """

    name: str
    """The id of the rule: its text, or an earlier text."""
    passed: bool
    """Whether all calls of the facet are right."""
    calls: int
    """The number of calls."""
    failure: Failure | None = None
    """The smallest call that fails, or null."""
    stop: Stop | None = None
    """Why the failure has no value that can be judged, or null."""
    sets: int = 0
    """The largest number of sets played, in a contest."""
    counts: bool = True
    """Whether the facet counts for the points."""
    text: str = ""
    """The rule, in a few words; empty if that is the name."""
    weight: float = 1.0
    """The weight of the facet in the points."""

    @property
    def shown_name(self) -> str:
        return self.text or self.name


class NeedsUnwrittenFunctions(Struct, frozen=True, tag="Waits"):
    """An outcome of a run with the learner's functions: the exercise needs functions that are not written yet."""

    names: tuple[str, ...]


class WorksWithOwnFunctions(Struct, frozen=True, tag="Fits"):
    """An outcome of a run with the learner's functions: the answer works with these functions."""


class FailsWithOwnFunctions(Struct, frozen=True, tag="Clashes"):
    """An outcome of a run with the learner's functions: the answer is right, but fails with the functions `names`.

    If `together` is true, the answer fails only with all these functions together.
    """

    names: tuple[str, ...]
    together: bool = False


class NotRunWithOwnFunctions(Struct, frozen=True, tag="NotTried"):
    """An outcome for an exercise: not run with the learner's functions, because too many earlier runs were endless."""


OwnRunOutcome: TypeAlias = (
    NeedsUnwrittenFunctions | WorksWithOwnFunctions | FailsWithOwnFunctions | NotRunWithOwnFunctions | None
)


class KnownMistake(Struct, frozen=True):
    """A known mistake, as the author of the unit describes it."""

    belief: str
    """The probable belief of a student who made the mistake."""
    truth: str
    """The truth that corrects this belief."""


class ExerciseReport(Struct, frozen=True):
    """The report on one exercise: its state, points, facets, and a run with the learner's own functions.

    If there is `advice`, reports show it instead of the `belief` and the `truth` of the known mistake. Wrong answers
    with the same results have the same `digest`.
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
    stop: Stop | None = None
    """Why nothing was run, or the run stopped, or null."""
    facets: tuple[FacetReport, ...] = ()
    """The rules that were checked."""
    form_points: float = 0.0
    """The points earned for form."""
    form_of: float = 0.0
    """The points that form can earn."""
    form: tuple[FormFinding, ...] = ()
    """The findings about form."""
    own: OwnRunOutcome = None
    """The result of a run with the student's other functions, or null."""
    mistake: KnownMistake | None = None
    """The known mistake that the answer makes, or null."""
    advice: Diagnosis | None = None
    """The next step, where results or code show one, or null."""
    remarks: tuple[ExerciseRemark, ...] = ()
    """Further remarks. Those of a teacher are text."""
    digest: str = ""
    """The group of answers with the same results."""

    @property
    def belief(self) -> str:
        return self.mistake.belief if self.mistake else ""

    @property
    def is_extra(self) -> bool:
        """Return whether the points of this row belong to no exercise, such as a bonus or a deduction."""
        return not (self.number or self.of)

    @property
    def rules(self) -> tuple[FacetReport, ...]:
        """Return the facets that count for the points."""
        return tuple(facet for facet in self.facets if facet.counts)

    @property
    def calls(self) -> int:
        return sum(facet.calls for facet in self.facets)

    @property
    def share(self) -> float:
        """Return the share of facets that passed, from 0 to 1. Each facet counts by its weight."""
        total = sum(facet.weight for facet in self.rules)
        return sum(facet.weight for facet in self.rules if facet.passed) / total if total else 0.0


class Graded(Struct, frozen=True, tag=True):
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
    remarks: tuple[NotebookRemark, ...] = ()
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
        return sum(exercise.state == PASSED for exercise in self.exercise_reports)

    @property
    def calls(self) -> int:
        """Return the number of calls that were made to judge the answers."""
        return sum(exercise.calls for exercise in self.exercises)

    @property
    def exercise_reports(self) -> tuple[ExerciseReport, ...]:
        """Return the reports on the notebook's exercises, without rows for a bonus or lateness."""
        return tuple(exercise for exercise in self.exercises if exercise.number)

    @property
    def nbgrader_rows(self) -> tuple[ExerciseReport, ...]:
        """Return the report's rows for those cells that nbgrader grades."""
        return tuple(exercise for exercise in self.exercises if not exercise.number and exercise.of)

    def without_unmarked(self) -> Graded:
        """Return the report without the cells that nbgrader has not marked yet."""
        return replace(self, exercises=tuple(each for each in self.exercises if each.number or each.state != UNGRADED))

    @property
    def assigned_exercises(self) -> tuple[str, ...]:
        """Return the names of the exercises that the notebook assigns."""
        return tuple(exercise.name for exercise in self.exercise_reports)

    @property
    def is_graded(self) -> bool:
        return all(exercise.state != UNGRADED for exercise in self.exercises)

    def __getitem__(self, name: str) -> ExerciseReport:
        return {exercise.name: exercise for exercise in self.exercises}[name]


class Ungradable(Struct, frozen=True, tag=True):
    """The report on a file that could not be graded, with the reason."""

    reason: Stop
    unit: ClassVar[str] = ""
    title: ClassVar[str] = ""
    is_graded: ClassVar[bool] = False


Report: TypeAlias = Graded | Ungradable
