"""Find out whether a person uses this kernel, and in which program, and display widgets accordingly."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from uuid import uuid4

from course.kernel import notebook

WIDGET = "application/vnd.jupyter.widget-view+json"


def is_attended() -> bool:
    """Return whether a person uses this kernel. Under nbgrader and nbconvert, typed input is not possible."""
    kernel = getattr(notebook.shell(), "kernel", None)
    attended = kernel is not None and getattr(kernel, "_allow_stdin", True)
    return attended and not os.environ.get("NBGRADER_EXECUTION")


def as_pair(bundle: Any) -> tuple[Any, Any]:
    """Return a MIME bundle as a pair of data and metadata."""
    return bundle if isinstance(bundle, tuple) else (bundle, {})


def bundle_with_widget(static: dict[str, Any], make_widget: Callable[[], Any]) -> Any:
    """Return a static picture's MIME bundle, and add a widget if a person is there and widgets are installed."""
    if not is_attended():
        return static
    try:
        widget = make_widget()
    except ImportError:
        return static
    data, *metadata = as_pair(widget._repr_mimebundle_())
    return (static | {WIDGET: data[WIDGET]}, *metadata)


def publish_with_widget(bundle: Any, stand_in: str) -> Callable[[str], None]:
    """Display a bundle. In JupyterLab, display the static picture in an output of its own above the widget, too.

    Return a function that updates that picture.
    """
    data, *metadata = as_pair(bundle)
    publish = notebook.shell().display_pub.publish
    # JupyterLab, Notebook 7 and JupyterLite hide the picture above a widget. They send the id of the running cell.
    # Colab and the classic notebook do not, and the ids of VS Code have a prefix.
    cell = notebook.cell_now()
    has_widget = WIDGET in data and bool(cell) and not cell.startswith(notebook.VS_CODE_CELL)
    display = {"transient": {"display_id": f"foldem-table-{uuid4()}"}}
    if has_widget:
        publish({"text/html": stand_in}, **display)
        data = {kind: what for kind, what in data.items() if kind != "text/html"}
    publish(data, *metadata)
    return lambda static: publish({"text/html": static}, update=True, **display) if has_widget else None


def publish_button(bundle: object, stand_in: str) -> Callable[[str], None]:
    """Display a widget with a button, as `publish_with_widget` does, but without text if widgets do not work."""
    data, *metadata = as_pair(bundle)
    return publish_with_widget(({"text/plain": "", WIDGET: data[WIDGET]}, *metadata), stand_in)


def call_between_cells(do: Callable[[], None]) -> None:
    """Call a function in the thread that runs the cells, when no cell is running.

    JupyterLab handles widget messages in another thread, even while a cell runs. Interrupts do not reach that thread.
    """
    loop = getattr(_kernel(), "io_loop", None)
    loop.add_callback(do) if loop else do()


@contextmanager
def interruptible() -> Iterator[None]:
    """Run the block so that interrupting the kernel ends only the block."""
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
