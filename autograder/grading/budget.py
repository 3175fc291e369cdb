"""The budget of a submission: the seconds for everything done for it, inside and outside of its sandbox.

Exercises draw on it in turn. Each waiting exercise keeps a share, so endless answers cost the others no points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, thread_time

from autograder.sandbox.cage import Cage, Child, Shared

Clock = Callable[[], float]
# An answer's process can wait for nothing, but a machine may be busy, and a bot is waited for: so many seconds on the
# clock on the wall are as dear as one of the processor.
WAITING = 20


class Spent(Exception):
    """An exercise has used up its share: none of its calls is run or judged any more."""


class Budget:
    """The seconds for a submission, of which `already` are used; counted in the thread that grades it."""

    def __init__(
        self, seconds: float, already: float = 0, *, cpu: Clock = thread_time, wall: Clock = monotonic
    ) -> None:
        self.seconds, self._already, self._cpu, self._wall = seconds, already, cpu, wall
        self._began, self._until = (cpu(), wall()), seconds
        self._children: list[Child] = []

    def begin(self) -> None:
        """Start counting. Earlier work, such as building an exam, serves everyone."""
        self._began = self._cpu(), self._wall()

    @property
    def spent(self) -> float:
        """The seconds used: CPU time, or wall-clock time converted to it."""
        cpu, wall = self._began
        inside = sum(child.cpu_seconds for child in self._children)
        return self._already + max(self._cpu() - cpu + inside, (self._wall() - wall) / WAITING)

    @property
    def left(self) -> float:
        """The seconds that remain."""
        return self._until - self.spent

    def draw(self, waiting: int, of: int) -> None:
        """Let one exercise draw on the budget while `waiting` others wait: half of it is open to all."""
        self._until = self.seconds * (1 - waiting / of / 2)

    def demand(self) -> None:
        """Raise Spent if nothing remains."""
        if self.left <= 0:
            raise Spent("has used up the time of its submission")

    @contextmanager
    def child(self, cage: Cage, shared: Shared | None = None) -> Iterator[Child]:
        """Provide a new child, of a sandbox or its station, limited to what remains. Raises Spent if nothing does."""
        self.demand()
        with cage.child(seconds=max(1, int(self.left)), shared=shared) as child:
            self._children.append(child)
            yield child
