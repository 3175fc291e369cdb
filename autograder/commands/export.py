"""`foldem export`: the marks of a course, for a learning platform."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from autograder.config import ConfigError
from autograder.term import view
from autograder.term.adjust import adjustments_in
from autograder.term.export import FORMATS, Marks, marks_of
from autograder.term.files import whole
from autograder.term.gradebook import with_gradebook
from autograder.term.places import course_of, root_of
from autograder.term.roster import Student, roster_of
from autograder.term.where import open_store

BEGINS_FORMULA = ("=", "+", "@")


def run(course: Path, kind: str, out: Path | None, titles: list[str], address: str | None) -> int:
    """Write the marks of a course, and say of whom there are none."""
    if kind not in FORMATS:
        raise ConfigError(f"there is no format {kind!r}: the formats are {', '.join(FORMATS)}")
    if strange := [title for title in titles if not all(title.partition("="))]:
        raise ConfigError(f"a title is written assignment=title, not {strange[0]!r}")
    root = root_of(course)
    if root is None:
        raise ConfigError(f"{course} is no course folder: it has no foldem.toml")
    store, name = open_store(address, root, None), course_of(root)
    adjust = with_gradebook(adjustments_in(root))
    marks = marks_of(view.told_by(store.outlines(name), store.entries(name), adjust))
    roster = roster_of(root)
    strangers = sorted({student for student, _ in marks.marks} - set(roster))
    students = [*roster.values(), *map(Student, strangers)]
    path = out or root / f"marks-{kind}.csv"
    named = {assignment: title for assignment, _, title in (title.partition("=") for title in titles)}
    rows = FORMATS[kind](students, marks, named)
    with whole(path) as file:
        csv.writer(file).writerows([_cell(cell) for cell in row] for row in rows)
    console = Console(markup=False, emoji=False, highlight=False, soft_wrap=True)
    for line in _odd(students, marks, strangers if roster else []):
        console.print(line)
    console.print(f"Marks: {path}")
    return 0


def _cell(cell: str) -> str:
    """Give what can stand in a spreadsheet, where a text that begins like a formula would be one."""
    return f"'{cell}" if cell.startswith(BEGINS_FORMULA) else cell


def _odd(students: list[Student], marks: Marks, strangers: list[str]) -> Iterator[str]:
    """Tell who has no mark in an assignment, and who is in no roster."""
    for assignment in marks.assignments:
        if without := [each.id for each in students if not marks.points(each.id, assignment)]:
            yield f"{assignment}: no mark for {', '.join(without)}"
    if strangers:
        yield f"not in roster.csv: {', '.join(strangers)}"
