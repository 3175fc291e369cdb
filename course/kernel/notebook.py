"""The running notebook: its shell, namespace, cells and files, and whether a person uses it, and in which program."""

from __future__ import annotations

import ast
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dis import get_instructions
from errno import EINVAL
from functools import lru_cache
from pathlib import Path
from shutil import rmtree
from typing import Any
from uuid import uuid4

from course.exam.calls import Names
from course.kernel.catalogue import all_statements
from course.limits import LARGEST_FILE
from course.syntax import expression_of

IN_A_BROWSER = sys.platform == "emscripten"
CELL_MAGIC_PREFIX = "get_ipython().run_cell_magic("
STARTED_UNIT_VARIABLE = "__foldem_unit__"  # the name of the module that the kernel imported when it started
VS_CODE_ID_PREFIX = "vscode-"  # how the ids of its cells begin
TRANSPARENT_MAGICS = {"time", "capture", "prun"}  # below these magics, names belong to the notebook


class NotRight(Exception):
    """Raised when the learner has to change something first, such as an exercise that is not right yet.

    A notebook shows only the message of this exception, without a traceback.
    """

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def nbgrader_step() -> str:
    """Return the name of the nbgrader step that runs the notebook, or "" outside nbgrader."""
    return os.environ.get("NBGRADER_EXECUTION", "")


def shell() -> Any:
    """Return the running IPython shell, or None."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def running_kernel() -> Any:
    """Return the running kernel, or None if there is no kernel, as in IPython in a terminal."""
    return getattr(shell(), "kernel", None)


def namespace(depth: int) -> Names:
    """Return the notebook's namespace. Outside a notebook, return the global names of the caller `depth` frames up."""
    running = shell()
    return running.user_ns if running else sys._getframe(depth + 1).f_globals


def executed_cells(names: Names) -> list[str] | None:
    """Return the sources of all cells run so far, in order; None if there is no history."""
    history = names.get("In")
    if not isinstance(history, list):
        return None
    return [_code_below_magic(cell) if cell.startswith(CELL_MAGIC_PREFIX) else cell for cell in map(str, history)]


@lru_cache(maxsize=1024)
def _code_below_magic(cell: str) -> str:
    """Return the code below a magic such as `%%time`, with the same line numbers."""
    match expression_of(cell.strip()) if cell.startswith(CELL_MAGIC_PREFIX) else None:
        case ast.Call(args=[ast.Constant(value=name), _, ast.Constant(value=str(code))]) if name in TRANSPARENT_MAGICS:
            return f"\n{_code_below_magic(shell().transform_cell(code) if shell() else code)}"
    return cell


def unit_with_exercise(names: Names, name: str) -> str | None:
    """Return the unit that has the exercise `name`.

    If several units have this exercise, return the unit imported last.
    """
    stated = all_statements()
    having = [unit for unit, each in stated.items() if name in each.by_name]
    here = [unit for unit in imported_units(names) if unit in having]
    if names.get("__name__"):
        modules = {getattr(thing, "__module__", "") for thing in list(names.values())}
        here += [unit for unit in having if stated[unit].module in modules]
    return next(iter(here + having), None)


def imported_units(names: Names) -> list[str]:
    """Return the units that were imported by cells, the latest import first.

    The unit that was imported when the kernel started comes last.
    """
    by_module = {each.module: unit for unit, each in all_statements().items()}
    cells = reversed(executed_cells(names) or [])
    modules = [name for cell in cells for name in re.findall(r"^\s*from (\w+\.\w+) import", cell, re.MULTILINE)]
    modules.append(str(names.get(STARTED_UNIT_VARIABLE)))
    return [by_module[name] for name in dict.fromkeys(modules) if name in by_module]


def running_cell_id() -> str:
    """Return the id of the running cell, or "" if the front end does not send the id."""
    wanted_of = shell() if hasattr(shell(), "get_parent") else running_kernel()  # a kernel in a browser has the id
    header: dict[str, Any] = getattr(wanted_of, "get_parent", dict)() or {}
    return str(header.get("metadata", {}).get("cellId", ""))


def is_unwritten(names: Names, name: str) -> bool:
    """Return whether `name` is undefined, or is still the unwritten stub."""
    if name not in names:
        return True
    thing = names[name]
    code = getattr(getattr(thing, "__wrapped__", None) or getattr(thing, "func", None) or thing, "__code__", None)
    if code is None:
        return type(thing).__name__ == "Todo"
    if code.co_names != ("NotImplementedError",) or len(code.co_consts) > 2:
        return False
    return not any("JUMP" in step.opname for step in get_instructions(code))


def show(thing: object, **options: object) -> None:
    """Display an object in a notebook, or print it outside a notebook."""
    if shell():
        from IPython.display import display

        display(thing, **options)
    else:
        print(thing)


# ------------------------------------------------------------------------------------------------ widgets

WIDGET_MIME_TYPE = "application/vnd.jupyter.widget-view+json"


def is_interactive() -> bool:
    """Return whether a person uses this kernel.

    nbgrader and nbconvert run notebooks without a person.
    """
    kernel = running_kernel()
    return kernel is not None and getattr(kernel, "_allow_stdin", True) and not nbgrader_step()


def data_and_metadata(bundle: Any) -> tuple[Any, Any]:
    """Return a MIME bundle as a pair of data and metadata. A bundle without metadata gets empty metadata."""
    return bundle if isinstance(bundle, tuple) else (bundle, {})


def bundle_with_widget(static: dict[str, Any], make_widget: Callable[[], Any]) -> Any:
    """Return the MIME bundle of a static picture.

    If a person uses the kernel and widgets are installed, the bundle also contains a widget.
    """
    if not is_interactive():
        return static
    try:
        widget = make_widget()
    except ImportError:
        return static
    data, *metadata = data_and_metadata(widget._repr_mimebundle_())
    return (static | {WIDGET_MIME_TYPE: data[WIDGET_MIME_TYPE]}, *metadata)


def publish_with_widget(bundle: Any, stand_in: str) -> Callable[[str], None]:
    """Display a MIME bundle.

    JupyterLab hides the static picture of a widget, so a static picture, the HTML `stand_in`, is displayed above the
    widget. Return a function that replaces this HTML.
    """
    data, *metadata = data_and_metadata(bundle)
    publish = shell().display_pub.publish
    # JupyterLab, Notebook 7 and JupyterLite hide the picture above a widget. They send the id of the running cell.
    # Colab and the classic notebook do not, and the ids of VS Code have a prefix.
    cell = running_cell_id()
    has_widget = WIDGET_MIME_TYPE in data and bool(cell) and not cell.startswith(VS_CODE_ID_PREFIX)
    display = {"transient": {"display_id": f"foldem-table-{uuid4()}"}}
    if has_widget:
        publish({"text/html": stand_in}, **display)
        data = {kind: what for kind, what in data.items() if kind != "text/html"}
    publish(data, *metadata)
    return lambda static: publish({"text/html": static}, update=True, **display) if has_widget else None


def publish_button(bundle: object, stand_in: str) -> Callable[[str], None]:
    """Display a button, which is a widget, in the same way as `publish_with_widget`.

    If widgets do not work, nothing is displayed.
    """
    data, *metadata = data_and_metadata(bundle)
    return publish_with_widget(({"text/plain": "", WIDGET_MIME_TYPE: data[WIDGET_MIME_TYPE]}, *metadata), stand_in)


def call_between_cells(do: Callable[[], None]) -> None:
    """Call a function in the thread that runs the cells, as soon as no cell is running.

    JupyterLab handles widget messages in a separate thread, even while a cell runs. An interrupt reaches only the
    thread that runs the cells.
    """
    loop = getattr(running_kernel(), "io_loop", None)
    loop.add_callback(do) if loop else do()


@contextmanager
def interruptible() -> Iterator[None]:
    """Run the block so that an interrupt of the kernel ends only this block."""
    kernel = running_kernel()
    before = getattr(kernel, "saved_sigint_handler", None)
    with suppress(KeyboardInterrupt):
        getattr(kernel, "pre_handler_hook", bool)()
        yield
    getattr(kernel, "post_handler_hook", bool)()
    if before is not None:
        kernel.saved_sigint_handler = before


# ------------------------------------------------------------------------------------------------ files

# The folder may be a stranger's. Reading refuses pipes, devices and huge files, and writing follows no link.


def read_safely(path: Path, errors: str = "strict") -> str:
    """Return the text of a file.

    Raises OSError for a pipe, a device or a huge file, because reading such a file might never end.
    """
    state = path.stat()
    if not stat.S_ISREG(state.st_mode) or state.st_size > LARGEST_FILE:
        raise OSError(EINVAL, "this is a folder, a device or a huge file, and cannot be read", str(path))
    return path.read_text(encoding="utf-8", errors=errors)


def write_safely(path: Path, text: str) -> None:
    """Write a file. A symbolic link or a pipe at this path is removed first, because a link may lead to any file.

    Raises OSError if the path is a folder.
    """
    if path.is_symlink() or not path.is_file():
        path.unlink(missing_ok=True)
    path.write_text(text, encoding="utf-8")


def append_line_safely(path: Path, line: str) -> None:
    """Append a line to a file in one step, so that two programs can append lines at the same time.

    A symbolic link or a pipe at this path is removed first. A line break is written before the line, because the file's
    last line may be incomplete: a program may have been killed while it wrote.
    """
    if path.is_symlink() or not path.is_file():
        path.unlink(missing_ok=True)
    with path.open("ab", buffering=0) as file:
        file.write(f"\n{line}\n".encode())


def make_progress_folder(folder: Path) -> None:
    """Make the folder in which progress is saved. Raises OSError if this folder or its parent is a symbolic link."""
    if folder.is_symlink() or folder.parent.is_symlink():
        raise OSError(EINVAL, "this is a symbolic link, but it must be a folder", str(folder))
    folder.mkdir(parents=True, exist_ok=True)


def make_real_folder(folder: Path) -> None:
    """Make a folder. If the path is a symbolic link, remove the link first."""
    if folder.is_symlink():
        folder.unlink()
    folder.mkdir(parents=True, exist_ok=True)


def remove_path(path: Path) -> None:
    """Remove the file, the link, or the folder with its contents at this path, if there is one."""
    if path.is_dir() and not path.is_symlink():
        rmtree(path)
    else:
        path.unlink(missing_ok=True)
