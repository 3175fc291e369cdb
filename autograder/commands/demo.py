"""`foldem demo`: write the submissions of a small invented class and their times, to try out grading."""

from __future__ import annotations

import ast
import zipfile
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.commands.options import DemoOptions
from autograder.config import ConfigError
from autograder.prove.answers import notebook_with, reference_answers
from autograder.term.course import chosen_catalogue
from autograder.term.roster import ROSTER_FILE
from autograder.units.mistakes import mistakes_of
from autograder.units.unit import Unit, read_unit

DOWNLOAD_FILE = "submissions.zip"
WORKSHEET_FILE = "worksheet.csv"  # Moodle's grading worksheet: it has the submission times
STUDENT_NAMES = {
    "s101": "Ada Lovelace",
    "s102": "Alonzo Church",
    "s103": "Barbara Liskov",
    "s104": "Haskell Curry",
    "s105": "John McCarthy",
    "s106": "Rózsa Péter",
}
FILE_TIME = (2026, 3, 9, 10, 30, 0)
ON_SUNDAY, ON_MONDAY = "Sunday, 8 March 2026, 9:15 PM", "Monday, 9 March 2026, 8:05 AM"
LATE_STUDENTS = "s103", "s104"
FIRST_PARTICIPANT_NUMBER = 4101  # Moodle's number of the first participant


def run(options: DemoOptions) -> Iterator[str]:
    """Write the files of a sample class, and yield a line of output about each file."""
    catalogue = chosen_catalogue()
    return write_sample_class(options.folder, read_unit(catalogue, options.unit or catalogue.units[1]))


def write_sample_class(folder: Path, unit: Unit) -> Iterator[str]:
    """Write three files for a class: the submissions as a Moodle zip, the roster, and Moodle's grading worksheet.

    Yield a line of output about each file.
    """
    paths = folder / DOWNLOAD_FILE, folder / ROSTER_FILE, folder / WORKSHEET_FILE
    if there := [path for path in paths if path.exists()]:
        raise ConfigError(f"{there[0]} exists already: choose another folder")
    folder.mkdir(parents=True, exist_ok=True)
    download, roster, worksheet = paths
    right, *others = STUDENT_NAMES  # the first has only right answers; the others have mistakes
    hand_ins = {right: notebook_with(unit, reference_answers(unit))}
    hand_ins |= {student: imperfect_notebook(unit, index) for index, student in enumerate(others)}
    with zipfile.ZipFile(download, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (student, notebook) in enumerate(hand_ins.items(), FIRST_PARTICIPANT_NUMBER):
            name = f"{STUDENT_NAMES[student]}_{number}_assignsubmission_file/work.ipynb"
            archive.writestr(zipfile.ZipInfo(name, FILE_TIME), nbformat.writes(notebook))
    rows = [f"{student},{name},{student}@example.org\n" for student, name in STUDENT_NAMES.items()]
    roster.write_text("id,name,email\n" + "".join(rows), encoding="utf-8")
    lines = ["Identifier,Full name,Email address,Last modified (submission)\n"]
    for number, (student, name) in enumerate(STUDENT_NAMES.items(), FIRST_PARTICIPANT_NUMBER):
        time = ON_MONDAY if student in LATE_STUDENTS else ON_SUNDAY
        lines.append(f'Participant {number},{name},{student}@example.org,"{time}"\n')
    worksheet.write_text("".join(lines), encoding="utf-8")
    yield from (f"wrote  {path}" for path in paths)


def imperfect_notebook(unit: Unit, index: int) -> NotebookNode:
    """Return a notebook in which every fourth exercise has a known mistake, and every seventh is not written."""
    mistakes = {wrong.exercise: _without_docstring(wrong.source) for wrong in mistakes_of(unit)[index::5]}
    chosen = {
        name: mistakes.get(name, source) if (number + index) % 4 == 0 else source
        for number, (name, source) in enumerate(reference_answers(unit).items())
        if (number + 2 * index) % 7 != 6
    }
    return notebook_with(unit, chosen)


def _without_docstring(source: str) -> str:
    """Return a function's text without its docstring, which says what is wrong in a known mistake.

    >>> _without_docstring("def f(x):\\n    \'\'\'Return x.\'\'\'\\n    return x")
    'def f(x):\\n    return x'
    """
    (node,) = ast.parse(source).body
    if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
        del node.body[0]
    return ast.unparse(node)
