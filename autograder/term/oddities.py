"""The lines in which `foldem collect` says what is odd in a download: what happened, whose it is, what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import NamedTuple

from toolz import groupby

from autograder.term.lateness import span
from autograder.term.people import Unclear
from autograder.term.platforms import CANVAS, FOLDER, GRADESCOPE, MOODLE
from autograder.term.roster import ROSTER_FILE
from autograder.term.times import TimesRow
from autograder.term.versions import ILLEGIBLE, Version
from autograder.text import shown_name

WHY = {
    "is_no_checkpoint": "the others are checkpoints",
    "worth": "the others are unreadable or have no answers",
    "is_in_time": "the others are late",
    "downloaded": "it is the newest",
    "uploaded": "it was uploaded last",
    "has_given_name": "it has the notebook's own name",
    "copy": "it is the latest copy",
}
TIME_EXAMPLE = "2026-03-01 23:59"
UNDECIDED = "nothing says which is newer"


class Oddity(NamedTuple):
    """Something odd, and who or what it is about."""

    subject: str
    problem: str


def lines_of(odd: Iterable[Oddity]) -> list[str]:
    """Return a line for each problem, with all whom it is about."""
    groups = groupby(lambda each: each.problem, dict.fromkeys(odd))
    return [f"{', '.join(shown_name(each.subject) for each in group)}: {problem}" for problem, group in groups.items()]


def no_hand_in(path: str, problem: str) -> Oddity:
    """Return what to say about a file that cannot be a hand-in."""
    return Oddity(path, f"{problem}. Ask for the .ipynb file")


def misplaced(path: str, unit: str, fits: Sequence[str], meant: str) -> Oddity:
    """Return what to say about a notebook whose assignment is not clear, or is not the one that is collected."""
    what = f"a notebook of {unit}" if unit else "it cannot be read as a notebook"
    if meant:
        return Oddity(path, f"{what}, but this download is for {meant}. Ask for the right file")
    if fits:
        return Oddity(path, f"{what}, and it may be for {' or '.join(fits)}. Add --assignment")
    return Oddity(path, f"{what}, and no assignment of this course has one. Ask for the right file")


def unmatched(unclear: Unclear, assignment: str) -> Oddity:
    """Return what to say about somebody who is not matched to one student, and how to settle it."""
    person, remedy = unclear.person, _settle(unclear, assignment)
    if len(unclear.fits) > 1:
        return Oddity(person.label, f"{' and '.join(unclear.fits)} in {ROSTER_FILE} fit. {remedy}")
    if unclear.fits:
        return Oddity(person.label, f"somebody else is {unclear.fits[0]} already, so this is not clear. {remedy}")
    hint = f", but {unclear.near} is called much like it" if unclear.near else ""
    return Oddity(person.label, f"nobody in {ROSTER_FILE} is called so{hint}. {remedy}")


def _settle(unclear: Unclear, assignment: str) -> str:
    """Return how to settle who somebody is."""
    person, likely = unclear.person, next(iter((*unclear.fits, unclear.near)), "")
    if person.platform == CANVAS:
        return f"Write {person.number} into the column canvas_id of {ROSTER_FILE}"
    if person.platform == GRADESCOPE:
        return f"Write {' or '.join(person.ids) or 'their address'} into {ROSTER_FILE}"
    if person.platform == MOODLE and likely:
        line = f"{assignment},{likely},{person.label}"
        return f"Add --times with Moodle's grading worksheet, or the line {line} to moodle.csv"
    return f"Add them to {ROSTER_FILE}" + ", or rename it to the student's id" * (person.platform == FOLDER)


def without_time(student: str, table: str) -> Oddity:
    """Return what to say about a hand-in whose time is not in the table of times."""
    return Oddity(student, f"{table} has no hand-in time, so nothing is deducted. Download it again, or add the time")


def unclear_time(student: str, table: str, rows: Sequence[TimesRow]) -> Oddity:
    """Return what to say about a hand-in whose time is not clear."""
    where = f"{table}, line {rows[0].line}"
    if len(rows) > 1:
        lines = " and ".join(str(row.line) for row in rows)
        return Oddity(student, f"{table}, lines {lines} fit and differ, so nothing is deducted. Leave one of them")
    problem = f"can be {_dates(rows[0])}" if rows[0].readings else "is no time that can be read"
    return Oddity(student, f"{where}: {rows[0].text!r} {problem}, so nothing is deducted. Write it like {TIME_EXAMPLE}")


def _dates(row: TimesRow) -> str:
    return " or ".join(f"{each:%d %B}" for each in row.readings)


def time_after_download(student: str, table: str, row: TimesRow) -> Oddity:
    """Return what to say about a hand-in time that is later than the download, and so not that of its file."""
    problem = f"says {row.text!r}, which is after this download, so nothing is deducted. Download both again"
    return Oddity(student, f"{table}, line {row.line} {problem}")


def several_files(chosen: Version, first: str, count: int) -> Oddity:
    """Return what to say where several files of a download are for one notebook: which counts, and why."""
    copies = f"The others are kept in collected/{chosen.student}/{chosen.assignment}"
    what = f"{count} files for {chosen.notebook}, of which {chosen.path} counts: {WHY.get(first, UNDECIDED)}"
    return Oddity(chosen.student, f"{what}. {copies}")


def outranked(best: Version, first: str, late: timedelta) -> Oddity:
    """Return what to say where no file of a download counts, for an earlier one is better."""
    worth = "cannot be read" if best.worth == ILLEGIBLE else "has no answers"
    problem = {"is_in_time": f"is late by {span(late)}", "is_no_checkpoint": "is a checkpoint"}.get(first, worth)
    what = f"the file for {best.notebook} in this download {problem}, so an earlier one still counts"
    remedy = "add --replace" if first != "is_in_time" else "add --replace, or an [[extension]] to adjust.toml"
    return Oddity(best.student, f"{what}. To have it count, {remedy} and collect again")


def ungradable(version: Version) -> Oddity:
    """Return what to say about a file that counts, but cannot be graded."""
    return Oddity(version.path, "it is no Jupyter notebook: it stays ungraded. Ask for the file again")


def only_checkpoint(version: Version) -> Oddity:
    """Return what to say about a checkpoint that was handed in alone."""
    return Oddity(
        version.path, "a checkpoint of Jupyter's, and nothing else was handed in: it counts. Ask for the notebook"
    )


def stranger(name: str) -> Oddity:
    """Return what to say about a folder of hand-ins that is nobody's in the roster."""
    return Oddity(name, f"in submitted/, but not in {ROSTER_FILE}. Add them, or remove the folder")
