"""The packs, units and courses that the options of a command choose."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autograder.config import ConfigError, pack_around, with_course_packs
from autograder.term.course import Course, read_course
from autograder.units.pack import OURS, Catalogue, catalogue_here, read_pack
from autograder.units.unit import Unit, read_unit

Packs = Sequence[Path] | None


def chosen_catalogue(packs: Packs = None, folder: Path | None = None) -> Catalogue:
    """Return the installed packs, the packs named, and those of the course around a folder."""
    catalogue = catalogue_here().with_packs(packs or ())
    return with_course_packs(catalogue, folder) if folder else catalogue


def packs_or_own(packs: Packs) -> Packs:
    """Return the packs named, or the pack around the current directory.

    No command that reads students' work may call this, because the pack around it could be a student's.
    """
    root = None if packs else pack_around(Path.cwd())
    return packs if root is None or root == OURS else [root]


def chosen_course(packs: Packs, folder: Path | None) -> Course:
    """Return the course around a folder, with the packs named. Without a folder, it has only default settings.

    Raises ConfigError if there is no course around the folder.
    """
    catalogue = chosen_catalogue(packs, folder)
    course = read_course(folder, catalogue) if folder else Course(catalogue)
    if folder and course.root is None:
        raise ConfigError(f"{folder} is not a course folder: it has no foldem.toml. `foldem course` makes one")
    return course


def chosen_units(catalogue: Catalogue, packs: Packs, names: Sequence[str] | None = None) -> tuple[Unit, ...]:
    """Return the units named, or else the units of the packs named."""
    return tuple(read_unit(catalogue, name) for name in names or _units_of(packs))


def names_to_make(catalogue: Catalogue, packs: Packs, names: Sequence[str] | None) -> Sequence[str]:
    """Return the units named, or else the units of the packs named, or else Foldem's own. No unit's file is read."""
    return names or _units_of(packs) or catalogue.packs[0].units


def _units_of(packs: Packs) -> list[str]:
    return [unit for pack in packs or () for unit in read_pack(pack).units]
