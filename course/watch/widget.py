"""A watched run in the browser: its view goes there, clicks and keys come back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

from course.notebook import NotRight
from course.tables.drawing import art
from course.tables.widget import HERE, among_cells, interruptible, script
from course.watch.view import pictures_in
from course.watch.viewer import Viewer


class RunWidget(anywidget.AnyWidget):
    """A run view, and the pictures that it names by key."""

    _esm = script("tables/page.js", "watch/watch.js", "watch/shell.js")
    _css = (HERE / "table.css").read_text(encoding="utf-8") + script("watch/watch.css")
    view = traitlets.Dict().tag(sync=True)
    art = traitlets.Dict().tag(sync=True)


def show_in(widget: Any, view: dict[str, Any], name: str = "view") -> None:
    """Let a widget show a view; the pictures in it, which are sent once each, go before it."""
    new = pictures_in(view) - widget.art.keys()
    if new:
        widget.art = widget.art | {key: art(key) for key in sorted(new)}
    setattr(widget, name, view)


def widget_of_run(viewer: Viewer) -> RunWidget:
    """Give the widget of a run that is looked at."""
    widget = RunWidget()
    show_in(widget, viewer.view())
    listen(widget, viewer)
    return widget


def listen(widget: RunWidget, viewer: Viewer) -> None:
    """Let a viewer hear what is clicked in a widget."""

    def react(message: dict[str, Any]) -> None:
        viewer.receive(message["do"])
        show_in(widget, viewer.view())

    widget.on_msg(lambda _, message, __: among_cells(lambda: react(message)))


def widget_that_offers(label: str, watched: Callable[[], Viewer]) -> RunWidget:
    """Give a widget that is a button; pressed, it has something run, and shows that run in its place."""
    widget = RunWidget(view={"offer": label})

    def begin(_: Any, message: dict[str, Any], __: Any) -> None:
        if message["do"] == ["watch"] and "offer" in widget.view:
            among_cells(begun)

    def begun() -> None:
        widget.view = {"fault": "It is running …"}
        told = {"fault": "It was interrupted."}
        with interruptible():
            try:
                viewer = watched()
                listen(widget, viewer)
                told = viewer.view() | {"focus": True}
            except NotRight as fault:
                told = {"fault": str(fault)}
        show_in(widget, told)

    widget.on_msg(begin)
    return widget
