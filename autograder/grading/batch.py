"""Grade files, in this process or in a pool of processes. Every file gets a report, even if it is not a notebook.

Called by commands, by hosts, and by the workers on other machines (`cluster.py`).
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Mapping
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Lock, Thread
from time import thread_time
from typing import Protocol

from autograder.config import Policy, secret_folders
from autograder.exam.store import fingerprint
from autograder.grading.run import code_digest, grade, pack_digest
from autograder.grading.runs import Budget
from autograder.report.model import Report, Ungradable
from autograder.report.stops import BadFile, fault_of
from autograder.sandbox.host import NoSandbox, ReusedSandbox, usable_level
from autograder.submission.code import code_text, submission_code
from autograder.submission.model import NO_ASSIGNMENT, AssignmentPoints
from autograder.submission.reading import digest_of_content, notebook_in, read_content
from autograder.submission.sort import NotebookError, read_notebook, submission_of, unit_of
from autograder.units.pack import Catalogue
from autograder.units.unit import Unit, read_unit
from course.exam.readable import printable_text
from course.limits import FEWEST_OBJECTS_PER_COLLECTION


@dataclass(frozen=True)
class Task:
    """A file to grade, with the exercises and points of its assignment.

    Without an assignment, the exercises are those that the file itself lists. `problem` says why the file's assignment
    cannot be used; it is "" if there is no problem.
    """

    path: Path
    parts: AssignmentPoints = field(default_factory=lambda: NO_ASSIGNMENT)
    problem: str = ""


@dataclass(frozen=True)
class FileOutcome:
    """The outcome of grading a file: its report, and the answers' code for the store.

    `content` is the digest of the graded bytes. The digest is "" if the file could not be read, and None if it is
    unknown.
    """

    report: Report
    code: str = ""
    content: str | None = None


@dataclass(frozen=True)
class GradingBrief:
    """The data that a process needs to grade files: the policy and the units."""

    policy: Policy
    catalogue: Catalogue


def unit_of_file(path: Path, catalogue: Catalogue) -> Unit | None:
    """Return the unit of a notebook file, or None if the file belongs to no unit."""
    try:
        return unit_of(read_notebook(path), catalogue)
    except NotebookError:
        return None


def grade_task(task: Task, brief: GradingBrief, shared: ReusedSandbox | None = None) -> FileOutcome:
    """Grade a file and return the outcome. If the file cannot be graded, its report says why.

    If the grader itself fails, this function grades the file a second time before it reports the failure.
    """
    if task.problem:
        return FileOutcome(Ungradable(BadFile(task.problem)))
    for _ in range(2):
        try:
            content = ""
            data = read_content(task.path)
            content, began = digest_of_content(data), thread_time()
            submission = submission_of(notebook_in(task.path, data), brief.catalogue, parts=task.parts)
            budget = Budget(brief.policy.seconds_per_submission, already=thread_time() - began)
            report = grade(submission, brief.policy, budget, shared)
            outcome = FileOutcome(report, code_text(submission_code(submission)), content)
            if report.is_graded:
                break
        except NoSandbox:
            raise
        except NotebookError as error:
            return FileOutcome(Ungradable(BadFile(printable_text(str(error)))), content=content)
        except Exception as error:
            outcome = FileOutcome(Ungradable(fault_of(error)), content=content)
    return outcome


class Workers(Protocol):
    """Workers that grade files. `capacity` is the number of files that the workers accept at a time."""

    @property
    def capacity(self) -> int: ...

    def begin(self, task: Task) -> Future[FileOutcome]:
        """Start grading a file."""

    def dismiss(self) -> None:
        """Shut down the workers after the last file."""


class ThisProcess:
    """The current process, which grades one file at a time."""

    capacity = 1

    def __init__(self, brief: GradingBrief) -> None:
        self.brief, self._shared = brief, ReusedSandbox()

    def begin(self, task: Task) -> Future[FileOutcome]:
        future = Future[FileOutcome]()
        future.set_result(grade_task(task, self.brief, self._shared))
        return future

    def dismiss(self) -> None:
        self._shared.close()


class Pool:
    """Processes that grade one file after another.

    If a process dies, its file is graded once more, in a separate process. Answers run in the sandboxes of the pool's
    processes, never in the processes themselves.
    """

    def __init__(self, brief: GradingBrief, number: int) -> None:
        self.brief, self.number = brief, number
        self.capacity = 2 * number  # a process gets its next file while the last result is being stored
        # Python starts the processes in the current folder, which may be a student's: nothing is imported from there.
        os.environ["PYTHONSAFEPATH"] = "1"
        self._processes, self._threads, self._lock = (
            self._start_processes(number),
            ThreadPoolExecutor(self.capacity),
            Lock(),
        )

    def _start_processes(self, number: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(number, get_context("spawn"), _prepare_process, (self.brief,))

    def begin(self, task: Task) -> Future[FileOutcome]:
        return self._threads.submit(self._grade_with_retry, task)

    def _grade_with_retry(self, task: Task) -> FileOutcome:
        pool = self._processes
        try:
            return pool.submit(_grade_in_pool, task).result()
        except BrokenProcessPool:
            pass
        with self._lock:
            if pool is self._processes:
                self._processes = self._start_processes(self.number)
            with self._start_processes(1) as alone:
                try:
                    return alone.submit(_grade_in_pool, task).result()
                except BrokenProcessPool as error:
                    return FileOutcome(Ungradable(fault_of(error)))

    def grading_environment(self, units: tuple[str, ...]) -> GradingEnvironment:
        """Return the grading environment of one of the pool's processes.

        Raises NoSandbox or UnitError if the process cannot grade these units.
        """
        return self._processes.submit(grading_environment, self.brief, units).result()

    def dismiss(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._processes.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True)
class GradingEnvironment:
    """Everything that must be equal on all machines to get equal marks: sandbox level, digests of code and exams."""

    level: str
    code: str
    exams: Mapping[str, str]


def grading_environment(brief: GradingBrief, units: tuple[str, ...]) -> GradingEnvironment:
    """Return this process's `GradingEnvironment`.

    Raises NoSandbox or UnitError if this process cannot grade these units.
    """
    policy, catalogue = brief.policy, brief.catalogue
    level = usable_level(policy.sandbox, secret_folders(catalogue))
    known = [read_unit(catalogue, unit) for unit in units if unit in catalogue.units]
    exams = {unit.name: f"{fingerprint(unit, policy.seed)} {pack_digest(unit)}" for unit in known}
    return GradingEnvironment(level, code_digest(), exams)


_worker_of_process: list[ThisProcess] = []  # of a process of a pool


def _prepare_process(brief: GradingBrief) -> None:
    """Prepare a process of a pool. The process ends when its parent ends, and only the parent receives interrupts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    gc.set_threshold(FEWEST_OBJECTS_PER_COLLECTION)
    _worker_of_process.append(ThisProcess(brief))


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _grade_in_pool(task: Task) -> FileOutcome:
    return _worker_of_process[0].begin(task).result()
