"""The one place that knows of widgets: a table's view goes to the browser, its clicks come back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from course.tables.drawing import art
from course.tables.scene import scene_style

HERE = Path(__file__).parent


class TableWidget(anywidget.AnyWidget):
    """A view dict and the pictures that it names by key, which are sent once."""

    _esm = (HERE / "table.js").read_text(encoding="utf-8")
    _css = scene_style() + (HERE / "table.css").read_text(encoding="utf-8")
    view = traitlets.Dict().tag(sync=True)
    art = traitlets.Dict().tag(sync=True)


def widget_of(table: Any) -> TableWidget:
    """Give the widget of a table."""
    widget = TableWidget(view=table.view(), art={key: art(key) for key in table.game.art})

    def on_message(_: Any, message: dict[str, Any], __: Any) -> None:
        table.receive(message["do"], message["rev"])
        widget.view = table.view()

    widget.on_msg(on_message)
    return widget
