"""Read the files that students submit, as notebooks: frozen data with only the parts that are graded.

This module does not use nbformat, because importing nbformat takes longer than grading a class.
"""

from __future__ import annotations

import ast
import errno
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from autograder.errors import UserError
from course.diagnoses.obstacle import BAD_SYNTAX, TOO_DEEP, TOO_LONG, UNPARSABLE, Flaw
from course.limits import (
    DEEPEST_CODE,
    LARGEST_CELL,
    LARGEST_FILE,
    MOST_CELL_LINES,
    MOST_FSTRING_BRACES,
    MOST_JSON_PARTS,
    MOST_NOTEBOOK_CELLS,
    MOST_SYMBOLIC_LINKS,
)
from course.syntax import child_nodes, first_line_number, subtree_of, tree_of

if TYPE_CHECKING:  # importing nbformat takes time
    from nbformat import NotebookNode


Metadata: TypeAlias = dict[str, Any]  # whatever a file contains
CHECK, WRITTEN_REPORT = "-check", "written-report"
ONLY_CHECKS_PATTERN = re.compile(r"\s*(?:from course\.check import check\s+)?(?:check\([\"']?\w+[\"']?\)\s*)?")
TOO_MUCH_CODE_MESSAGE = "the notebook's cells hold more than 1 MB of text. Delete cells without answers"


class NotebookError(UserError, ValueError):
    """Raised for a file that is not a notebook, or that belongs to no unit. The message has only one line."""


class BrokenNotebook(NotebookError):
    """Raised for a file whose content is not a notebook."""


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook, with only the parts that are graded."""

    cell_type: str
    source: str
    metadata: Metadata


@dataclass(frozen=True)
class Notebook:
    """A notebook, with only the parts that are graded.

    A notebook that nbformat has read has the same attributes, so it can be used instead of this class.
    """

    cells: tuple[Cell, ...]
    metadata: Metadata


AnyCell: TypeAlias = "Cell | NotebookNode"
AnyNotebook: TypeAlias = "Notebook | NotebookNode"


def own_metadata(notebook: AnyNotebook) -> dict[str, object]:
    """Return the part of a notebook's metadata that Foldem has written."""
    metadata = notebook.metadata.get("foldem") if isinstance(notebook.metadata, dict) else None
    return metadata if isinstance(metadata, dict) else {}


def is_only_check(cell: AnyCell) -> bool:
    """Return whether a cell contains only the check of an exercise.

    In Colab and VS Code, students can edit a locked cell, so the cell of a check may contain other code, too.
    """
    return bool(ONLY_CHECKS_PATTERN.fullmatch(str(cell.source)))


def grade_id(cell: AnyCell) -> str:
    """Return a cell's grade id in nbgrader, or "" if it has none."""
    metadata = cell.metadata.get("nbgrader", {}) if isinstance(cell.metadata, dict) else {}
    name = metadata.get("grade_id", "") if isinstance(metadata, dict) else ""
    return name if isinstance(name, str) else ""


# These quantifiers are possessive. Otherwise a line of 99,000 spaces would be tried in every possible split.
MAGIC_PATTERN = re.compile(r"^(\s*+)(?:[%!?].*|\w[\w.]*+\?{1,2}\s*+|[\w, ]++=\s*+[%!].*)$")
PASTED_PROMPT_PATTERN = re.compile(r"^(?:>>>|\.\.\.)(?: |$)")
ALLOWED_CELL_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun")
LINE_END_PATTERN = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class ParsedCell:
    """A cell's statements and lines (without IPython's own lines), or the flaw that makes the cell unreadable."""

    statements: Sequence[ast.stmt] = ()
    lines: Sequence[str] = ()
    flaw: Flaw | None = None

    def text_of(self, statements: Iterable[ast.stmt]) -> str:
        """Return the text of some statements. Each statement keeps the line number that it has in the cell."""
        rows: dict[int, str] = {}
        for node in statements:
            pieces = list(
                self.lines[first_line_number(node) - 1 : node.end_lineno]
            )  # maybe with other statements around it
            pieces[-1] = pieces[-1].encode()[: node.end_col_offset].decode()
            pieces[0] = pieces[0].encode()[node.col_offset :].decode()
            for row, piece in enumerate(pieces, first_line_number(node)):
                rows[row] = f"{rows[row]}; {piece}" if row in rows else piece
        return "\n".join(rows.get(row, "") for row in range(1, max(rows, default=0) + 1))


def parse_cell(source: str) -> ParsedCell:
    """Parse a cell. If the cell cannot be parsed, no exception is raised, but the result has a flaw."""
    lines = LINE_END_PATTERN.split(source)
    has_many_braces = source.count("{") > MOST_FSTRING_BRACES  # Python 3.11 parses an f-string for each one
    if len(source) > LARGEST_CELL or len(lines) > MOST_CELL_LINES or has_many_braces:
        return ParsedCell(flaw=Flaw(TOO_LONG))
    if lines[0].startswith("%%") and not lines[0].startswith(ALLOWED_CELL_MAGICS):
        return ParsedCell()
    flaw: Flaw | None = None
    for attempt in _parsing_attempts(lines):
        try:
            tree = tree_of("\n".join(attempt))
        except SyntaxError as error:
            flaw = Flaw(BAD_SYNTAX, error.msg, error.lineno)
        except (ValueError, RecursionError, MemoryError) as error:
            flaw = Flaw(UNPARSABLE, type(error).__name__)
        else:
            is_large = any(len(subtree_of(statement).nodes) >= DEEPEST_CODE for statement in tree.body)
            depth, level = 0, list[ast.AST](tree.body if is_large else ())  # a small tree cannot be deep
            while level:
                depth, level = depth + 1, [part for node in level for part in child_nodes(node)]
            if depth < DEEPEST_CODE:
                return ParsedCell(tree.body, attempt)
            flaw = Flaw(TOO_DEEP)
    return ParsedCell(flaw=flaw)


def _parsing_attempts(lines: list[str]) -> Iterator[list[str]]:
    """Yield the lines unchanged, then without IPython's lines at the margin, then without all IPython lines.

    The margin comes first, since `%` is also an operator. Like IPython, remove the first line's indentation or prompt
    from all lines.
    """
    yield lines
    first = next(filter(str.strip, lines), "")
    indentation = first[: len(first) - len(first.lstrip(" \t"))]
    lines = [line.removeprefix(indentation) for line in lines]
    if first.lstrip(" \t").startswith(">>>"):
        lines = [PASTED_PROMPT_PATTERN.sub("", line) for line in lines]
    yield [MAGIC_PATTERN.sub("pass", line) if line[:1].strip() else line for line in lines]
    yield [MAGIC_PATTERN.sub(r"\1pass", line) for line in lines]


NO_FILE, NO_NOTEBOOK = "not a regular file", "the file is not a valid Jupyter notebook"
CONFLICT_MARKER_PATTERN = re.compile(r"^(?:<{7}|={7}|>{7})(?: |$)", re.MULTILINE)
PYTHON_FILE_MESSAGE = "this is a Python file. Hand in the notebook, an .ipynb file"
CLEAR_OUTPUTS_ADVICE = "Clear the outputs of all cells, and hand it in again"
LINK_MESSAGE = "this is a link to another file; links are not followed. Hand in the file itself"
OPEN_FOLDER_FLAGS = getattr(os, "O_PATH", 0) | getattr(os, "O_NOFOLLOW", 0)
OPEN_FILE_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
CAN_OPEN_IN_STEPS = hasattr(os, "O_PATH") and hasattr(os, "geteuid")  # without the right to list the folders
PYTHON_SUFFIX = ".py"
NOTEBOOK_SUFFIXES = ".ipynb", ".json", ".txt"  # browsers save notebooks as .txt, too


def read_notebook(path: Path) -> Notebook:
    """Read the notebook in a file. Raises NotebookError if the file is not a notebook."""
    return notebook_in(path, read_content(path))


def read_content(path: Path) -> bytes:
    """Return the bytes of a submitted file. Raises NotebookError if the file cannot be read.

    Use the same bytes for the notebook and for its digest, because the file may change before it is read again.
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
    """Return the notebook that the bytes of a file contain. Raises NotebookError if the bytes are not a notebook."""
    if path.suffix.lower() == PYTHON_SUFFIX:
        raise NotebookError(PYTHON_FILE_MESSAGE)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        kind = "UTF-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "not UTF-8"
        raise NotebookError(f"the file cannot be read: {kind} text. Save it as UTF-8") from None
    if text.count("[") + text.count("{") > MOST_JSON_PARTS:
        raise NotebookError(f"the file contains more than {MOST_JSON_PARTS:,} parts. {CLEAR_OUTPUTS_ADVICE}")
    try:
        if r"\ud" in text or r"\uD" in text:  # half a character, which no report could contain, becomes "?"
            text = json.dumps(json.loads(text), ensure_ascii=False).encode(errors="replace").decode()
        notebook = _notebook_from_data(json.loads(text))
    except NotebookError:
        raise
    except Exception as error:
        raise BrokenNotebook(f"{NO_NOTEBOOK}{_cause(text, error)}") from None
    if len(notebook.cells) > MOST_NOTEBOOK_CELLS:  # sorting them would take minutes
        raise NotebookError(f"the notebook has more than {MOST_NOTEBOOK_CELLS:,} cells. Delete cells without answers")
    return notebook


def _cause(text: str, error: Exception) -> str:
    """Return why a text is not a notebook, as the end of a sentence; "" if there is nothing to say."""
    if not text.strip():
        return ": it is empty. Hand it in again"
    if marker := CONFLICT_MARKER_PATTERN.search(text):
        line = text.count("\n", 0, marker.start()) + 1
        return f": line {line} is a conflict marker of git. Resolve the conflict"
    return f": line {error.lineno} is broken. Hand it in again" if isinstance(error, json.JSONDecodeError) else ""


def read_file(path: Path, most: int = LARGEST_FILE) -> bytes:
    """Return the bytes of a submitted file.

    Raises NotebookError for a symbolic link, a device, or a file of more than `most` bytes.
    """
    ensure_no_link(path)
    if path.is_dir():
        raise NotebookError(NO_FILE)
    with open(_open_without_links(path), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise NotebookError(NO_FILE)
        content = file.read(most + 1)
    if len(content) > most:
        raise NotebookError(f"the file is larger than {most // 1_000_000:,} MB. {CLEAR_OUTPUTS_ADVICE}")
    return content


def _open_without_links(path: Path) -> int:
    """Return a descriptor of a file. Raises OSError if the file is a symbolic link.

    A file is opened long after it was found. In the meantime, the student can replace a folder above the file by a link
    to another student's folder. To avoid such links, each folder is opened from the folder above. Raises NotebookError
    for a link to a folder.
    """
    if not CAN_OPEN_IN_STEPS:
        return os.open(path, OPEN_FILE_FLAGS)
    folder, todo, links = None, [*reversed(path.absolute().parent.parts)], 0
    with ExitStack() as opened:
        while todo:
            step = os.open(todo.pop(), OPEN_FOLDER_FLAGS, dir_fd=folder)
            opened.callback(os.close, step)
            if stat.S_ISLNK(os.fstat(step).st_mode):
                if os.fstat(step).st_uid not in (0, os.geteuid()):  # it belongs neither to this user nor to the system
                    raise NotebookError(LINK_MESSAGE)
                links += 1
                if links > MOST_SYMBOLIC_LINKS:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
                todo += reversed(Path(os.readlink("", dir_fd=step)).parts)
            else:
                folder = step
        return os.open(path.name, OPEN_FILE_FLAGS, dir_fd=folder)


def ensure_no_link(path: Path) -> None:
    """Raise NotebookError for a symbolic link, because it may lead to another student's file, or to an endless file."""
    if os.path.islink(path):
        raise NotebookError(LINK_MESSAGE)


def _notebook_from_data(data: dict[str, Any]) -> Notebook:
    if data["nbformat"] != 4:
        raise BrokenNotebook(f"{NO_NOTEBOOK} of format 4. Open it in JupyterLab, save it, and hand it in again")
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
