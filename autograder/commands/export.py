"""`foldem export`: export the marks of a course for a learning platform."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TextIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from rich.console import Console
from toolz import groupby

from autograder.config import ConfigError
from autograder.report.render import report_page
from autograder.submission.find import find_notebooks, page_name
from autograder.term import view
from autograder.term.comments import Comments, commented
from autograder.term.course import Course
from autograder.term.export import FORMATS, Marks, marks_of
from autograder.term.files import atomic_bytes, atomic_text
from autograder.term.intake import participants_in
from autograder.term.locations import SUBMITTED, Home, placed
from autograder.term.results import content_of, sources_in
from autograder.term.roster import Student
from autograder.term.store import Store
from autograder.term.view import ShownReport
from autograder.term.where import course_in
from autograder.text import safe_cell_of_text, shown_name

FEEDBACK = "moodle-feedback"
PAGES_OTHERWISE = "`foldem grade {} --out reports` writes a page for each student."
ALL_WRITTEN, SOME_MISSING = 0, 1


def run(course: Course, kind: str, out: Path | None, titles: list[str], address: str | None) -> int:
    """Write the marks or feedback pages of a course, print what is missing, and return the exit status."""
    if kind not in (*FORMATS, FEEDBACK):
        raise ConfigError(f"unknown format {kind!r}: the formats are {', '.join((*FORMATS, FEEDBACK))}")
    if strange := [title for title in titles if not all(title.partition("="))]:
        raise ConfigError(f"write --title assignment=title, not {strange[0]!r}")
    store = course.store(address)
    reports = view.shown_reports(store, course_in(store, course.root), course.all_adjustments)
    ungraded = list(_ungraded(course, store))
    lines = _feedback(course, store, reports, out) if kind == FEEDBACK else _marks(course, reports, kind, out, titles)
    is_plain = kind == FEEDBACK or out is None or _is_plain(out)
    console = Console(stderr=not is_plain, markup=False, emoji=False, highlight=False, soft_wrap=True)
    for line in (*ungraded, *lines):
        console.print(line)
    return SOME_MISSING if ungraded else ALL_WRITTEN


def _ungraded(course: Course, store: Store) -> Iterator[str]:
    """Yield a warning about files that changed after they were graded. Raises ConfigError if no file is graded."""
    root, name = course.folder, course_in(store, course.root)
    graded = {entry.place: entry.content for entry in store.outlines(name)}
    if not graded:
        raise ConfigError(f"{store.where} has no results of {root} yet. Run `foldem grade {root}` first.")
    notebooks = find_notebooks([root / SUBMITTED], course.catalogue) if (root / SUBMITTED).is_dir() else ()
    names = [p.name for p in placed(notebooks, {}, Home(root, name)) if graded.get(p.place) != content_of(p.path)]
    if names:
        yield f"changed or new since the last grading: {_listed(names)}. Run `foldem grade {root}`, then export again."


def _marks(
    course: Course, reports: Iterable[ShownReport], kind: str, out: Path | None, titles: list[str]
) -> Iterator[str]:
    """Write the marks, and yield a line about students without one."""
    root, roster = course.folder, course.roster
    parts = {name: {*units} for name, units in course.assignments.items()}
    marks = marks_of(reports, course.catalogue, course.all_adjustments.singles, parts)
    strangers = sorted({student for student, _ in marks.marks} - set(roster))
    students = [*roster.values(), *map(Student, strangers)]
    path = out or root / f"marks-{kind}.csv"
    named = {assignment: title for assignment, _, title in (title.partition("=") for title in titles)}
    with _written(path) as file:
        csv.writer(file).writerows([*map(safe_cell_of_text, row)] for row in FORMATS[kind](students, marks, named))
    yield from _odd(students, marks, strangers if roster else [])
    yield f"Marks: {path}"


def _is_plain(path: Path) -> bool:
    """Return whether a path is unused or a regular file.

    Devices, FIFOs and links are written to, and not replaced.
    """
    return not path.is_symlink() and (path.is_file() or not path.exists())


@contextmanager
def _written(path: Path) -> Iterator[TextIO]:
    """Open the teacher's output file for writing. Make its folder if necessary."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_text(path) if _is_plain(path) else path.open("w", encoding="utf-8", newline="") as file:
        yield file


def _feedback(course: Course, store: Store, reports: Iterable[ShownReport], out: Path | None) -> Iterator[str]:
    """Write a zip of feedback for each assignment, in Moodle's layout. Yield a line about missing pages."""
    root = course.folder
    names, comments = participants_in(root), course.comments
    if not names:
        raise ConfigError(f"no file in {root} was collected from Moodle. {PAGES_OTHERWISE.format(root)}")
    for assignment, items in groupby(lambda item: item.assignment, reports).items():
        folders = {
            student: f"{name}_assignsubmission_file" for (of, student), name in names.items() if of == assignment
        }
        pages = [(folders[item.student], item) for item in items if item.student in folders]
        if without := sorted({item.student for item in items} - set(folders)):
            yield f"{assignment}: not collected from Moodle: {_listed(without)}. {PAGES_OTHERWISE.format(root)}"
        if pages:
            path = (out or root) / f"feedback-{assignment}.zip"
            _write_pages(path, {f"{folder}/{_page_name(item)}": _page(comments, store, item) for folder, item in pages})
            yield f"Feedback: {path}"


def _write_pages(path: Path, pages: Mapping[str, str]) -> None:
    """Write pages into a zip; the keys are paths in the zip."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_bytes(path) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, page in pages.items():
            archive.writestr(ZipInfo(name), page)


def _page_name(item: ShownReport) -> str:
    return page_name(PurePosixPath(item.name).name)


def _page(comments: Comments, store: Store, item: ShownReport) -> str:
    """Return a feedback page, as `foldem grade --out` writes it."""
    sources, student = sources_in(store, item.content), shown_name(item.student)
    return report_page(commented(item.report, comments), item.name, sources, student)


def _odd(students: list[Student], marks: Marks, strangers: list[str]) -> Iterator[str]:
    """Yield lines about students who have no mark in an assignment, and about students who are not in the roster."""
    for assignment in marks.assignments:
        if without := [each.id for each in students if not marks.points(each.id, assignment)]:
            yield f"{assignment}: no mark for {_listed(without)}"
    if strangers:
        yield f"not in roster.csv: {_listed(strangers)}"


def _listed(students: Iterable[str]) -> str:
    return ", ".join(map(shown_name, students))
