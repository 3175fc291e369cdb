"""Watching a run: the learner's functions run once and are recorded.

The run is shown as a tree of calls with values.
"""

from course.watch.watching import on_paper, watch

__all__ = ["on_paper", "watch"]
