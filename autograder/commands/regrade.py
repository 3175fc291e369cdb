"""`foldem regrade`: whose marks change by what a teacher has changed, by how much and why."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from autograder.commands.grade import ALL_GRADED, NONE_FOUND, SOME_NOT, GradeOptions, Grading, submitted_in
from autograder.grading.batch import learned_of
from autograder.report.model import Graded, Report
from autograder.submission.find import find_notebooks
from autograder.term.places import Located
from autograder.term.results import content_of, told_in
from autograder.text import counted

MarksOf = dict[str, list[float]]
ANEW = "graded anew: the file, the exam, the settings or Foldem changed"


def run(course: Path, only_tell: bool) -> int:
    """Tell whose marks change, write them unless that is all, and give the exit status."""
    console, errors = Console(markup=False, emoji=False, soft_wrap=True), Console(stderr=True, markup=False)
    found = list(find_notebooks([submitted_in(course)]))
    if not found:
        errors.print(f"foldem: there is no notebook in {course}", style="red")
        return NONE_FOUND
    begun = Grading.begun(GradeOptions(quiet=True), found, course)
    tell(begun, console)
    if only_tell:
        return ALL_GRADED
    begun.settle(errors)
    begun.remember()
    return ALL_GRADED if begun.is_graded else SOME_NOT


def tell(begun: Grading, console: Console) -> None:
    """Print whose marks would change if a run were made, by how much and why."""
    changed = 0
    for place in begun.places:
        for number, line in enumerate(_differences(begun, place)):
            changed += number == 0
            console.print(line, highlight=False)
    told = f"{counted(changed, 'submission')} of {len(begun.places):,} would be told other marks."
    console.print(told, highlight=False)


def _differences(begun: Grading, place: Located) -> Iterator[str]:
    """Give what changes about a submission's marks: the totals, then exercise by exercise why."""
    terms = begun.terms
    old = terms.store.entry(place.course, place.place)
    known = terms.known(place, content_of(place.path))
    report = told_in(known) if known else learned_of(place.path, None, terms.policy, terms.store.verdict).report
    told = begun.adjust.applied(report, place.student, place.assignment, place.place)
    before: MarksOf = json.loads(old.marks) if old else {}
    now = {each.name: [each.points, each.of] for each in told.exercises} if isinstance(told, Graded) else {}
    if before == now:
        return
    yield f"{place.name}: {_total(before)} → {_total(now)}" if old else f"{place.name}: not graded yet → {_total(now)}"
    for name in {**before, **now} if old else ():
        if before.get(name) != now.get(name):
            yield f"    {name}: {_mark(before.get(name))} → {_mark(now.get(name))} ({_why(told, name, known is None)})"


def _total(marks: MarksOf) -> str:
    points, of = (round(sum(mark[place] for mark in marks.values()), 2) for place in (0, 1))
    return f"{points:g} of {of:g}" if marks else "ungraded"


def _mark(mark: list[float] | None) -> str:
    return f"{mark[0]:g} of {mark[1]:g}" if mark else "none"


def _why(told: Report, name: str, is_anew: bool) -> str:
    """Give the reason for a change: what the teacher said last, else what else there is."""
    if is_anew:
        return ANEW
    found = [each.remarks for each in told.exercises if each.name == name] if isinstance(told, Graded) else []
    remarks = found[0] if found else ()
    return str(remarks[-1]) if remarks else "other points, or an adjustment was taken back"
