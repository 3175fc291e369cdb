"""The packs, units and courses that the options of a command choose."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autograder.config import ConfigError, with_course_packs
from autograder.term.course import Course, read_course
from autograder.units.pack import Catalogue, catalogue_here, read_pack
from autograder.units.unit import Unit, read_unit

Packs = Sequence[Path] | None


def chosen_catalogue(packs: Packs = None, folder: Path | None = None) -> Catalogue:
    """Return a catalogue of the installed packs, the packs named, and those of the course that a folder is in."""
    catalogue = catalogue_here().with_packs(packs or ())
    return with_course_packs(catalogue, folder) if folder else catalogue


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
    """Return the units named, or else all units of the packs named with `--pack`."""
    names = names or [name for pack in packs or () for name in read_pack(pack).units]
    return tuple(read_unit(catalogue, name) for name in names)


def units_to_make(packs: Packs, names: Sequence[str] | None) -> tuple[Unit, ...]:
    """Return the units named, or else those of the packs named with `--pack`, or of Foldem."""
    catalogue = chosen_catalogue(packs)
    return chosen_units(catalogue, packs, names) or chosen_units(catalogue, None, catalogue.packs[0].units)
