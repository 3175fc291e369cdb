"""A course's pins: the units as they were when released, with statements, points, references and version.

Pins are in the course's `pinned/`, each with its exam once that is built. Updates of Foldem do not change them.
"""

from __future__ import annotations

import json
from pathlib import Path

from autograder.units.pack import PINNED
from autograder.units.unit import Unit

PIN_VERSIONS = "versions.json"


def versions_in(root: Path) -> dict[str, str]:
    """Return the units that a course has pinned, each with the version of Foldem that released it."""
    try:
        versions = json.loads((root / PINNED / PIN_VERSIONS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {unit: str(version) for unit, version in versions.items()} if isinstance(versions, dict) else {}


def pin(root: Path, unit: Unit, version: str) -> None:
    """Pin a unit in a course as it is now, and remove an earlier pinned exam."""
    folder = root / PINNED
    folder.mkdir(exist_ok=True)
    policy, references = unit.pack.toml(unit.name), unit.pack.file("solutions", unit.name)
    texts = {f"{unit.name}.toml": policy.read_text("utf-8"), f"{unit.name}.py": references.read_text("utf-8")}
    versions = versions_in(root) | {unit.name: version}
    for exam in folder.glob(f"{unit.name}-*.json"):
        exam.unlink()
    for name, text in (texts | {PIN_VERSIONS: json.dumps(versions, indent=1, sort_keys=True) + "\n"}).items():
        draft = folder / f".{name}.part"
        draft.write_text(text, encoding="utf-8")
        draft.replace(folder / name)
