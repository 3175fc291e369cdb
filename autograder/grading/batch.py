"""Grade files. Every file gets a report, even one that is not a notebook.

Called by commands, hosts and workers.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from time import thread_time

from autograder.config import Policy
from autograder.grading.run import SandboxFor, grade, new_sandbox
from autograder.grading.runs import Budget
from autograder.report.model import Report, Ungradable
from autograder.report.stops import BadFile, Stop, fault_of
from autograder.sandbox.host import NoSandbox
from autograder.submission.code import code_text, submission_code
from autograder.submission.model import NO_ASSIGNMENT, AssignmentPoints
from autograder.submission.reading import digest_of_content, notebook_in, read_content
from autograder.submission.sort import NotebookError, read_notebook, submission_of, unit_of
from autograder.units.pack import Catalogue
from autograder.units.unit import Unit
from course.exam.readable import printable


@dataclass(frozen=True)
class Task:
    """A file to grade, with its assignment's settings. Without an assignment, the exercises that the file lists count.

    `problem` says why the assignment is unknown, or is empty.
    """

    path: Path
    parts: AssignmentPoints = field(default_factory=lambda: NO_ASSIGNMENT)
    problem: str = ""

    def ensure_clear(self) -> None:
        """Raise NotebookError if the file's assignment is unknown."""
        if self.problem:
            raise NotebookError(self.problem)


@dataclass(frozen=True)
class FileOutcome:
    """The outcome of grading a file: its report and the file's code for the store.

    `content` is the digest of the graded bytes: "" if they could not be read, None if it is unknown.
    """

    report: Report
    code: str = ""
    content: str | None = None


@dataclass(frozen=True)
class GradingBrief:
    """The instructions for grading files, here or in another process: the policy and the units.

    If the brief names a unit, only files of that unit are graded.
    """

    policy: Policy
    catalogue: Catalogue
    wanted: Unit | None = None


def unit_in(path: Path, catalogue: Catalogue) -> Unit | None:
    """Return a notebook file's unit, or None."""
    try:
        return unit_of(read_notebook(path), catalogue)
    except NotebookError:
        return None


def grade_task(task: Task, brief: GradingBrief, sandbox_for: SandboxFor = new_sandbox) -> FileOutcome:
    """Grade a file and return the outcome. If it cannot be graded, the report says why.

    A fault of the grader is reported only if it occurs twice.
    """
    try:
        task.ensure_clear()
        data = read_content(task.path)
    except NotebookError as error:
        return FileOutcome(
            _ungradable(BadFile(printable(str(error))), brief.wanted), content="" if not task.problem else None
        )
    result = digest_of_content(data)
    for _ in range(2):
        try:
            return replace(_graded_file(task, data, brief, sandbox_for), content=result)
        except NotebookError as error:
            return FileOutcome(_ungradable(BadFile(printable(str(error))), brief.wanted), content=result)
        except NoSandbox:
            raise
        except Exception as error:
            fault = fault_of(error)
    return FileOutcome(_ungradable(fault, brief.wanted), content=result)


def _ungradable(reason: Stop, unit: Unit | None) -> Ungradable:
    return Ungradable(reason, unit.name, unit.title) if unit else Ungradable(reason)


def _graded_file(task: Task, data: bytes, brief: GradingBrief, sandbox_for: SandboxFor) -> FileOutcome:
    began, policy = thread_time(), brief.policy
    submission = submission_of(notebook_in(task.path, data), brief.catalogue, brief.wanted, task.parts)
    budget = Budget(policy.seconds_per_submission, already=thread_time() - began)
    report = grade(submission, policy, budget, sandbox_for)
    return FileOutcome(report, code_text(submission_code(submission)))
