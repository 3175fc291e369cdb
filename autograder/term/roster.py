"""The file `roster.csv`: the students of a course. Its columns may have the names that several platforms use."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path
from unicodedata import category

from toolz import groupby

from autograder.term import TermError
from autograder.term.files import as_folder_name, atomic_text_file, folder_key
from autograder.text import safe_cell, text_of_safe_cell
from course.exam.readable import one_line

ROSTER_FILE = "roster.csv"
PARTICIPANTS, PARTICIPANT_COLUMNS = "moodle.csv", ("assignment", "student", "name")
# Moodle removes some of these characters, and people use them inconsistently. The last one replaces unprintable
# characters.
IGNORED_CHARACTERS = frozenset("'’‘ʼ`\"|:&<>/\\\ufffd")
ROUNDED_ID_PATTERN = re.compile(r"\d(?:[.,]\d+)?E\+\d+", re.IGNORECASE)
EXPORT_ADVICE = "Export the list again, and do not open it in a spreadsheet"
CANVAS_EXPORT_COLUMNS = {
    "student",
    "id",
    "sis login id",
}  # columns of Canvas's gradebook, in which `id` contains Canvas's ids
NON_STUDENT_NAMES = "", "Points Possible"  # in the column of names, in rows of Canvas's that are no student's
COLUMN_NAMES = {
    "id": ("id", "student id", "student_id", "id number", "idnumber", "sid"),
    "name": ("name", "full name", "fullname", "student"),
    "first": ("first name", "firstname", "first_name"),
    "last": ("last name", "lastname", "last_name", "surname"),
    "email": ("email", "e-mail", "email address", "mail"),
    "group": ("group", "groups"),
    "section": ("section",),
    "canvas": ("canvas id", "canvas_id"),
    "sis": ("sis user id", "sis id", "sis_id"),
    "login": ("sis login id", "login", "login id", "username", "github_username"),
}


@dataclass(frozen=True)
class Student:
    """A student in the roster. If the roster lacks a column, the field of this column is empty."""

    id: str
    name: str = ""
    email: str = ""
    group: str = ""
    canvas: str = ""
    sis: str = ""
    login: str = ""
    section: str = ""


@cache
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name in order, in lower case. Apostrophes are removed, and hyphens separate words.

    >>> words_of("O'Brien, Anne-Marie"), words_of("राम") == words_of("रीम"), words_of("Nan Eel")
    (('obrien', 'anne', 'marie'), False, ('nan', 'eel'))
    """
    plain = "".join(char for char in folder_key(name) if char not in IGNORED_CHARACTERS and category(char) != "Cf")
    return tuple("".join(char if category(char)[0] in "LMN" else " " for char in plain).split())


def read_roster(path: Path) -> dict[str, Student]:
    """Return the students in a roster by id, in the order of the rows. Raises TermError if the file is invalid."""
    head, *rows = read_table(path)
    columns = column_indexes(head, rows)
    if "id" not in columns:
        raise TermError(f"{path}: the column id is missing or empty; the columns are {one_line(', '.join(head), 100)}")
    if {title.strip().lower() for title in head} >= CANVAS_EXPORT_COLUMNS:
        columns = {"canvas": columns["id"]} | columns
    students = []
    for row in (row for row in rows if any(cell.strip() for cell in row)):
        cells = {key: one_line(row[position]) if position < len(row) else "" for key, position in columns.items()}
        first, last = cells.pop("first", ""), cells.pop("last", "")
        cells["name"] = cells.get("name", "") or " ".join(filter(None, (first, last)))
        student = Student(**({"id": ""} | cells))
        if student.id or "canvas" not in columns or student.name not in NON_STUDENT_NAMES:
            students.append(student)
    _ensure_valid_ids(path, students)
    return {student.id: student for student in students}


def read_table(path: Path) -> list[list[str]]:
    """Return the rows of a CSV file from a platform or spreadsheet. Raises TermError if the file is not a CSV file."""
    try:
        content = path.read_bytes()
        text = content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
        separator = max(",;\t", key=text.partition("\n")[0].count)
        rows = list(csv.reader(StringIO(text, newline=""), delimiter=separator))
    except (UnicodeDecodeError, csv.Error):
        raise TermError(f"{path}: the file is not UTF-8 text: save it as CSV in UTF-8") from None
    if not rows:
        raise TermError(f"{path}: the file is empty")
    return rows


def column_indexes(head: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return the index of each column with a known title, by the column's meaning. Empty columns are left out.

    GitHub Classroom calls the id `identifier`. If Moodle's list has no id, the username or the address is used as the
    id.
    """
    filled = {column for row in rows or [head] for column, cell in enumerate(row) if cell.strip()}
    titles = [title.strip().lower() if column in filled else "" for column, title in enumerate(head)]
    known = {key: column for column, title in enumerate(titles) for key in COLUMN_NAMES if title in COLUMN_NAMES[key]}
    if "github_username" in titles and "identifier" in titles:
        known["id"] = titles.index("identifier")
    ids = [known[key] for key in ("id", "login", "email") if key in known]
    return {"id": ids[0]} | known if ids else known


def _ensure_valid_ids(path: Path, students: list[Student]) -> None:
    counts = Counter(student.id for student in students)
    if "" in counts:
        raise TermError(f"{path}: a student has no id: {next(row_text(each) for each in students if not each.id)}")
    if rounded := [name for name in counts if ROUNDED_ID_PATTERN.fullmatch(name)]:
        raise TermError(f"{path}: a spreadsheet has rounded the id {rounded[0]}. {EXPORT_ADVICE}")
    if strange := [name for name in counts if as_folder_name(name) != name]:
        raise TermError(f"{path}: an id cannot be {strange[0]!r}, because the id is also the name of a folder")
    if doubled := [name for name, count in counts.items() if count > 1]:
        raise TermError(f"{path}: the id {doubled[0]} occurs {counts[doubled[0]]} times")
    by_folder = groupby(folder_key, counts)
    if alike := [names for names in by_folder.values() if len(names) > 1]:
        raise TermError(
            f"{path}: the ids {' and '.join(alike[0])} would have the same folder on macOS and Windows: change one"
        )


def row_text(student: Student) -> str:
    """Return the beginning of a student's row in the roster: id, name and address."""
    return ",".join(filter(None, (student.id, student.name, student.email)))


def remember_moodle_names(root: Path, new: Mapping[tuple[str, str], str]) -> None:
    """Write Moodle's name for each student in each assignment to a file, because feedback for Moodle needs these names.

    Rows that teachers have added to the file stay.
    """
    if new:
        known = moodle_names_in(root) | dict(new)
        with atomic_text_file(root / PARTICIPANTS) as file:
            rows = ((*key, known[key]) for key in sorted(known))
            csv.writer(file).writerows([PARTICIPANT_COLUMNS, *(map(safe_cell, row) for row in rows)])


def moodle_names_in(root: Path) -> dict[tuple[str, str], str]:
    """Map each pair of assignment and student to Moodle's name for the student's files.

    Raises TermError if a teacher has made the file unreadable, because writing it again would lose the teacher's rows.
    """
    path = root / PARTICIPANTS
    if not path.is_file():
        return {}
    head, *rows = read_table(path)
    try:
        columns = [head.index(title) for title in PARTICIPANT_COLUMNS]
        cells = ([text_of_safe_cell(row[column]) for column in columns] for row in rows if any(map(str.strip, row)))
        return {(assignment, student): name for assignment, student, name in cells}
    except (LookupError, ValueError):
        raise TermError(
            f"{path}: each line needs the columns {', '.join(PARTICIPANT_COLUMNS)}. Correct the file, or delete it: "
            "the next `foldem collect` of a zip from Moodle writes a new one"
        ) from None
