"""`foldem export`: the marks of a course, for a learning platform."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from rich.console import Console
from toolz import groupby

from autograder.classroom.comments import Comments, commented, comments_in
from autograder.commands.collect import assignments_of
from autograder.config import ConfigError
from autograder.report.render import report_page
from autograder.submission.find import page_name
from autograder.term import view
from autograder.term.adjust import adjustments_in
from autograder.term.export import FORMATS, Marks, marks_of
from autograder.term.files import whole, whole_bytes
from autograder.term.gradebook import with_gradebook
from autograder.term.intake import participants_in
from autograder.term.places import course_at, course_of
from autograder.term.results import sources_in
from autograder.term.roster import Student, roster_of
from autograder.term.store import Store
from autograder.term.view import Told
from autograder.term.where import open_store
from autograder.text import safe_cell, shown_name
from autograder.units.unit import units_by_stem

FEEDBACK = "moodle-feedback"
PLAIN_NUMBER = re.compile(r"-?[\d.]*")


def run(course: Path, kind: str, out: Path | None, titles: list[str], address: str | None) -> int:
    """Write the marks of a course, or pages of feedback, and say of whom there are none."""
    if kind not in (*FORMATS, FEEDBACK):
        raise ConfigError(f"there is no format {kind!r}: the formats are {', '.join((*FORMATS, FEEDBACK))}")
    if strange := [title for title in titles if not all(title.partition("="))]:
        raise ConfigError(f"a title is written assignment=title, not {strange[0]!r}")
    root = course_at(course)
    console = Console(markup=False, emoji=False, highlight=False, soft_wrap=True)
    lines = _feedback(root, out, address) if kind == FEEDBACK else _marks(root, kind, out, titles, address)
    for line in lines:
        console.print(line)
    return 0


def _marks(root: Path, kind: str, out: Path | None, titles: list[str], address: str | None) -> Iterator[str]:
    """Write the marks, and say who has none."""
    store, adjust = open_store(address, root, None), with_gradebook(adjustments_in(root))
    marks = marks_of(view.told_by(store, course_of(root), adjust), adjust.singles, _parts(root))
    roster = roster_of(root)
    strangers = sorted({student for student, _ in marks.marks} - set(roster))
    students = [*roster.values(), *map(Student, strangers)]
    path = out or root / f"marks-{kind}.csv"
    named = {assignment: title for assignment, _, title in (title.partition("=") for title in titles)}
    with whole(path) as file:
        csv.writer(file).writerows([_cell(cell) for cell in row] for row in FORMATS[kind](students, marks, named))
    yield from _odd(students, marks, strangers if roster else [])
    yield f"Marks: {path}"


def _parts(root: Path) -> dict[str, set[str]]:
    """Give the units that the assignments of a course are made of."""
    units = units_by_stem()
    found = {name: {units[stem] for stem in stems if stem in units} for name, stems in assignments_of(root).items()}
    return {name: parts for name, parts in found.items() if parts}


def _feedback(root: Path, out: Path | None, address: str | None) -> Iterator[str]:
    """Write a zip for each assignment, in the layout that Moodle takes back, and say for whom it has no page."""
    store, names, comments = open_store(address, root, None), participants_in(root), comments_in(root)
    if not names:
        raise ConfigError(f"{root}: nothing was collected from Moodle: foldem collect says whose its folders are")
    told = view.told_by(store, course_of(root), with_gradebook(adjustments_in(root)))
    for assignment, items in groupby(lambda item: item.assignment, told).items():
        path = (out or root) / f"feedback-{assignment}.zip"
        with whole_bytes(path) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
            for item in (item for item in items if (assignment, item.student) in names):
                place = f"{names[assignment, item.student]}_assignsubmission_file"
                page = page_name(PurePosixPath(item.name).name)
                archive.writestr(ZipInfo(f"{place}/{page}"), _page(comments, store, item))
        if without := sorted({item.student for item in items if (assignment, item.student) not in names}):
            yield f"{assignment}: not from Moodle: {_listed(without)}"
        yield f"Feedback: {path}"


def _page(comments: Comments, store: Store, item: Told) -> str:
    """Give a page of feedback: what `foldem grade --out` writes."""
    return report_page(commented(item.report, comments), item.name, sources_in(store, item.content))


def _cell(cell: str) -> object:
    """Give what can stand in a spreadsheet: a number, or Moodle's sign that there is none, is no formula."""
    return cell if PLAIN_NUMBER.fullmatch(cell) else safe_cell(cell)


def _odd(students: list[Student], marks: Marks, strangers: list[str]) -> Iterator[str]:
    """Tell who has no mark in an assignment, and who is in no roster."""
    for assignment in marks.assignments:
        if without := [each.id for each in students if not marks.points(each.id, assignment)]:
            yield f"{assignment}: no mark for {_listed(without)}"
    if strangers:
        yield f"not in roster.csv: {_listed(strangers)}"


def _listed(students: Iterable[str]) -> str:
    return ", ".join(map(shown_name, students))
