"""A table as an ipywidget: it sends views to the browser, and receives clicks."""

from __future__ import annotations

from functools import cache
from typing import Any, TypedDict

import anywidget
import traitlets

from course.kernel.notebook import call_between_cells
from course.show.pictures import joined_files, picture_keys_in, picture_svg, set_widget_view
from course.tables.scene import Action, SceneView, scene_style


class Click(TypedDict):
    """A message from the browser: the action, and the number of the scene that was clicked."""

    do: Action
    rev: int


class TableWidget(anywidget.AnyWidget):
    """The base class that makes a table a widget. The widget sends each picture only once, with its key."""

    _esm = joined_files("show/page.js", "watch/watch.js", "tables/table.js")
    _css = scene_style() + joined_files("tables/table.css", "watch/watch.css")
    scene = traitlets.Dict().tag(sync=True)
    calling = traitlets.Dict().tag(sync=True)
    art = traitlets.Dict().tag(sync=True)

    @property
    def model_id(self) -> str | None:
        """Return the id by which the browser knows the table. The id is created when it is first used."""
        table: Any = self
        if table.display is None:
            table.display, view = self, table.view()
            pictures = sorted(picture_keys_in([view["items"], view.get("run")]))
            super().__init__(scene=view, art={key: picture_svg(key) for key in pictures})
            self.on_msg(self._receive_message)
        return super().model_id

    def show(self, view: SceneView) -> None:
        """Show a view of the table."""
        set_widget_view(self, view, [view["items"], view.get("run")], "scene")

    def _receive_message(self, _: object, message: Click, __: object) -> None:
        table: Any = self

        def answer() -> None:
            self.show(table.react(message["do"], message["rev"]))
            table.save_picture()

        call_between_cells(answer)


@cache
def widget_class(table: type) -> type:
    """Return a subclass of a table's class whose objects are also widgets."""
    return type(table.__name__, (table, TableWidget), {})
