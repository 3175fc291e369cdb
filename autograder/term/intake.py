"""Turn a platform's download into versions of submissions, and list the problems.

`platforms.py` reads the paths, and `works.py` the notebooks. `people.py` finds the students, and `times.py` the hand-in
times.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path, PurePosixPath

from msgspec.structs import replace
from toolz import groupby, unique

from autograder.term import TermError
from autograder.term.archive import NO_TIME, clock_time, file_in, files_of
from autograder.term.collected import Collected, digest_of
from autograder.term.files import atomic_text
from autograder.term.lateness import Deadlines
from autograder.term.oddities import (
    Oddity,
    misplaced,
    no_hand_in,
    time_after_download,
    unclear_time,
    unmatched,
    without_time,
)
from autograder.term.people import Ids, Register, Unclear, ids_by_name, scope_of, students_of
from autograder.term.platforms import (
    FOLDER,
    GRADESCOPE_EXPORT,
    METADATA_FILE,
    MOODLE,
    Person,
    ReceivedFile,
    hand_ins_of,
    platform_name,
    read_metadata,
)
from autograder.term.roster import Student, read_table
from autograder.term.times import TimesFile, instant_of, is_after, name_key
from autograder.term.versions import Slot, Version
from autograder.term.works import AssignmentPart, Work, likely_assignment, possible_parts, read_work
from autograder.text import cell_text, safe_cell
from course.exam.readable import one_line

PARTICIPANTS, PARTICIPANT_COLUMNS = "moodle.csv", ("assignment", "student", "name")
ONLINE_TEXT = "_assignsubmission_onlinetext"  # texts that students type into Moodle in addition to their files


@dataclass(frozen=True)
class Destination:
    """The parts of a course that decide where the files of a download belong."""

    root: Path
    parts: Mapping[AssignmentPart, Work]
    roster: Mapping[str, Student]
    deadlines: Deadlines
    collected: Collected
    times: TimesFile = field(default_factory=TimesFile)

    @cached_property
    def shared_names(self) -> frozenset[str]:
        """Return the names that several students of the roster have."""
        counts = Counter(name_key(each.name) for each in self.roster.values())
        return frozenset(name for name, count in counts.items() if count > 1)


@dataclass(frozen=True)
class Arrival:
    """A downloaded file with its content, and the part of an assignment to which it belongs, if that is certain."""

    received: ReceivedFile
    work: Work
    part: AssignmentPart | None = None

    @property
    def path(self) -> str:
        return one_line(str(self.received.file.path), 200)


@dataclass(frozen=True)
class Intake:
    """The versions in a download, with contents, warnings, the assignment ("" for several) and the folder `around`.

    `unclear` versions match no student. `cleared_up` versions are from earlier downloads, and match a student now.
    """

    assignment: str
    versions: tuple[Version, ...]
    unclear: tuple[Version, ...]
    cleared_up: tuple[Version, ...]
    contents: Mapping[str, bytes]
    odd: tuple[Oddity, ...]
    flagged: tuple[str, ...]
    around: str

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Return the students' notebooks for which the download has files."""
        return tuple(unique(version.slot for version in (*self.cleared_up, *self.versions)))


def take_in(download: Path, course: Destination, wanted: str | None, replaces: bool = False) -> Intake:
    """Return the content of a download. Raises TermError if it is dangerous or its assignment is ambiguous."""
    hand_ins = read_download(download, course.roster)
    files, catalogue = [each.file for each in hand_ins], course.collected.catalogue
    works = [Work() if each.problem else read_work(each.path, each.content, catalogue) for each in files]
    meant = wanted or _meant_assignment(hand_ins, works, course)
    arrivals = [_arrival(*each, course.parts, meant) for each in zip(hand_ins, works, strict=True)]
    return _intake(meant, arrivals, _Maker(course, download.name, _download_time(download, hand_ins), replaces))


def _intake(meant: str, arrivals: Sequence[Arrival], maker: _Maker) -> Intake:
    """Return the files as versions, where the student is certain."""
    waiting = [version for version in maker.course.collected.versions if not version.student]
    matches, odd = _matched(arrivals, waiting, maker.course)
    owners = [(each, student) for each in arrivals for student in _owners(each, matches)]
    made = [maker.version(*each) for each in owners]
    return Intake(
        meant,
        tuple(version for version, _ in made),
        tuple(maker.unclear(each) for each in arrivals if each.part and not _owners(each, matches)),
        tuple(replace(each, student=one) for each in waiting for one in matches.get(_whose(each), ())),
        {digest_of(each.received.file.content): each.received.file.content for each in arrivals if each.part},
        (*_misfits(arrivals, maker.course.parts, meant), *odd, *(problem for _, problem in made if problem)),
        tuple(dict.fromkeys(student for each, student in owners if each.received.is_flagged)),
        next((each.received.around for each in arrivals), ""),
    )


def read_download(download: Path, roster: Mapping[str, Student]) -> list[ReceivedFile]:
    """Return the files of a download, each with the person who submitted it."""

    def is_somebody(name: str) -> bool:
        return bool(ids_by_name(name, roster))  # even if it is unclear who

    files = list(files_of(download))
    metadata = file_in(files, METADATA_FILE, lambda name: bool(GRADESCOPE_EXPORT.fullmatch(name)))
    return hand_ins_of(files, read_metadata(metadata), is_somebody)


def _is_taken(received: ReceivedFile, work: Work) -> bool:
    """Return whether a file may be a submission: a notebook, perhaps broken or with another suffix."""
    return not received.file.problem and bool(work.unit or received.file.path.suffix.lower() == ".ipynb")


def _download_time(download: Path, hand_ins: Sequence[ReceivedFile]) -> datetime:
    """Return when a download was made: from the times of its files, or else from the download itself."""
    latest = max((each.file.written for each in hand_ins), default=NO_TIME)
    return latest if latest > NO_TIME else clock_time(download.stat().st_mtime)


# ------------------------------------------------------------------------------------------------ assignments


def _meant_assignment(hand_ins: Sequence[ReceivedFile], works: Sequence[Work], course: Destination) -> str:
    """Return the assignment of a platform's download; "" if each file has to be looked at alone.

    Moodle's numbers belong to one assignment. Otherwise, it is the one to which most people's notebooks belong.
    """
    platforms = Counter(each.person.platform for each in hand_ins)
    if 2 * platforms[FOLDER] >= len(hand_ins):
        return ""
    if before := _assignment_of_numbers(hand_ins, course):
        return before
    by_person = groupby(lambda pair: pair[0].person, zip(hand_ins, works, strict=True))
    likely = likely_assignment(([work for _, work in own] for own in by_person.values()), course.parts)
    names = sorted({name for work in works if work.unit for name, _ in possible_parts(work, course.parts)})
    if names and not likely:
        raise TermError(f"this download can be for {' or '.join(names)}. Add --assignment")
    return likely


def _assignment_of_numbers(hand_ins: Iterable[ReceivedFile], course: Destination) -> str:
    """Return the assignment that half of Moodle's numbers, or more, had in earlier downloads; "" for new numbers.

    A group has one number in all assignments.
    """
    numbers = {each.person.number for each in hand_ins if each.person.platform == MOODLE and each.person.number}
    earlier = (each for each in course.collected.versions if each.platform == MOODLE and each.number in numbers)
    students = groupby(lambda each: (each.assignment, each.number), earlier)
    is_single = (len({each.student for each in own} | {""}) == 2 for own in students.values())
    counts = Counter(assignment for (assignment, _), single in zip(students, is_single, strict=True) if single)
    return next((assignment for assignment, count in counts.most_common(1) if 2 * count >= len(numbers)), "")


def _arrival(received: ReceivedFile, work: Work, parts: Mapping[AssignmentPart, Work], meant: str) -> Arrival:
    """Return a file as an `Arrival`, with the part of an assignment to which it belongs if only one part matches."""
    possible = {part: own for part, own in parts.items() if meant in ("", part[0])}
    fits = possible_parts(work, possible) if _is_taken(received, work) else []
    return Arrival(received, work, fits[0] if len(fits) == 1 else None)


def _misfits(arrivals: Sequence[Arrival], parts: Mapping[AssignmentPart, Work], meant: str) -> Iterator[Oddity]:
    """Return warnings about files that match no part of an assignment."""
    with_notebook = {each.received.person for each in arrivals if each.part}
    for each in arrivals:
        if ONLINE_TEXT in each.path and each.received.person in with_notebook:
            continue
        if not _is_taken(each.received, each.work):
            yield no_hand_in(each.path, each.received.file.problem or "not a notebook")
        elif not each.part:
            names = sorted({name for name, _ in possible_parts(each.work, parts)})
            yield misplaced(each.path, each.work.unit, names, meant)


# ------------------------------------------------------------------------------------------------ students and times

Matches = dict[tuple[str, Person], tuple[str, ...]]


def _matched(
    arrivals: Iterable[Arrival], waiting: Iterable[Version], course: Destination
) -> tuple[Matches, list[Oddity]]:
    """Return the students that match each person in each assignment, and warnings about people who match no student."""
    new = [(each.part[0], each.received.person) for each in arrivals if each.part]
    people = groupby(0, [*new, *map(_whose, waiting)])
    register, matches, odd = _register(course), Matches(), list[Oddity]()
    for assignment, group in people.items():
        students = students_of((person for _, person in group), assignment, register)
        matches |= {(assignment, one): ids for one, ids in students.items() if not isinstance(ids, Unclear)}
        unclear = [each for each in students.values() if isinstance(each, Unclear)]
        odd += [unmatched(each, assignment) for each in unclear if (assignment, each.person) in new]
    return matches, odd


def _register(course: Destination) -> Register:
    numbers = defaultdict[tuple[str, str], dict[str, Ids]](dict)
    for each in course.collected.versions:
        if each.number and each.student:
            own = numbers[each.platform, scope_of(each.platform, each.assignment)]
            own[each.number] = (*own.get(each.number, ()), each.student)
    students = frozenset(each.student for each in course.collected.versions if each.student)
    stems = tuple({stem for _, stem in course.parts})
    return Register(course.roster, labels_in(course.root), numbers, course.times, students, stems)


def _whose(version: Version) -> tuple[str, Person]:
    """Return the assignment of an unclear version, and the person who submitted it."""
    return version.assignment, Person(version.platform, version.name, version.number, version.ids)


def _owners(arrival: Arrival, matches: Matches) -> tuple[str, ...]:
    return matches.get((arrival.part[0], arrival.received.person), ()) if arrival.part else ()


@dataclass(frozen=True)
class _Maker:
    """A maker of versions from the files in a download."""

    course: Destination
    source: str
    clock: datetime
    replaces: bool

    def version(self, arrival: Arrival, student: str) -> tuple[Version, Oddity | None]:
        """Return a student's file as a version, and a warning about its time."""
        received, slot = arrival.received, (student, *(arrival.part or ("", "")))
        is_own_clock = received.person.platform == FOLDER
        downloaded = received.file.written.replace(second=0) if is_own_clock else self.clock
        instant, problem = self._instant(received, slot)
        return Version(
            *slot,
            sha=digest_of(received.file.content),
            path=str(received.file.path),
            source=self.source,
            downloaded=downloaded.isoformat(),
            worth=arrival.work.worth,
            order=received.order,
            handed_in=instant.astimezone(UTC).isoformat(timespec="seconds") if instant else "",
            platform=received.person.platform,
            number=received.person.number,
            replaces=self.replaces,
        ), problem

    def unclear(self, arrival: Arrival) -> Version:
        """Return a file as a version without a student."""
        person, version = arrival.received.person, self.version(arrival, "")[0]
        return replace(version, name=person.name, ids=person.ids, replaces=False)

    def _instant(self, received: ReceivedFile, slot: Slot) -> tuple[datetime | None, Oddity | None]:
        """Return the hand-in time if it is certain, and a warning if it is not."""
        student, times = slot[0], self.course.times
        if received.handed_in or not times.name:
            return received.handed_in, None
        found = times.rows_of(received.person, self.course.roster.get(student), self.course.shared_names)
        rows = [row for row in found if row.has_time]
        readings = {reading for row in rows for reading in row.readings or (None,)}
        if not rows:
            return None, without_time(student, times.name)
        reading = next(iter(readings))
        if len(readings) > 1 or reading is None:
            return None, unclear_time(student, times.name, rows)
        if received.person.platform != FOLDER and is_after(reading, self.clock):
            return None, time_after_download(student, times.name, rows[0])
        return instant_of(reading, self.course.deadlines.until_for(student, slot[1])), None


# ------------------------------------------------------------------------------------------------ moodle.csv


def remember_participants(root: Path, versions: Iterable[Version]) -> None:
    """Write the names that Moodle needs for feedback. Teachers can add people to this file."""
    if new := {(each.assignment, each.student): name for each in versions if (name := _label_in(each))}:
        known = participants_in(root) | new
        with atomic_text(root / PARTICIPANTS) as file:
            rows = ((*key, known[key]) for key in sorted(known))
            csv.writer(file).writerows([PARTICIPANT_COLUMNS, *(map(safe_cell, row) for row in rows)])


def _label_in(version: Version) -> str:
    """Return Moodle's name for a version's submission; "" for other platforms."""
    if version.platform != MOODLE:
        return ""
    names = (platform_name(part) for part in PurePosixPath(version.path).parts)
    return next((name.expand(r"\g<name>_\g<number>") for name in names if name and name["number"]), "")


def participants_in(root: Path) -> dict[tuple[str, str], str]:
    """Return Moodle's names for submissions, by assignment and student.

    Raises TermError if a teacher's changes made the file unreadable, since it would be written without them.
    """
    path = root / PARTICIPANTS
    if not path.is_file():
        return {}
    head, *rows = read_table(path)
    try:
        columns = [head.index(title) for title in PARTICIPANT_COLUMNS]
        cells = ([cell_text(row[column]) for column in columns] for row in rows if any(map(str.strip, row)))
        return {(assignment, student): name for assignment, student, name in cells}
    except (LookupError, ValueError):
        titles = ", ".join(PARTICIPANT_COLUMNS)
        raise TermError(f"{path}: each line needs the columns {titles}. To begin again, delete the file") from None


def labels_in(root: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the students by assignment and Moodle name. A group has several students."""
    rows = groupby(lambda item: (item[0][0], item[1]), participants_in(root).items())
    return {key: tuple(student for (_, student), _ in group) for key, group in rows.items()}
