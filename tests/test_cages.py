from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from autograder.config import Policy
from autograder.grading import cages
from autograder.grading.cages import KeptSandbox
from autograder.sandbox.host import Sandbox
from autograder.submission.model import Submission
from tests.classroom import submission_with
from tests.grader import POLICY

pytestmark = pytest.mark.sandbox
PLAIN = submission_with("warmup", {"swap_ends": "def swap_ends(items):\n    return items"})
IMPORTING = submission_with("warmup", {"swap_ends": "import heapq\ndef swap_ends(items):\n    return items"})


@pytest.fixture
def kept() -> Iterator[KeptSandbox]:
    kept = KeptSandbox()
    yield kept
    kept.close()


def lent(kept: KeptSandbox, submission: Submission = PLAIN, policy: Policy = POLICY) -> Sandbox:
    with kept.lent(submission, policy) as sandbox:
        return sandbox


def test_a_sandbox_is_kept_for_a_submission_that_would_have_the_same(kept: KeptSandbox) -> None:
    assert lent(kept) is lent(kept)


def test_who_imports_more_or_may_use_more_has_another(kept: KeptSandbox) -> None:
    assert lent(kept) is not lent(kept, IMPORTING) is not lent(kept, IMPORTING, replace(POLICY, memory_mb=300))


def test_it_is_begun_anew_when_it_has_served_many(kept: KeptSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cages, "MOST_SUBMISSIONS", 2)
    first, second, third = lent(kept), lent(kept), lent(kept)
    assert first is second is not third


def test_it_is_begun_anew_after_a_child_with_an_end_of_its_own(kept: KeptSandbox) -> None:
    first = lent(kept)
    with first.child() as child:
        child.send_last(b"nothing that can be unpacked")
        assert child.receive() is None
    assert first.is_worn and lent(kept) is not first


def test_one_that_is_off_is_never_kept(kept: KeptSandbox) -> None:
    off = replace(POLICY, sandbox="off")
    assert lent(kept, policy=off) is not lent(kept, policy=off)
