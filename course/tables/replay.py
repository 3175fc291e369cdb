"""Make a table's move again and record it, to show what the learner's functions did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from course.exam.calls import Names
from course.kernel.notebook import NotRight

if TYPE_CHECKING:
    from course.watch.viewer import Viewer

NO_STEPS = "There are no steps to show: this move calls no function that you wrote in this notebook."


def recorded_again(move: Callable[[], object], names: Names) -> Viewer | str:
    """Record a move again, and return its run, or one line that says why there is nothing to show."""
    from course.show.snapshots import UncopiedValue
    from course.watch.watching import NoCall, recorded_run, viewed  # imported here, because only this function needs it

    try:
        run = recorded_run(move, (), names, "the move")
        return viewed(replace(run, value=UncopiedValue("the table goes on")), names)
    except NoCall:
        return NO_STEPS
    except NotRight as trouble:
        return f"There are no steps to show: {trouble}."
