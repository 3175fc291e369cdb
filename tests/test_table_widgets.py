"""Tables in a notebook are ipywidgets, and pictures where nobody can click: in notebooks that a program executes."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
from ipywidgets import HTML, Layout, VBox
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook

import solutions.dominoes
from autograder.submission.reading import grade_id
from course.kernel import notebook
from course.tables import domino_table, whole_game
from course.tables.table import GameTable
from course.tables.widget import TableWidget
from tests.command import CELL_PATIENCE
from tests.sample import one_in
from tests.units import blank_notebook, read_unit, table_cells, unit_names

WIDGET = "application/vnd.jupyter.widget-view+json"
DOMINOES = vars(solutions.dominoes)


@pytest.fixture
def in_notebook(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(
        notebook, "shell", lambda: SimpleNamespace(user_ns=DOMINOES, history_manager=SimpleNamespace(input_hist_raw=[]))
    )
    yield


def table_of_one() -> Any:
    return domino_table("HB", names=DOMINOES, seed=3, pace=0)


@pytest.mark.usefixtures("in_notebook")
def test_table_fits_into_a_box_with_other_widgets() -> None:
    table, game = table_of_one(), whole_game("dominoes")
    table.layout = Layout(width="30%")
    box = VBox([HTML("<h2>My table</h2>"), table, game])
    assert box.get_state()["children"][1:] == [f"IPY_MODEL_{each.model_id}" for each in (table, game)]
    assert table.scene == table.view() and game.scene["time"]["last"] > 10


@pytest.mark.usefixtures("in_notebook")
def test_table_can_be_observed() -> None:
    table, statuses = table_of_one(), list[str]()
    table.observe(lambda change: statuses.append(change.new["status"]), "scene")
    assert table.model_id
    (first, *_) = (each["do"] for each in table.view()["items"] if "do" in each)
    click = {"method": "custom", "content": {"do": first, "rev": table.revision}}
    table._handle_msg({"content": {"data": click}, "buffers": []})
    assert statuses[-1] == table.view()["status"] and len({*statuses}) == 2


@pytest.mark.usefixtures("in_notebook")
def test_table_that_nobody_shows_opens_no_channel_to_the_browser() -> None:
    table = table_of_one()
    assert "text/html" in table._repr_mimebundle_() and table.comm is None and table.display is None


def test_sliders_of_an_unwritten_function_say_what_to_write_first() -> None:
    cells = [cell.source for cell in blank_notebook("dominoes").cells]
    stub, sliders = (next(cell for cell in cells if text in cell) for text in ("def append", "import interact"))
    notebook = executed("from course.check import *\nfrom course.dominoes import *", stub, sliders)
    shown = str(notebook.metadata.widgets)
    assert "append is not written yet" in shown and "most recent call" not in shown


def test_table_outside_of_a_notebook_is_no_widget() -> None:
    assert type(table_of_one()) is GameTable and not isinstance(whole_game("dominoes"), TableWidget)


def executed(*cells: str) -> Any:
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    return NotebookClient(notebook, timeout=CELL_PATIENCE, allow_errors=True).execute()


def test_an_executed_notebook_has_a_still_picture_and_no_widget() -> None:
    notebook = executed("from solutions.uno import *", "from course.tables import uno_table\nuno_table(bots=3, seed=1)")
    (output,) = notebook.cells[1].outputs
    assert WIDGET not in output.data and output.data["text/plain"].startswith("Uno: ")
    page, _ = HTMLExporter().from_notebook_node(nbformat.from_dict(notebook))
    assert 'src="data:image/svg+xml;base64,' in page and 'alt="Uno. ' in page
    assert "application/vnd.jupyter.widget-state" not in page


@pytest.mark.proof
@pytest.mark.parametrize("unit", unit_names())
def test_a_notebook_in_which_nothing_is_written_shows_no_traceback(unit: str) -> None:
    notebook = executed(*(cell.source for cell in blank_notebook(unit).cells if cell.cell_type == "code"))
    outputs = [output for cell in notebook.cells for output in cell.outputs]
    results = [output.data["text/plain"] for output in outputs if output.output_type == "display_data"]
    unwritten = {result.partition(": not written yet")[0] for result in results}
    assert unwritten >= {f"○ {exercise.name}" for exercise in read_unit(unit).exercises}
    assert {len(output.traceback) for output in outputs if output.output_type == "error"} == {1}


@pytest.mark.parametrize("unit", one_in(6, unit_names()))
def test_tables_stay_closed_with_a_message_until_functions_are_written(unit: str) -> None:
    tables = table_cells(unit)
    stubs = [cell.source for cell in blank_notebook(unit).cells if grade_id(cell) in read_unit(unit).by_name]
    assert tables
    for cell in executed(f"from course.{unit} import *", *stubs, *tables).cells[-len(tables) :]:
        (output,) = cell.outputs
        assert output.output_type == "display_data", output
        assert "<img" in output.data["text/html"] and "could not begin" not in output.data["text/plain"]
