"""Notebooks of a plausible class of dominoes: right ones in several styles, and ones with mistakes."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import nbformat

from autograder.submission.reading import grade_id
from tests.classroom import notebook_with, right_answers
from tests.units import mistakes_of, read_unit

UNIT = "dominoes"
TYPICAL = 0.25  # of the answers of a typical class are mistaken


def solved(count: int) -> Iterator[Any]:
    """Return solved notebooks, all answers of which differ."""
    return (_made_distinct(notebook, number) for number, notebook in enumerate(drawn(count, 0.0)))


def typical(count: int) -> Iterator[Any]:
    """Return notebooks in which a quarter of the answers are mistakes. No two notebooks are equal."""
    return (_made_distinct(notebook, number) for number, notebook in enumerate(drawn(count, TYPICAL)))


def drawn(count: int, mistaken: float) -> Iterator[Any]:
    """Yield notebooks in our styles; each answer is one of our mistakes with the given probability."""
    rights, mistakes, chance = right_answers(UNIT), _mistakes(), Random(1)
    for number in range(count):
        right = rights[number % len(rights)]
        wrong = {name for name in right.answers if name in mistakes and chance.random() < mistaken}
        answers = right.answers | {name: chance.choice(mistakes[name]) for name in sorted(wrong)}
        yield without_trials(notebook_with(UNIT, answers, right.helpers))


def _mistakes() -> dict[str, list[str]]:
    by_exercise: dict[str, list[str]] = {exercise.name: [] for exercise in read_unit(UNIT).exercises}
    for mistake in mistakes_of(UNIT):
        by_exercise[mistake.exercise].append(mistake.source)
    return {name: sources for name, sources in by_exercise.items() if sources}


def without_trials(notebook: Any) -> Any:
    """Remove trial cells: under stock nbgrader, an endless one would stop the run."""
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type != "code" or _is_part(cell)]
    return notebook


def _is_part(cell: Any) -> bool:
    """Return whether a cell is an answer, a check, a helper or the import."""
    return bool(grade_id(cell)) or cell.id in ("helpers", "start-2")


def _made_distinct(notebook: Any, number: int) -> Any:
    for cell in notebook.cells:
        if grade_id(cell) in read_unit(UNIT).by_name:
            cell.source = _signed(cell.source, f"by student {number}")
    return notebook


def _signed(source: str, name: str) -> str:
    """Return a source with an added text, so that its syntax tree differs from all others."""
    tree = ast.parse(source)
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        function.body.insert(0, ast.Expr(ast.Constant(name)))
    return ast.unparse(ast.Module([*tree.body, ast.Expr(ast.Constant(name))], []))


def written(folder: Path, notebooks: Iterable[Any]) -> Path:
    """Write a folder of notebooks."""
    folder.mkdir(parents=True)
    for number, notebook in enumerate(notebooks):
        nbformat.write(notebook, folder / f"student{number:03}.ipynb")
    return folder


def with_checks(path: Path, source: str | None) -> None:
    """Write a notebook's file again, with another source in its check cells, if one is given."""
    notebook = json.loads(path.read_text())
    for cell in notebook["cells"]:
        if source is not None and cell.get("metadata", {}).get("nbgrader", {}).get("grade"):
            cell["source"] = source
    path.write_text(json.dumps(notebook))
