"""Marks by hand and comments that nbgrader's gradebook holds, as what single students are given."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from autograder.submission.notebook import CHECK
from autograder.term import TermError
from autograder.term.adjust import Adjustments, Single
from autograder.units.unit import read_unit, unit_names

GRADEBOOK = "gradebook.db"
HAND_MARKS = """
SELECT submitted_assignment.student_id, notebook.name, base_cell.name, grade.manual_score FROM grade
JOIN base_cell ON base_cell.id = grade.cell_id
JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id
JOIN notebook ON notebook.id = submitted_notebook.notebook_id
JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
WHERE grade.manual_score IS NOT NULL ORDER BY 1, 2, 3
"""
HAND_COMMENTS = HAND_MARKS.replace("grade.manual_score", "comment.manual_comment").replace("grade", "comment")


def by_hand(root: Path | None) -> Iterator[Single]:
    """Give what a teacher has marked and commented in nbgrader's formgrader; nothing where there is no gradebook."""
    path = root / GRADEBOOK if root else None
    if path is None or not path.is_file():
        return
    units = {read_unit(name).stem: name for name in unit_names()}
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            marks, comments = database.execute(HAND_MARKS).fetchall(), database.execute(HAND_COMMENTS).fetchall()
    except sqlite3.Error as error:
        raise TermError(f"{path}: nbgrader's gradebook cannot be read: {' '.join(str(error).split())}") from None
    for student, stem, cell, points in marks:
        if stem in units and cell.endswith(CHECK):
            yield Single("mark", student, units[stem], points, cell.removesuffix(CHECK))
    for student, stem, cell, told in comments:
        if stem in units and told:
            yield Single("comment", student, units[stem], 0.0, cell.removesuffix(CHECK), told)


def with_gradebook(adjust: Adjustments) -> Adjustments:
    """Give a course's adjustments with what its gradebook holds; where both say something, `adjust.toml` holds."""
    return replace(adjust, singles=(*by_hand(adjust.root), *adjust.singles))
