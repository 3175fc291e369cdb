"""Tables that nobody can click: in notebooks that a program executes, and before any function is written."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook

from autograder.submission.reading import grade_id
from tests.command import CELL_PATIENCE
from tests.sample import one_in
from tests.units import blank_notebook, read_unit, table_cells, unit_names

WIDGET = "application/vnd.jupyter.widget-view+json"


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


@pytest.mark.parametrize("unit", one_in(3, unit_names()))
def test_tables_stay_closed_with_a_message_until_functions_are_written(unit: str) -> None:
    tables = table_cells(unit)
    stubs = [cell.source for cell in blank_notebook(unit).cells if grade_id(cell) in read_unit(unit).by_name]
    assert tables
    for cell in executed(f"from course.{unit} import *", *stubs, *tables).cells[-len(tables) :]:
        (output,) = cell.outputs
        assert output.output_type == "display_data", output
        assert "<img" in output.data["text/html"] and "could not begin" not in output.data["text/plain"]
