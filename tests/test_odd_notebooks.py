"""Files that are nearly a notebook, or have an odd name: they are read, or one line says what to do."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import nbformat
import pytest

from autograder.submission.reading import NotebookError, notebook_in, read_content
from course.limits import LARGEST_FILE
from tests.classroom import notebook_with, reference_answers, write_file, write_files
from tests.command import foldem_here, is_one_line_refusal
from tests.units import read_submission, read_unit, submission_of


def answered() -> nbformat.NotebookNode:
    return notebook_with("warmup", reference_answers(read_unit("warmup")))


def test_outputs_of_thirty_megabytes_are_not_read(tmp_path: Path) -> None:
    notebook = answered()
    cell = next(each for each in notebook.cells if each.cell_type == "code")
    cell["outputs"] = [nbformat.v4.new_output("display_data", {"image/png": "A" * 31_000_000})]
    path = write_file(tmp_path / "0_warmup.ipynb", nbformat.writes(notebook))
    assert set(read_submission(path).answers) == set(read_unit("warmup").by_name)


def test_file_above_the_limit_says_what_to_clear(tmp_path: Path) -> None:
    with (tmp_path / "x.ipynb").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(NotebookError, match="Clear the outputs of all cells, and hand it in again"):
        read_content(tmp_path / "x.ipynb")


def test_cells_without_metadata_are_known_by_their_ids() -> None:
    notebook = answered() | {"cells": [cell | {"metadata": {}} for cell in answered().cells]}
    texts = json.dumps(notebook), json.dumps(answered())
    stripped, original = (submission_of(notebook_in(Path("0_warmup.ipynb"), text.encode())) for text in texts)
    assert stripped.remarks == original.remarks and stripped.answers.keys() == original.answers.keys()


@pytest.mark.parametrize("name", ["0_WARMUP.IPYNB", "0_warmup.ipynb.txt", "0_warmup.json"])
def test_misnamed_notebook_in_a_folder_is_named(tmp_path: Path, name: str) -> None:
    others = dict.fromkeys(("timestamp.txt", "data.json", ".hidden.json"), "{}")
    answers = {name: nbformat.writes(answered()), "answers.PY": "from course.warmup import *\n"}
    write_files(tmp_path / "s1", others | answers)
    done = foldem_here("grade", tmp_path)
    assert f"{name} is not graded: its name does not end with .ipynb. Rename" in done.stderr
    assert "answers.PY is not graded: this is a Python file" in done.stderr
    assert done.stderr.count("is not graded") == 2


def test_class_without_a_readable_file_gets_its_table(tmp_path: Path) -> None:
    write_files(tmp_path, {f"in/s{number}/0_warmup.ipynb": "" for number in range(5)})
    done = foldem_here("grade", tmp_path / "in", "--out", tmp_path / "out")
    assert done.returncode == 1 and done.stdout.count("it is empty. Hand it") == 5
    assert len([*(tmp_path / "out/pages").glob("*/*.html")]) == 5 and (tmp_path / "out/report.csv").is_file()
    assert "Foldem ," not in next((tmp_path / "out/pages").glob("*/*.html")).read_text()
    refused = foldem_here("report", tmp_path / "out")
    assert is_one_line_refusal(refused) and "is graded: run foldem grade" in refused.stderr


@pytest.mark.parametrize("name", ["Kurs [A]", "what?", "[x]/cs101"])
def test_course_folder_that_nbgrader_cannot_search_is_refused(tmp_path: Path, name: str) -> None:
    done = foldem_here("course", tmp_path / name, "--unit", "warmup")
    assert is_one_line_refusal(done) and "nbgrader finds no notebook" in done.stderr and not (tmp_path / name).exists()


def test_next_command_is_quoted_for_a_shell(tmp_path: Path) -> None:
    done = foldem_here("course", tmp_path / "a & 'b' $c", "--unit", "warmup")
    words = shlex.split(done.stdout.splitlines()[-1])
    assert words[:3] == ["Next:", "cd", str(tmp_path / "a & 'b' $c")]
    assert json.loads((tmp_path / "a & 'b' $c" / "source/warmup/0_warmup.ipynb").read_text())
