from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from autograder.config import Policy
from autograder.grading.run import grade_in, open_sandbox
from autograder.prove.answers import practised_with
from autograder.report.model import PASSED
from autograder.sandbox import cage, host
from autograder.sandbox.cage import OFF, Cage
from autograder.sandbox.host import ReusedSandbox, Sandbox
from autograder.sandbox.sources import imported
from autograder.submission.model import Submission
from tests.classroom import reference_answers, submission_with
from tests.grader import POLICY
from tests.levels import LEVELS
from tests.units import read_unit

pytestmark = pytest.mark.sandbox
PLAIN = submission_with("warmup", {"swap_ends": "def swap_ends(items):\n    return items"})
IMPORTING = submission_with("warmup", {"swap_ends": "import heapq\ndef swap_ends(items):\n    return items"})


@pytest.fixture
def shared() -> Iterator[ReusedSandbox]:
    shared = ReusedSandbox()
    yield shared
    shared.close()


def sandbox_of(shared: ReusedSandbox, submission: Submission = PLAIN, policy: Policy = POLICY) -> Sandbox:
    return shared.get(open_sandbox(submission.unit, policy, imported(submission.sources)))


@pytest.mark.promise("submissions")
def test_a_sandbox_is_kept_for_a_few_submissions_that_would_have_the_same(
    shared: ReusedSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "MOST_USES", 2)
    less, off = replace(POLICY, memory_mb=300), replace(POLICY, sandbox="off")
    wanted = [PLAIN, POLICY], [PLAIN, POLICY], [PLAIN, POLICY], [IMPORTING, POLICY], [IMPORTING, less]
    given = [sandbox_of(shared, *each) for each in (*wanted, [PLAIN, off], [PLAIN, off])]
    assert [one is other for one, other in pairwise(given)] == [True, *[False] * 5]


@pytest.mark.promise("submissions")
def test_a_sandbox_is_replaced_after_an_abnormal_end(shared: ReusedSandbox) -> None:
    first = sandbox_of(shared)
    with first.child() as child:
        child.send_last(b"nothing that can be unpacked")
        assert child.receive() is None
    assert first.is_worn and sandbox_of(shared) is not first


# What a call finds around it, and no mark may depend on: how deep it may go, who calls it, where things lie.
LOOK = """
import sys
def down(calls):
    try:
        return down(calls + 1)
    except RecursionError:
        return calls
def callers(frame):
    return [*callers(frame.f_back), frame.f_code.co_name] if frame else []
LOADED = down(0)
def flip(domino):
    raise ValueError({})
"""
DEPTH = "LOADED, down(0), sys.getrecursionlimit(), callers(sys._getframe())"
PLACES = "*map(id, (object(), [1, 2][:], b'x' * 100, {1: 2}, 'a' * 300, lambda: 1, (1.5 * len('ab'), 2)))"


def look(sandbox: Sandbox, source: str) -> str:
    submission, policy = submission_with("dominoes", {"flip": source}), replace(POLICY, exercises=("flip",))
    report = grade_in(sandbox, submission, policy)["flip"]
    assert report.facets[0].failure
    return str(report.facets[0].failure.seen)


@pytest.mark.parametrize("level", LEVELS)
def test_every_answer_may_nest_as_many_calls_and_is_called_from_as_deep(level: str) -> None:
    with open_sandbox(read_unit("dominoes"), replace(POLICY, sandbox=level)) as sandbox:
        depths = {look(sandbox, f"{LOOK.format(DEPTH)}\n# {turn}") for turn in range(3)}
    AS_DEEP.update(depths)
    assert len(AS_DEEP) == 1


AS_DEEP = set[str]()  # in all levels


def test_learners_check_allows_as_many_nested_calls() -> None:
    source = LOOK.replace("raise ValueError({})", "raise ValueError(down(0))")
    seen = practised_with(read_unit("dominoes"), "flip", reference_answers(read_unit("dominoes")) | {"flip": source})
    with open_sandbox(read_unit("dominoes"), POLICY) as sandbox:
        graded = look(sandbox, source)
    # 3.11 counts calls of C functions as well, and a host of the learner's kernel may be inside of one more or less.
    assert seen.facets[0].failure and abs(int(seen.facets[0].failure.seen or 0) - int(graded)) <= 1


ENDS = {
    "exits": "import os\nos._exit(77)",
    "is killed": "import os\nos.kill(os.getpid(), 9)",
    "takes long": "sum(range(10**7))",
    "raises": "raise ValueError('x' * 1000)",
}


@pytest.mark.promise("answers")
@pytest.mark.parametrize("level", LEVELS)
def test_addresses_reveal_nothing_of_the_answers_before(level: str) -> None:
    addresses = set()
    for end in (None, *ENDS.values()):
        with open_sandbox(read_unit("dominoes"), replace(POLICY, sandbox=level)) as sandbox:
            if end:
                before = submission_with("dominoes", {"append": f"{end}\ndef append(*args):\n    return args"})
                grade_in(sandbox, before, replace(POLICY, exercises=("append",)))
            addresses |= {look(sandbox, f"{LOOK.format(PLACES)}\n# {turn}") for turn in range(2)}
    assert (len(addresses) == 1) == has_fixed_addresses()


def has_fixed_addresses() -> bool:
    show = "import pathlib; print(pathlib.Path('/proc/self/personality').read_text())"
    with cage.fixed_addresses():
        done = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True)
    return bool(int(done.stdout, 16) & cage.ADDR_NO_RANDOMIZE)


def test_an_answer_that_remembers_its_arguments_by_place_gets_one_mark() -> None:
    body = reference_answers(read_unit("warmup"))["swap_ends"].replace("def swap_ends", "def swapped")
    source = f"{body}\nseen = {{}}\ndef swap_ends(hand):\n    if id(hand) not in seen:\n"
    source += "        seen[id(hand)] = swapped(hand)\n    return seen[id(hand)]"
    with open_sandbox(read_unit("warmup"), POLICY) as sandbox:
        for turn in range(3):
            submission = submission_with("warmup", {"swap_ends": f"{source}\nturn = {turn}"})
            assert grade_in(sandbox, submission, POLICY)["swap_ends"].state == PASSED


def test_a_module_that_exits_when_it_is_imported_ends_no_sandbox() -> None:
    with Cage(level=OFF, imports=["unittest.__main__"], secrets=()) as sandbox, sandbox.child() as child:
        child.send_last(b"nothing that can be unpacked")
        assert child.receive() is None
    assert imported(["import unittest.__main__, idlelib.__main__, this, xml.dom"]) == ("xml.dom",)
