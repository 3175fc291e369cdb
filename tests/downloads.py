"""Downloads and tables as learning platforms write them: Moodle 4.5, Canvas and Gradescope of 2026."""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from unicodedata import category

Download = Mapping[str, str | bytes]
MADE = datetime(2026, 3, 9, 10, 30)


def write_zip(path: Path, files: Download, made: datetime = MADE) -> Path:
    """Write a zip as platforms do: each file has the time of the download, two seconds after the previous file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (name, content) in enumerate(files.items()):
            archive.writestr(zipfile.ZipInfo(name, (made + timedelta(seconds=2 * number)).timetuple()[:6]), content)
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
