"""Dates and times of day, as platforms and spreadsheets write them, in many languages.

All cells of a column are read together, since the same program wrote them. An ambiguous date is never guessed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, time, tzinfo
from functools import cache
from pathlib import Path
from unicodedata import category, normalize

DATA = Path(__file__).with_suffix(".toml")
YEAR_FIRST, DAY_FIRST, MONTH_FIRST = "year first", "day first", "month first"
YEARS = range(2000, 2100)  # other years are typing errors, or from another calendar
BY_YEAR = re.compile(r"(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)t?")
BY_NUMBER = re.compile(r"(?<!\d)(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)")
EAST_ASIAN = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
CLOCK = re.compile(
    r"(?<![\d:])(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:\.\d+)?)?(?![\d:])(?:\s*(z|utc|gmt|[+-]\d{2}:?\d{2})(?!\w))?"
)
YEAR, DAY = re.compile(r"(?<!\d)(\d{4})(?!\d)"), re.compile(r"(?<!\w)(\d{1,2})(?!\w)")
BETWEEN_WORDS = re.compile(r"[\s,.;:،、()/]+")
CASE_ENDINGS = re.compile(r"\(\w{1,2}\)\w*")  # as in Basque: 2026(e)ko
LINKS = frozenset(
    ("de", "del", "di", "of", "at", "um", "uhr", "à", "às", "as", "kl", "le", "el", "la", "ore", "alle", "den", "dne")
    + ("r", "г", "d", "m", "год", "року", "gada", "ko", "ngày")
)
MORNING, AFTERNOON = (" am ", " a m "), (" pm ", " p m ")

Readings = Mapping[str, datetime]


@dataclass(frozen=True)
class Language:
    """A language's names for months, days, and halves of the day."""

    name: str
    months: tuple[tuple[str, ...], ...]
    days: tuple[tuple[str, ...], ...]
    halves: tuple[tuple[str, ...], ...]


@cache
def languages() -> tuple[Language, ...]:
    """Return all known languages."""
    tables = tomllib.loads(DATA.read_text(encoding="utf-8")).items()
    read = ((name, [_names(table.get(key, ", ")) for key in ("months", "days", "halves")]) for name, table in tables)
    return tuple(Language(name, months, days, _with_usual(halves)) for name, (months, days, halves) in read)


def _with_usual(halves: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(own + usual for own, usual in zip(halves, (MORNING, AFTERNOON), strict=True))


def _names(text: str) -> tuple[tuple[str, ...], ...]:
    groups = (filter(None, map(_words, group.split("|"))) for group in text.split(", "))
    return tuple(tuple(sorted(group, key=len, reverse=True)) for group in groups)


def read_column(cells: Sequence[str]) -> list[tuple[datetime, ...]]:
    """Return the possible readings of each cell of a column: none, one, or several if the cell is ambiguous.

    >>> [len(each) for each in read_column(["03/04/2026 10:00", "3 April 2026, 10:00", "soon"])]
    [2, 1, 0]
    >>> read_column(["03/04/2026 10:00", "13/04/2026 10:00"])[0]
    (datetime.datetime(2026, 4, 3, 10, 0),)
    """
    readings = [read_date(cell) for cell in cells]
    common = set.intersection(*(set(each) for each in readings if each)) if any(readings) else set()
    return [tuple(sorted(set(_narrowed(each, common)), key=str)) for each in readings]


def _narrowed(readings: Readings, common: Iterable[str]) -> Iterable[datetime]:
    """Return the readings of a cell that are possible for all cells of its column."""
    return [readings[way] for way in common if way in readings] or readings.values()


def read_date(text: str) -> Readings:
    """Return the dates that a text can mean, keyed by the language or the order of its numbers (`"day first"`).

    >>> read_date("Sunday, 1 March 2026, 11:59 PM"), read_date("2026-03-01")
    ({'en': datetime.datetime(2026, 3, 1, 23, 59)}, {})
    """
    plain = "".join(char for char in normalize("NFKC", text).casefold() if category(char) != "Cf")
    if match := BY_YEAR.search(plain):
        dates = {YEAR_FIRST: (match[1], match[3], match[4])}
    elif match := BY_NUMBER.search(plain):
        dates = {DAY_FIRST: (match[4], match[3], match[1])}
        dates |= (
            {MONTH_FIRST: (match[4], match[1], match[3])} if match[2] != "." else {}
        )  # dates with dots never begin with the month
    else:
        return _read_words(CASE_ENDINGS.sub(" ", EAST_ASIAN.sub(lambda m: f" {m[1]} {int(m[2])}月 {m[3]} ", plain)))
    clock = _clock_in(f"{plain[: match.start()]} {plain[match.end() :]}")
    any_language = Language("", (), (), (MORNING, AFTERNOON))
    readings = {way: _moment(any_language, date, *clock) for way, date in dates.items()} if clock else {}
    return {way: moment for way, moment in readings.items() if moment}


def _clock_in(text: str) -> tuple[time, str] | None:
    """Return the only time of day in a text, and the text around it; None if there are none or several."""
    matches = list(CLOCK.finditer(text))
    if len(matches) != 1:
        return None
    [match] = matches
    with suppress(ValueError):
        clock = time(int(match[1]), int(match[2]), int(match[3] or 0), tzinfo=_zone(match[4] or ""))
        return clock, f"{text[: match.start()]} {text[match.end() :]}"
    return None


def _read_words(text: str) -> Readings:
    """Return the readings of a text in each language that knows all of its words."""
    clock, around = _clock_in(text) or (None, "")
    years = YEAR.findall(around)
    if clock is None or len(years) != 1:
        return {}
    rest = _words(YEAR.sub(" ", around))
    readings = {each.name: _reading(each, rest, years[0], clock) for each in languages()}
    return {name: moment for name, moment in readings.items() if moment}


def _words(text: str) -> str:
    """Return the words of a text, separated by single spaces."""
    words = " ".join(filter(None, BETWEEN_WORDS.split(text)))
    return f" {words} " if words else ""


def _reading(language: Language, rest: str, year: str, clock: time) -> datetime | None:
    """Return the date that words mean in a language, with year and time given; None if they mean none."""
    months = [number for number, names in enumerate(language.months, 1) if _is_among(names, rest)]
    if len(months) != 1:
        return None
    left = _taken_out(language.months[months[0] - 1], rest)
    days = DAY.findall(left)
    if len(days) != 1:
        return None
    return _moment(language, (year, str(months[0]), days[0]), clock, DAY.sub(" ", left))


def _is_among(names: Iterable[str], words: str) -> bool:
    return any(name in words for name in names)


def _taken_out(names: Iterable[str], words: str) -> str:
    """Return a date's words without the first of these names that occurs in them."""
    return next((words.replace(name, " ", 1) for name in names if name in words), words)


def _moment(language: Language, date: tuple[str, ...], clock: time, around: str) -> datetime | None:
    """Return a date with a time of day; None if it does not exist, or if a word is unknown."""
    words = _words(around)
    halves = [number for number, names in enumerate(language.halves) if _is_among(names, words)]
    days = [number for number, names in enumerate(language.days) if _is_among(names, words)]
    for names in (*(language.halves[number] for number in halves), *(language.days[number] for number in days)):
        words = _taken_out(names, words)
    if len(halves) > 1 or not set(words.split()) <= LINKS:
        return None
    moment = _built(date, clock, *halves)
    return moment if moment and (not days or moment.weekday() in days) else None


def _built(date: tuple[str, ...], clock: time, half: int | None = None) -> datetime | None:
    year, month, day = map(int, date)
    hour = clock.hour if half is None or clock.hour > 12 else clock.hour % 12 + 12 * half
    try:
        moment = datetime(year, month, day, hour, clock.minute, clock.second, tzinfo=clock.tzinfo)
    except ValueError:
        return None
    return moment if year in YEARS else None


def _zone(text: str) -> tzinfo | None:
    if text[:1] in ("+", "-"):
        return datetime.strptime(text, "%z").tzinfo
    return UTC if text else None
