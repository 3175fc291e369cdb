"""Reuse a sandbox while it is equivalent to a new one. Called by `grading/cages.py` and `arena/league.py`.

Code runs only in forked children. So it cannot change the process that later children are forked from. The sandbox is
replaced after an abnormal end, after some hundred uses, and when a different one is needed.
"""

from __future__ import annotations

from contextlib import ExitStack

from autograder.sandbox.cage import OFF
from autograder.sandbox.host import Sandbox

MOST_USES = 200


class ReusedSandbox:
    """The sandbox that a thread uses."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._current: Sandbox | None = None
        self._uses = 0

    def get(self, wanted: Sandbox) -> Sandbox:
        """Return the current sandbox if it is equivalent to the one wanted; otherwise open the one wanted."""
        current = self._current if self._current and self._is_as_good_as(wanted, self._current) else self._begun(wanted)
        self._uses += 1
        return current

    def _is_as_good_as(self, wanted: Sandbox, current: Sandbox) -> bool:
        used = current.is_worn or current.level == OFF or self._uses >= MOST_USES
        return not used and current.made_of == wanted.made_of

    def _begun(self, wanted: Sandbox) -> Sandbox:
        self.close()
        self._current = self._stack.enter_context(wanted)
        return self._current

    def close(self) -> None:
        """Close the current sandbox, if there is one."""
        self._current, self._uses = None, 0
        self._stack.close()
