"""`foldem export`: export the marks of a course for a learning platform."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from rich.console import Console
from toolz import groupby

from autograder.commands.chosen import chosen_course
from autograder.commands.forget import write_zip
from autograder.commands.options import ExportOptions
from autograder.config import ConfigError
from autograder.report.render import report_page
from autograder.submission.find import find_notebooks, page_name
from autograder.term import view
from autograder.term.course import Comments, Course, commented
from autograder.term.export import FORMATS, Marks, marks_of
from autograder.term.files import atomic_text
from autograder.term.locations import SUBMITTED, Home, locate_files
from autograder.term.others import is_of_nbgrader
from autograder.term.results import content_of, sources_in
from autograder.term.roster import Student, participants_in
from autograder.term.store import Store
from autograder.term.view import ShownReport
from autograder.term.where import course_in
from autograder.text import safe_cell_of_text, shown_name

FEEDBACK = "moodle-feedback"
PAGES_OTHERWISE = "`foldem grade {} --out reports` writes a page for each student."
NOT_SHARED = "have different pages, but only one folder in Moodle ({}), so this folder gets no page."
ALL_WRITTEN, SOME_MISSING = 0, 1


def run(options: ExportOptions) -> int:
    """Write the marks or feedback pages of a course, print what is missing, and return the exit status."""
    course, kind, out = chosen_course(None, options.course), options.to, options.out
    if kind not in (*FORMATS, FEEDBACK):
        raise ConfigError(f"unknown format {kind!r}: the formats are {', '.join((*FORMATS, FEEDBACK))}")
    if strange := [title for title in options.title or () if not all(title.partition("="))]:
        raise ConfigError(f"write --title assignment=title, not {strange[0]!r}")
    store = course.store(options.store)
    reports = view.shown_reports(store, course_in(store, course.root), course.all_adjustments)
    ungraded = list(_ungraded(course, store))
    outlines = list(store.outlines(course_in(store, course.root)))
    others = {student for student, *_ in course.all_adjustments.others.marks}
    course.adjustments.ensure_students({entry.student for entry in outlines}, others, course.roster)
    lines = _feedback(course, store, reports, out) if kind == FEEDBACK else _marks(course, reports, options)
    console = Console(markup=False, emoji=False, highlight=False, soft_wrap=True)
    for line in (*ungraded, *lines):
        console.print(line)
    return SOME_MISSING if ungraded else ALL_WRITTEN


def _ungraded(course: Course, store: Store) -> Iterator[str]:
    """Yield a warning about files that changed after they were graded. Raises ConfigError if no file is graded."""
    root, name = course.folder, course_in(store, course.root)
    graded = {entry.place: entry.content for entry in store.outlines(name)}
    if not graded and not course.all_adjustments.others.marks:
        raise ConfigError(f"{store.where} has no results of {root} yet. Run `foldem grade {root}` first.")
    notebooks = find_notebooks([root / SUBMITTED], course.catalogue) if (root / SUBMITTED).is_dir() else ()
    ours = (
        p
        for p in locate_files(notebooks, {}, Home(root, name))
        if not is_of_nbgrader(course, p.assignment, p.path.stem)
    )
    names = [p.name for p in ours if graded.get(p.place) != content_of(p.path)]
    if names:
        yield f"changed or new since the last grading: {_listed(names)}. Run `foldem grade {root}`, then export again."


def _marks(course: Course, reports: Iterable[ShownReport], options: ExportOptions) -> Iterator[str]:
    """Write the marks, and yield a line about students without one."""
    root, roster = course.folder, course.roster
    parts = {name: {*units} for name, units in course.assignments.items()}
    marks = marks_of(reports, course.catalogue, course.all_adjustments.singles, parts)
    strangers = sorted({student for student, _ in marks.items} - set(roster))
    students = [*roster.values(), *map(Student, strangers)]
    path = options.out or root / f"marks-{options.to}.csv"
    titles = dict(title.split("=", 1) for title in options.title or ())
    if path.exists() and not path.is_file():
        raise ConfigError(f"{path} is not a file: name one, such as marks.csv")
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_text(path.resolve()) as file:
        csv.writer(file).writerows(map(safe_cell_of_text, row) for row in FORMATS[options.to](students, marks, titles))
    yield from _lines_on_mismatches(students, marks, strangers if roster else [])
    yield f"Marks: {path}"


def _feedback(course: Course, store: Store, reports: Iterable[ShownReport], out: Path | None) -> Iterator[str]:
    """Write a zip of feedback for each assignment, in Moodle's layout. Yield a line about missing pages."""
    root = course.folder
    names, comments = participants_in(root), course.comments
    if not names:
        raise ConfigError(f"no file in {root} was collected from Moodle. {PAGES_OTHERWISE.format(root)}")
    for assignment, items in groupby(lambda item: item.assignment, reports).items():
        labels = {student: label for (of, student), label in names.items() if of == assignment}
        if without := sorted({item.student for item in items} - set(labels)):
            yield f"{assignment}: not collected from Moodle: {_listed(without)}. {PAGES_OTHERWISE.format(root)}"
        pages = dict[str, str]()
        for label, sharing in groupby(labels.__getitem__, sorted(labels)).items():
            own = [item for item in items if item.student in sharing]
            pages |= (in_folder := _pages_in(f"{label}_assignsubmission_file", sharing, own, comments, store))
            if own and not in_folder:
                yield f"{assignment}: {_listed(sharing)} {NOT_SHARED.format(label)} {PAGES_OTHERWISE.format(root)}"
        if pages:
            write_zip(path := (out or root) / f"feedback-{assignment}.zip", pages)
            yield f"Feedback: {path}"


def _pages_in(
    folder: str, sharing: Sequence[str], items: Iterable[ShownReport], comments: Comments, store: Store
) -> Mapping[str, str]:
    """Return the pages for a folder in Moodle, by their paths.

    If several students share the folder, as a group may, it gets pages only if they are the same for everybody.
    """
    pages: dict[str, dict[str, str]] = {student: {} for student in sharing}
    for item in items:
        name = item.name if len(sharing) == 1 else item.name.partition("/")[2]
        sources = sources_in(store, item.content)
        page = report_page(commented(item.report, comments), name, sources, _listed(sharing))
        pages[item.student][f"{folder}/{page_name(PurePosixPath(item.name).name)}"] = page
    first, *others = pages.values()
    return first if all(each == first for each in others) else {}


def _lines_on_mismatches(students: list[Student], marks: Marks, strangers: list[str]) -> Iterator[str]:
    """Yield lines about students who have no mark in an assignment, and about students who are not in the roster."""
    for assignment in marks.assignments:
        if without := [each.id for each in students if not marks.points(each.id, assignment)]:
            yield f"{assignment}: no mark for {_listed(without)}"
        if waiting := [each for each in without if marks.waits_for_nbgrader(each, assignment)]:
            remedy = f"Run `nbgrader autograde {assignment}`, and mark what is left in the formgrader."
            yield f"{assignment}: nbgrader has not marked all cells of {_listed(waiting)}. {remedy}"
    if strangers:
        yield f"not in roster.csv: {_listed(strangers)}"


def _listed(students: Iterable[str]) -> str:
    return ", ".join(map(shown_name, students))
