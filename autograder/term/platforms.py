"""Read the paths in a platform's download: who submitted each file, and in which order.

Moodle has a folder `Name_123456_assignsubmission_file`, or files `Name_123456_assignsubmission_file_own name`. Canvas
has files `lastfirst_LATE_123_456_own name`. Gradescope has folders `submission_123456`, and a list of them. Otherwise
there is a folder or file per student. Called by `intake.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from toolz import groupby

from autograder.submission.find import is_hidden
from autograder.term import TermError
from autograder.term.archive import ZIP, DownloadedFile
from course.exam.readable import one_line

MOODLE, CANVAS, GRADESCOPE, FOLDER = "moodle", "canvas", "gradescope", ""
METADATA_FILE = "submission_metadata.yml"
GRADESCOPE_EXPORT = re.compile(r"assignment_\d+_export")
MOODLE_MARK = "_assignsubmission_"
NAMED_TWICE = f"{MOODLE_MARK} occurs twice in its name, so it is unclear who handed it in"
UNCLEAR_ZIP = "is a platform's download, or a student's: collect the zip itself, or rename it to the student's id"
NUMBERED_TWICE = "its name has the numbers of two people, so it is unclear who handed it in"
MOODLE_NAME = re.compile(r"(?P<name>.+?)(?:_(?P<number>\d+))?_assignsubmission_[a-z]+(?:_|$)")
CANVAS_NAME = re.compile(r"(?P<name>[^/]*?)_(?P<late>LATE_)?(?P<number>\d+)_(?P<file>\d{1,20})_")
CANVAS_NUMBERS = re.compile(r"_(?:LATE_)?[1-9]\d*_[1-9]\d{4,19}_")  # of a person and of a file, but no date
CANVAS_ANONYMOUS = re.compile(r"(?P<late>LATE_)?(?P<name>anon)_(?P<number>[A-Za-z0-9]+)_(?P<file>\d{1,20})_")


@dataclass(frozen=True)
class Person:
    """A person on a platform. In Moodle, people have a number per assignment; in Canvas, one number for all.

    In Gradescope, `ids` are the student id, if any, and the address, which is also the number.
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
    """A file of a download: its person, its position in the order of uploads, and whether Canvas calls it late.

    `around` is the folder around all students' files, or "".
    """

    file: DownloadedFile
    person: Person
    order: int = 0
    is_flagged: bool = False
    handed_in: datetime | None = None
    around: str = ""


@dataclass(frozen=True)
class GradescopeFolder:
    """An entry in Gradescope's list: who submitted, and when."""

    people: tuple[Person, ...]
    handed_in: datetime | None = None


GradescopeFolders = Mapping[str, GradescopeFolder]


def read_metadata(text: bytes | None) -> GradescopeFolders:
    """Return Gradescope's own list, by folder. Raises TermError if it cannot be read."""
    if text is None:
        return {}
    import yaml  # imported here, because only Gradescope's downloads need it

    try:
        return {str(folder): _gradescope_folder(about) for folder, about in yaml.safe_load(text).items()}
    except (yaml.YAMLError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise TermError(f"{METADATA_FILE} cannot be read: {one_line(str(error), 200)}") from None


def _gradescope_folder(about: Mapping[str, Any]) -> GradescopeFolder:
    at = about.get(":created_at")
    instant = (at if at.tzinfo else at.replace(tzinfo=UTC)) if isinstance(at, datetime) else None
    return GradescopeFolder(tuple(_submitter(each) for each in about[":submitters"]), instant)


def _submitter(about: Mapping[str, object]) -> Person:
    name, *rest = (str(about.get(key) or "") for key in (":name", ":sid", ":email"))
    ids = tuple(filter(None, rest))
    return Person(GRADESCOPE, name, ids[-1] if ids else "", ids)


def hand_ins_of(
    files: Iterable[DownloadedFile], folders: GradescopeFolders, is_somebody: Callable[[str], bool]
) -> list[ReceivedFile]:
    """Return the files of a download with their people. A group's file is listed for each member.

    If two people have one number of Canvas, their files' own names only look like Canvas's by chance. Raises TermError
    if the only file is a zip that may be everybody's, or a student's.
    """
    own = [file for file in files if not _is_nobodys(file.path)]
    around = _folder_around([file.path for file in own], is_somebody)
    if around and any(file.zip_levels == 1 for file in own):
        raise TermError(f"{one_line(around)}{ZIP} {UNCLEAR_ZIP}")
    depth = int(bool(around))
    received = [replace(each, around=around) for file in own for each in _received(file, folders, depth)]
    received = _without_forged(received, depth)
    names = groupby(lambda person: person.number, {each.person for each in received if each.person.platform == CANVAS})
    by_chance = {person for people in names.values() if len(people) > 1 for person in people}
    return [
        ReceivedFile(each.file, Person(FOLDER, each.file.path.parts[depth])) if each.person in by_chance else each
        for each in received
    ]


def _without_forged(received: Sequence[ReceivedFile], depth: int) -> list[ReceivedFile]:
    """Return files, with a problem where a name has two numbers of Canvas, and another file has the first one.

    Students may have written somebody else's number into their own names.
    """
    certain = {each.person.number for each in received if not _is_numbered_twice(each, depth)}
    nobody = Person(FOLDER, NUMBERED_TWICE)
    return [
        replace(each, file=replace(each.file, content=b"", problem=NUMBERED_TWICE), person=nobody)
        if _is_numbered_twice(each, depth) and each.person.number in certain
        else each
        for each in received
    ]


def _is_numbered_twice(received: ReceivedFile, depth: int) -> bool:
    name = received.file.path.parts[depth]
    first = CANVAS_NAME.match(name) if received.person.platform == CANVAS else None
    return bool(first and CANVAS_NUMBERS.search(name, first.end() - 1))


def _is_nobodys(path: PurePosixPath) -> bool:
    """Return whether a file is not a submission: hidden, from macOS, or Gradescope's list."""
    return any(map(is_hidden, path.parts)) or path.name == METADATA_FILE


def _folder_around(paths: Sequence[PurePosixPath], is_somebody: Callable[[str], bool]) -> str:
    """Return the name of the single folder around a download, which contains students' files; "" if there is none."""
    tops = {path.parts[0] for path in paths}
    if len(tops) != 1 or any(len(path.parts) < 2 for path in paths):
        return ""
    [top] = tops
    if platform_name(top) or is_somebody(top):
        return ""
    return top if any(platform_name(path.parts[1]) or is_somebody(path.parts[1]) for path in paths) else ""


def platform_name(name: str) -> re.Match[str] | None:
    """Return the parts of a platform's name for a student's folder or file; None for other names."""
    return MOODLE_NAME.match(name) or CANVAS_NAME.match(name) or CANVAS_ANONYMOUS.match(name)


def _received(file: DownloadedFile, folders: GradescopeFolders, depth: int) -> Iterator[ReceivedFile]:
    """Return a file's people, according to the top name in its path. Names below it are chosen by students."""
    if about := next((folders[part] for part in file.path.parts if part in folders), None):
        people = dict.fromkeys(about.people or (Person(GRADESCOPE, file.path.parts[0]),))
        yield from (ReceivedFile(file, person, handed_in=about.handed_in) for person in people)
        return
    top = file.path.parts[depth]
    match = platform_name(top)
    if match is None:
        yield ReceivedFile(file, Person(FOLDER, top))
    elif match.re is MOODLE_NAME:
        if top.count(MOODLE_MARK) > 1:  # a student may have chosen a part of this name to look like somebody else
            file = replace(file, content=b"", problem=NAMED_TWICE)
        yield ReceivedFile(file, Person(MOODLE, match["name"], match["number"] or ""), file.order)
    else:
        yield ReceivedFile(
            file, Person(CANVAS, match["name"], match["number"]), int(match["file"]), bool(match["late"])
        )
