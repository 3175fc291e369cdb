"""A table's move made once more and recorded, so that it can be seen how the learner's functions came to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from course.kernel.notebook import NotRight

if TYPE_CHECKING:
    from course.watch.viewer import Viewer


@dataclass(frozen=True)
class Replay:
    """A move of a table: its game, the learner, the state before it (None if it was the first) and what was done."""

    game: Any
    learner: Any
    before: Any
    action: Any
    seed: int

    def __call__(self) -> Any:
        """Make the move; all chance in it is seeded, so it comes to the same."""
        if self.before is None:
            return self.game.start(self.learner, self.seed)
        return self.game.act(self.learner, self.before, self.action)


def seen_again(replay: Replay) -> Viewer | str:
    """Return the run of a move, or in a line why there is nothing to be seen in it."""
    from course.show.snapshots import Alive
    from course.watch.asked import recorded, viewed  # the tables are there before what draws runs

    names = replay.learner.names
    try:
        run = recorded(replay, (), names, "the move")
        return viewed(replace(run, value=Alive("the table goes on")), names)
    except NotRight as trouble:
        return str(trouble)
