"""Borrowed references call the learner's own functions, wherever there are any."""

from __future__ import annotations

import ast
import io
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from IPython.utils.capture import capture_output

import course.check
from autograder.exam.sealing import practice_calls
from autograder.hosts.kernel import Examiner
from autograder.units import pack as packs
from autograder.units.unit import Exercise, Unit
from course.arena.arena import answers_of, drive
from course.arena.set import set_steps
from course.arena.values import Bot
from course.dominoes.table import domino_table
from course.effects import scripted
from course.exam.calls import Names
from course.kernel import borrowed, catalogue, history
from course.kernel.borrowed import borrow_into, references_for, show_unwritten_as_one_line
from course.kernel.limits import limited
from course.kernel.notebook import NotRight
from course.learner.progress import has_game
from course.syntax import global_names_in
from course.tables.shared import table_of_unit_game
from tests.kernel import RIGHT, Kernel, working_in
from tests.lesson import Lesson, value_of_cell
from tests.sample import as_proof
from tests.units import ROOT, blank_notebook, own_cells, read_unit, table_cells, unit_names

KALAH = ROOT / "packs" / "kalah"
UNITS = [*unit_names(), "kalah"]


class Met(BaseException):
    """Raised by the only function that the learner has written."""


def raising(*_: object, **__: object) -> Any:
    raise Met


def unit_called(name: str) -> Unit:
    return read_unit(name, *((KALAH,) if name == "kalah" else ()))


def meets(calls: tuple[str, ...], names: Names, own: str) -> bool:
    """Return whether one of some calls meets the raising function, or needs a value that could not be made."""
    broken = {name for name, thing in names.items() if thing is raising and name != own}
    return any(global_names_in(call) & broken or _meets(call, {**names}) for call in calls)


def _meets(call: str, scope: Names) -> bool:
    *before, last = ast.parse(call).body
    assert isinstance(last, ast.Expr)
    try:
        with scripted((), 1, io.StringIO()), limited(2.0):
            random.seed(1)
            exec(compile(ast.Module(before, []), "<call>", "exec"), scope)
            thing = eval(compile(ast.Expression(last.value), "<call>", "eval"), scope)
            if isinstance(thing, Bot):
                drive(set_steps(2, 1), answers_of((thing, thing)))
    except Met:
        return True
    except Exception:
        return False
    return False


def users(unit: Unit, name: str) -> Iterator[Exercise]:
    """Yield the functions whose reference uses an exercise directly."""
    stated = catalogue.statements(unit.name)
    yield from (each for each in unit.exercises if name in stated.calls[each.name] and each.name != name)


def names_with(unit: Unit, own: str) -> Names:
    """Return a namespace in which one function is the learner's, and all others are borrowed."""
    names: Names = {name: getattr(unit.module, name) for name in unit.module.__all__}
    names[own] = raising if callable(references_for(unit.name, {}).reference(own)) else Poisoned()
    for exercise in unit.exercises:
        if exercise.name != own:
            try:
                borrow_into(names, unit.name, exercise.name)
            except Met:
                names[exercise.name] = raising  # a borrowed value that needs the raising function
    return names


class Poisoned(tuple[object, ...]):
    """A value that raises when it is used."""

    def __iter__(self) -> Any:
        raise Met

    __len__ = __getitem__ = __add__ = __radd__ = __getattr__ = raising  # type: ignore[assignment]


def calls_of(unit: Unit, name: str) -> tuple[str, ...]:
    stated = catalogue.statements(unit.name).by_name[name]
    examples = tuple("\n".join((*each.setup, each.call)) for each in stated.examples)
    return (*examples, *practice_calls(unit, name)[:400], *[name] * unit[name].is_value)


@pytest.mark.parametrize("unit_name", UNITS)
def test_borrowed_functions_meet_each_own_function(unit_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    unit = unit_called(unit_name)
    monkeypatch.setattr(
        catalogue, "mentioned_packages", {*catalogue.mentioned_packages, unit.module.__name__.partition(".")[0]}
    )
    monkeypatch.setenv(packs.VARIABLE, str(KALAH))
    monkeypatch.setattr(catalogue, "reference_provider", Examiner)
    for own in unit.exercises:
        for user in users(unit, own.name):
            monkeypatch.setattr(borrowed, "_borrowed_references", {})
            monkeypatch.setattr(borrowed, "_reference_namespaces", {})
            names = names_with(unit, own.name)
            assert names[user.name] is raising or meets(calls_of(unit, user.name), names, own.name), user.name


# ------------------------------------------------------------------------------------------------ tables


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(borrowed, "_borrowed_references", {})
    monkeypatch.setattr(borrowed, "_reference_namespaces", {})


def borrowed_table(*cells: str) -> tuple[Lesson, Any, str]:
    """Return a lesson in which cells have run, a table on which references play, too, and the note at the table."""
    lesson = Lesson("dominoes", *cells)
    table = domino_table("BB", names=lesson.names, seed=1)
    table.receive(["borrow"], table.revision)
    return lesson, table, table.view()["note"]["text"]


@pytest.mark.usefixtures("fresh")
def test_a_table_plays_with_the_written_functions_and_says_which() -> None:
    flip, adds = (read_unit("dominoes")[name].source for name in ("flip", "string_of_chain"))
    stub = "def possible_dominoes(hand, chain):\n    raise NotImplementedError"  # our reference calls `legal_adds`
    lesson, table, note = borrowed_table("def legal_adds(tile, chain):\n    raise ValueError('mine')", flip, adds, stub)
    assert note.startswith("Your functions in this game: flip, legal_adds. For the other functions")
    for _ in range(3):
        table.receive(["tick"], table.revision)
    assert table.fault and "ValueError: mine (in legal_adds, line 2)" in table.fault.trouble
    lesson.run("def legal_adds(tile, chain):\n    raise ValueError('new')")  # it plays at once
    table.receive(["again"], table.revision)
    assert table.fault and "ValueError: new" in table.fault.trouble


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize(
    ("unit", "cell"),
    [(unit, cell) for unit in UNITS for cell in table_cells(unit_called(unit))],
)
def test_every_table_cell_opens_with_nothing_written(unit: str, cell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(packs.VARIABLE, str(KALAH))
    lesson = Lesson(unit)
    lesson.names["In"].append(cell)
    table = value_of_cell(cell, lesson.names)
    table.receive(["borrow"], table.revision)
    assert table.history and not table.fault, table.fault


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("unit_name", [as_proof(unit) if unit == "basra" else unit for unit in UNITS])
def test_every_other_cell_runs_or_names_the_exercise_to_write(
    unit_name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(packs.VARIABLE, str(KALAH))
    unit = unit_called(unit_name)
    nbformat.write(blank_notebook(unit), tmp_path / f"{unit_name}.ipynb")
    with working_in(tmp_path):
        for cell in own_cells(unit):
            kernel = Kernel(has_imports=False)
            history.recorded_run_ends()
            show_unwritten_as_one_line()
            kernel.run(f"from {unit.module.__name__} import *\nfrom course.check import *")
            shown = kernel.run(cell)
            line = r"(\w+) is not defined yet( \(exercise \d+\)\. .*borrow\(\"\1\"\)|\. Run the cell with `\1 )"
            assert "Traceback" not in shown and (re.search(line, shown) or "Error:" not in shown), f"{cell}\n{shown}"


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("unit", [unit for unit in unit_names() if has_game(unit)])
def test_each_game_opens_with_references(unit: str) -> None:
    table = table_of_unit_game({"__name__": "__main__"}, unit)
    table.begin()
    assert table.history and not table.fault
    assert "with your own functions, run `open_game()` in" in table.view()["note"]["text"]
    assert unit == "bots" or f"All rules are at the top of {read_unit(unit).stem}.ipynb" in table.view()["rules"]


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize(("cells", "ahead"), [((), "flip"), ((RIGHT, 'check("flip")'), "append")])
def test_a_game_links_to_the_first_unsolved_exercise(tmp_path: Path, cells: tuple[str, ...], ahead: str) -> None:
    with working_in(tmp_path):
        kernel = Kernel()
        for cell in cells:
            kernel.run(cell)
        with capture_output() as captured:
            kernel.shell.run_cell('open_game("dominoes")')
    (shown, *_) = (each.data["text/html"] for each in captured.outputs)
    assert f'href="1_dominoes.ipynb#cell-id={ahead}-lesson"' in shown
    assert f"Next: <code>{ahead}</code> in Dominoes" in shown


def test_no_exercise_has_the_name_of_a_command() -> None:
    assert not {exercise.name for unit in UNITS for exercise in unit_called(unit).exercises} & {*course.check.__all__}


@pytest.mark.parametrize("unit", ["warmup", ""])
def test_an_unknown_game_is_named_in_one_line(unit: str) -> None:
    with pytest.raises(NotRight, match=f"there is no game `{unit}` here: name a unit that has a game"):
        table_of_unit_game({"__name__": "__main__"}, unit)
