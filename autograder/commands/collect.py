"""`foldem collect`: a download of a learning platform, put where nbgrader and `foldem grade` look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from rich.console import Console

from autograder.config import ConfigError
from autograder.term.adjust import adjustments_in
from autograder.term.archive import file_in, files_of
from autograder.term.intake import (
    GRADESCOPE,
    Arrival,
    gradescope_folders,
    is_students,
    name_of,
    newest,
    put,
    remember_participants,
    sorted_out,
)
from autograder.term.lateness import Deadlines, span
from autograder.term.places import course_at
from autograder.term.roster import Student, roster_of
from autograder.text import counted, shown_name

ALL_TAKEN, SOME_ODD = 0, 1


def run(download: Path, course: Path, assignment: str | None) -> int:
    """Take what can be taken, list what is odd, and give the exit status."""
    root = course_at(course)
    if not download.exists():
        raise ConfigError(f"{download}: No such file or directory")
    notebooks = _demanded(assignment, root)
    roster = roster_of(root)
    told = gradescope_folders(file_in(download, GRADESCOPE, partial(is_students, roster=roster)))
    found = list(sorted_out(files_of(download), roster, notebooks, assignment, told))
    kept, older = newest(each for each in found if each.assignment)
    deadlines, odd = adjustments_in(root).deadlines, list(_odd(found, older, roster))
    remember_participants(root, kept)
    done = [put(root, each) for each in kept]
    last = f"{counted(done.count('taken'), 'notebook')} taken, {len(done) - done.count('taken'):,} there already."
    console = Console(markup=False, emoji=False, highlight=False, soft_wrap=True)
    console.print("\n".join((*odd, *_late(kept, deadlines), last)))
    return SOME_ODD if odd else ALL_TAKEN


def _demanded(assignment: str | None, root: Path) -> dict[str, tuple[str, ...]]:
    """Give a course's assignments with their notebooks; ConfigError if there is not the one that was asked for."""
    notebooks = assignments_of(root)
    if assignment is not None and assignment not in notebooks:
        raise ConfigError(
            f"there is no assignment {assignment!r} in {root / 'source'}: there are {', '.join(notebooks)}"
        )
    return notebooks


def _odd(found: list[Arrival], older: list[Arrival], roster: Mapping[str, Student]) -> Iterator[str]:
    """Tell what was not taken, and of whom there is nothing."""
    yield from (f"{name_of(each)}: {each.odd}" for each in found if each.odd)
    yield from (f"{name_of(each)}: older than another file of {shown_name(each.student)}: left out" for each in older)
    if without := sorted(set(roster) - {each.student for each in found if each.assignment}):
        yield f"nothing from {', '.join(without)}"


def _late(kept: list[Arrival], deadlines: Deadlines) -> Iterator[str]:
    """Tell who is late, and by how much."""
    for each in kept:
        if late := deadlines.late(each.student, each.assignment, datetime.fromtimestamp(each.found.written, UTC)):
            yield f"{shown_name(each.student)}: {each.assignment} is late by {span(late)}"


def assignments_of(root: Path) -> dict[str, tuple[str, ...]]:
    """Give the assignments of a course, with the stems of their notebooks."""
    paths = sorted((root / "source").glob("*/*.ipynb"))
    names = sorted({path.parent.name for path in paths})
    return {name: tuple(path.stem for path in paths if path.parent.name == name) for name in names}
