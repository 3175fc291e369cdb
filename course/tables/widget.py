"""The widget of a table: sends its view to the browser, and receives clicks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypedDict

import anywidget
import traitlets

from course.kernel.attended import among_cells
from course.show.pictures import art
from course.show.widgets import pictures_in, script, show_in
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


def widget_of(
    first: SceneView, pictures: Iterable[str], react: Callable[[Action, int], SceneView], renew: Callable[[], None]
) -> TableWidget:
    """Return the widget of a table, with its first view and the keys of other pictures that it may need.

    `react` returns the view after an action. `renew` is called when the browser has it.
    """
    keys = dict.fromkeys((*pictures, *sorted(pictures_in([first["items"], first.get("run")]))))
    widget = TableWidget(view=first, art={key: art(key) for key in keys})

    def on_message(_: object, message: Click, __: object) -> None:
        def answer() -> None:
            view = react(message["do"], message["rev"])
            show_in(widget, view, [view["items"], view.get("run")])
            renew()

        among_cells(answer)

    widget.on_msg(on_message)
    return widget
