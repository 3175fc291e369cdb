"""Read from the names of downloaded files who submitted them, with a table of the patterns of each platform.

Called by `intake.py` for downloads, and by `people.py` for the names that only a roster can explain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from autograder.submission.find import is_hidden
from autograder.term import TermError
from autograder.term.archive import DownloadedFile
from course.exam.readable import one_line

MOODLE, CANVAS, GRADESCOPE, FOLDER, CUSTOM, GITHUB = "moodle", "canvas", "gradescope", "", "pattern", "github"
METADATA_FILE = "submission_metadata.yml"
GRADESCOPE_LIST = re.compile(r"(?:assignment_\d+_export/)?" + re.escape(METADATA_FILE))


@dataclass(frozen=True)
class NamePattern:
    """A pattern of the names that a platform gives to downloaded files, with an example and what is read from it.

    The groups are those of nbgrader's `zip_collect` (`student_id`, `first_name`, `last_name`, `email`, `timestamp`),
    `name`, `login`, the platform's own `number` for a person, and `order`. Without a group for a name, the name is
    what comes before the pattern. A `is_nested` pattern begins with a folder around all files. A name like that of a
    `needs_roster` pattern can have another meaning, so it counts only if it matches a student.
    """

    platform: str
    pattern: str
    example: str
    groups: Mapping[str, str]
    is_nested: bool = False
    needs_roster: bool = False

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """Return the pattern, which matches at each place from which it fits, even if the matches overlap."""
        return re.compile(f"(?=(?P<all>{self.pattern}))")

    def readings(self, path: str) -> list[dict[str, str]]:
        """Return what the pattern reads from a path, in each way that fits. Empty groups are left out."""
        text = path if self.is_nested else re.sub("(?s)/.*", "/", path)
        cells = [{"name": text[: each.start()]} | each.groupdict("") for each in self.compiled.finditer(text)]
        return [{key: cell for key, cell in each.items() if cell} for each in cells]


# Names as the platforms wrote them in 2026. docs/platforms.md says what is uncertain.
NAME_PATTERNS = (
    NamePattern(
        MOODLE,
        r"_(?P<number>\d+)_assignsubmission_[a-z]+(?:[_/]|$)",
        "Ann Lee_101_assignsubmission_file/1_dominoes.ipynb",
        {"name": "Ann Lee", "number": "101"},
    ),
    NamePattern(
        CANVAS,
        r"(?:(?P<late>_LATE)|(?<!_LATE))_(?P<number>[1-9]\d*)_(?P<order>[1-9]\d{2,19})_",
        "leeann_LATE_77_991_1_dominoes.ipynb",
        {"name": "leeann", "late": "_LATE", "number": "77", "order": "991"},
    ),
    NamePattern(
        CANVAS,
        r"^(?:LATE_)?(?P<name>anon)_(?P<number>[A-Za-z0-9]+)_(?P<order>\d{1,20})_",
        "anon_Ab1x_991_1_dominoes.ipynb",
        {"name": "anon", "number": "Ab1x", "order": "991"},
    ),
    NamePattern(
        "blackboard",
        r"^[^/]+?_(?P<login>[^/_]+)_[^\W\d_]+_(?P<order>\d{4}(?:-\d\d){5})(?:_|\.txt$)",
        "Homework 1_alee_attempt_2026-03-01-10-15-00_1_dominoes.ipynb",
        {"login": "alee", "order": "2026-03-01-10-15-00"},
    ),
    NamePattern(
        "brightspace",
        r"^\d+-\d+ - (?P<name>[^/]+) - (?P<order>[^/]*\d{4} \d{3,4} [AP]M)/",
        "39786-640693 - Ann Lee - Mar 1, 2026 1015 AM/1_dominoes.ipynb",
        {"name": "Ann Lee", "order": "Mar 1, 2026 1015 AM"},
    ),
    NamePattern(
        "sakai",
        r"^[^/]+/(?P<name>[^/]+)\((?P<login>[^/()]+)\)[/_]Submission attachment\(s\)[/_]",
        "Homework 1/Lee, Ann(alee)/Submission attachment(s)/1_dominoes.ipynb",
        {"name": "Lee, Ann", "login": "alee"},
        is_nested=True,
    ),
    NamePattern(
        "teams",
        r"^Submitted files/(?P<name>[^/]+)/[^/]+/Version (?P<order>\d{1,9})/",
        "Submitted files/Ann Lee/Homework 1/Version 2/1_dominoes.ipynb",
        {"name": "Ann Lee", "order": "2"},
        is_nested=True,
    ),
    NamePattern(
        "ilias",
        r"^[^/]+/(?:Abgaben|Submissions)/(?:Team[ _]\d+/)?(?P<name>[^/]+)_(?P<login>[^/_]+)_\d+/(?P<order>\d{14})?",
        "Homework 1/Abgaben/Lee_Ann_alee_3310/20260301101500_1_dominoes.ipynb",
        {"name": "Lee_Ann", "login": "alee", "order": "20260301101500"},
        is_nested=True,
    ),
    NamePattern(
        GITHUB,
        r"^(?P<assignment>[^/]+)-submissions/(?P=assignment)-(?P<login>[^/]+)/",
        "homework-1-submissions/homework-1-alee/1_dominoes.ipynb",
        {"login": "alee"},
        is_nested=True,
    ),
    NamePattern(
        "a folder or file per student",
        r"^(?P<login>[^/]+?)(?:\.(?i:ipynb|py|zip)|/)?$",
        "s1/1_dominoes.ipynb",
        {"login": "s1"},
        needs_roster=True,
    ),
    NamePattern(
        "a name",
        r"^(?P<name>[^/]+?)(?:\.(?i:ipynb|py|zip)|/)?$",
        "Lee, Ann/1_dominoes.ipynb",
        {"name": "Lee, Ann"},
        needs_roster=True,
    ),
    NamePattern(
        "a name that begins with an id",
        r"^(?P<student_id>[^/_\s.]+)[_\s.]",
        "s1_dominoes.ipynb",
        {"student_id": "s1"},
        needs_roster=True,
    ),
    NamePattern(
        "codegrade",
        r" - (?P<login>[^/]+?)/?$",
        "Ann Lee - alee/1_dominoes.ipynb",
        {"login": "alee"},
        needs_roster=True,
    ),
    NamePattern(
        "google classroom",
        r"^(?P<name>[^/]+?) - ",
        "Ann Lee - 1_dominoes.ipynb",
        {"name": "Ann Lee"},
        needs_roster=True,
    ),
    NamePattern(
        GITHUB,
        r"-(?P<login>(?=[^/]*[A-Za-z])[^/]+?)/?$",
        "homework-1-alee/1_dominoes.ipynb",
        {"login": "alee"},
        needs_roster=True,
    ),
)
PLATFORM_PATTERNS = tuple(row for row in NAME_PATTERNS if not row.needs_roster)
ROSTER_PATTERNS = tuple(row for row in NAME_PATTERNS if row.needs_roster)


@dataclass(frozen=True)
class Person:
    """A person on a platform. In Moodle, people have a number per assignment; in Canvas, one number for all.

    The last of `ids` is certain. In Gradescope, it is the address, which is also the number. If it is unclear where the
    student's own part of a name begins, `name` is all of it, and `ids` are the numbers in it.
    """

    platform: str
    name: str
    number: str = ""
    ids: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Return the platform's name for the person's files."""
        return f"{self.name}_{self.number}" if self.number else self.name


@dataclass(frozen=True)
class ReceivedFile:
    """A file of a download: its person, its position in the order of uploads, and whether Canvas calls it late."""

    file: DownloadedFile
    person: Person
    order: int = 0
    is_flagged: bool = False
    handed_in: datetime | None = None


def custom_pattern(text: str) -> NamePattern:
    """Return the pattern that a teacher has written. Raises TermError if it cannot be used."""
    try:
        names = re.compile(text).groupindex
    except re.error as error:
        raise TermError(f"--pattern is not a regular expression: {error}") from None
    if not {"student_id", "login", "email", "name", "last_name"} & names.keys():
        raise TermError("--pattern names no student: it needs a group such as (?P<student_id>[^_]+)")
    return NamePattern(CUSTOM, f"^(?:{text})", "", {}, is_nested=True)


def hand_ins_of(
    files: Iterable[DownloadedFile], is_student: Callable[[str], bool], custom: NamePattern | None = None
) -> list[ReceivedFile]:
    """Return the files of a download with their people. A group's file is listed for each member.

    A folder around all files is a platform's only if it is no student's. Below it, students choose the names.
    """
    own = [file for file in files if not any(map(is_hidden, file.path.parts))]
    tops = {file.path.parts[0] for file in own}
    is_nested = len(tops) == 1 and not any(map(is_student, tops))
    rows = [custom] if custom else [row for row in PLATFORM_PATTERNS if is_nested or not row.is_nested]
    listed = _gradescope_list(own)
    received: list[ReceivedFile] = []
    for file in own:
        about = next((listed[path] for path in map(str, file.path.parents) if path in listed), None)
        received += [replace(each, file=file) for each in about] if about else [_received(file, rows)]
    return [each for each in received if each.file.path.name != METADATA_FILE]


def _received(file: DownloadedFile, rows: Sequence[NamePattern]) -> ReceivedFile:
    """Return a file with the person that the first matching pattern names; students choose the names in their zips."""
    path = str(file.path)
    for row in rows:
        readings = [each for each in row.readings(path) if not 0 < file.zip_levels < each["all"].count("/")]
        if readings:
            first, numbers = readings[0], tuple(each.get("number", "") for each in readings)
            order = order_in(first["order"]) if "order" in first else file.order
            if len(readings) > 1:
                return ReceivedFile(file, Person(row.platform, file.path.parts[0], "", numbers), order)
            return ReceivedFile(file, person_in(first, row.platform), order, "late" in first)
    return ReceivedFile(file, Person(CUSTOM if rows[0].platform == CUSTOM else FOLDER, file.path.parts[0]))


def shared_prefix(files: Iterable[DownloadedFile]) -> str:
    """Return what all folders of a download have before a hyphen; "" if there are not several.

    >>> names = [PurePosixPath(name, "x") for name in ("homework-1-alee", "homework-1-amy")]
    >>> shared_prefix([DownloadedFile(name, datetime.min) for name in names])
    'homework-1'
    """
    tops = {file.path.parts[0] for file in files if not is_hidden(file.path.parts[0])}
    prefixes = ({top[:end] for end, char in enumerate(top) if char == "-"} for top in tops)
    return max(set.intersection(*prefixes), key=len, default="") if len(tops) > 1 else ""


def person_at(name: str) -> Person:
    """Return the person whose folder or file is at the top of a download."""
    file = DownloadedFile(PurePosixPath(name), datetime.min)
    return _received(file, [row for row in PLATFORM_PATTERNS if not row.is_nested]).person


def person_in(cells: Mapping[str, str], platform: str) -> Person:
    """Return the person that the groups of a pattern name."""
    ids = tuple(cells[key] for key in ("login", "email", "student_id") if key in cells)
    full = " ".join(cells[key] for key in ("first_name", "last_name") if key in cells)
    return Person(platform, cells.get("name") or full or "".join(ids[-1:]), cells.get("number", ""), ids[-1:])


def order_in(text: str) -> int:
    """Return a time or number as a number by which uploads are ordered.

    >>> order_in("2"), order_in("2026-03-01-10-15-00"), order_in("Mar 1, 2026 1015 AM")
    (2, 20260301101500, 202603011015)
    """
    with suppress(ValueError):
        return int(f"{datetime.strptime(text, '%b %d, %Y %I%M %p'):%Y%m%d%H%M}")
    return int("0" + re.sub(r"\D", "", text)[:20])


def moodle_label(path: str) -> str:
    """Return Moodle's name for a hand-in, which its feedback needs; "" if it is not in the path.

    >>> moodle_label("week 3/Ann Lee_101_assignsubmission_file/x.ipynb"), moodle_label("s1/x.ipynb")
    ('Ann Lee_101', '')
    """
    readings = (NAME_PATTERNS[0].readings(part)[:1] for part in path.split("/"))
    return next((f"{cells['name']}_{cells['number']}" for own in readings for cells in own), "")


def is_of_a_platform(name: str) -> bool:
    """Return whether a platform has written the name of a file or folder at the top of its download."""
    return any(row.readings(name) for row in PLATFORM_PATTERNS if not row.is_nested)


def _gradescope_list(files: Iterable[DownloadedFile]) -> dict[str, list[ReceivedFile]]:
    """Return who submitted each folder, by Gradescope's own list. Raises TermError if it cannot be read."""
    listed = {file.path.parent: file for file in files if GRADESCOPE_LIST.fullmatch(str(file.path))}
    top, file = next(((path, each) for path, each in listed.items() if not each.zip_levels), (None, None))
    if top is None or file is None or file.problem:
        return {}
    import yaml  # imported here, because only Gradescope's downloads need it

    try:
        entries = {str(top / str(folder)): about for folder, about in yaml.safe_load(file.content).items()}
        return {path: [*_submitters(file, about)] for path, about in entries.items()}
    except (yaml.YAMLError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise TermError(f"{METADATA_FILE} cannot be read: {one_line(str(error), 200)}") from None


def _submitters(file: DownloadedFile, about: Mapping[str, Any]) -> Iterator[ReceivedFile]:
    at = about.get(":created_at")
    instant = (at if at.tzinfo else at.replace(tzinfo=UTC)) if isinstance(at, datetime) else None
    for each in about[":submitters"]:
        name, *rest = (str(each.get(key) or "") for key in (":name", ":sid", ":email"))
        ids = tuple(filter(None, rest))
        yield ReceivedFile(file, Person(GRADESCOPE, name, ids[-1] if ids else "", ids), handed_in=instant)
