"""The widget of a watched run. It sends the view to the browser, and receives clicks and keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import anywidget
import traitlets

from course.kernel.notebook import NotRight, call_between_cells, interruptible
from course.show.pictures import joined_files, set_widget_view


class WatchedRun(Protocol):
    """The methods of `Viewer` that the widget calls."""

    def view(self) -> dict[str, object]: ...

    def receive(self, action: list[object]) -> None: ...


class RunWidget(anywidget.AnyWidget):
    """The widget of a run: the view, and the pictures that the view refers to by key."""

    _esm = joined_files("show/page.js", "watch/watch.js", "watch/shell.js")
    _css = joined_files("tables/table.css", "watch/watch.css")
    view = traitlets.Dict().tag(sync=True)
    art = traitlets.Dict().tag(sync=True)


def widget_of_run(viewer: WatchedRun) -> RunWidget:
    """Return a widget that shows a run."""
    widget = RunWidget()
    set_widget_view(widget, view := viewer.view(), view)
    listen(widget, viewer)
    return widget


def listen(widget: RunWidget, viewer: WatchedRun) -> None:
    """Pass each click in a widget to a viewer, and show the new view."""

    def react(message: dict[str, list[object]]) -> None:
        viewer.receive(message["do"])
        set_widget_view(widget, view := viewer.view(), view)

    widget.on_msg(lambda _, message, __: call_between_cells(lambda: react(message)))


def widget_that_offers_run(label: str, watched: Callable[[], WatchedRun]) -> RunWidget:
    """Return a widget with a button. A click calls `watched`, and shows the returned run instead of the button."""
    widget = RunWidget(view={"offer": label})

    def start_on_click(_: object, message: dict[str, list[object]], __: object) -> None:
        if message["do"] == ["watch"] and "offer" in widget.view:
            call_between_cells(run_and_show)

    def run_and_show() -> None:
        widget.view = {"fault": "Your code is running …"}
        data: dict[str, object] = {"fault": "Your code was interrupted."}
        with interruptible():
            try:
                viewer = watched()
                listen(widget, viewer)
                data = viewer.view() | {"focus": True}
            except NotRight as fault:
                data = {"fault": str(fault)}
        set_widget_view(widget, data, data)

    widget.on_msg(start_on_click)
    return widget
