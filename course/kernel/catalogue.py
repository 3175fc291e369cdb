"""The installed units, the facts about their exercises, and where to get their exams and references."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from course.data import as_data, from_data
from course.exam.sealed import Puzzle, SealedExam
from course.form import ExerciseFacts, FormSettings

# Packages of units that are mentioned in notebooks, imported or not.
mentioned_packages: set[str] = set()
# Packages of units that an installed autograder grades, imported or not. Their pictures are found, too.
gradable_packages: set[str] = set()
installed_entry_points = cache(entry_points)  # reading the files of all installed packages takes 10 ms


@dataclass(frozen=True)
class StatedExample:
    """A visible example: the code to run first, the call, and the code of its result or the text of its exception."""

    setup: tuple[str, ...]
    call: str
    want: str
    raises: str | None


@dataclass(frozen=True)
class StatedExercise:
    """The facts that learners see about an exercise. If these facts change, the version of the unit changes."""

    name: str
    number: int
    points: int | float
    is_value: bool
    examples: tuple[StatedExample, ...]


@dataclass(frozen=True)
class PredictionQuestion:
    """A question in a lesson about the result of some code: the code, possible results, and an explanation."""

    code: str
    choices: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class ComparisonRules:
    """The rules for comparing an exercise's results. Floats that differ by at most `tolerance` are equal.

    If `several` is true, several results are right.
    """

    tolerance: float = 0.0
    several: bool = False


@dataclass(frozen=True)
class StatedUnit:
    """The facts that `foldem build` writes about a unit: its exercises, and what the rules of form need to know.

    `predictions` are the questions in lessons, grouped by the exercise that comes after them.
    """

    unit: str
    title: str
    summary: str
    picture: str
    notebook: str
    module: str
    form: FormSettings
    exercises: tuple[StatedExercise, ...]
    asked: dict[str, ExerciseFacts]
    calls: dict[str, tuple[str, ...]]
    judging: dict[str, ComparisonRules] = field(default_factory=dict)
    predictions: dict[str, tuple[PredictionQuestion, ...]] = field(default_factory=dict)

    @cached_property
    def by_name(self) -> dict[str, StatedExercise]:
        return {exercise.name: exercise for exercise in self.exercises}

    @cached_property
    def version(self) -> str:
        """Return a hash of the statements of the exercises."""
        return sha256(json.dumps(as_data(self.exercises), sort_keys=True).encode()).hexdigest()[:12]


def unit_packages() -> tuple[str, ...]:
    """Return `course`, and each other package that contains units and was imported or is mentioned in a notebook."""
    others = (name for name in [*sys.modules, *sorted(mentioned_packages)] if "." not in name and name != "course")
    return ("course", *(name for name in dict.fromkeys(others) if _package_statements(name) and _is_known(name)))


def _is_known(package: str) -> bool:
    """Return whether a package is imported or installed. A package in the notebook's folder may be a stranger's.

    A package without `__init__.py` does not count as imported, since parts of it may be in the notebook's folder.
    """
    if getattr(sys.modules.get(package), "__file__", None):
        return True
    home, here = _package_folder(package), Path(package)
    return not (home and here.exists() and here.samefile(home))


@cache
def _package_folder(package: str) -> Path | None:
    """Return the folder of a package if it contains statements, else None. The package is not imported."""
    try:
        # for a name with a dot, find_spec would import the package
        spec = find_spec(package) if package.isidentifier() else None
    except (ImportError, ValueError):
        return None
    folders = [Path(folder) for folder in (spec and spec.submodule_search_locations) or ()]
    return next((folder for folder in folders if (folder / "statements").is_dir()), None)


@cache
def _package_statements(package: str) -> dict[str, StatedUnit]:
    """Return the statements of the units in a package, in teaching order."""
    home = _package_folder(package)
    try:
        texts = [file.read_text(encoding="utf-8") for file in (home / "statements").glob("*.json")] if home else []
        units = [from_data(StatedUnit, json.loads(text)) for text in texts]
        return {each.unit: each for each in sorted(units, key=lambda each: each.notebook) if each.exercises}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def all_statements() -> dict[str, StatedUnit]:
    """Return the statements of each unit, in teaching order.

    If two packages have the same unit, the first package is used.
    """
    statements: dict[str, StatedUnit] = {}
    for home in unit_packages():
        for unit, stated in _package_statements(home).items():
            statements.setdefault(unit, stated)
    return statements


def statements(unit: str) -> StatedUnit:
    """Return a unit's statements: its exercises with their points and visible examples."""
    return all_statements()[unit]


def has_unit(package: str, unit: str) -> bool:
    """Return whether a package contains a unit, and was imported or installed."""
    return _is_known(package) and unit in _package_statements(package)


def has_units(package: str) -> bool:
    """Return whether a package contains units. The learner did not write the classes in such a package."""
    return package == "course" or bool(_package_statements(package))


def units() -> tuple[str, ...]:
    """Return the names of all units, in teaching order."""
    return tuple(all_statements())


def package_of_unit(unit: str) -> str:
    """Return the package that a unit is imported from."""
    return next((home for home in unit_packages() if unit in _package_statements(home)), "course")


def file_of(unit: str, name: str) -> Path:
    """Return the path of a file in a unit's package."""
    return (_package_folder(package_of_unit(unit)) or Path()) / name


@cache
def sealed_exam_of(unit: str) -> SealedExam:
    """Return the sealed exam that was installed with a unit, or an empty one.

    On systems without fork, such as Windows, an installed autograder cannot run its exam, so it makes a sealed exam.
    """
    try:
        return from_data(SealedExam, json.loads(file_of(unit, f"sealed/{unit}.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return examiner().sealed_exam(unit) if examiner() and not has_full_exams() else SealedExam()


@cache
def installed_puzzle(unit: str, name: str) -> Puzzle | None:
    """Return the puzzle of an exercise, from the kit or from an installed autograder; None if there is no puzzle."""
    try:
        text = file_of(unit, f"puzzles/{unit}.json").read_text(encoding="utf-8")
    except OSError:
        made: Puzzle | None = examiner().puzzle(unit, name) if examiner() else None
        return made
    with suppress(ValueError, LookupError, TypeError, AttributeError):
        return from_data(Puzzle, json.loads(text)[name])
    return None


def has_sealed_exam(unit: str) -> bool:
    """Return whether a unit has a sealed exam. If its file exists, it is not read, because reading takes long."""
    return file_of(unit, f"sealed/{unit}.json").is_file() or bool(sealed_exam_of(unit).papers)


def exercise_of(unit: str, name: str) -> StatedExercise | None:
    """Return the facts about an exercise of a unit, or None if the unit has no such exercise."""
    return statements(unit).by_name.get(name)


@cache
def examiner() -> Any:
    """Return the object that runs an installed autograder's exams, or None if only the course is installed."""
    with without_this_folder(), suppress(ImportError):
        return next((entry.load()() for entry in installed_entry_points().select(group="foldem.examiner")), None)
    return None


def has_full_exams() -> bool:
    """Return whether an autograder is installed, and full exams can run.

    Full exams need `os.fork`, which Windows lacks.
    """
    return examiner() is not None and hasattr(os, "fork")


def reference_provider() -> Any:
    """Return the provider of reference solutions (a site for self-study or an installed autograder), or None."""
    return _installed_provider() or examiner()


@cache
def _installed_provider() -> object:
    with without_this_folder():
        return next((entry.load()() for entry in installed_entry_points().select(group="foldem.references")), None)


@contextmanager
def without_this_folder() -> Iterator[None]:
    """Run the block so that no module is found in the notebook's folder, which may come from a stranger."""
    places = [index for index, folder in enumerate(sys.path) if not folder]  # "" is the current folder
    sys.path[:] = filter(None, sys.path)
    try:
        yield  # a pack that is read meanwhile adds its own folder
    finally:
        for index in places:
            sys.path.insert(index, "")
