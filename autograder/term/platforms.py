"""Find out from the names of downloaded files who submitted them. A table has the name patterns of each platform.

Called by `intake.py` for downloads, and by `people.py` for names that can only be read with a roster.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from os.path import commonprefix
from pathlib import PurePosixPath

from autograder.submission.find import is_hidden
from autograder.term import TermError
from autograder.term.archive import DownloadedFile
from course.exam.readable import one_line

MOODLE, CANVAS, GRADESCOPE, FOLDER, CUSTOM = "moodle", "canvas", "gradescope", "", "pattern"
GRADESCOPE_METADATA_FILE = "submission_metadata.yml"
GRADESCOPE_METADATA_PATTERN = re.compile(r"(?:assignment_\d+_export/)?" + re.escape(GRADESCOPE_METADATA_FILE))


@dataclass(frozen=True)
class NamePattern:
    """A pattern for the names that a platform gives to downloaded files, with an example and the example's groups.

    The groups are `name`, `login`, `order`, `number` (the platform's number for a person), and those of nbgrader's
    `zip_collect` (`student_id`, `first_name`, `last_name`, `email`, `timestamp`). If the pattern has no group for a
    name, the text before the match is the name. If `is_nested` is true, the pattern begins with the folder that
    contains all files. If `has_longer_login` is true, both the login and the text before the login may contain
    underscores.
    """

    platform: str
    pattern: str
    example: str
    groups: Mapping[str, str]
    is_nested: bool = False
    has_longer_login: bool = False

    def matched_groups(self, path: str) -> list[dict[str, str]]:
        """Return a dict of the pattern's named groups for each match in a path. Matches may overlap."""
        text = path if self.is_nested else re.sub("(?s)/.*", "/", path)
        matches = re.finditer(f"(?={self.pattern})", text)
        return [{"name": text[: each.start()]} | each.groupdict("") for each in matches]


# Names as the platforms wrote them in 2026. docs/platforms.md says what is uncertain.
PLATFORM_PATTERNS = (
    NamePattern(
        MOODLE,
        r"_(?P<number>\d+)_assignsubmission_[a-z]+(?:[_/]|$)",
        "Ann Lee_101_assignsubmission_file/1_dominoes.ipynb",
        {"name": "Ann Lee", "number": "101"},
    ),
    NamePattern(
        CANVAS,
        r"(?:_LATE|(?<!_LATE))_(?P<number>[1-9]\d*)_(?P<order>[1-9]\d{2,19})_",
        "leeann_LATE_77_991_1_dominoes.ipynb",
        {"name": "leeann", "number": "77", "order": "991"},
    ),
    NamePattern(
        CANVAS,
        r"^(?:LATE_)?(?P<name>anon)_(?P<number>[A-Za-z0-9]+)_(?P<order>\d{1,20})_",
        "anon_Ab1x_991_1_dominoes.ipynb",
        {"name": "anon", "number": "Ab1x", "order": "991"},
    ),
    NamePattern(
        "blackboard",
        r"^(?P<login>[^/]+?_[^/]+?)_[^\W\d_]+_(?P<order>\d{4}(?:-\d\d){5})(?:_|\.txt$)",
        "Homework 1_alee_attempt_2026-03-01-10-15-00_1_dominoes.ipynb",
        {"login": "Homework 1_alee", "order": "2026-03-01-10-15-00"},
        has_longer_login=True,
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
        has_longer_login=True,
    ),
    NamePattern(
        "github",
        r"^(?P<assignment>[^/]+)-submissions/(?P=assignment)-(?P<login>[^/]+)/",
        "homework-1-submissions/homework-1-alee/1_dominoes.ipynb",
        {"login": "alee"},
        is_nested=True,
    ),
)
# Names like these can have another meaning, too, so they count only if they match a student.
ROSTER_PATTERNS = (
    NamePattern(
        "a folder or file per student",
        r"^(?P<login>[^/]+?)(?:\.(?i:ipynb|py|zip)|/)?$",
        "s1/1_dominoes.ipynb",
        {"login": "s1"},
    ),
    NamePattern(
        "a name",
        r"^(?P<name>[^/]+?)(?:\.(?i:ipynb|py|zip)|/)?$",
        "Lee, Ann/1_dominoes.ipynb",
        {"name": "Lee, Ann"},
    ),
    NamePattern(
        "a name that begins with an id",
        r"^(?P<student_id>[^/_\s.]+)[_\s.]",
        "s1_dominoes.ipynb",
        {"student_id": "s1"},
    ),
    NamePattern(
        "codegrade",
        r" - (?P<login>[^/]+?)/?$",
        "Ann Lee - alee/1_dominoes.ipynb",
        {"login": "alee"},
    ),
    NamePattern(
        "google classroom",
        r"^(?P<name>[^/]+?) - ",
        "Ann Lee - 1_dominoes.ipynb",
        {"name": "Ann Lee"},
    ),
)


@dataclass(frozen=True)
class Person:
    """A person on a platform.

    In Moodle, a person has a different number in each assignment; in Canvas, always the same number. It is not known
    which of `ids` is the login. In Gradescope, the last of `ids` is the email address, which is also the number.
    Students can change the other ids. A person has no number if a file's name seems to contain two numbers of Moodle or
    Canvas.
    """

    platform: str
    name: str
    number: str = ""
    ids: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Return the name that the platform gives to this person's files."""
        return f"{self.name}_{self.number}" if self.number else self.name


@dataclass(frozen=True)
class ReceivedFile:
    """A file in a download, with its person, its position in the order of uploads, and its submission time if known."""

    file: DownloadedFile
    person: Person
    order: int = 0
    handed_in: datetime | None = None


def custom_pattern(text: str) -> NamePattern:
    """Return the pattern that a teacher has written as text. Raises TermError if the pattern cannot be used."""
    try:
        names = re.compile(text).groupindex
    except re.error as error:
        raise TermError(f"--pattern is not a regular expression: {error}") from None
    if not {"student_id", "login", "email", "name", "last_name"} & names.keys():
        raise TermError("--pattern has no group for the student: add a group such as (?P<student_id>[^_]+)")
    return NamePattern(CUSTOM, f"^(?:{text})", "", {}, is_nested=True)


def received_files(
    files: Iterable[DownloadedFile], is_student: Callable[[str], bool], custom: NamePattern | None = None
) -> list[ReceivedFile]:
    """Return the files in a download, each with its person. A group's file is returned once for each member.

    If all files are in one folder whose name is not a student's, the platform has made this folder. Students choose the
    names of files and folders inside the platform's folder.
    """
    own = [file for file in files if not any(map(is_hidden, file.path.parts))]
    tops = {file.platform_path.parts[0] for file in own}
    is_nested = len(tops) == 1 and not any(map(is_student, tops))
    rows = [custom] if custom else [row for row in PLATFORM_PATTERNS if is_nested or not row.is_nested]
    prefix = commonprefix([*tops]) if len(tops) > 1 and not custom else ""  # noqa: RUF071
    listed = _gradescope_submitters(own)
    received: list[ReceivedFile] = []
    for file in own:
        about = next((listed[path] for path in map(str, file.path.parents) if path in listed), None)
        received += [replace(each, file=file) for each in about] if about else [_received_file(file, rows, prefix)]
    return [each for each in received if each.file.path.name != GRADESCOPE_METADATA_FILE]


def _received_file(file: DownloadedFile, rows: Sequence[NamePattern], prefix: str = "") -> ReceivedFile:
    """Return a file with the person that the first matching pattern names.

    All names in a download of GitHub or Blackboard begin alike. The login begins after a hyphen or underscore in this
    common beginning.
    """
    top = file.platform_path.parts[0]
    for row in rows:
        if readings := row.matched_groups(str(file.platform_path)):
            cells, order = readings[0], file.order
            if time := cells.get("order") or cells.get("timestamp"):  # a number, or a time like Mar 1, 2026 1015 AM
                order = int("0" + "".join(part.zfill(2) for part in re.findall(r"\d+", time))[:20])
                with suppress(ValueError):
                    order = int(f"{datetime.strptime(time, '%b %d, %Y %I%M %p'):%Y%m%d%H%M}")
            if len(readings) > 1:
                return ReceivedFile(file, Person(row.platform, top), order)
            ids = [cells[key] for key in ("login", "email", "student_id") if cells.get(key)][-1:]
            if row.has_longer_login:
                text = "_".join(filter(None, (cells["name"], *ids)))
                ids = _possible_name_ends(text, prefix if "_" in prefix else text, "_")
            full = " ".join(cells[key] for key in ("first_name", "last_name") if cells.get(key))
            name = cells["name"] or full or "".join(ids[-1:])
            return ReceivedFile(file, Person(row.platform, name, cells.get("number", ""), tuple(ids)), order)
    logins = tuple(each for each in _possible_name_ends(top, prefix, "-") if not each.isdigit())
    return ReceivedFile(file, Person(CUSTOM if rows[0].platform == CUSTOM else FOLDER, top, ids=logins))


def person_in_name(name: str) -> Person:
    """Return the person who owns the folder or file with this name at the top of a download."""
    file = DownloadedFile(PurePosixPath(name), datetime.min)
    return _received_file(file, [row for row in PLATFORM_PATTERNS if not row.is_nested]).person


def _possible_name_ends(text: str, prefix: str, separator: str) -> list[str]:
    """Return what comes after each separator in the prefix of a text."""
    return [text[match.end() :] for match in re.finditer(separator, prefix) if match.end() < len(text)]


def _gradescope_submitters(files: Iterable[DownloadedFile]) -> dict[str, list[ReceivedFile]]:
    """Return who submitted each folder, by Gradescope's own list. Raises TermError if the list cannot be read."""
    listed: dict[str, list[ReceivedFile]] = {}
    for file in files:
        if GRADESCOPE_METADATA_PATTERN.fullmatch(str(file.platform_path)) and not file.problem:
            import yaml  # imported here, because only Gradescope's downloads need it

            try:
                entries = yaml.safe_load(file.content).items()
                for folder, about in entries:
                    at = about.get(":created_at")
                    instant = (at if at.tzinfo else at.replace(tzinfo=UTC)) if isinstance(at, datetime) else None
                    own = listed[str(file.path.parent / str(folder))] = []
                    for each in about[":submitters"]:
                        name, *rest = (str(each.get(key) or "") for key in (":name", ":sid", ":email"))
                        ids = tuple(filter(None, rest))
                        person = Person(GRADESCOPE, name, ids[-1] if ids else "", ids)
                        own.append(ReceivedFile(file, person, handed_in=instant))
            except (yaml.YAMLError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
                raise TermError(f"{GRADESCOPE_METADATA_FILE} cannot be read: {one_line(str(error), 200)}") from None
    return listed
