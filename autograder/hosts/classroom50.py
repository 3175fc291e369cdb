"""Grade a submission in Classroom 50, and write the `result.json` that its runner reads."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from autograder.hosts.single import SingleAssignment, SingleReport, single_assignment
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
    tests = _tests(single_assignment(Path(source), unit, assignment), Path(checkout), Path(bundle))
    if not tests:
        return AT_FAULT
    text = json.dumps(result_of_tests(tests), indent=1) + "\n"
    Path(checkout, RESULT_FILE).write_text(text, encoding="utf-8")
    return GRADED


def _tests(meant: SingleAssignment, checkout: Path, bundle: Path) -> list[dict[str, object]]:
    """Print the report, and return the result of each exercise; empty after a fault of the grader."""
    try:
        single = meant.graded(checkout, but=bundle)
    except NotebookError as error:
        print(f"The submission could not be graded: {error}")
        return [_test(name, 0, points) for name, points in meant.points[meant.unit].items()]
    if single.problems:
        print("could not be graded:", *single.problems, file=sys.stderr)
        return []
    print_report(single)
    return [_test(each.name, each.points, each.of) for each in single.report.exercises]


def print_report(single: SingleReport) -> None:
    """Print the report, which the run's log shows to the student."""
    print(single.summary)
    for exercise in single.report.exercises:
        print(f"\n{render.exercise_text(exercise)}")


def result_of_tests(tests: Iterable[Mapping[str, object]]) -> dict[str, object]:
    """Return the result: its scores are the sums of those of its tests."""
    listed = list(tests)
    sums = {key: sum(int(str(test[key])) for test in listed) for key in ("score", "max-score")}
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    named = {field: _variable(names) for field, names in FROM_RUNNER.items()}
    return {"schema": RESULT_SCHEMA, **named, "datetime": now, **sums, "tests": listed}


def _test(name: str, points: float, of: float) -> dict[str, object]:
    score, most = round(points * CENTS), round(of * CENTS)
    return {"test-name": name, "passed": score >= most, "score": score, "max-score": most}


def _variable(names: Iterable[str]) -> str:
    return next((os.environ[name] for name in names if os.environ.get(name)), "")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
