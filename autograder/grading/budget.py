"""The budget of a submission: the seconds for everything that is done for it, inside and outside its sandbox.

Exercises use the budget one after another. Each waiting exercise has a reserved share, so answers that never end cost
the other exercises no points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, thread_time

from autograder.sandbox.cage import Cage, Child

Clock = Callable[[], float]
# Real time counts less than processor time, because the machine may be busy, and grading waits for bots. This many
# seconds of real time count as one second of processor time.
WAITING = 20


class Spent(Exception):
    """Raised when an exercise has used up its share: no more of its calls are run or judged."""


class Budget:
    """The seconds for a submission; `already` of them are used.

    The processor time of the grading thread counts, too.
    """

    def __init__(
        self, seconds: float, already: float = 0, *, cpu: Clock = thread_time, wall: Clock = monotonic
    ) -> None:
        self.seconds, self._already, self._cpu, self._wall = seconds, already, cpu, wall
        self._began, self._until = (cpu(), wall()), seconds
        self._children: list[Child] = []

    def begin(self) -> None:
        """Start counting. Earlier work, such as building an exam, does not count."""
        self._began = self._cpu(), self._wall()

    @property
    def spent(self) -> float:
        """Return the seconds used: processor time, or real time converted to it."""
        cpu, wall = self._began
        inside = sum(child.cpu_seconds for child in self._children)
        return self._already + max(self._cpu() - cpu + inside, (self._wall() - wall) / WAITING)

    @property
    def left(self) -> float:
        """Return the seconds that remain."""
        return self._until - self.spent

    def draw(self, waiting: int, of: int) -> None:
        """Set the limit for an exercise. Half of the budget is reserved for the `waiting` exercises of `of`."""
        self._until = self.seconds * (1 - waiting / of / 2)

    def demand(self) -> None:
        """Raise Spent if nothing remains."""
        if self.left <= 0:
            raise Spent("has used up the time of its submission")

    @contextmanager
    def child(self, cage: Cage) -> Iterator[Child]:
        """Provide a new child, limited to the time that remains. Raises Spent if none remains."""
        self.demand()
        with cage.child(seconds=max(1, int(self.left))) as child:
            self._children.append(child)
            yield child
