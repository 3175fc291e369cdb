"""The workers that grade: this process, or a pool of processes. Workers on other machines are in `cluster/`."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from threading import Lock, Thread
from typing import Protocol

from autograder.config import Policy, secret_folders
from autograder.exam.store import fingerprint
from autograder.garbage import collect_garbage_less_often
from autograder.grading.batch import FileOutcome, GradingBrief, Task, grade_task
from autograder.grading.run import code_digest, new_sandbox, pack_digest
from autograder.report.model import Ungradable
from autograder.report.stops import fault_of
from autograder.sandbox.host import ReusedSandbox, Sandbox, usable_level
from autograder.submission.model import Submission
from autograder.units.unit import read_unit


class SharedSandbox(ReusedSandbox):
    """The sandbox that a grading thread uses. A submission with other imports needs another one."""

    @contextmanager
    def for_submission(self, submission: Submission, policy: Policy) -> Iterator[Sandbox]:
        """Provide the current sandbox if it is equivalent to a new one; otherwise provide a new one."""
        yield self.get(new_sandbox(submission, policy))


class Workers(Protocol):
    """Workers that grade files; `room` is the number of files that they can take at a time."""

    @property
    def room(self) -> int: ...

    def begin(self, task: Task) -> Future[FileOutcome]:
        """Start grading a file."""

    def dismiss(self) -> None:
        """Shut down; there are no more files."""


class ThisProcess:
    """This process, which grades one file at a time."""

    room = 1

    def __init__(self, brief: GradingBrief) -> None:
        self.brief, self._shared = brief, SharedSandbox()

    def begin(self, task: Task) -> Future[FileOutcome]:
        future = Future[FileOutcome]()
        future.set_result(grade_task(task, self.brief, self._shared.for_submission))
        return future

    def dismiss(self) -> None:
        self._shared.close()


class Pool:
    """Processes that grade one file after another. If a process is lost, its file is graded once more, alone.

    Answers run in the sandboxes of these processes, never in the processes themselves.
    """

    def __init__(self, brief: GradingBrief, number: int) -> None:
        self.brief, self.number = brief, number
        self.room = 2 * number  # a process gets its next file while the last result is being stored
        # Python starts the processes in the current folder, which may be a student's: nothing is imported from there.
        os.environ["PYTHONSAFEPATH"] = "1"
        self._processes, self._threads, self._lock = self._started(number), ThreadPoolExecutor(self.room), Lock()

    def _started(self, number: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(number, get_context("spawn"), _begin, (self.brief,))

    def begin(self, task: Task) -> Future[FileOutcome]:
        return self._threads.submit(self._graded, task)

    def _graded(self, task: Task) -> FileOutcome:
        pool = self._processes
        try:
            return pool.submit(_graded_file, task).result()
        except BrokenProcessPool:
            pass
        with self._lock:
            if pool is self._processes:
                self._processes = self._started(self.number)
            with self._started(1) as alone:
                try:
                    return alone.submit(_graded_file, task).result()
                except BrokenProcessPool as error:
                    return FileOutcome(Ungradable(fault_of(error)))

    def grading_environment(self, units: tuple[str, ...]) -> GradingEnvironment:
        """Return the environment of a process. Raises NoSandbox or UnitError if it cannot grade these units."""
        return self._processes.submit(grading_environment, self.brief, units).result()

    def dismiss(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._processes.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True)
class GradingEnvironment:
    """The things that must be equal on all machines: the sandbox, the judging code, and the units with exams."""

    level: str
    code: str
    exams: Mapping[str, str]


def grading_environment(brief: GradingBrief, units: tuple[str, ...]) -> GradingEnvironment:
    """Return this process's `GradingEnvironment`. Raises NoSandbox or UnitError if it cannot grade these units."""
    policy, catalogue = brief.policy, brief.catalogue
    level = usable_level(policy.sandbox, secret_folders(catalogue))
    known = [read_unit(catalogue, unit) for unit in units if unit in catalogue.units]
    exams = {unit.name: f"{fingerprint(unit, policy.seed)} {pack_digest(unit)}" for unit in known}
    return GradingEnvironment(level, code_digest(), exams)


_here: list[ThisProcess] = []  # of a process of a pool


def _begin(brief: GradingBrief) -> None:
    """Prepare a process of a pool. It ends with its parent, and only the parent receives interrupts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    collect_garbage_less_often()
    _here.append(ThisProcess(brief))


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _graded_file(task: Task) -> FileOutcome:
    return _here[0].begin(task).result()
