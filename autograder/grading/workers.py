"""The workers that grade: this process alone, or several markers. Workers on other machines are in `cluster/`."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Protocol

from autograder.grading.batch import Brief, Learned, Task
from autograder.grading.cages import SharedSandbox
from autograder.grading.marker import LOST, Marker
from autograder.grading.memory import Recall
from autograder.grading.run import SandboxFor
from autograder.report.model import Ungradable
from autograder.report.stops import fault_of


class Workers(Protocol):
    """Workers that grade files; `room` is the number of files that they can take at a time."""

    @property
    def room(self) -> int: ...

    def begin(self, task: Task) -> Future[Learned]:
        """Start grading a file."""

    def dismiss(self) -> None:
        """Shut down; there are no more files."""


class Alone:
    """This process, which grades one file at a time."""

    room = 1

    def __init__(self, graded: Callable[[Task, SandboxFor], Learned]) -> None:
        self.graded, self._shared = graded, SharedSandbox()

    def begin(self, task: Task) -> Future[Learned]:
        future = Future[Learned]()
        future.set_result(self.graded(task, self._shared.for_submission))
        return future

    def dismiss(self) -> None:
        self._shared.close()


class Markers:
    """Several marker processes, each with a thread that waits for its results."""

    def __init__(self, brief: Brief, recall: Recall, number: int) -> None:
        self.room, self.recall = 2 * number, recall  # a marker gets its next file while the last result is being stored
        self._all = [Marker(brief) for _ in range(number)]
        self._idle, self._threads = SimpleQueue[Marker](), ThreadPoolExecutor(number)
        for marker in self._all:
            self._idle.put(marker)

    def begin(self, task: Task) -> Future[Learned]:
        return self._threads.submit(self._graded, task)

    def _graded(self, task: Task) -> Learned:
        marker = self._idle.get()
        try:
            return marker.graded(task, self.recall)
        except LOST as error:
            return Learned(Ungradable(fault_of(error)))
        finally:
            self._idle.put(marker)

    def dismiss(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for marker in self._all:
            marker.dismiss()
