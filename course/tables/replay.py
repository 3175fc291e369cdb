"""Make a table's move again and record it, to show what the learner's functions did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from course.kernel.notebook import NotRight
from course.tables.learner import Learner
from course.tables.scene import Action

if TYPE_CHECKING:
    from course.watch.viewer import Viewer

S = TypeVar("S")
NO_STEPS = "There are no steps to show: this move calls no function that you wrote in this notebook."


@dataclass(frozen=True)
class Replay(Generic[S]):
    """A move at a table: the rules, the learner, the state before it (None for the first move), and the action."""

    start: Callable[[Learner, int], S]
    act: Callable[[Learner, S, Action], S]
    learner: Learner
    before: S | None
    action: Action
    seed: int

    def __call__(self) -> S:
        """Make the move. Random numbers are seeded, so the result is the same as before."""
        if self.before is None:
            return self.start(self.learner, self.seed)
        return self.act(self.learner, self.before, self.action)


def recorded_again(replay: Replay[S]) -> Viewer | str:
    """Record a move again, and return its run, or one line that says why there is nothing to show."""
    from course.show.snapshots import Alive
    from course.watch.watching import NoCall, recorded_run, viewed  # imported here, because only this function needs it

    names = replay.learner.names
    try:
        run = recorded_run(replay, (), names, "the move")
        return viewed(replace(run, value=Alive("the table goes on")), names)
    except NoCall:
        return NO_STEPS
    except NotRight as trouble:
        return f"There are no steps to show: {trouble}."
