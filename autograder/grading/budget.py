"""The budget of a submission: the seconds that may be spent on all that is done for it, in its sandbox and outside.

Its exercises draw on it one after the other. Of what is left each one that still waits keeps a share, so that answers
that come to no end cost no other exercise its points.
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
    """What an exercise may draw is spent: no process is begun for it, and nothing of it is looked at any more."""


class Budget:
    """What may be spent on a submission, of which `already` so much is; counted in the thread that grades it."""

    def __init__(
        self, seconds: float, already: float = 0, *, cpu: Clock = thread_time, wall: Clock = monotonic
    ) -> None:
        self.seconds, self._already, self._cpu, self._wall = seconds, already, cpu, wall
        self._began, self._until = (cpu(), wall()), seconds
        self._children: list[Child] = []

    def begin(self) -> None:
        """Count from now on: what came before, as building an exam, is for everybody."""
        self._began = self._cpu(), self._wall()

    @property
    def spent(self) -> float:
        """The seconds that are spent, of the processor or so many of those on the wall as are as dear."""
        cpu, wall = self._began
        inside = sum(child.cpu_seconds for child in self._children)
        return self._already + max(self._cpu() - cpu + inside, (self._wall() - wall) / WAITING)

    @property
    def left(self) -> float:
        """The seconds that may still be drawn."""
        return self._until - self.spent

    def draw(self, waiting: int, of: int) -> None:
        """Let one exercise draw what is not kept for those that still wait, `waiting` of so many: half is for all."""
        self._until = self.seconds * (1 - waiting / of / 2)

    def demand(self) -> None:
        """Spent if nothing is left."""
        if self.left <= 0:
            raise Spent("has used up the time of its submission")

    @contextmanager
    def child(self, cage: Cage, shared: Shared | None = None) -> Iterator[Child]:
        """Provide a new child of a cage, or of its station, which may use what is left; Spent if that is nothing."""
        self.demand()
        with cage.child(seconds=max(1, int(self.left)), shared=shared) as child:
            self._children.append(child)
            yield child
