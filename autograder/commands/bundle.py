"""The files that a platform needs to grade: our wheels, the unit's pack, and the unit's part of the course."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.commands.wheel import own_wheels
from autograder.config import course_file, settings_text
from autograder.term.assignments import SOURCE, all_of
from autograder.term.course import Course
from autograder.units.pack import OURS, PACK_FILE, PINNED, ROLES, Pack
from autograder.units.pins import PIN_VERSIONS
from autograder.units.unit import Unit

PACK_FOLDER = "pack"


def bundled_files(course: Course, assignment: str, unit: Unit, wheels: Path) -> Iterator[tuple[str, Path]]:
    """Yield all files except the settings, with their paths. The wheels are built in the folder `wheels`."""
    yield from _files_of(unit.pack)
    yield from _course_files(course.root, assignment, unit)
    yield from ((wheel.name, wheel) for wheel in own_wheels(wheels))


def points_of_unit(course: Course, assignment: str, unit: Unit) -> Mapping[str, float]:
    """Return the points of the exercises that count."""
    return (course.assignments[assignment] if assignment else all_of(unit))[unit.name]


def _course_files(root: Path | None, assignment: str, unit: Unit) -> Iterator[tuple[str, Path]]:
    """Yield the files of a course that are about a unit, with their paths: the source notebook and the pinned files."""
    if root and assignment:
        source = f"{SOURCE}/{assignment}/{unit.stem}.ipynb"
        yield source, root / source
    for path in sorted((root / PINNED).glob("*")) if root else ():
        if path.name == PIN_VERSIONS or re.fullmatch(rf"{unit.name}(-[^-]*)?\.(py|toml|json)", path.name):
            yield f"{PINNED}/{path.name}", path


def _files_of(pack: Pack) -> Iterator[tuple[str, Path]]:
    """Yield a pack's files with their paths in the zip. Foldem's own pack is in the wheel, so it has none."""
    if pack.root == OURS:
        return
    yield f"{PACK_FOLDER}/{PACK_FILE}", pack.settings
    for role, folder in {**{role: pack.folder(role) for role in ROLES}, pack.course: pack.course_folder}.items():
        for file in sorted(folder.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                yield f"{PACK_FOLDER}/{role}/{file.relative_to(folder).as_posix()}", file


def bundled_settings(root: Path | None) -> str:
    """Return the course's settings. Without a course, return the settings of a new course with a new seed."""
    file = course_file(root) if root else None
    if file is None:
        with TemporaryDirectory() as nowhere:
            return settings_text(Path(nowhere))
    return file.read_text(encoding="utf-8")
