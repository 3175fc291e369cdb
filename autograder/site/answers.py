"""The wheel of references for people who learn alone, for `borrow`, `solution` and follow-through."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

from autograder.exam.checks import checks_of
from autograder.units.unit import Unit

LENDER = "foldem_answers"
ABOUT = "Metadata-Version: 2.1\nName: foldem-answers\nVersion: 1\n"
WHEEL_FORMAT = "Wheel-Version: 1.0\nGenerator: foldem\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
ENTRY = f"[foldem.references]\nfull = {LENDER}:References\n"


def answers_wheel(folder: Path, units: Sequence[Unit]) -> Path:
    """Write the wheel of references to units, with the module that offers them in a kernel."""
    wheel = folder / f"{LENDER}-1-py3-none-any.whl"
    data = {unit.name: answers_data(unit) for unit in units}
    inside = Path(__file__).with_name("inside.py").read_text(encoding="utf-8")
    files = {f"{LENDER}/__init__.py": inside, f"{LENDER}/answers.json": json.dumps(data)}
    about = {"METADATA": ABOUT, "WHEEL": WHEEL_FORMAT, "entry_points.txt": ENTRY}
    with ZipFile(wheel, "w") as archive:
        for name, text in (files | {f"{LENDER}-1.dist-info/{name}": text for name, text in about.items()}).items():
            archive.writestr(name, text)
    return wheel


def answers_data(unit: Unit) -> dict[str, object]:
    """Return for each reference of a unit its source, and whether only its results are right."""
    checks = checks_of(unit)
    return {each.name: [each.source, checks[each.name].has_one_answer] for each in unit.exercises}
