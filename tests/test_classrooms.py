"""Gradescope's zip and results, and the starter repository for GitHub."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import jsonschema
import nbformat
import pytest
import yaml

from autograder.commands.bundle import PACK_FOLDER
from autograder.config import PUBLISHED_SEED, SETTINGS_FILE, policy_for
from autograder.hosts.single import grade_for_gradescope
from tests.classroom import notebook_with, reference_answers, solved_notebook, write_file, write_files
from tests.command import FOLDEM, PATIENCE, foldem_here, is_one_line_refusal
from tests.units import WAR, read_unit

# What Gradescope's documentation says of results.json.
TEST = {
    "type": "object",
    "required": ["name", "score", "max_score"],
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string"},
        "number": {"type": "string"},
        "score": {"type": "number", "minimum": 0},
        "max_score": {"type": "number", "minimum": 0},
        "output": {"type": "string"},
        "output_format": {"enum": ["text", "html", "simple_format", "md", "ansi"]},
        "visibility": {"enum": ["hidden", "after_due_date", "after_published", "visible"]},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
}
SCHEMA = {
    "type": "object",
    "required": ["score", "tests"],
    "additionalProperties": False,
    "properties": {
        "score": {"type": "number", "minimum": 0},
        "output": {"type": "string"},
        "visibility": TEST["properties"]["visibility"],
        "stdout_visibility": TEST["properties"]["visibility"],
        "tests": {"type": "array", "items": TEST},
        "leaderboard": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "value"],
                "additionalProperties": False,
                "properties": {
                    "name": {"type": "string"},
                    "value": {"type": ["number", "string"]},
                    "order": {"enum": ["asc", "desc"]},
                },
            },
        },
    },
}


def valid(path: Path, schema: dict) -> dict:
    """Return the results in a file, which must fit a schema."""
    results = json.loads(path.read_text())
    jsonschema.validate(results, schema)
    return results


@pytest.fixture
def graded(tmp_path: Path):
    """Grade a folder of notebooks as Gradescope's harness does, and return the results."""

    def run(notebooks: dict[str, object], unit: str = "sedma", status: int = 0) -> dict:
        folder, results = write_files(tmp_path / "submission", notebooks), tmp_path / "results" / "results.json"
        assert grade_for_gradescope(str(tmp_path), str(folder), str(results), unit) == status
        return valid(results, SCHEMA) if results.exists() else {}

    return run


def half_solved() -> object:
    return notebook_with("sedma", dict(list(reference_answers(read_unit("sedma")).items())[:3]))


@pytest.mark.sandbox
def test_the_results_have_the_documented_form_and_a_test_for_each_exercise(graded) -> None:
    results = graded({"2_sedma.ipynb": half_solved()})
    assert [test["name"] for test in results["tests"]] == list(read_unit("sedma").by_name)
    assert results["score"] == pytest.approx(sum(test["score"] for test in results["tests"])) and results["score"] > 0


def test_without_a_notebook_of_the_unit_one_line_and_no_points(graded) -> None:
    results = graded({"odd.ipynb": notebook_with("warmup", {})})
    assert "odd.ipynb: the notebook belongs to the unit warmup, not to sedma" in results["output"]
    assert results["score"] == 0


@pytest.mark.sandbox
def test_of_several_notebooks_the_first_counts_with_a_message(graded) -> None:
    results = graded(dict.fromkeys(("a.ipynb", "b.ipynb"), notebook_with("sedma", {})))
    assert "a.ipynb was graded; other notebooks were ignored" in results["output"]


@pytest.mark.sandbox
def test_a_grader_fault_gives_no_mark(graded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.exam.store.exam_for", lambda *_: None)
    monkeypatch.setattr("autograder.grading.run.run_alone", None)
    monkeypatch.setattr("autograder.grading.run.run_together", None)
    assert graded({"2_sedma.ipynb": half_solved()}, status=1) == {}


@pytest.mark.proof
@pytest.mark.sandbox
def test_the_zip_holds_the_pack_of_a_unit_and_the_harness_finds_it_there(tmp_path: Path) -> None:
    done = foldem_here("bundle", tmp_path / "war.zip", "--for", "gradescope", "--unit", "war", "--pack", WAR)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(tmp_path / "war.zip") as archive:
        archive.extractall(tmp_path / "source")
    (wheel,) = (tmp_path / "source").glob("foldem-*.whl")
    assert len(list((tmp_path / "source").glob("foldem_course-*.whl"))) == 1
    assert "war" not in {Path(name).stem for name in zipfile.ZipFile(wheel).namelist()}
    script = (tmp_path / "source" / "run_autograder").read_text()
    assert f'FOLDEM_PACKS="$here/{PACK_FOLDER}"' in script and script.rstrip().endswith(" war")
    notebook = (WAR / "notebooks" / "0_war.ipynb").read_text()
    folder = write_files(tmp_path / "submission", {"0_war.ipynb": notebook, "json.py": "raise SystemExit(3)"})
    write_file(tmp_path / "source/venv/bin/python", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n').chmod(0o755)
    settings = os.environ | {"AUTOGRADER_ROOT": str(tmp_path)}
    harness = ["bash", str(tmp_path / "source" / "run_autograder")]
    subprocess.run(harness, check=True, env=settings, cwd=folder, timeout=PATIENCE)
    tests = valid(tmp_path / "results" / "results.json", SCHEMA)["tests"]
    assert [test["tags"] for test in tests] == [["war", "not written"]] * len(tests) != []


PART = ("flip", "append", "suppress", "is_sound", "legal_adds", "possible_dominoes")


@pytest.fixture
def tiles(tmp_path: Path) -> Path:
    """Return a course with two assignments of one unit: a part, in which `flip` is worth 3 points, and all of it."""
    store = "postgresql+psycopg://teacher:hunter2@localhost/marks"
    course = write_file(tmp_path / "cs101" / SETTINGS_FILE, f'seed = "{PUBLISHED_SEED}"\nstore = "{store}"\n').parent
    words = "course", course, "--unit", "dominoes"
    assert foldem_here(*words, "--exercises", ",".join(PART), "--name", "tiles").returncode == 0
    assert foldem_here(*words).returncode == 0
    path = course / "source" / "tiles" / "1_dominoes.ipynb"
    notebook = nbformat.read(path, as_version=4)
    next(cell for cell in notebook.cells if cell.id == "flip-check").metadata.nbgrader.points = 3
    nbformat.write(notebook, path)
    return course


@pytest.mark.sandbox
def test_gradescope_grades_an_assignment_of_the_course_and_nothing_else(tiles: Path, tmp_path: Path) -> None:
    words = "bundle", tmp_path / "tiles.zip", "--for", "gradescope", "--course", tiles
    assert "did you mean 'tiles'?" in foldem_here(*words, "--assignment", "tilez").stderr
    refused = foldem_here(*words, "--unit", "dominoes")
    assert is_one_line_refusal(refused) and "add --assignment" in refused.stderr
    done = foldem_here(*words, "--assignment", "tiles")
    assert done.returncode == 0 and "make an assignment of 15 points" in done.stdout, done.stderr
    with zipfile.ZipFile(tmp_path / "tiles.zip") as archive:
        archive.extractall(tmp_path / "source")
        modes = {name: archive.getinfo(name).external_attr >> 16 & 0o777 for name in ("setup.sh", "run_autograder")}
    assert set(modes.values()) == {0o755} and "hunter2" not in (tmp_path / "source" / SETTINGS_FILE).read_text()
    assert policy_for(tmp_path / "source") == policy_for(tiles)
    assert (tmp_path / "source" / "run_autograder").read_text().rstrip().endswith(" dominoes tiles")
    forged = notebook_with("dominoes", reference_answers(read_unit("dominoes")))
    forged.metadata["foldem"] |= {"exercises": ["flip"]}
    write_file(tmp_path / "submission" / "my.ipynb", forged)
    paths = [str(tmp_path / name) for name in ("source", "submission", "results/results.json")]
    harness = [sys.executable, "-m", "autograder.hosts.single", *paths, "dominoes", "tiles"]
    subprocess.run(harness, check=True, timeout=PATIENCE)
    results = valid(tmp_path / "results" / "results.json", SCHEMA)
    assert [(test["name"], test["max_score"]) for test in results["tests"]][:2] == [("flip", 3), ("append", 2)]
    assert [test["name"] for test in results["tests"]] == list(PART) and results["score"] == 15
    assert "not in this assignment" in results["output"]


@pytest.mark.sandbox
def test_a_starter_grades_an_assignment_of_the_course_and_nothing_else(tiles: Path, tmp_path: Path) -> None:
    words = "bundle", tmp_path / "start", "--for", "github", "--course", tiles, "--assignment", "tiles"
    refused = foldem_here(*words)
    assert is_one_line_refusal(refused) and "nbgrader generate_assignment tiles" in refused.stderr
    shutil.copytree(tiles / "source", tiles / "release")  # as nbgrader has it, but for the answers
    made = foldem_here(*words)
    assert made.returncode == 0 and "contain reference solutions" in made.stdout
    assert is_one_line_refusal(foldem_here(*words)), "there is one already"
    workflow = yaml.safe_load((tmp_path / "start/.github/workflows/foldem.yml").read_text())
    command = next(step["run"] for step in workflow["jobs"]["grade"]["steps"] if step.get("name") == "grade")
    write_file(tmp_path / "start" / "1_dominoes.ipynb", solved_notebook("dominoes"))
    done = subprocess.run(
        [FOLDEM, *command.split()[1:]], cwd=tmp_path / "start", capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0 and "1_dominoes.ipynb: 15 of 15 points" in done.stdout, done.stdout + done.stderr


@pytest.mark.sandbox
def test_gradescope_gets_html_of_simple_tags(graded) -> None:
    wrong = {"card_suit": "def card_suit(card):\n    return '<b>'"} | dict(
        list(reference_answers(read_unit("sedma")).items())[:1]
    )
    tests = graded({"2_sedma.ipynb": notebook_with("sedma", wrong)})["tests"]
    assert {test["output_format"] for test in tests} == {"html"} and "of" in tests[0]["output"]
    for page in (test["output"] for test in tests):
        begun, ended = (re.findall(pattern, page) for pattern in (r"<(\w[^>]*)>", r"</(\w+)>"))
        assert {"p", "strong"} <= {*begun} <= {"p", "strong", "em", "pre"} and sorted(begun) == sorted(ended)
