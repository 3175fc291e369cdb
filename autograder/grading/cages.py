"""Reuse a sandbox for several submissions while it is equivalent to a new one.

Answers run only in forked children. So answers cannot change the process that later children are forked from. The
sandbox is replaced after an abnormal end, after some hundred submissions, and when other imports or units are needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from autograder.config import Policy
from autograder.grading.run import new_sandbox
from autograder.sandbox.cage import OFF
from autograder.sandbox.host import Sandbox
from autograder.submission.model import Submission

MOST_SUBMISSIONS = 200


class SharedSandbox:
    """The sandbox that a grading thread uses."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._shared: Sandbox | None = None
        self._submissions = 0

    @contextmanager
    def for_submission(self, submission: Submission, policy: Policy) -> Iterator[Sandbox]:
        """Provide the current sandbox if it is equivalent to a new one; otherwise provide a new one."""
        wanted = new_sandbox(submission, policy)
        sandbox = self._shared if self._shared and self._is_as_good_as(wanted, self._shared) else self._begun(wanted)
        self._submissions += 1
        yield sandbox

    def _is_as_good_as(self, wanted: Sandbox, current: Sandbox) -> bool:
        used = current.is_worn or current.level == OFF or self._submissions >= MOST_SUBMISSIONS
        return not used and current.made_of == wanted.made_of

    def _begun(self, wanted: Sandbox) -> Sandbox:
        self.close()
        self._shared = self._stack.enter_context(wanted)
        return self._shared

    def close(self) -> None:
        """Close the current sandbox, if there is one."""
        self._shared, self._submissions = None, 0
        self._stack.close()
