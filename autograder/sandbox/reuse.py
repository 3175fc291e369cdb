"""Reuse sandboxes while they are equivalent to new ones. Called by `grading/cages.py` and `arena/league.py`.

Code runs only in forked children. So it cannot change the process that later children are forked from. A sandbox is
closed after an abnormal end, after some hundred uses, and when others have been used since.
"""

from __future__ import annotations

from contextlib import ExitStack

from autograder.sandbox.cage import OFF
from autograder.sandbox.host import Sandbox

MOST_USES = 200


class _Open:
    """An open sandbox, and how often it was used."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._stack, self.uses = ExitStack(), 0
        self.sandbox = self._stack.enter_context(sandbox)

    @property
    def may_stay(self) -> bool:
        return not self.sandbox.is_worn and self.sandbox.level != OFF and self.uses < MOST_USES

    def close(self) -> None:
        self._stack.close()


class ReusedSandbox:
    """The sandboxes that a thread uses, at most `most` at a time."""

    most = 1

    def __init__(self) -> None:
        self._open: list[_Open] = []  # the one used last is the last

    def get(self, wanted: Sandbox) -> Sandbox:
        """Return an open sandbox that is equivalent to the one wanted; otherwise open the one wanted."""
        found = next((each for each in self._open if each.sandbox.made_of == wanted.made_of), None)
        others = [each for each in self._open if each is not found]
        while len(others) >= self.most:
            others.pop(0).close()
        if found and not found.may_stay:
            found.close()
            found = None
        found = found or _Open(wanted)
        found.uses += 1
        self._open = [*others, found]
        return found.sandbox

    def close(self) -> None:
        """Close all sandboxes."""
        while self._open:
            self._open.pop().close()
