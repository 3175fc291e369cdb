"""`foldem grade`: grade submissions, print a table, write reports, return an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from autograder.classroom.comments import Comments, commented, comments_in
from autograder.commands.container import Contained, demand_file, is_needed, option_words, run_contained
from autograder.config import (
    PUBLISHED,
    SETTINGS_FILE,
    ConfigError,
    Policy,
    above,
    above_all,
    cache_folder,
    folder_around,
    lies_in,
    policy_for,
    settings_for,
)
from autograder.exam.store import exam_for
from autograder.grading.staff import Alone, Markers, Staff
from autograder.report.table import ClassTable
from autograder.submission.find import find_notebooks
from autograder.submission.model import AssignmentPoints
from autograder.submission.notebook import NotebookError
from autograder.term import view
from autograder.term.adjust import Adjustments, adjustments_in
from autograder.term.archive import ZIP, stem_of, unpack
from autograder.term.assignments import assignment_of, assignments_in
from autograder.term.files import demand_writable
from autograder.term.gradebook import with_gradebook
from autograder.term.places import SUBMITTED, Located, placed, root_of
from autograder.term.results import Judged, Terms, marks_of, settled, sources_in, told_in
from autograder.term.roster import roster_of
from autograder.term.shown import state_of
from autograder.term.store import Kept
from autograder.term.view import Told
from autograder.term.where import home_in, open_store
from autograder.text import counted, shown_name
from autograder.units.pack import use_pins
from autograder.units.unit import read_unit

MOST_VERDICTS = 20_000  # cached verdicts that are sent to a cluster
ALL_GRADED, SOME_NOT, NONE_FOUND, INTERRUPTED = 0, 1, 2, 130
LEAST_CLASS = 5  # with fewer submissions, only their own pages are written
MOST_IN_PAGE = 2000  # the class report needs all reports in memory: above this, only `foldem report` makes it


@dataclass(frozen=True)
class GradeOptions:
    """The options of `foldem grade`."""

    out: Path | None = None
    unit: str | None = None
    sandbox: str | None = None
    seed: str | None = None
    jobs: int = 1
    store: str | None = None
    fresh: bool = False
    quiet: bool = False
    json: bool = False
    cluster: str | None = None


def run(paths: Iterable[Path], asked: GradeOptions) -> int:
    """Grade all notebooks under `paths`, here or in a container, and return the exit status."""
    named = list(paths)
    if asked.cluster is None and is_needed(asked.sandbox or policy_for(_settings_folder(named)).sandbox):
        return run_contained(contained(named, asked))
    return run_here(named, asked)


def run_here(paths: Iterable[Path], asked: GradeOptions) -> int:
    """Grade all notebooks under `paths`, write and print the results, and return the exit status."""
    errors = Console(stderr=True, markup=False, emoji=False)
    named = [unpacked(path) for path in paths]
    folders = [submitted_in(path) for path in named]
    found = list(find_notebooks(folders))
    if not found:
        places = ", ".join(shown_name(str(path)) for path in folders)
        errors.print(f"foldem: no notebook found in {places}", style="red")
        return NONE_FOUND
    begun = Grading.begun(asked, found, above_all(folders), named)
    try:
        begun.settle(errors)
    except KeyboardInterrupt:
        errors.print(f"foldem: interrupted; {begun.standing}. Run the same command to continue.", style="red")
        os._exit(INTERRUPTED)  # without waiting for work in other processes
    begun.finish(Console(markup=False, emoji=False))
    return ALL_GRADED if begun.is_graded else SOME_NOT


def with_assignment(place: Located, assignments: Mapping[str, AssignmentPoints]) -> Located:
    """Return a submission's location with its assignment, if that is known."""
    with suppress(NotebookError):
        return replace(place, assignment=assignment_of(place.path, place.assignment, assignments))
    return place


def _settings_folder(paths: Iterable[Path]) -> Path:
    """Return the innermost folder whose settings apply to all of these paths."""
    return folder_around([above(path) for path in paths])


def contained(paths: Sequence[Path], asked: GradeOptions) -> Contained:
    """Return the command that grades the same in a container."""
    if asked.out:
        demand_writable(asked.out)
    folder = _settings_folder(paths)
    store = asked.store or settings_for(folder).store
    file = demand_file(store, [asked.out, root_of(folder)]) if store else None
    where: list[str | Path] = ["--store", file] if file else []
    options = [*option_words(replace(asked, store=None)), *where]
    return Contained(("grade", *paths, *options), (asked.out,) if asked.out else ())


@dataclass
class Grading:
    """One run of grading: its terms, its submissions, and the results that no store has."""

    asked: GradeOptions
    terms: Terms
    course: str
    places: list[Located]
    folder: Path
    comments: Comments
    adjust: Adjustments = field(default_factory=Adjustments)
    homeless: list[Kept] = field(default_factory=list)
    settled: int = 0
    graded: int = 0
    is_graded: bool = True
    began: float = field(default_factory=monotonic)

    @classmethod
    def begun(
        cls,
        asked: GradeOptions,
        found: list[tuple[str, Path]],
        folder: Path,
        named: Iterable[Path] = (),
        pins: bool = True,
    ) -> Self:
        """Return a run that is ready to grade, after checking that its output and its store can be written.

        Settings inside the folders to grade may be a student's, so no code that they name is run.
        """
        root = root_of(folder)
        is_graded = root is not None and lies_in(root / SETTINGS_FILE, named)
        use_pins(root if pins else None, is_graded)
        if asked.out:
            demand_writable(asked.out)
        policy = overridden(policy_for(folder), asked.sandbox, asked.seed)
        store, adjust = open_store(asked.store, folder, asked.out), adjustments_in(root, is_graded)
        home, assignments = home_in(store, root, asked.out), assignments_in(root)
        outlines = list(store.outlines(home.course))
        places = placed(found, {entry.place: entry.name for entry in outlines}, home)
        wanted = read_unit(asked.unit) if asked.unit else None
        terms = Terms(store, adjust.over(policy), wanted, asked.fresh, assignments)
        whole = [with_assignment(place, assignments) for place in places]
        known = {entry.student for entry in outlines}, {place.student for place in whole}
        adjust.demand_students(*known, roster_of(root))
        adjust = with_gradebook(adjust, is_graded)
        return cls(asked, terms, home.course, whole, folder, comments_in(root), adjust)

    @property
    def standing(self) -> str:
        return f"{self.settled:,} of {counted(len(self.places), 'submission')} saved"

    def settle(self, errors: Console, tell: Callable[[Judged], object] = lambda _: None) -> None:
        """Grade every submission, with a progress bar; call `tell` with each result."""
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn()
        progress = Progress(*columns, console=errors, transient=True, disable=self.asked.quiet)
        with progress, self._staffed(partial(errors.print, "foldem:", style="red", soft_wrap=True)) as staff:
            task = progress.add_task("grading", total=len(self.places))

            def prepare(unit: str) -> None:
                progress.update(task, description=f"building the exam of {unit} (once)")
                exam_for(unit, self.terms.policy.seed)
                progress.update(task, description="grading")

            for result in settled(self.places, self.terms, staff, prepare):
                self._note(result)
                tell(result)
                progress.advance(task)

    @contextmanager
    def _staffed(self, tell: Callable[[str], object]) -> Iterator[Staff]:
        """Provide the graders: this process, other processes or a cluster."""
        staff = self._staff(tell)
        try:
            yield staff
        finally:
            staff.dismiss()

    def _staff(self, tell: Callable[[str], object]) -> Staff:
        jobs, terms, address = self.asked.jobs, self.terms, self.asked.cluster
        if address is None:
            return Markers(terms.brief, terms.recall, jobs) if jobs > 1 else Alone(terms.graded)
        from autograder.cluster.staff import Cluster, demand_usable, engagement_for

        demand_usable(address, terms.policy.seed != PUBLISHED)
        known = {} if terms.fresh else terms.store.verdicts(MOST_VERDICTS)
        workers = jobs if jobs > 1 else os.cpu_count() or 1
        return Cluster(address, engagement_for(terms.brief, not terms.fresh), tell, workers, known)

    def _note(self, result: Judged) -> None:
        self.settled += 1
        self.graded += result.is_new
        self.is_graded &= result.entry.is_final
        self.homeless += [] if result.is_kept or not self.terms.keeps else [result.entry]

    def told(self) -> Iterator[Told]:
        """Yield all results that the store has of the course."""
        for item in view.told_by(self.terms.store, self.course, self.adjust):
            yield replace(item, report=commented(item.report, self.comments))

    def write_class(self) -> None:
        """Write the class report, unless the class is very small or very large."""
        if self.asked.out and LEAST_CLASS <= self._kept_in_store <= MOST_IN_PAGE:
            from autograder.commands.report import CLASS_PAGE, written_page

            written_page(self.asked.out / CLASS_PAGE, self.folder, self.terms.store, anonymous=False)

    @property
    def _kept_in_store(self) -> int:
        return sum(1 for _ in self.terms.store.outlines(self.course))

    def finish(self, console: Console) -> None:
        """Save the marks, write the output folder, and print the results."""
        if self.asked.out is None:
            self.remember()
        elif self._is_new(self.asked.out):
            self.remember()
            view.write_results(self.asked.out, self.told(), partial(sources_in, self.terms.store))
            self.write_class()
            self.terms.store.note_shown(self.course, self.asked.out.resolve(), self._state(self.asked.out))
        self.show(console)

    def _is_new(self, out: Path) -> bool:
        """Return whether to write the output folder: something was graded, or its files have changed."""
        if self.graded or not self.is_graded:
            return True
        return self.terms.store.shown(self.course, out.resolve()) != self._state(out)

    def _state(self, out: Path) -> str:
        words = repr(self.comments), str(self.folder.resolve())
        return state_of(out, self.terms.store, self.course, self.adjust, words)

    def remember(self) -> None:
        """Save the current marks, so that `foldem regrade` can list later changes."""
        for entry in self.terms.store.entries(self.course) if self.course else ():
            told = self.adjust.applied(told_in(entry), entry.student, entry.assignment, entry.place)
            if (marks := marks_of(told)) != entry.marks:
                self.terms.store.keep(replace(entry, marks=marks))

    def own(self) -> Iterator[Told]:
        """Yield the results of the submissions named on the command line."""
        homeless = {entry.place for entry in self.homeless}
        places = {place.place for place in self.places} - homeless
        yield from (item for item in self.told() if item.place in places)
        yield from (Told.bare(entry) for entry in self.homeless)

    def show(self, console: Console) -> None:
        """Print the results as JSON, as a table, or not at all."""
        if self.asked.json:
            sys.stdout.writelines(view.as_json_list(self.own()))
        elif not self.asked.quiet:
            table = ClassTable(console, [len(item.short) for item in self.own()])
            for item in self.own():
                table.add(item.short, item.report)
            table.finish(self._last())

    def _missing(self) -> Iterator[str]:
        """Yield a line for each assignment with the students of the roster who handed in nothing."""
        roster = roster_of(root_of(self.folder)) if len(self.places) > 1 else {}
        for assignment in sorted({place.assignment for place in self.places}) if roster else ():
            outlines = self.terms.store.outlines(self.course)
            there = {outline.student for outline in outlines if outline.assignment == assignment}
            if missing := [name for name in roster if name not in there]:
                yield f"No submission from {', '.join(missing)}" + f" ({assignment})" * bool(assignment)

    def _last(self) -> list[str]:
        known = self.settled - self.graded
        told = f", {known:,} of them unchanged" * bool(known)
        lines = [
            *self._missing(),
            f"{counted(self.settled, 'submission')}{told}, in {duration(monotonic() - self.began)}",
        ]
        if self.asked.out and self._kept_in_store > MOST_IN_PAGE:
            lines.append(f"To write the class report: foldem report {self.asked.out}")
        return lines + [f"Reports: {self.asked.out}"] * bool(self.asked.out)


class _Rate(ProgressColumn):
    """The number of submissions graded per second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(f"{speed:.1f}/s" if speed else "")


def duration(seconds: float) -> str:
    """Return a duration as text.

    >>> duration(5.04), duration(192)
    ('5.0 s', '3 min 12 s')
    """
    return f"{seconds:.1f} s" if seconds < 60 else f"{seconds // 60:.0f} min {seconds % 60:.0f} s"


def submitted_in(path: Path) -> Path:
    """Return the folder of submissions if a path is a course folder, else the path itself."""
    return path / SUBMITTED if (path / SETTINGS_FILE).is_file() and (path / SUBMITTED).is_dir() else path


def unpacked(path: Path) -> Path:
    """Unpack a zip into the user's cache and return that folder; return any other path unchanged."""
    if path.suffix.lower() != ZIP or not path.is_file():
        return path
    if root := root_of(path.parent):
        way = f"run foldem collect {path} {root}, then foldem grade {root / SUBMITTED}"
        raise ConfigError(f"{path} is in a course folder: {way}")
    name = sha256(str(path.resolve()).encode(errors="surrogateescape")).hexdigest()[:24]
    return unpack(path, cache_folder().with_name("unpacked") / name / stem_of(path))


def overridden(policy: Policy, sandbox: str | None, seed: str | None) -> Policy:
    """Return the policy with the options of the command line applied."""
    return replace(policy, sandbox=sandbox or policy.sandbox, seed=policy.seed if seed is None else seed)
