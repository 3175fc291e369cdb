"""Grade a submission on Gradescope, and write the `results.json` that Gradescope reads."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from autograder.grading.run import grade
from autograder.report import render
from autograder.report.model import UNGRADED, ExerciseReport, Graded
from autograder.submission.find import find_notebooks
from autograder.submission.model import AssignmentPoints, Submission
from autograder.submission.sort import NotebookError, read_submission
from autograder.term.assignments import all_of
from autograder.term.course import read_course
from autograder.term.points import with_points
from autograder.text import counted
from autograder.units.pack import Catalogue, catalogue_here
from autograder.units.unit import read_unit

SHOWN_TO_STUDENT = "visible"
GRADED, AT_FAULT = 0, 1


def main(source: str, submitted: str, results: str, unit: str, assignment: str = "") -> int:
    """Grade the submission and write the results.

    After a fault of the grader, no results are written. Then Gradescope reports an error and gives no mark.
    """
    try:
        course = read_course(Path(source), catalogue_here())
        catalogue = course.catalogue
        parts = course.assignments.get(assignment) or all_of(read_unit(catalogue, unit))
        submission, remark = only_submission(Path(submitted), unit, parts, catalogue)
        report = with_points(grade(submission, course.policy), parts.get(unit, {}))
    except NotebookError as error:
        output = f"Your submission could not be graded: {error}"
        results_data = {"score": 0, "output": output, "visibility": SHOWN_TO_STUDENT, "tests": []}
    else:
        if not report.is_graded:
            print("could not be graded:", *(each.problem for each in report.exercises if each.state == UNGRADED))
            return AT_FAULT
        results_data = results_of(report, remark)
    Path(results).parent.mkdir(parents=True, exist_ok=True)
    Path(results).write_text(json.dumps(results_data, indent=1) + "\n", encoding="utf-8")
    return GRADED


def only_submission(folder: Path, unit: str, parts: AssignmentPoints, catalogue: Catalogue) -> tuple[Submission, str]:
    """Return the first notebook of a unit in a folder, and a remark if there are several."""
    paths = [path for _, path in find_notebooks([folder], catalogue)]
    read = [(path, _read(path, parts, catalogue)) for path in paths]
    good = [(path, submission) for path, submission in read if isinstance(submission, Submission)]
    if not good:
        missing = f"no notebook of {unit} found: submit your .ipynb file"
        raise NotebookError(next((str(problem) for _, problem in read), missing))
    (path, submission), *more = good
    others = counted(len(more), "other notebook")
    return submission, f"{path.name} was graded; {others} {'was' if len(more) == 1 else 'were'} ignored" if more else ""


def _read(path: Path, parts: AssignmentPoints, catalogue: Catalogue) -> Submission | NotebookError:
    try:
        return read_submission(path, catalogue, parts=parts)
    except NotebookError as error:
        return NotebookError(f"{path.name}: {error}")


def results_of(report: Graded, remark: str = "") -> dict[str, object]:
    """Return a report in Gradescope's format: a test per exercise, with its facets and form as output."""
    lines = [
        f"{report.title}: {report.points:g} of {report.of:g} points",
        *report.remarks,
        *([remark] if remark else []),
    ]
    return {
        "score": report.points,
        "output": "\n".join(lines),
        "visibility": SHOWN_TO_STUDENT,
        "stdout_visibility": "hidden",
        "tests": [_test(report, exercise) for exercise in report.exercises],
    }


def _test(report: Graded, exercise: ExerciseReport) -> dict[str, object]:
    return {
        "name": exercise.name,
        "number": str(exercise.number),
        "score": exercise.points,
        "max_score": exercise.of,
        "output": render.exercise_text(exercise),
        "visibility": SHOWN_TO_STUDENT,
        "tags": [report.unit, exercise.state],
    }


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
