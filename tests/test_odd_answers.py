"""Right answers in odd styles, one by one: exams accept them, whatever form says."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from autograder.prove.answers import graded
from autograder.report.model import PASSED
from autograder.report.words import first_problem_text
from tests.units import submission_with

FOLDER = Path(__file__).with_name("right") / "odd"


def answers_in(file: Path) -> list[tuple[str, str, str]]:
    """Return the answers of a file: the unit, the exercise, and the source of each."""
    text = file.read_text(encoding="utf-8")
    nodes = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    return [(file.stem, node.name, ast.get_source_segment(text, node) or "") for node in nodes]


ODD = [answer for file in sorted(FOLDER.glob("*.py")) for answer in answers_in(file)]


@pytest.mark.parametrize(("unit", "name", "source"), ODD, ids=[f"{unit}-{name}" for unit, name, _ in ODD])
def test_odd_style_is_accepted(unit: str, name: str, source: str) -> None:
    report = graded(submission_with(unit, {name: source}), name)[name]
    assert report.state == PASSED, first_problem_text(report)


def test_there_are_odd_answers_to_every_unit() -> None:
    assert len(ODD) >= 40 and {unit for unit, *_ in ODD} == {"warmup", "dominoes", "sedma", "basra", "uno", "bots"}
