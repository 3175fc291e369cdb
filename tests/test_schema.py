"""The JSON schemas of the settings files: they are current, are valid, and judge files as the readers do."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec import Struct

from autograder.commands.schema import (
    SCHEMAS,
    field_docstrings,
    meanings,
    schema_path,
    schemas,
)
from autograder.config import SETTINGS_FILE, settings_text
from autograder.exam.cases import Case, Check, Contest, Joint
from autograder.report.model import ExerciseReport, FacetReport, Graded
from autograder.term.adjust import ADJUST_FILE
from autograder.units.unit import UnitPolicy
from course.roles import UNIT_FILE
from tests.house import ROOT

PACKS = (ROOT / "packs", ROOT / "tests" / "packs")
FILES = {
    "pack.toml": [
        ROOT / "autograder" / "pack.toml",
        *(path for folder in PACKS for path in folder.glob("*/pack.toml")),
    ],
    UNIT_FILE: [path for folder in (ROOT, *PACKS) for path in folder.glob(f"**/*course/*/{UNIT_FILE}")],
    "equivalent_mutants.toml": [
        path for each in ("packs", "tests") for path in ROOT.glob(f"{each}/**/right/equivalent_mutants.toml")
    ],
}
ADJUSTED = """
[dominoes.flip]
points = 2
facets = { "doubles" = "accepted" }
[[mark]]
student = "ada"
unit = "dominoes"
points = 1.5
[[extension]]
student = "ada"
assignment = "dominoes"
until = 2026-03-03T23:59:00+01:00
"""


def faults(file: str, text: str) -> list[str]:
    """Return what a schema finds; TOML's times are text to it."""
    plain: Any = json.loads(json.dumps(tomllib.loads(text), default=str))
    return [each.message for each in Draft202012Validator(schemas()[file]).iter_errors(plain)]


def test_schemas_are_current() -> None:
    made = {
        schema_path(file): json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for file, schema in schemas().items()
    }
    assert {path: path.read_text(encoding="utf-8") for path in SCHEMAS.glob("*.json")} == made


@pytest.mark.parametrize("file", schemas())
def test_schemas_are_valid(file: str) -> None:
    Draft202012Validator.check_schema(schemas()[file])


@pytest.mark.parametrize(("file", "path"), [(file, path) for file, paths in FILES.items() for path in paths])
def test_schemas_accept_the_files_of_packs(file: str, path: Path) -> None:
    assert faults(file, path.read_text(encoding="utf-8")) == []


def test_schemas_accept_a_new_course_and_adjustments(tmp_path: Path) -> None:
    assert faults(SETTINGS_FILE, settings_text(tmp_path)) == [] == faults(ADJUST_FILE, ADJUSTED)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (SETTINGS_FILE, "sed = 'x'"),
        (SETTINGS_FILE, "seconds_per_call = 0"),
        (SETTINGS_FILE, "exercises = ['flip']"),
        (SETTINGS_FILE, "late_per_day = 2"),
        (ADJUST_FILE, ADJUSTED.replace('"accepted"', '"excepted"')),
        (ADJUST_FILE, ADJUSTED.replace('student = "ada"', "", 1)),
        ("pack.toml", 'name = "war game"\ncourse = "war"\nunits = ["war"]'),
        ("pack.toml", 'name = "war"\ncourse = "war"\nunits = []'),
    ],
)
def test_schemas_refuse_a_wrong_file(file: str, text: str) -> None:
    assert len(faults(file, text)) >= 1


@pytest.mark.parametrize("kind", [UnitPolicy, Case, Check, Contest, Joint])
def test_every_field_has_a_meaning(kind: type) -> None:
    names = set(kind.__dataclass_fields__)  # type: ignore[attr-defined]
    assert [name for name in names if not meanings(kind).get(name)] == []


@pytest.mark.parametrize("kind", [ExerciseReport, FacetReport, Graded])
def test_every_field_of_a_report_has_a_meaning(kind: type[Struct]) -> None:
    assert [name for name in kind.__struct_fields__ if not field_docstrings(kind).get(name)] == []
