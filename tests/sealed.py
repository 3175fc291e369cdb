"""`python -m tests.sealed` writes the sealed exams that the wheel of foldem-course contains, to `build/sealed/`."""

from __future__ import annotations

from pathlib import Path

from autograder.config import PUBLISHED
from autograder.exam.sealing import sealed_practice
from tests.units import read_unit, unit_names

SEALED = Path(__file__).parent.parent / "build" / "sealed"


def write_sealed(folder: Path = SEALED) -> None:
    """Write the sealed exam of each unit."""
    folder.mkdir(parents=True, exist_ok=True)
    for unit in unit_names():
        (folder / f"{unit}.json").write_text(sealed_practice(read_unit(unit), PUBLISHED), encoding="utf-8")


if __name__ == "__main__":
    write_sealed()
