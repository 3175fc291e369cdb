"""Foldem's extensions of nbgrader: stubs in assignments, restored check cells, and sandboxed grading."""

from __future__ import annotations

import atexit
import csv
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TextIO

import nbformat
from nbconvert.exporters import HTMLExporter, NotebookExporter
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader import api
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGraderAPI
from nbgrader.converters import base
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import CsvExportPlugin
from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor
from nbgrader.utils import compute_checksum, determine_grade, find_all_files, is_grade, is_solution
from traitlets import Bool
from traitlets.config import Config

from autograder.config import ConfigError, help_for, with_course_packs
from autograder.garbage import look_seldom
from autograder.grading.batch import Brief, learned_of
from autograder.grading.cages import SharedSandbox
from autograder.report import render
from autograder.report.model import UNGRADED, ExerciseReport, Graded, Report, Ungradable
from autograder.report.stops import BadFile, NotInUnit
from autograder.submission.cell import LARGEST_CELL
from autograder.submission.notebook import (
    CHECK,
    WRITTEN_REPORT,
    BrokenNotebook,
    NotebookError,
    grade_id,
    only_checks,
)
from autograder.submission.reading import LARGEST_COPY, NO_NOTEBOOK, demand_no_link, read_file, read_notebook
from autograder.term import TermError
from autograder.term.adjust import EXTRA_CREDIT, ChangeTable
from autograder.term.assignments import SOURCE, source_points
from autograder.term.autograding import drop_unfinished, drop_unfinished_feedback
from autograder.term.comments import commented
from autograder.term.course import Course, read_course
from autograder.term.files import atomic_text
from autograder.term.gradebook import set_own_credit
from autograder.term.lateness import LONGEST_STAMP, STAMP_FILE
from autograder.term.locations import SUBMITTED, Home, Located, placed
from autograder.term.points import points_of, scaled
from autograder.term.results import Terms, content_of, decoded_report, marks_json
from autograder.term.store import Store, StoreError
from autograder.term.where import NOWHERE, course_in, store_address
from autograder.text import safe_cell_of_text
from autograder.units.pack import UnitError, catalogue_here, kernel_environment
from course.show.highlight import BLANK_LINES

THIS_MODULE = __name__
Resources = dict[str, Any]  # nbconvert's resources
GOES_ON_TAGS = ["raises-exception"]
LONGEST_RUN = 1800
_existing_timestamp = CourseDirectory.get_existing_timestamp
UNREADABLE = "foldem_unreadable"
SHOWING = {"filters": {"strip_files_prefix": f"{THIS_MODULE}.keep_links"}}
EXCHANGE = {
    "collect": "autograder.hosts.exchange.Collect",
    "release_feedback": "autograder.hosts.exchange.ReleaseFeedback",
}
ZIPS = {"extractor_plugin": "autograder.hosts.exchange.NoZipCollect"}
AFTER_RUNNING = (
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    f"{THIS_MODULE}.SaveMarks",
    "nbgrader.preprocessors.AssignLatePenalties",
)

MAKING = (
    "nbgrader.preprocessors.IncludeHeaderFooter",
    "nbgrader.preprocessors.LockCells",
    f"{THIS_MODULE}.TellHelp",
    f"{THIS_MODULE}.ClearAnswers",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.CheckCellMetadata",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.SaveCells",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.CheckCellMetadata",
)
# A tag, or a link that is neither to a website nor into the notebook. Such a link may contain a script.
MARKUP = re.compile(r"<[A-Za-z/!?]|\][(:]\s*(?!\s|https?://|attachment:|#)")
ATTACHED = re.compile(r"attachment:([^\s)]*)")
# The beginnings of formulas. nbconvert searches for the end of each one in the rest of the cell,
# and Pygments for the end of blank lines with spaces, in a block of Python.
MATH_START, MOST_SLOW = re.compile(r"\\begin\{|\\\\[\[(]|\$"), 200
# A code block in another language than Python: coloring a cell takes many minutes in some languages.
# mistune ignores every kind of space before its name.
OTHER_CODE = re.compile(r"(?<![`~])(?:`{3}|~{3})[`~]*[ \t]*(?!py(?:thon3?)?[ \t]*$)[^ \t\r\n`~]", re.MULTILINE)
MOST_MARKDOWN = 10 * LARGEST_CELL  # characters of a student's notebook; some take mistune two seconds for each cell
# Pygments needs 13 seconds for 25,000 characters on a line of IPython, but only 0.3 seconds for them on 50 lines.
LONG_LINES, MOST_CODE = re.compile(r"^(.{500}).+", re.MULTILINE), 10 * LARGEST_CELL
PICTURE, BASE64 = re.compile(r"image/[\w.+-]+", re.ASCII), re.compile(r"[A-Za-z0-9+/=\s]*", re.ASCII)
CELL_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
FIRST_WITH_IDS = 5  # the minor version of notebook format 4 in which cells have ids
SANITIZING = (
    f"{THIS_MODULE}.DefuseMarkup",
    f"{THIS_MODULE}.RestoreChecks",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.OverwriteKernelspec",
)  # cell metadata is not validated: RestoreChecks writes all of it, and validating takes a tenth of the time


def course_config(*, sandboxed: bool = True) -> Config:
    """Return nbgrader's configuration for course folders, which import it.

    Invalid settings stop an nbgrader command before it changes anything.
    """
    _prepare()
    config = Config(HTMLExporter=SHOWING, ExchangeFactory=EXCHANGE, ZipCollectApp=ZIPS)
    config.Autograde.exporter_class = f"{THIS_MODULE}.ReadAnyway"
    config.Autograde.pre_convert_hook = "autograder.term.autograding.begin"
    config.Autograde.post_convert_hook = "autograder.term.autograding.end"
    config.ExportApp.plugin_class = f"{THIS_MODULE}.Export"
    config.GenerateFeedback.exporter_class = f"{THIS_MODULE}.Feedback"
    config.GenerateAssignment.preprocessors = [*MAKING]
    config.Autograde.sanitize_preprocessors = [*SANITIZING]
    running = f"{THIS_MODULE}.Grade" if sandboxed else "nbgrader.preprocessors.Execute"
    config.Autograde.autograde_preprocessors = [running, *AFTER_RUNNING]
    if not sandboxed:
        config.RestoreChecks.run_only_checks = True
        config.Execute.timeout = LONGEST_RUN
        # Otherwise a folder `course` next to the notebook would be imported instead of ours.
        config.Execute.extra_arguments = ["--IPKernelApp.ignore_cwd=True"]
    return config


def _prepare() -> None:
    """Set up what Foldem needs before a command of nbgrader starts."""
    find_scripts()
    base.find_all_files, CourseDirectory.get_existing_timestamp = files_to_copy, hand_in_time
    NbGraderAPI.get_submitted_timestamp = submitted_time
    if "nbgrader" in Path(sys.argv[0]).name:
        try:
            course = course_here()
            os.environ.update(kernel_environment(course.catalogue))
            _ = course.adjustments  # raises for bad ones
        except (ConfigError, UnitError, TermError) as error:
            raise SystemExit(f"foldem: {error}") from None
    if is_running("generate_feedback"):
        drop_unfinished_feedback(Path.cwd())
    if is_running("autograde"):
        look_seldom()
        for folder in drop_unfinished(Path.cwd()):
            print(f"foldem: {folder} is graded again: grading was interrupted, or a newer file counts", file=sys.stderr)


def course_here() -> Course:
    """Return nbgrader's current course. nbgrader runs in the course folder; students' files are in folders below it."""
    return read_course(Path.cwd(), with_course_packs(catalogue_here(), Path.cwd()))


def files_to_copy(folder: str, exclude: list[str] | None = None) -> list[str]:
    """Return the files that nbgrader copies from a folder. A hand-in's links, devices and huge files are left out.

    Otherwise, a link to an endless file would fill the disk.
    """
    files, room = find_all_files(folder, exclude), LARGEST_COPY
    if SUBMITTED not in Path(folder).parts:
        return list(files)
    copied = []
    for file in files:
        state = os.lstat(file)
        if stat.S_ISREG(state.st_mode) and state.st_size <= room:
            room -= state.st_size
            copied.append(file)
    return copied


def hand_in_time(folders: CourseDirectory, folder: str) -> object:
    """Return nbgrader's hand-in time, or None if the time stamp is missing, a link, a pipe, or no time.

    For a text that is no time, nbgrader calls a method that it does not have.
    """
    with suppress(OSError, ValueError, OverflowError, AttributeError):
        read_file(Path(folder, STAMP_FILE), LONGEST_STAMP)
        return _existing_timestamp(folders, folder)
    return None


def submitted_time(api: NbGraderAPI, assignment: str, student: str) -> object:
    """Return what `hand_in_time` does for a student's hand-in. nbgrader's formgrader shows no page without it."""
    folders = api.coursedir
    return hand_in_time(folders, folders.format_path(folders.submitted_directory, student, assignment))


def is_running(command: str) -> bool:
    """Return whether this is nbgrader's own command of a name, such as `autograde`."""
    name, *words = (Path(sys.argv[0]).name, *sys.argv[1:2])
    return (name, *words[:1]) == ("nbgrader", command) or name == f"nbgrader-{command}"


def find_scripts() -> None:
    """Put this Python's folder on PATH, so that nbgrader finds `alembic` without an activated environment."""
    scripts = str(Path(sys.executable).parent)
    if scripts not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([scripts, os.environ.get("PATH", "")])


def generate(root: Path, assignment: str, config: Config) -> None:
    """Run nbgrader's `generate_assignment` in a course folder. Raises RuntimeError with its log if it fails.

    No gradebook is made, since nbgrader starts another process for a new one.
    """
    config = Config(config)
    config.CourseDirectory.root = str(root)
    config.GenerateAssignment.no_database = True
    config.GenerateAssignment.preprocessors = [each for each in MAKING if not each.endswith(".SaveCells")]
    api = NbGraderAPI(CourseDirectory(config=config), config=config)
    result = api.generate_assignment(assignment, force=True)
    if not result["success"]:
        raise RuntimeError(f"nbgrader could not generate {assignment}:\n{result.get('log') or result.get('error')}")


class TellHelp(NbGraderPreprocessor):  # type: ignore[misc]
    """Writes into an assignment whether students can use hints, reference answers and links to games."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> tuple[NotebookNode, Resources]:
        allowed = help_for(Path(resources["metadata"]["path"]))
        if allowed is not None and "foldem" in nb.metadata:
            nb.metadata["foldem"]["help"] = allowed
        return nb, resources


class ClearAnswers(ClearSolutions):  # type: ignore[misc]
    """Replaces each answer in its cell by the stub: `raise NotImplementedError`, `deck = TODO`, questions."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: Resources, cell_index: int
    ) -> tuple[NotebookNode, Resources]:
        if line := cell.metadata.get("foldem", {}).get("stub"):
            self.code_stub, self.text_stub = {"python": line}, line
        return super().preprocess_cell(cell, resources, cell_index)


def keep_links(page: str) -> str:
    """Return the same page. The filter that it replaces in nbconvert takes minutes for a few kilobytes of brackets."""
    return page


class RestoreChecks(NbGraderPreprocessor):  # type: ignore[misc]
    """Restores nbgrader's cells in a submission: their metadata, their types, and the texts of locked cells.

    Unlike nbgrader itself, it loads all original cells of a notebook at once, and adds deleted check cells.
    """

    run_only_checks = Bool(
        False, help="Run only the check cells, so that no student cell can stop nbgrader's run."
    ).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: Resources) -> tuple[NotebookNode, Resources]:
        for cell in nb.cells:
            cell.metadata.pop("foldem", None)  # only the grader may write marks there
        given = resources["nbgrader"]
        with Gradebook(given["db_url"]) as gradebook:
            try:
                notebook = gradebook.find_notebook(given["notebook"], given["assignment"])
            except MissingEntry:
                return nb, resources
            sources = {cell.name: cell for cell in notebook.source_cells}
            checks = [cell for cell in notebook.grade_cells if cell.name.endswith(CHECK)]
            change = points_changed(given["assignment"], given["notebook"])
            for cell in checks:
                set_points(cell, sources[cell.name], change(cell.name.removesuffix(CHECK), cell.max_score))
            gradebook.db.commit()
            self._restore(nb, sources, {cell.name: cell.max_score for cell in checks})
        return nb, resources

    def _restore(self, nb: NotebookNode, sources: dict[str, api.SourceCell], points: dict[str, float]) -> None:
        visited: set[str] = set()
        for index, cell in reversed([*enumerate(nb.cells)]):
            name = grade_id(cell)
            if name in sources and name not in visited:
                visited.add(name)
                nb.cells[index : index + 1] = with_own_text(cell, sources[name], points)
            else:
                # nbgrader would blank the metadata of a copied cell, and then reject the whole batch as "old".
                cell.metadata.pop("nbgrader", None)
        nb.cells += [restored(new_code_cell(), sources[name], points) for name in points if name not in visited]
        for cell in nb.cells:
            if nb.nbformat_minor < FIRST_WITH_IDS:
                cell.pop("id", None)
            if cell.cell_type == "code":
                is_skipped = self.run_only_checks and grade_id(cell) not in points
                cell.metadata["tags"] = ["skip-execution"] if is_skipped else GOES_ON_TAGS


def with_own_text(cell: NotebookNode, source: api.SourceCell, points: dict[str, float]) -> list[NotebookNode]:
    """Return a restored cell. If it is locked, a cell above it has the code that the student has written there."""
    has_own = source.locked and not only_checks(cell)
    own = [new_code_cell(cell.source, id=f"{source.name}-own")] if has_own else []
    return [*own, restored(cell, source, points)]


def restored(cell: NotebookNode, source: api.SourceCell, points: dict[str, float]) -> NotebookNode:
    """Return a student's cell with the type, the metadata and, if it is locked, the text of the original."""
    metadata = _metadata(source.name, points) | {"locked": source.locked, "checksum": source.checksum}
    if source.name == WRITTEN_REPORT:
        metadata |= READ_BY_HAND
    new_cell = new_code_cell if source.cell_type == "code" else new_markdown_cell
    text = source.source if source.locked else cell.source
    made = new_cell(text, metadata=cell.metadata | {"nbgrader": metadata})
    del made["id"]  # an invented one: cells have no ids before format 4.5
    same = ("id", "attachments") if made.cell_type == "markdown" else ("id",)
    made.update({key: cell[key] for key in same if key in cell})
    return made


class DefuseMarkup(NbGraderPreprocessor):  # type: ignore[misc]
    """Turns a student's markdown that could run a script in a teacher's browser into code.

    Both nbgrader's formgrader and its feedback insert markdown unchanged into their pages. They show no page at all for
    an invalid cell, and would take hours for some markdown, and for code in some languages.
    """

    def preprocess(self, nb: NotebookNode, resources: Resources) -> tuple[NotebookNode, Resources]:
        given = resources["nbgrader"]
        files = (Path(name, given["assignment"], f"{given['notebook']}.ipynb") for name in (SOURCE, "release"))
        lessons = {cell.source for file in files if file.is_file() for cell in read_notebook(file).cells}
        nb.metadata.pop("language_info", None)
        room = MOST_MARKDOWN
        for index, cell in enumerate(nb.cells):
            nb.cells[index] = made = repaired(cell, lessons, room > 0)
            room -= len(made.source) * (made.cell_type == "markdown" and made.source not in lessons)
        return nb, resources


def repaired(cell: NotebookNode, lessons: set[str], has_room: bool = True) -> NotebookNode:
    """Return a student's cell as a valid one, which nbgrader's pages can show quickly and without running a script."""
    text, kind, name, given = (cell.get(key) for key in ("source", "cell_type", "id", "metadata"))
    metadata = {"nbgrader": given["nbgrader"]} if isinstance(given, dict) and "nbgrader" in given else {}
    parts: dict[str, object] = {"source": (text := str(text or "")), "metadata": metadata}
    if isinstance(name, str) and CELL_ID.fullmatch(name):
        parts["id"] = name
    if kind == "code":
        return nbformat.from_dict(parts | {"cell_type": "code", "outputs": [], "execution_count": None})
    pictures = pictures_of(cell)
    if kind != "markdown" or (text not in lessons and (not has_room or is_unsafe(text, pictures))):
        parts["source"] = as_code(text[:LARGEST_CELL])
    return nbformat.from_dict(parts | {"cell_type": "markdown"} | ({"attachments": pictures} if pictures else {}))


def is_unsafe(text: str, pictures: Mapping[str, object]) -> bool:
    """Return whether markdown could run a script, lacks a picture, or might take minutes to show."""
    is_slow = len(text) > LARGEST_CELL or any(len(way.findall(text)) > MOST_SLOW for way in (MATH_START, BLANK_LINES))
    is_odd = MARKUP.search(text) or OTHER_CODE.search(text)
    return is_slow or bool(is_odd) or not pictures.keys() >= {*ATTACHED.findall(text)}


def pictures_of(cell: NotebookNode) -> dict[str, object]:
    """Return the valid pictures among a cell's attachments. Older versions of mistune do not escape their contents."""
    attached = cell.get("attachments")
    named = attached.items() if isinstance(attached, dict) else ()
    return {
        name: data for name, data in named if isinstance(data, dict) and data and all(map(is_picture, data.items()))
    }


def is_picture(attachment: tuple[str, object]) -> bool:
    """Return whether an attachment, with its type, is a picture in base64.

    >>> is_picture(("image/png", "iVBO/w==")), is_picture(("image/png", '"><script>')), is_picture(("x/y", "iVBO"))
    (True, False, False)
    """
    kind, data = attachment
    return bool(PICTURE.fullmatch(kind) and isinstance(data, str) and BASE64.fullmatch(data))


def as_code(text: str) -> str:
    """Return a text as a code block of markdown.

    >>> as_code("<b>")
    '```\\n<b>\\n```'
    """
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
    return f"{fence}\n{text}\n{fence}"


def points_changed(assignment: str, stem: str) -> Callable[[str, float], float]:
    """Return the changed points of an exercise, from `adjust.toml` or the source notebook; otherwise `points`.

    The course's settings are read once for all exercises of a notebook.
    """
    course = course_here()
    unit = course.catalogue.by_stem.get(stem, "")
    if course.root is None or not unit:
        return lambda _, points: points
    changes, source = course.adjustments.changes, source_points(course, assignment, unit)

    def changed(name: str, points: float) -> float:
        change = changes.get((unit, name), ChangeTable())
        set_now = source.get(name, points) if change.points is None else change.points
        return 0 if change.dropped else set_now

    return changed


def set_points(cell: api.GradeCell, source: api.SourceCell, points: float) -> None:
    """Set the points of a check in the gradebook."""
    if points != cell.max_score:
        cell.max_score = points
        restored = new_code_cell(source.source, metadata={"nbgrader": _metadata(cell.name, {cell.name: points})})
        source.checksum = compute_checksum(restored)


READ_BY_HAND = {
    "grade": True,
    "points": 0,
}  # a text for a person to read has no check: nbgrader asks for a mark by hand


def _metadata(name: str, points: dict[str, float]) -> dict[str, object]:
    graded = name in points
    metadata = {
        "grade": graded,
        "grade_id": name,
        "locked": graded,
        "schema_version": 3,
        "solution": not graded,
        "task": False,
    }
    return metadata | ({"points": points[name]} if graded else {})


def extra_of(report: Report) -> float:
    """Return the points from the course's settings that belong to no exercise: a bonus, or lateness.

    In nbgrader, they are added to the first check.
    """
    given = (each for each in report.exercises if not each.number) if isinstance(report, Graded) else ()
    return sum(each.points for each in given if each.name != EXTRA_CREDIT)


class Grade(NbGraderPreprocessor):  # type: ignore[misc]
    """Grades a notebook in the sandbox instead of running it. Marks and reports become outputs of the check cells."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> tuple[NotebookNode, Resources]:
        nb.metadata.pop("widgets", None)
        given = resources["nbgrader"]
        course = course_here()
        location = hand_in_at(course, given["student"], given["assignment"], given["notebook"])
        whose = location.student, location.assignment, location.place
        judged = self._report(nb, location, course)
        final = course.all_adjustments.applied(judged, *whose)
        store, _ = course_store(course)
        with continue_without_store():
            if entry := store.entry(location.course, location.place):
                store.amend(entry, marks=marks_json(final))  # so that `foldem regrade` can list later changes
        show_report(nb, course.adjustments.applied(judged, *whose), extra_of(final))
        return nb, resources

    def _report(self, nb: NotebookNode, location: Located, course: Course) -> Report:
        problem = str(nb.metadata.get(UNREADABLE, ""))
        if problem not in ("", NO_NOTEBOOK):  # a link
            return Ungradable(BadFile(problem))
        return commented(graded_once(location, course), course.comments)


def hand_in_at(course: Course, student: str, assignment: str, notebook: str) -> Located:
    """Return the submission to grade: the original file, because nbgrader repairs only its own copy."""
    name = f"{student}/{assignment}/{notebook}"
    _, home = course_store(course)
    [location] = placed([(name, Path(SUBMITTED, f"{name}.ipynb"))], {}, home)
    return location


def show_report(nb: NotebookNode, report: Report, extra: float) -> None:
    """Write into each check cell its part of a report. The first check also has the points without an exercise.

    Long cells and lines are cut, because nbgrader would take hours to color some of them.
    """
    room = MOST_CODE
    for cell in nb.cells:
        if cell.cell_type != "code":
            continue
        cell.source = LONG_LINES.sub(r"\1", BLANK_LINES.sub("", cell.source))[: min(LARGEST_CELL, room)]
        room -= len(cell.source)
        cell.outputs, cell.execution_count = [], None
        if (name := grade_id(cell)).endswith(CHECK):
            exercise = exercise_report(report, name.removesuffix(CHECK))
            cell.outputs = check_outputs(exercise, points_of(cell))
            cell.metadata["foldem"] = {"ungraded": exercise.state == UNGRADED, "extra": extra}
            extra = 0.0


def graded_once(location: Located, course: Course) -> Report:
    """Return the report on a submission from the course's store, or grade the submission and save the report.

    If the store fails, the submission is graded without it.
    """
    brief = Brief(course.adjustments.over(course.policy), course.catalogue)
    store, _ = course_store(course)
    terms = Terms(store, brief, assignments=course.assignments)
    with continue_without_store():
        return _graded(location, terms)
    return _graded(location, replace(terms, store=Store(NOWHERE)))


def _graded(location: Located, terms: Terms) -> Report:
    content = content_of(location.path)
    if entry := terms.known(location, content):
        return decoded_report(entry.report)
    learned = learned_of(terms.task(location), terms.brief, shared_sandbox().for_submission)
    with continue_without_store():
        terms.stored(location, content, learned)
    return learned.report


@contextmanager
def continue_without_store() -> Iterator[None]:
    """Print a line for an error of the store, once for each error, and continue after the block."""
    try:
        yield
    except StoreError as error:
        _warn(f"foldem: {error}; grading continues without the store")


@cache
def _warn(line: str) -> None:
    print(line, file=sys.stderr)


@cache
def shared_sandbox() -> SharedSandbox:
    """Return the sandbox for all submissions of a batch. The sandbox ends when nbgrader ends."""
    sandbox = SharedSandbox()
    atexit.register(sandbox.close)
    return sandbox


def course_store(course: Course) -> tuple[Store, Home]:
    """Return the store of nbgrader's current course, and its home.

    Without a course, or if its store cannot be opened, nothing is kept.
    """
    return _opened(store_address(course) if course.root else NOWHERE, course.root)


@cache
def _opened(address: str | Path, root: Path | None) -> tuple[Store, Home]:
    with continue_without_store():
        store = Store(address)
        return store, Home(root, course_in(store, root))
    store = Store(NOWHERE)
    return store, Home(root, course_in(store, root))


class SaveMarks(NbGraderPreprocessor):  # type: ignore[misc]
    """Saves marks as nbgrader does, but in one commit per notebook instead of two commits per cell.

    An exercise that could not be graded, and the student is not the cause, gets no mark: a person has to give one.
    A missing notebook of an assignment gets no mark, either. In nbgrader it would get 0 points.
    """

    def preprocess(self, nb: NotebookNode, resources: Resources) -> tuple[NotebookNode, Resources]:
        given = resources["nbgrader"]
        with Gradebook(given["db_url"]) as gradebook:
            notebook = gradebook.find_submission_notebook(given["notebook"], given["assignment"], given["student"])
            grades, comments = (_rows(gradebook, kind, notebook) for kind in (api.Grade, api.Comment))
            for cell in filter(is_grade, nb.cells):
                score = None if _is_ungraded(nb, cell) else determine_grade(cell, self.log)[0]
                _set_score(grades[grade_id(cell)], score)
            for cell in filter(is_solution, nb.cells):
                is_unchanged = cell.metadata["nbgrader"].get("checksum") == compute_checksum(cell)
                comments[grade_id(cell)].auto_comment = "No response." if is_unchanged else None
            for first in [cell for cell in nb.cells if grade_id(cell).endswith(CHECK)][:1]:
                points = first.metadata.get("foldem", {}).get("extra") or 0.0
                set_own_credit(gradebook, [*grades.values()], grade_id(first), points)
            _forget_missing(gradebook, given["assignment"], given["student"])
            gradebook.db.commit()
        return nb, resources


def _set_score(grade: api.Grade, score: float | None) -> None:
    grade.auto_score, grade.needs_manual_grade = score, score is None or grade.manual_score is not None


def _rows(
    gradebook: Gradebook, kind: type[api.Grade] | type[api.Comment], notebook: api.SubmittedNotebook
) -> dict[str, Any]:
    """Return the grades or the comments of a notebook, by their cells. nbgrader loads each row separately."""
    named = gradebook.db.query(api.BaseCell.name, kind).join(kind, kind.cell_id == api.BaseCell.id)
    return dict(named.filter(kind.notebook_id == notebook.id).all())


def _is_ungraded(nb: NotebookNode, cell: NotebookNode) -> bool:
    is_check = grade_id(cell).endswith(CHECK)
    return is_check and bool(cell.metadata.get("foldem", {}).get("ungraded", nb.metadata.get(UNREADABLE)))


def _forget_missing(gradebook: Gradebook, assignment: str, student: str) -> None:
    """Remove nbgrader's zeros for notebooks that were not handed in."""
    folder = Path(SUBMITTED, student, assignment)
    for notebook in gradebook.find_submission(assignment, student).notebooks:
        if not (folder / f"{notebook.name}.ipynb").exists():
            for grade in notebook.grades:
                grade.auto_score = None


class Feedback(HTMLExporter):  # type: ignore[misc]
    """Writes nbgrader's feedback, with links that are named after exercises."""

    def from_notebook_node(
        self, nb: NotebookNode, resources: Resources | None = None, **kw: object
    ) -> tuple[Any, Resources]:
        page, resources = super().from_notebook_node(nb, resources, **kw)
        return named_links(page), resources


def named_links(page: str) -> str:
    """Return a feedback page whose links to checks are named after their exercises.

    >>> named_links('<li><a href="#flip-check">Test cell</a> (Score: 1.0 / 1.0)</li>')
    '<li><a href="#flip-check">flip</a> (Score: 1.0 / 1.0)</li>'
    """
    return re.sub(rf'(<a href="#([^"]+){CHECK}">)Test cell</a>', r"\1\2</a>", page)


class ReadAnyway(NotebookExporter):  # type: ignore[misc]
    """Reads an invalid notebook as an empty one with a note. So its student is ungraded and does not get 0 points.

    Notebooks are validated when they are read and written, but not after each preprocessor.
    """

    def _validate_preprocessor(self, nbc: object, preprocessor: object) -> None:
        pass

    def from_filename(
        self, filename: str, resources: Resources | None = None, **kw: object
    ) -> tuple[NotebookNode, Resources]:
        """Read a notebook. A hand-in that cannot be graded is not opened: a pipe never ends, many cells take hours."""
        path = Path(filename)
        try:
            if SUBMITTED in path.parts:
                read_notebook(path)
        except NotebookError as error:
            problem = NO_NOTEBOOK if isinstance(error, BrokenNotebook) else str(error)
            given = {**(resources or {}), "metadata": {"name": path.stem, "path": str(path.parent)}}
            notebook = new_notebook(metadata={UNREADABLE: problem})
            return self.from_notebook_node(notebook, resources=given, **kw)
        return super().from_filename(filename, resources, **kw)

    def from_file(self, file_stream: TextIO, resources: Resources | None = None, **kw: object) -> tuple[Any, Resources]:
        try:
            for path in (Path(file_stream.name), *Path(file_stream.name).parents[:2]):
                demand_no_link(path)
            notebook = nbformat.read(file_stream, as_version=4)
        except NotebookError as error:
            notebook = new_notebook(metadata={UNREADABLE: str(error)})
        except Exception:
            notebook = new_notebook(metadata={UNREADABLE: NO_NOTEBOOK})
        else:
            if SUBMITTED in Path(file_stream.name).parts:
                notebook.metadata.pop(UNREADABLE, None)
        return self.from_notebook_node(notebook, resources=resources, **kw)


class Export(CsvExportPlugin):  # type: ignore[misc]
    """Exports marks as nbgrader does, but a missing mark is blank instead of 0, and no name can be a formula."""

    def export(self, gradebook: Gradebook) -> None:
        super().export(gradebook)
        path = Path(self.to or "grades.csv")
        with path.open(newline="", encoding="utf-8") as file:
            head, *rows = list(csv.reader(file))
        for row in rows:
            data = dict(zip(head, row, strict=False))
            if not has_marks(gradebook, data["assignment"], data["student_id"]):
                row[head.index("raw_score")] = row[head.index("score")] = ""
        with atomic_text(path) as file:
            csv.writer(file, lineterminator="\n").writerows([head, *([*map(safe_cell_of_text, row)] for row in rows)])


def has_marks(gradebook: Gradebook, assignment: str, student: str) -> bool:
    """Return whether a student has handed in, and all checks have marks."""
    try:
        submission = gradebook.find_submission(assignment, student)
    except MissingEntry:
        return False
    grades = [grade for notebook in submission.notebooks for grade in notebook.grades if grade.name.endswith(CHECK)]
    return all(grade.auto_score is not None or grade.manual_score is not None for grade in grades)


def exercise_report(report: Report, name: str) -> ExerciseReport:
    """Return an exercise's part of a report; for an ungradable file, the reason."""
    match report:
        case Graded() if name in report.set_exercises:
            return report[name]
        case Ungradable(reason):
            return ExerciseReport(name, 0, UNGRADED, 0.0, 0.0, stop=reason)
    return ExerciseReport(name, 0, UNGRADED, 0.0, 0.0, stop=NotInUnit())


def check_outputs(exercise: ExerciseReport, points: float | None) -> list[object]:
    """Return a check cell's outputs: its mark, scaled to the cell's points, and the report."""
    points_now = exercise.points if points is None else scaled(exercise.points, exercise.of, points)
    mark = {"output_type": "execute_result", "data": {"text/plain": f"{points_now:g}"}, "execution_count": 1}
    page = {"text/plain": render.exercise_text(exercise), "text/html": render.exercise_html(exercise)}
    shown = {"output_type": "display_data", "data": page}
    # `new_output` of nbformat would validate each output, but all are validated when the notebook is written
    return [nbformat.from_dict({"metadata": {}} | output) for output in (mark, shown)]
