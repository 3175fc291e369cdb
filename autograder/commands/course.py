"""`foldem course`: make a course folder for nbgrader's own commands, or update one to the installed version."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import nbformat

from autograder.commands.options import CourseOptions
from autograder.commands.student_kit import without_dead_links
from autograder.config import (
    PUBLISHED_SEED,
    SETTINGS_FILE,
    ConfigError,
    Policy,
    made_here_marker,
    make_private_folder,
    packs_named_by,
    policy_for,
    settings_file_for,
    settings_text,
)
from autograder.grading.run import grading_digest, installed_version
from autograder.term.course import chosen_catalogue, chosen_course, chosen_units
from autograder.term.files import write_atomically, write_texts
from autograder.units.build import source_notebook
from autograder.units.pack import PIN_BASIS, PIN_VERSIONS, PINNED, PINNED_FILE_NAMES, Catalogue
from autograder.units.unit import Unit, UnitError, read_unit, units_in

NBGRADER_CONFIG_TEMPLATE = '''\
"""nbgrader's configuration of this course, written by `foldem course`. Change it as you like."""

from autograder.hosts.nbgrader import course_config

c = get_config()  # noqa: F821

# True: submissions are graded in Foldem's sandbox, and no kernel is started.
# False: nbgrader runs the notebooks itself. Student code then shares a process with the grader.
c.merge(course_config(sandboxed=True))

c.CourseDirectory.course_id = {course!r}
'''


@dataclass(frozen=True)
class Assignment:
    """An assignment: its name, and the units in it.

    `exercises` are the names of the exercises to do, or () for all exercises of the units.
    """

    name: str
    units: tuple[Unit, ...]
    exercises: tuple[str, ...] = ()


def assignments_to_make(units: tuple[Unit, ...], exercises: str | None, name: str | None) -> tuple[Assignment, ...]:
    """Return one assignment with the given name, or one assignment for each unit if no name is given.

    Raises UnitError for an invalid `name`, or if `exercises` are selected from several units.
    """
    if name is not None and not re.fullmatch(r"\w[\w.-]*", name):
        raise UnitError(f"an assignment cannot be named {name!r}: use letters, digits, _ . and -")
    if exercises is None:
        return (Assignment(name, units),) if name else tuple(Assignment(unit.name, (unit,)) for unit in units)
    if len(units) != 1:
        raise UnitError("--exercises selects exercises of one unit: name this unit with --unit")
    part = selected_exercises(units[0], exercises)
    return (Assignment(name or f"{units[0].name}-{part[0]}-{part[-1]}", units, part),)


def selected_exercises(unit: Unit, text: str) -> tuple[str, ...]:
    """Return the exercises that a text such as `flip..suppress,take` selects, in teaching order.

    Raises UnitError for an unknown exercise, or a range in the wrong order.
    """
    names, selected = list(unit.by_name), set()
    for part in text.split(","):
        first, dots, last = (piece.strip() for piece in part.partition(".."))
        ends = (first, last) if dots else (first, first)
        for name in ends:
            if name not in names:
                exercises = f"the exercises are {', '.join(names)}"
                raise UnitError(f"the unit {unit.name} has no exercise {name!r}: {exercises}")
        start, end = map(names.index, ends)
        if start > end:
            raise UnitError(f"in {unit.name}, {last} comes before {first}: write --exercises {last}..{first}")
        selected |= set(names[start : end + 1])
    return tuple(name for name in names if name in selected)


def run(options: CourseOptions) -> Iterator[str]:
    """Make or extend the course folder that the options describe, or pin the installed version of its units.

    Yield a line of output about each file or unit.
    """
    if options.upgrade and (options.unit or options.exercises or options.name):
        raise ConfigError("--upgrade makes no assignments: leave out --unit, --exercises and --name")
    if options.upgrade:
        return upgrade_course(options)
    packs, folder = options.pack, options.folder
    catalogue = chosen_catalogue(packs, folder).with_pins(None if options.force else folder)
    units = chosen_units(catalogue, packs, options.unit) or units_in(catalogue)
    return make_course(folder, assignments_to_make(units, options.exercises, options.name), catalogue, options.force)


def make_course(
    folder: Path, wanted: tuple[Assignment, ...], catalogue: Catalogue, force: bool = False
) -> Iterator[str]:
    """Write the course folder, and yield a line of output about each file. Existing files are not changed."""
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder} is a file, not a folder")
    if marks := set("[]*?").intersection(str(folder.resolve())):
        raise ConfigError(
            f"nbgrader finds no notebook in a folder with {min(marks)!r} in its path: {folder}. Choose another folder"
        )
    notebooks = {(each.name, unit): source_notebook(unit, each.exercises) for each in wanted for unit in each.units}
    texts = {f"{name}/{unit.stem}.ipynb": nbformat.writes(made) + "\n" for (name, unit), made in notebooks.items()}
    make_private_folder(folder)
    with suppress(OSError):  # without the note, its code is not run if the folder itself is graded
        make_private_folder((note := made_here_marker(folder)).parent)
        note.touch()
    yield from _write_once(
        folder / "nbgrader_config.py", NBGRADER_CONFIG_TEMPLATE.format(course=folder.resolve().name), False
    )
    packs = {unit.pack.root for _, unit in notebooks} & {pack.root for pack in catalogue.named_packs}
    yield from _write_once(folder / SETTINGS_FILE, settings_text(folder, sorted(packs)), False)
    for (assignment, unit), text in zip(notebooks, without_dead_links(texts, catalogue).values(), strict=True):
        if force or unit.name not in pinned_versions(folder):
            pin_unit(folder, unit, installed_version(), grading_digest(unit, Policy(), "on"))
        yield from _write_once(folder / "source" / assignment / f"{unit.stem}.ipynb", text, force)
    file = settings_file_for(folder)
    for root in sorted(packs - set(packs_named_by(file))):
        yield f"note   add {str(root)!r} to packs in {file}: nbgrader needs it to grade these units"
    yield from _settings_remarks(folder)
    yield f"Next: cd {shlex.quote(str(folder))} && nbgrader generate_assignment {wanted[0].name}"


def _settings_remarks(folder: Path) -> Iterator[str]:
    if policy_for(folder).seed == PUBLISHED_SEED:
        yield f"note   {settings_file_for(folder)} has no seed, so the exam is the published one: add a secret seed"
    if (outer := settings_file_for(folder)) and outer != folder.resolve() / SETTINGS_FILE:
        yield f"note   the settings in {outer} apply, because the course is in a folder below it"


def _write_once(path: Path, text: str, force: bool) -> Iterator[str]:
    """Write a file if it does not exist, or in any case with `force`. Yield a line that says what was done."""
    if path.exists() and not force:
        there = path.read_text(encoding="utf-8", errors="replace")
        yield f"kept   {path}" + (" (yours differs)" if there != text else "")
    else:
        yield from write_texts({path: text})


# ------------------------------------------------------------------------------------------------------------- pins


def pinned_versions(root: Path) -> dict[str, str]:
    """Map the name of each pinned unit of a course to the version of Foldem that the pinned files come from."""
    path = root / PINNED / PIN_VERSIONS
    try:
        return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}
    except ValueError as error:
        raise ConfigError(f"{path}: {error}. Restore this file from a backup of the course") from None


def pin_unit(root: Path, unit: Unit, version: str, judging_digest: str) -> None:
    """Copy a unit's files into the course, so that updates of Foldem don't change how the unit is graded.

    An earlier pinned exam is removed. `judging_digest` is a digest of the code and data with which the unit is graded.
    If this digest changes, all stored results are outdated.
    """
    folder, pack = root / PINNED, unit.pack
    files = {name.format(unit.name): pack.file(role, unit.name) for role, name in PINNED_FILE_NAMES.items()}
    files[f"{unit.name}.toml"] = pack.toml(unit.name)
    texts = {name: file.read_text("utf-8") if file.exists() else "" for name, file in files.items()}
    versions = json.dumps(pinned_versions(root) | {unit.name: version}, indent=1, sort_keys=True) + "\n"
    texts |= {PIN_BASIS.format(unit.name): judging_digest, PIN_VERSIONS: versions}
    for exam in folder.glob(f"{unit.name}-*.json"):
        exam.unlink()
    for name, text in texts.items():
        write_atomically(folder / name, text)


# --------------------------------------------------------------------------------------------------------- upgrades

EARLIER_PINS_FOLDER = "pinned-before"


def upgrade_course(options: CourseOptions) -> Iterator[str]:
    """Copy the earlier versions of released units to `pinned-before/`, and the installed versions into `pinned/`.

    Raises ConfigError if `pinned-before/` exists, so that a second upgrade does not overwrite this folder.
    """
    course = chosen_course(options.pack, options.folder)
    root, catalogue, before = course.folder, course.with_installed_units.catalogue, pinned_versions(course.folder)
    if (root / EARLIER_PINS_FOLDER).exists():
        raise ConfigError(
            f"{root / EARLIER_PINS_FOLDER} still has the files that an earlier upgrade replaced: "
            "first move or delete this folder"
        )
    if before:
        shutil.copytree(root / PINNED, root / EARLIER_PINS_FOLDER)
    stems = {path.stem for path in (root / "source").glob("*/*.ipynb")}
    for name in (name for name in catalogue.units if name in before or catalogue.stem(name) in stems):
        unit = read_unit(catalogue, name)
        pin_unit(root, unit, installed_version(), grading_digest(unit, Policy(), "on"))
        yield f"{name}: released by Foldem {before.get(name, 'of any version')}, now {installed_version()}"
    yield "Source notebooks are kept, with their points; foldem course --force writes them again."
    if before:
        yield f"To go back, delete {root / PINNED}, and rename {EARLIER_PINS_FOLDER} to {PINNED}."
    yield f"No mark has changed yet. Next: foldem grade {shlex.quote(str(root))} --diff"
