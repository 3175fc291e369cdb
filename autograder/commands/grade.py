"""`foldem grade`: grade submissions, print a table, write reports, and return an exit status."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic

from msgspec import structs
from rich.console import Console
from rich.progress import Progress
from toolz import groupby

from autograder.commands.options import GradeOptions
from autograder.config import (
    PUBLISHED_SEED,
    SETTINGS_FILE,
    ConfigError,
    common_settings_folder,
    with_course_packs,
)
from autograder.exam.store import exam_for
from autograder.grading.batch import GradingBrief, Pool, ThisProcess, Workers
from autograder.report.model import Graded, Report
from autograder.report.render import report_text
from autograder.report.table import ClassTable
from autograder.report.words import remark_text
from autograder.submission.find import find_notebooks, misnamed_notebooks
from autograder.submission.model import AssignmentPoints
from autograder.submission.reading import NotebookError
from autograder.term import view
from autograder.term.adjust import OUTDATED_MARK
from autograder.term.assignments import assignment_of
from autograder.term.course import Course, chosen_catalogue, read_course
from autograder.term.files import SUBMITTED_FOLDER, SubmittedFile, course_root_of, ensure_writable, locate_files
from autograder.term.gradebook import is_graded_by_nbgrader
from autograder.term.platforms import person_in_name
from autograder.term.results import (
    RunSettings,
    decoded_report,
    marks_json,
    results_of_files,
    stored_code,
    submit_counting_files,
)
from autograder.term.store import DAMAGED_STORE_MESSAGE, StoredResult, course_name_in, one_line_errors
from autograder.term.view import ShownReport
from autograder.text import count_text, shown_name
from autograder.units.pack import PINNED, Catalogue
from autograder.units.unit import Unit, read_unit
from course.limits import MOST_HAND_INS

ALL_GRADED, SOME_NOT, NOTHING_GRADED, INTERRUPTED = 0, 1, 2, 130
GRADED_AGAIN_REASON = "graded again: the file, the exam, the settings or Foldem changed"


def run(options: GradeOptions) -> int:
    """Grade all notebooks under the paths, and return the exit status."""
    if options.diff and (options.json or options.out or options.show_hidden):
        raise ConfigError("--diff only prints which marks would change: remove --json, --out and --show-hidden")
    catalogue, paths = chosen_catalogue(options.pack), options.paths
    for root in filter(None, dict.fromkeys(map(course_root_of, (Path.cwd(), *paths[:1])))):
        catalogue = with_course_packs(catalogue, root, but=paths)
    return grade_paths(options, catalogue)


def grade_paths(options: GradeOptions, catalogue: Catalogue) -> int:
    """Grade all notebooks under the paths, write and print the results, and return the exit status."""
    errors = Console(stderr=True, markup=False, emoji=False)
    folders = [submissions_folder(path) for path in options.paths]
    notebooks = list(find_notebooks(folders, catalogue))
    for path, why in misnamed_notebooks(folders, catalogue):
        errors.print(f"foldem: {shown_name(str(path))} is not graded: {why}", style="red", soft_wrap=True)
    if not notebooks:
        searched = (folder if path.is_dir() else path for path, folder in zip(options.paths, folders, strict=True))
        where = ", ".join(shown_name(str(path)) for path in searched)
        errors.print(f"foldem: no notebook found in {where}", style="red", soft_wrap=True)
        return NOTHING_GRADED
    course = read_course(common_settings_folder(folders), catalogue, options.paths)
    if options.show_hidden:
        return print_hidden_reports(options, notebooks, course)
    begun = GradingRun(options, notebooks, course)
    console = Console(markup=False, emoji=False, soft_wrap=options.diff)
    try:
        if options.diff:
            begun.list_changes(console, errors)
        else:
            begun.grade_all(errors)
    except KeyboardInterrupt:
        saved = f"{begun.settled:,} of {count_text(len(begun.locations), 'submission')} saved"
        errors.print(f"foldem: interrupted; {saved}. Run the same command to continue.", style="red")
        os._exit(INTERRUPTED)  # do not wait for work in other processes
    if not options.diff:
        begun.finish(console)
    return ALL_GRADED if begun.is_graded else SOME_NOT


def print_hidden_reports(options: GradeOptions, notebooks: list[tuple[str, Path]], course: Course) -> int:
    """Print reports for a teacher. They include the hidden calls, and what the answers returned in these calls."""
    if options.out or options.store or options.json:
        raise ConfigError("--show-hidden only prints reports: remove --out, --store and --json")
    begun = GradingRun(structs.replace(options, store="sqlite://"), notebooks, course)
    brief = begun.terms.brief
    begun.terms = replace(begun.terms, brief=replace(brief, policy=replace(brief.policy, shows_hidden=True)))
    begun.grade_all(Console(stderr=True))
    for item in begun.requested_reports():
        print(report_text(item.report, item.name))
    return ALL_GRADED if begun.is_graded else SOME_NOT


def with_assignments(
    locations: Iterable[SubmittedFile], assignments: Mapping[str, AssignmentPoints], catalogue: Catalogue
) -> Iterator[SubmittedFile]:
    """Yield submissions, each with its assignment if that is known, but only the first MOST_HAND_INS of a student.

    Each file may take as long as its time limit, so without MOST_HAND_INS, one student could delay all others with
    thousands of files. Only files whose student is certain are counted: files in `submitted/`, and files that a
    learning platform has named.
    """
    numbers = Counter[str]()
    for location in locations:
        is_sure = SUBMITTED_FOLDER in location.path.absolute().parts or person_in_name(location.student).platform
        numbers[location.student] += bool(is_sure)
        if numbers[location.student] > MOST_HAND_INS:
            if numbers[location.student] == MOST_HAND_INS + 1:
                has = f"{shown_name(location.student)} has more than {MOST_HAND_INS} notebooks"
                print(f"foldem: {has}: only the first {MOST_HAND_INS} notebooks are graded", file=sys.stderr)
            continue
        assignment = location.assignment
        with suppress(NotebookError):
            assignment = assignment_of(location.path, assignment, assignments, catalogue)
        yield replace(location, assignment=assignment)


class GradingRun:
    """One run of `foldem grade`: its policy and its submissions."""

    def __init__(self, request: GradeOptions, notebooks: list[tuple[str, Path]], course: Course) -> None:
        """Make everything ready to grade, and check the output folder and the store."""
        self.request, self.around, self.began = request, course, monotonic()
        self.settled, self.graded, self.is_graded = 0, 0, True
        self.chosen = list[str]()
        if request.out:
            ensure_writable(request.out)
        sandbox, seed = request.sandbox or course.policy.sandbox, request.seed
        policy = replace(course.policy, sandbox=sandbox, seed=course.policy.seed if seed is None else seed)
        store = course.store(request.store, request.out)
        self.course, brief = course_name_in(store, course.root), GradingBrief(policy, course.catalogue)
        outlines = list(store.results_without_reports(self.course))
        located = locate_files(notebooks, course.root, self.course)
        self.terms = RunSettings(store, brief, request.fresh, course.assignments, keeps=not request.diff)
        every = list(with_assignments(located, course.assignments, course.catalogue))
        kinds = groupby(lambda each: is_graded_by_nbgrader(course, each.assignment, each.path.stem), every)
        self.locations: list[SubmittedFile] = kinds.get(False, [])
        self.of_nbgrader = {each.place for each in kinds.get(True, [])}
        known = {entry.student for entry in outlines}, {location.student for location in every}
        course.adjustments.ensure_known_students(*known, course.roster)
        self.adjust = course.all_adjustments

    def grade_all(self, errors: Console, tell: Callable[[StoredResult, bool], object] = lambda *_: None) -> None:
        """Grade every submission that has no valid stored result, with a progress bar.

        Pass each result to the function `tell`.
        """
        progress = Progress(console=errors, transient=True, disable=self.request.quiet)
        with progress, ExitStack() as stack:
            workers = self._workers(partial(errors.print, "foldem:", style="red", soft_wrap=True))
            stack.callback(workers.dismiss)
            task = progress.add_task("grading", total=len(self.locations))

            def prepare(unit: Unit) -> None:
                progress.update(task, description=f"building the exam of {unit.name} (once)")
                exam_for(unit, self.terms.brief.policy.seed)
                progress.update(task, description="grading")

            if self.terms.keeps and not self.request.show_hidden:
                slots = {(each.student, each.assignment) for each in self.locations}
                self.chosen = submit_counting_files(self.adjust, self.terms, workers, slots, prepare)
            for entry, is_new in results_of_files(self.locations, self.terms, workers, prepare):
                self.settled += 1
                self.graded += is_new
                self.is_graded &= entry.is_final
                tell(entry, is_new)
                progress.advance(task)

    def list_changes(self, console: Console, errors: Console) -> None:
        """Grade every submission, store nothing, and print each mark that would change, with the reason."""
        before = {entry.place: entry.marks for entry in self.terms.store.results_without_reports(self.course)}
        lines = dict[str, list[str]]()

        def compare(entry: StoredResult, is_new: bool) -> None:
            report = self.adjust.adjusted_report(
                decoded_report(entry.report), entry.student, entry.assignment, entry.place
            )
            lines[entry.place] = [*mark_changes(entry.name, before.get(entry.place) or "", report, is_new)]

        self.grade_all(errors, compare)
        for location in self.locations:
            for line in lines[location.place]:
                console.print(line, highlight=False)
        changed = sum(map(bool, lines.values()))
        console.print(
            f"Marks change for {changed:,} of {count_text(len(self.locations), 'submission')}.", highlight=False
        )

    def _workers(self, tell: Callable[[str], object]) -> Workers:
        """Return the workers: this process, other processes or a cluster."""
        jobs, terms, address = self.request.jobs, self.terms, self.request.cluster
        if address is None:
            return Pool(terms.brief, jobs) if jobs > 1 else ThisProcess(terms.brief)
        from autograder.cluster import Cluster, ensure_usable_address

        ensure_usable_address(address, terms.brief.policy.seed != PUBLISHED_SEED)
        return Cluster(address, terms.brief, tell)

    def reports(self) -> Iterator[ShownReport]:
        """Return all stored results of the course."""
        return view.shown_reports(self.terms.store, self.course, self.adjust)

    def finish(self, console: Console) -> None:
        """Save the marks, write the output folder, and print the results."""
        self.save_marks()
        if self.request.out:
            sources = lambda content: stored_code(self.terms.store, content).sources  # noqa: E731
            label = partial(view.student_label, roster=self.around.roster)
            view.write_results(self.request.out, self.reports(), sources, label)
        self.show_results(console)

    def save_marks(self) -> None:
        """Save the current marks, so that `foldem grade --diff` can later list what has changed."""
        for entry in self.terms.store.results(self.course) if self.course else ():
            report = self.adjust.adjusted_report(
                decoded_report(entry.report), entry.student, entry.assignment, entry.place
            )
            if (marks := marks_json(report)) != entry.marks:
                self.terms.store.change_result(entry, marks=marks)

    def requested_reports(self) -> Iterator[ShownReport]:
        """Yield the results of the submissions named on the command line."""
        own_locations = {location.place for location in self.locations} | self.of_nbgrader
        yield from (item for item in self.reports() if item.place in own_locations)

    def show_results(self, console: Console) -> None:
        """Print the results as JSON, as a table, or not at all."""
        if self.request.json:
            sys.stdout.write(view.reports_json(self.requested_reports()))
        elif not self.request.quiet:
            catalogue = self.around.catalogue
            table = ClassTable(
                console, [len(item.display_name(catalogue)) for item in self.requested_reports()], catalogue
            )
            for item in self.requested_reports():
                table.print_report(item.display_name(catalogue), item.report)
            table.print_summary([*self._closing_lines()])

    def _closing_lines(self) -> Iterator[str]:
        """Yield the lines below the table."""
        yield from self.chosen
        for each in self.adjust.singles:
            if each.kind == OUTDATED_MARK:
                yield f"{each.student}: {each.exercise}: {each.outdated_remark}"
        catalogue = self.around.catalogue
        units = {outline.unit for outline in self.terms.store.results_without_reports(self.course)} & {*catalogue.units}
        for unit in (each for each in sorted(units) if read_unit(catalogue, each).pack.has_changed(each)):
            upgrade = f"foldem course {shlex.quote(str(self.around.root))} --upgrade"
            yield f"{unit} has changed since its release; marks follow the released version. For the new one: {upgrade}"
        known = self.settled - self.graded
        unchanged = f", {known:,} of them unchanged" * bool(known)
        of_nbgrader = f"; {count_text(len(self.of_nbgrader), 'notebook')} left to nbgrader" * bool(self.of_nbgrader)
        yield f"{count_text(self.settled, 'submission')}{unchanged}, in {monotonic() - self.began:.1f} s{of_nbgrader}"
        if out := self.request.out:
            yield f"Reports: {out / view.PAGES}"


MarksByExercise = dict[str, list[float]]


def mark_changes(name: str, marks: str, report: Report, is_new: bool) -> Iterator[str]:
    """Yield lines about the differences between a submission's saved marks (as JSON) and its new report.

    The first line is about the total; then each changed exercise has a line with the reason.
    """
    exercises = report.exercises if isinstance(report, Graded) else ()
    with one_line_errors(DAMAGED_STORE_MESSAGE):
        before: MarksByExercise = json.loads(marks) if marks else {}
    now = {each.name: [each.points, each.of] for each in exercises}
    if before == now:
        return
    yield f"{name}: {_total_text(before) if marks else 'not graded yet'} → {_total_text(now)}"
    for exercise in {**before, **now} if marks else ():
        pair = before.get(exercise), now.get(exercise)
        if pair[0] == pair[1]:
            continue
        if any(mark and mark[1] for mark in pair):
            change = " → ".join(f"{mark[0]:g} of {mark[1]:g}" if mark else "none" for mark in pair)
        else:  # a bonus or a deduction counts points only
            change = " → ".join(f"{mark[0]:g}" if mark else "0" for mark in pair)
        remarks = [remark for each in exercises if each.name == exercise for remark in each.remarks]
        why = remark_text(remarks[-1]) if remarks else "the points or an adjustment changed"
        yield f"    {exercise}: {change} ({GRADED_AGAIN_REASON if is_new else why})"


def _total_text(marks: MarksByExercise) -> str:
    points, of = (round(sum(mark[column] for mark in marks.values()), 2) for column in (0, 1))
    return f"{points:g} of {of:g}" if marks else "ungraded"


def submissions_folder(path: Path) -> Path:
    """Return the folder of submissions if `path` is a course folder; otherwise return `path`.

    Raises ConfigError for a zip, and for a course folder made by `foldem course` in which the submissions are missing.
    """
    if path.suffix.lower() == ".zip":
        way = f"run foldem collect {shlex.quote(str(path))} with your course folder, or unzip it and grade the folder"
        raise ConfigError(f"{path} is a zip: {way}")
    hand_ins = path / SUBMITTED_FOLDER
    if not (path / SETTINGS_FILE).is_file():
        return path
    if not hand_ins.is_dir() and (path / PINNED).is_dir():
        raise ConfigError(
            f"{hand_ins} is missing: to fill it with submissions, run foldem collect DOWNLOAD {shlex.quote(str(path))}"
        )
    return hand_ins if hand_ins.is_dir() else path
