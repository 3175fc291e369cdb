"""Who looks on: whether a person sits at this kernel, in which program, and how something alive is shown to them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from uuid import uuid4

from course.kernel import notebook

WIDGET = "application/vnd.jupyter.widget-view+json"


def is_attended() -> bool:
    """Return whether a person sits at this kernel: nbgrader and nbconvert run it without allowing typed input."""
    kernel = getattr(notebook.shell(), "kernel", None)
    attended = kernel is not None and getattr(kernel, "_allow_stdin", True)
    return attended and not os.environ.get("NBGRADER_EXECUTION")


def in_vs_code() -> bool:
    """Return whether VS Code shows the outputs: it has its own place for each, and its own message if widgets fail."""
    return any(name.startswith("VSCODE_") for name in os.environ)


def as_pair(bundle: Any) -> tuple[Any, Any]:
    """Return a MIME bundle with its metadata."""
    return bundle if isinstance(bundle, tuple) else (bundle, {})


def alive(still: dict[str, Any], make_widget: Callable[[], Any]) -> Any:
    """Return a still picture's MIME bundle with a widget's in it, where there is somebody for it and widgets are."""
    if not is_attended():
        return still
    try:
        widget = make_widget()
    except ImportError:
        return still
    data, *metadata = as_pair(widget._repr_mimebundle_())
    return (still | {WIDGET: data[WIDGET]}, *metadata)


def publish_alive(bundle: Any, stand_in: str) -> Callable[[str], None]:
    """Show a bundle; where a widget is in it, after a still picture of its own. Give what renews that picture."""
    data, *metadata = as_pair(bundle)
    publish = notebook.shell().display_pub.publish
    beside = WIDGET in data and not in_vs_code()
    place = {"transient": {"display_id": f"foldem-table-{uuid4()}"}}
    if beside:
        publish({"text/html": stand_in}, **place)
        data = {kind: what for kind, what in data.items() if kind != "text/html"}
    publish(data, *metadata)
    return lambda still: publish({"text/html": still}, update=True, **place) if beside else None


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
