"""Marks by hand and comments that nbgrader's gradebook holds, as what single students are given."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import sqlalchemy as sql

from autograder.config import not_run
from autograder.submission.notebook import CHECK
from autograder.term import TermError
from autograder.term.adjust import Adjustments, Single
from autograder.units.unit import units_by_stem
from course.exam.readable import one_line

GRADEBOOK, CONFIG = "gradebook.db", "nbgrader_config.py"
HAND_MARKS = """
SELECT submitted_assignment.student_id, notebook.name, base_cell.name, grade.manual_score, assignment.name
FROM grade
JOIN base_cell ON base_cell.id = grade.cell_id
JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id
JOIN notebook ON notebook.id = submitted_notebook.notebook_id
JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
JOIN assignment ON assignment.id = submitted_assignment.assignment_id
WHERE grade.manual_score IS NOT NULL ORDER BY 1, 2, 3, 5
"""
HAND_COMMENTS = HAND_MARKS.replace("grade.manual_score", "comment.manual_comment").replace("grade", "comment")


def by_hand(root: Path | None, is_graded: bool = False) -> Iterator[Single]:
    """Give what a teacher has marked and commented in nbgrader's formgrader; nothing where there is no gradebook."""
    address = address_of(root, is_graded) if root else None
    if address is None:
        return
    units = units_by_stem()
    try:
        with closing(sql.create_engine(address, poolclass=sql.NullPool).connect()) as database:
            marks, comments = (database.execute(sql.text(asked)).all() for asked in (HAND_MARKS, HAND_COMMENTS))
    except (sql.exc.SQLAlchemyError, ModuleNotFoundError) as error:
        told = " ".join(str(getattr(error, "orig", None) or error).split())
        where = address.database if address.get_backend_name() == "sqlite" else address.render_as_string()
        raise TermError(f"{where}: nbgrader's gradebook cannot be read: {told}") from None
    for student, stem, cell, points, assignment in marks:
        if stem in units and cell.endswith(CHECK):
            yield Single("mark", student, units[stem], points, cell.removesuffix(CHECK), assignment=assignment)
    for student, stem, cell, told, assignment in comments:
        if stem in units and told:
            yield Single("comment", student, units[stem], 0.0, cell.removesuffix(CHECK), told, assignment)


def address_of(root: Path, is_graded: bool = False) -> sql.URL | None:
    """Give where a course's gradebook is, None if it is a file that is not there (yet)."""
    address = _configured(root, is_graded)
    if address.get_backend_name() != "sqlite" or not address.database or address.query:
        return address
    path = root.absolute() / address.database
    return address.set(database=path.as_uri(), query={"mode": "ro", "uri": "true"}) if path.is_file() else None


def _configured(root: Path, is_graded: bool) -> sql.URL:
    """Give the address in a course's own nbgrader_config.py, which is run only if it speaks of one; else nbgrader's.

    Where it would have to be run and the course lies in what is graded, it cannot be used.
    """
    from traitlets.config import PyFileConfigLoader  # here, for only a course of nbgrader's needs it

    file = root / CONFIG
    try:
        if not file.is_file() or "db_url" not in file.read_text(encoding="utf-8"):
            return sql.URL.create("sqlite", database=GRADEBOOK)
        if is_graded:
            raise TermError(f"{file}: {not_run('its db_url')}")
        found = PyFileConfigLoader(file.name, str(root)).load_config()
        return sql.make_url(found.get("CourseDirectory", {}).get("db_url") or f"sqlite:///{GRADEBOOK}")
    except TermError:
        raise
    except (Exception, SystemExit) as error:
        raise TermError(f"{file}: its db_url cannot be read: {one_line(str(error), 200)}") from None


def with_gradebook(adjust: Adjustments, is_graded: bool = False) -> Adjustments:
    """Give a course's adjustments with what its gradebook holds; where both say something, `adjust.toml` holds."""
    return replace(adjust, singles=(*by_hand(adjust.root, is_graded), *adjust.singles))
