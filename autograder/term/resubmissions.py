"""Several files that a student has handed in for an assignment: which one counts, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from toolz import groupby

from autograder.config import BEST
from autograder.grading.workers import Workers
from autograder.report.model import Graded
from autograder.term.adjust import Adjustments
from autograder.term.collected import COLLECTED, Collected, is_collected, is_submitted, read_collected, submit
from autograder.term.lateness import LONG_AGO, Deadlines
from autograder.term.locations import CourseFolder, Located, path_text
from autograder.term.results import Prepare, Terms, decoded_report, settled
from autograder.term.store import StoredResult
from autograder.term.versions import Version, by_rank
from autograder.term.where import collected_in
from autograder.text import shown_name

Slots = Collection[tuple[str, str]]  # students with an assignment
Files = tuple[Version, ...]  # one of each notebook of an assignment


@dataclass(frozen=True)
class Candidates:
    """The files of a student for an assignment that may count: the last ones in time, and the last of all."""

    slot: tuple[str, str]
    in_time: Files
    last: Files
    number: int

    def counting(self, collected: Collected, counts: str) -> Files:
        """Return the files that count. Late ones count only after grading has shown that they are better."""
        return self.last if counts == BEST and is_submitted(collected, self.last) else self.in_time

    def reason(self, counting: Files, counts: str) -> str:
        """Return a sentence about which file counts, and why."""
        which = "last usable one counts"
        if self.in_time != self.last:
            which = "last one in time counts, because late ones do not"
            if counts == BEST:
                which = "last one in time counts, because the late one has no more points after its deduction"
            if counting == self.last:
                which = "late one counts, because it has more points, even after its deduction"
        return f"{self.number} different files were handed in. The {which}."


def candidates_in(collected: Collected, deadlines: Deadlines) -> Iterator[Candidates]:
    """Yield the students and assignments for which several different files were collected."""
    known = (each for each in collected.versions if each.student)
    for slot, versions in groupby(lambda each: each.slot[:2], known).items():
        slots = groupby(lambda each: each.notebook, versions).values()
        number = max(len({each.sha for each in own}) for own in slots)
        if number > 1:
            limits = deadlines.in_time_until(*slot), None
            in_time, last = (tuple(by_rank(own, limit)[0] for own in slots) for limit in limits)
            yield Candidates(slot, in_time, last, number)


def reasons_in(course: CourseFolder, deadlines: Deadlines) -> Mapping[tuple[str, str], str]:
    """Return why a file counts, by student and assignment, where several were handed in."""
    if course.root is None:
        return {}
    collected, counts = read_collected(course.root, course.catalogue), deadlines.counts
    several = candidates_in(collected, deadlines)
    return {each.slot: each.reason(each.counting(collected, counts), counts) for each in several}


def choose_files(
    adjust: Adjustments, terms: Terms, workers: Workers, only: Slots = (), prepare: Prepare | None = None
) -> list[str]:
    """Put the files that count into `submitted/`. Return a line for each student with a file in time and a late one.

    Without `only`, it does so for all students and assignments. A file that was put there by hand stays.
    """
    course, deadlines, lines = adjust.course, adjust.deadlines, list[str]()
    if course.root is None or course.is_graded or not (course.root / COLLECTED).is_dir():
        return lines
    collected = read_collected(course.root, course.catalogue)
    several = [each for each in candidates_in(collected, deadlines) if not only or each.slot in only]
    several = [each for each in several if all(is_collected(collected, version.slot) for version in each.last)]
    rivals = [each for each in several if deadlines.counts == BEST and each.in_time != each.last]
    others = collected_in(terms.store, course.root)
    files = {collected.file_of(version): version.slot for each in rivals for version in (*each.in_time, *each.last)}
    where = ((path, path_text(path.relative_to(course.root)), slot) for path, slot in files.items())
    located = [Located(path, others, place, place, *slot[:2]) for path, place, slot in where]
    results = {each.entry.place: each.entry for each in settled(located, terms, workers, prepare)}
    for each in several:
        counting = each.in_time
        if each in rivals:
            in_time, late = (_points(own, collected, results, adjust) for own in (each.in_time, each.last))
            counting = each.last if late > in_time else each.in_time
            why = each.reason(counting, deadlines.counts)
            lines.append(f"{shown_name('/'.join(each.slot))}: {why} (late {late:g}, in time {in_time:g})")
        submit(collected, counting)
    return lines


def _points(files: Files, collected: Collected, results: Mapping[str, StoredResult], adjust: Adjustments) -> float:
    """Return the points of collected files, after the deduction for lateness."""
    times = (each.instant for each in files if each.instant)
    there = replace(adjust, deadlines=replace(adjust.deadlines, handed_in=max(times, default=LONG_AGO)))
    entries = [results[path_text(collected.file_of(each).relative_to(collected.root))] for each in files]
    reports = (there.applied(decoded_report(each.report), each.student, each.assignment) for each in entries)
    return round(sum(each.points for each in reports if isinstance(each, Graded)), 2)
