"""Downloads and tables as learning platforms write them, and a course to collect them into."""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path
from subprocess import CompletedProcess
from typing import TypeVar
from unicodedata import category

import nbformat

from autograder.term.assignments import Deadlines
from tests.classroom import notebook_with, reference_answers, write_file, write_files
from tests.command import foldem_here
from tests.units import course_in, read_unit

Download = Mapping[str, str | bytes]
Target = TypeVar("Target", Path, BytesIO)
MADE = datetime(2026, 3, 9, 10, 30)


def write_zip(path: Target, files: Download, made: datetime = MADE) -> Target:
    """Write a zip as platforms do: each file has the time of the download, two seconds after the previous file."""
    with zipfile.ZipFile(path, "w") as archive:
        for number, (name, content) in enumerate(files.items()):
            archive.writestr(
                zipfile.ZipInfo(name, (made + timedelta(seconds=2 * number)).timetuple()[:6]),
                content,
                zipfile.ZIP_DEFLATED,
            )
    return path


def moodle_folder(name: str, number: int) -> str:
    """Return Moodle's name for a student's folder, without characters that file names should not contain."""
    clean = "".join(char for char in name.replace("_", " ") if char not in "&<>\"`|':\\/")
    return f"{clean}_{number}_assignsubmission_file"


def canvas_name(sortable: str, user: int, file: int, own: str, late: bool = False) -> str:
    """Return Canvas's name for a file: the sortable name without spaces, commas, hyphens and apostrophes."""
    word = "".join(char for char in sortable.lower() if char == "_" or category(char)[0] in "LMN")
    return f"{word}{'_LATE' * late}_{user}_{file}_{own}"


def worksheet(rows: Iterable[tuple[int, str, str, str]], head: Iterable[str] = ()) -> str:
    """Return Moodle's grading worksheet, with participant, name, address and time in each row."""
    titles = [
        *("Identifier", "Full name", "Email address", "Status", "Grade", "Maximum grade", "Grade can be changed"),
        *("Last modified (submission)", "Last modified (grade)", "Feedback comments"),
    ]
    status, graded = "Submitted for grading", "Monday, 20 April 2026, 9:00 AM"
    cells = (
        [f"Participant {number}", name, address, status, "", "100.00", "Yes", time, graded, "Good,\nbut see me"]
        for number, name, address, time in rows
    )
    return "\ufeff" + as_csv(list(head) or titles, *cells)


def as_csv(*rows: Iterable[object]) -> str:
    text = StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()


def metadata(submissions: Mapping[int, tuple[str, str, str, str]]) -> str:
    """Return Gradescope's list of submissions, with name, student id, address and time of each."""
    return "---\n" + "".join(
        f"submission_{number}:\n  :submitters:\n  - :name: {name}\n    :sid: '{sid}'\n    :email: {address}\n"
        f"  :created_at: {time}\n  :score: 0.0\n  :status: processed\n  :results:\n    tests: []\n"
        for number, (name, sid, address, time) in submissions.items()
    )


# ------------------------------------------------------------------------------------------------ a course

ROSTER = "id,name,email,canvas_id\ns1,Ann Lee,ann@x.org,77\ns2,Bob Ray,bob@x.org,88\n"
DEADLINES = "late_per_day = 0.1\ndeadlines = { dominoes = 2026-03-02T23:59:00Z, uno = 2026-03-20T23:59:00Z }\n"
STEMS = {"dominoes": "1_dominoes", "uno": "4_uno", "warmup": "0_warmup"}
MOODLE_TIME = "Wednesday, 4 March 2026, 12:30 AM"  # a day late
ANN, BOB = moodle_folder("Ann Lee", 101), moodle_folder("Bob Ray", 102)


@cache
def work(unit: str, note: str = "", answered: bool = True) -> str:
    """Return a notebook with the unit's first exercise answered, and a note in its first cell."""
    answers = dict([*reference_answers(read_unit(unit)).items()][:1]) if answered else {}
    notebook = notebook_with(unit, answers)
    notebook.cells[0].source += note
    return nbformat.writes(notebook)


def make_course(folder: Path, roster: str = ROSTER) -> Path:
    """Make a course with two assignments, dominoes and uno, and return its folder."""
    source = {f"source/{name}/{STEMS[name]}.ipynb": work(name, answered=False) for name in ("dominoes", "uno")}
    return write_files(folder / "cs101", {**source, "foldem.toml": DEADLINES, "roster.csv": roster})


def collect(course: Path, files: Download, *words: str, days: float = 0) -> CompletedProcess[str]:
    """Collect a download that was made some days after the first."""
    download = write_zip(course.parent / f"CS101-Week 3-{days:g}.zip", files, MADE + timedelta(days=days))
    return foldem_here("collect", download, course, *words)


def packed(files: Download) -> bytes:
    """Return a zip as a student hands it in, with arbitrary times."""
    return write_zip(BytesIO(), files, datetime(1999, 1, 1)).getvalue()


def counts(course: Path, student: str = "s1", assignment: str = "dominoes") -> str:
    """Return the student's notebook that counts, or "" if there is none."""
    path = course / "submitted" / student / assignment / f"{STEMS[assignment]}.ipynb"
    return path.read_text() if path.exists() else ""


def whose_is_whose(course: Path) -> dict[str, str]:
    """Return for each student the note in the notebook of dominoes that counts."""
    title = nbformat.reads(work("dominoes"), 4).cells[0].source
    paths = sorted((course / "submitted").glob("*/dominoes/1_dominoes.ipynb"))
    return {path.parts[-3]: nbformat.read(path, 4).cells[0].source.removeprefix(title) for path in paths}


def all_collected(course: Path) -> set[str]:
    """Return all notebooks that were ever collected."""
    return {path.read_text() for path in (course / "collected").rglob("*.ipynb")}


def late(course: Path, student: str = "s1", assignment: str = "dominoes") -> timedelta:
    """Return how late a submission is."""
    folder = course_in(course)
    return Deadlines(folder.root, folder.settings.deadlines).lateness_of(student, assignment)


def given_times(course: Path, text: str) -> tuple[str, ...]:
    """Return the words that make `foldem collect` read this table of times, if there is one."""
    return ("--times", str(write_file(course.parent / "times.csv", text))) if text else ()


def moodle_files(*folders: str) -> dict[str, str]:
    """Return a download with the same notebook from each student."""
    return {f"{folder}/1_dominoes.ipynb": work("dominoes") for folder in folders or (ANN,)}
