"""Results: the report on each submission.

A report comes from the store, or is made again because something has changed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec
from toolz import groupby

from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading.batch import FileOutcome, GradingBrief, Task, Workers, unit_of_file
from autograder.grading.run import grading_digest
from autograder.report.model import Graded, Report, Ungradable
from autograder.report.stops import Outdated
from autograder.submission.code import Code, decoded_code
from autograder.submission.model import NO_ASSIGNMENT, AssignmentPoints, TextTuple
from autograder.submission.reading import NotebookError, digest_of_content, read_content
from autograder.term.adjust import Adjustments
from autograder.term.assignments import LONG_AGO, Deadlines, assignment_of
from autograder.term.collected import (
    COLLECTED_FOLDER,
    CollectedVersions,
    Version,
    are_in_submitted_folder,
    is_collected,
    ranked_versions,
    read_collected,
    submit_versions,
)
from autograder.term.files import CourseFolder, PathLock, SubmittedFile, path_text
from autograder.term.store import (
    CODES_TABLE,
    DAMAGED_STORE_MESSAGE,
    Store,
    StoredResult,
    course_name_in,
    one_line_errors,
)
from autograder.text import shown_name
from autograder.units.pack import PIN_BASIS
from autograder.units.unit import Unit, read_unit

REPORT_FORMAT = 3  # of stored reports; those of another format are graded again
PrepareExam = Callable[[Unit], object]
NewOrStoredResult = tuple[StoredResult, bool]  # the result of a submission, and whether it was graded just now
RunningTasks = dict[Future[FileOutcome], tuple[SubmittedFile, str, PathLock]]


@dataclass(frozen=True)
class RunSettings:
    """The settings of a grading run: store, policy and units. If `fresh` is true, everything is graded again.

    If `keeps` is false, reports are not saved.
    """

    store: Store
    brief: GradingBrief
    fresh: bool = False
    assignments: Mapping[str, AssignmentPoints] = field(default_factory=dict)
    keeps: bool = True

    def valid_result(self, location: SubmittedFile, content: str) -> StoredResult | None:
        """Return the saved result for a submission if it is still valid; otherwise return None."""
        entry = None if self.fresh or not content else self.store.result(location.course, location.place)
        if entry is None or not entry.is_final or entry.content != content:
            return None
        if entry.judged_by != self._cache_key(entry.unit, location):
            return None
        now = replace(entry, name=location.name, student=location.student, assignment=location.assignment)
        if now != entry and self.keeps:
            self.store.change_result(entry, name=now.name, student=now.student, assignment=now.assignment)
        return now

    def _cache_key(self, unit: str, location: SubmittedFile) -> str:
        own = tuple(self.assignments.get(location.assignment, NO_ASSIGNMENT).get(unit, ()))
        return cache_key_of(read_unit(self.brief.catalogue, unit), self.brief.policy, own) if unit else ""

    def task(self, location: SubmittedFile) -> Task:
        """Return the task to grade a submission."""
        try:
            assignment_of(location.path, location.assignment, self.assignments, self.brief.catalogue)
        except NotebookError as error:
            return Task(location.path, problem=str(error))
        return Task(location.path, self.assignments.get(location.assignment, NO_ASSIGNMENT))

    def save_outcome(self, location: SubmittedFile, content: str, learned: FileOutcome) -> NewOrStoredResult:
        """Save the outcome of grading a submission, and return it as a result.

        The outcome is saved with the digest of the graded file, because the file may have changed since its path was
        found. If the file no longer exists, the file's earlier result stays in the store. In a course, this function
        does not change the stored marks, which are those that were shown last.
        """
        content = content if learned.content is None else learned.content
        report, text = learned.report, msgspec.json.encode(learned.report).decode()
        where = (location.course, location.place, location.name, location.student, location.assignment)
        key = self._cache_key(report.unit, location)
        entry = StoredResult(*where, report.unit, content, key, report.is_graded, text, marks_json(report))
        if not self.keeps:
            return entry, True
        before = self.store.result(location.course, location.place)
        if before is None or os.path.lexists(location.path):
            codes = {content: learned.code} if learned.code else {}
            marks = before.marks if before and location.course and before.unit == entry.unit else entry.marks
            self.store.save_result(replace(entry, marks=marks), codes)
        return entry, True


@cache
def cache_key_of(unit: Unit, policy: Policy, exercises: TextTuple = ()) -> str:
    """Return a key for a report.

    The key changes if anything changes that the report depends on, except the graded file.
    """
    level = "off" if policy.sandbox == "off" else "on"
    by: tuple[object, ...] | str
    if not (pins := unit.pack.pin_folder(unit.name)):
        by = grading_digest(unit, policy, level)
    else:  # what a released unit's grading depends on; no update changes it
        pinned = pins / PIN_BASIS.format(unit.name)  # courses from before this file keep their marks
        files = unit.pack.toml(unit.name), unit.pack.file("solutions", unit.name), *([pinned] * pinned.is_file())
        limits = policy.seconds_per_call, policy.seconds_per_exercise, policy.memory_mb
        by = "released", *(sha256(path.read_bytes()).hexdigest() for path in files), policy.seed, level, *limits
    words = REPORT_FORMAT, by, policy.form_share, policy.exercises, *([exercises] if exercises else [])
    return sha256(repr(words).encode()).hexdigest()


def content_digest_of(path: Path) -> str:
    """Return a digest of a file's content, or "" if the file cannot be read."""
    try:
        return digest_of_content(read_content(path))
    except NotebookError:
        return ""


def marks_json(report: Report) -> str:
    """Return the marks of a report by exercise, as JSON for the store."""
    exercises = () if isinstance(report, Ungradable) else report.exercises
    return json.dumps({exercise.name: [exercise.points, exercise.of] for exercise in exercises})


def decoded_report(text: str) -> Report:
    """Return a stored report.

    If the stored report is damaged or from an older Foldem, return an `Ungradable` report, so that the file is graded
    again.
    """
    try:
        return msgspec.json.decode(text, type=Report)
    except msgspec.DecodeError:
        return Ungradable(Outdated())


def stored_code(store: Store, content: str) -> Code:
    """Return the code of a submission from the store. If the store has no such code, return an empty `Code`."""
    with one_line_errors(DAMAGED_STORE_MESSAGE):
        return next(map(decoded_code, store.texts(CODES_TABLE, [content]).values()), Code())


def results_of_files(
    locations: Iterable[SubmittedFile], terms: RunSettings, workers: Workers, prepare: PrepareExam | None = None
) -> Iterator[NewOrStoredResult]:
    """Yield the result for each file as soon as it is known, and whether the file was graded just now.

    Files that another process has locked come last. `prepare` builds the exam of a unit before the unit's first file is
    graded, so that the exam is built only once.
    """
    prepare = cache(prepare or (lambda unit: exam_for(unit, terms.brief.policy.seed)))
    running: RunningTasks = {}  # at most as many as the workers can take, each of them locked
    elsewhere = list[SubmittedFile]()
    try:
        for some, patient in ((locations, False), (elsewhere, True)):
            for location in some:
                if entry := terms.valid_result(location, content_digest_of(location.path)):
                    yield entry, False
                    continue
                while len(running) >= workers.capacity:
                    yield from _finished_results(running, terms)
                hold = PathLock(location.path)
                if not hold.acquire(patient):
                    elsewhere.append(location)
                elif entry := terms.valid_result(
                    location, content := content_digest_of(location.path)
                ):  # by another process
                    hold.release()
                    yield entry, False
                else:
                    if unit := unit_of_file(location.path, terms.brief.catalogue):
                        prepare(unit)
                    running[workers.begin(terms.task(location))] = (location, content, hold)
            while running:
                yield from _finished_results(running, terms)
    finally:
        for _, _, hold in running.values():
            hold.release()


def _finished_results(running: RunningTasks, terms: RunSettings) -> Iterator[NewOrStoredResult]:
    done, _ = wait(running, return_when=FIRST_COMPLETED)
    for future in done:
        location, content, hold = running[future]
        yield terms.save_outcome(location, content, future.result())
        hold.release()
        del running[future]


StudentAssignments = Collection[tuple[str, str]]  # students with an assignment
NotebookVersions = tuple[Version, ...]  # one of each notebook of an assignment


@dataclass(frozen=True)
class CandidateFiles:
    """A student's files that may count for an assignment. For each notebook, the best version by rank is chosen.

    `in_time` are the best files if a file that is on time is better than any late file. `last` are the best files if
    the deadline is ignored. `number` is the number of different files for the notebook with the most files.
    """

    slot: tuple[str, str]
    in_time: NotebookVersions
    last: NotebookVersions
    number: int

    def counting_files(self, collected: CollectedVersions) -> NotebookVersions:
        """Return the files that count. Late files count only if grading has already chosen them."""
        is_late = are_in_submitted_folder(collected, self.last) and not are_in_submitted_folder(collected, self.in_time)
        return self.last if is_late else self.in_time

    def reason(self, counting: NotebookVersions) -> str:
        """Return a sentence about which file counts."""
        which = "last usable one counts" if self.in_time == self.last else "last usable one in time counts"
        if counting == self.last != self.in_time:
            which = "late one counts, because it has more points, even after its deduction"
        return f"{self.number} different files were handed in. The {which}."


def candidates_in(collected: CollectedVersions, deadlines: Deadlines) -> Iterator[CandidateFiles]:
    """Yield a `CandidateFiles` for each student and assignment with several different files."""
    known = (each for each in collected.versions if each.student)
    for slot, versions in groupby(lambda each: each.submission_key[:2], known).items():
        slots = groupby(lambda each: each.notebook, versions).values()
        number = max(len({each.sha for each in own}) for own in slots)
        if number > 1:
            limits = deadlines.deadline_of(*slot), None
            in_time, last = (tuple(ranked_versions(own, limit)[0] for own in slots) for limit in limits)
            yield CandidateFiles(slot, in_time, last, number)


def reasons_by_student(course: CourseFolder, deadlines: Deadlines) -> Mapping[tuple[str, str], str]:
    """Return, for each student and assignment with several files, a sentence that says which file counts."""
    if course.root is None:
        return {}
    collected = read_collected(course.root, course.catalogue)
    several = candidates_in(collected, deadlines)
    return {each.slot: each.reason(each.counting_files(collected)) for each in several}


def submit_counting_files(
    adjust: Adjustments,
    terms: RunSettings,
    workers: Workers,
    only: StudentAssignments = (),
    prepare: PrepareExam | None = None,
) -> list[str]:
    """Copy to `submitted/` the files that count.

    Return a line for each student who has both a file that is on time and a late file. `only` selects students and
    assignments; without `only`, all students and assignments are handled. A file that a teacher put into `submitted/`
    by hand stays there.
    """
    course, lines = adjust.course, list[str]()
    if course.root is None or course.is_graded or not (course.root / COLLECTED_FOLDER).is_dir():
        return lines
    collected = read_collected(course.root, course.catalogue)
    several = [each for each in candidates_in(collected, adjust.deadlines) if not only or each.slot in only]
    several = [
        each for each in several if all(is_collected(collected, version.submission_key) for version in each.last)
    ]
    rivals = [each for each in several if each.in_time != each.last]
    others = f"{course_name_in(terms.store, course.root)}/{COLLECTED_FOLDER}"
    files = {
        collected.file_of(version): version.submission_key for each in rivals for version in (*each.in_time, *each.last)
    }
    where = ((path, path_text(path.relative_to(course.root)), slot) for path, slot in files.items())
    located = [SubmittedFile(path, others, place, place, *slot[:2]) for path, place, slot in where]
    results = {entry.place: entry for entry, _ in results_of_files(located, terms, workers, prepare)}
    for each in several:
        counting = each.in_time
        if each in rivals:
            in_time, late = (
                _points_after_deduction(own, collected, results, adjust) for own in (each.in_time, each.last)
            )
            counting = each.last if late > in_time else each.in_time
            why = each.reason(counting)
            lines.append(f"{shown_name('/'.join(each.slot))}: {why} (late {late:g}, in time {in_time:g})")
        submit_versions(collected, counting)
    return lines


def _points_after_deduction(
    files: NotebookVersions, collected: CollectedVersions, results: Mapping[str, StoredResult], adjust: Adjustments
) -> float:
    """Return the points of collected files, after the deduction for lateness."""
    times = (each.submission_time for each in files if each.submission_time)
    there = replace(adjust, deadlines=replace(adjust.deadlines, handed_in=max(times, default=LONG_AGO)))
    entries = [results[path_text(collected.file_of(each).relative_to(collected.root))] for each in files]
    reports = (there.adjusted_report(decoded_report(each.report), each.student, each.assignment) for each in entries)
    return round(sum(each.points for each in reports if isinstance(each, Graded)), 2)
