"""A watched run in the browser: its view goes there, clicks and keys come back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import anywidget
import traitlets

from course.kernel.attended import among_cells, interruptible
from course.kernel.notebook import NotRight
from course.show.widgets import script, show_in


class Watched(Protocol):
    """A recorded run in a viewer (`Viewer`): what is shown of it now, and what clicks and keys do."""

    def view(self) -> dict[str, Any]: ...

    def receive(self, action: list[Any]) -> None: ...


class RunWidget(anywidget.AnyWidget):
    """A run view, and the pictures that it names by key."""

    _esm = script("show/page.js", "watch/watch.js", "watch/shell.js")
    _css = script("tables/table.css", "watch/watch.css")
    view = traitlets.Dict().tag(sync=True)
    art = traitlets.Dict().tag(sync=True)


def widget_of_run(viewer: Watched) -> RunWidget:
    """Return the widget of a run that is looked at."""
    widget = RunWidget()
    show_in(widget, seen := viewer.view(), seen)
    listen(widget, viewer)
    return widget


def listen(widget: RunWidget, viewer: Watched) -> None:
    """Let a viewer hear what is clicked in a widget."""

    def react(message: dict[str, Any]) -> None:
        viewer.receive(message["do"])
        show_in(widget, seen := viewer.view(), seen)

    widget.on_msg(lambda _, message, __: among_cells(lambda: react(message)))


def widget_that_offers(label: str, watched: Callable[[], Watched]) -> RunWidget:
    """Return a widget that is a button; pressed, it has something run, and shows that run in its place."""
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
        show_in(widget, told, told)

    widget.on_msg(begin)
    return widget
