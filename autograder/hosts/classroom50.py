"""Grade a submission in Classroom 50, and write the `result.json` that its runner reads."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from autograder.hosts.single import single_assignment, single_report
from autograder.report import render
from autograder.submission.sort import NotebookError

RESULT_SCHEMA, RESULT_FILE = "classroom50/result/v1", "result.json"
FROM_RUNNER = {
    "classroom": ("CLASSROOM",),
    "assignment": ("ASSIGNMENT",),
    "submission": ("SUBMISSION_TAG",),
    "commit": ("COMMIT_URL",),
    "release": ("RELEASE_URL",),
    "review": ("REVIEW_URL", "COMMIT_URL"),
}  # the fields that the runner passes on, with the environment variables that contain them
CENTS = 100  # scores must be whole numbers, and points have one decimal place
GRADED, AT_FAULT = 0, 1


def main(source: str, checkout: str, bundle: str, unit: str, assignment: str = "") -> int:
    """Grade the notebook in a student's checkout and write the result there.

    After a fault of the grader, no result is written. Then the runner reports an error and gives no mark.
    """
    if missing := [names[0] for names in FROM_RUNNER.values() if not _variable(names)]:
        print(f"foldem: the runner of Classroom 50 must set {', '.join(missing)}", file=sys.stderr)
        return AT_FAULT
    course, points = single_assignment(Path(source), unit, assignment)
    try:
        single = single_report(course, unit, points, Path(checkout), but=Path(bundle))
    except NotebookError as error:
        print(f"The submission could not be graded: {error}")
        tests = [_test(name, 0, of) for name, of in points[unit].items()]
    else:
        if single.problems:
            print("could not be graded:", *single.problems, file=sys.stderr)
            return AT_FAULT
        print(single.summary)  # the run's log shows this to the student
        for exercise in single.report.exercises:
            print(f"\n{render.exercise_text(exercise)}")
        tests = [_test(each.name, each.points, each.of) for each in single.report.exercises]
    sums = {key: sum(int(str(test[key])) for test in tests) for key in ("score", "max-score")}
    named = {field: _variable(names) for field, names in FROM_RUNNER.items()}
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    result = {"schema": RESULT_SCHEMA, **named, "datetime": now, **sums, "tests": tests}
    Path(checkout, RESULT_FILE).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return GRADED


def _test(name: str, points: float, of: float) -> dict[str, object]:
    score, most = round(points * CENTS), round(of * CENTS)
    return {"test-name": name, "passed": score >= most, "score": score, "max-score": most}


def _variable(names: Iterable[str]) -> str:
    return next((os.environ[name] for name in names if os.environ.get(name)), "")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
