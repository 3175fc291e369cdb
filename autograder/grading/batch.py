"""Grading of files: every file gets a report, even if it is no submission. Commands, hosts and workers call this."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import thread_time

from autograder.config import Policy
from autograder.grading.budget import Budget
from autograder.grading.memory import Recall, nothing
from autograder.grading.run import Lent, anew, grade_and_learn
from autograder.report.model import Report, Ungradable
from autograder.report.words import fault_text, odd_part_text, odd_unit_text
from autograder.sandbox.host import NoSandbox
from autograder.submission.code import code_of, code_text
from autograder.submission.model import NO_ASSIGNMENT, AssignmentPoints
from autograder.submission.reading import digest_of_content, notebook_in, read_content
from autograder.submission.sort import NotebookError, read_notebook, submission_of, unit_of
from autograder.units.unit import Unit

ODD_SHARE = 1 / 3


@dataclass(frozen=True)
class Task:
    """A file to grade, and what its assignment sets; without an assignment the file's own list of exercises counts.

    `problem` says why its assignment is unknown, or is empty.
    """

    path: Path
    parts: AssignmentPoints = field(default_factory=lambda: NO_ASSIGNMENT)
    problem: str = ""

    def demand_clear(self) -> None:
        """Raise NotebookError if the file's assignment is unknown."""
        if self.problem:
            raise NotebookError(self.problem)


@dataclass(frozen=True)
class Learned:
    """The outcome of grading a file: its report, the newly computed verdicts, and its code as it is stored.

    `content` is the digest of the graded bytes: "" if none could be read, None if it is unknown.
    """

    report: Report
    verdicts: Mapping[str, str] = field(default_factory=dict)
    code: str = ""
    content: str | None = None


def unit_name(path: Path) -> str | None:
    """Return the name of a notebook file's unit, or None."""
    try:
        return unit_of(read_notebook(path)).name
    except NotebookError:
        return None


def report_on(path: Path, unit: Unit | None, policy: Policy) -> Report:
    """Return the report on a file. For a file that is no submission, the report says why."""
    return learned_of(Task(path), unit, policy, nothing).report


def learned_of(task: Task, unit: Unit | None, policy: Policy, recall: Recall, lent: Lent = anew) -> Learned:
    """Grade a file and return the outcome. For a file that is no submission, its report says why.

    A fault of the grader is reported only if it happens twice.
    """
    try:
        task.demand_clear()
        data = read_content(task.path)
    except NotebookError as error:
        return Learned(_ungradable(str(error), unit), content="" if not task.problem else None)
    learned = _learned_twice(task, data, unit, policy, recall, lent)
    return replace(learned, content=digest_of_content(data))


def _learned_twice(task: Task, data: bytes, unit: Unit | None, policy: Policy, recall: Recall, lent: Lent) -> Learned:
    problem = ""
    for _ in range(2):
        try:
            return _learned(task, data, unit, policy, recall, lent)
        except NotebookError as error:
            problem = str(error)
            break
        except NoSandbox:
            raise
        except Exception as error:
            problem = fault_text(error)
    return Learned(_ungradable(problem, unit))


def _ungradable(problem: str, unit: Unit | None) -> Ungradable:
    return Ungradable(problem, unit.name, unit.title) if unit else Ungradable(problem)


def _learned(task: Task, data: bytes, unit: Unit | None, policy: Policy, recall: Recall, lent: Lent) -> Learned:
    began, submission = thread_time(), submission_of(notebook_in(task.path, data), unit, task.parts)
    budget = Budget(policy.seconds_per_submission, already=thread_time() - began)
    report, verdicts = grade_and_learn(submission, policy, recall, budget, lent)
    return Learned(report, verdicts, code_text(code_of(submission)))


def odd_part(own: tuple[str, ...], common: Counter[tuple[str, ...]]) -> str:
    """Return a remark on a notebook that sets other exercises than most notebooks of its unit, else "".

    A student can change the list in a notebook's metadata, so it must at least be noticed.
    """
    (usual, number), *_ = common.most_common(1)
    if own == usual or number < 2 or common[own] > ODD_SHARE * common.total():
        return ""
    return odd_part_text(len(own), number, len(usual), tuple(name for name in usual if name not in own))


def odd_unit(own: str, numbers: Mapping[str, int]) -> str:
    """Return a remark on a notebook of another unit than most of its class hand in, else "".

    >>> odd_unit("warmup", {"warmup": 1, "dominoes": 4}), odd_unit("warmup", {"warmup": 4, "dominoes": 4})
    ('a notebook of warmup, where 4 others here hand in dominoes', '')
    """
    usual = max(numbers, key=lambda unit: numbers[unit])
    if own == usual or numbers[usual] < 2 or numbers[own] > ODD_SHARE * numbers[usual]:
        return ""
    return odd_unit_text(own, numbers[usual], usual)
