"""Grade the only submission in a folder, on platforms that start a grader for each submission.

The zip that `foldem bundle` makes for Gradescope runs this module.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from autograder.grading.run import grade
from autograder.report import render
from autograder.report.model import UNGRADED, Graded
from autograder.report.words import problem_text, remark_lines
from autograder.submission.find import find_notebooks
from autograder.submission.model import AssignmentPoints, Submission
from autograder.submission.sort import NotebookError, read_submission
from autograder.term.assignments import points_of_unit, with_points
from autograder.term.course import Course, read_course
from autograder.text import shown_name
from autograder.units.pack import catalogue_here
from autograder.units.unit import read_unit

GRADED, AT_FAULT = 0, 1  # after a fault of the grader, nothing is written: the platform reports it and gives no mark
SHOWN_TO_STUDENT = "visible"


def grade_first_notebook(course: Course, unit: str, points: AssignmentPoints, folder: Path) -> tuple[Graded, str]:
    """Grade the first readable notebook in a folder.

    Return the report on this notebook, and a remark if other notebooks were ignored. Raises NotebookError if there is
    no readable notebook of the unit.
    """
    good, bad = list[tuple[Path, Submission]](), list[str]()
    for _, path in find_notebooks([folder], course.catalogue):
        try:
            good.append((path, read_submission(path, course.catalogue, parts=points)))
        except NotebookError as error:
            bad.append(f"{shown_name(path.name)}: {error}")
    if not good:
        raise NotebookError(next(iter(bad), f"no notebook of {unit} found: submit your .ipynb file"))
    path, submission = good[0]
    remark = f"{shown_name(path.name)} was graded; other notebooks were ignored" if len(good) > 1 else ""
    return with_points(grade(submission, course.policy), points.get(unit, {})), remark


def grade_for_gradescope(source: str, submitted: str, results: str, unit: str, assignment: str = "") -> int:
    """Grade a submission on Gradescope, and write the `results.json` that Gradescope reads."""
    try:
        course = read_course(Path(source), catalogue_here())
        points = course.assignments.get(assignment) or points_of_unit(read_unit(course.catalogue, unit))
        report, remark = grade_first_notebook(course, unit, points, Path(submitted))
    except NotebookError as error:
        output = f"Your submission could not be graded: {error}"
        results_data = {"score": 0, "output": output, "visibility": SHOWN_TO_STUDENT, "tests": []}
    else:
        if problems := [problem_text(each) for each in report.exercises if each.state == UNGRADED]:
            print("could not be graded:", *problems)
            return AT_FAULT
        results_data = gradescope_results(report, remark)
    Path(results).parent.mkdir(parents=True, exist_ok=True)
    Path(results).write_text(json.dumps(results_data, indent=1) + "\n", encoding="utf-8")
    return GRADED


def gradescope_results(report: Graded, remark: str) -> dict[str, object]:
    """Return a report in Gradescope's format: a test for each exercise, with its facets and its form as output."""
    points = f"{report.title}: {report.points:g} of {report.of:g} points"
    return {
        "score": report.points,
        "output": "\n".join(filter(None, (points, *remark_lines(report), remark))),
        "visibility": SHOWN_TO_STUDENT,
        "stdout_visibility": "hidden",
        "tests": [
            {
                "name": exercise.name,
                "number": str(exercise.number),
                "score": exercise.points,
                "max_score": exercise.of,
                "output": render.plain_html(exercise),
                "output_format": "html",
                "visibility": SHOWN_TO_STUDENT,
                "tags": [report.unit, exercise.state],
            }
            for exercise in report.exercises
        ],
    }


if __name__ == "__main__":
    sys.exit(grade_for_gradescope(*sys.argv[1:]))
