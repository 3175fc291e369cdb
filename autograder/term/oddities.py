"""The warnings of `foldem collect`: what happened, to whom, and what to do."""

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


class Oddity(NamedTuple):
    """A warning about a student or a file."""

    subject: str
    problem: str


def problem_lines(odd: Iterable[Oddity]) -> list[str]:
    """Return a line for each problem, with all students and files that have it."""
    groups = groupby(lambda each: each.problem, dict.fromkeys(odd))
    subjects = {problem: ", ".join(shown_name(each.subject) for each in group) for problem, group in groups.items()}
    return [f"{names}: {shown_name(problem)}" for problem, names in subjects.items()]


def no_hand_in(path: str, problem: str) -> Oddity:
    """Return a warning about a file that cannot be a submission."""
    return Oddity(path, f"{problem}. Ask the student for the .ipynb file")


def misplaced(path: str, unit: str, fits: Sequence[str], meant: str) -> Oddity:
    """Return a warning about a notebook whose assignment is unclear or wrong."""
    what = f"a notebook of {unit}" if unit else "this is not a readable notebook"
    if meant:
        return Oddity(path, f"{what}, but this download is for {meant}. Ask the student for the right file")
    if fits:
        return Oddity(path, f"{what}, which is in {' and '.join(fits)}. Add --assignment")
    return Oddity(path, f"{what}, which is in no assignment of this course. Ask the student for the right file")


def unmatched(unclear: Unclear, assignment: str) -> Oddity:
    """Return a warning about a person who does not match exactly one student."""
    person, remedy = unclear.person, _settle(unclear, assignment)
    if unclear.was_another:
        again = "move collected, submitted and moodle.csv out of the course, and collect everything again"
        return Oddity(person.label, f"matched another student before. If {ROSTER_FILE} was wrong then, {again}")
    if len(unclear.fits) > 1:
        return Oddity(person.label, f"matches {' and '.join(unclear.fits)} in {ROSTER_FILE}. {remedy}")
    if unclear.fits:
        return Oddity(person.label, f"matches {unclear.fits[0]}, but so does somebody else. {remedy}")
    hint = f", but {unclear.near} has a similar name" if unclear.near else ""
    return Oddity(person.label, f"not in {ROSTER_FILE}{hint}. {remedy}")


def _settle(unclear: Unclear, assignment: str) -> str:
    """Return advice on how to match a person to a student."""
    person, likely = unclear.person, next(iter((*unclear.fits, unclear.near)), "")
    if person.platform == CANVAS:
        return f"Write {person.number} into the column canvas_id of {ROSTER_FILE}"
    if person.platform == GRADESCOPE:
        return f"Write {person.number or 'their address'} into {ROSTER_FILE}"
    if person.platform == MOODLE and likely:
        line = f"{assignment},{likely},{person.label}"
        return f"Add --times with Moodle's grading worksheet, or the line {line} to moodle.csv"
    others = {
        MOODLE: ", or add --times with Moodle's grading worksheet",
        FOLDER: ", or rename the folder or file to the id",
    }
    return f"Add the student to {ROSTER_FILE}{others.get(person.platform, '')}"


def without_time(student: str, table: str) -> Oddity:
    """Return a warning about a submission without a hand-in time."""
    return Oddity(
        student, f"{table} has no hand-in time, so no points are deducted. Download it again, or add the time"
    )


def unclear_time(student: str, table: str, rows: Sequence[TimesRow]) -> Oddity:
    """Return a warning about a submission with an ambiguous hand-in time."""
    where = f"{table}, line {rows[0].line}"
    if len(rows) > 1:
        lines = " and ".join(str(row.line) for row in rows)
        return Oddity(
            student, f"{table}, lines {lines} have different times, so no points are deducted. Keep one of the lines"
        )
    dates = " or ".join(f"{each:%d %B}" for each in rows[0].readings)
    problem = f"{rows[0].text!r} {f'can mean {dates}' if dates else 'is not a valid time'}"
    return Oddity(student, f"{where}: {problem}, so no points are deducted. Write it like 2026-03-01 23:59")


def time_after_download(student: str, table: str, row: TimesRow) -> Oddity:
    """Return a warning about a hand-in time that is after the download, and so must be wrong."""
    problem = f"has the time {row.text!r}, which is after this download, so no points are deducted. Download both again"
    return Oddity(student, f"{table}, line {row.line} {problem}")


def several_files(chosen: Version, first: str, count: int) -> Oddity:
    """Return a warning about several files for one notebook: which one counts, and why."""
    copies = f"All files are in collected/{chosen.student}/{chosen.assignment}"
    reason = WHY.get(first, "it is unknown which file is newer")
    what = f"{count} files for {chosen.notebook}. {chosen.path} counts, because {reason}"
    return Oddity(chosen.student, f"{what}. {copies}")


def outranked(best: Version, first: str, late: timedelta) -> Oddity:
    """Return a warning that an earlier file is better than the files of a download."""
    worth = "cannot be read" if best.worth == ILLEGIBLE else "has no answers"
    problem = {"is_in_time": f"is late by {span(late)}", "is_no_checkpoint": "is a checkpoint"}.get(first, worth)
    what = f"the file for {best.notebook} in this download {problem}, so an earlier one still counts"
    remedy = "add --replace" if first != "is_in_time" else "add --replace, or an [[extension]] to adjust.toml"
    return Oddity(best.student, f"{what}. To use it, {remedy} and collect again")


def ungradable(version: Version) -> Oddity:
    """Return a warning about a file that counts but cannot be graded."""
    return Oddity(version.path, "not a Jupyter notebook, so it is not graded. Ask the student for the file again")


def only_checkpoint(version: Version) -> Oddity:
    """Return a warning about a student who submitted only a Jupyter checkpoint."""
    return Oddity(
        version.path, "only a Jupyter checkpoint was handed in, so it counts. Ask the student for the notebook"
    )


def stranger(name: str) -> Oddity:
    """Return a warning about a folder of submissions that matches no student of the roster."""
    return Oddity(name, f"in submitted/, but not in {ROSTER_FILE}. Add the student, or remove the folder")
