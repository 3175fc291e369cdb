"""Reuse a sandbox for several submissions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from autograder.config import Policy
from autograder.grading.run import new_sandbox
from autograder.sandbox.host import Sandbox
from autograder.sandbox.reuse import ReusedSandbox
from autograder.submission.model import Submission


class SharedSandbox(ReusedSandbox):
    """The sandbox that a grading thread uses. A submission with other imports needs another one."""

    @contextmanager
    def for_submission(self, submission: Submission, policy: Policy) -> Iterator[Sandbox]:
        """Provide the current sandbox if it is equivalent to a new one; otherwise provide a new one."""
        yield self.get(new_sandbox(submission, policy))
