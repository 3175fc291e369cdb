"""A sandbox that is kept from submission to submission, as long as it is as good as a new one.

No answer runs in the process that its children are forked from, and nothing that a child does reaches that process: so
the next submission finds what the first one found. It is nevertheless begun anew after a child with an end of its own,
after some hundred submissions, and for one that imports anything else or belongs to another unit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from autograder.config import Policy
from autograder.grading.run import anew
from autograder.sandbox.cage import OFF
from autograder.sandbox.host import Sandbox
from autograder.submission.model import Submission

MOST_SUBMISSIONS = 200


class KeptSandbox:
    """The sandbox that one thread grades in."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._kept: Sandbox | None = None
        self._submissions = 0

    @contextmanager
    def lent(self, submission: Submission, policy: Policy) -> Iterator[Sandbox]:
        """Provide the kept sandbox, or a new one where that is not as good."""
        wanted = anew(submission, policy)
        kept = self._kept if self._kept and self._is_as_good_as(wanted, self._kept) else self._begun(wanted)
        self._submissions += 1
        yield kept

    def _is_as_good_as(self, wanted: Sandbox, kept: Sandbox) -> bool:
        used = kept.is_worn or kept.level == OFF or self._submissions >= MOST_SUBMISSIONS
        return not used and kept.made_of == wanted.made_of

    def _begun(self, wanted: Sandbox) -> Sandbox:
        self.close()
        self._kept = self._stack.enter_context(wanted)
        return self._kept

    def close(self) -> None:
        """End the sandbox that is kept, if there is one."""
        self._kept, self._submissions = None, 0
        self._stack.close()
