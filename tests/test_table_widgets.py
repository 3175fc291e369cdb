"""Tables in a notebook are ipywidgets: they fit into boxes, can be observed, and have a layout."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from ipywidgets import HTML, Layout, VBox

import solutions.dominoes
from course.kernel import notebook
from course.tables import domino_table, whole_game
from course.tables.table import GameTable
from course.tables.widget import TableWidget
from tests.classroom import blank_notebook
from tests.test_tables_unattended import executed

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
def test_table_has_a_layout() -> None:
    table = table_of_one()
    table.layout.width = "50%"
    assert table.get_state()["layout"] == f"IPY_MODEL_{table.layout.model_id}"
    table.layout = Layout(width="30%")
    assert table.model_id and table.layout.width == "30%"


@pytest.mark.usefixtures("in_notebook")
def test_table_that_nobody_shows_opens_no_channel_to_the_browser() -> None:
    table = table_of_one()
    assert "text/html" in table._repr_mimebundle_() and table.comm is None and table.display is None


def interact_cell(unit: str) -> str:
    (cell,) = (each.source for each in blank_notebook(unit).cells if "import interact" in each.source)
    return cell


def test_sliders_of_an_unwritten_function_say_what_to_write_first() -> None:
    stub = next(cell.source for cell in blank_notebook("dominoes").cells if cell.source.startswith("def append"))
    notebook = executed("from course.check import *\nfrom course.dominoes import *", stub, interact_cell("dominoes"))
    shown = str(notebook.metadata.widgets)
    assert "append is not written yet" in shown and "most recent call" not in shown


def test_table_outside_of_a_notebook_is_no_widget() -> None:
    assert type(table_of_one()) is GameTable and not isinstance(whole_game("dominoes"), TableWidget)
