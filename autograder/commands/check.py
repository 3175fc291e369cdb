"""`foldem check`: check a notebook in the terminal."""

from __future__ import annotations

import sys
from dataclasses import replace

from rich.console import Console

from autograder.commands.options import CheckOptions
from autograder.config import folder_with_settings, secret_folders, with_course_packs
from autograder.grading.run import grade
from autograder.hosts.kernel import kernel_policy
from autograder.report import render
from autograder.sandbox.host import NoSandbox, find_level
from autograder.submission.sort import NotebookError, read_submission
from autograder.term.course import chosen_catalogue
from course.show.blocks import progress_bar_text

ALL_RIGHT, NOT_ALL_RIGHT = 0, 1


def run(options: CheckOptions) -> int:
    """Print the results of a notebook's checks; return 0 if every answer is right."""
    path, name = options.notebook, options.exercise
    catalogue = with_course_packs(chosen_catalogue(options.pack), folder_with_settings(path), but=[path])
    submission = read_submission(path, catalogue)
    if name and name not in submission.unit.by_name:
        raise NotebookError(f"the unit {submission.unit.name} has no exercise {name!r}")
    if name and name not in submission.assigned:
        raise NotebookError(f"this notebook gives you {name}, so there is no answer to check")
    policy = replace(kernel_policy(folder_with_settings(path)), exercises=(name,) if name else ())
    try:
        policy = replace(policy, sandbox=find_level(secret_folders(catalogue)))
    except NoSandbox:
        what = "the notebook runs without protection, like any program that you start"
        print(f"foldem: no sandbox found; {what}", file=sys.stderr)
    report = grade(submission, policy)
    lines = [render.report_text(report, report.title)]
    lines += [progress_bar_text(report.solved, len(report.exercises))] * (name is None)
    Console(soft_wrap=True).print("\n".join(lines), markup=False, highlight=False)
    return ALL_RIGHT if report.solved == len(report.exercises) else NOT_ALL_RIGHT
