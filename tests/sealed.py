"""`python -m tests.sealed` writes the sealed exams that the wheel of foldem-course contains, to `build/sealed/`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograder.config import PUBLISHED_SEED
from autograder.exam.sealing import sealed_practice
from autograder.hosts.kernel import Examiner
from course.data import from_data
from course.exam.sealed import SealedExam
from course.kernel import catalogue
from tests.units import read_unit, unit_names

SEALED = Path(__file__).parent.parent / "build" / "sealed"


def read_sealed(unit: str) -> SealedExam:
    """Return the sealed exam of a unit, as a kit reads it."""
    return from_data(SealedExam, json.loads(sealed_practice(read_unit(unit), PUBLISHED_SEED)))


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a site for self-study: there are references and sealed exams, but no autograder."""
    monkeypatch.setattr(catalogue, "examiner", lambda: None)
    monkeypatch.setattr(catalogue, "_installed_provider", Examiner)
    monkeypatch.setattr(catalogue, "sealed_exam_of", read_sealed)


def write_sealed(folder: Path = SEALED) -> None:
    """Write the sealed exam of each unit."""
    folder.mkdir(parents=True, exist_ok=True)
    for unit in unit_names():
        (folder / f"{unit}.json").write_text(sealed_practice(read_unit(unit), PUBLISHED_SEED), encoding="utf-8")


if __name__ == "__main__":
    write_sealed()
