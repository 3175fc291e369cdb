"""`foldem regrade`: list the marks that change after a teacher's changes, with the reasons."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from rich.console import Console

from autograder.commands.chosen import chosen_catalogue
from autograder.commands.container import Contained, is_needed, option_words, run_contained
from autograder.commands.grade import ALL_GRADED, NOTHING_GRADED, SOME_NOT, Grading, submitted_in
from autograder.commands.options import GradeOptions, RegradeOptions
from autograder.report.model import Graded, Report
from autograder.report.words import remark_text
from autograder.submission.find import find_notebooks
from autograder.term.course import read_course
from autograder.term.results import Judged, decoded_report
from autograder.text import counted

MarksOf = dict[str, list[float]]
GRADED_AGAIN = "graded again: the file, the exam, the settings or Foldem changed"


def run(options: RegradeOptions) -> int:
    """Print which marks change, and save the new ones without `--diff`. Return the exit status."""
    folder = options.course
    course = read_course(folder, chosen_catalogue(None, folder))
    if is_needed(course.policy.sandbox):
        return run_contained(Contained(("regrade", folder, *option_words(options)), packs=course.catalogue.roots))
    console, errors = Console(markup=False, emoji=False, soft_wrap=True), Console(stderr=True, markup=False)
    notebooks = list(find_notebooks([submitted_in(folder)], course.catalogue))
    if not notebooks:
        errors.print(f"foldem: no notebook found in {folder}", style="red")
        return NOTHING_GRADED
    begun = Grading.begun(GradeOptions(paths=[folder], jobs=options.jobs), notebooks, course)
    tell(begun, console, errors, keeps=not options.diff)
    if options.diff:
        return ALL_GRADED
    begun.remember()
    return ALL_GRADED if begun.is_graded else SOME_NOT


def tell(begun: Grading, console: Console, errors: Console, keeps: bool = False) -> None:
    """Grade all submissions and print each changed mark with the reason; save the reports if `keeps` is true."""
    begun.terms = replace(begun.terms, keeps=keeps)
    before = {entry.place: entry.marks for entry in begun.terms.store.outlines(begun.course)}
    lines = dict[str, list[str]]()

    def compare(result: Judged) -> None:
        lines[result.entry.place] = list(_differences(begun, result, before.get(result.entry.place)))

    begun.settle(errors, compare)
    for location in begun.locations:
        for line in lines[location.place]:
            console.print(line, highlight=False)
    changed = sum(map(bool, lines.values()))
    console.print(f"Marks change for {changed:,} of {counted(len(begun.locations), 'submission')}.", highlight=False)


def _differences(begun: Grading, result: Judged, marks: str | None) -> Iterator[str]:
    """Yield the changes of a submission's marks: the totals, then each exercise with the reason."""
    entry = result.entry
    report = begun.adjust.applied(decoded_report(entry.report), entry.student, entry.assignment, entry.place)
    before: MarksOf = json.loads(marks) if marks else {}
    now = {each.name: [each.points, each.of] for each in report.exercises} if isinstance(report, Graded) else {}
    if before == now:
        return
    yield f"{entry.name}: {_total(before) if marks else 'not graded yet'} → {_total(now)}"
    for name in {**before, **now} if marks else ():
        if before.get(name) != now.get(name):
            why = _why(report, name, result.is_new)
            yield f"    {name}: {_change(before.get(name), now.get(name))} ({why})"


def _total(marks: MarksOf) -> str:
    points, of = (round(sum(mark[column] for mark in marks.values()), 2) for column in (0, 1))
    return f"{points:g} of {of:g}" if marks else "ungraded"


def _change(old: list[float] | None, new: list[float] | None) -> str:
    """Return how a mark changes; a bonus or a deduction counts points only."""
    if not any(mark and mark[1] for mark in (old, new)):
        return " → ".join(f"{mark[0]:g}" if mark else "0" for mark in (old, new))
    return " → ".join(f"{mark[0]:g} of {mark[1]:g}" if mark else "none" for mark in (old, new))


def _why(report: Report, name: str, is_new: bool) -> str:
    """Return the reason for a change: the teacher's last adjustment, if there is one."""
    if is_new:
        return GRADED_AGAIN
    matches = [each.remarks for each in report.exercises if each.name == name] if isinstance(report, Graded) else []
    remarks = matches[0] if matches else ()
    return remark_text(remarks[-1]) if remarks else "the points or an adjustment changed"
