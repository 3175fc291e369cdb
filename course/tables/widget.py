"""The widget of a table: sends its view to the browser, and receives clicks."""

from __future__ import annotations

from typing import Protocol, TypedDict

import anywidget
import traitlets

from course.kernel.attended import among_cells, interruptible
from course.show.drawing import art
from course.show.widgets import script, show_in
from course.tables.scene import Action, SceneView, scene_style


class TableWidget(anywidget.AnyWidget):
    """The data of a table's widget: a view, and its pictures by key. Each picture is sent once."""

    _esm = script("show/page.js", "watch/watch.js", "tables/table.js")
    _css = scene_style() + script("tables/table.css", "watch/watch.css")
    view = traitlets.Dict().tag(sync=True)
    calling = traitlets.Dict().tag(sync=True)
    art = traitlets.Dict().tag(sync=True)


class Click(TypedDict):
    """A message from the browser: the action, and the number of the view that was clicked."""

    do: Action
    rev: int


class Pictured(Protocol):
    """The methods of `GameRules` that the widget calls."""

    @property
    def art(self) -> tuple[str, ...]: ...


class Playable(Protocol):
    """The methods of `GameTable` that the widget calls."""

    @property
    def game(self) -> Pictured: ...

    def view(self) -> SceneView: ...

    def receive(self, action: Action, revision: int) -> bool: ...

    def renew(self) -> None: ...


def widget_of(table: Playable) -> TableWidget:
    """Return the widget of a table."""
    widget = TableWidget(view=table.view(), art={key: art(key) for key in table.game.art})

    def on_message(_: object, message: Click, __: object) -> None:
        def react() -> None:
            with interruptible():
                table.receive(message["do"], message["rev"])
            view = table.view()
            show_in(widget, view, view.get("run"))
            table.renew()

        among_cells(react)

    widget.on_msg(on_message)
    return widget
