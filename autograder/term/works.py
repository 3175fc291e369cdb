"""Read the content of a submitted file, and find the assignment to which it belongs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from autograder.submission.notebook import CHECK, NotebookError, grade_id
from autograder.submission.reading import MODULE, NO_NOTEBOOK, notebook_in
from autograder.submission.sort import belongs_to_unit, has_answers, unit_submitted_to
from autograder.term.versions import EMPTY, ILLEGIBLE, WORKED_ON
from autograder.units.pack import Catalogue
from autograder.units.unit import UnitError

AssignmentPart = tuple[str, str]  # an assignment, and the stem of one of its notebooks
# Browsers save notebooks as .txt, too.
READ_AS = {MODULE: MODULE} | dict.fromkeys((".ipynb", ".json", ".txt"), ".ipynb")


@dataclass(frozen=True)
class Work:
    """The content of a file.

    It has the unit ("" if unreadable), the stem of the notebook, the exercises with cells, and its worth.
    `problem` says why a file that is named like a notebook is unreadable.
    """

    unit: str = ""
    stem: str = ""
    exercises: frozenset[str] = frozenset()
    worth: int = ILLEGIBLE
    problem: str = ""


def read_work(name: PurePath, content: bytes, catalogue: Catalogue) -> Work:
    """Return the content of a file."""
    suffix = READ_AS.get(name.suffix.lower())
    if not suffix:
        return Work()
    try:
        if suffix == MODULE and not belongs_to_unit(name, content.decode("utf-8-sig"), catalogue):
            return Work()
        notebook = notebook_in(Path(name.name).with_suffix(suffix), content)
        unit = unit_submitted_to(notebook, catalogue)
        worth = WORKED_ON if has_answers(notebook, unit) else EMPTY
    except (NotebookError, UnitError, RecursionError, AttributeError, TypeError, ValueError) as error:
        problem = str(error) if isinstance(error, NotebookError) else NO_NOTEBOOK
        return Work(problem=problem if name.suffix.lower() in (MODULE, ".ipynb") else "")
    names = (grade_id(cell).removesuffix(CHECK) for cell in notebook.cells)
    own = frozenset(name for name in names if name in unit.by_name)
    return Work(unit.name, unit.stem, own, worth)


def course_parts(root: Path, catalogue: Catalogue) -> dict[AssignmentPart, Work]:
    """Return the assignments of a course with their notebooks and contents."""
    paths = sorted((root / "source").glob("*/*.ipynb"))
    return {(path.parent.name, path.stem): read_work(path, path.read_bytes(), catalogue) for path in paths}


def possible_parts(work: Work, parts: Mapping[AssignmentPart, Work]) -> list[AssignmentPart]:
    """Return the assignments to which a notebook may belong.

    These assignments have the same unit and, if possible, exactly the exercises of the notebook. An unreadable file may
    belong to any assignment.
    """
    if not work.unit:
        return [*parts]
    same = [part for part in parts if part[1] == work.stem]
    likeness = {part: _likeness(work.exercises, parts[part].exercises) for part in same}
    return [part for part in same if likeness[part] == max(likeness.values())]


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0
