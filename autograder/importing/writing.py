"""Write the pack of an imported notebook: references, the calls of tests, given names, and the cells that stay."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from autograder.importing.deciding import Decision, NewExercise
from autograder.importing.reading import Homework, comments_for_students, copied_cell
from autograder.importing.recording import Rehearsal
from autograder.importing.references import GivenNames
from autograder.units.build import KERNEL_SPEC, STAYS
from course.diagnoses.failure import EXAMPLES_FACET
from course.form import RULE_NAMES
from course.syntax import lines_of

IGNORED_RULES = [rule for rule in RULE_NAMES if rule not in ("bans", "requires")]
FIRST_HINT = 'hints = ["Work out an example on paper, step by step. Then write these steps in Python."]'
ALIKE_TEMPLATE = '''"""Results of {unit} that are `==` are equally good."""

from course.exam.alike import as_equal

ALIKE = {{
{table}
}}
'''
CHECKS_TEMPLATE = '''"""The exam of {unit}: the calls of the tests in {file}. More inputs are drawn near them."""

from __future__ import annotations

from autograder.exam.cases import {names}

CHECKS = {{
{checks}
}}
'''


def unit_name(path: Path) -> str:
    """Return a valid name for the unit that a notebook becomes.

    >>> unit_name(Path("HW 1-loops.ipynb")), unit_name(Path("02_lists.ipynb"))
    ('hw_1_loops', 'unit_02_lists')
    """
    name = re.sub(r"[^a-z0-9]+", "_", path.stem.lower()).strip("_")
    return name if re.match("[a-z]", name) else f"unit_{name}"


def imported_files(
    homework: Homework, rehearsal: Rehearsal, decisions: Sequence[Decision], given: GivenNames, course: str
) -> dict[str, str]:
    """Return the text of each file of a new unit, by the file's path in the pack."""
    unit = unit_name(homework.path)
    exercises, file = [each for decision in decisions for each in decision.exercises], homework.path.name
    parts = [f'"""Names that students can use in {unit}, from {file}."""', "from __future__ import annotations"]
    parts += ["\n".join(given.imports)] if given.imports else []
    parts += [*given.statements, *given.functions.values()]
    parts.append(f"__all__ = {json.dumps(sorted({*given.code, *given.functions}))}")
    exact = (each.name for each in exercises if not each.tolerance)  # a tolerance has cells of its own in kits
    alike = "\n".join(f"    {name!r}: as_equal," for name in exact)
    checks = "\n".join("\n".join(_check_lines(each)) for each in exercises)
    names = ", ".join(name for name in ("Case", "Check", "NamedFunction") if f"{name}(" in checks)
    return {
        f"{course}/{unit}/__init__.py": "\n\n".join(parts) + "\n",
        f"{course}/{unit}/unit.toml": _unit_toml(homework, exercises),
        f"solutions/{unit}.py": _solutions_text(unit, homework, decisions, course),
        f"solutions/{unit}.ipynb": _staying_notebook(homework, rehearsal, decisions),
        f"{course}/{unit}/alike.py": ALIKE_TEMPLATE.format(unit=unit, table=alike),
        f"exams/{unit}/checks.py": CHECKS_TEMPLATE.format(unit=unit, names=names, file=file, checks=checks),
        f"exams/{unit}/mistakes.py": mistakes_text(unit, course, {}),
    }


def _unit_toml(homework: Homework, exercises: Sequence[NewExercise]) -> str:
    lines = [
        f"# Imported from {homework.path.name}.",
        f"title = {json.dumps(homework.title, ensure_ascii=False)}",
        f"summary = {json.dumps(f'The exercises of {homework.path.name}.', ensure_ascii=False)}",
        "form_share = 0.0",
        "",
        "[form]",
        f"ignore = {json.dumps(IGNORED_RULES)}",
    ]
    for each in exercises:
        lines += ["", "[[exercise]]", f'name = "{each.name}"', f"points = {each.points:g}", FIRST_HINT]
    return "\n".join(lines) + "\n"


def _solutions_text(unit: str, homework: Homework, decisions: Sequence[Decision], course: str) -> str:
    """Return the notebook with each answer replaced by its reference. A line names each cell that stays."""
    at = {each.question.answers[0].index: each for each in decisions if each.exercises}
    gone = _replaced_cells(decisions)
    cells = [f"# %%\nfrom {course}.{unit} import *"]
    for cell in homework.cells:
        if decision := at.get(cell.index):
            lines = [line for each in decision.question.answers for line in comments_for_students(each.node.source)]
            cells += ["\n# ".join(["# %% [markdown]", "```text", *lines, "```"])] if lines else []
            cells += [f"# %%\n{each.source}" for each in decision.exercises]
        if cell.index not in gone:
            first = next(filter(None, map(str.strip, lines_of(cell.node.source))), "")
            cells.append(f"# %% {STAYS}={json.dumps(cell.name)}\n# {first[:100]}".rstrip())
    return "\n\n".join(cells) + "\n"


def _replaced_cells(decisions: Sequence[Decision]) -> set[int]:
    """Return the cells of imported questions, which exercises replace."""
    return {cell.index for each in decisions if each.exercises for cell in each.question.cells}


def _staying_notebook(homework: Homework, rehearsal: Rehearsal, decisions: Sequence[Decision]) -> str:
    """Return the cells that stay as a notebook, which can be edited in Jupyter."""
    gone = _replaced_cells(decisions)
    cells = list[NotebookNode]()
    for cell in (each for each in homework.cells if each.index not in gone):
        ran = rehearsal.first.get(cell.index)
        node = copied_cell(cell, ran.result if ran else "")
        node["id"] = cell.name
        if node.cell_type == "code":
            node["outputs"], node["execution_count"] = [], None
        cells.append(node)
    return nbformat.writes(new_notebook(cells=cells, metadata={"kernelspec": KERNEL_SPEC})) + "\n"


def mistakes_text(unit: str, course: str, wrong: Mapping[str, Sequence[str]]) -> str:
    """Return the text of a unit's `mistakes.py`. `wrong` maps the name of each exercise to its wrong answers."""
    parts = [
        f'"""Known mistakes in {unit}, as `<exercise>__<mistake>`. Add yours."""',
        f"from {course}.{unit} import *",
    ]
    for name, sources in wrong.items():
        for number, source in enumerate(sources, 1):
            (function,) = ast.parse(re.sub(rf"\b{name}\b", f"{name}__changed_{number}", source)).body
            assert isinstance(function, ast.FunctionDef)
            function.body.insert(
                0, ast.Expr(ast.Constant(f"One place of the solution is different (number {number})."))
            )
            parts.append(ast.unparse(function))
    return "\n\n\n".join(parts) + "\n"


def _check_lines(exercise: NewExercise) -> Iterator[str]:
    settings = {
        "equality": "==",
        "tolerance": exercise.tolerance,
        "ignores": exercise.ignores,
        "inputs": "near" if exercise.facets else "",
        "weights": {EXAMPLES_FACET: 0.0} | exercise.weights
        if exercise.facets
        else {},  # a test cell has their calls, too
    }
    yield f"    {exercise.name!r}: Check("
    yield from (f"        {key}={value!r}," for key, value in settings.items() if value)
    if exercise.facets:
        yield "        facets={"
        for name, cases in exercise.facets.items():
            yield f"            {name!r}: ("
            yield from (f"                {case}," for case in cases)
            yield "            ),"
        yield "        },"
    yield "    ),"
