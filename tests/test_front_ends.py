"""How many outputs a table has in each front end, in a real kernel that gets each front end's messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jupyter_client.manager import start_new_kernel

from course.kernel.notebook import WIDGET_MIME_TYPE
from tests.command import PATIENCE

DEAL = "from solutions.dominoes import *\nfrom course.tables import domino_table\ndomino_table('HB', pace=0, seed=3)"
WATCH = "from course.watch import watch\n\ndef add(a, b):\n    return a + b\nwatch(add, 1, 2)"
OUTPUTS = ("display_data", "execute_result")
OTHERS = {
    "classic notebook": {},
    "Colab": {"colab": {"execution_id": {"cell_id": "a1"}}},
    "VS Code": {"cellId": "vscode-notebook-cell:/home/ada/1_dominoes.ipynb#W2sZmlsZQ%3D%3D"},
}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    manager, client = start_new_kernel()
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def displays(client: Any, code: str, metadata: dict[str, object]) -> list[dict[str, Any]]:
    """Run a cell as a front end does, and return the data of its outputs."""
    content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": True}
    message = client.session.msg("execute_request", content, metadata=metadata)
    client.shell_channel.send(message)
    outputs, is_idle = [], False
    while not is_idle:
        reply = client.get_iopub_msg(timeout=PATIENCE)
        if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
            assert reply["msg_type"] != "error", reply["content"]
            outputs += [reply["content"]["data"]] if reply["msg_type"] in OUTPUTS else []
            is_idle = reply["content"].get("execution_state") == "idle"
    return outputs


@pytest.mark.parametrize("front_end", OTHERS)
@pytest.mark.parametrize("code", [DEAL, WATCH])
def test_outside_jupyterlab_table_and_picture_are_one_output(client: Any, code: str, front_end: str) -> None:
    (data,) = displays(client, code, OTHERS[front_end])
    assert data[WIDGET_MIME_TYPE]["model_id"] and "<" in data["text/html"]


@pytest.mark.parametrize("code", [DEAL, WATCH])
def test_in_jupyterlab_the_picture_is_an_output_above_the_table(client: Any, code: str) -> None:
    picture, table = displays(client, code, {"cellId": "0c7a4c1e-5e0e-4a0b-9d0b-3d3f2a0c1b2d", "trusted": True})
    assert "foldem-still" in picture["text/html"] and WIDGET_MIME_TYPE not in picture
    assert table[WIDGET_MIME_TYPE]["model_id"] and "text/html" not in table
