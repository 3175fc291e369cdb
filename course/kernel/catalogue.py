"""The units there are, what is stated of them, and who has exams and references for them."""

from __future__ import annotations

import json
import sys
from functools import cache
from hashlib import sha256
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

# The packages that units were found in though they are not imported yet.
told_of: set[str] = set()


def homes() -> tuple[str, ...]:
    """Return the packages that state units: ours, and others that are imported or that notebooks tell of."""
    others = (name for name in [*sys.modules, *sorted(told_of)] if "." not in name and name != "course")
    return ("course", *(name for name in dict.fromkeys(others) if _stated(name)))


@cache
def _home(package: str) -> Path | None:
    """Return the folder of a package that states units; it is not imported for that."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return None
    places = [Path(place) for place in (spec and spec.submodule_search_locations) or ()]
    return next((place for place in places if (place / "statements").is_dir()), None)


@cache
def _stated(package: str) -> dict[str, dict[str, Any]]:
    """Return what is stated of the units in a package, in teaching order."""
    home = _home(package)
    try:
        texts = [file.read_text(encoding="utf-8") for file in (home / "statements").glob("*.json")] if home else []
        found = sorted(map(json.loads, texts), key=lambda stated: stated["notebook"])
        return {stated["unit"]: stated for stated in found if stated["exercises"]}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def statements(unit: str) -> dict[str, Any]:
    """Return what is stated of a unit: its exercises with their points and visible examples."""
    return _stated(home_of(unit))[unit]


def units() -> tuple[str, ...]:
    """Return the names of the units there are, in teaching order."""
    return tuple(dict.fromkeys(unit for home in homes() for unit in _stated(home)))


def home_of(unit: str) -> str:
    """Return the package that a unit is imported from."""
    return next((home for home in homes() if unit in _stated(home)), "course")


def file_of(unit: str, name: str) -> Path:
    """Return a file that comes with a unit, beside the module that is imported."""
    return (_home(home_of(unit)) or Path()) / name


@cache
def sealed(unit: str) -> dict[str, Any]:
    """Return the sealed exam of a unit as it came with the kit; {} where there is none."""
    try:
        return dict(json.loads(file_of(unit, f"sealed/{unit}.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def version_of(exercises: list[dict[str, Any]]) -> str:
    """Return a text that changes when a statement of a unit's exercises changes."""
    return sha256(json.dumps(exercises, sort_keys=True).encode()).hexdigest()[:12]


def exercise_of(unit: str, name: str) -> dict[str, Any] | None:
    """Return what is stated of an exercise, None if the unit has none of that name."""
    return next((exercise for exercise in statements(unit)["exercises"] if exercise["name"] == name), None)


class Lender(Protocol):
    """Whoever has the references of units."""

    def reference(self, unit_name: str, name: str) -> tuple[str, Any]:
        """Return the source of an exercise's reference, and the reference itself."""
        ...

    def only_answer(self, unit_name: str, name: str) -> Any:
        """Return the reference of an exercise, None where something else may come and be right as well."""
        ...


@cache
def examiner() -> Any:
    """Return the installed autograder's examiner, None where only the course is installed."""
    for entry in entry_points(group="foldem.examiner"):
        try:
            return entry.load()()
        except ImportError:
            return None
    return None


def references() -> Any:
    """Return whoever has the references: the examiner, or what a site for self-study brings; None where nobody has."""
    return _lender() or examiner()


@cache
def _lender() -> Any:
    return next((entry.load()() for entry in entry_points(group="foldem.references")), None)
