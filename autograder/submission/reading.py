"""Read the files that students submit as notebooks.

nbformat is used only for files in an old format, since importing it takes longer than grading a class. For other files,
this module reads only the parts that are needed.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from contextlib import ExitStack
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from autograder.submission.module import module_notebook
from autograder.submission.notebook import BrokenNotebook, Cell, Notebook, NotebookError, demand_few_cells

LARGEST_FILE, MOST_PARTS = 100_000_000, 500_000  # outputs are not read
LARGEST_COPY = 1_000_000_000  # bytes of a file that is copied, but not graded
NO_FILE, NO_NOTEBOOK = "not a regular file", "the file is not a valid Jupyter notebook"
CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7})(?: |$)", re.MULTILINE)
CLEAR = "Clear the outputs of all cells, and hand it in again"
LINK = "this is a link to another file; links are not followed"
ONE_STEP = getattr(os, "O_PATH", 0) | getattr(os, "O_NOFOLLOW", 0)
FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
MOST_LINKS = 40  # the limit of Linux
CAN_OPEN_IN_STEPS = hasattr(os, "O_PATH") and hasattr(os, "geteuid")  # without the right to list the folders
MODULE = ".py"


def read_notebook(path: Path) -> Notebook:
    """Return the notebook in a file. Raises NotebookError if the file is not a notebook."""
    return notebook_in(path, read_content(path))


def read_content(path: Path) -> bytes:
    """Return the content of a submitted file. Raises NotebookError if it is unreadable.

    Take the notebook and its digest from the same read: the file may change before the next one.
    """
    try:
        return read_file(path)
    except OSError as error:
        raise NotebookError(f"the file cannot be read: {error.strerror}") from None


def digest_of_content(content: bytes) -> str:
    """Return a digest of a file's bytes."""
    return sha256(content).hexdigest()


@lru_cache(maxsize=1)  # cached, because the notebook is usually read again after its unit is known
def notebook_in(path: Path, content: bytes) -> Notebook:
    """Return the notebook in a file's content. Raises NotebookError if it is not a notebook."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        kind = "UTF-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "not UTF-8"
        raise NotebookError(f"the file cannot be read: {kind} text. Save it as UTF-8") from None
    if text.count("[") + text.count("{") > MOST_PARTS:
        raise NotebookError(f"the file contains more than {MOST_PARTS:,} parts. {CLEAR}")
    if path.suffix == MODULE:
        return module_notebook(path, text)
    try:
        if r"\ud" in text or r"\uD" in text:  # half a character, which no report could contain, becomes "?"
            text = json.dumps(json.loads(text), ensure_ascii=False).encode(errors="replace").decode()
        notebook = _notebook(json.loads(text), text)
    except BrokenNotebook:
        raise
    except Exception as error:
        raise BrokenNotebook(f"{NO_NOTEBOOK}{_cause(text, error)}") from None
    return demand_few_cells(notebook)


def _cause(text: str, error: Exception) -> str:
    """Return why a text is not a notebook, as the end of a sentence; "" if there is nothing to say."""
    if not text.strip():
        return ": it is empty. Hand it in again"
    if marker := CONFLICT.search(text):
        return f": line {_line_at(text, marker.start())} is a conflict marker of git. Resolve the conflict"
    if not isinstance(error, json.JSONDecodeError):
        return ""
    if not text.lstrip().startswith(("{", "[")):
        return ": it begins with other text. Delete that" if "{" in text else ""
    if error.msg == "Extra data":
        return f": other text begins on line {error.lineno}. Delete that"
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return f": it is cut off at line {_line_at(text, len(text.rstrip()))}. Hand it in again"
    return f": line {error.lineno} is broken"


def _line_at(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def read_file(path: Path, most: int = LARGEST_FILE) -> bytes:
    """Return the bytes of a submitted file. Raises NotebookError for a link, a device or a large file."""
    demand_no_link(path)
    if path.is_dir():
        raise NotebookError(NO_FILE)
    with open(_opened(path), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise NotebookError(NO_FILE)
        content = file.read(most + 1)
    if len(content) > most:
        raise NotebookError(f"the file is larger than {most // 1_000_000:,} MB. {CLEAR}")
    return content


def _opened(path: Path) -> int:
    """Return a descriptor of a file. Raises OSError if it is a link.

    A file is opened long after it was found. In between, its student can swap a folder above it for a link to somebody
    else's. So each folder is opened from the one above. Raises NotebookError for such a link.
    """
    if not CAN_OPEN_IN_STEPS:
        return os.open(path, FLAGS)
    folder, todo, links = None, [*reversed(path.absolute().parent.parts)], 0
    with ExitStack() as opened:
        while todo:
            step = os.open(todo.pop(), ONE_STEP, dir_fd=folder)
            opened.callback(os.close, step)
            if stat.S_ISLNK(os.fstat(step).st_mode):
                links += 1
                _demand_own_link(step, links)
                todo += reversed(Path(os.readlink("", dir_fd=step)).parts)
            else:
                folder = step
        return os.open(path.name, FLAGS, dir_fd=folder)


def _demand_own_link(link: int, links: int) -> None:
    """Raise NotebookError for a link that belongs neither to this user nor to the system; OSError after many links."""
    if os.fstat(link).st_uid not in (0, getattr(os, "geteuid", int)()):
        raise NotebookError(LINK)
    if links > MOST_LINKS:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def demand_no_link(path: Path) -> None:
    """Raise NotebookError for a link, because it may lead to another student's file, or to an endless one."""
    kind = path.lstat().st_mode if os.path.lexists(path) else stat.S_IFREG
    if stat.S_ISLNK(kind):
        raise NotebookError(LINK)


def _notebook(data: dict[str, Any], text: str) -> Notebook:
    if not isinstance(data["nbformat"], int):
        raise BrokenNotebook(f"{NO_NOTEBOOK}: its nbformat is not a number")
    if data["nbformat"] != 4:
        data = _converted(text)
    cells = list[Cell]()
    for cell in (cell for cell in data["cells"] if isinstance(cell, dict)):
        source, metadata = cell.get("source", ""), cell.get("metadata")
        about = metadata if isinstance(metadata, dict) else {}
        if "nbgrader" not in about:  # an editor may remove it: the ids of our cells are the same names
            about = about | {"nbgrader": {"grade_id": cell.get("id")}}
        text = "".join(map(str, source)) if isinstance(source, list) else str(source)
        cells.append(Cell(str(cell.get("cell_type", "")), text, about))
    metadata = data.get("metadata")
    return Notebook(tuple(cells), metadata if isinstance(metadata, dict) else {})


def _converted(text: str) -> dict[str, object]:
    import nbformat

    return dict(nbformat.reads(text, as_version=4))
