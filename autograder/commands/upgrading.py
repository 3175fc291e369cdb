"""`foldem course --upgrade`: list or make the changes that bring released units to the installed version of Foldem."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from autograder.commands.chosen import chosen_course
from autograder.commands.grade import ALL_GRADED, SOME_NOT, Grading
from autograder.commands.options import CourseOptions, GradeOptions
from autograder.config import Policy
from autograder.grading.run import installed_version, judged_by
from autograder.submission.find import find_notebooks
from autograder.term.assignments import source_points
from autograder.term.course import Course, read_course
from autograder.term.files import SUBMITTED
from autograder.text import points_text
from autograder.units.pins import pin, versions_in
from autograder.units.unit import Exercise, Unit, read_unit


def upgrade(options: CourseOptions) -> int:
    """Print what would change in statements, points and marks of a course. Change it only with `--write`."""
    course = chosen_course(options.pack, options.folder)
    console = Console(markup=False, emoji=False, highlight=False, soft_wrap=True)
    for name in released_units(course.as_installed):
        for line in _changes(course, name):
            console.print(line)
    status = _grade_again(course.as_installed, console, options.write)
    console.print("The course is upgraded." if options.write else "Nothing was changed. Add --write to upgrade.")
    return status


def released_units(course: Course) -> tuple[str, ...]:
    """Return the units that have source notebooks or pins in a course."""
    stems, pinned = {path.stem for path in (course.folder / "source").glob("*/*.ipynb")}, versions_in(course.folder)
    return tuple(name for name in course.catalogue.units if name in pinned or course.catalogue.stem(name) in stems)


def _changes(course: Course, name: str) -> Iterator[str]:
    pinned = versions_in(course.folder)
    if name not in pinned:
        yield f"{name}: not pinned, so it always uses the installed Foldem ({installed_version()})"
        return
    before, now = read_unit(course.catalogue, name), read_unit(course.as_installed.catalogue, name)
    lines = [*_between(before, now)] or ["checks changed"] * before.pack.has_changed(name)
    yield f"{name}: released by Foldem {pinned[name]}, now {installed_version()}" + ": no change" * (not lines)
    yield from (f"    {line}" for line in (*lines, *(_unchanged_notebooks(course, now) if lines else ())))


def _unchanged_notebooks(course: Course, unit: Unit) -> Iterator[str]:
    """Yield lines on what an upgrade does not change: source notebooks, and the points that they set."""
    root = course.folder
    for path in sorted((root / "source").glob(f"*/{unit.stem}.ipynb")):
        held = source_points(course, path.parent.name, unit.name)
        other = [f"{key}: {held[key]:g}" for key in unit.by_name if held.get(key, unit[key].points) != unit[key].points]
        points = f", with its own points ({', '.join(other)})" if other else ""
        yield f"{path.relative_to(root)} is kept{points}; to overwrite it, use foldem course --force"


def _between(before: Unit, now: Unit) -> Iterator[str]:
    """Yield the differences between two versions of a unit."""
    for name in {**before.by_name, **now.by_name}:
        match before.by_name.get(name), now.by_name.get(name):
            case None, Exercise(points=points):
                yield f"{name}: added, {points_text(points)}"
            case Exercise(points=points), None:
                yield f"{name}: removed, {points_text(points)}"
            case Exercise(points=points) as old, Exercise() as new:
                if points != new.points:
                    yield f"{name}: {points_text(points)} → {new.points:g}"
                if (old.docstring, old.signature) != (new.docstring, new.signature):
                    yield f"{name}: statement changed"
                elif old.source != new.source:
                    yield f"{name}: reference solution changed"
                if _form(old) != _form(new):
                    yield f"{name}: rules of style changed"
    if before.form_share != now.form_share:
        yield f"form_share: {before.form_share:g} → {now.form_share:g}"


def _form(exercise: Exercise) -> tuple[int | tuple[str, ...], ...]:
    return exercise.fair_lines, exercise.requires, exercise.bans, exercise.error, exercise.decides


def _grade_again(now: Course, console: Console, write: bool) -> int:
    """Print which marks would change. If `write` is true, pin the new versions and grade again."""
    submitted = now.folder / SUBMITTED
    notebooks = list(find_notebooks([submitted], now.catalogue)) if submitted.is_dir() else []
    request, silent = GradeOptions(paths=[now.folder], quiet=True, diff=True), Console(stderr=True, quiet=True)
    if notebooks:
        Grading.begun(request, notebooks, now).list_changes(console, silent)
    if not write:
        return ALL_GRADED
    for name in released_units(now):
        unit = read_unit(now.catalogue, name)
        pin(now.folder, unit, installed_version(), judged_by(unit, Policy(), "on"))
    if not notebooks:
        return ALL_GRADED
    begun = Grading.begun(request, notebooks, read_course(now.folder, now.catalogue))
    begun.settle(silent)
    begun.remember()
    return ALL_GRADED if begun.is_graded else SOME_NOT
