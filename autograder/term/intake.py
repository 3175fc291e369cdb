"""Turn a platform's download into versions of submissions, and list the problems.

`archive.py` opens the download, `platforms.py` reads the names, and `works.py` the notebooks. `people.py` finds the
students, and `times.py` the hand-in times.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace
from toolz import groupby, unique

from autograder.term import TermError
from autograder.term.archive import NO_TIME, DownloadedFile, clock_time, files_of
from autograder.term.collected import Collected, digest_of
from autograder.term.lateness import Deadlines
from autograder.term.people import Ids, Register, Unmatched, is_ambiguous, likely_matches, scope_of, students_of
from autograder.term.platforms import (
    CANVAS,
    CUSTOM,
    FOLDER,
    GRADESCOPE,
    MOODLE,
    NamePattern,
    Person,
    ReceivedFile,
    hand_ins_of,
    shared_prefix,
)
from autograder.term.roster import ROSTER_FILE, Student, damage_by_spreadsheet, participants_in, row_text
from autograder.term.times import TimesFile, name_key
from autograder.term.versions import Slot, Version
from autograder.term.works import AssignmentPart, Work, possible_parts, read_work

BY_WORKSHEET = "Add --times with Moodle's grading worksheet"
COLLECT_AGAIN = "move collected, submitted and moodle.csv out of the course, and collect everything again"
REMEDIES = {
    MOODLE: f"{BY_WORKSHEET}, or the line {{assignment}},{{student}},{{person.label}} to moodle.csv",
    CANVAS: f"Write {{person.number}} into the column canvas_id of {ROSTER_FILE}",
    GRADESCOPE: f"Write {{person.number}} into the column email of {ROSTER_FILE}",
    FOLDER: "Rename it to the student's id, or add --pattern",
    CUSTOM: f"Change --pattern or {ROSTER_FILE}",
}
OTHER_REMEDY = f"Write this name or login into {ROSTER_FILE}, or add --pattern"
IF_AROUND = "If it is a folder around everybody's files, collect that folder"


class Oddity(NamedTuple):
    """A warning about a student or a file."""

    subject: str
    problem: str


@dataclass(frozen=True)
class Destination:
    """The parts of a course that decide where the files of a download belong, and the teacher's own pattern."""

    root: Path
    parts: Mapping[AssignmentPart, Work]
    roster: Mapping[str, Student]
    deadlines: Deadlines
    collected: Collected
    times: TimesFile = field(default_factory=TimesFile)
    pattern: NamePattern | None = None
    group_assignments: Sequence[str] = ()

    @cached_property
    def shared_names(self) -> frozenset[str]:
        """Return the names that several students have, as keys."""
        counts = Counter(name_key(each.name) for each in self.roster.values())
        return frozenset(name for name, count in counts.items() if count > 1)


@dataclass(frozen=True)
class Arrival:
    """A downloaded file with its content, and the part of an assignment to which it belongs, if that is certain."""

    received: ReceivedFile
    work: Work
    part: AssignmentPart | None

    @property
    def person(self) -> Person:
        return self.received.person

    @property
    def whose(self) -> tuple[str, Person]:
        return (self.part or ("", ""))[0], self.person


@dataclass(frozen=True)
class Intake:
    """The versions in a download, with their contents, warnings, and the assignment ("" for several).

    `unclear` versions match no student. `cleared_up` versions are from earlier downloads, and match a student now.
    """

    assignment: str
    versions: tuple[Version, ...]
    unclear: tuple[Version, ...]
    cleared_up: tuple[Version, ...]
    contents: Mapping[str, bytes]
    odd: tuple[Oddity, ...]
    flagged: tuple[str, ...]

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Return the students' notebooks for which the download has files."""
        return tuple(unique(version.slot for version in (*self.cleared_up, *self.versions)))


def take_in(download: Path, course: Destination, wanted: str | None, replaces: bool = False) -> Intake:
    """Return the content of a download. Raises TermError if it is dangerous or its assignment is ambiguous."""
    received, catalogue = list(files_of(download)), course.collected.catalogue
    register = _register(course, shared_prefix(received))
    is_student = lambda name: bool(likely_matches(Person(FOLDER, name), register))  # noqa: E731
    hand_ins = hand_ins_of(received, is_student, course.pattern)
    files = [each.file for each in hand_ins]
    works = [Work() if each.problem else read_work(each.path, each.content, catalogue) for each in files]
    meant = wanted or _meant_assignment(hand_ins, works, course)
    arrivals = [_arrival(*pair, course.parts, meant) for pair in zip(hand_ins, works, strict=True)]
    waiting = [version for version in course.collected.versions if not version.student]
    people = [each.whose for each in arrivals if each.part]
    matches = _matches((*people, *map(_whose, waiting)), register)
    clock = _download_time(download, files)
    drafts = [(each, _draft(each, download.name, clock, replaces)) for each in arrivals if each.part]
    made = [
        _version(each, draft, student, course) for each, draft in drafts for student in _students(matches, each.whose)
    ]
    unclear = [(each.person, draft) for each, draft in drafts if not _students(matches, each.whose)]
    return Intake(
        meant,
        tuple(unique(_for_groups((version for version, _ in made), course), key=lambda each: (each.slot, each.key))),
        tuple(replace(draft, name=one.name, ids=one.ids, replaces=False) for one, draft in unclear),
        tuple(
            _for_groups(
                (replace(old, student=each) for old in waiting for each in _students(matches, _whose(old))), course
            )
        ),
        {draft.sha: each.received.file.content for each, draft in drafts},
        (
            *_misfits(arrivals, course.parts, meant),
            *_unmatched_lines(unique(people), matches, course),
            *(Oddity(version.student, problem) for version, problem in made if problem),
        ),
        tuple(unique(one for each, _ in drafts if each.received.is_flagged for one in _students(matches, each.whose))),
    )


def _draft(arrival: Arrival, source: str, clock: datetime, replaces: bool) -> Version:
    """Return a file as a version without a student. In a teacher's folders, files have their own times."""
    received, person = arrival.received, arrival.person
    return Version(
        "",
        *(arrival.part or ("", "")),
        sha=digest_of(received.file.content),
        path=str(received.file.path),
        source=source,
        downloaded=(clock if person.platform else received.file.written.replace(second=0)).isoformat(),
        worth=arrival.work.worth,
        order=received.order,
        platform=person.platform,
        number=person.number,
        replaces=replaces,
    )


def _version(arrival: Arrival, draft: Version, student: str, course: Destination) -> tuple[Version, str]:
    """Return a student's version with its hand-in time if that is certain, and a problem with the time or ""."""
    instant, problem = arrival.received.handed_in, ""
    if not instant and course.times.name:
        until = course.deadlines.until_for(student, draft.assignment)
        made = datetime.fromisoformat(draft.downloaded) if draft.platform else None
        listed = course.roster.get(student)
        instant, problem = course.times.time_of(arrival.person, listed, course.shared_names, until, made)
    time = instant.astimezone(UTC).isoformat(timespec="seconds") if instant else ""
    return replace(draft, student=student, handed_in=time), problem


def _for_groups(versions: Iterable[Version], course: Destination) -> Iterator[Version]:
    """Yield versions, those of assignments for groups also for the other members. Only the submitter has a number."""
    for each in versions:
        yield each
        group = course.roster[each.student].group if each.student in course.roster else ""
        if group and each.assignment in course.group_assignments:
            others = (
                other for other, listed in course.roster.items() if listed.group == group and other != each.student
            )
            yield from (replace(each, student=other, number="") for other in others)


def _register(course: Destination, prefix: str) -> Register:
    numbers = defaultdict[tuple[str, str], dict[str, Ids]](dict)
    for each in course.collected.versions:
        if each.student and each.number:
            own = numbers[each.platform, scope_of(each.platform, each.assignment)]
            own[each.number] = tuple(unique((*own.get(each.number, ()), each.student)))
    labels = groupby(lambda item: (item[0][0], item[1]), participants_in(course.root).items())
    students = {key: tuple(student for (_, student), _ in rows) for key, rows in labels.items()}
    known = frozenset(each.student for each in course.collected.versions) - {""}
    stems = tuple({stem for _, stem in course.parts})
    return Register(course.roster, students, numbers, course.times, stems, known, prefix)


Matches = Mapping[tuple[str, Person], Ids | Unmatched]


def _matches(people: Iterable[tuple[str, Person]], register: Register) -> Matches:
    groups = groupby(0, people)
    found = {name: students_of((one for _, one in group), name, register) for name, group in groups.items()}
    return {(name, one): students for name, own in found.items() for one, students in own.items()}


def _whose(version: Version) -> tuple[str, Person]:
    """Return the assignment of an unclear version, and the person who submitted it."""
    return version.assignment, Person(version.platform, version.name, version.number, version.ids)


def _students(matches: Matches, whose: tuple[str, Person]) -> Ids:
    """Return the students who are a person in an assignment."""
    students = matches[whose]
    return () if isinstance(students, Unmatched) else students


def _download_time(download: Path, files: Iterable[DownloadedFile]) -> datetime:
    """Return when a download was made: from the times of its files, or else from the download itself."""
    latest = max((each.written for each in files), default=NO_TIME)
    return latest if latest > NO_TIME else clock_time(download.stat().st_mtime)


# ------------------------------------------------------------------------------------------------ assignments


def _meant_assignment(hand_ins: Sequence[ReceivedFile], works: Sequence[Work], course: Destination) -> str:
    """Return the only assignment to which all notebooks of a platform's download can belong; "" if they have none.

    In folders that a teacher has made, each file is looked at alone. Raises TermError if there are several.
    """
    if all(each.person.platform in (FOLDER, CUSTOM) for each in hand_ins):
        return ""
    fits = [{name for name, _ in possible_parts(work, course.parts)} for work in works if work.unit]
    fits = [names for names in fits if names]
    common = set.intersection(*fits) if fits else {""}
    if len(common) == 1:
        return next(iter(common))
    names = sorted(set().union(*fits))
    raise TermError(f"this download can be for {' or '.join(names)}. Add --assignment")


def _arrival(received: ReceivedFile, work: Work, parts: Mapping[AssignmentPart, Work], meant: str) -> Arrival:
    """Return a file with the part of an assignment to which it belongs, if only one is possible."""
    is_notebook = bool(work.unit or received.file.path.suffix.lower() == ".ipynb") and not received.file.problem
    possible = {part: own for part, own in parts.items() if meant in ("", part[0])}
    fits = possible_parts(work, possible) if is_notebook else []
    return Arrival(received, work, fits[0] if len(fits) == 1 else None)


def _misfits(arrivals: Sequence[Arrival], parts: Mapping[AssignmentPart, Work], meant: str) -> Iterator[Oddity]:
    """Yield warnings about files that are not collected. Files that somebody adds to a notebook need no warning."""
    with_notebook = {each.person for each in arrivals if each.part}
    is_by_hand = all(each.person.platform == FOLDER for each in arrivals)  # otherwise, they are the platform's files
    for each in arrivals:
        path, problem, unit = str(each.received.file.path), each.received.file.problem, each.work.unit
        names = sorted({name for name, _ in possible_parts(each.work, parts)})
        if problem:
            yield Oddity(path, f"{problem}. Ask the student for the .ipynb file")
        elif each.part is None and (unit or path.lower().endswith(".ipynb")):
            what = f"a notebook of {unit}" if unit else "this is not a readable notebook"
            if meant:
                yield Oddity(path, f"{what}, but this download is for {meant}. Ask the student for the right file")
            elif names:
                yield Oddity(path, f"{what}, which is in {' and '.join(names)}. Add --assignment")
            else:
                yield Oddity(
                    path, f"{what}, which is in no assignment of this course. Ask the student for the right file"
                )
        elif each.person not in with_notebook and (each.person.platform or is_by_hand):
            yield Oddity(path, "not a notebook. Ask the student for the .ipynb file")


# ------------------------------------------------------------------------------------------------ people


def _unmatched_lines(people: Iterable[tuple[str, Person]], matches: Matches, course: Destination) -> Iterator[Oddity]:
    """Yield a line about each person of a download who matches no student."""
    people = list(people)
    for assignment, person in people:
        match matches[assignment, person]:
            case Unmatched(was_another=True):
                yield Oddity(
                    person.label, f"not matched: another student had it. If {ROSTER_FILE} was wrong, {COLLECT_AGAIN}"
                )
            case Unmatched(fits=fits, closest=closest):
                likely = next(iter((*fits, closest)), "")
                key = FOLDER if is_ambiguous(person) else person.platform
                advice = REMEDIES.get(key, OTHER_REMEDY).format(assignment=assignment, student=likely, person=person)
                if not course.roster:
                    advice = f"Write {ROSTER_FILE}, with the id and name of each student"
                elif key == MOODLE and not likely:
                    advice = f"{BY_WORKSHEET}, or the student to {ROSTER_FILE}"
                around = f". {IF_AROUND}" if person.platform == FOLDER and len(people) == 1 and not fits else ""
                yield Oddity(person.label, f"not matched{_why(person, fits, closest, course)}. {advice}{around}")


def _why(person: Person, fits: Ids, closest: str, course: Destination) -> str:
    """Return why a person is not matched, or which row of the roster is most similar."""
    if damage := damage_by_spreadsheet(person.ids[-1] if person.ids else person.name, course.roster):
        return f": {damage}"
    if is_ambiguous(person):
        return f": its name has the numbers {' and '.join(person.ids)}, and a student has written a part of it"
    if len(fits) > 1:
        return f": it can be {' or '.join(fits)} of {ROSTER_FILE}"
    if fits:
        return f": it can be {fits[0]}, but so can somebody else"
    return f". The most similar row of {ROSTER_FILE} is {row_text(course.roster[closest])}" if closest else ""
