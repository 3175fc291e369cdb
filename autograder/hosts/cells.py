"""Grade nbgrader's own cells as nbgrader does, but in a sandboxed kernel, and make students' texts harmless on pages.

`kernel_config` is for any nbgrader course. `nbgrader.py` adds the exercises of units to it.
"""

from __future__ import annotations

import html
import json
import os
import re
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import nbformat
from jinja2 import pass_context
from jinja2.runtime import Context
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbconvert.exporters import HTMLExporter, NotebookExporter
from nbconvert.filters import Highlight2HTML
from nbconvert.preprocessors.sanitize import SanitizeHTML
from nbformat import NotebookNode
from nbformat.v4 import new_notebook, new_output
from nbgrader import api
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGraderAPI
from nbgrader.converters import Autograde, base
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import Execute, NbGraderPreprocessor, SaveAutoGrades
from nbgrader.utils import compute_checksum, determine_grade, find_all_files, is_grade, is_solution, is_task
from traitlets import Bool, Integer
from traitlets.config import Config

from autograder.hosts.kernel_sandbox import UNSANDBOXED_ADVICE, KernelSandbox, kernel_sandbox_problem
from autograder.sandbox.cage import MEGABYTE
from autograder.submission.reading import (
    CHECK,
    NO_NOTEBOOK,
    BrokenNotebook,
    NotebookError,
    ensure_no_link,
    grade_id,
    read_file,
    read_notebook,
)
from autograder.term.assignments import SOURCE_FOLDER, STAMP_FILE
from autograder.term.files import SUBMITTED_FOLDER
from course.limits import LARGEST_HTML, LONGEST_COLORED, LONGEST_TIME_FILE, MOST_COLORED, MOST_COPIED_BYTES
from course.show.blocks import BLANK_LINE_PATTERN

if TYPE_CHECKING:
    from jupyter_client.manager import KernelManager

THIS_MODULE = __name__
Resources = dict[str, Any]  # nbconvert's resources
UNREADABLE, OWN = "foldem_unreadable", "foldem"
IS_LESSON, LEFT_OPEN = "given", "ungraded"  # in a cell's own metadata: a teacher's text, and a cell without a mark
EXCHANGE_CLASSES = {
    "collect": "autograder.hosts.exchange.Collect",
    "release_feedback": "autograder.hosts.exchange.ReleaseFeedback",
}
SKIP_TAG = "skip-execution"
FIRST_VERSION_WITH_IDS = 5  # the minor version of notebook format 4 in which cells have ids
CELL_ID, TAG = re.compile(r"[\w-]{1,64}", re.ASCII), re.compile(r"[\w-]{1,64}", re.ASCII)
PICTURE, BASE64 = re.compile(r"image/[\w.+-]+", re.ASCII), re.compile(r"[A-Za-z0-9+/=\s]*", re.ASCII)
STYLE_PATTERN = re.compile(r"<style.*?</style\s*>", re.DOTALL | re.IGNORECASE)
SAFE_OUTPUT_TYPES = {"text/plain", "text/latex", "text/markdown", "image/png", "image/jpeg", "image/svg+xml"}
TABLE_TAGS = ["table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption", "div", "span", "p", "br", "pre"]
_original_timestamp = CourseDirectory.get_existing_timestamp


def kernel_config(*, sandboxed: bool = True) -> Config:
    """Return the configuration of an nbgrader course.

    The course's notebooks run in a sandboxed kernel, unless `sandboxed` is false.
    """
    add_scripts_to_path()
    base.find_all_files, CourseDirectory.get_existing_timestamp = files_to_copy, hand_in_time
    NbGraderAPI.get_submitted_timestamp = submitted_time
    filters = {"strip_files_prefix": "keep_links", "markdown2html": "markdown_html", "highlight_code": "code_html"}
    config = Config(HTMLExporter={"filters": {name: f"{THIS_MODULE}.{each}" for name, each in filters.items()}})
    config.merge(Config(ExchangeFactory=EXCHANGE_CLASSES))
    config.Autograde.exporter_class = f"{THIS_MODULE}.ReadInvalidNotebooks"
    stock = Autograde.class_traits()
    config.Autograde.sanitize_preprocessors = [CleanCells, *stock["sanitize_preprocessors"].default()]
    ours = {Execute: RunCells, SaveAutoGrades: SaveMarks}
    grading = [ours.get(each, each) for each in stock["autograde_preprocessors"].default()]
    config.Autograde.autograde_preprocessors = grading
    config.RunCells.sandboxed = sandboxed
    return config


def add_scripts_to_path() -> None:
    """Add this Python's folder of scripts to PATH.

    If the folder of scripts is not in PATH, nbgrader cannot find `alembic`.
    """
    scripts = str(Path(sys.executable).parent)
    if scripts not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([scripts, os.environ.get("PATH", "")])


def files_to_copy(folder: str, exclude: list[str] | None = None) -> list[str]:
    """Return the files that nbgrader copies from a folder.

    Symbolic links, devices and huge files in a submission are left out. If nbgrader copied a symbolic link to an
    endless file, the copy would fill the disk.
    """
    files, room = find_all_files(folder, exclude), MOST_COPIED_BYTES
    if SUBMITTED_FOLDER not in Path(folder).parts:
        return list(files)
    copied = []
    for file in files:
        state = os.lstat(file)
        if stat.S_ISREG(state.st_mode) and state.st_size <= room:
            room -= state.st_size
            copied.append(file)
    return copied


def hand_in_time(folders: CourseDirectory, folder: str) -> object:
    """Return nbgrader's submission time.

    Return None if the file with the time is missing, is a symbolic link or a pipe, or contains no time. For a file
    without a time, nbgrader's own function would raise an AttributeError.
    """
    with suppress(OSError, ValueError, OverflowError, AttributeError):
        read_file(Path(folder, STAMP_FILE), LONGEST_TIME_FILE)
        return _original_timestamp(folders, folder)
    return None


def submitted_time(api: NbGraderAPI, assignment: str, student: str) -> object:
    """Return the time of a student's submission, as `hand_in_time` does. nbgrader's formgrader calls this function.

    With nbgrader's own method, an invalid time would prevent formgrader from showing any page.
    """
    folders = api.coursedir
    return hand_in_time(folders, folders.format_path(folders.submitted_directory, student, assignment))


# --------------------------------------------------------------------------------------- the student's notebook


class ReadInvalidNotebooks(NotebookExporter):  # type: ignore[misc]
    """Reads an invalid notebook as an empty one with a note, so that the student is ungraded and does not get 0 points.

    Notebooks are validated when they are read and when they are written, but not after each preprocessor.
    """

    def _validate_preprocessor(self, nbc: object, preprocessor: object) -> None:
        pass

    def from_filename(
        self, filename: str, resources: Resources | None = None, **kw: object
    ) -> tuple[NotebookNode, Resources]:
        """Read a notebook from a file, and run nbconvert's preprocessors on it.

        A file that cannot be graded, such as a pipe or a huge file, becomes an empty notebook.
        """
        path = Path(filename)
        try:
            if SUBMITTED_FOLDER in path.parts:
                read_notebook(path)
            with path.open(encoding="utf-8") as file:
                for each in (path, *path.parents[:2]):
                    ensure_no_link(each)
                notebook = nbformat.read(file, as_version=4)
            if SUBMITTED_FOLDER in path.parts:
                notebook.metadata.pop(UNREADABLE, None)
        except Exception as error:
            is_named = isinstance(error, NotebookError) and not isinstance(error, BrokenNotebook)
            notebook = new_notebook(metadata={UNREADABLE: str(error) if is_named else NO_NOTEBOOK})
        given = {**(resources or {}), "metadata": {"name": path.stem, "path": str(path.parent)}}
        return self.from_notebook_node(notebook, resources=given, **kw)


class CleanCells(NbGraderPreprocessor):  # type: ignore[misc]
    """Makes a student's cells valid, and restores nbgrader's metadata in them from the gradebook.

    If a cell is a copy or seems to be of an old version, nbgrader without Foldem would stop the command for the whole
    class.
    """

    def preprocess(self, nb: NotebookNode, resources: Resources) -> tuple[NotebookNode, Resources]:
        given = resources["nbgrader"]
        files = (Path(name, given["assignment"], f"{given['notebook']}.ipynb") for name in (SOURCE_FOLDER, "release"))
        texts = (cell for file in files if file.is_file() for cell in nbformat.read(file, as_version=4).cells)
        lessons = {text_key(cell) for cell in texts}  # a teacher's
        with Gradebook(given["db_url"]) as gradebook:
            try:
                notebook = gradebook.find_notebook(given["notebook"], given["assignment"])
            except MissingEntry:
                return nb, resources
            known = {cell.name: nbgrader_metadata_of(cell, notebook) for cell in notebook.source_cells}
        nb.metadata = nbformat.from_dict({UNREADABLE: text} if (text := nb.metadata.get(UNREADABLE)) else {})
        nb.cells = [*reversed([sanitized_cell(cell, known, lessons) for cell in reversed(nb.cells)])]
        drop_ids(nb)
        return nb, resources


def drop_ids(nb: NotebookNode) -> None:
    """Remove the ids of cells if the notebook's format does not allow ids."""
    for cell in nb.cells if nb.nbformat_minor < FIRST_VERSION_WITH_IDS else ():
        cell.pop("id", None)


def text_key(cell: Mapping[str, object]) -> str:
    """Return a key for a cell's text and attachments. Cells with the same key look the same on a page."""
    return json.dumps([cell.get("source"), cell.get("attachments") or {}], sort_keys=True, default=str)


def nbgrader_metadata_of(cell: api.SourceCell, notebook: api.Notebook) -> dict[str, object]:
    """Return nbgrader's metadata for a cell of the original assignment."""
    points = {each.name: each.max_score for each in (*notebook.grade_cells, *notebook.task_cells)}
    kinds = {"grade": notebook.grade_cells, "solution": notebook.solution_cells, "task": notebook.task_cells}
    flags = {kind: any(each.name == cell.name for each in cells) for kind, cells in kinds.items()}
    worth = {"points": points[cell.name]} if cell.name in points else {}
    about = {"grade_id": cell.name, "locked": cell.locked, "schema_version": 3, "cell_type": cell.cell_type}
    return {**about, **flags, **worth, "checksum": cell.checksum}


def sanitized_cell(cell: NotebookNode, known: dict[str, dict[str, object]], lessons: set[str]) -> NotebookNode:
    """Return a valid copy of a student's cell.

    If `known` has nbgrader's metadata for the cell, the copy gets them, and they are removed from `known`. If a student
    has copied a cell, the last copy gets nbgrader's metadata, because cells are read from the last one to the first.
    `lessons` has the key of each of the teacher's texts (see `text_key`).
    """
    text, kind, name, data = (cell.get(key) for key in ("source", "cell_type", "id", "metadata"))
    data = data if isinstance(data, dict) else {}
    own = known.pop(grade_id(nbformat.from_dict({"metadata": data})), None)
    kind = own["cell_type"] if own else kind
    tags = given if isinstance(given := data.get("tags"), list) else []
    flags = (key for key in ("deletable", "editable") if isinstance(data.get(key), bool))
    metadata: dict[str, object] = {key: data[key] for key in flags}
    if tags := [tag for tag in tags if isinstance(tag, str) and TAG.fullmatch(tag) and not (own and tag == SKIP_TAG)]:
        metadata["tags"] = tags
    if own:
        metadata["nbgrader"] = own
    parts: dict[str, object] = {"cell_type": "code" if kind == "code" else "markdown", "source": str(text or "")}
    if isinstance(name, str) and CELL_ID.fullmatch(name):
        parts["id"] = name
    if kind == "code":
        return nbformat.from_dict(parts | {"metadata": metadata, "outputs": [], "execution_count": None})
    attached = cell.get("attachments")
    pictures = {
        name: data
        for name, data in (attached.items() if isinstance(attached, dict) else ())
        if isinstance(data, dict) and data and all(map(is_picture, data.items()))
    }  # older versions of mistune do not escape the contents of others
    if pictures:
        parts["attachments"] = pictures
    if kind == "markdown" and text_key(parts) in lessons:
        metadata[OWN] = {IS_LESSON: True}
    return nbformat.from_dict(parts | {"metadata": metadata})


def is_picture(attachment: tuple[str, object]) -> bool:
    """Return whether an attachment (its type and its data) is a picture in base64.

    >>> is_picture(("image/png", "iVBO/w==")), is_picture(("image/png", '"><script>')), is_picture(("x/y", "iVBO"))
    (True, False, False)
    """
    kind, data = attachment
    return bool(PICTURE.fullmatch(kind) and isinstance(data, str) and BASE64.fullmatch(data))


# ------------------------------------------------------------------------------------------------- the kernel


class RunCells(Execute):  # type: ignore[misc]
    """Runs a notebook as nbgrader does, but in a sandboxed kernel.

    If a cell ends the kernel, or if time runs out, the cells below it get no mark. A teacher has to grade the cells
    without a mark.
    """

    sandboxed = Bool(True, help="Run the kernel in bubblewrap.").tag(config=True)
    longest = Integer(1800, help="The time for a notebook, in seconds.").tag(config=True)
    most_output = Integer(10, help="The output of a notebook that is kept, in MB.").tag(config=True)
    store_widget_state = False
    _index, _until, _room = 0, 0.0, 0

    def is_needed(self, nb: NotebookNode, resources: Resources) -> bool:
        """Return whether a notebook has to be run."""
        return not nb.metadata.get(UNREADABLE)

    def is_skipped(self, cell: NotebookNode, resources: Resources) -> bool:
        """Return whether a cell is not run here, because it is graded in another way."""
        return False

    def create_kernel_manager(self) -> KernelManager:
        manager = super().create_kernel_manager()
        if self.sandboxed:
            manager.provisioner = self.sandbox_of(manager)
        return manager

    def sandbox_of(self, manager: KernelManager, **options: object) -> KernelSandbox:
        """Return the provisioner that starts the kernel in a sandbox.

        This provisioner replaces the provisioner that the kernel's specification names.
        """
        exchange = self.config.Exchange.root if "root" in self.config.Exchange else ""
        sandbox = KernelSandbox(kernel_id="", kernel_spec=manager.kernel_spec, parent=manager, **options)
        sandbox.hidden = [*sandbox.hidden, str(Path.cwd()), *filter(None, [str(exchange)])]
        return sandbox

    def preprocess(self, nb: NotebookNode, resources: Resources, km: object = None) -> tuple[NotebookNode, Resources]:
        if not self.is_needed(nb, resources):
            return nb, resources
        if self.sandboxed and (wrong := kernel_sandbox_problem()):
            raise SystemExit(f"foldem: nothing was graded: {wrong}; {UNSANDBOXED_ADVICE}")
        self._until, self._room = monotonic() + self.longest, self.most_output * MEGABYTE
        try:
            super().preprocess(nb, resources, km)
        except (DeadKernelError, CellTimeoutError) as error:
            put_error(nb.cells[self._index], type(error).__name__, "This cell ended the kernel.")
            for cell in nb.cells[self._index + 1 :]:
                self._leave_open(cell, resources)
        for cell in (cell for cell in nb.cells if self.sandboxed and cell.cell_type == "code"):
            cell.outputs = clean_outputs(cell.outputs)
        return nb, resources

    def preprocess_cell(self, cell: NotebookNode, resources: Resources, index: int) -> tuple[NotebookNode, Resources]:
        self._index = index
        if self.is_skipped(cell, resources):
            return cell, resources
        if monotonic() > self._until:
            self._leave_open(cell, resources)
            return cell, resources
        return super().preprocess_cell(cell, resources, index)

    def _leave_open(self, cell: NotebookNode, resources: Resources) -> None:
        if cell.cell_type == "code" and not self.is_skipped(cell, resources):
            cell.metadata[OWN] = {LEFT_OPEN: True}
            put_error(cell, "NotRun", "This cell was not run: cells above it ended the kernel, or took too long.")

    def output(
        self, outs: list[NotebookNode], msg: Mapping[str, object], display_id: str, cell_index: int
    ) -> NotebookNode | None:
        """Store an output of a cell, and return the output. If the notebook prints too much, the cell fails."""
        self._room -= len(str(msg["content"]))
        if self._room >= 0:
            with suppress(KeyError):  # a widget that catches outputs, but was closed
                return super().output(outs, msg, display_id, cell_index)
            return None
        if not any(each.output_type == "error" for each in outs):
            text = f"The notebook has more than {self.most_output} MB of output."
            outs.append(new_output("error", ename="TooMuchOutput", evalue=text, traceback=[text]))
        return None


def put_error(cell: NotebookNode, name: str, text: str) -> None:
    """Replace a cell's outputs by one error, which counts as a failed test."""
    cell.outputs = [new_output("error", ename=name, evalue=text, traceback=[f"{name}: {text}"])]


def clean_outputs(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Return the outputs without anything that runs a script on a teacher's page.

    Of an HTML output, only tables and text remain.
    """
    for output in outputs:
        if "data" not in output:
            continue
        texts = {kind: text for kind, text in output.data.items() if isinstance(text, str)}
        safe = {kind: text for kind, text in texts.items() if kind in SAFE_OUTPUT_TYPES}
        with suppress(RecursionError):
            if len(page := texts.get("text/html", "")) <= LARGEST_HTML and page:
                safe["text/html"] = SANITIZER.sanitize_html_tags(STYLE_PATTERN.sub("", page))
        output.data, output.metadata = nbformat.from_dict(safe), NotebookNode()
    return outputs


def is_harmless_attribute(tag: str, name: str, value: str) -> bool:
    """Return whether an attribute may stay in a student's HTML.

    Other attributes could change parts of the teacher's page.
    """
    return name in ("colspan", "rowspan", "border") or (name, value) == ("class", "dataframe")


SANITIZER = SanitizeHTML(strip=True, attributes=is_harmless_attribute)
SANITIZER.tags = [*SANITIZER.tags, *TABLE_TAGS]


class SaveMarks(NbGraderPreprocessor):  # type: ignore[misc]
    """Saves marks as nbgrader does, but in one commit for each notebook instead of two for each cell.

    If a cell could not be graded, and that is not the student's fault, the cell gets no mark. A teacher must then
    grade this cell.
    """

    def preprocess(self, nb: NotebookNode, resources: Resources) -> tuple[NotebookNode, Resources]:
        given = resources["nbgrader"]
        with Gradebook(given["db_url"]) as gradebook:
            notebook = gradebook.find_submission_notebook(given["notebook"], given["assignment"], given["student"])
            grades, comments = (_rows_by_cell(gradebook, kind, notebook) for kind in (api.Grade, api.Comment))
            for cell in filter(is_grade, nb.cells):
                is_open = cell.metadata.get(OWN, {}).get(LEFT_OPEN, bool(nb.metadata.get(UNREADABLE)))
                grade, score = grades[grade_id(cell)], None if is_open else determine_grade(cell, self.log)[0]
                # As in nbgrader, a person has to look at it if there is no mark, or one by hand.
                grade.auto_score, grade.needs_manual_grade = score, score is None or grade.manual_score is not None
            for cell in nb.cells:
                if is_solution(cell) or is_task(cell):
                    is_unchanged = cell.metadata["nbgrader"].get("checksum") == compute_checksum(cell)
                    is_blank = is_unchanged and not is_task(cell) and f"{grade_id(cell)}{CHECK}" not in grades
                    comments[grade_id(cell)].auto_comment = "No response." if is_blank else None
            self.adjust_unit_marks(nb, gradebook, grades, given)
            gradebook.db.commit()
        return nb, resources

    def adjust_unit_marks(
        self, nb: NotebookNode, gradebook: Gradebook, grades: dict[str, api.Grade], given: Resources
    ) -> None:
        """Adjust the marks of a unit's cells.

        Here, the method does nothing. A subclass overrides it.
        """


def _rows_by_cell(
    gradebook: Gradebook, kind: type[api.Grade] | type[api.Comment], notebook: api.SubmittedNotebook
) -> dict[str, api.Grade]:
    """Return the grades or the comments of a notebook, by their cells. nbgrader loads each row separately."""
    named = gradebook.db.query(api.BaseCell.name, kind).join(kind, kind.cell_id == api.BaseCell.id)
    return dict(named.filter(kind.notebook_id == notebook.id).all())


# ------------------------------------------------------------------------- nbgrader's pages: formgrader, feedback


def keep_links(page: str) -> str:
    """Return the page unchanged.

    This function replaces a filter of nbconvert, which takes minutes for a few kilobytes of brackets.
    """
    return page


@pass_context
def markdown_html(context: Context, source: str) -> str:
    """Return a cell's markdown as HTML.

    A teacher's markdown is rendered. A student's markdown is shown as plain text with pictures.
    """
    cell = context.get("cell")
    if cell is None or cell.metadata.get(OWN, {}).get(IS_LESSON):  # without a cell, it is a teacher's comment
        return str(_html_exporter().markdown2html(context, source))
    pictures = (item for data in (cell.get("attachments") or {}).values() for item in data.items())
    images = "".join(f'<img src="data:{kind};base64,{data}">' for kind, data in filter(is_picture, pictures))
    return f"<pre>{html.escape(source)}</pre>{images}"


@cache
def _html_exporter() -> HTMLExporter:
    return HTMLExporter()


@pass_context
def code_html(context: Context, source: str, metadata: object = None) -> str:
    """Return code as HTML, in colors. Code that could take long to color is shown as plain text."""
    nb = context["nb"]
    is_large = sum(len(cell.source) for cell in nb.cells) > MOST_COLORED
    if is_large or any(len(line) > LONGEST_COLORED for line in source.split("\n")) or BLANK_LINE_PATTERN.search(source):
        return f'<div class="highlight"><pre>{html.escape(source)}</pre></div>'
    language = nb.metadata.get("language_info", {})
    lexer = language.get("pygments_lexer", language.get("name"))
    return str(Highlight2HTML(pygments_lexer=lexer)(source, metadata=metadata))
