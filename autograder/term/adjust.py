"""`adjust.toml`: a teacher's changes to marks, applied when reports are shown.

The store keeps the original reports. So an adjustment needs no grading, and removing it restores the marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from difflib import get_close_matches
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from autograder.config import ConfigError, OwnRelation, Policy, course_file, not_run, settings_for
from autograder.exam.relations import RelationError, relation_in
from autograder.grading.exercise import marked
from autograder.report.model import PASSED, UNGRADED, WRONG, ExerciseReport, Graded, Report, Ungradable
from autograder.term import TermError
from autograder.term.assignments import source_points, unknown_assignment
from autograder.term.lateness import Deadlines, deadlines_of, span
from autograder.term.points import worth
from autograder.toml import IN_REASON, Switch, T, Text, line_of, misfits, parsed, text_of
from autograder.units.unit import Unit, read_unit, unit_names, units_by_stem

ADJUST_FILE = "adjust.toml"
ACCEPTED, DROPPED = "accepted", "dropped"
BONUS, BY_HAND, LATENESS, EXTRA_CREDIT = "bonus", "mark by hand", "lateness", "extra credit"
GIVEN = (BONUS, BY_HAND, LATENESS, EXTRA_CREDIT)  # rows for the teacher's points, after the notebook's exercises


class AdjustError(TermError):
    """An `adjust.toml` that cannot be used; the message is one line."""


@dataclass(frozen=True)
class Change:
    """A change of an exercise for everyone: its points, or whether it or some of its facets count."""

    points: float | None = None
    all_of_it: str = ""
    facets: Mapping[str, str] = field(default_factory=dict)
    relation: OwnRelation | None = None


@dataclass(frozen=True)
class Single:
    """A mark by hand, a bonus or a comment for one student.

    `exercise` is "" for a whole unit; without an assignment it applies to all assignments that have the unit. Extra
    credit is added after everything else. A comment changes no mark.
    """

    kind: str
    student: str
    unit: str
    points: float
    exercise: str = ""
    comment: str = ""
    assignment: str = ""

    def is_for(self, student: str, assignment: str, unit: str) -> bool:
        """Return whether it applies to a submission."""
        return (self.student, self.unit) == (student, unit) and self.assignment in ("", assignment)


@dataclass(frozen=True)
class Adjustments:
    """All adjustments of a course: by unit and exercise, by student, and the points in its source notebooks."""

    root: Path | None = None
    changes: Mapping[tuple[str, str], Change] = field(default_factory=dict)
    singles: tuple[Single, ...] = ()
    deadlines: Deadlines = field(default_factory=Deadlines)

    @property
    def gives(self) -> bool:
        """Return whether the course gives or deducts points outside of exercises, now or in an earlier run."""
        return self.root is not None and ((self.root / ADJUST_FILE).is_file() or bool(self.deadlines.until))

    def over(self, policy: Policy) -> Policy:
        """Return a policy that includes the course's own relations."""
        own = tuple(change.relation for change in self.changes.values() if change.relation)
        return replace(policy, relations=own) if own else policy

    def demand_students(self, *known: Iterable[str]) -> None:
        """Raise AdjustError if an adjustment is for an unknown student."""
        names, meant = set[str]().union(*known), {single.student for single in self.singles}
        if strangers := sorted((meant | {student for student, _ in self.deadlines.extended}) - names):
            raise AdjustError(f"{ADJUST_FILE}: there is no student {strangers[0]!r}{_near(strangers[0], names)}")

    def applied(self, report: Report, student: str, assignment: str, file: str = "") -> Report:
        """Return a report with the adjustments applied. The file name identifies an ungradable file."""
        if not isinstance(report, Graded):
            return self._marked(report, student, assignment, report.unit or units_by_stem().get(Path(file).stem, ""))
        points = source_points(self.root, assignment, report.unit) if self.root else {}
        exercises = [self._changed(report.unit, exercise, points) for exercise in report.exercises]
        own = [single for single in self.singles if single.is_for(student, assignment, report.unit)]
        for single in (single for single in own if single.kind != EXTRA_CREDIT):
            exercises = _given(exercises, single)
        exercises += self._lateness(student, assignment, exercises)
        exercises += _extra_credit([single for single in own if single.kind == EXTRA_CREDIT])
        return replace(report, exercises=tuple(exercises))

    def _marked(self, report: Ungradable, student: str, assignment: str, unit: str) -> Report:
        """Return the report on an ungradable file if marks by hand cover all of it, else the file's problem."""
        if not any(each.kind == "mark" and each.is_for(student, assignment, unit) for each in self.singles):
            return report
        found = read_unit(unit)
        names = source_points(self.root, assignment, unit) if self.root else {}
        blank = tuple(
            ExerciseReport(each.name, each.number, UNGRADED, 0.0, each.points, problem=report.problem)
            for each in found.exercises
            if each.name in (names or found.by_name)
        )
        told = self.applied(Graded(unit, found.title, "", "", "", blank, (report.problem,)), student, assignment)
        return told if told.is_graded else report

    def _lateness(self, student: str, assignment: str, exercises: list[ExerciseReport]) -> list[ExerciseReport]:
        """Return the deduction for lateness, if any; a mark by hand for the whole unit overrules it."""
        late = self.deadlines.late(student, assignment)
        if not late or any(each.name == BY_HAND for each in exercises):
            return []
        cost = self.deadlines.cost(late)
        lost = round(cost * sum(each.points for each in exercises), 2)
        said = f"late by {span(late)}" + f": {cost:.0%} of the points" * bool(cost)
        return [ExerciseReport(LATENESS, 0, PASSED, -lost if lost else 0.0, 0.0, remarks=(said,))]

    def _changed(self, unit: str, report: ExerciseReport, points: Mapping[str, float]) -> ExerciseReport:
        change = self.changes.get((unit, report.name), Change())
        if change.all_of_it == DROPPED:
            report = _settled(report, 0.0)
            told = "dropped: does not count"
            return replace(report, points=0.0, of=0.0, form_points=0.0, form_of=0.0, remarks=(*report.remarks, told))
        report = _with_facets(report, change.facets)
        if change.all_of_it == ACCEPTED:
            report = replace(_settled(report, report.of), remarks=(*report.remarks, "accepted for everyone"))
        to = points.get(report.name, report.of) if change.points is None else change.points
        return worth(report, to)


def _with_facets(report: ExerciseReport, changes: Mapping[str, str]) -> ExerciseReport:
    """Return a report with some facets accepted or dropped, and with new points."""
    if not report.facets or not any(facet.name in changes for facet in report.facets):
        return report
    facets = tuple(
        replace(facet, passed=True, failure=None) if changes.get(facet.name) == ACCEPTED else facet
        for facet in report.facets
        if changes.get(facet.name) != DROPPED
    )
    said = tuple(
        f"{changes[facet.name]} for everyone: {facet.name}" for facet in report.facets if facet.name in changes
    )
    now = replace(report, facets=facets, remarks=report.remarks + said)
    if facets and all(facet.passed for facet in facets):
        now = replace(now, state=PASSED, belief="", truth="")
    return marked(now, SimpleNamespace(points=report.of), report.form_of / report.of if report.of else 0.0)  # type: ignore[arg-type]


def _settled(report: ExerciseReport, points: float) -> ExerciseReport:
    """Return a report with a teacher's points; an ungraded exercise counts as graded then."""
    if report.state != UNGRADED:
        return replace(report, points=points)
    return replace(report, points=points, state=PASSED if points >= report.of else WRONG)


def _given(exercises: list[ExerciseReport], single: Single) -> list[ExerciseReport]:
    """Return the exercises with one student's adjustment; one for the whole unit is added as an extra row."""
    if single.exercise:
        return [_given_there(each, single) if each.name == single.exercise else each for each in exercises]
    points = single.points
    if single.kind == "mark":
        exercises = [_settled(each, each.points) for each in exercises]
        points = round(points - sum(each.points for each in exercises), 2)
    name = BONUS if single.kind == "bonus" else BY_HAND
    return [*exercises, ExerciseReport(name, 0, PASSED, points, 0.0, remarks=_said(single))]


def _extra_credit(singles: Sequence[Single]) -> Iterator[ExerciseReport]:
    """Yield a row with a student's extra credit; no deduction applies to it."""
    if singles:
        whence = tuple(f"{single.points:+g} for {single.exercise}, in the formgrader" for single in singles)
        yield ExerciseReport(EXTRA_CREDIT, 0, PASSED, sum(single.points for single in singles), 0.0, remarks=whence)


def _given_there(report: ExerciseReport, single: Single) -> ExerciseReport:
    """Return an exercise with a mark or comment by hand."""
    if single.kind == "comment":
        return replace(report, remarks=report.remarks + _said(single))
    hand = f"{BY_HAND}: {single.points:g}"
    return replace(_settled(report, single.points), remarks=(*report.remarks, hand, *_said(single)))


def _said(single: Single) -> tuple[str, ...]:
    return (single.comment,) if single.comment else ()


# ------------------------------------------------------------------------------------------------ the file

Points: TypeAlias = Annotated[
    Annotated[int, IN_REASON] | Annotated[float, IN_REASON], Meta(description="a number, 0 or more")
]
Instant: TypeAlias = Annotated[
    datetime, Meta(tz=True, description="a time with a UTC offset, like 2026-03-01T23:59:00+01:00")
]
FacetChanges: TypeAlias = Annotated[
    dict[str, Literal["accepted", "dropped"]], Meta(description='{ "its name" = "accepted" }, or "dropped"')
]
RelationFile: TypeAlias = Annotated[str, Meta(description='the name of a Python file, like "relations.py"')]


@dataclass(frozen=True)
class ChangeTable:
    """`[<unit>.<exercise>]`: a change for everyone."""

    points: Points | None = None
    accepted: Switch = False
    dropped: Switch = False
    facets: FacetChanges = field(default_factory=dict)
    relation: RelationFile | None = None


@dataclass(frozen=True)
class BonusTable:
    """`[[bonus]]`: points for one student in a unit."""

    student: Text
    unit: Text
    points: Points
    comment: Text = ""


@dataclass(frozen=True)
class MarkTable(BonusTable):
    """`[[mark]]`: a mark by hand, for an exercise or for all of a unit."""

    exercise: Text = ""


@dataclass(frozen=True)
class ExtensionTable:
    """`[[extension]]`: a later deadline for one student."""

    student: Text
    assignment: Text
    until: Instant
    comment: Text = ""


SINGLE: Mapping[str, type[BonusTable]] = {"mark": MarkTable, "bonus": BonusTable}
EXTENSION = "extension"


@dataclass(frozen=True)
class AdjustFile:
    """The text and path of a course's `adjust.toml`; errors name their line."""

    path: Path
    text: str
    is_graded: bool = False

    def refused(self, wrong: str, *where: str | int) -> AdjustError:
        """Return an AdjustError with the line of a key."""
        return AdjustError(f"{self.path}:{line_of(self.text, *where)}: {wrong}")

    def table(self, kind: type[T], found: Any, *where: str | int) -> T:
        """Return a table as a value. Raises AdjustError if it is invalid."""
        for place, wrong in misfits(kind, found, where):
            raise self.refused(wrong, *place)
        return msgspec.convert(found, kind)

    def tables(self, name: str, found: Any, kind: type[T]) -> list[T]:
        """Return the tables of one name as values."""
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            raise self.refused(f"write [[{name}]] above each {name}", name)
        return [self.table(kind, each, name, place) for place, each in enumerate(found)]

    def unit(self, name: str, *where: str | int) -> Unit:
        """Return a unit. Raises AdjustError if it is unknown."""
        if name not in unit_names():
            raise self.refused(f"there is no unit {name!r}{_near(name, unit_names())}", *where)
        return read_unit(name)

    def demand_exercise(self, unit: Unit, name: str, *where: str | int) -> None:
        """Raise AdjustError if the unit has no such exercise."""
        if name not in unit.by_name:
            raise self.refused(f"there is no exercise {name!r} in {unit.name}{_near(name, unit.by_name)}", *where)


def adjustments_in(root: Path | None, is_graded: bool = False) -> Adjustments:
    """Return the adjustments of a course. Raises AdjustError, in one line, if they are invalid.

    Relations are code. If the course is inside the folder to grade, a relation is an error and is not run.
    """
    path = root / ADJUST_FILE if root else None
    if root:
        _demand_due_assignments(root)
    if path is None or not path.is_file():
        return Adjustments(root, deadlines=deadlines_of(root, {}))
    file = AdjustFile(path, text_of(path, AdjustError), is_graded)
    told = parsed(file.text, path, AdjustError)
    singles = tuple(each for kind in SINGLE for each in _singles(file, kind, told.pop(kind, [])))
    extensions = file.tables(EXTENSION, told.pop(EXTENSION, []), ExtensionTable)
    for place, each in enumerate(extensions):
        if wrong := unknown_assignment(path.parent, each.assignment):
            raise file.refused(wrong, EXTENSION, place, "assignment")
    extended = {(each.student, each.assignment): each.until for each in extensions}
    changes = {(unit, name): change for unit, found in told.items() for name, change in _changes(file, unit, found)}
    return Adjustments(root, changes, singles, deadlines_of(root, extended))


def _demand_due_assignments(root: Path) -> None:
    """Raise ConfigError if a deadline is for an unknown assignment."""
    for name in settings_for(root).deadlines:
        if wrong := unknown_assignment(root, name):
            file = course_file(root) or root
            raise ConfigError(f"{file}:{line_of(text_of(file, ConfigError), 'deadlines', name)}: {wrong}")


def _singles(file: AdjustFile, kind: str, found: Any) -> Iterator[Single]:
    for place, row in enumerate(file.tables(kind, found, SINGLE[kind])):
        unit, exercise = file.unit(row.unit, kind, place, "unit"), getattr(row, "exercise", "")
        if exercise:
            file.demand_exercise(unit, exercise, kind, place, "exercise")
        yield Single(kind, row.student, row.unit, row.points, exercise, row.comment)


def _changes(file: AdjustFile, name: str, found: Any) -> Iterator[tuple[str, Change]]:
    unit = file.unit(name, name)
    if not isinstance(found, dict):
        raise file.refused(f"write the unit {name} as [{name}.<exercise>]", name)
    for exercise, table in found.items():
        where = (name, exercise)
        file.demand_exercise(unit, exercise, *where)
        if not isinstance(table, dict):
            raise file.refused(f"write the exercise {exercise} as [{name}.{exercise}]", *where)
        yield exercise, _change(file, where, file.table(ChangeTable, table, *where))


def _change(file: AdjustFile, where: tuple[str, str], told: ChangeTable) -> Change:
    if told.accepted and told.dropped:
        raise file.refused("set only one of accepted and dropped", *where)
    all_of_it = ACCEPTED if told.accepted else DROPPED if told.dropped else ""
    relation = None if told.relation is None else _relation(file, where, told.relation)
    return Change(told.points, all_of_it, told.facets, relation)


def _relation(file: AdjustFile, where: tuple[str, str], name: str) -> OwnRelation:
    """Return the relation in a teacher's file, after running it to see that the function exists."""
    if file.is_graded:
        raise file.refused(not_run(name), *where, "relation")
    path = file.path.parent / name
    try:
        own = OwnRelation(*where, path, sha256(path.read_bytes()).hexdigest())
        relation_in(path, where[1], own.digest)
    except OSError as error:
        raise file.refused(f"{path}: {error.strerror}", *where, "relation") from None
    except RelationError as error:
        raise file.refused(str(error), *where, "relation") from None
    return own


def _near(name: str, names: Iterable[str]) -> str:
    near = get_close_matches(name, list(names), 1)
    return f": did you mean {near[0]!r}?" if near else ""
