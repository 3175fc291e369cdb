"""Submission times in a table: Moodle's grading worksheet, or a CSV from Canvas or Gradescope.

Read by `foldem collect --times FILE`. An ambiguous time counts as unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from toolz import groupby

from autograder.term import TermError
from autograder.term.dates import read_column
from autograder.term.platforms import CANVAS, MOODLE, Person
from autograder.term.roster import Student, columns_of, read_table, words_of
from course.exam.readable import one_line

TIME_TITLES = (
    "last modified (submission)",
    "submitted",
    "submitted at",
    "submitted_at",
    "submitted on",
    "submission time",
    "submission date",
)
NUMBER_TITLES = ("identifier", "participant", "participant number")
CANVAS_TITLES = ("user id", "user_id")
OF_CANVAS = {"sis user id", "sis login id", "section"}  # if one of these columns exists, `id` contains Canvas's ids
KEYS = ("id", "email", "login", "sis", "first", "last", "name")
HIDDEN_NAME = "name if hidden"
LAST_NUMBER = re.compile(r"\d+$")
NO_TIME_YET = ("", "-")
NO_DEDUCTION = "so no points are deducted"
FARTHEST = timedelta(hours=14)  # the largest difference between two time zones

PersonKey = tuple[str, str]


@dataclass(frozen=True)
class TimesRow:
    """A row of a table: its line, the keys of the person, and the time as text and as possible readings."""

    line: int
    keys: frozenset[PersonKey]
    text: str
    readings: tuple[datetime, ...]

    @property
    def has_time(self) -> bool:
        return self.text not in NO_TIME_YET

    def is_numbered_as(self, person: Person) -> bool:
        """Return whether the row has the person's number, and the name as well if it has any.

        In Moodle, a number may be a group's and also a student's who is not in it. If a group submits, `Group A-` is
        before each member's name. In a blind assignment, everybody's name is `Participant`, in Moodle's language.
        """
        names = {value for kind, value in self.keys if kind in ("name", HIDDEN_NAME)}
        is_named = any(kind == "name" for kind, _ in self.keys) and person.platform == MOODLE
        has_number = bool(person.number) and (person.platform, person.number) in self.keys
        parts = person.name.split("-")
        return has_number and (not is_named or any(name_key("-".join(parts[n:])) in names for n in range(len(parts))))


@dataclass(frozen=True)
class TimesFile:
    """A table of submission times, and the name of its file. Without a table, there are no rows."""

    name: str = ""
    rows: tuple[TimesRow, ...] = ()

    def rows_of(self, person: Person, student: Student | None, shared: Set[str]) -> list[TimesRow]:
        """Return the rows about a person: by the platform's number, else by ids and addresses, else by name.

        A name that several students have (`shared`) says nothing.
        """
        if self.has_numbers_of(person):
            return [row for row in self.rows if row.is_numbered_as(person)]
        ladder = _ladder(person, student, shared)
        return next((rows for keys in ladder if (rows := [row for row in self.rows if row.keys & keys])), [])

    def has_numbers_of(self, person: Person) -> bool:
        """Return whether the table has the numbers of a person's platform. Then names are ignored."""
        return bool(person.number) and any(kind == person.platform for row in self.rows for kind, _ in row.keys)

    def time_of(
        self,
        person: Person,
        student: Student | None,
        shared: Set[str],
        until: datetime | None,
        downloaded: datetime | None,
    ) -> tuple[datetime | None, str]:
        """Return when a person handed in, if that is certain, and otherwise what is wrong with the table.

        A platform's times are not after its download. A name that several students have (`shared`) says nothing.
        """
        rows = [row for row in self.rows_of(person, student, shared) if row.has_time]
        readings = {reading for row in rows for reading in row.readings or (None,)}
        where = f"{self.name}, line {rows[0].line}" if rows else self.name
        if not rows:
            return None, f"{where} has no submission time, {NO_DEDUCTION}. Download it again, or add the time"
        reading = next(iter(readings))
        if len(readings) == 1 and reading and not (downloaded and is_after(reading, downloaded)):
            return instant_of(reading, until), ""
        if len(rows) > 1:
            lines = " and ".join(str(row.line) for row in rows)
            return None, f"{self.name}, lines {lines} have different times, {NO_DEDUCTION}. Keep one of the lines"
        dates = " or ".join(f"{each:%d %B}" for each in rows[0].readings)
        late = "is after this download" if dates else "is not a valid time"
        problem = f"can mean {dates}" if len(readings) > 1 else late
        return None, f"{where}: {rows[0].text!r} {problem}, {NO_DEDUCTION}. Write it like 2026-03-01 23:59"

    @property
    def has_zones(self) -> bool:
        """Return whether all times have a time zone."""
        return all(reading.tzinfo for row in self.rows for reading in row.readings)

    def ids_of(self, person: Person) -> set[str]:
        """Return the ids and addresses in the row with a person's number; empty if several rows have it."""
        rows = [row for row in self.rows if row.is_numbered_as(person)]
        return {value for kind, value in rows[0].keys if kind == "id"} if len(rows) == 1 else set()


def _ladder(person: Person, student: Student | None, shared: Set[str]) -> Iterator[set[PersonKey]]:
    """Return the keys to look up a person by, the most reliable ones first."""
    if student:
        ids = (student.email, student.login, student.sis, student.id)
        yield {(CANVAS, student.canvas)} if student.canvas else set()
        yield {("id", each.casefold()) for each in ids if each}
    names = {name_key(name) for name in (student.name if student else "", person.name) if name}
    yield {("name", name) for name in names - shared}


def name_key(name: str) -> str:
    """Return a name as a key: its words, in any order."""
    return " ".join(sorted(words_of(name)))


def read_times(path: Path) -> TimesFile:
    """Return the submission times in a table. Raises TermError if no column has any."""
    head, *rows = read_table(path)
    titles = [" ".join(title.lower().split()) for title in head]
    column = _time_column(titles)
    if column is None:
        shown = one_line(", ".join(head), 200)
        raise TermError(f"{path}: no column has submission times: call one of them submitted. The columns are {shown}")
    texts = [_cell(row, column) for row in rows]
    kinds = _key_columns(titles, is_worksheet=titles[column] not in TIME_TITLES)
    lines = zip(rows, texts, read_column(texts), strict=True)
    return TimesFile(
        path.name,
        tuple(
            TimesRow(line, _keys(row, kinds, column), text, times) for line, (row, text, times) in enumerate(lines, 2)
        ),
    )


def _cell(row: Sequence[str], column: int) -> str:
    return row[column].strip() if column < len(row) else ""


def _time_column(titles: Sequence[str]) -> int | None:
    """Return the column of submission times, by title; in Moodle, the first `modified (…)` in any language."""
    if known := [column for column, title in enumerate(titles) if title in TIME_TITLES]:
        return known[0]
    with_bracket = [column for column, title in enumerate(titles) if re.search(".[(（]", title)]
    alike = groupby(lambda column: re.split("[(（]", titles[column])[0], with_bracket).values()
    pairs = [columns for columns in alike if len(columns) == 2]
    return pairs[0][0] if len(pairs) == 1 else None


def _key_columns(titles: Sequence[str], is_worksheet: bool) -> dict[int, str]:
    """Return the columns that identify a person. In Moodle's worksheet, they come first."""
    if is_worksheet:
        return {0: MOODLE, 1: "name"}
    known = columns_of(titles, [])
    kinds = {known[key]: key if key in ("first", "last", "name") else "id" for key in KEYS if key in known}
    if OF_CANVAS & set(titles):
        kinds |= {column: CANVAS for column, title in enumerate(titles) if title == "id"}
    kinds |= {column: CANVAS for column, title in enumerate(titles) if title in CANVAS_TITLES}
    return kinds | {column: MOODLE for column, title in enumerate(titles) if title in NUMBER_TITLES}


def _keys(row: Sequence[str], kinds: Mapping[int, str], until: int) -> frozenset[PersonKey]:
    """Return the keys of a row.

    Addresses are before the column of times. Behind it, and in names, students may write somebody else's.
    """
    cells = [(kind, value) for column, kind in kinds.items() if (value := _cell(row, column))]
    others = (cell for column, cell in enumerate(row[:until]) if kinds.get(column) not in ("first", "last", "name"))
    keys = {("id", cell.strip().casefold()) for cell in others if "@" in cell}
    keys |= {("id", value.casefold()) for kind, value in cells if kind == "id"}
    keys |= {(CANVAS, value) for kind, value in cells if kind == CANVAS}
    keys |= {(MOODLE, match[0]) for kind, value in cells if kind == MOODLE and (match := LAST_NUMBER.search(value))}
    keys |= {(HIDDEN_NAME, name_key(LAST_NUMBER.sub("", value))) for kind, value in cells if kind == MOODLE}
    full = " ".join(value for kind, value in cells if kind in ("first", "last"))
    keys |= {("name", name_key(name)) for name in (full, *(value for kind, value in cells if kind == "name")) if name}
    return frozenset(keys)


def instant_of(reading: datetime, until: datetime | None) -> datetime:
    """Return the instant that a reading means. Without a time zone, it is local time, or that of the deadline.

    The deadline's zone is used if it differs from this computer's, which may be a server far away.
    """
    if reading.tzinfo:
        return reading.astimezone(UTC)
    is_local = until is None or until.astimezone().utcoffset() == until.utcoffset()
    return (reading if is_local or until is None else reading.replace(tzinfo=until.tzinfo)).astimezone(UTC)


def is_after(reading: datetime, downloaded: datetime) -> bool:
    """Return whether a time is later than its download, in whatever time zones the two clocks are."""
    clock = reading.astimezone(UTC).replace(tzinfo=None) if reading.tzinfo else reading
    return clock > downloaded + FARTHEST
