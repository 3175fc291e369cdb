"""Read submission times from a table: Moodle's grading worksheet, or a CSV from Canvas or Gradescope.

Used by `foldem collect --times FILE`. All cells of a column are read together, since the same program has written them.
Dates can be in many languages. If a time is ambiguous, it counts as unknown.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import cache
from pathlib import Path
from unicodedata import category, normalize

from toolz import groupby

from autograder.term import TermError
from autograder.term.platforms import CANVAS, MOODLE, Person
from autograder.term.roster import Student, column_indexes, read_table, words_of
from course.exam.readable import one_line

DATES_FILE = Path(__file__).with_name("dates.toml")
YEAR_FIRST, DAY_FIRST, MONTH_FIRST = "year first", "day first", "month first"
PLAUSIBLE_YEARS = range(2000, 2100)  # other years are typing errors, or from another calendar
YEAR_FIRST_PATTERN = re.compile(r"(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)t?")
YEAR_LAST_PATTERN = re.compile(r"(?<!\d)(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)")
EAST_ASIAN_DATE_PATTERN = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
CLOCK_PATTERN = re.compile(
    r"(?<![\d:])(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:\.\d+)?)?(?![\d:])(?:\s*(z|utc|gmt|[+-]\d{2}:?\d{2})(?!\w))?"
)
YEAR, DAY = re.compile(r"(?<!\d)(\d{4})(?!\d)"), re.compile(r"(?<!\w)(\d{1,2})(?!\w)")
WORD_SEPARATORS = re.compile(r"[\s,.;:،、()/]+")
CASE_ENDING_PATTERN = re.compile(r"\(\w{1,2}\)\w*")  # as in Basque: 2026(e)ko
LINK_WORDS = frozenset(
    ("de", "del", "di", "of", "at", "um", "uhr", "à", "às", "as", "kl", "le", "el", "la", "ore", "alle", "den", "dne")
    + ("r", "г", "d", "m", "год", "року", "gada", "ko", "ngày")
)
MORNING, AFTERNOON = (" am ", " a m "), (" pm ", " p m ")

DateReadings = Mapping[str, datetime]


@dataclass(frozen=True)
class Language:
    """The names of a language for months, for days of the week, and for morning and afternoon (`halves`)."""

    name: str
    months: tuple[tuple[str, ...], ...]
    days: tuple[tuple[str, ...], ...]
    halves: tuple[tuple[str, ...], ...]


@cache
def languages() -> tuple[Language, ...]:
    """Return all known languages.

    Among the names for the same month, day or half of the day, the longest name comes first.
    """
    known = []
    for language, table in tomllib.loads(DATES_FILE.read_text(encoding="utf-8")).items():
        lists = []
        for key in ("months", "days", "halves"):
            groups = (filter(None, map(_spaced_words, group.split("|"))) for group in table.get(key, ", ").split(", "))
            lists.append(tuple(tuple(sorted(group, key=len, reverse=True)) for group in groups))
        months, days, (morning, afternoon) = lists
        known.append(Language(language, months, days, (morning + MORNING, afternoon + AFTERNOON)))
    return tuple(known)


def read_time_column(cells: Sequence[str]) -> list[tuple[datetime, ...]]:
    """Return the times that each cell of a column can mean: none, one, or several if the cell is ambiguous.

    >>> [len(each) for each in read_time_column(["03/04/2026 10:00", "3 April 2026, 10:00", "soon"])]
    [2, 1, 0]
    >>> read_time_column(["03/04/2026 10:00", "13/04/2026 10:00"])[0]
    (datetime.datetime(2026, 4, 3, 10, 0),)
    """
    cell_readings = [read_date(cell) for cell in cells]
    common = set.intersection(*(set(each) for each in cell_readings if each)) if any(cell_readings) else set()
    possible = ([each[way] for way in common if way in each] or each.values() for each in cell_readings)
    return [tuple(sorted(set(each), key=str)) for each in possible]


def read_date(text: str) -> DateReadings:
    """Return the times that a text can mean, by language, or by the order of the numbers (such as `"day first"`).

    >>> read_date("Sunday, 1 March 2026, 11:59 PM"), read_date("2026-03-01")
    ({'en': datetime.datetime(2026, 3, 1, 23, 59)}, {})
    """
    plain = "".join(char for char in normalize("NFKC", text).casefold() if category(char) != "Cf")
    if match := YEAR_FIRST_PATTERN.search(plain):
        dates = {YEAR_FIRST: (match[1], match[3], match[4])}
    elif match := YEAR_LAST_PATTERN.search(plain):
        dates = {DAY_FIRST: (match[4], match[3], match[1])}
        dates |= (
            {MONTH_FIRST: (match[4], match[1], match[3])} if match[2] != "." else {}
        )  # dates with dots never begin with the month
    else:
        text = CASE_ENDING_PATTERN.sub(
            " ", EAST_ASIAN_DATE_PATTERN.sub(lambda m: f" {m[1]} {int(m[2])}月 {m[3]} ", plain)
        )
        clock, around = _clock_in(text) or (None, "")
        years = YEAR.findall(around)
        if clock is None or len(years) != 1:
            return {}
        rest = _spaced_words(YEAR.sub(" ", around))
        readings = {each.name: _date_in_language(each, rest, years[0], clock) for each in languages()}
        return {name: moment for name, moment in readings.items() if moment}
    found = _clock_in(f"{plain[: match.start()]} {plain[match.end() :]}")
    any_language = Language("", (), (), (MORNING, AFTERNOON))
    readings = {way: _date_with_time(any_language, date, *found) for way, date in dates.items()} if found else {}
    return {way: moment for way, moment in readings.items() if moment}


def _clock_in(text: str) -> tuple[time, str] | None:
    """Return the only time of day in a text, and the text around it; None if there is no time of day or several."""
    matches = list(CLOCK_PATTERN.finditer(text))
    if len(matches) != 1:
        return None
    [match] = matches
    zone = match[4] or ""
    with suppress(ValueError):
        tz = datetime.strptime(zone, "%z").tzinfo if zone[:1] in ("+", "-") else UTC if zone else None
        clock = time(int(match[1]), int(match[2]), int(match[3] or 0), tzinfo=tz)
        return clock, f"{text[: match.start()]} {text[match.end() :]}"
    return None


def _spaced_words(text: str) -> str:
    """Return the words of a text, separated by single spaces."""
    words = " ".join(filter(None, WORD_SEPARATORS.split(text)))
    return f" {words} " if words else ""


def _date_in_language(language: Language, rest: str, year: str, clock: time) -> datetime | None:
    """Return the date that words mean in a language, with year and time given; None if the words mean no date."""
    months = [number for number, names in enumerate(language.months, 1) if any(name in rest for name in names)]
    if len(months) != 1:
        return None
    left = _without_name(language.months[months[0] - 1], rest)
    days = DAY.findall(left)
    if len(days) != 1:
        return None
    return _date_with_time(language, (year, str(months[0]), days[0]), clock, DAY.sub(" ", left))


def _without_name(names: Iterable[str], words: str) -> str:
    """Return a date's words without the first of these names that occurs in them."""
    return next((words.replace(name, " ", 1) for name in names if name in words), words)


def _date_with_time(language: Language, date: tuple[str, ...], clock: time, around: str) -> datetime | None:
    """Return a date with a time of day; None if the date does not exist, or if a word is unknown."""
    words = _spaced_words(around)
    halves = [number for number, names in enumerate(language.halves) if any(name in words for name in names)]
    days = [number for number, names in enumerate(language.days) if any(name in words for name in names)]
    for names in (*(language.halves[number] for number in halves), *(language.days[number] for number in days)):
        words = _without_name(names, words)
    if len(halves) > 1 or not set(words.split()) <= LINK_WORDS:
        return None
    year, month, day = map(int, date)
    hour = clock.hour if not halves or clock.hour > 12 else clock.hour % 12 + 12 * halves[0]
    try:
        moment = datetime(year, month, day, hour, clock.minute, clock.second, tzinfo=clock.tzinfo)
    except ValueError:
        return None
    return moment if year in PLAUSIBLE_YEARS and (not days or moment.weekday() in days) else None


TIME_COLUMN_TITLES = (
    "last modified (submission)",
    "submitted",
    "submitted at",
    "submitted_at",
    "submitted on",
    "submission time",
    "submission date",
)
NUMBER_COLUMN_TITLES = ("identifier", "participant", "participant number")
CANVAS_ID_TITLES = ("user id", "user_id")
CANVAS_ONLY_TITLES = {
    "sis user id",
    "sis login id",
    "section",
}  # if one of these columns exists, `id` contains Canvas's ids
PERSON_COLUMNS = ("id", "email", "login", "sis", "first", "last", "name")
HIDDEN_NAME_KIND = "name if hidden"
LAST_NUMBER_PATTERN = re.compile(r"\d+$")
NO_TIME_CELLS = ("", "-")
NO_DEDUCTION = "so no points are deducted"
ZONE_DIFFERENCE = timedelta(hours=14)  # the largest difference between two time zones

PersonKey = tuple[str, str]


@dataclass(frozen=True)
class TimesRow:
    """A row of a table: its line number, keys that identify the person, the time as text, and its possible readings."""

    line: int
    keys: frozenset[PersonKey]
    text: str
    readings: tuple[datetime, ...]

    def has_number_of(self, person: Person) -> bool:
        """Return whether the row has the person's number. If the row also has a name, the name must match, too.

        In Moodle, a group can have the same number as a student who is not in the group. If a group such as `Group A`
        submits, `Group A-` is before each member's name. In a blind assignment, everybody's name is `Participant`, in
        the language of the Moodle site.
        """
        names = {value for kind, value in self.keys if kind in ("name", HIDDEN_NAME_KIND)}
        is_named = any(kind == "name" for kind, _ in self.keys) and person.platform == MOODLE
        has_number = bool(person.number) and (person.platform, person.number) in self.keys
        parts = person.name.split("-")
        return has_number and (not is_named or any(name_key("-".join(parts[n:])) in names for n in range(len(parts))))


@dataclass(frozen=True)
class TimesFile:
    """A table of submission times, and the name of its file. If there is no such file, the table has no rows."""

    name: str = ""
    rows: tuple[TimesRow, ...] = ()

    def rows_of(self, person: Person, student: Student | None, shared: Set[str]) -> list[TimesRow]:
        """Return the rows about a person, found by the platform's number, else by ids and addresses, else by name.

        If the person has a number, and the table has numbers of the same platform, only the number counts. Names that
        several students have (`shared`) are always ignored.
        """
        if person.number and any(kind == person.platform for row in self.rows for kind, _ in row.keys):
            return [row for row in self.rows if row.has_number_of(person)]
        ladder: list[set[PersonKey]] = []
        if student:
            ids = (student.email, student.login, student.sis, student.id)
            ladder.append({(CANVAS, student.canvas)} if student.canvas else set())
            ladder.append({("id", each.casefold()) for each in ids if each})
        names = {name_key(name) for name in (student.name if student else "", person.name) if name}
        ladder.append({("name", name) for name in names - shared})
        return next((rows for keys in ladder if (rows := [row for row in self.rows if row.keys & keys])), [])

    def time_of(
        self,
        person: Person,
        student: Student | None,
        shared: Set[str],
        until: datetime | None,
        downloaded: datetime | None,
    ) -> tuple[datetime | None, str]:
        """Return a person's submission time, and "" as the message.

        If the time is not certain, return None and a message about the table. A submission time after the download does
        not count as certain. A name that several students have (`shared`) is ignored.
        """
        rows = [row for row in self.rows_of(person, student, shared) if row.text not in NO_TIME_CELLS]
        readings = {reading for row in rows for reading in row.readings or (None,)}
        if not rows:
            return None, f"{self.name} has no submission time, {NO_DEDUCTION}. Download it again, or add the time"
        reading = next(iter(readings))
        if len(readings) == 1 and reading:
            clock = reading.astimezone(UTC).replace(tzinfo=None) if reading.tzinfo else reading
            if downloaded is None or clock <= downloaded + ZONE_DIFFERENCE:
                # Without a time zone, it is local time, or that of the deadline if the zones differ: this computer
                # may be a server far away.
                if not reading.tzinfo and until and until.astimezone().utcoffset() != until.utcoffset():
                    reading = reading.replace(tzinfo=until.tzinfo)
                return reading.astimezone(UTC), ""
        where = f"{self.name}, line {' and '.join(str(row.line) for row in rows)}"
        problem = "is not a clear time before this download"
        return None, f"{where}: {rows[0].text!r} {problem}, {NO_DEDUCTION}. Write it like 2026-03-01 23:59"

    def ids_of(self, person: Person) -> set[str]:
        """Return the ids and addresses in the row with a person's number.

        If several rows have this number, return an empty set.
        """
        rows = [row for row in self.rows if row.has_number_of(person)]
        return {value for kind, value in rows[0].keys if kind == "id"} if len(rows) == 1 else set()


def name_key(name: str) -> str:
    """Return a key for a name: its words, sorted. Names with the same words in another order have the same key."""
    return " ".join(sorted(words_of(name)))


def read_times(path: Path) -> TimesFile:
    """Read the submission times in a table. Raises TermError if no column has submission times.

    The column with submission times is recognized by its title. In Moodle's table, this column is the first of two
    columns `modified (…)`, in any language.
    """
    head, *rows = read_table(path)
    titles = [" ".join(title.lower().split()) for title in head]
    column = next((column for column, title in enumerate(titles) if title in TIME_COLUMN_TITLES), None)
    if column is None:
        with_bracket = [number for number, title in enumerate(titles) if re.search(".[(（]", title)]
        alike = groupby(lambda number: re.split("[(（]", titles[number])[0], with_bracket).values()
        pairs = [columns for columns in alike if len(columns) == 2]
        column = pairs[0][0] if len(pairs) == 1 else None
    if column is None:
        shown = one_line(", ".join(head), 200)
        raise TermError(
            f"{path}: found no column with submission times. If there is one, change its title to submitted. The "
            f"columns are {shown}"
        )
    texts = [_cell_text(row, column) for row in rows]
    kinds = {0: MOODLE, 1: "name"}  # in Moodle's worksheet, the columns that identify a person come first
    if titles[column] in TIME_COLUMN_TITLES:
        known = column_indexes(titles, [])
        kinds = {
            known[key]: key if key in ("first", "last", "name") else "id" for key in PERSON_COLUMNS if key in known
        }
        canvas = (*CANVAS_ID_TITLES, "id") if CANVAS_ONLY_TITLES & set(titles) else CANVAS_ID_TITLES
        kinds |= {number: CANVAS for number, title in enumerate(titles) if title in canvas}
        kinds |= {number: MOODLE for number, title in enumerate(titles) if title in NUMBER_COLUMN_TITLES}
    lines = zip(rows, texts, read_time_column(texts), strict=True)
    return TimesFile(
        path.name,
        tuple(
            TimesRow(line, _person_keys(row, kinds, column), text, times)
            for line, (row, text, times) in enumerate(lines, 2)
        ),
    )


def _cell_text(row: Sequence[str], column: int) -> str:
    return row[column].strip() if column < len(row) else ""


def _person_keys(row: Sequence[str], kinds: Mapping[int, str], until: int) -> frozenset[PersonKey]:
    """Return the keys of a row.

    Only addresses before the column of times are read, because in later columns and in names students may write another
    person's address.
    """
    cells = [(kind, value) for column, kind in kinds.items() if (value := _cell_text(row, column))]
    others = (cell for column, cell in enumerate(row[:until]) if kinds.get(column) not in ("first", "last", "name"))
    keys = {("id", cell.strip().casefold()) for cell in others if "@" in cell}
    keys |= {("id", value.casefold()) for kind, value in cells if kind == "id"}
    keys |= {(CANVAS, value) for kind, value in cells if kind == CANVAS}
    keys |= {
        (MOODLE, match[0]) for kind, value in cells if kind == MOODLE and (match := LAST_NUMBER_PATTERN.search(value))
    }
    keys |= {
        (HIDDEN_NAME_KIND, name_key(LAST_NUMBER_PATTERN.sub("", value))) for kind, value in cells if kind == MOODLE
    }
    full = " ".join(value for kind, value in cells if kind in ("first", "last"))
    keys |= {("name", name_key(name)) for name in (full, *(value for kind, value in cells if kind == "name")) if name}
    return frozenset(keys)
