"""Runs with a learner's own functions share a child only if all of them are plain, and no run affects the next one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from autograder.config import Policy
from autograder.grading.memory import Memory, recall_from
from autograder.grading.run import grade_in, open_sandbox
from autograder.grading.series import Series
from autograder.grading.session import Session
from autograder.report.model import FacetReport, Fits, Graded
from autograder.sandbox.cage import OFF, Child
from autograder.sandbox.host import Sandbox
from autograder.submission.plain import can_share_process
from tests.classroom import needing, reference_answers, submission_with
from tests.units import read_unit

UNIT = read_unit("dominoes")
RIGHT = reference_answers(UNIT)
POLICY = Policy(sandbox=OFF)
CONFORMING = {
    "flip": "def flip(domino):\n    return domino",
    "append": needing(RIGHT["append"], "flip"),
    "suppress": needing(RIGHT["suppress"], "flip"),
    "is_sound": needing(RIGHT["is_sound"], "flip"),
    "take": needing(RIGHT["take"], "flip"),
    "legal_adds": needing(RIGHT["legal_adds"].replace("flip(domino)", "Domino(domino.right, domino.left)"), "flip"),
    "possible_dominoes": needing(RIGHT["possible_dominoes"], "flip"),
}
RESTLESS = "def restless():\n    try:\n        yield\n    finally:\n        while True:\n            pass\n"
HOARD = "hoard = [bytes(20_000_000)]\nhoard += [hoard]\n"
LEFT_BEHIND = {
    "a generator that never ends": {"append": f"{RESTLESS}kept = restless()\nfirst = next(kept)\n"},
    "memory that refers to itself": {"append": HOARD, "legal_adds": "needs = len(bytes(76_000_000))\n"},
}
APPEND = needing(RIGHT["append"], "flip")
ODD = {
    "uses the library's chance": needing(f"import random\n{APPEND}", "random"),
    "defines a class": needing(f"class Own:\n    pass\n{APPEND}", "Own"),
}


def graded(answers: dict[str, str], memory: Memory | None = None) -> Graded:
    with open_sandbox(UNIT, POLICY, Sandbox) as sandbox:
        return grade_in(sandbox, submission_with(UNIT, answers), POLICY, memory)


@pytest.mark.promise("answers")
@pytest.mark.parametrize("odd", ODD)
def test_a_run_that_is_not_plain_never_shares_a_child(odd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    runs, send, facets = defaultdict[Child, list[bytes]](list), Child.send, Session.facets

    def noted(child: Child, data: bytes) -> None:
        runs[child] += [data] * (b"def flip" in data)
        send(child, data)

    def faulty(session: Session, *args: Any, **kwargs: Any) -> Iterator[FacetReport]:
        yield from facets(session, *args, **kwargs)
        if not session.is_alone and any("def append" in str(step.source) for step in session.plan):
            raise RuntimeError

    monkeypatch.setattr(Child, "send", noted)
    monkeypatch.setattr(Session, "facets", faulty)
    report = graded(CONFORMING | {"append": ODD[odd]})
    among = [messages for messages in runs.values() if any(b"def append" in data for data in messages)]
    assert len(among) >= 3 and all(len(messages) == 1 for messages in among)
    assert max(map(len, runs.values())) > 1 and (report["is_sound"].own, report["take"].own) == (Fits(), Fits())


@pytest.mark.promise("answers")
@pytest.mark.parametrize("what", LEFT_BEHIND)
def test_what_a_run_leaves_behind_changes_no_report(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = {name: LEFT_BEHIND[what].get(name, "") for name in CONFORMING}
    names = {name: re.findall(r"^\w+(?= \+?=)", text, re.MULTILINE) for name, text in first.items()}
    answers = {name: needing(first[name] + source, *names[name]) for name, source in CONFORMING.items()}
    memory = Memory()
    new = graded(answers, memory)
    cached = graded(answers, Memory(recall_from(memory.fresh)))
    monkeypatch.setattr(Series, "finish_run", lambda series, is_reusable: series.close())
    alone = graded(answers)
    assert new["possible_dominoes"].own == Fits()
    assert msgspec.json.encode(new) == msgspec.json.encode(cached) == msgspec.json.encode(alone)


@pytest.mark.parametrize("text", ["yield", "x = yield", "yield from [x]"])
def test_a_generator_with_a_last_word_shares_no_process(text: str) -> None:
    source = f"def f(x):\n    try:\n        {text}\n    finally:\n        print(x)"
    assert not can_share_process([source], UNIT.module)
    assert can_share_process([f"def f(x):\n    {text}"], UNIT.module)
