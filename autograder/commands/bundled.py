"""The files that a platform needs to grade: our wheels, the unit's pack, and the unit's part of the course."""

from __future__ import annotations

import csv
import hashlib
import re
import tomllib
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from dataclasses import fields
from importlib.metadata import Distribution, distribution
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import tomlkit

from autograder.commands.chosen import chosen_course, packs_or_own
from autograder.commands.options import BundleOptions
from autograder.config import ConfigError, Policy, course_file, settings_text
from autograder.term.assignments import SOURCE, all_of, chosen_assignment
from autograder.term.course import Course
from autograder.units.pack import OURS, PACK_FILE, PINNED, ROLES, Pack
from autograder.units.pins import PIN_VERSIONS
from autograder.units.unit import Unit, read_unit

PACK_FOLDER = "pack"
ROOT = Path(__file__).parents[2]
NOT_OURS = {"INSTALLER", "REQUESTED", "RECORD", "direct_url.json"}


def assignment_to_bundle(options: BundleOptions, target: Path) -> tuple[Course, str, Unit]:
    """Return the course, the assignment ("" for none) and the unit to grade.

    Raises ConfigError if the target exists.
    """
    course = chosen_course(packs_or_own(options.pack), options.course)
    if target.exists() and not options.force:
        raise ConfigError(f"{target} exists already: name another one, or add --force")
    name, unit = chosen_assignment(course, course.assignments, options.assignment, options.unit)
    return course, name, read_unit(course.catalogue, unit)


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


def bundled_settings(root: Path | None, **changes: str) -> str:
    """Return the course's settings that affect grading, with changes. Without a course, they have a new seed.

    Other settings can be secret, such as the password of a database in `store`; and so can comments.
    """
    file = course_file(root) if root else None
    with TemporaryDirectory() as nowhere:
        text = file.read_text(encoding="utf-8") if file else settings_text(Path(nowhere))
    settings = tomllib.loads(text) | changes
    return tomlkit.dumps({each.name: settings[each.name] for each in fields(Policy) if each.name in settings})


# ------------------------------------------------------------------------------------------------ our own wheels


def own_wheels(folder: Path) -> tuple[Path, ...]:
    """Make the wheels of `foldem` and `foldem-course` in a folder, and return their paths."""
    if (ROOT / "pyproject.toml").exists():
        return tuple(_built(root, folder.resolve()) for root in (ROOT, ROOT / "packages" / "course"))
    return tuple(_put_together(distribution(name), folder) for name in ("foldem", "foldem-course"))


def _built(root: Path, folder: Path) -> Path:
    from hatchling.builders.wheel import WheelBuilder  # here, since an installed Foldem does without

    return Path(next(iter(WheelBuilder(str(root)).build(directory=str(folder), versions=["standard"]))))


def _put_together(installed: Distribution, folder: Path) -> Path:
    path = folder / f"{installed.name.replace('-', '_')}-{installed.version}-py3-none-any.whl"
    contents = dict(_files(installed))
    record = next(name for name in contents if name.endswith(".dist-info/METADATA")).replace("METADATA", "RECORD")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in contents.items():
            wheel.writestr(name, data)
        wheel.writestr(record, _record(contents, record))
    return path


def _files(installed: Distribution) -> Iterator[tuple[str, bytes]]:
    for file in installed.files or ():
        if file.name not in NOT_OURS and ".." not in file.parts and "__pycache__" not in file.parts:
            yield str(file), Path(str(file.locate())).read_bytes()


def _record(contents: dict[str, bytes], own: str) -> str:
    text = StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for name, data in contents.items():
        digest = urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.writerow((name, f"sha256={digest}", len(data)))
    rows.writerow((own, "", ""))
    return text.getvalue()
