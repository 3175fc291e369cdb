"""Foldem's extensions of nbgrader: stubs in assignments, restored check cells, and sandboxed grading.

`foldem build` uses them to make notebooks, and the data files that `check` needs if only the course is installed.
"""

from __future__ import annotations

import atexit
import csv
import gc
import json
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from msgspec import structs
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from nbgrader import api
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGraderAPI
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import CsvExportPlugin
from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor, SaveCells
from nbgrader.utils import compute_checksum, is_grade
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

from autograder.config import ConfigError, settings_file_for, settings_for, with_course_packs
from autograder.exam.model import judging_of
from autograder.grading.batch import GradingBrief, ThisProcess, grade_task
from autograder.hosts.cells import (
    LEFT_OPEN,
    OWN,
    UNREADABLE,
    CleanCells,
    Resources,
    RunCells,
    SaveMarks,
    drop_ids,
    kernel_config,
    nbgrader_metadata_of,
)
from autograder.hosts.exchange import drop_unfinished_output
from autograder.hosts.kernel_sandbox import COURSE_PACKAGE_PATHS, KernelSandbox
from autograder.report import render
from autograder.report.model import UNGRADED, ExerciseReport, Graded, Report, Ungradable
from autograder.report.stops import BadFile, NotInUnit
from autograder.report.words import extra_row_text
from autograder.sandbox.host import ReusedSandbox
from autograder.submission.reading import CHECK, NO_NOTEBOOK, grade_id, is_only_check
from autograder.term import TermError
from autograder.term.adjust import EXTRA_CREDIT, ChangeTable
from autograder.term.assignments import points_of, scaled_points, source_points
from autograder.term.course import Course, read_course
from autograder.term.files import SUBMITTED_FOLDER, SubmittedFile, atomic_text_file, locate_files
from autograder.term.gradebook import digests_of_answers, drop_outdated_marks, foldem_cell_names, set_extra_credit
from autograder.term.results import RunSettings, content_digest_of, decoded_report, marks_json, submit_counting_files
from autograder.term.store import IN_MEMORY_ADDRESS, Store, course_name_in, store_address
from autograder.text import safe_cell_of_text
from autograder.units.build import INSTALLING, install_cell, notebook_file, source_notebook
from autograder.units.pack import UnitError, catalogue_here, kernel_environment
from autograder.units.unit import Unit, stated_unit
from autograder.units.written import predictions_in
from course.data import as_data
from course.limits import FEWEST_OBJECTS_PER_COLLECTION, SECONDS_PER_TRUSTED_CHECK
from course.tables.game import game_of, record_game

if TYPE_CHECKING:
    from jupyter_client.manager import KernelManager

THIS_MODULE = __name__
ZIP_COLLECT_SETTINGS = {"extractor_plugin": "autograder.hosts.exchange.RefuseZipCollect"}


def course_config(*, sandboxed: bool = True) -> Config:
    """Return nbgrader's configuration for a course folder. The folder's configuration file imports this function.

    Invalid settings of the course stop an nbgrader command before it changes anything.
    """
    _prepare_command(sandboxed)
    warnings.filterwarnings("ignore", category=SAWarning)  # nbgrader's queries cause them, and teachers can do nothing
    config = kernel_config(sandboxed=sandboxed)
    config.merge(Config(ZipCollectApp=ZIP_COLLECT_SETTINGS))
    config.Autograde.pre_convert_hook = "autograder.hosts.exchange.begin_grading"
    config.Autograde.post_convert_hook = "autograder.hosts.exchange.end_grading"
    config.ExportApp.plugin_class = f"{THIS_MODULE}.MarksExporter"
    config.GenerateFeedback.exporter_class = f"{THIS_MODULE}.FeedbackExporter"
    steps = GenerateAssignment.class_traits()["preprocessors"].default()
    making = [ClearAnswers if each is ClearSolutions else each for each in steps]
    config.GenerateAssignment.preprocessors = [WriteHelpSettings, *making]
    config.Autograde.sanitize_preprocessors = [RestoreChecks, *config.Autograde.sanitize_preprocessors[1:]]
    running = [RunNbgraderCells, GradeNotebook] if sandboxed else [RunNbgraderCells]
    saving = [SaveUnitMarks if each is SaveMarks else each for each in config.Autograde.autograde_preprocessors[1:]]
    config.Autograde.autograde_preprocessors = [*running, *saving]
    return config


def _prepare_command(sandboxed: bool) -> None:
    """Set up what Foldem needs before a command of nbgrader starts.

    A mistake stops the command with a message of one line.
    """
    if "nbgrader" not in Path(sys.argv[0]).name:
        return
    try:
        course = course_here()
        os.environ.update(kernel_environment(course.catalogue))
        _ = course.adjustments  # raises for bad ones
        if "autograde" in sys.argv[1:2]:
            gc.set_threshold(FEWEST_OBJECTS_PER_COLLECTION)
            if sandboxed:
                terms = run_settings_of(course)
                for line in submit_counting_files(course.all_adjustments, terms, workers := ThisProcess(terms.brief)):
                    print(f"foldem: {line}", file=sys.stderr)
                workers.dismiss()
            for folder in drop_unfinished_output(Path.cwd()):
                why = "grading was interrupted, or a newer file counts"
                print(f"foldem: the submission {folder} is graded again: {why}", file=sys.stderr)
    except (ConfigError, UnitError, TermError) as error:
        raise SystemExit(f"foldem: {error}") from None


def course_here() -> Course:
    """Return the course in the current folder. nbgrader runs in the course folder, and students' files are below it."""
    return read_course(Path.cwd(), with_course_packs(catalogue_here(), Path.cwd()))


def generate_assignment(root: Path, assignment: str, config: Config) -> None:
    """Run nbgrader's `generate_assignment` in a course folder.

    Raises RuntimeError with nbgrader's log if the command fails. No gradebook is used, because nbgrader would start
    another process to make a new one.
    """
    config = Config(config)
    config.CourseDirectory.root = str(root)
    making = config.GenerateAssignment
    making.no_database = True
    making.preprocessors = [each for each in making.preprocessors if each is not SaveCells]
    api = NbGraderAPI(CourseDirectory(config=config), config=config)
    result = api.generate_assignment(assignment, force=True)
    if not result["success"]:
        raise RuntimeError(f"nbgrader could not generate {assignment}:\n{result.get('log') or result.get('error')}")


# ------------------------------------------------------------------------------------ what `foldem build` makes


def built_files(units: Sequence[Unit]) -> dict[Path, str]:
    """Map the path of each built file to its text."""
    made = dict[Path, str]()
    with tempfile.TemporaryDirectory() as folder:  # nbgrader's `generate_assignment` makes the students' notebooks
        source, release = (Path(folder) / name / "foldem" for name in ("source", "release"))
        source.mkdir(parents=True)
        for unit in units:
            nbformat.write(source_notebook(unit), source / f"{unit.stem}.ipynb")
        generate_assignment(Path(folder), "foldem", course_config())
        for unit in units:
            made[notebook_file(unit)] = (release / f"{unit.stem}.ipynb").read_text(encoding="utf-8")
    for unit in units:
        predictions = predictions_in(unit.pack.file("solutions", unit.name), unit.by_name)
        stated = replace(stated_unit(unit), judging=judging_of(unit), predictions=predictions)
        made[unit.pack.statements / f"{unit.name}.json"] = json.dumps(as_data(stated), indent=1) + "\n"
    return made | {path: text for unit in units for path, text in _recorded_game_file(unit)}


def _recorded_game_file(unit: Unit) -> Iterator[tuple[Path, str]]:
    """Yield the file with a complete game played by a unit's references, if the unit has a table that can record it.

    Raises UnitError if the game stops, or does not end.
    """
    game = game_of(unit.pack.given_module_name(unit.name))
    if game is not None and game.record is not None:
        try:
            recording = record_game(unit.name, game, dict(vars(unit.pack.import_role_module("solutions", unit.name))))
        except ValueError as error:
            file = unit.pack.role_file("table", unit.name)
            raise UnitError(f"{file}: foldem build cannot record the game in `GAME`: {error}") from None
        path = unit.pack.course_folder / "games" / f"{unit.name}.json"
        yield path, json.dumps(recording, separators=(",", ":")) + "\n"


def build_files(units: Sequence[Unit]) -> list[Path]:
    """Write the built files that have changed, and return their paths."""
    changed = changed_files(built_files(units))
    for path, text in changed.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [*changed]


def changed_files(made: Mapping[Path, str]) -> dict[Path, str]:
    """Return those built files whose text differs from the file on disk."""
    there = {path: path.read_text(encoding="utf-8", errors="replace") for path in made if path.exists()}
    return {path: text for path, text in made.items() if there.get(path) != text}


# ----------------------------------------------------------------------------------------- steps of nbgrader


class WriteHelpSettings(NbGraderPreprocessor):  # type: ignore[misc]
    """Writes the course's settings for help, and the address of the course package, into an assignment."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> tuple[NotebookNode, Resources]:
        folder = Path(resources["metadata"]["path"])
        settings = settings_for(folder)
        if settings_file_for(folder) and "foldem" in nb.metadata:
            nb.metadata["foldem"]["help"] = settings.help
        for cell in nb.cells:
            if cell.get("id") == INSTALLING:
                cell.source = install_cell(settings.wheel)
        return nb, resources


class ClearAnswers(ClearSolutions):  # type: ignore[misc]
    """Replaces each answer to a Foldem exercise by the exercise's stub, such as `deck = TODO`."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: Resources, cell_index: int
    ) -> tuple[NotebookNode, Resources]:
        if stub := cell.metadata.get(OWN, {}).get("stub"):
            own = ClearSolutions(parent=self.parent, code_stub={"python": stub}, text_stub=stub)
            return own.preprocess_cell(cell, resources, cell_index)
        return super().preprocess_cell(cell, resources, cell_index)


def our_cell_names(resources: Resources) -> frozenset[str]:
    """Return the names of Foldem's cells in the notebook that nbgrader works on. All other cells belong to nbgrader."""
    return foldem_cell_names(course_here().catalogue, resources["nbgrader"]["notebook"])


def is_own_check(cell: NotebookNode, own: frozenset[str]) -> bool:
    """Return whether a cell is the check cell of one of Foldem's exercises. `own` are the names of Foldem's cells."""
    return (name := grade_id(cell)) in own and name.endswith(CHECK)


class RestoreChecks(CleanCells):
    """Restores nbgrader's cells in a submission, and adds Foldem's check cells if the student has deleted them.

    If a student has written code into a check cell, the code is moved to a new cell above it.
    """

    def preprocess(self, nb: NotebookNode, resources: Resources) -> tuple[NotebookNode, Resources]:
        given, own = resources["nbgrader"], our_cell_names(resources)
        checks: dict[str, NotebookNode] = {}
        with Gradebook(given["db_url"]) as gradebook:
            try:
                notebook = gradebook.find_notebook(given["notebook"], given["assignment"])
            except MissingEntry:
                return nb, resources
            sources = {cell.name: cell for cell in notebook.source_cells}
            ours = [cell for cell in notebook.grade_cells if cell.name in own]
            points_now = current_points(given["assignment"], given["notebook"], ours)
            for cell in ours:
                source, points = sources[cell.name], points_now.get(cell.name, cell.max_score)
                if points != cell.max_score:
                    cell.max_score = points
                    about = {"grade": True, "grade_id": cell.name, "locked": True, "solution": False, "points": points}
                    source.checksum = compute_checksum(new_code_cell(source.source, metadata={"nbgrader": about}))
                metadata = {"nbgrader": nbgrader_metadata_of(source, notebook)}
                checks[cell.name] = new_code_cell(source.source, id=cell.name, metadata=metadata)
            gradebook.db.commit()
        nb, resources = super().preprocess(nb, resources)
        for index, cell in reversed([*enumerate(nb.cells)]):
            if (name := grade_id(cell)) in checks and not is_only_check(cell):
                nb.cells.insert(index, new_code_cell(cell.source, id=f"{name}-own"))
        there = {grade_id(cell) for cell in nb.cells}
        nb.cells += [check for name, check in checks.items() if name not in there]
        drop_ids(nb)
        return nb, resources


class RunNbgraderCells(RunCells):
    """Runs those cells of a notebook that nbgrader grades without Foldem.

    Foldem's checks run in the sandbox that `GradeNotebook` uses. If a notebook has only Foldem's exercises, no kernel
    is started. In trusted mode, Foldem's checks run in the kernel, without a sandbox.
    """

    _own: frozenset[str] = frozenset()
    _has_others = True

    def is_needed(self, nb: NotebookNode, resources: Resources) -> bool:
        self._own = our_cell_names(resources)
        self.timeout_func = lambda cell: SECONDS_PER_TRUSTED_CHECK if is_own_check(cell, self._own) else self.timeout
        others = (cell for cell in nb.cells if is_grade(cell) and grade_id(cell) not in self._own)
        self._has_others = not self._own or any(cell.cell_type == "code" for cell in others)
        if self._own and not self.sandboxed:
            # Otherwise a folder `course` next to the notebook would be imported instead of ours.
            self.extra_arguments = ["--IPKernelApp.ignore_cwd=True"]
        return (self._has_others or not self.sandboxed) and super().is_needed(nb, resources)

    def is_skipped(self, cell: NotebookNode, resources: Resources) -> bool:
        is_check = is_own_check(cell, self._own)
        return is_check if self.sandboxed else not (self._has_others or is_check)

    def sandbox_of(self, manager: KernelManager, **options: object) -> KernelSandbox:
        packs = course_here().catalogue.named_packs if self._own else ()
        imported = COURSE_PACKAGE_PATHS | {pack.course: str(pack.course_folder) for pack in packs}
        return super().sandbox_of(manager, packages=imported if self._own else {}, **options)


def current_points(assignment: str, stem: str, checks: Iterable[api.GradeCell]) -> dict[str, float]:
    """Return the current points of these check cells by name, from `adjust.toml` or the source notebook.

    Without a course, return {}.
    """
    course, points = course_here(), dict[str, float]()
    unit = course.catalogue.by_stem.get(stem, "")
    if course.root is None or not unit:
        return points
    changes, source = course.adjustments.changes, source_points(course, assignment, unit)
    for cell in checks:
        name = cell.name.removesuffix(CHECK)
        change = changes.get((unit, name), ChangeTable())
        points[cell.name] = source.get(name, cell.max_score) if change.points is None else change.points
        if change.dropped:
            points[cell.name] = 0
    return points


class GradeNotebook(NbGraderPreprocessor):  # type: ignore[misc]
    """Grades a notebook in the sandbox instead of running its cells.

    Marks and reports become outputs of the check cells.
    """

    def preprocess(self, nb: NotebookNode, resources: Resources) -> tuple[NotebookNode, Resources]:
        given, course = resources["nbgrader"], course_here()
        if not (own := foldem_cell_names(course.catalogue, given["notebook"])):
            return nb, resources
        name = f"{given['student']}/{given['assignment']}/{given['notebook']}"
        terms = run_settings_of(course)
        # the original file, because nbgrader repairs only its own copy
        named = [(name, Path(SUBMITTED_FOLDER, f"{name}.ipynb"))]
        [location] = locate_files(named, course.root, course_name_in(terms.store, course.root))
        problem = str(nb.metadata.get(UNREADABLE, ""))
        judged: Report = Ungradable(BadFile(problem))
        if problem in ("", NO_NOTEBOOK):  # otherwise, it is a link
            judged = submission_report(location, terms)
        whose = location.student, location.assignment, location.place
        shown, final = (each.adjusted_report(judged, *whose) for each in (course.adjustments, course.all_adjustments))
        if entry := terms.store.result(location.course, location.place):
            terms.store.change_result(
                entry, marks=marks_json(final)
            )  # so that `foldem grade --diff` can list later changes
        # The first check also gets the course's points that belong to no exercise: a bonus, or lateness.
        exercises = final.exercises if isinstance(final, Graded) else ()
        rows = [each for each in exercises if not each.number and each.name != EXTRA_CREDIT]
        for cell in nb.cells:
            if cell.cell_type == "code" and is_own_check(cell, own):
                exercise = exercise_report(shown, grade_id(cell).removesuffix(CHECK))
                exercise = structs.replace(exercise, remarks=(*exercise.remarks, *map(extra_row_text, rows)))
                cell.outputs, cell.execution_count = check_cell_outputs(exercise, points_of(cell)), None
                cell.metadata[OWN] = {LEFT_OPEN: exercise.state == UNGRADED, "extra": sum(each.points for each in rows)}
                rows = []
        return nb, resources


def submission_report(location: SubmittedFile, terms: RunSettings) -> Report:
    """Return the report on a submission from the course's store.

    If the store has no report, grade the submission and save its report.
    """
    content = content_digest_of(location.path)
    if entry := terms.valid_result(location, content):
        return decoded_report(entry.report)
    learned = grade_task(terms.task(location), terms.brief, shared_sandbox())
    terms.save_outcome(location, content, learned)
    return learned.report


def run_settings_of(course: Course) -> RunSettings:
    """Return the settings and the store for grading in nbgrader's current course.

    Without a course, the store exists only in memory.
    """
    brief = GradingBrief(course.policy, course.catalogue)
    return RunSettings(
        _open_store(store_address(course) if course.root else IN_MEMORY_ADDRESS), brief, assignments=course.assignments
    )


_open_store = cache(Store)


@cache
def shared_sandbox() -> ReusedSandbox:
    """Return the sandbox that all submissions of a run share. The sandbox is closed when nbgrader ends."""
    sandbox = ReusedSandbox()
    atexit.register(sandbox.close)
    return sandbox


class SaveUnitMarks(SaveMarks):
    """Saves the marks of a notebook, including points that the course's settings add or deduct.

    A missing notebook gets no mark, but nbgrader itself would give 0 points for it.
    """

    def adjust_unit_marks(
        self, nb: NotebookNode, gradebook: Gradebook, grades: dict[str, api.GradeNotebook], given: Resources
    ) -> None:
        catalogue = course_here().catalogue
        own = foldem_cell_names(catalogue, given["notebook"])
        for first in [cell for cell in nb.cells if is_own_check(cell, own)][:1]:
            points = first.metadata.get(OWN, {}).get("extra") or 0.0
            path = Path(SUBMITTED_FOLDER, given["student"], given["assignment"], f"{given['notebook']}.ipynb")
            ours = {name: grade for name, grade in grades.items() if name in own}
            for name in drop_outdated_marks(gradebook, ours, digests_of_answers(path, catalogue)):
                where = f"{given['student']}/{given['assignment']}: {name}"
                print(
                    f"foldem: {where}: the mark by hand was for an earlier answer, so it was removed", file=sys.stderr
                )
            set_extra_credit(gradebook, [*grades.values()], grade_id(first), points)
        folder = Path(SUBMITTED_FOLDER, given["student"], given["assignment"])
        for notebook in gradebook.find_submission(given["assignment"], given["student"]).notebooks:
            if foldem_cell_names(catalogue, notebook.name) and not (folder / f"{notebook.name}.ipynb").exists():
                for grade in notebook.grades:
                    grade.auto_score = None


class FeedbackExporter(HTMLExporter):  # type: ignore[misc]
    """Writes nbgrader's feedback pages.

    A link to a check cell shows the name of its exercise. A mark in a report is not repeated above the report.
    """

    def from_notebook_node(
        self, nb: NotebookNode, resources: Resources | None = None, **kw: object
    ) -> tuple[Any, Resources]:
        for cell in nb.cells:
            if grade_id(cell).endswith(CHECK) and "foldem-result" in str(cell.get("outputs")):
                cell.outputs = [output for output in cell.outputs if output.output_type == "display_data"]
        page, resources = super().from_notebook_node(nb, resources, **kw)
        # as in '<a href="#flip-check">Test cell</a>', which becomes '<a href="#flip-check">flip</a>'
        return re.sub(rf'(<a href="#([^"]+){CHECK}">)Test cell</a>', r"\1\2</a>", page), resources


class MarksExporter(CsvExportPlugin):  # type: ignore[misc]
    """Exports marks as nbgrader does, except that a missing mark is blank instead of 0.

    Names that a spreadsheet would run as formulas are made harmless.
    """

    def export(self, gradebook: Gradebook) -> None:
        super().export(gradebook)
        path = Path(self.to or "grades.csv")
        with path.open(newline="", encoding="utf-8") as file:
            head, *rows = list(csv.reader(file))
        for row in rows:
            data, is_marked = dict(zip(head, row, strict=False)), False
            with suppress(MissingEntry):
                notebooks = gradebook.find_submission(data["assignment"], data["student_id"]).notebooks
                grades = [grade for notebook in notebooks for grade in notebook.grades if grade.max_score]
                is_marked = all(each.auto_score is not None or each.manual_score is not None for each in grades)
            if not is_marked:
                row[head.index("raw_score")] = row[head.index("score")] = ""
        with atomic_text_file(path) as file:
            csv.writer(file, lineterminator="\n").writerows([head, *([*map(safe_cell_of_text, row)] for row in rows)])


def exercise_report(report: Report, name: str) -> ExerciseReport:
    """Return an exercise's part of a report. If the file could not be graded, this part of the report says why."""
    match report:
        case Graded() if name in report.assigned_exercises:
            return report[name]
        case Ungradable(reason):
            return ExerciseReport(name, 0, UNGRADED, 0.0, 0.0, stop=reason)
    return ExerciseReport(name, 0, UNGRADED, 0.0, 0.0, stop=NotInUnit())


def check_cell_outputs(exercise: ExerciseReport, points: float | None) -> list[object]:
    """Return a check cell's outputs: its mark, scaled to the cell's points, and the report."""
    points_now = exercise.points if points is None else scaled_points(exercise.points, exercise.of, points)
    mark = {"output_type": "execute_result", "data": {"text/plain": f"{points_now:g}"}, "execution_count": 1}
    page = {"text/plain": render.exercise_text(exercise), "text/html": render.result_of(exercise).html()}
    shown = {"output_type": "display_data", "data": page}
    # `new_output` of nbformat would validate each output, but all are validated when the notebook is written
    return [nbformat.from_dict({"metadata": {}} | output) for output in (mark, shown)]
