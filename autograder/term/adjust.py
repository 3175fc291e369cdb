"""`adjust.toml`: what a teacher changes about marks in mid-term, applied to reports as they are told.

The store keeps reports as they were judged; so an adjustment costs no grading, and taking it back restores the marks.
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
GIVEN = (BONUS, BY_HAND, LATENESS, EXTRA_CREDIT)  # the teacher's, listed after the notebook's exercises


class AdjustError(TermError):
    """An `adjust.toml` that cannot be used; the message is one line."""


@dataclass(frozen=True)
class Change:
    """What is changed about an exercise for everybody: its points, whether it or some of its facets count."""

    points: float | None = None
    all_of_it: str = ""
    facets: Mapping[str, str] = field(default_factory=dict)
    relation: OwnRelation | None = None


@dataclass(frozen=True)
class Single:
    """What one student is given in a unit: a mark by hand (for an exercise, or "" for all of it), a bonus, a word.

    Extra credit (kind "extra credit") comes on top of all else. A word (kind "comment") changes no mark. What names no
    assignment is for all that have the unit.
    """

    kind: str
    student: str
    unit: str
    points: float
    exercise: str = ""
    comment: str = ""
    assignment: str = ""

    def is_for(self, student: str, assignment: str, unit: str) -> bool:
        """Return whether it is for what a student has handed in."""
        return (self.student, self.unit) == (student, unit) and self.assignment in ("", assignment)


@dataclass(frozen=True)
class Adjustments:
    """All that a course changes: by unit and exercise, by student, and the points that its source notebooks set."""

    root: Path | None = None
    changes: Mapping[tuple[str, str], Change] = field(default_factory=dict)
    singles: tuple[Single, ...] = ()
    deadlines: Deadlines = field(default_factory=Deadlines)

    @property
    def gives(self) -> bool:
        """Return whether the course gives or takes points besides those for exercises, or did and may take it back."""
        return self.root is not None and ((self.root / ADJUST_FILE).is_file() or bool(self.deadlines.until))

    def over(self, policy: Policy) -> Policy:
        """Return a policy with the relations that the course accepts answers by."""
        own = tuple(change.relation for change in self.changes.values() if change.relation)
        return replace(policy, relations=own) if own else policy

    def demand_students(self, *known: Iterable[str]) -> None:
        """Refuse an adjustment for a student whom the course does not know."""
        names, meant = set[str]().union(*known), {single.student for single in self.singles}
        if strangers := sorted((meant | {student for student, _ in self.deadlines.extended}) - names):
            raise AdjustError(f"{ADJUST_FILE}: there is no student {strangers[0]!r}{_near(strangers[0], names)}")

    def applied(self, report: Report, student: str, assignment: str, file: str = "") -> Report:
        """Return a report as it is told in this course; a file that cannot be graded is known by how it is called."""
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
        """Return what marks by hand make of a file that cannot be graded: a report, if they are of all of it."""
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
        """Return what lateness costs, and how late it is; a mark by hand of all is the last word."""
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
    """Return a report in which some facets are accepted, or do not count; its points worked out anew."""
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
    """Return a report with the points that a teacher says: what nobody could grade has a mark by that."""
    if report.state != UNGRADED:
        return replace(report, points=points)
    return replace(report, points=points, state=PASSED if points >= report.of else WRONG)


def _given(exercises: list[ExerciseReport], single: Single) -> list[ExerciseReport]:
    """Return the exercises with what one student is given; what is for all of them stands behind them."""
    if single.exercise:
        return [_given_there(each, single) if each.name == single.exercise else each for each in exercises]
    points = single.points
    if single.kind == "mark":
        exercises = [_settled(each, each.points) for each in exercises]
        points = round(points - sum(each.points for each in exercises), 2)
    name = BONUS if single.kind == "bonus" else BY_HAND
    return [*exercises, ExerciseReport(name, 0, PASSED, points, 0.0, remarks=_said(single))]


def _extra_credit(singles: Sequence[Single]) -> Iterator[ExerciseReport]:
    """Yield what a student's extra credit comes to; nothing takes a share of it."""
    if singles:
        whence = tuple(f"{single.points:+g} for {single.exercise}, in the formgrader" for single in singles)
        yield ExerciseReport(EXTRA_CREDIT, 0, PASSED, sum(single.points for single in singles), 0.0, remarks=whence)


def _given_there(report: ExerciseReport, single: Single) -> ExerciseReport:
    """Return an exercise with the mark or the word that it was given."""
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
    """`[<unit>.<exercise>]`: what is changed for everybody."""

    points: Points | None = None
    accepted: Switch = False
    dropped: Switch = False
    facets: FacetChanges = field(default_factory=dict)
    relation: RelationFile | None = None


@dataclass(frozen=True)
class BonusTable:
    """`[[bonus]]`: what one student is given in a unit."""

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
    """`[[extension]]`: until when one student may hand in."""

    student: Text
    assignment: Text
    until: Instant
    comment: Text = ""


SINGLE: Mapping[str, type[BonusTable]] = {"mark": MarkTable, "bonus": BonusTable}
EXTENSION = "extension"


@dataclass(frozen=True)
class AdjustFile:
    """The text of a course's `adjust.toml`, and where it lies: what is wrong in it is told with its line."""

    path: Path
    text: str
    is_graded: bool = False

    def refused(self, wrong: str, *where: str | int) -> AdjustError:
        """Return the error for what is wrong at a place."""
        return AdjustError(f"{self.path}:{line_of(self.text, *where)}: {wrong}")

    def table(self, kind: type[T], found: Any, *where: str | int) -> T:
        """Return a table as a value; AdjustError if it does not fit."""
        for place, wrong in misfits(kind, found, where):
            raise self.refused(wrong, *place)
        return msgspec.convert(found, kind)

    def tables(self, name: str, found: Any, kind: type[T]) -> list[T]:
        """Return the tables of one name, each as a value."""
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            raise self.refused(f"write [[{name}]] above each {name}", name)
        return [self.table(kind, each, name, place) for place, each in enumerate(found)]

    def unit(self, name: str, *where: str | int) -> Unit:
        """Return a unit; AdjustError if there is none of the name."""
        if name not in unit_names():
            raise self.refused(f"there is no unit {name!r}{_near(name, unit_names())}", *where)
        return read_unit(name)

    def demand_exercise(self, unit: Unit, name: str, *where: str | int) -> None:
        """Refuse an exercise that the unit does not have."""
        if name not in unit.by_name:
            raise self.refused(f"there is no exercise {name!r} in {unit.name}{_near(name, unit.by_name)}", *where)


def adjustments_in(root: Path | None, is_graded: bool = False) -> Adjustments:
    """Return the adjustments of a course; AdjustError, in one line, if they cannot be used.

    If the course lies in what is graded no relation of theirs is run, and so they cannot be used if they have one.
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
    """Refuse a deadline for an assignment that the course does not have."""
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
    """Return the relation in a file of the teacher's, which is run: it must be there, and hold it."""
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
