"""The gradebook of nbgrader: what a teacher enters in the formgrader, and the marks of nbgrader's own cells.

Cells are nbgrader's own if they are in a notebook, but not part of a unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from msgspec.structs import replace

from autograder.grading.run import installed_version
from autograder.report.model import PASSED, UNGRADED, WRONG, ExerciseReport, Graded, Report
from autograder.report.stops import LeftToNbgrader
from autograder.submission.reading import CHECK, AnyCell, NotebookError, grade_id, read_notebook
from autograder.submission.sort import submission_of
from autograder.term import TermError
from autograder.term.adjust import EXTRA_CREDIT, OUTDATED_MARK, Adjustments, ManualChange
from autograder.term.assignments import SOURCE_FOLDER, points_of
from autograder.term.files import SUBMITTED_FOLDER, CourseFolder
from autograder.term.store import one_line_errors
from autograder.toml import read_text
from autograder.units.pack import Catalogue
from autograder.units.unit import read_unit

LATE_PENALTY_NAME = "late penalty"  # nbgrader's own
GRADEBOOK, CONFIG = "gradebook.db", "nbgrader_config.py"
DB_URL_PATTERN = re.compile(r"""[\w\s.]*\bdb_url\s*=\s*(["'])([^"']*)\1\s*(?:#.*)?""")
CELL_KEY_COLUMNS = "submitted_assignment.student_id, notebook.name, base_cell.name, assignment.name"
JOINS_TO_CELL = """
JOIN base_cell ON base_cell.id = grade.cell_id
JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id
JOIN notebook ON notebook.id = submitted_notebook.notebook_id
JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
JOIN assignment ON assignment.id = submitted_assignment.assignment_id
"""
ORDER_BY_CELL = "ORDER BY 1, 2, 3, 4"
MANUAL_MARKS_QUERY = f"""
SELECT {CELL_KEY_COLUMNS}, grade.manual_score, foldem_answer.digest FROM grade {JOINS_TO_CELL}
LEFT JOIN foldem_answer ON foldem_answer.grade_id = grade.id WHERE grade.manual_score IS NOT NULL {ORDER_BY_CELL}
"""
MANUAL_COMMENTS_QUERY = f"""
SELECT {CELL_KEY_COLUMNS}, comment.manual_comment FROM comment {JOINS_TO_CELL.replace("grade", "comment")}
WHERE comment.manual_comment IS NOT NULL {ORDER_BY_CELL}
"""
EXTRA_CREDITS_QUERY = f"""
SELECT {CELL_KEY_COLUMNS}, grade.extra_credit, foldem_extra_credit.points FROM grade {JOINS_TO_CELL}
LEFT JOIN foldem_extra_credit ON foldem_extra_credit.grade_id = grade.id
WHERE grade.extra_credit IS NOT NULL AND (grade.manual_score IS NOT NULL OR grade.auto_score IS NOT NULL)
{ORDER_BY_CELL}
"""  # nbgrader counts no extra credit for a cell without a score
ALL_MARKS_QUERY = f"""
SELECT {CELL_KEY_COLUMNS}, grade.manual_score, grade.auto_score, grade.extra_credit FROM grade {JOINS_TO_CELL}
WHERE (grade.manual_score IS NOT NULL OR grade.auto_score IS NOT NULL) {ORDER_BY_CELL}
"""
LATE_PENALTIES_QUERY = f"""
SELECT DISTINCT {CELL_KEY_COLUMNS.replace("base_cell.name", f"'{LATE_PENALTY_NAME}'")},
submitted_notebook.late_submission_penalty FROM grade {JOINS_TO_CELL}
WHERE submitted_notebook.late_submission_penalty > 0 {ORDER_BY_CELL}
"""
_NOTEBOOK_IDS_QUERY = (
    "SELECT submitted_notebook.id FROM submitted_notebook JOIN submitted_assignment "
    "ON submitted_assignment.id = submitted_notebook.assignment_id WHERE submitted_assignment.student_id = :student"
)
STUDENT_ROW_CLAUSES = {
    "comment": f"FROM comment WHERE notebook_id IN ({_NOTEBOOK_IDS_QUERY})",
    "grade": f"FROM grade WHERE notebook_id IN ({_NOTEBOOK_IDS_QUERY})",
    "submitted_notebook": f"FROM submitted_notebook WHERE id IN ({_NOTEBOOK_IDS_QUERY})",
    "submitted_assignment": "FROM submitted_assignment WHERE student_id = :student",
    "student": "FROM student WHERE id = :student",
}  # each table before those that it refers to
SETTINGS_CREDIT_TABLE = sql.Table(
    "foldem_extra_credit",
    sql.MetaData(),
    sql.Column("grade_id", sql.String(32), primary_key=True),
    sql.Column("points", sql.Float, nullable=False),
)  # the part of a grade's extra credit that comes from the course's settings
ANSWER_DIGESTS_TABLE = sql.Table(
    "foldem_answer",
    sql.MetaData(),
    sql.Column("grade_id", sql.String(32), primary_key=True),
    sql.Column("digest", sql.String(64), nullable=False),
)  # the answer that had been handed in when nbgrader graded it, to which a mark by hand belongs


@cache
def foldem_cell_names(catalogue: Catalogue, stem: str) -> frozenset[str]:
    """Return the names of Foldem's cells in a unit's notebook: an answer and a check for each exercise."""
    unit = catalogue.by_stem.get(stem)
    names = read_unit(catalogue, unit).by_name if unit else ()
    return frozenset(cell for name in names for cell in (name, name + CHECK))


@dataclass(frozen=True)
class AllAdjustments(Adjustments):
    """The adjustments in `adjust.toml` and in the gradebook, and the marks and comments on nbgrader's own cells.

    For each student, assignment and notebook, `marks` has a dict that maps the name of each of nbgrader's own cells to
    its mark.
    """

    marks: Mapping[tuple[str, str, str], Mapping[str, float]] = field(default_factory=dict)
    comments: Mapping[tuple[str, str, str, str], str] = field(default_factory=dict)

    def with_cells_of_nbgrader(self, report: Report, student: str, assignment: str, stem: str) -> Report:
        """Return a report with a row added for each of nbgrader's own cells."""
        course = self.course
        marks, rows = self.marks.get((student, assignment, stem), {}), list[ExerciseReport]()
        path, own = _source_path(course, assignment, stem), foldem_cell_names(course.catalogue, stem)
        is_there = course.root and assignment and path.is_file()
        graded = _marked_cells_in(path, (path.stat().st_mtime_ns, path.stat().st_size)) if is_there else ()
        for name, of in {name: of for name, of in graded if name not in own}.items():
            comment = self.comments.get((student, assignment, stem, name))
            remarks = (comment,) if comment else ()
            if name in marks:
                state = PASSED if marks[name] >= of else WRONG
                rows.append(ExerciseReport(name, 0, state, marks[name], of, remarks=remarks))
            elif of:
                rows.append(ExerciseReport(name, 0, UNGRADED, 0.0, of, stop=LeftToNbgrader()))
        if late := marks.get(LATE_PENALTY_NAME):
            rows.append(ExerciseReport(LATE_PENALTY_NAME, 0, PASSED, late, 0.0))
        return replace(report, exercises=(*report.exercises, *rows)) if isinstance(report, Graded) else report

    def reports_of_nbgrader(self) -> Iterator[tuple[str, str, str, Report]]:
        """Yield the location, student, assignment and report of each submitted notebook that belongs to no unit."""
        course = self.course
        for path in sorted(course.root.glob(f"{SUBMITTED_FOLDER}/*/*/*.ipynb")) if course.root else ():
            student, assignment, _ = path.relative_to(course.folder / SUBMITTED_FOLDER).parts
            if is_graded_by_nbgrader(course, assignment, path.stem):
                blank = Graded(path.stem, path.stem, installed_version(), "", "", ())
                report = self.with_cells_of_nbgrader(blank, student, assignment, path.stem)
                yield str(path.relative_to(course.folder)), student, assignment, report


def is_graded_by_nbgrader(course: CourseFolder, assignment: str, stem: str) -> bool:
    """Return whether a notebook of an assignment belongs to no unit, so that nbgrader grades the complete notebook."""
    return (
        bool(assignment) and stem not in course.catalogue.by_stem and _source_path(course, assignment, stem).is_file()
    )


@cache
def _marked_cells_in(path: Path, state: tuple[int, int]) -> tuple[tuple[str, float], ...]:
    """Return the cells of a notebook that nbgrader marks, with their points. The cache detects changed files."""
    return tuple((grade_id(cell), points_of(cell) or 0.0) for cell in read_notebook(path).cells if is_marked(cell))


def is_marked(cell: AnyCell) -> bool:
    """Return whether nbgrader gives a mark for a cell: a test, a written answer, or a task."""
    data = cell.metadata.get("nbgrader") if isinstance(cell.metadata, dict) else None
    return isinstance(data, dict) and bool(data.get("grade") or data.get("task"))


def _source_path(course: CourseFolder, assignment: str, stem: str) -> Path:
    return (course.root or Path()) / SOURCE_FOLDER / assignment / f"{stem}.ipynb"


def with_gradebook(adjust: Adjustments) -> AllAdjustments:
    """Return a course's adjustments together with the teacher's entries in nbgrader's gradebook.

    The result also has the marks of nbgrader's own cells, with the extra credit and the late penalty of nbgrader.
    Entries in `adjust.toml` take precedence over entries in the gradebook. Extra credit from the course's settings is
    left out. A mark that a teacher gave by hand is outdated if the student has changed the answer since then.
    """
    course, catalogue = adjust.course, adjust.course.catalogue
    address = gradebook_address_of(course)
    if address is None:
        return AllAdjustments(course, adjust.changes, adjust.singles, adjust.deadlines)
    queries = MANUAL_MARKS_QUERY, MANUAL_COMMENTS_QUERY, EXTRA_CREDITS_QUERY, ALL_MARKS_QUERY, LATE_PENALTIES_QUERY
    hand_marks, comments, credits, all_marks, late = _query_rows(address, *queries)
    own = lambda row: row[2] in foldem_cell_names(catalogue, row[1])  # noqa: E731  # whether a row is about a cell of ours
    entries = list[ManualChange]()
    digests = cache(lambda path: digests_of_answers(path, catalogue))  # a notebook has several marks
    for student, stem, cell, assignment, points, digest in filter(own, hand_marks):
        name, path = cell.removesuffix(CHECK), course.folder / SUBMITTED_FOLDER / student / assignment / f"{stem}.ipynb"
        kind = OUTDATED_MARK if digest is not None and digest != digests(path).get(name, "") else "mark"
        entries.append(ManualChange(kind, student, catalogue.by_stem[stem], points, name, assignment=assignment))
    for student, stem, cell, assignment, comment in filter(own, comments):
        name, unit = cell.removesuffix(CHECK), catalogue.by_stem[stem]
        if comment:
            entries.append(ManualChange("comment", student, unit, 0.0, name, comment, assignment))
    for student, stem, cell, assignment, points, from_settings in filter(own, credits):
        if given := round(points - (from_settings or 0.0), 2):
            name, unit = cell.removesuffix(CHECK), catalogue.by_stem[stem]
            entries.append(ManualChange(EXTRA_CREDIT, student, unit, given, name, assignment=assignment))
    marks: dict[tuple[str, str, str], dict[str, float]] = {}
    for student, stem, cell, assignment, manual, auto, extra in (row for row in all_marks if not own(row)):
        score = (auto if manual is None else manual) + (extra or 0.0)
        marks.setdefault((student, assignment, stem), {})[cell] = round(score, 2)
    for student, stem, _, assignment, penalty in late:
        marks.setdefault((student, assignment, stem), {})[LATE_PENALTY_NAME] = -round(penalty, 2)
    texts = {(student, assignment, stem, cell): text for student, stem, cell, assignment, text in comments}
    singles = (*entries, *adjust.singles)
    return AllAdjustments(course, adjust.changes, singles, adjust.deadlines, marks, texts)


def digests_of_answers(path: Path, catalogue: Catalogue) -> Mapping[str, str]:
    """Return a digest of each answer in a submitted notebook, by exercise. If the file cannot be read, return {}."""
    with suppress(NotebookError):
        notebook = read_notebook(path)
        answers = submission_of(notebook, catalogue).answers
        sources = {grade_id(cell): cell.source for cell in notebook.cells} | {
            name: answer.source for name, answer in answers.items() if answer.source
        }
        return {name: sha256(source.encode()).hexdigest() for name, source in sources.items()}
    return {}


def drop_outdated_marks(gradebook: Any, grades: Mapping[str, Any], digests: Mapping[str, str]) -> list[str]:
    """Remove marks that a teacher gave by hand for earlier answers, and return the exercises of these marks.

    Store the digests of the current answers. After marks were removed, nbgrader lists the submission among those that a
    person has to grade.
    """
    connection = gradebook.db.connection()
    ANSWER_DIGESTS_TABLE.create(connection, checkfirst=True)
    now = {grade.id: digests.get(cell.removesuffix(CHECK), "") for cell, grade in grades.items()}
    noted = ANSWER_DIGESTS_TABLE.c.grade_id.in_(now)
    before = {row.grade_id: row.digest for row in connection.execute(sql.select(ANSWER_DIGESTS_TABLE).where(noted))}
    changed = [cell for cell, grade in grades.items() if before.get(grade.id, now[grade.id]) != now[grade.id]]
    outdated = [cell for cell in changed if grades[cell].manual_score is not None]
    for cell in outdated:
        grades[cell].manual_score = None
    connection.execute(sql.delete(ANSWER_DIGESTS_TABLE).where(noted))
    connection.execute(
        sql.insert(ANSWER_DIGESTS_TABLE), [{"grade_id": key, "digest": digest} for key, digest in now.items()]
    )
    return [cell.removesuffix(CHECK) for cell in outdated]


def _query_rows(address: sql.URL, *queries: str) -> list[Sequence[Any]]:
    """Return the rows of some queries. A missing table of Foldem counts as empty. Raises TermError if a query fails."""
    with _open_gradebook(address) as database:
        for table in (
            table
            for table in (SETTINGS_CREDIT_TABLE, ANSWER_DIGESTS_TABLE)
            if not sql.inspect(database).has_table(table.name)
        ):
            empty = f"LEFT JOIN (SELECT NULL AS grade_id, NULL AS points, NULL AS digest) AS {table.name} "
            queries = tuple(query.replace(f"LEFT JOIN {table.name} ", empty) for query in queries)
        return [database.execute(sql.text(query)).all() for query in queries]


@contextmanager
def _open_gradebook(address: sql.URL) -> Iterator[sql.Connection]:
    where = address.database if address.get_backend_name() == "sqlite" else address.render_as_string()
    errors = one_line_errors(f"{where}: nbgrader's gradebook cannot be read")
    with errors, sql.create_engine(address, poolclass=sql.NullPool).connect() as database:
        yield database


def set_extra_credit(gradebook: Any, grades: Sequence[Any], check: str, points: float) -> None:
    """Add the points from the course's settings to the extra credit of the cell `check`.

    Extra credit from a teacher stays. Points that were added because of earlier settings are removed first.
    """
    connection = gradebook.db.connection()
    SETTINGS_CREDIT_TABLE.create(connection, checkfirst=True)
    ids = SETTINGS_CREDIT_TABLE.c.grade_id.in_([grade.id for grade in grades])
    noted = {row.grade_id: row.points for row in connection.execute(sql.select(SETTINGS_CREDIT_TABLE).where(ids))}
    connection.execute(sql.delete(SETTINGS_CREDIT_TABLE).where(ids))
    for grade in grades:
        before, now = noted.get(grade.id, 0.0), points if grade.name == check else 0.0
        if now != before:
            grade.extra_credit = round((grade.extra_credit or 0.0) - before + now, 2)
        if grade.name == check:
            connection.execute(sql.insert(SETTINGS_CREDIT_TABLE).values(grade_id=grade.id, points=now))


def rows_of_student(course: CourseFolder, student: str) -> dict[str, list[dict[str, object]]]:
    """Return all rows about a student in the gradebook, by table. If there is no gradebook, return {}."""
    address = gradebook_address_of(course)
    if address is None:
        return {}
    with _open_gradebook(address) as database:
        return {
            table: [dict(row._mapping) for row in database.execute(sql.text(f"SELECT * {rows}"), {"student": student})]
            for table, rows in STUDENT_ROW_CLAUSES.items()
        }


def remove_student(course: CourseFolder, student: str) -> None:
    """Delete a student from a course's gradebook.

    If the gradebook is an SQLite file, also erase the bytes of the deleted rows.
    """
    address = _configured_address(course)
    is_file = address.get_backend_name() == "sqlite"
    if is_file:
        address = address.set(database=str(course.folder.absolute() / (address.database or GRADEBOOK)))
    with _open_gradebook(address) as database:
        if is_file:
            database.execute(sql.text("PRAGMA secure_delete = ON"))
        ids = f"SELECT id {STUDENT_ROW_CLAUSES['grade']}"
        for table in (
            table
            for table in (SETTINGS_CREDIT_TABLE, ANSWER_DIGESTS_TABLE)
            if sql.inspect(database).has_table(table.name)
        ):
            database.execute(sql.text(f"DELETE FROM {table.name} WHERE grade_id IN ({ids})"), {"student": student})
        for rows in STUDENT_ROW_CLAUSES.values():
            database.execute(sql.text(f"DELETE {rows}"), {"student": student})
        database.commit()
        if is_file:
            database.execution_options(isolation_level="AUTOCOMMIT").execute(sql.text("VACUUM"))


def gradebook_address_of(course: CourseFolder) -> sql.URL | None:
    """Return the address of a course's gradebook, or None if there is no course or no gradebook yet."""
    if course.root is None:
        return None
    address = _configured_address(course)
    if address.get_backend_name() != "sqlite" or not address.database or address.query:
        return address
    path = course.root.absolute() / address.database
    return address.set(database=path.as_uri(), query={"mode": "ro", "uri": "true"}) if path.is_file() else None


def _configured_address(course: CourseFolder) -> sql.URL:
    """Return the address in the course's nbgrader_config.py, or nbgrader's default.

    The file is not run, so the address must be a text in quotes. Raises TermError if the address is not such a text.
    """
    file = course.folder / CONFIG
    text = read_text(file, TermError) if file.is_file() else ""
    lines = [line for line in text.splitlines() if "db_url" in line.partition("#")[0]]
    if lines and course.is_graded:
        raise TermError(
            f"{file} is in the folder to grade, where a student could have written it, so its db_url is not used: "
            "grade only the folder with the submissions"
        )
    match = DB_URL_PATTERN.fullmatch(lines[-1] if lines else f"db_url = 'sqlite:///{GRADEBOOK}'")
    with one_line_errors(f"{file}: db_url must be an address in quotes"):
        return sql.make_url(match[2] if match else "")
