"""Reuse a sandbox while it is equivalent to a new one. Called by `grading/cages.py` and `arena/league.py`.

Code runs only in forked children. So it cannot change the process that later children are forked from. A sandbox is
closed after an abnormal end, after some hundred uses, and when another one is needed.
"""

from __future__ import annotations

from contextlib import ExitStack

from autograder.sandbox.cage import OFF
from autograder.sandbox.host import Sandbox

MOST_USES = 200


class ReusedSandbox:
    """The sandbox that a thread uses."""

    def __init__(self) -> None:
        self._stack, self._uses = ExitStack(), 0
        self._sandbox: Sandbox | None = None

    def get(self, wanted: Sandbox) -> Sandbox:
        """Return the open sandbox if it is equivalent to the one wanted; otherwise open the one wanted instead."""
        current = self._sandbox
        if current is None or not self._may_stay(current) or current.made_of != wanted.made_of:
            self.close()
            self._sandbox = current = self._stack.enter_context(wanted)
        self._uses += 1
        return current

    def _may_stay(self, sandbox: Sandbox) -> bool:
        return not sandbox.is_worn and sandbox.level != OFF and self._uses < MOST_USES

    def close(self) -> None:
        """Close the sandbox, if one is open."""
        self._sandbox, self._uses = None, 0
        self._stack.close()
