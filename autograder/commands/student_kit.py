"""`foldem student-kit`: what students get: notebooks, and a wheel of `course` without solutions or autograder."""

from __future__ import annotations

import ast
import json
import re
import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution, requires
from pathlib import Path

from autograder.config import NAME, ConfigError, help_for
from autograder.grading.run import installed_version
from autograder.units.build import notebook_file
from autograder.units.pack import COURSE
from autograder.units.unit import read_unit, unit_names
from course.notebook import IN_A_COURSE

PYPROJECT = """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "foldem-course"
version = "{version}"
description = "What the notebooks of the Foldem course import: types, given functions, check"
requires-python = ">=3.11"
license = "MIT"
license-files = ["LICENSE"]
dependencies = {dependencies}

[tool.hatch.build.targets.wheel]
packages = ["course"]
"""
SETTINGS = """# This folder belongs to a course: what may be asked for in its notebooks.
hints = {hints}
borrowing = {borrowing}
"""
README = """# Your notebooks

You need Python 3.11 or newer. In this folder, once:

    python3 -m venv .venv
    .venv/bin/pip install jupyterlab {wheel}

(on Windows `py -m venv .venv`, and `.venv\\Scripts\\pip` in place of `.venv/bin/pip`). And each time:

    .venv/bin/jupyter lab

Open a notebook, write the functions, run the cells. `check` tries the examples that you can see; your teacher has
more. What you hand in is the notebook.
"""


def make_kit(
    folder: Path, units: tuple[str, ...] = (), course: Path | None = None, force: bool = False
) -> Iterator[str]:
    """Write what students get into a folder, and say what was written."""
    found = dict(released_in(course, units) if course else built(units))
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not force)):
        raise ConfigError(f"{folder} is there already and not an empty folder: name a new one, or say --force")
    allowed = (help_for(course) if course else None) or IN_A_COURSE
    wheel = build_wheel(folder, allowed["hints"])
    yield f"wrote  {wheel}"
    settings = SETTINGS.format(**{key: json.dumps(value) for key, value in allowed.items()})
    texts = {NAME: settings, "README.md": README.format(wheel=wheel.name)}
    for name, text in (found | texts).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        yield f"wrote  {path}"
    yield f"Next: give {folder} to your students; its README.md says what to do with it"


def built(units: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Give the built notebooks of units (of all, if none is named) with the names that they get."""
    for path in (notebook_file(read_unit(unit)) for unit in units or unit_names()):
        yield path.name, path.read_text(encoding="utf-8")


def _of(units: tuple[str, ...], paths: list[Path]) -> list[Path]:
    stems = {read_unit(unit).stem for unit in units}
    return [path for path in paths if not units or path.stem in stems]


def released_in(course: Path, units: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Give the notebooks that a course folder has released; ConfigError if there are none."""
    paths = _of(units, sorted((course / "release").glob("*/*.ipynb")))
    if not paths:
        raise ConfigError(f"nothing is released in {course} yet: run `nbgrader generate_assignment` there first")
    for path in paths:
        yield str(path.relative_to(course / "release")), path.read_text(encoding="utf-8")


def build_wheel(folder: Path, hints: bool) -> Path:
    """Build the wheel of `course` alone into a folder, with or without the hints."""
    from hatchling.builders.wheel import WheelBuilder

    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        shutil.copytree(COURSE, root / "course", ignore=shutil.ignore_patterns("__pycache__", ".*"))
        for path in () if hints else (root / "course").glob("*.toml"):
            path.write_text(without_hints(path.read_text(encoding="utf-8")), encoding="utf-8")
        project = PYPROJECT.format(version=installed_version(), dependencies=json.dumps(dependencies()))
        (root / "pyproject.toml").write_text(project, encoding="utf-8")
        (root / "LICENSE").write_text(licence(), encoding="utf-8")
        return Path(next(iter(WheelBuilder(place).build(directory=str(folder.resolve()), versions=["standard"]))))


def licence() -> str:
    """Give the licence that the course is under: the checkout's file, or the one that was installed."""
    file = COURSE.parent / "LICENSE"
    return (
        file.read_text(encoding="utf-8")
        if file.exists()
        else distribution("foldem").read_text("licenses/LICENSE") or ""
    )


def without_hints(text: str) -> str:
    """Give a unit's TOML without the hints, and with all the rest as it was.

    >>> print(without_hints('points = 1\\nhints = [\\n    "Look.",\\n]\\nlines = 2'))
    points = 1
    lines = 2
    """
    kept = re.sub(r"^hints = \[.*?\]\n(?=\w|\[|\n|$)", "", text, flags=re.MULTILINE | re.DOTALL)
    wanted = tomllib.loads(text)
    for entry in [wanted, *wanted.get("exercise", [])]:
        entry.pop("hints", None)
    assert tomllib.loads(kept) == wanted, "the hints are written in a way that cannot be cut out"
    return kept


def dependencies() -> list[str]:
    """Give, of what this package requires, what the course imports."""
    used = {name for path in COURSE.rglob("*.py") for name in _imported(path)}
    return sorted(need for need in requires("foldem") or [] if re.split(r"[^\w-]", need)[0] in used)


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (alias.name.split(".")[0] for alias in names)
            case ast.ImportFrom(module=str(module)):
                yield module.split(".")[0]
