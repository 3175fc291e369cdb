"""Laws of the exams themselves."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from autograder.exam.build import _Builder, build_exam
from autograder.exam.model import Exam
from autograder.exam.store import delete_unused, exam_for
from autograder.prove.answers import accepted_by_examples
from autograder.prove.laws import examples_hold
from autograder.report.model import PASSED
from autograder.units.unit import Exercise
from course.exam.sealed import Known
from tests.classroom import all_wrong, write_file
from tests.grader import Grader
from tests.sample import as_proof, one_in
from tests.units import read_unit, unit_names

T = TypeVar("T")


@pytest.mark.parametrize("unit", unit_names())
def test_references_return_the_results_in_their_statements(unit: str) -> None:
    assert examples_hold(read_unit(unit)).against == ()


@pytest.mark.proof
def test_visible_examples_alone_accept_at_most_a_fifth_of_mistakes() -> None:
    accepted = [line for each in all_wrong() for line in accepted_by_examples(each)]
    # It was a seventh before attackers wrote wrong answers that fit the examples.
    assert len(accepted) <= 0.2 * len(all_wrong()), accepted


@pytest.mark.proof
@pytest.mark.parametrize("unit", unit_names())
def test_an_exam_is_the_same_each_time_it_is_built_and_wherever(unit: str) -> None:
    assert contents(far_up_the_stack(lambda: build_exam(read_unit(unit), "0"))) == contents(exam_for(read_unit(unit)))


def far_up_the_stack(function: Callable[[], T], calls: int = 500) -> T:
    return far_up_the_stack(function, calls - 1) if calls else function()


def contents(exam: Exam) -> dict[str, tuple[list[tuple[str, tuple[str, ...]]], tuple[Known, ...]]]:
    """Return for each exercise the facets with what is expected, and the digests of known mistakes."""
    return {
        name: ([(facet.name, facet.expected) for facet in paper.facets], paper.mistakes)
        for name, paper in exam.by_name.items()
    }


@pytest.mark.parametrize("unit", one_in(3, unit_names()))
def test_a_secret_seed_draws_other_inputs(unit: str) -> None:
    assert any(inputs(exercise, "another") != inputs(exercise, "0") for exercise in read_unit(unit).exercises)


def inputs(exercise: Exercise, seed: str) -> str:
    """Return the calls of an exercise's paper, as text. Nothing is run."""
    return repr(list(_Builder(Exam(read_unit(exercise.unit), seed, {}), exercise)._facets()))


@pytest.mark.parametrize("unit", [unit if unit == "dominoes" else as_proof(unit) for unit in unit_names()])
def test_every_facet_distinguishes_functions_from_constants(unit: str) -> None:
    lazy = [
        (name, facet.name)
        for name, paper in exam_for(read_unit(unit)).by_name.items()
        for facet in paper.facets
        if not facet.joint and facet.calls[0][0] == "args" and len(set(facet.expected)) < 2
    ]
    assert lazy == []


@pytest.mark.parametrize("unit", unit_names())
def test_contrast_calls_follow_the_calls_of_the_rule(unit: str) -> None:
    for paper in exam_for(read_unit(unit)).by_name.values():
        drawn = {repr(call) for facet in paper.facets for call in facet.calls[: facet.rule_calls]}
        for facet in paper.facets:
            own, contrasts = facet.calls[: facet.rule_calls], facet.calls[facet.rule_calls :]
            assert {*map(repr, contrasts)} <= drawn - {*map(repr, own)}


def test_exams_of_long_ago_are_deleted(tmp_path: Path) -> None:
    old, young = (write_file(tmp_path / name) for name in ("old.json", "young.json"))
    os.utime(old, (0, 0))
    delete_unused(tmp_path)
    assert not old.exists() and young.exists()


WITH_IS = {
    "append": """def append(domino, chain, end):
    left, right = (domino if chain is EMPTY else chain).left, (domino if chain is EMPTY else chain).right
    words = (str(domino), *(() if chain is EMPTY else (chain.text,)))
    if chain is EMPTY or end == "<":
        return Chain(domino.left, " ".join(words), right)
    return Chain(left, " ".join(words[::-1]), domino.right)
""",
    "possible_dominoes": """def possible_dominoes(hand, chain):
    return tuple(domino for domino in hand if chain is EMPTY or legal_adds(domino, chain))
""",
    "legal_adds": """def legal_adds(domino, chain):
    if chain is EMPTY:
        return (append(domino, chain, "<"),)
    turned = {domino, flip(domino)}
    at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == chain.left)
    return at_left + tuple(append(tile, chain, ">") for tile in turned if tile.left == chain.right != chain.left)
""",
    "string_of_chain": """def string_of_chain(chain):
    return chain.text if chain is not EMPTY else ""
""",
}


@pytest.mark.parametrize("name", WITH_IS)
def test_is_tells_the_empty_chain_of_dominoes(grader: Grader, name: str) -> None:
    assert grader.one("dominoes", name, WITH_IS[name]).state == PASSED
