"""Convert the points of an exercise, if a course sets other points than the unit."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from autograder.report.model import ExerciseReport, Graded
from autograder.submission.notebook import AnyCell


def scaled(points: float, of: float, to: float) -> float:
    """Return `points` out of `of`, scaled to a maximum of `to`.

    >>> scaled(1, 1, 10), scaled(0.5, 1, 10), scaled(1, 3, 1), scaled(0.7, 2, 2)
    (10, 5.0, 0.33, 0.7)
    """
    if to == of:
        return points
    return min(to, round(points * to / of + 1e-9, 2)) if of else 0.0


def worth(report: ExerciseReport, to: float) -> ExerciseReport:
    """Return a report with its points scaled to a new maximum."""
    if to == report.of:
        return report
    points, form = (scaled(each, report.of, to) for each in (report.points, report.form_points))
    return replace(report, points=points, of=to, form_points=form, form_of=scaled(report.form_of, report.of, to))


def with_points(report: Graded, points: Mapping[str, float]) -> Graded:
    """Return a report with the points that a course sets for each exercise."""
    return replace(report, exercises=tuple(worth(each, points.get(each.name, each.of)) for each in report.exercises))


def points_of(cell: AnyCell) -> float | None:
    """Return the points in nbgrader's metadata of a check cell, or None."""
    data = cell.metadata.get("nbgrader") if isinstance(cell.metadata, dict) else None
    points = data.get("points") if isinstance(data, dict) else None
    if isinstance(points, bool) or not isinstance(points, (int, float)):
        return None
    return points if 0 <= points < 1e6 else None
