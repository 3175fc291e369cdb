"""A table in the browser: its view goes there, its clicks come back."""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

from course.kernel.attended import among_cells, interruptible
from course.show.drawing import art
from course.show.widgets import script, show_in
from course.tables.scene import scene_style


class TableWidget(anywidget.AnyWidget):
    """A view dict and the pictures that it names by key, which are sent once."""

    _esm = script("show/page.js", "watch/watch.js", "tables/table.js")
    _css = scene_style() + script("tables/table.css", "watch/watch.css")
    view = traitlets.Dict().tag(sync=True)
    calling = traitlets.Dict().tag(sync=True)
    art = traitlets.Dict().tag(sync=True)


def widget_of(table: Any) -> TableWidget:
    """Return the widget of a table."""
    widget = TableWidget(view=table.view(), art={key: art(key) for key in table.game.art})

    def on_message(_: Any, message: dict[str, Any], __: Any) -> None:
        def react() -> None:
            with interruptible():
                table.receive(message["do"], message["rev"])
            view = table.view()
            show_in(widget, view, view.get("run"))

        among_cells(react)

    widget.on_msg(on_message)
    return widget
