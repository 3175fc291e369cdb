"""A table on a site's `play.html`, in place of Jupyter's widget."""

from __future__ import annotations

import json
from collections.abc import Callable

from course.show.widgets import show_in
from course.tables.scene import SceneView


class PageWidget:
    """A table on `play.html`, as a widget without Jupyter: each change is sent as JSON."""

    send: Callable[[str], object]
    art: dict[str, str]
    scene: SceneView
    calling: dict[str, object]

    def __init__(self, send: Callable[[str], object]) -> None:
        super().__setattr__("send", send)
        self.art = {}

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        self.send(json.dumps({name: value}))

    def show(self, view: SceneView) -> None:
        """Show a view of the table, and the pictures that it needs."""
        show_in(self, view, [view["items"], view.get("run")], "scene")
