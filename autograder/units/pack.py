"""Packs: the sources of units. One comes with Foldem; others are in their authors' folders, or installed.

A pack is a folder with a `pack.toml`, the folder that students import, and one folder per role: `solutions/`,
`checks/`, `mistakes/`, `right/`, `notebooks/`. It is found by `--pack`, by `packs` in a course's `foldem.toml` (both
set FOLDEM_PACKS for child processes) or, when installed, by an entry point.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import entry_points
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Annotated

from msgspec import Meta

import course
from autograder.toml import Name, fitting, line_of, text_of, unknown
from autograder.unusable import Unusable

PACK_FILE, GROUP, VARIABLE = "pack.toml", "foldem.packs", "FOLDEM_PACKS"
PINS, PINNED = "FOLDEM_PINNED", "pinned"
AMONG_THEM = "-graded"  # behind the state of pins that lie in what is graded
OURS = Path(__file__).parents[1]
COURSE = Path(course.__file__).parent  # what every pack may stand on
ROLES = ("solutions", "checks", "mistakes", "right", "notebooks")


class UnitError(Unusable, ValueError):
    """The files of a unit or a pack disagree; the message says where."""


@dataclass(frozen=True)
class PackSettings:
    """The content of a `pack.toml`."""

    name: Name
    course: Name
    units: Annotated[tuple[Name, ...], Meta(min_length=1, description="a list of names")]
    folders: Annotated[dict[str, str], Meta(description="a table of paths")] = field(default_factory=dict)


@dataclass(frozen=True)
class Pack:
    """A folder of units: its name, what students import of it, and its units in teaching order.

    For a unit that a course has released, the policy and references are the course's `pinned` ones.
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
        """The path of its `pack.toml`."""
        return self.root / PACK_FILE

    @property
    def course_folder(self) -> Path:
        """The folder that students import: in the pack or, where that is installed, beside it."""
        inside, next_to = self.root / self.course, self.root.parent / self.course
        return next_to if next_to.is_dir() and not inside.is_dir() else inside

    @property
    def statements(self) -> Path:
        """The folder of what `check` knows about the units without the autograder; part of what students import."""
        return self.course_folder / "statements"

    def folder(self, role: str) -> Path:
        """Return the folder of a role: the pack's own if it exists, else the one in the settings."""
        inside, named = self.root / role, dict(self.elsewhere).get(role)
        return inside if named is None or inside.is_dir() else (self.root / named).resolve()

    def file(self, role: str, unit: str) -> Path:
        """Return the path of a unit's file in a role; it may be missing."""
        pin = self.pinned(unit) if role == "solutions" else None
        return pin / f"{unit}.py" if pin else self.folder(role) / f"{unit}.py"

    def toml(self, unit: str) -> Path:
        """Return the path of a unit's policy."""
        return (self.pinned(unit) or self.course_folder) / f"{unit}.toml"

    def pinned(self, unit: str) -> Path | None:
        """Return the folder in which the current course pins a unit, or None."""
        pins = self.pins
        return pins if pins and all((pins / f"{unit}{suffix}").is_file() for suffix in (".toml", ".py")) else None

    def is_strange(self, unit: str) -> bool:
        """Return whether a unit's references lie among the submissions, and are not the installed ones."""
        mine, installed = (pack.file("solutions", unit) for pack in (self, replace(self, pins=None)))
        return self.pins_state.endswith(AMONG_THEM) and mine.read_bytes() != installed.read_bytes()

    def given(self, unit: str) -> str:
        """Return the name of the module that students import for a unit."""
        return f"{self.course}.{unit}"

    def module(self, role: str, unit: str) -> ModuleType:
        """Return a unit's module in a role, imported; an empty one if it is missing."""
        name = f"{self.package(role)}.{unit}"
        return import_module(name) if self.file(role, unit).exists() else ModuleType(name)

    def package(self, role: str) -> str:
        """Return the name under which a role's folder is imported."""
        return f"{self.course}_{role}"

    @property
    def secrets(self) -> tuple[Path, ...]:
        """The folders that no answer may read."""
        roles = (self.folder(role) for role in ("solutions", "checks", "mistakes", "right"))
        return (*roles, *([self.pins] if self.pins else []))

    @property
    def packages(self) -> dict[str, Path]:
        """The folders that Python may import, by package name."""
        return {self.course: self.course_folder} | {self.package(role): self.folder(role) for role in ROLES}


def read_pack(root: Path) -> Pack:
    """Return the pack in a folder. Raises UnitError if there is none, or its settings are invalid."""
    file = root / PACK_FILE
    if not file.is_file():
        raise UnitError(f"{root} is not a pack: it has no {PACK_FILE}")
    text = text_of(file, UnitError)
    settings = fitting(file, text, PackSettings, UnitError)
    if twice := [unit for index, unit in enumerate(settings.units) if unit in settings.units[:index]]:
        raise UnitError(f"{file}:{line_of(text, 'units')}: the unit {twice[0]} is listed twice")
    for role in (role for role in settings.folders if role not in ROLES):
        raise UnitError(f"{file}:{line_of(text, 'folders', role)}: {unknown('role', role, dict.fromkeys(ROLES))}")
    return Pack(settings.name, root.resolve(), settings.course, settings.units, tuple(settings.folders.items()))


# ------------------------------------------------------------------------------------------- the packs there are


def known_packs() -> tuple[Pack, ...]:
    """Return all packs: ours, named ones, installed ones. Raises UnitError if two clash."""
    return _pinned(os.environ.get(VARIABLE, ""), os.environ.get(PINS, ""))


def named_packs() -> tuple[Pack, ...]:
    """Return the packs named by `--pack` or by a course's settings."""
    return _named(os.environ.get(VARIABLE, ""))


@cache
def _named(roots: str) -> tuple[Pack, ...]:
    return tuple(read_pack(Path(root)) for root in roots.split(os.pathsep) if root)


@cache
def _pinned(named: str, pins: str) -> tuple[Pack, ...]:
    folder, _, state = pins.rpartition("|")
    return (
        tuple(replace(pack, pins=Path(folder), pins_state=state) for pack in _known(named)) if pins else _known(named)
    )


@cache
def _known(named: str) -> tuple[Pack, ...]:
    packs = {pack.name: pack for pack in (*installed_packs(), *_named(named))}
    ours = read_pack(OURS)
    all_packs = (ours, *(pack for name, pack in packs.items() if name != ours.name))
    for index, pack in enumerate(all_packs):
        for other in all_packs[:index]:
            _demand_apart(pack, other)
    FINDER.folders |= {name: folder for pack in all_packs for name, folder in pack.packages.items()}
    return all_packs


def _demand_apart(pack: Pack, other: Pack) -> None:
    text = pack.settings.read_text(encoding="utf-8")
    if clash := [unit for unit in pack.units if unit in other.units]:
        where = f"{pack.settings}:{line_of(text, 'units')}"
        raise UnitError(f"{where}: the unit {clash[0]} exists already, in the pack {other.name} ({other.root})")
    if pack.course == other.course:
        where = f"{pack.settings}:{line_of(text, 'course')}"
        raise UnitError(f"{where}: the package {pack.course} exists already, in the pack {other.name} ({other.root})")


def student_packages() -> dict[str, Path]:
    """Return the folders that students may import, of all packs, by package name."""
    return {pack.course: pack.course_folder for pack in known_packs()}


def use_packs(roots: Iterable[Path]) -> None:
    """Make packs known to this process and its children. Raises UnitError if one is invalid, or clashes."""
    known = [root for root in os.environ.get(VARIABLE, "").split(os.pathsep) if root]
    added = [str(read_pack(root).root) for root in roots]
    named = os.pathsep.join(dict.fromkeys([*known, *added]))
    _known(named)
    os.environ[VARIABLE] = named


def use_pins(root: Path | None, is_graded: bool = False) -> None:
    """Use the units as a course has released them, in this process and its children.

    Pins that lie among the submissions are ignored: they may be a student's.
    """
    os.environ.pop(PINS, None)
    if root and (setting := pins_setting(root)):
        os.environ[PINS] = setting + AMONG_THEM * is_graded


def pins_setting(root: Path) -> str:
    """Return the setting that tells child processes about a course's pins, or ""."""
    folder = (root / PINNED).resolve()
    if not folder.is_dir():
        return ""
    state = sha256(b"|".join(path.read_bytes() for path in sorted(folder.glob("*.[pt]*[yl]"))))
    return f"{folder}|{state.hexdigest()}"


def kernel_environment() -> dict[str, str]:
    """Return an environment for kernels in which only this version of these packs can be imported."""
    missing = [pack for pack in known_packs() if not _is_installed(pack)]
    if not missing:
        return dict(os.environ)
    folder = Path(tempfile.mkdtemp(prefix="foldem-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for pack in missing:
        _link(folder / pack.course, pack.course_folder)
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)}


def _is_installed(pack: Pack) -> bool:
    """Return whether Python itself finds this pack's student package, and not another one of the same name."""
    spec = PathFinder.find_spec(pack.course)
    paths = (spec.submodule_search_locations if spec else None) or ()
    return pack.course_folder.resolve() in [Path(path).resolve() for path in paths]


def _link(target: Path, folder: Path) -> None:
    """Link a folder to another path or, where the system can't, copy it."""
    try:
        target.symlink_to(folder, target_is_directory=True)
    except OSError:
        shutil.copytree(folder, target)


def installed_packs() -> tuple[Pack, ...]:
    """Return the installed packs, by their entry points."""
    roots = map(_root_of, (entry.value for entry in entry_points(group=GROUP)))
    return tuple(read_pack(root) for root in roots if root)


def lost_packs() -> tuple[str, ...]:
    """Return the names of installed packs whose files are missing."""
    return tuple(entry.name for entry in entry_points(group=GROUP) if not _root_of(entry.value))


def _root_of(course: str) -> Path | None:
    """Return the folder of the pack whose students import `course`: around it, or beside it in a wheel."""
    spec = find_spec(course)
    paths = [Path(path) for path in spec.submodule_search_locations or ()] if spec else []
    roots = (root for path in paths for root in (path.parent, path.with_name(f"{course}_pack")))
    return next((root for root in roots if (root / PACK_FILE).is_file()), None)


def unit_taken(unit: str, folder: Path) -> Path | None:
    """Return the folder of the pack that already has a unit, including the one in this folder, or None."""
    known = [*known_packs(), *([read_pack(folder)] if (folder / PACK_FILE).exists() else [])]
    return next((pack.root for pack in known if unit in pack.units), None)


def pack_of(unit: str) -> Pack:
    """Return the pack of a unit. Raises UnitError if there is none."""
    packs = known_packs()
    owner = next((pack for pack in packs if unit in pack.units), None)
    if owner is None:
        names = ", ".join(name for pack in packs for name in pack.units)
        raise UnitError(f"there is no unit {unit!r}: the units are {names}")
    return owner


def demand_ours(unit: str, what: str) -> None:
    """Raise UnitError for a unit of another pack, where only Foldem itself can be bundled."""
    pack = pack_of(unit)
    if pack.root != OURS:
        raise UnitError(f"{what} can only use Foldem's own units; {unit} is from the pack {pack.name} ({pack.root})")


class Finder:
    """Finds the packages of packs in their folders, and no files beside them."""

    def __init__(self) -> None:
        self.folders: dict[str, Path] = {}

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the spec of a pack's package, or None for any other."""
        folder = self.folders.get(name)
        if folder is None:
            return None
        if (begin := folder / "__init__.py").exists():
            return spec_from_file_location(name, begin, submodule_search_locations=[str(folder)])
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(folder)]
        return spec


FINDER = Finder()
sys.meta_path.insert(0, FINDER)
