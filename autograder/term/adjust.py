"""`adjust.toml`: what a teacher changes about marks in mid-term, applied to reports as they are told.

The store keeps reports as they were judged; so an adjustment costs no grading, and taking it back restores the marks.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from difflib import get_close_matches
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from autograder.config import OwnRelation, Policy
from autograder.exam.relations import RelationError, relation_in
from autograder.grading.run import marked
from autograder.report.model import PASSED, ExerciseReport, Graded, Report
from autograder.submission.notebook import CHECK, NotebookError, grade_id, read_notebook
from autograder.term import TermError
from autograder.term.lateness import Deadlines, deadlines_of, span
from autograder.term.points import points_of, scaled
from autograder.units.unit import Unit, read_unit, unit_names

ADJUST_FILE = "adjust.toml"
ACCEPTED, DROPPED = "accepted", "dropped"
BONUS, BY_HAND, LATENESS = "bonus", "mark by hand", "lateness"
GIVEN = (BONUS, BY_HAND, LATENESS)  # what stands behind the exercises: the teacher's, and not the notebook's
SINGLE = ("mark", "bonus")


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

    A word (kind "comment") changes no mark.
    """

    kind: str
    student: str
    unit: str
    points: float
    exercise: str = ""
    comment: str = ""


@dataclass(frozen=True)
class Adjustments:
    """All that a course changes: by unit and exercise, by student, and the points that its source notebooks set."""

    root: Path | None = None
    changes: Mapping[tuple[str, str], Change] = field(default_factory=dict)
    singles: tuple[Single, ...] = ()
    deadlines: Deadlines = field(default_factory=Deadlines)

    @property
    def gives(self) -> bool:
        """Tell whether the course gives or takes points besides those for exercises, or did and may take it back."""
        return self.root is not None and ((self.root / ADJUST_FILE).is_file() or bool(self.deadlines.until))

    def over(self, policy: Policy) -> Policy:
        """Give a policy with the relations that the course accepts answers by."""
        own = tuple(change.relation for change in self.changes.values() if change.relation)
        return replace(policy, relations=own) if own else policy

    def demand_students(self, known: Iterable[str]) -> None:
        """Refuse an adjustment for a student whom the course does not know."""
        names, meant = set(known), {single.student for single in self.singles}
        if strangers := sorted((meant | {student for student, _ in self.deadlines.extended}) - names):
            raise AdjustError(f"{ADJUST_FILE}: there is no student {strangers[0]!r}{_near(strangers[0], names)}")

    def applied(self, report: Report, student: str, assignment: str) -> Report:
        """Give a report as it is told in this course."""
        if not isinstance(report, Graded):
            return report
        points = source_points(self.root, assignment, report.unit) if self.root else {}
        exercises = [self._changed(report.unit, exercise, points) for exercise in report.exercises]
        for single in self.singles:
            if (single.student, single.unit) == (student, report.unit):
                exercises = _given(exercises, single)
        exercises += self._lateness(student, assignment, exercises)
        return replace(report, exercises=tuple(exercises))

    def _lateness(self, student: str, assignment: str, exercises: list[ExerciseReport]) -> list[ExerciseReport]:
        """Give what lateness costs, and how late it is; a mark by hand of all is the last word."""
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
            told = "dropped: it counts for nobody"
            return replace(report, points=0.0, of=0.0, form_points=0.0, form_of=0.0, remarks=(*report.remarks, told))
        report = _with_facets(report, change.facets)
        if change.all_of_it == ACCEPTED:
            report = replace(report, points=report.of, remarks=(*report.remarks, "accepted for all"))
        to = points.get(report.name, report.of) if change.points is None else change.points
        return _worth(report, to)


def _with_facets(report: ExerciseReport, changes: Mapping[str, str]) -> ExerciseReport:
    """Give a report in which some facets are accepted, or do not count; its points worked out anew."""
    if not report.facets or not any(facet.name in changes for facet in report.facets):
        return report
    facets = tuple(
        replace(facet, passed=True, failure=None) if changes.get(facet.name) == ACCEPTED else facet
        for facet in report.facets
        if changes.get(facet.name) != DROPPED
    )
    said = tuple(f"{changes[facet.name]} for all: {facet.name}" for facet in report.facets if facet.name in changes)
    now = replace(report, facets=facets, remarks=report.remarks + said)
    if facets and all(facet.passed for facet in facets):
        now = replace(now, state=PASSED, belief="", truth="")
    return marked(now, SimpleNamespace(points=report.of), report.form_of / report.of if report.of else 0.0)  # type: ignore[arg-type]


def _worth(report: ExerciseReport, to: float) -> ExerciseReport:
    """Give a report with its points as so many."""
    if to == report.of:
        return report
    points, form = (scaled(each, report.of, to) for each in (report.points, report.form_points))
    return replace(report, points=points, of=to, form_points=form, form_of=scaled(report.form_of, report.of, to))


def _given(exercises: list[ExerciseReport], single: Single) -> list[ExerciseReport]:
    """Give the exercises with what one student is given; what is for all of them stands behind them."""
    said = (single.comment,) if single.comment else ()
    if single.kind == "comment":
        return [
            replace(each, remarks=each.remarks + said) if each.name == single.exercise else each for each in exercises
        ]
    if single.exercise:
        hand = (f"{BY_HAND}: {single.points:g}", *said)
        return [
            replace(each, points=single.points, remarks=each.remarks + hand) if each.name == single.exercise else each
            for each in exercises
        ]
    points = single.points
    if single.kind == "mark":
        points = round(points - sum(each.points for each in exercises), 2)
    name = BONUS if single.kind == "bonus" else BY_HAND
    return [*exercises, ExerciseReport(name, 0, PASSED, points, 0.0, remarks=said)]


@cache
def source_points(root: Path, assignment: str, unit: str) -> Mapping[str, float]:
    """Give the points that a course's source notebook sets, by exercise."""
    try:
        cells = read_notebook(root / "source" / assignment / f"{read_unit(unit).stem}.ipynb").cells
    except NotebookError:
        return {}
    checks = ((grade_id(cell).removesuffix(CHECK), points_of(cell)) for cell in cells if grade_id(cell).endswith(CHECK))
    return {name: points for name, points in checks if points is not None}


def adjustments_in(root: Path | None) -> Adjustments:
    """Give the adjustments of a course; AdjustError, in one line, if they cannot be used."""
    path = root / ADJUST_FILE if root else None
    if path is None or not path.is_file():
        return Adjustments(root, deadlines=deadlines_of(root, {}))
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise AdjustError(f"{path}: {' '.join(str(error).split())}") from None
    singles = tuple(_single(kind, each) for kind in SINGLE for each in _tables(kind, told.pop(kind, [])))
    extended = dict(map(_extension, _tables("extension", told.pop("extension", []))))
    changes = {
        (unit, name): _change(path.parent, read_unit(unit), name, change)
        for unit, exercises in told.items()
        for name, change in _exercises(unit, exercises)
    }
    return Adjustments(root, changes, singles, deadlines_of(root, extended))


def _extension(found: dict[str, Any]) -> tuple[tuple[str, str], datetime]:
    where, keys = "[[extension]]", ("student", "assignment", "until", "comment")
    _demand_keys(where, found, keys)
    student, assignment, until = (found.get(key) for key in keys[:3])
    if not isinstance(student, str) or not isinstance(assignment, str):
        raise AdjustError(f"{ADJUST_FILE}: {where} names a student and an assignment")
    if not isinstance(until, datetime) or until.tzinfo is None:
        raise AdjustError(f"{ADJUST_FILE}: {where}: until is a time with its offset, like 2026-03-01T23:59:00+01:00")
    return (student, assignment), until


def _tables(kind: str, found: Any) -> list[dict[str, Any]]:
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise AdjustError(f"{ADJUST_FILE}: {kind} is written [[{kind}]], once for each")
    return found


def _exercises(unit: str, found: Any) -> Iterable[tuple[str, Any]]:
    if unit not in unit_names():
        raise AdjustError(f"{ADJUST_FILE}: there is no unit {unit!r}{_near(unit, unit_names())}")
    if not isinstance(found, dict):
        raise AdjustError(f"{ADJUST_FILE}: {unit} is written [{unit}.<exercise>]")
    return found.items()


def _change(root: Path, unit: Unit, name: str, found: Any) -> Change:
    _demand_exercise(unit, name)
    where = f"{unit.name}.{name}"
    if not isinstance(found, dict):
        raise AdjustError(f"{ADJUST_FILE}: {where} is written [{where}]")
    _demand_keys(where, found, ("points", "accepted", "dropped", "facets", "relation"))
    switches = [key for key in (ACCEPTED, DROPPED) if found.get(key)]
    if not all(isinstance(found.get(key, False), bool) for key in (ACCEPTED, DROPPED)) or len(switches) > 1:
        raise AdjustError(f"{ADJUST_FILE}: {where}: accepted and dropped are true or false, and not both true")
    facets = found.get("facets", {})
    if not isinstance(facets, dict) or not set(facets.values()) <= {ACCEPTED, DROPPED}:
        raise AdjustError(f'{ADJUST_FILE}: {where}: facets are written {{ "its name" = "accepted" }}, or "dropped"')
    points = _points(where, found["points"]) if "points" in found else None
    relation = _relation(root, unit.name, name, found["relation"]) if "relation" in found else None
    return Change(points, switches[0] if switches else "", facets, relation)


def _relation(root: Path, unit: str, exercise: str, file: Any) -> OwnRelation:
    """Give the relation in a file of the teacher's, which is run: it must be there, and hold it."""
    if not isinstance(file, str):
        raise AdjustError(
            f'{ADJUST_FILE}: {unit}.{exercise}: relation is the name of a Python file, like "relations.py"'
        )
    path = root / file
    try:
        own = OwnRelation(unit, exercise, path, sha256(path.read_bytes()).hexdigest())
        relation_in(path, exercise, own.digest)
    except OSError as error:
        raise AdjustError(f"{ADJUST_FILE}: {unit}.{exercise}: {path}: {error.strerror}") from None
    except RelationError as error:
        raise AdjustError(f"{ADJUST_FILE}: {unit}.{exercise}: {error}") from None
    return own


def _single(kind: str, found: dict[str, Any]) -> Single:
    where = f"[[{kind}]]"
    _demand_keys(where, found, ("student", "unit", "points", "comment", *(["exercise"] if kind == "mark" else [])))
    student, unit, points = (found.get(key) for key in ("student", "unit", "points"))
    if not isinstance(student, str) or not isinstance(unit, str) or unit not in unit_names():
        raise AdjustError(f"{ADJUST_FILE}: {where} names a student and a unit ({', '.join(unit_names())})")
    if "exercise" in found:
        _demand_exercise(read_unit(unit), found["exercise"])
    given = _points(where, points)
    return Single(kind, student, unit, given, found.get("exercise", ""), str(found.get("comment", "")))


def _demand_exercise(unit: Unit, name: str) -> None:
    if name not in unit.by_name:
        raise AdjustError(f"{ADJUST_FILE}: {unit.name} has no exercise {name!r}{_near(str(name), unit.by_name)}")


def _demand_keys(where: str, found: dict[str, Any], keys: tuple[str, ...]) -> None:
    if strange := [key for key in found if key not in keys]:
        raise AdjustError(f"{ADJUST_FILE}: {where}: unknown key {strange[0]!r}: the keys are {', '.join(keys)}")


def _points(where: str, found: Any) -> float:
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not 0 <= found < 1e6:
        raise AdjustError(f"{ADJUST_FILE}: {where}: points must be a number, not below 0: {found!r}")
    return found


def _near(name: str, names: Iterable[str]) -> str:
    near = get_close_matches(name, list(names), 1)
    return f": did you mean {near[0]!r}?" if near else ""
