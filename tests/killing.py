"""Run `foldem grade` up to a point: with a quick grader, in processes that are killed, or without remembering marks."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from autograder.commands import grade
from autograder.commands.options import GradeOptions
from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading import batch
from autograder.grading.batch import FileOutcome, GradingBrief, Task
from autograder.report.model import PASSED, ExerciseReport, FacetReport, Graded, Ungradable
from autograder.report.stops import BadFile
from autograder.sandbox.host import ReusedSandbox
from autograder.submission.code import Code, code_text
from autograder.term.results import cache_key_of
from tests.units import course_in, find_notebooks, read_unit


def quick_grader(log: Path, task: Task, brief: GradingBrief, shared: ReusedSandbox) -> FileOutcome:
    """Return a report that depends on a file's content, and log the request."""
    with log.open("a") as file:
        file.write(f"{task.path.parts[-3]}\n")
    if not task.path.is_file():
        return FileOutcome(Ungradable(BadFile("it is no file")))
    points = float(len(task.path.read_bytes()) % 7)
    facets, remarks = (FacetReport("every input", True, 9),), ("long" * 500,)
    exercise = ExerciseReport("swap_ends", 1, PASSED, points, 7.0, facets=facets, remarks=remarks)
    return FileOutcome(Graded("warmup", "Warm-up", "0", "0", "off", (exercise,)), code_text(Code()))


def together(*acts: Callable[[], Any]) -> list[int]:
    """Run functions at the same time, each in its own process, and return how each process ended."""
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in [_forked(act) for act in acts]]


def in_a_process(act: Callable[[], Any]) -> int:
    """Run a function in its own process, and return the exit status, or minus the signal that ended the process."""
    return together(act)[0]


def _forked(act: Callable[[], Any]) -> int:
    cache_key_of(read_unit("warmup"), Policy())
    exam_for(read_unit("warmup"))
    child = os.fork()
    if child == 0:
        os._exit(act())
    return child


def quick_run(folder: Path, out: Path, **asked: Any) -> int:
    """Grade a folder with the quick grader in this process, and return the exit status."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch, "grade_task", partial(quick_grader, out.with_suffix(".log")))
        return grade.run(GradeOptions(**{"paths": [folder], "out": out, "quiet": True} | asked))


def settled_grading(course: Path) -> grade.GradingRun:
    """Return the grading of a course with the real grader, before it is remembered or printed."""
    submissions = [*find_notebooks([course / "submitted"])]
    begun = grade.GradingRun(GradeOptions(paths=[], quiet=True), submissions, course_in(course))
    begun.grade_all(Console(quiet=True))
    return begun


def graded(folder: Path, out: Path, instant: int | None = None, count: Path | None = None) -> int:
    """Grade a folder with the quick grader in its own process, and return how the process ended.

    It is killed at profiler event number `instant`. The number of events is written to the file `count`.
    """
    events = 0

    def one_more(*_: Any) -> None:
        nonlocal events
        events += 1
        if events == instant:
            os.kill(os.getpid(), signal.SIGKILL)

    def act() -> int:
        threading.setprofile(one_more)
        sys.setprofile(one_more)
        status = quick_run(folder, out)
        sys.setprofile(None)
        if count:
            count.write_text(str(events))
        return status

    return in_a_process(act)
