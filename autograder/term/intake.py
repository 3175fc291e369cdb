"""Turn the download from a platform into versions of submissions, and list the problems.

`archive.py` opens the download, `platforms.py` reads the names, and `collected.py` the notebooks. `people.py` finds the
students, and `times.py` the submission times. Then the version that counts is chosen for each student and notebook.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace
from toolz import groupby, unique

from autograder.submission.reading import digest_of_content
from autograder.term import TermError
from autograder.term.archive import UNKNOWN_TIME, files_of, local_time
from autograder.term.assignments import lateness_text
from autograder.term.collected import (
    AssignmentPart,
    CollectedVersions,
    SubmissionKey,
    SubmittedWork,
    Version,
    possible_parts,
    rank_key,
    ranked_versions,
    read_work,
    submit_versions,
    version_put_by_hand,
    write_collected,
)
from autograder.term.files import SUBMITTED_FOLDER
from autograder.term.people import (
    MatchingData,
    StudentIds,
    closest_row,
    has_number_of_another,
    likely_matches,
    students_by_person,
    sure_matches,
)
from autograder.term.platforms import CANVAS, CUSTOM, FOLDER, GRADESCOPE, MOODLE, Person, ReceivedFile, received_files
from autograder.term.results import candidates_in
from autograder.term.roster import ROSTER_FILE, remember_moodle_names
from autograder.text import shown_name

COLLECT_AGAIN_REMEDY = "move collected, submitted and moodle.csv out of the course, and collect everything again"
REMEDY_BY_PLATFORM = {
    MOODLE: "Add --times with Moodle's grading worksheet, or the line {assignment},ID,{person.label} to moodle.csv",
    CANVAS: f"Write {{person.number}} into the column canvas_id of {ROSTER_FILE}",
    GRADESCOPE: f"Write {{person.number}} into the column email of {ROSTER_FILE}",
    FOLDER: "Rename it to the student's id, or add --pattern",
    CUSTOM: f"Change --pattern or {ROSTER_FILE}",
}
LOGIN_REMEDY = f"Write {{login}} into the column login of {ROSTER_FILE}"
NAME_REMEDY = f"Write this name into {ROSTER_FILE}, or collect the file in a folder named like the student's id"
NO_ASSIGNMENT_HERE = "no assignment of this course"
OUTER_FOLDER_HINT = "If it is a folder around everybody's files, collect that folder"
AssignmentAndPerson = tuple[str, Person]  # an assignment, and a person who submitted it
CollectWarning = tuple[str, str]  # a student or a file, and the problem
RANKING_RULE = "Foldem prefers readable files with answers, then files in time, then the newest file"
LATE_FILE_HINT = (
    "If the new file is late, foldem grade takes the better file, after the deduction. "
    "To use the late file in any case, add an [[extension]] to adjust.toml and collect again"
)


class AssignedFile(NamedTuple):
    """A downloaded file, and the student's work that it contains.

    `part` is the part of an assignment to which the file belongs, or None if that part is unclear.
    """

    received: ReceivedFile
    work: SubmittedWork
    part: AssignmentPart | None


def collect_download(download: Path, course: MatchingData, wanted: str | None) -> CollectedDownload:
    """Read a download, match its files to students, and record the new versions in `collected/`.

    Raises TermError if the download is dangerous, or if it is unclear which assignment the download is for.
    """
    is_student = lambda name: bool(likely_matches(Person(FOLDER, name), course.roster))  # noqa: E731
    received = received_files(files_of(download), is_student, course.pattern)
    assigned_files, target = _assigned_files(received, course, wanted)
    written = max((each.file.written for each in received), default=UNKNOWN_TIME)
    clock = written if written > UNKNOWN_TIME else local_time(download.stat().st_mtime)

    waiting = [
        (each, (each.assignment, Person(each.platform, each.name, each.number, each.ids)))
        for each in course.collected.versions
        if not each.student
    ]
    new = [(each, (each.part[0], each.received.person)) for each in assigned_files if each.part]
    matches: dict[AssignmentAndPerson, StudentIds] = {}
    for name, group in groupby(0, (whose for _, whose in (*waiting, *new))).items():
        ids_by_person = students_by_person((one for _, one in group), name, course)
        matches |= {(name, one): ids for one, ids in ids_by_person.items()}
    versions, contents = list[Version](), dict[str, bytes]()
    for version, whose in waiting:
        for student in matches[whose]:
            versions.append(replace(version, student=student))
            contents[version.sha] = course.collected.file_of(version).read_bytes()
    odd = [*_uncollected_file_warnings(assigned_files, course.parts, target)]
    people = [*unique(whose for _, whose in new)]
    odd += (_unmatched_person_warning(whose, course, len(people) == 1) for whose in people if not matches[whose])
    for assigned, whose in new:
        for student in matches[whose] or ("",):
            version, problem = _version_of_file(assigned, student, download.name, clock, course)
            versions.append(version)
            contents[version.sha] = assigned.received.file.content
            odd += [(student, problem)] if problem else []
    versions = [
        *unique(_with_group_copies(versions, course), key=lambda each: (each.submission_key, each.key, each.handed_in))
    ]
    moodle = [(whose, ids) for whose, ids in matches.items() if whose[1].platform == MOODLE]
    labels = {(assignment, student): one.label for (assignment, one), ids in moodle for student in ids}
    return _record_download(course, target, versions, contents, odd, labels)


def _record_download(
    course: MatchingData,
    assignment: str,
    versions: Sequence[Version],
    contents: Mapping[str, bytes],
    odd: Sequence[CollectWarning],
    labels: Mapping[tuple[str, str], str],
) -> CollectedDownload:
    """Record new versions, and before them the files that somebody has put into `submitted/` by hand."""
    slots = [*unique(version.submission_key for version in versions if version.student)]
    by_hand = [pair for slot in slots if (pair := version_put_by_hand(course.collected, slot))]
    collected = course.collected.with_new_versions([version for version, _ in by_hand]).with_new_versions(versions)
    if collected != course.collected:
        write_collected(collected, {version.sha: content for version, content in by_hand} | dict(contents))
    return CollectedDownload(course, assignment, versions, slots, odd, labels, collected)


def _with_group_copies(versions: Iterable[Version], course: MatchingData) -> Iterator[Version]:
    """Yield these versions.

    For group assignments, also yield each version for the other members of the group, without a number.
    """
    for each in versions:
        yield each
        group = course.roster[each.student].group if each.student in course.roster else ""
        if group and each.assignment in course.group_assignments:
            others = (
                other for other, listed in course.roster.items() if listed.group == group and other != each.student
            )
            yield from (replace(each, student=other, number="") for other in others)


def _version_of_file(
    assigned: AssignedFile, student: str, source: str, clock: datetime, course: MatchingData
) -> tuple[Version, str]:
    """Return a file as a version, and a problem with its submission time, or "".

    In folders that a teacher has made, the time of a file is used as the time of its download.
    """
    received, person, instant, problem = assigned.received, assigned.received.person, assigned.received.handed_in, ""
    assignment, notebook = assigned.part or ("", "")
    made = clock if person.platform else received.file.written.replace(second=0)
    if student and not instant and course.times.name:
        until, limit = course.deadlines.deadline_of(student, assignment), made if person.platform else None
        instant, problem = course.times.time_of(person, course.roster[student], course.shared_names, until, limit)
    version = Version(
        *(student, assignment, notebook),
        sha=digest_of_content(received.file.content),
        path=str(received.file.path),
        source=source,
        downloaded=made.isoformat(),
        worth=assigned.work.worth,
        order=received.order,
        handed_in=instant.astimezone(UTC).isoformat(timespec="seconds") if student and instant else "",
        platform=person.platform,
        number=person.number,
        name="" if student else person.name,
        ids=() if student else person.ids,
    )
    return version, problem


# ------------------------------------------------------------------------------------------------ assignments


def _assigned_files(
    received: Sequence[ReceivedFile], course: MatchingData, wanted: str | None
) -> tuple[list[AssignedFile], str]:
    """Return files with the parts of assignments to which they belong, and the download's only assignment or "".

    The only assignment is the one to which all notebooks of a platform's download can belong. In folders that a teacher
    has made, each file is matched to an assignment by itself. Raises TermError if several assignments are possible.
    """
    files, catalogue = [each.file for each in received], course.collected.catalogue
    works = [SubmittedWork() if each.problem else read_work(each.path, each.content, catalogue) for each in files]
    target = wanted or ""
    if not wanted and not all(each.person.platform in (FOLDER, CUSTOM) for each in received):
        fits = [{name for name, _ in possible_parts(work, course.parts)} for work in works if work.unit]
        common = set.intersection(*filter(None, fits)) if any(fits) else {""}
        if len(common) != 1:
            names = " or ".join(sorted(set().union(*fits)))
            raise TermError(f"this download may belong to {names}: name the assignment with --assignment")
        [target] = common
    parts = {part: own for part, own in course.parts.items() if target in ("", part[0])}
    assigned = []
    for each, work in zip(received, works, strict=True):
        is_notebook = (work.unit or each.file.path.suffix.lower() == ".ipynb") and not each.file.problem
        possible = possible_parts(work, parts) if is_notebook else []
        assigned.append(AssignedFile(each, work, possible[0] if len(possible) == 1 else None))
    return assigned, target


def _uncollected_file_warnings(
    assigned: Sequence[AssignedFile], parts: Mapping[AssignmentPart, SubmittedWork], target: str
) -> Iterator[CollectWarning]:
    """Yield warnings about files that are not collected. Files that somebody adds to a notebook need no warning."""
    with_notebook = {each.received.person for each in assigned if each.part}
    is_by_hand = all(each.received.person.platform == FOLDER for each in assigned)  # otherwise, they are the platform's
    for received, work, part in assigned:
        path, person = str(received.file.path), received.person
        if received.file.problem:
            yield path, f"{received.file.problem}. Ask the student for the .ipynb file"
        elif work.problem:
            yield path, f"not graded: {work.problem}"
        elif part is None and work.unit:
            names = " and ".join(sorted({name for name, _ in possible_parts(work, parts)}))
            where = f"but this download is for {target}" if target else f"which is in {names or NO_ASSIGNMENT_HERE}"
            remedy = "Add --assignment" if names and not target else "Ask the student for the right file"
            yield path, f"a notebook of {work.unit}, {where}. {remedy}"
        elif part is None and person not in with_notebook and (person.platform or is_by_hand):
            yield path, "not a notebook. Ask the student for the .ipynb file"


# ------------------------------------------------------------------------------------------------ people


def _unmatched_person_warning(whose: AssignmentAndPerson, course: MatchingData, is_alone: bool) -> CollectWarning:
    """Return a line about a person of a download who matches no student."""
    assignment, person = whose
    fits = sure_matches(person, course.roster, course.times) or likely_matches(person, course.roster)
    is_ambiguous = person.platform in (MOODLE, CANVAS) and not person.number
    remedy = REMEDY_BY_PLATFORM.get(FOLDER if is_ambiguous else person.platform, NAME_REMEDY)
    login = "".join(person.ids[-1:])
    if login and not fits and person.platform not in (GRADESCOPE, CUSTOM):
        remedy = LOGIN_REMEDY
    if has_number_of_another(person, fits, course.earlier_numbers(assignment)):
        why, remedy = ": another student had this number before", f"If {ROSTER_FILE} was wrong, {COLLECT_AGAIN_REMEDY}"
    elif fits:
        why = f": it may belong to {' or '.join(fits)} of {ROSTER_FILE}" + ", or to somebody else" * (len(fits) == 1)
    else:
        closest = closest_row(person.name.partition(" - ")[0], course.roster)
        similar = f". The most similar row is {closest}" if closest else ""
        why = f": nobody in {ROSTER_FILE} has this name or id{similar}"
    around = f". {OUTER_FOLDER_HINT}" if person.platform == FOLDER and is_alone and not fits else ""
    remedy = remedy.format(assignment=assignment, person=person, login=login)
    return person.label, f"not matched{why}. {remedy}{around}"


# ------------------------------------------------------------------------------------------------ what counts


@dataclass(frozen=True)
class CollectedDownload:
    """A download that was collected, with its versions. `assignment` is "" if the download is for several assignments.

    `versions` are the files from the download. If a version has no student, it is unknown who submitted the file.
    `versions` also has files of earlier downloads that match a student only now. `slots` are the students' notebooks to
    which `versions` belong. `labels` maps each pair of assignment and student to Moodle's name for the student's files.
    """

    to: MatchingData
    assignment: str
    versions: Sequence[Version]
    slots: Sequence[SubmissionKey]
    odd: Sequence[CollectWarning]
    labels: Mapping[tuple[str, str], str]
    collected: CollectedVersions

    @cached_property
    def counting_versions(self) -> Mapping[SubmissionKey, Version]:
        """Return the version that counts for each notebook of each student."""
        slots = ((slot, versions) for slot, versions in self.collected.versions_by_submission.items() if slot[0])
        return {
            slot: ranked_versions(versions, self.to.deadlines.deadline_of(*slot[:2]))[0] for slot, versions in slots
        }

    def submit_counting_versions(self) -> int:
        """Copy to `submitted/` the versions that count. Return the number of new notebooks from the download.

        If grading has preferred a student's late version, this version stays in `submitted/` until a new file of the
        student is collected.
        """
        changed = list[Version]()
        several = {each.slot: each for each in candidates_in(self.collected, self.to.deadlines)}
        with_new_files = {
            version.submission_key[:2] for version in self.collected.versions[len(self.to.collected.versions) :]
        }
        for student_slot in unique(slot[:2] for slot in self.slots):
            counting = tuple(one for slot, one in self.counting_versions.items() if slot[:2] == student_slot)
            if student_slot in several and student_slot not in with_new_files:
                counting = several[student_slot].counting_files(self.collected)
            changed += submit_versions(self.collected, counting)
        remember_moodle_names(self.to.root, self.labels)
        return sum(version.submission_key in self.slots for version in changed)

    @property
    def assignments(self) -> list[str]:
        """Return the names of the assignments in the download."""
        return sorted({slot[1] for slot in self.slots} | {self.assignment} - {""})

    def warnings(self) -> Iterator[CollectWarning]:
        """Yield warnings about everything that the teacher has to check."""
        yield from self.odd
        for slot in self.slots:
            yield from self._several_files_warnings(slot)
        for name in sorted(self._submitters(self.assignments) - set(self.to.roster) if self.to.roster else ()):
            yield name, f"in {SUBMITTED_FOLDER}/, but not in {ROSTER_FILE}. Add the student, or remove the folder"

    def _several_files_warnings(self, slot: SubmissionKey) -> Iterator[CollectWarning]:
        """Yield a warning if a download has several files for one notebook of a student, or if an earlier file counts.

        There is no warning if the download is older than the file that counts.
        """
        until, keys = self.to.deadlines.deadline_of(*slot[:2]), {version.key for version in self.versions}
        ordered = ranked_versions(self.collected.versions_by_submission[slot], until)
        chosen, best = ordered[0], next((each for each in ordered if each.key in keys), ordered[0])
        files = {each.sha for each in ordered if each.key in keys} | {chosen.sha}
        is_older = rank_key(chosen, until)[:2] == rank_key(best, until)[:2] and best.downloaded < chosen.downloaded
        if len(files) > 1 and best.sha == chosen.sha:
            what = f"{len(files)} files for {chosen.notebook}. {chosen.path} counts: {RANKING_RULE}"
            yield slot[0], f"{what}. All files are in collected/{slot[0]}/{slot[1]}"
        elif len(files) > 1 and not is_older:
            what = f"an earlier file for {best.notebook} counts, not the one in this download: {RANKING_RULE}"
            yield slot[0], f"{what}. {LATE_FILE_HINT}"

    def missing_student_lines(self) -> Iterator[str]:
        """For each assignment, yield a line that names the students in the roster who submitted nothing."""
        for assignment in self.assignments:
            submitters = self._submitters([assignment])
            if names := [name for name in self.to.roster if name not in submitters]:
                yield f"no file for {assignment} from {', '.join(names)}"

    def _submitters(self, assignments: Iterable[str]) -> set[str]:
        """Return the students with a notebook in `submitted/` for one of these assignments."""
        students = [*(self.to.root / SUBMITTED_FOLDER).glob("*")]
        folders = [folder / each for folder in students for each in assignments]
        return {path.parent.name for path in folders if os.path.isdir(path) and any(path.glob("*.ipynb"))}

    def notes(self) -> Iterator[str]:
        """Yield lines with facts that a teacher may want to know, for example that a submission is late."""
        deadlines, times = self.to.deadlines, self.to.times
        if self.assignment and len({name for name, _ in self.to.parts}) > 1:
            yield f"This download is for {self.assignment}."
        for assignment in self.assignments:
            chosen = [self.counting_versions[slot] for slot in self.slots if slot[1] == assignment]
            for student in unique(one.student for one in chosen):
                if late := deadlines.lateness_of(student, assignment):
                    yield f"{shown_name(student)}: {assignment} is late by {lateness_text(late)}"
            if any(not one.submission_time for one in chosen) and assignment in deadlines.until and not times.name:
                remedy = "To deduct points, add --times with Moodle's worksheet, or a CSV with a column Submitted At."
                yield f"{assignment}: submission times are unknown, so no points are deducted. {remedy}"
        zones = {str(each.tzinfo) for name, each in deadlines.until.items() if name in self.assignments}
        if zones and not all(reading.tzinfo for row in times.rows for reading in row.readings):
            yield f"{times.name} has no time zone. Its times are read as {' or '.join(sorted(zones))}."
