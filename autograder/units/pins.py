"""A course's pins: the units as they were when released, with statements, points, references, checks and version.

Pins are in the course's `pinned/`, each with its exam once that is built. Updates of Foldem do not change them.
"""

from __future__ import annotations

import json
from pathlib import Path

from autograder.units.pack import PINNED, PINNED_AS
from autograder.units.unit import Unit

PIN_VERSIONS, BASIS = "versions.json", "{}.basis.txt"


def versions_in(root: Path) -> dict[str, str]:
    """Return the units that a course has pinned, each with the version of Foldem that released it."""
    try:
        versions = json.loads((root / PINNED / PIN_VERSIONS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {unit: str(version) for unit, version in versions.items()} if isinstance(versions, dict) else {}


def pin(root: Path, unit: Unit, version: str, judging_digest: str) -> None:
    """Pin a unit in a course as it is now, and remove an earlier pinned exam.

    `judging_digest` is a digest of the code and data that judge the unit. A new one makes all stored results outdated.
    """
    folder, pack = root / PINNED, unit.pack
    folder.mkdir(exist_ok=True)
    files = {f"{unit.name}.toml": pack.toml(unit.name)}
    files |= {name.format(unit.name): pack.file(role, unit.name) for role, name in PINNED_AS.items()}
    texts = {name: file.read_text("utf-8") if file.exists() else "" for name, file in files.items()}
    texts[BASIS.format(unit.name)] = judging_digest
    versions = versions_in(root) | {unit.name: version}
    for exam in folder.glob(f"{unit.name}-*.json"):
        exam.unlink()
    for name, text in (texts | {PIN_VERSIONS: json.dumps(versions, indent=1, sort_keys=True) + "\n"}).items():
        draft = folder / f".{name}.part"
        draft.write_text(text, encoding="utf-8")
        draft.replace(folder / name)
