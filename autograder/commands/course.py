"""`foldem course`: make a course folder for nbgrader's own commands, or bring one to the installed version."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import nbformat
from rich.console import Console

from autograder.commands.chosen import chosen_catalogue, chosen_course, chosen_units, packs_or_own
from autograder.commands.options import CourseOptions, GradeOptions
from autograder.commands.student_kit import without_dead_links
from autograder.config import (
    PUBLISHED,
    SETTINGS_FILE,
    ConfigError,
    Policy,
    course_file,
    made_here_marker,
    make_private,
    packs_named_by,
    policy_for,
    settings_text,
)
from autograder.grading.run import installed_version, judged_by
from autograder.submission.find import find_notebooks
from autograder.term.assignments import source_points
from autograder.term.course import Course, read_course
from autograder.term.files import SUBMITTED
from autograder.text import points_text
from autograder.units.build import source_notebook
from autograder.units.pack import Catalogue
from autograder.units.pins import pin, versions_in
from autograder.units.unit import Exercise, Unit, UnitError, read_unit, units_in

NBGRADER_CONFIG = '''"""nbgrader's configuration of this course, written by `foldem course`. Change it as you like."""

from autograder.hosts.nbgrader import course_config

c = get_config()  # noqa: F821

# True: submissions are graded in Foldem's sandbox, and no kernel is started.
# False: nbgrader runs the notebooks itself. Student code then shares a process with the grader.
c.merge(course_config(sandboxed=True))

c.CourseDirectory.course_id = {course!r}
'''


@dataclass(frozen=True)
class Assignment:
    """An assignment: its name, and the source notebooks in it, each a unit or a part of one."""

    name: str
    units: tuple[Unit, ...]
    exercises: tuple[str, ...] = ()


def assignments(units: tuple[Unit, ...], exercises: str | None, name: str | None) -> tuple[Assignment, ...]:
    """Return the named assignment, or one for each unit. Raises UnitError if that is impossible."""
    if name is not None and not re.fullmatch(r"\w[\w.-]*", name):
        raise UnitError(f"an assignment cannot be named {name!r}: use letters, digits, _ . and -")
    if exercises is None:
        return (Assignment(name, units),) if name else tuple(Assignment(unit.name, (unit,)) for unit in units)
    if len(units) != 1:
        raise UnitError("--exercises selects part of one unit: add --unit")
    part = selected_exercises(units[0], exercises)
    return (Assignment(name or f"{units[0].name}-{part[0]}-{part[-1]}", units, part),)


def selected_exercises(unit: Unit, text: str) -> tuple[str, ...]:
    """Return the exercises that `flip..suppress,take` selects, in teaching order. Raises UnitError for a wrong text."""
    names, selected = list(unit.by_name), set()
    for part in text.split(","):
        first, dots, last = (piece.strip() for piece in part.partition(".."))
        ends = (first, last) if dots else (first, first)
        for name in ends:
            if name not in names:
                exercises = f"the exercises are {', '.join(names)}"
                raise UnitError(f"there is no exercise {name!r} in {unit.name}: {exercises}")
        start, end = map(names.index, ends)
        if start > end:
            raise UnitError(f"{last} comes before {first} in {unit.name}: write {last}..{first}")
        selected |= set(names[start : end + 1])
    return tuple(name for name in names if name in selected)


def run(options: CourseOptions) -> int | Iterator[str]:
    """Write the course folder that the options describe. Yield a line for each file, or return a status (upgrades)."""
    if options.upgrade and (options.unit or options.exercises or options.name):
        raise ConfigError("--upgrade makes no assignment: leave out the other options")
    if options.write and not options.upgrade:
        raise ConfigError("--write makes the changes that --upgrade lists: add --upgrade")
    if options.upgrade:
        return upgrade(options)
    packs, folder = packs_or_own(options.pack), options.folder
    catalogue = chosen_catalogue(packs, folder).pinned(None if options.force else folder)
    units = chosen_units(catalogue, packs, options.unit) or units_in(catalogue)
    return make_course(folder, assignments(units, options.exercises, options.name), catalogue, options.force)


def make_course(
    folder: Path, wanted: tuple[Assignment, ...], catalogue: Catalogue, force: bool = False
) -> Iterator[str]:
    """Write the course folder, and yield a line for each file. Existing files are not changed."""
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder} is a file, not a folder")
    if marks := set("[]*?").intersection(str(folder.resolve())):
        raise ConfigError(
            f"nbgrader finds no notebook in a folder with {min(marks)} in its path: {folder}. Name another folder"
        )
    notebooks = {(each.name, unit): source_notebook(unit, each.exercises) for each in wanted for unit in each.units}
    texts = {f"{name}/{unit.stem}.ipynb": nbformat.writes(made) + "\n" for (name, unit), made in notebooks.items()}
    make_private(folder)
    with suppress(OSError):  # without the note, its code is not run if the folder itself is graded
        make_private((note := made_here_marker(folder)).parent)
        note.touch()
    yield _written_once(folder / "nbgrader_config.py", NBGRADER_CONFIG.format(course=folder.resolve().name), False)
    packs = {unit.pack.root for _, unit in notebooks} & {pack.root for pack in catalogue.named}
    yield _written_once(folder / SETTINGS_FILE, settings_text(folder, sorted(packs)), False)
    for (assignment, unit), text in zip(notebooks, without_dead_links(texts, catalogue).values(), strict=True):
        if force or unit.name not in versions_in(folder):
            pin(folder, unit, installed_version(), judged_by(unit, Policy(), "on"))
        yield _written_once(folder / "source" / assignment / f"{unit.stem}.ipynb", text, force)
    for root in sorted(packs - set(packs_named_by(course_file(folder)))):
        yield f"note   add {str(root)!r} to packs in {course_file(folder)}: nbgrader needs it to grade these units"
    yield from _reminders(folder)
    yield f"Next: cd {shlex.quote(str(folder))} && nbgrader generate_assignment {wanted[0].name}"


def _reminders(folder: Path) -> Iterator[str]:
    if policy_for(folder).seed == PUBLISHED:
        yield f"note   {course_file(folder)} has no seed, so the exam is the published one: add a secret seed"
    if (outer := course_file(folder)) and outer != folder.resolve() / SETTINGS_FILE:
        yield f"note   the settings in {outer} apply here: this file is in a folder above"


def _written_once(path: Path, text: str, force: bool) -> str:
    """Write a file if it does not exist, or in any case with `force`. Return a line that says what was done."""
    if path.exists() and not force:
        there = path.read_text(encoding="utf-8", errors="replace")
        return f"kept   {path}" + (" (yours differs)" if there != text else "")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return f"wrote  {path}"


# --------------------------------------------------------------------------------------------------------- upgrades


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
    """Yield the changes of a unit, and what an upgrade does not change: source notebooks, and their own points."""
    pinned, root = versions_in(course.folder), course.folder
    if name not in pinned:
        yield f"{name}: not pinned, so it always uses the installed Foldem ({installed_version()})"
        return
    before, now = read_unit(course.catalogue, name), read_unit(course.as_installed.catalogue, name)
    lines = [*_between(before, now)] or ["checks changed"] * before.pack.has_changed(name)
    yield f"{name}: released by Foldem {pinned[name]}, now {installed_version()}" + ": no change" * (not lines)
    yield from (f"    {line}" for line in lines)
    for path in sorted((root / "source").glob(f"*/{now.stem}.ipynb")) if lines else ():
        held = source_points(course, path.parent.name, name)
        other = [f"{key}: {held[key]:g}" for key in now.by_name if held.get(key, now[key].points) != now[key].points]
        points = f", with its own points ({', '.join(other)})" if other else ""
        yield f"    {path.relative_to(root)} is kept{points}; to overwrite it, use foldem course --force"


def _between(before: Unit, now: Unit) -> Iterator[str]:
    """Yield the differences between two versions of a unit."""
    for name in {**before.by_name, **now.by_name}:
        old, new = before.by_name.get(name), now.by_name.get(name)
        if old is None or new is None:
            yield f"{name}: {'removed' if old else 'added'}"
            continue
        if old.points != new.points:
            yield f"{name}: {points_text(old.points)} → {new.points:g}"
        if _judged(old) != _judged(new):
            yield f"{name}: statement, reference solution or rules of style changed"
    if before.form_share != now.form_share:
        yield f"form_share: {before.form_share:g} → {now.form_share:g}"


def _judged(exercise: Exercise) -> tuple[object, ...]:
    """Return what an exercise is judged by, except its points."""
    rules = exercise.fair_lines, exercise.requires, exercise.bans, exercise.error, exercise.decides
    return exercise.docstring, exercise.signature, exercise.source, *rules


def _grade_again(now: Course, console: Console, write: bool) -> int:
    """Print which marks would change. If `write` is true, pin the new versions and grade again."""
    from autograder.commands.grade import ALL_GRADED, SOME_NOT, Grading  # here, since most courses are not graded now

    submitted = now.folder / SUBMITTED
    notebooks = list(find_notebooks([submitted], now.catalogue)) if submitted.is_dir() else []
    silent, preview = Console(stderr=True, quiet=True), GradeOptions(paths=[now.folder], quiet=True, diff=True)
    if notebooks:
        Grading(preview, notebooks, now).list_changes(console, silent)
    if not write:
        return ALL_GRADED
    for name in released_units(now):
        unit = read_unit(now.catalogue, name)
        pin(now.folder, unit, installed_version(), judged_by(unit, Policy(), "on"))
    if not notebooks:
        return ALL_GRADED
    request = GradeOptions(paths=[now.folder], quiet=True)
    begun = Grading(request, notebooks, read_course(now.folder, now.catalogue))
    begun.settle(silent)
    begun.remember()
    return ALL_GRADED if begun.is_graded else SOME_NOT
