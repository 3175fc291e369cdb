"""Make several runs in one child, one after another. `own.py` does so with plain answers."""

from __future__ import annotations

from contextlib import ExitStack, suppress

from autograder.grading.budget import Budget
from autograder.sandbox.host import Child, Sandbox, SandboxDied
from autograder.sandbox.inside.orders import Request, packed

# More memory is needed only by runs that do not end. A child that has used much time is replaced.
MOST_SERIES_MB, MOST_SERIES_SECONDS = 128, 0.5


class Series:
    """A child for one run after another. A facet is run when it is requested, because most runs fail in the first."""

    def __init__(self, sandbox: Sandbox, budget: Budget) -> None:
        self._sandbox, self._budget, self._stack = sandbox, budget, ExitStack()
        self._child: Child | None = None

    def begin(self, request: Request) -> Child:
        """Send a request with the definitions of a run, and return the child. Raises Spent if no time remains."""
        if self._child:
            self._budget.demand()
        else:
            self._child = self._stack.enter_context(self._budget.child(self._sandbox, memory_mb=MOST_SERIES_MB))
        self._child.restart_limits()
        self._child.send(packed(request))
        return self._child

    def finish_run(self, *, is_reusable: bool) -> None:
        """Charge the budget for a run. The child makes the next run, too, if it is reusable."""
        if self._child:
            self._child.read_clock()
        if not is_reusable or (self._child and self._child.cpu_seconds > MOST_SERIES_SECONDS):
            self.close()

    def close(self) -> None:
        """End the child. If its sandbox has died, the next child reports it."""
        self._child = None
        with suppress(SandboxDied):
            self._stack.close()
