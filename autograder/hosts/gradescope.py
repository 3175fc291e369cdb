"""Grade a submission on Gradescope, and write the `results.json` that Gradescope reads."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from autograder.hosts.single import SingleReport, single_assignment, single_report
from autograder.report import render
from autograder.submission.sort import NotebookError

SHOWN_TO_STUDENT = "visible"
GRADED, AT_FAULT = 0, 1


def main(source: str, submitted: str, results: str, unit: str, assignment: str = "") -> int:
    """Grade the submission and write the results.

    After a fault of the grader, no results are written. Then Gradescope reports an error and gives no mark.
    """
    try:
        course, points = single_assignment(Path(source), unit, assignment)
        single = single_report(course, unit, points, Path(submitted))
    except NotebookError as error:
        output = f"Your submission could not be graded: {error}"
        results_data = {"score": 0, "output": output, "visibility": SHOWN_TO_STUDENT, "tests": []}
    else:
        if single.problems:
            print("could not be graded:", *single.problems)
            return AT_FAULT
        results_data = results_of(single)
    Path(results).parent.mkdir(parents=True, exist_ok=True)
    Path(results).write_text(json.dumps(results_data, indent=1) + "\n", encoding="utf-8")
    return GRADED


def results_of(single: SingleReport) -> dict[str, object]:
    """Return a report in Gradescope's format: a test per exercise, with its facets and form as output."""
    report = single.report
    return {
        "score": report.points,
        "output": single.summary,
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
    sys.exit(main(*sys.argv[1:]))
