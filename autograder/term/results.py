"""Results: the report on each submission, from the store if nothing changed, else graded and saved at once."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.grading.batch import Learned, Task, learned_of, unit_name
from autograder.grading.marker import Brief
from autograder.grading.memory import Recall, nothing
from autograder.grading.run import Lent, judged_by
from autograder.grading.staff import Staff
from autograder.report.data import report_of
from autograder.report.model import Graded, Report, Ungradable
from autograder.submission.code import code_in, code_key
from autograder.submission.model import NO_ASSIGNMENT, AssignmentPoints, Lines
from autograder.submission.notebook import NotebookError
from autograder.submission.reading import digest_of_content, read_content
from autograder.term.assignments import assignment_of
from autograder.term.files import Hold
from autograder.term.places import Located
from autograder.term.store import Kept, Store
from autograder.units.pack import Pack, pack_of
from autograder.units.unit import Unit

Grader = Callable[[Task, Unit | None, Policy, Recall, Lent], Learned]
Prepare = Callable[[str], object]


@dataclass(frozen=True)
class Judged:
    """The result of a submission: whether it was graded just now, and whether the store has it."""

    entry: Kept
    is_new: bool = False
    is_kept: bool = True


@dataclass(frozen=True)
class Terms:
    """The terms of a run: store, policy, the unit to grade, and `fresh` to grade everything again.

    If `keeps` is false, no reports are saved, but verdicts are.
    """

    store: Store
    policy: Policy
    wanted: Unit | None = None
    fresh: bool = False
    assignments: Mapping[str, AssignmentPoints] = field(default_factory=dict)
    keeps: bool = True
    grader: Grader = learned_of

    def known(self, place: Located, content: str) -> Kept | None:
        """Return the saved result of a submission if grading it again would change nothing."""
        entry = None if self.fresh or not content else self.store.entry(place.course, place.place)
        if entry is None or not entry.is_final or entry.content != content or not self._wants(entry.unit):
            return None
        return renamed(self.store, entry, place) if entry.judged_by == self._basis(entry.unit, place) else None

    def parts_of(self, place: Located) -> AssignmentPoints:
        """Return the points of a submission's assignment; empty if there is no such assignment."""
        return self.assignments.get(place.assignment, NO_ASSIGNMENT)

    def _basis(self, unit: str, place: Located) -> str:
        return basis_of(unit, self.policy, self.parts_of(place))

    def task(self, place: Located) -> Task:
        """Return the task of grading a submission."""
        try:
            assignment_of(place.path, place.assignment, self.assignments)
        except NotebookError as error:
            return Task(place.path, problem=str(error))
        return Task(place.path, self.parts_of(place))

    def graded(self, task: Task, lent: Lent) -> Learned:
        """Grade a file in this process."""
        return self.grader(task, self.wanted, self.policy, self.recall, lent)

    @property
    def recall(self) -> Recall:
        """The cache of verdicts on earlier answers."""
        return nothing if self.fresh else self.store.verdict

    @property
    def brief(self) -> Brief:
        """The terms, as another process needs them."""
        return Brief(self.policy, self.wanted.name if self.wanted else None)

    def kept(self, place: Located, content: str, learned: Learned) -> Judged:
        """Save the result of a submission, except that another unit's notebook is ignored if one unit is wanted.

        It is saved with the digest of the file that was graded, which may have changed since it was found. If the file
        is gone, its earlier result stays. In a course, marks stay those shown last until new ones are shown.
        """
        content = content if learned.content is None else learned.content
        entry = entry_of(place, content, learned.report, self._basis(learned.report.unit, place))
        if not self.keeps:
            self.store.learn(learned.verdicts)
            return Judged(entry, True, False)
        before = self.store.entry(place.course, place.place)
        is_kept = self.wanted is None or isinstance(learned.report, Graded)
        is_kept &= os.path.lexists(place.path) or before is None
        if is_kept:
            codes = {code_key(content): learned.code} if learned.code else {}
            marks = before.marks if before and place.course and before.unit == entry.unit else entry.marks
            self.store.keep(replace(entry, marks=marks), learned.verdicts, codes)
        return Judged(entry, True, is_kept)

    def _wants(self, unit: str) -> bool:
        return self.wanted is None or self.wanted.name == unit


def basis_of(unit: str, policy: Policy, parts: AssignmentPoints = NO_ASSIGNMENT) -> str:
    """Return a text that changes with everything that a report depends on, except the file."""
    return _basis_of(pack_of(unit), unit, policy, tuple(parts.get(unit, ()))) if unit else ""


@cache
def _basis_of(pack: Pack, unit: str, policy: Policy, exercises: Lines) -> str:
    level = "off" if policy.sandbox == "off" else "on"
    own = [(each.exercise, each.digest) for each in policy.relations_to(unit)]
    by = _released(pack, unit, policy, level) or judged_by(unit, policy, level)
    words = by, policy.form_share, policy.exercises, *own, *([exercises] if exercises else [])
    return sha256(repr(words).encode()).hexdigest()


def _released(pack: Pack, unit: str, policy: Policy, level: str) -> tuple[object, ...]:
    """Return what a released unit is graded by, which an update of Foldem does not change."""
    if not pack.pinned(unit):
        return ()
    texts = (path.read_bytes() for path in (pack.toml(unit), pack.file("solutions", unit)))
    limits = policy.seconds_per_call, policy.seconds_per_exercise, policy.memory_mb
    return ("released", *(sha256(text).hexdigest() for text in texts), policy.seed, level, *limits)


def content_of(path: Path) -> str:
    """Return a digest of a file's content, "" if it cannot be read."""
    try:
        return digest_of_content(read_content(path))
    except NotebookError:
        return ""


def entry_of(place: Located, content: str, report: Report, judged_by: str) -> Kept:
    """Return the store's entry for a graded submission."""
    told = json.dumps(report.as_dict(), separators=(",", ":"))
    where = (place.course, place.place, place.name, place.student, place.assignment)
    return Kept(*where, report.unit, content, judged_by, report.is_graded, told, marks_of(report))


def marks_of(report: Report) -> str:
    """Return the marks of a report per exercise, as the store has them."""
    exercises = () if isinstance(report, Ungradable) else report.exercises
    return json.dumps({exercise.name: [exercise.points, exercise.of] for exercise in exercises})


def told_in(entry: Kept) -> Report:
    """Return the report in an entry."""
    return report_of(json.loads(entry.report))


def sources_in(store: Store, content: str) -> Mapping[str, str]:
    """Return the code of a submission from the store, by exercise; empty if there is none."""
    text = store.code(code_key(content)) if content else None
    return code_in(text).sources if text else {}


def renamed(store: Store, entry: Kept, place: Located) -> Kept:
    """Return an entry with its file's current name."""
    now = replace(entry, name=place.name, student=place.student, assignment=place.assignment)
    if now != entry:
        store.keep(now)
    return now


def settled(places: Iterable[Located], terms: Terms, staff: Staff, prepare: Prepare | None = None) -> Iterator[Judged]:
    """Yield each result as soon as it is known; submissions locked by another process come last.

    `prepare` builds a unit's exam before it is needed, so that it is built only once.
    """
    queue = _Queue(terms, staff, prepare or (lambda unit: exam_for(unit, terms.policy.seed)))
    try:
        elsewhere = yield from queue.settle(places, patient=False)
        yield from queue.settle(elsewhere, patient=True)
    finally:
        queue.let_go(*queue.held)


class _Queue:
    """Submissions being graded, as many as the staff can take, each one locked."""

    def __init__(self, terms: Terms, staff: Staff, prepare: Prepare) -> None:
        self.terms, self.staff, self.prepare = terms, staff, prepare
        self.running: dict[Future[Learned], tuple[Located, str, Hold]] = {}
        self.prepared, self.held = set[str](), set[Hold]()

    def let_go(self, *holds: Hold) -> None:
        """Unlock these files."""
        for hold in holds:
            self.held.discard(hold)
            hold.release()

    def settle(self, places: Iterable[Located], patient: bool) -> Generator[Judged, None, list[Located]]:
        """Yield results as they become known, and last those that another process works on."""
        elsewhere = []
        for place in places:
            if entry := self.terms.known(place, content_of(place.path)):
                yield Judged(entry)
            elif not (yield from self._taken_in_hand(place, patient)):
                elsewhere.append(place)
        while self.running:
            yield from self._finished()
        return elsewhere

    def _taken_in_hand(self, place: Located, patient: bool) -> Generator[Judged, None, bool]:
        """Start grading a submission unless another process does; use that process's result if it is there."""
        while len(self.running) >= self.staff.room:
            yield from self._finished()
        hold = Hold(place.path)
        if not hold.taken(patient):
            return False
        self.held.add(hold)
        if entry := self.terms.known(place, content := content_of(place.path)):
            self.let_go(hold)
            yield Judged(entry)
        else:
            self._begin(place, content, hold)
        return True

    def _begin(self, place: Located, content: str, hold: Hold) -> None:
        unit = unit_name(place.path)
        if unit and unit not in self.prepared:
            self.prepare(unit)
            self.prepared.add(unit)
        self.running[self.staff.begin(self.terms.task(place))] = (place, content, hold)

    def _finished(self) -> Iterator[Judged]:
        done, _ = wait(self.running, return_when=FIRST_COMPLETED)
        for future in done:
            place, content, hold = self.running.pop(future)
            yield self.terms.kept(place, content, future.result())
            self.let_go(hold)
