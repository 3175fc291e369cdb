"""The one place that knows of widgets: a table's view goes to the browser, its clicks come back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from course import notebook
from course.tables.drawing import art
from course.tables.scene import scene_style

HERE = Path(__file__).parent


def script(*files: str) -> str:
    """Give what some files of this package are together: a browser is sent one script, and one style sheet."""
    return "".join((HERE.parent / file).read_text(encoding="utf-8") for file in files)


class TableWidget(anywidget.AnyWidget):
    """A view dict and the pictures that it names by key, which are sent once."""

    _esm = script("tables/page.js", "watch/watch.js", "tables/table.js")
    _css = scene_style() + script("tables/table.css", "watch/watch.css")
    view = traitlets.Dict().tag(sync=True)
    calling = traitlets.Dict().tag(sync=True)
    art = traitlets.Dict().tag(sync=True)


def widget_of(table: Any) -> TableWidget:
    """Give the widget of a table."""
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


def show_in(widget: Any, view: dict[str, Any], run: Any) -> None:
    """Let a widget show a view; what pictures the run in it needs beyond those that were sent go before it."""
    new = pictures_in(run) - widget.art.keys()
    if new:
        widget.art = widget.art | {key: art(key) for key in sorted(new)}
    widget.view = view


def pictures_in(thing: Any) -> frozenset[str]:
    """Give the keys of the pictures in a run view, as it is sent."""
    match thing:
        case [str(), str(), str(picture), str()] if ":" in picture:
            return frozenset((picture,))
        case dict():
            return frozenset().union(*map(pictures_in, thing.values()))
        case list():
            return frozenset().union(*map(pictures_in, thing))
    return frozenset()


def among_cells(do: Callable[[], None]) -> None:
    """Do something in the thread that runs the cells, when none is running.

    JupyterLab has messages of widgets handled beside it, while cells are running, and no interrupt reaches there.
    """
    loop = getattr(_kernel(), "io_loop", None)
    loop.add_callback(do) if loop else do()


@contextmanager
def interruptible() -> Iterator[None]:
    """Let the learner interrupt the kernel meanwhile, which ends what is done here and nothing else."""
    kernel = _kernel()
    before = getattr(kernel, "saved_sigint_handler", None)
    with suppress(KeyboardInterrupt):
        getattr(kernel, "pre_handler_hook", bool)()
        yield
    getattr(kernel, "post_handler_hook", bool)()
    if before is not None:
        kernel.saved_sigint_handler = before


def _kernel() -> Any:
    return getattr(notebook.shell(), "kernel", None)
