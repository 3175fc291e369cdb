"""Secrets: what a process with hidden inputs or unearned references knows gets into nothing that is stored or shown."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading.run import grade
from autograder.hosts.single import gradescope_results
from autograder.report import render, words
from autograder.report.model import PASSED, WRONG, Graded
from autograder.report.stops import HiddenCalls, NotAllowed, WithheldValue
from tests.classroom import reference_answers, submission_with
from tests.sample import one_in
from tests.units import read_unit, unit_names

pytestmark = pytest.mark.sandbox
POLICY = Policy(seed="a seed that only the teacher has", seconds_per_call=0.3, seconds_per_exercise=3)
UNIT = read_unit("dominoes")
RIGHT = reference_answers(UNIT)
ASKED = "is_sound"
VARIANTS = sorted((Path(__file__).parent / "attacks" / "secrets").glob("*.py"))


@cache
def hidden_texts() -> frozenset[str]:
    """Return parts of the inputs that only secret calls of an exercise have."""
    paper = exam_for(UNIT, POLICY.seed).by_name[ASKED]
    published = json.dumps([call.given for call in paper.published.calls])
    secret = [call for facet in paper.facets for call in facet.calls[len(facet.calls) - facet.secret :]]
    texts = {text for call in secret for text in re.findall(r'"(\d[-\d ]{11,})"', json.dumps(call.given))}
    return frozenset(text for text in texts if text not in published)


def shown(report: Graded) -> str:
    """Return everything that is stored or shown of a report."""
    texts = [words.exported(report), gradescope_results(report, "")]
    texts += [[render.exercise_text(each), render.result_of(each).html()] for each in report.exercises]
    return f"{json.dumps(texts, default=str)}{render.report_page(report, 'eve')}{report}"


def graded(answers: dict[str, str], policy: Policy = POLICY, **options: Any) -> Graded:
    return grade(submission_with("dominoes", answers, **options), policy)


def test_secret_calls_have_texts_that_no_published_call_has() -> None:
    assert len(hidden_texts()) > 8


@pytest.mark.promise("marks")
@pytest.mark.parametrize("variant", one_in(3, VARIANTS), ids=lambda path: path.stem)
def test_hidden_inputs_get_into_nothing_that_is_shown(variant: Path) -> None:
    """Each variant sees the hidden inputs, in its arguments or in its frames, and tries another way out."""
    report = graded({ASKED: variant.read_text(encoding="utf-8")}, replace(POLICY, exercises=(ASKED,)))
    text = shown(report)
    assert report[ASKED].points == 0 and not [hidden for hidden in hidden_texts() if hidden in text]


@pytest.mark.promise("marks")
@pytest.mark.parametrize("is_plain", [True, False])
def test_results_of_unearned_references_get_into_nothing_that_is_shown(is_plain: bool) -> None:
    ask = "" if is_plain else "import sys\n"
    body = "return repr(flip(Domino(37, 41))) + repr(append(Domino(2, 43), Chain(2, 'x', 2), 2))"
    body = body if is_plain else f"sys._getframe()\n    {body}"
    answers = {name: f"{ask}def {name}(*args):\n    {body}" for name in ("legal_adds", "move", "play")}
    text = shown(report := graded(answers))
    assert report.points == 0 and "41, 37" not in text and "43-2" not in text and "43, '" not in text


def test_answer_that_is_not_plain_waits_for_the_exercises_that_it_needs() -> None:
    """It never shares a process with a reference that its author has not earned."""
    odd = f"import sys\n{RIGHT['legal_adds']}\ndef own(function):\n    return function if sys.maxsize else None\n"
    odd += "legal_adds = own(legal_adds)"
    alone = graded({"legal_adds": odd}, replace(POLICY, exercises=("legal_adds",)))["legal_adds"]
    assert (alone.state, alone.points) == (WRONG, 0) and isinstance(alone.stop, NotAllowed)
    assert "uses `import sys`, which is allowed once your" in words.problem_text(alone)
    solved = {name: RIGHT[name] for name in ("flip", "append")} | {"legal_adds": odd}
    assert graded(solved, replace(POLICY, exercises=("legal_adds",)))["legal_adds"].state == PASSED
    lent = replace(POLICY, exercises=("legal_adds",), lending=True)
    assert graded({"legal_adds": odd}, lent)["legal_adds"].state == PASSED


def test_wrong_answer_is_shown_without_what_unearned_references_return() -> None:
    wrong = RIGHT["possible_dominoes"].replace("if legal_adds", "if not legal_adds")
    assert wrong != RIGHT["possible_dominoes"]
    chosen = replace(POLICY, exercises=("possible_dominoes",))
    report = graded({"possible_dominoes": wrong}, chosen)["possible_dominoes"]
    failures = [facet for facet in report.facets if facet.counts and not facet.passed]
    assert failures and all(isinstance(facet.stop, WithheldValue) for facet in failures)
    assert not any(facet.failure.seen for facet in failures if facet.failure)
    earned = {name: RIGHT[name] for name in ("flip", "append", "legal_adds")} | {"possible_dominoes": wrong}
    assert any(facet.failure and facet.failure.seen for facet in graded(earned, chosen)["possible_dominoes"].facets)


def test_answer_that_is_wrong_in_hidden_calls_only_says_so() -> None:
    """It knows all published results, since the published exam is public."""
    paper, exam = exam_for(UNIT).by_name[ASKED], exam_for(UNIT)
    pairs = [(call, text) for f in paper.facets for call, text in zip(f.calls, f.expected, strict=True)]
    rows = {
        exam.case(call).args: exam.observation(json.loads(text)).value for call, text in pairs if call.kind == "args"
    }
    table = f"TABLE = {{repr(each): value for each, value in {list(rows.items())!r}}}\n"
    source = f"{table}def {ASKED}(chain):\n    return TABLE.get(repr((chain,)), False)"
    report = graded({ASKED: source}, replace(POLICY, exercises=(ASKED,)))[ASKED]
    hidden = [facet for facet in report.facets if isinstance(facet.stop, HiddenCalls)]
    assert hidden and "right in all published calls, wrong in some hidden calls" in words.verdict_text(hidden[0])


@pytest.mark.parametrize("unit", unit_names())
def test_bits_that_a_submission_can_carry_out_are_few(unit: str) -> None:
    """One bit for each facet: this is what is left to a patient attacker."""
    papers = exam_for(read_unit(unit)).by_name.values()
    assert sum(len(paper.facets) + len(paper.contests) for paper in papers) <= 400
