"""Marks by hand, comments and extra credit that were entered in nbgrader's formgrader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import sqlalchemy as sql

from autograder.config import not_run
from autograder.submission.notebook import CHECK
from autograder.term import TermError
from autograder.term.adjust import EXTRA_CREDIT, Adjustments, Single
from autograder.term.locations import CourseFolder
from autograder.term.others import LATE, Others, own_cells
from autograder.term.store import one_line_errors
from course.exam.readable import one_line

ForeignRows = Sequence[Any]
GRADEBOOK, CONFIG = "gradebook.db", "nbgrader_config.py"
WHOSE = "submitted_assignment.student_id, notebook.name, base_cell.name, assignment.name"
OF_A_CELL = """
JOIN base_cell ON base_cell.id = grade.cell_id
JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id
JOIN notebook ON notebook.id = submitted_notebook.notebook_id
JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
JOIN assignment ON assignment.id = submitted_assignment.assignment_id
"""
BY_WHOSE = "ORDER BY 1, 2, 3, 4"
HAND_MARKS = (
    f"SELECT {WHOSE}, grade.manual_score FROM grade {OF_A_CELL} WHERE grade.manual_score IS NOT NULL {BY_WHOSE}"
)
HAND_COMMENTS = HAND_MARKS.replace("grade.manual_score", "comment.manual_comment").replace("grade", "comment")
EXTRA_CREDITS = f"""
SELECT {WHOSE}, grade.extra_credit, foldem_extra_credit.points FROM grade {OF_A_CELL}
LEFT JOIN foldem_extra_credit ON foldem_extra_credit.grade_id = grade.id
WHERE grade.extra_credit IS NOT NULL AND (grade.manual_score IS NOT NULL OR grade.auto_score IS NOT NULL) {BY_WHOSE}
"""  # nbgrader counts no extra credit for a cell without a score
ALL_MARKS = f"""
SELECT {WHOSE}, grade.manual_score, grade.auto_score, grade.extra_credit FROM grade {OF_A_CELL}
WHERE (grade.manual_score IS NOT NULL OR grade.auto_score IS NOT NULL) {BY_WHOSE}
"""
LATE_PENALTIES = f"""
SELECT DISTINCT {WHOSE.replace("base_cell.name", f"'{LATE}'")}, submitted_notebook.late_submission_penalty
FROM grade {OF_A_CELL} WHERE submitted_notebook.late_submission_penalty > 0 {BY_WHOSE}
"""
NOT_NOTED = EXTRA_CREDITS.replace("foldem_extra_credit.points", "NULL").replace(
    "LEFT JOIN foldem_extra_credit ON foldem_extra_credit.grade_id = grade.id", ""
)
_NOTEBOOKS = (
    "SELECT submitted_notebook.id FROM submitted_notebook JOIN submitted_assignment "
    "ON submitted_assignment.id = submitted_notebook.assignment_id WHERE submitted_assignment.student_id = :student"
)
ROWS_OF_STUDENT = {
    "comment": f"FROM comment WHERE notebook_id IN ({_NOTEBOOKS})",
    "grade": f"FROM grade WHERE notebook_id IN ({_NOTEBOOKS})",
    "submitted_notebook": f"FROM submitted_notebook WHERE id IN ({_NOTEBOOKS})",
    "submitted_assignment": "FROM submitted_assignment WHERE student_id = :student",
    "student": "FROM student WHERE id = :student",
}  # each table before those that it refers to
OWN_CREDIT = sql.Table(
    "foldem_extra_credit",
    sql.MetaData(),
    sql.Column("grade_id", sql.String(32), primary_key=True),
    sql.Column("points", sql.Float, nullable=False),
)  # the part of a grade's extra credit that comes from the course's settings


def formgrader_entries(course: CourseFolder) -> Iterator[Single]:
    """Yield what a teacher entered in the formgrader: marks, comments, extra credit.

    Extra credit from the course's settings is left out.
    """
    address = address_of(course.root, course.is_graded) if course.root else None
    if address is None:
        return
    units = course.catalogue.by_stem
    marks, comments, credits = (_of_units(course, rows) for rows in _read(address, HAND_MARKS, HAND_COMMENTS, None))
    for student, stem, cell, assignment, points in marks:
        yield Single("mark", student, units[stem], points, cell.removesuffix(CHECK), assignment=assignment)
    for student, stem, cell, assignment, comment in (row for row in comments if row[-1]):
        yield Single("comment", student, units[stem], 0.0, cell.removesuffix(CHECK), comment, assignment)
    for student, stem, cell, assignment, points, own in credits:
        if given := round(points - (own or 0.0), 2):
            yield Single(EXTRA_CREDIT, student, units[stem], given, cell.removesuffix(CHECK), assignment=assignment)


def _of_units(course: CourseFolder, rows: ForeignRows) -> ForeignRows:
    """Return the rows about our own cells, which begin with a student, a notebook and a cell."""
    return [row for row in rows if row[2] in own_cells(course.catalogue, row[1])]


def others_in(course: CourseFolder) -> Others:
    """Return nbgrader's marks and comments for its own cells. An extra credit, or a late penalty, is part of them."""
    address = address_of(course.root, course.is_graded) if course.root else None
    if address is None:
        return Others()
    rows, late, comments = _read(address, ALL_MARKS, LATE_PENALTIES, HAND_COMMENTS)
    marks: dict[tuple[str, str, str], dict[str, float]] = {}
    for student, stem, cell, assignment, manual, auto, extra in rows:
        if cell not in own_cells(course.catalogue, stem):
            score = (auto if manual is None else manual) + (extra or 0.0)
            marks.setdefault((student, assignment, stem), {})[cell] = round(score, 2)
    for student, stem, _, assignment, penalty in late:
        marks.setdefault((student, assignment, stem), {})[LATE] = -round(penalty, 2)
    texts = {(student, assignment, stem, cell): text for student, stem, cell, assignment, text in comments}
    return Others(marks, texts)


def _read(address: sql.URL, *queries: str | None) -> list[ForeignRows]:
    """Return the rows of some queries; None is that of extra credit. Raises TermError if it cannot be read."""
    with _one_line(address), closing(sql.create_engine(address, poolclass=sql.NullPool).connect()) as database:
        credits = EXTRA_CREDITS if sql.inspect(database).has_table(OWN_CREDIT.name) else NOT_NOTED
        return [database.execute(sql.text(query or credits)).all() for query in queries]


def _one_line(address: sql.URL) -> AbstractContextManager[None]:
    where = address.database if address.get_backend_name() == "sqlite" else address.render_as_string()
    return one_line_errors(f"{where}: nbgrader's gradebook cannot be read")


def set_own_credit(gradebook: Any, grades: Sequence[Any], check: str, points: float) -> None:
    """Add the points from the course's settings to a check's extra credit, on top of what a teacher gave.

    Points that the settings added earlier are removed first.
    """
    connection = gradebook.db.connection()
    OWN_CREDIT.create(connection, checkfirst=True)
    ids = OWN_CREDIT.c.grade_id.in_([grade.id for grade in grades])
    noted = {row.grade_id: row.points for row in connection.execute(sql.select(OWN_CREDIT).where(ids))}
    connection.execute(sql.delete(OWN_CREDIT).where(ids))
    for grade in grades:
        before, now = noted.get(grade.id, 0.0), points if grade.name == check else 0.0
        if now != before:
            grade.extra_credit = round((grade.extra_credit or 0.0) - before + now, 2)
        if grade.name == check:
            connection.execute(sql.insert(OWN_CREDIT).values(grade_id=grade.id, points=now))


def rows_of_student(course: CourseFolder, student: str) -> dict[str, list[dict[str, object]]]:
    """Return what a gradebook has about a student, by table; empty if there is no gradebook."""
    address = address_of(course.root, course.is_graded) if course.root else None
    if address is None:
        return {}
    with _one_line(address), sql.create_engine(address, poolclass=sql.NullPool).connect() as database:
        return {
            table: [dict(row._mapping) for row in database.execute(sql.text(f"SELECT * {rows}"), {"student": student})]
            for table, rows in ROWS_OF_STUDENT.items()
        }


def remove_student(course: CourseFolder, student: str) -> None:
    """Delete a student from a course's gradebook, so that no byte is left in an SQLite file."""
    address = _configured(course.folder, course.is_graded)
    is_file = address.get_backend_name() == "sqlite"
    if is_file:
        address = address.set(database=str(course.folder.absolute() / (address.database or GRADEBOOK)))
    with _one_line(address), sql.create_engine(address, poolclass=sql.NullPool).connect() as database:
        if is_file:
            database.execute(sql.text("PRAGMA secure_delete = ON"))
        if sql.inspect(database).has_table(OWN_CREDIT.name):
            ids = f"SELECT id {ROWS_OF_STUDENT['grade']}"
            database.execute(sql.text(f"DELETE FROM {OWN_CREDIT.name} WHERE grade_id IN ({ids})"), {"student": student})
        for rows in ROWS_OF_STUDENT.values():
            database.execute(sql.text(f"DELETE {rows}"), {"student": student})
        database.commit()
        if is_file:
            database.execution_options(isolation_level="AUTOCOMMIT").execute(sql.text("VACUUM"))


def address_of(root: Path, is_graded: bool = False) -> sql.URL | None:
    """Return the address of a course's gradebook; None if its file does not exist yet."""
    address = _configured(root, is_graded)
    if address.get_backend_name() != "sqlite" or not address.database or address.query:
        return address
    path = root.absolute() / address.database
    return address.set(database=path.as_uri(), query={"mode": "ro", "uri": "true"}) if path.is_file() else None


def _configured(root: Path, is_graded: bool) -> sql.URL:
    """Return the address in the course's nbgrader_config.py, or nbgrader's default.

    The file is run only if it mentions an address. Raises TermError if the course is inside the folder to grade.
    """
    from traitlets.config import PyFileConfigLoader  # imported here, because only courses with nbgrader need it

    file = root / CONFIG
    try:
        if not file.is_file() or "db_url" not in file.read_text(encoding="utf-8"):
            return sql.URL.create("sqlite", database=GRADEBOOK)
        if is_graded:
            raise TermError(f"{file}: {not_run('its db_url')}")
        settings = PyFileConfigLoader(file.name, str(root)).load_config()
        return sql.make_url(settings.get("CourseDirectory", {}).get("db_url") or f"sqlite:///{GRADEBOOK}")
    except TermError:
        raise
    except (Exception, SystemExit) as error:
        raise TermError(f"{file}: its db_url cannot be read: {one_line(str(error), 200)}") from None


def with_gradebook(adjust: Adjustments) -> Adjustments:
    """Return a course's adjustments with those of its gradebook. `adjust.toml` takes precedence."""
    entries = (*formgrader_entries(adjust.course), *adjust.singles)
    return replace(adjust, singles=entries, others=others_in(adjust.course))
