"""Find out whether a person uses this kernel, and in which program. Widgets are displayed accordingly."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from uuid import uuid4

from course.kernel import notebook

WIDGET = "application/vnd.jupyter.widget-view+json"


def is_attended() -> bool:
    """Return whether a person uses this kernel.

    Nobody does under nbgrader and nbconvert, where input cannot be typed.
    """
    kernel = getattr(notebook.shell(), "kernel", None)
    attended = kernel is not None and getattr(kernel, "_allow_stdin", True)
    return attended and not os.environ.get("NBGRADER_EXECUTION")


def as_pair(bundle: Any) -> tuple[Any, Any]:
    """Return a MIME bundle as a pair of data and metadata. The metadata may be missing in the bundle."""
    return bundle if isinstance(bundle, tuple) else (bundle, {})


def bundle_with_widget(static: dict[str, Any], make_widget: Callable[[], Any]) -> Any:
    """Return the MIME bundle of a static picture.

    If a person uses the kernel and widgets are installed, it has a widget, too.
    """
    if not is_attended():
        return static
    try:
        widget = make_widget()
    except ImportError:
        return static
    data, *metadata = as_pair(widget._repr_mimebundle_())
    return (static | {WIDGET: data[WIDGET]}, *metadata)


def publish_with_widget(bundle: Any, stand_in: str) -> Callable[[str], None]:
    """Display a bundle. JupyterLab hides the static picture of a widget, so display this picture above it.

    Return a function that updates the picture.
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
    """Display a widget with a button, like `publish_with_widget`. If widgets do not work, no text replaces it."""
    data, *metadata = as_pair(bundle)
    return publish_with_widget(({"text/plain": "", WIDGET: data[WIDGET]}, *metadata), stand_in)


def call_between_cells(do: Callable[[], None]) -> None:
    """Call a function in the thread that runs the cells, as soon as no cell is running.

    JupyterLab handles widget messages in another thread, even while a cell runs. Interrupts do not reach that thread.
    """
    loop = getattr(_kernel(), "io_loop", None)
    loop.add_callback(do) if loop else do()


@contextmanager
def interruptible() -> Iterator[None]:
    """Run the block so that an interrupt of the kernel ends only this block."""
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
