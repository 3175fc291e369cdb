"""Packs: the sources of units. One pack comes with Foldem. Others are in their authors' folders, or installed.

A pack is a folder with a `pack.toml`, the folder that students import, and `solutions/`, `exams/` (checks and known
mistakes), `right/`, `notebooks/`. A pack in a folder is named by `--pack`, or by `packs` in a course's `foldem.toml`.
An installed pack has an entry point.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import sys
import tempfile
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Annotated, ClassVar, Literal, TypeAlias, get_args

from msgspec import Meta

import course
from autograder.errors import UserError
from autograder.toml import Name, line_number_of, read_text, toml_content
from course.kernel.catalogue import gradable_packages, installed_entry_points, without_this_folder
from course.roles import UNIT_FILE_NAME

PACK_FILE, GROUP, VARIABLE = "pack.toml", "foldem.packs", "FOLDEM_PACKS"
PINNED, PIN_VERSIONS, PIN_BASIS = "pinned", "versions.json", "{}.basis.txt"
PINNED_FILE_NAMES = {"solutions": "{}.py", "checks": "{}.checks.py"}
GRADED_STATE_SUFFIX = "-graded"  # marks the state of pins that are in a folder to grade
FOLDEM_PACK_FOLDER = Path(__file__).parents[1]
COURSE_FOLDER = Path(course.__file__).parent  # every pack may import this
PackRole: TypeAlias = Literal["solutions", "exams", "right", "notebooks"]
PACK_ROLES: tuple[str, ...] = get_args(PackRole)
ROLES_IN_EXAMS = ("checks", "mistakes")
NEW_MODULE_NAMES = {"alike": "alike", "wholes": "joint"}
MOVED_IMPORT_PATTERN = re.compile(
    rf"\bcourse\.({'|'.join(NEW_MODULE_NAMES)})\.(\w+)"
)  # in checks that courses have released


class UnitError(UserError, ValueError):
    """Raised for an error in a file of a unit or a pack; the message names the file."""


@dataclass(frozen=True)
class PackSettings:
    """The content of a `pack.toml`."""

    name: Name
    """The name of the pack."""
    course: Name
    """The folder that students import. No other pack may have the same name."""
    units: Annotated[tuple[Name, ...], Meta(min_length=1, description="a list of names")]
    """The units, in teaching order."""
    folders: Annotated[dict[PackRole, str], Meta(description=f"a table of paths for {', '.join(PACK_ROLES)}")] = field(
        default_factory=dict
    )
    """Folders of roles that are not in the pack, as in `{ solutions = "../answers" }`."""


@cache
def import_file(name: str, file: Path) -> ModuleType:
    """Run a pinned file as a module with this name, and return the module."""
    sys.modules[name] = module = ModuleType(name)
    module.__file__ = str(file)
    source = MOVED_IMPORT_PATTERN.sub(
        lambda old: f"course.{old[2]}.{NEW_MODULE_NAMES[old[1]]}", file.read_text(encoding="utf-8")
    )
    exec(compile(source, file, "exec"), vars(module))
    return module


@dataclass(frozen=True)
class Pack:
    """A folder of units: its name, the package that students import from it, and its units in teaching order.

    If a course has released a unit, the pack uses the unit's settings and references as the course has pinned them.
    """

    name: str
    root: Path
    course: str
    units: tuple[str, ...]
    elsewhere: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    pins: Path | None = field(default=None, repr=False)
    pins_state: str = field(default="", repr=False)

    @property
    def settings(self) -> Path:
        """Return the path of the pack's `pack.toml`."""
        return self.root / PACK_FILE

    @property
    def course_folder(self) -> Path:
        """Return the folder that students import, which is in the pack, or next to it if the pack is installed."""
        inside, next_to = self.root / self.course, self.root.parent / self.course
        return next_to if next_to.is_dir() and not inside.is_dir() else inside

    @property
    def statements(self) -> Path:
        """Return the folder with the data that `check` uses if no autograder is installed.

        The data are inside the folder that students import.
        """
        return self.course_folder / "statements"

    def folder(self, role: str) -> Path:
        """Return the folder for a role: the pack's folder of this name, or else the folder that `pack.toml` names."""
        inside, named = self.root / role, dict(self.elsewhere).get(role)
        return inside if named is None or inside.is_dir() else (self.root / named).resolve()

    def file(self, role: str, unit: str) -> Path:
        """Return the path of a unit's file for a role, such as `mistakes`, even if the file does not exist."""
        pin, name = self.pin_folder(unit), PINNED_FILE_NAMES.get(role, "").format(unit)
        # Checks run outside of any sandbox, so those in a folder to grade are ignored.
        is_pinned = pin and name and (role == "solutions" or (not self.has_untrusted_pins and (pin / name).is_file()))
        if pin and is_pinned:
            return pin / name
        return (
            self.folder("exams") / unit / f"{role}.py" if role in ROLES_IN_EXAMS else self.folder(role) / f"{unit}.py"
        )

    def toml(self, unit: str) -> Path:
        """Return the path of a unit's TOML file."""
        pin = self.pin_folder(unit)
        return pin / f"{unit}.toml" if pin else self.course_folder / unit / UNIT_FILE_NAME

    def role_file(self, role: str, unit: str) -> Path:
        """Return the path of a unit's module for a role (such as `joint`), in the folder that students import.

        A path is returned even if the unit has no module for the role.
        """
        return self.course_folder / unit / f"{role}.py"

    def pin_folder(self, unit: str) -> Path | None:
        """Return the folder in which the current course has pinned a unit, or None."""
        pins = self.pins
        return pins if pins and all((pins / f"{unit}{suffix}").is_file() for suffix in (".toml", ".py")) else None

    @property
    def has_untrusted_pins(self) -> bool:
        """Return whether the pinned files are in a folder to grade, where a student may have written them."""
        return self.pins_state.endswith(GRADED_STATE_SUFFIX)

    def has_changed(self, unit: str) -> bool:
        """Return whether the installed version of a unit differs from the pinned version."""
        now = replace(self, pins=None)
        files = [(pack.toml(unit), pack.file("solutions", unit), pack.file("checks", unit)) for pack in (self, now)]
        before, after = [[path.read_bytes() if path.exists() else b"" for path in paths] for paths in files]
        return before != after

    def given_module_name(self, unit: str) -> str:
        """Return the name of the module that students import for a unit."""
        return f"{self.course}.{unit}"

    def import_role_module(self, role: str, unit: str) -> ModuleType:
        """Import a unit's module for a role, and return the module.

        If the unit has no such module, return an empty one. Raises UnitError, with file and line, if the import fails.
        """
        file = self.file(role, unit)
        name = f"{self.package('exams')}.{unit}.{role}" if role in ROLES_IN_EXAMS else f"{self.package(role)}.{unit}"
        if not file.exists():
            return ModuleType(name)
        return self.import_pack_module(f"{name}_{self.pins_state}" if file.parent == self.pins else name, file)

    def import_pack_module(self, name: str, file: Path) -> ModuleType:
        """Import a module of the pack, and return the module.

        Raises UnitError, with file and line, if the import fails.
        """
        try:
            return import_file(name, file) if file.parent == self.pins else import_module(name)
        except (Exception, SystemExit) as error:
            lines = [f"{each.filename}:{each.lineno}" for each in traceback.extract_tb(error.__traceback__)]
            line = next(filter(self.contains_location, reversed(lines)), f"{file}:1")  # the innermost one in the pack
            if isinstance(error, SyntaxError) and error.filename:
                line = f"{error.filename}:{error.lineno or 1}"
            raise UnitError(f"{line}: {exception_summary(error)}") from error

    def contains_location(self, location: str) -> bool:
        """Return whether a location is in a folder of this pack. A location is a path, perhaps with a line number."""
        return location.startswith(tuple(f"{folder}{os.sep}" for folder in self.packages.values()))

    def package(self, role: str) -> str:
        """Return the name of the Python package for a role. Roles are, for example, `solutions` and `exams`."""
        return f"{self.course}_{role}"

    @property
    def secrets(self) -> tuple[Path, ...]:
        """Return the folders of this pack that no answer may read."""
        roles = (self.folder(role) for role in ("solutions", "exams", "right"))
        return (*roles, *([self.pins] if self.pins else []))

    @property
    def packages(self) -> dict[str, Path]:
        """Return a dict that maps the name of each package in this pack to the package's folder."""
        return {self.course: self.course_folder} | {self.package(role): self.folder(role) for role in PACK_ROLES}


def exception_summary(error: BaseException) -> str:
    """Return the class and the message of an exception as one line."""
    text = error.msg if isinstance(error, SyntaxError) else " ".join(str(error).split())
    return f"{type(error).__name__}: {text}".removesuffix(": ")


def read_pack(root: Path) -> Pack:
    """Read the pack in a folder. Raises UnitError if the folder has no pack, or the pack's settings are invalid."""
    file = root / PACK_FILE
    if not file.is_file():
        raise UnitError(f"{root} is not a pack: it has no {PACK_FILE}")
    text = read_text(file, UnitError)
    settings = toml_content(file, text, PackSettings, UnitError)
    pack = Pack(settings.name, root.resolve(), settings.course, settings.units, tuple(settings.folders.items()))
    if old := next((unit for unit in pack.units if (pack.course_folder / f"{unit}.py").is_file()), None):
        raise UnitError(f"{pack.course_folder / old}.py: a unit is a folder now: see docs/exercises.md")
    for role in settings.folders:
        if role != "notebooks" and pack.folder(role).resolve().is_relative_to(pack.course_folder.resolve()):
            reason = f"the folder of {role} is in {pack.course}, which students get. Move it"
            raise UnitError(f"{file}:{line_number_of(text, 'folders', role)}: {reason}")
    return pack


# ------------------------------------------------------------------------------------------- catalogues


@dataclass(frozen=True)
class Catalogue:
    """The packs that a command or host uses: first Foldem's own, then installed packs, then packs that the user named.

    A catalogue is read once, when a command starts, and then passed to the functions that need it. A catalogue can be
    sent to another process.
    """

    packs: tuple[Pack, ...]

    def __reduce__(self) -> tuple[object, ...]:
        return catalogue_of, self.packs

    @property
    def units(self) -> tuple[str, ...]:
        """Return the names of all units, in teaching order."""
        return tuple(name for pack in self.packs for name in pack.units)

    @property
    def by_stem(self) -> dict[str, str]:
        """Return a dict that maps the name of each notebook, without the suffix, to the name of its unit."""
        return {self.stem(name): name for name in self.units}

    def stem(self, unit: str) -> str:
        """Return the name of a unit's notebook, without the suffix."""
        return f"{self.pack_of(unit).units.index(unit)}_{unit}"

    def pack_of(self, unit: str) -> Pack:
        """Return the pack that contains a unit. Raises UnitError if no pack contains the unit."""
        owner = next((pack for pack in self.packs if unit in pack.units), None)
        if owner is None:
            raise UnitError(f"there is no unit {unit!r}: the units are {', '.join(self.units)}")
        return owner

    @property
    def named_packs(self) -> tuple[Pack, ...]:
        """Return the packs that are not installed, but were named by `--pack` or by a course's settings."""
        installed = {FOLDEM_PACK_FOLDER, *(pack.root for pack in installed_packs())}
        return tuple(pack for pack in self.packs if pack.root not in installed)

    @property
    def roots(self) -> tuple[Path, ...]:
        """Return the folders of all packs except Foldem's own."""
        return tuple(pack.root for pack in self.packs[1:])

    @property
    def student_packages(self) -> dict[str, Path]:
        """Return the folder of each package that students' code may import, by the name of the package."""
        return {pack.course: pack.course_folder for pack in self.packs}

    @property
    def secrets(self) -> tuple[Path, ...]:
        """Return the secret folders of all packs. No answer may read these folders."""
        return tuple(folder for pack in self.packs for folder in pack.secrets)

    def with_packs(self, roots: Iterable[Path]) -> Catalogue:
        """Return a catalogue with these packs added.

        Raises UnitError if a pack is invalid, or conflicts with another one.
        """
        packs = {pack.name: pack for pack in (*self.packs[1:], *map(read_pack, roots))}
        packs.pop(self.packs[0].name, None)
        return catalogue_of(self.packs[0], *packs.values())

    def with_pins(self, root: Path | None, is_graded: bool = False) -> Catalogue:
        """Return the catalogue with each unit in the version that the course has released.

        Without a course, the catalogue has the installed version of each unit. When grading, a unit is refused if its
        pinned references differ from the installed ones, because a student may have written the pinned files.
        """
        folder = (root / PINNED).resolve() if root else None
        pins = folder if folder and folder.is_dir() else None
        # A course may pin again while a process runs.
        texts = (path.read_bytes() for path in sorted(pins.glob("*.[pt]*[ylt]"))) if pins else ()
        state = sha256(b"|".join(texts)).hexdigest() + GRADED_STATE_SUFFIX * is_graded if pins else ""
        return Catalogue(tuple(replace(pack, pins=pins, pins_state=state) for pack in self.packs))


def catalogue_of(*packs: Pack) -> Catalogue:
    """Return a catalogue of these packs, and make them importable. Raises UnitError if two packs conflict."""
    for index, pack in enumerate(packs):
        for other in packs[:index]:
            clash = [("units", f"unit {unit}") for unit in pack.units if unit in other.units]
            if pack.course == other.course:
                clash.append(("course", f"package {pack.course}"))
            for key, what in clash[:1]:
                where = f"{pack.settings}:{line_number_of(pack.settings.read_text(encoding='utf-8'), key)}"
                raise UnitError(f"{where}: the {what} exists already, in the pack {other.name} ({other.root})")
    PackFinder.folders |= {name: folder for pack in packs for name, folder in pack.packages.items()}
    gradable_packages.update(pack.course for pack in packs)
    return Catalogue(packs)


@cache
def installed_catalogue() -> Catalogue:
    """Return a catalogue of Foldem's own pack and the installed packs."""
    return catalogue_of(read_pack(FOLDEM_PACK_FOLDER)).with_packs(pack.root for pack in installed_packs())


def catalogue_here() -> Catalogue:
    """Return a catalogue of the installed packs and the packs in the environment variable FOLDEM_PACKS.

    `foldem` sets FOLDEM_PACKS for the programs that it starts. Each command or host calls this function once, and
    passes the catalogue to the functions that need it.
    """
    named = [Path(root) for root in os.environ.get(VARIABLE, "").split(os.pathsep) if root]
    return installed_catalogue().with_packs(named)


def kernel_environment(catalogue: Catalogue) -> dict[str, str]:
    """Return the environment variables with which kernels import exactly the packs of the catalogue.

    If the user named a pack and another version of it is installed, kernels import the named version.
    """
    environment = os.environ | {VARIABLE: os.pathsep.join(str(pack.root) for pack in catalogue.named_packs)}
    if not catalogue.named_packs:
        return environment
    folder = Path(tempfile.mkdtemp(prefix="foldem-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for pack in catalogue.named_packs:
        try:
            (folder / pack.course).symlink_to(pack.course_folder, target_is_directory=True)
        except OSError:  # the system cannot link
            shutil.copytree(pack.course_folder, folder / pack.course)
    search = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return environment | {"PYTHONPATH": os.pathsep.join(search)}


def installed_packs() -> tuple[Pack, ...]:
    """Return the installed packs, which are found through their entry points.

    Usually, the folder of a pack contains the package that students import. In a wheel, the pack's folder is next to
    this package instead.
    """
    packs = []
    with without_this_folder():
        for course_name in (entry.value for entry in installed_entry_points().select(group=GROUP)):
            spec = find_spec(course_name)
            paths = [Path(path) for path in spec.submodule_search_locations or ()] if spec else []
            roots = (root for path in paths for root in (path.parent, path.with_name(f"{course_name}_pack")))
            if root := next((root for root in roots if (root / PACK_FILE).is_file()), None):
                packs.append(read_pack(root))
    return tuple(packs)


def pack_folder_with_unit(catalogue: Catalogue, unit: str, folder: Path) -> Path | None:
    """Return the folder of the pack that already has a unit of this name, or None. The pack in `folder` counts, too."""
    known = [*catalogue.packs, *([read_pack(folder)] if (folder / PACK_FILE).exists() else [])]
    return next((pack.root for pack in known if unit in pack.units), None)


class PackFinder:
    """An import finder for the packages of packs, which ignores all other files in the folders of packs."""

    folders: ClassVar[dict[str, Path]] = {}

    @classmethod
    def find_spec(cls, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the spec of a pack's package; for other modules, return None."""
        folder = cls.folders.get(name)
        if folder is None:
            return None
        if (begin := folder / "__init__.py").exists():
            return spec_from_file_location(name, begin, submodule_search_locations=[str(folder)])
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(folder)]
        return spec


sys.meta_path.insert(0, PackFinder)
