"""Bad input: anything broken, missing or misplaced gets a clear line, and the rest is graded."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path, PureWindowsPath
from time import process_time
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.config import PUBLISHED, Policy, folder_around, folder_with_settings, policy_for
from autograder.grading.run import grade
from autograder.report.model import PASSED, UNWRITTEN, WRONG, Graded, Ungradable
from autograder.report.render import source_html
from autograder.submission.cell import parse_cell
from autograder.submission.find import page_name
from autograder.submission.module import pieces
from autograder.submission.notebook import NotebookError, grade_id
from autograder.submission.reading import read_notebook
from autograder.term.locations import Home, placed
from autograder.text import cell_text, safe_cell
from course.diagnoses.compared import different
from course.diagnoses.obstacle import TooLong
from tests.classroom import (
    blank_notebook,
    graded_class,
    notebook_with,
    reference_answers,
    solved_notebook,
    submission_with,
)
from tests.command import foldem, foldem_here
from tests.units import find_notebooks, read_submission, read_unit, report_on, submission_of

pytestmark = pytest.mark.sandbox
SOME = ("flip", "append", "suppress", "take", "get_hand_size")
POLICY = Policy(seconds_per_call=0.3, seconds_per_exercise=2, exercises=SOME)
REFERENCES = {name: text for name, text in reference_answers(read_unit("dominoes")).items() if name in SOME}
WRONG_FLIP = "def flip(domino):\n    return domino"
Edit = Callable[[Any], None]


def graded(edit: Edit, policy: Policy = POLICY) -> Graded:
    """Return the report on a notebook with a few right answers after an edit of its cells."""
    notebook = notebook_with("dominoes", REFERENCES)
    edit(notebook)
    return grade(submission_of(notebook), policy)


def place_of(notebook: Any, name: str) -> int:
    return next(place for place, cell in enumerate(notebook.cells) if grade_id(cell) == name)


def cell_of(notebook: Any, name: str) -> Any:
    return notebook.cells[place_of(notebook, name)]


def adding(source: str, before: str = "append", name: str = "") -> Edit:
    """Return the edit that adds a cell."""

    def edit(notebook: Any) -> None:
        cell = new_code_cell(source, metadata={"nbgrader": {"grade_id": name}} if name else {})
        notebook.cells.insert(place_of(notebook, before), cell)

    return edit


def writing(name: str, source: str) -> Edit:
    """Return the edit that fills an exercise's cell."""

    def edit(notebook: Any) -> None:
        cell_of(notebook, name).source = source

    return edit


def states(report: Graded, *but: str) -> set[str]:
    return {exercise.state for exercise in report.exercises if exercise.name not in but}


def told(report: Graded, name: str) -> str:
    return report[name].problem or (report[name].first_failure.verdict if report[name].first_failure else "")


# Files that are no submission


def file_of(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "my.ipynb"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("", "the file is not a valid Jupyter notebook"),
        ('{"cells": [', "the file is not a valid Jupyter notebook"),
        ("print('hello')", "the file is not a valid Jupyter notebook"),
        ("[]", "the file is not a valid Jupyter notebook"),
        ("[" * 100_000, "the file is not a valid Jupyter notebook"),
        ('{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}', "the file is not a valid Jupyter notebook"),
        ('{"nbformat": 99, "metadata": {}, "cells": []}', "the file is not a valid Jupyter notebook"),
        ('{"nbformat": 4, "metadata": [], "cells": [1, [], null]}', "no unit found"),
        ('{"nbformat": 4, "metadata": {"foldem": {"unit": ["x"]}}, "cells": []}', "no unit found"),
        ('{"nbformat": 4, "metadata": {"foldem": 5}, "cells": [{}]}', "no unit found"),
        (b"\xff\xfe\x00", "the file cannot be read: not UTF-8 text"),
    ],
)
def test_a_file_that_is_no_notebook_gets_one_line(tmp_path: Path, content: str | bytes, line: str) -> None:
    report = report_on(file_of(tmp_path, content), None, POLICY)
    assert isinstance(report, Ungradable) and report.problem.startswith(line)
    assert not report.is_graded


def test_missing_paths_folders_and_pipes_get_different_messages(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.ipynb")
    (tmp_path / "folder.ipynb").mkdir()
    told = {path: report_on(tmp_path / path, None, POLICY) for path in ("none", "folder.ipynb", "pipe.ipynb")}
    assert told["none"] == Ungradable("the file cannot be read: No such file or directory")
    assert told["folder.ipynb"] == told["pipe.ipynb"] == Ungradable("not a regular file")


def test_a_notebook_of_another_than_the_requested_unit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "uno.ipynb"
    nbformat.write(blank_notebook("uno"), path)
    unit = read_unit("dominoes")
    problem = "the notebook belongs to the unit uno, not to dominoes"
    assert report_on(path, unit, POLICY) == Ungradable(problem, unit.name, unit.title)


def test_a_notebook_with_too_much_text_is_refused(tmp_path: Path) -> None:
    notebook = solved_notebook("dominoes")
    notebook.cells += [new_code_cell("x = 1\n" * 15_000) for _ in range(12)]
    with pytest.raises(NotebookError, match="hold more than 1 MB"):
        submission_of(notebook)


def test_a_grader_fault_is_no_zero_and_stops_no_other_submission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("ours")

    monkeypatch.setattr("autograder.grading.batch.grade_and_learn", fail)
    path = tmp_path / "my.ipynb"
    nbformat.write(blank_notebook("dominoes"), path)
    report = report_on(path, None, POLICY)
    assert report == Ungradable("an error in the grader: KeyError: 'ours'")
    assert not report.is_graded


# Notebooks in another form


def test_a_notebook_of_format_3_is_converted(tmp_path: Path) -> None:
    old = nbformat.convert(notebook_with("dominoes", REFERENCES), 3)
    path = file_of(tmp_path, nbformat.writes(old, version=3))
    report = grade(read_submission(path), POLICY)
    assert "the notebook was in the old format 3: it was converted" in report.remarks
    assert states(report) == {PASSED}


def test_a_notebook_without_metadata_is_recognized_by_imports() -> None:
    report = graded(lambda notebook: notebook.metadata.pop("foldem"))
    assert (report.unit, states(report)) == ("dominoes", {PASSED})


def test_a_notebook_without_an_answer_is_worth_nothing_and_is_graded() -> None:
    report = grade(submission_of(blank_notebook("dominoes")), POLICY)
    assert (report.points, states(report), report.is_graded) == (0, {UNWRITTEN}, True)


def test_a_notebook_without_a_cell_is_worth_nothing_and_is_graded() -> None:
    report = graded(lambda notebook: notebook.cells.clear())
    assert (report.points, states(report), report.is_graded) == (0, {UNWRITTEN}, True)
    assert told(report, "flip") == "its cell is missing"


# Cells that are broken


def test_a_cell_that_does_not_parse_costs_its_own_points() -> None:
    report = graded(writing("flip", "def flip(domino):\nreturn domino"))
    assert told(report, "flip").startswith("Python cannot read its cell: expected an indented block")
    assert told(report, "flip").endswith("line 2")
    assert states(report, "flip") == {PASSED}


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "-" * 5000 + "1",
        "x = " + "1+" * 2000 + "1",
        "if a: pass\n" + "elif a: pass\n" * 500,
        "x = " + "[" * 500,
        "\0",
        "\ud800",
        "x = 1\n" * 9000,
        "'" + "x" * 200_000 + "'",
    ],
)
def test_an_unreadable_cell_costs_only_its_own_points(source: str) -> None:
    report = graded(writing("flip", f"{source}\n{REFERENCES['flip']}"))
    assert told(report, "flip").startswith("Python cannot read its cell: ")
    assert told(report, "flip").isprintable()
    assert states(report, "flip") == {PASSED}


def test_another_cell_that_does_not_parse_is_remarked_on_and_left_out() -> None:
    report = graded(adding("this is no Python"))
    assert any("is not valid Python, so it is ignored" in remark for remark in report.remarks)
    assert states(report) == {PASSED}


def test_a_hundred_broken_cells_are_not_a_hundred_remarks() -> None:
    report = graded(lambda notebook: notebook.cells.extend(new_code_cell("no Python") for _ in range(100)))
    assert len(report.remarks) < 30
    assert "more remarks" in report.remarks[-1]
    assert states(report) == {PASSED}


MAGICS = ("%matplotlib inline", "!pip install x", "files = !ls", "flip?", "%timeit flip(Domino(1, 2))", "%%html\n<b>hi")


@pytest.mark.parametrize("magic", MAGICS)
def test_magics_are_dropped(magic: str) -> None:
    report = graded(adding(f"{magic}\nx = 1"))
    assert (states(report), report.remarks) == ({PASSED}, ())


@pytest.mark.parametrize("magic", ["%%time\n", "%matplotlib inline\n", "!ls\n", "found = %pwd\n"])
def test_magics_in_an_answer_are_dropped(magic: str) -> None:
    report = graded(writing("flip", magic + REFERENCES["flip"] + "\nflip?\n%timeit flip(Domino(1, 2))"))
    assert states(report) == {PASSED}


def test_an_operator_at_the_start_of_a_line_is_no_magic() -> None:
    source = "def flip(domino):\n    n = (7\n        % 4) - 3\n    return Domino(domino.right + n, domino.left)\n!ls"
    assert graded(writing("flip", source))["flip"].state == PASSED


def test_widgets_and_calls_at_top_level_are_not_run() -> None:
    report = graded(adding("import ipywidgets\nslider = ipywidgets.IntSlider()\nslider\ndisplay(slider)\n1 / 0"))
    assert states(report) == {PASSED}


# Cells out of place


def test_helpers_of_other_cells_are_there_wherever_they_stand() -> None:
    def edit(notebook: Any) -> None:
        cell_of(notebook, "flip").source = "def flip(domino):\n    return turned(domino)"
        notebook.cells.append(new_code_cell("def turned(domino):\n    return make(domino.right, domino.left)"))
        notebook.cells.insert(1, new_code_cell("make = Domino; unused = 1 / 0"))

    assert states(graded(edit)) == {PASSED}


def test_a_helper_in_the_cell_of_another_exercise_is_there_too() -> None:
    def edit(notebook: Any) -> None:
        cell_of(notebook, "flip").source += "\n\ndef turned(domino):\n    return Domino(domino.right, domino.left)"
        cell_of(notebook, "take").source = cell_of(notebook, "take").source.replace("return", "turned; return", 1)

    assert states(graded(edit)) == {PASSED}


def test_a_failing_helper_is_reported_in_exercises_that_need_it() -> None:
    def edit(notebook: Any) -> None:
        cell_of(notebook, "flip").source = "def flip(domino):\n    return table[domino]"
        notebook.cells.insert(1, new_code_cell("table = 1 / 0"))

    report = graded(edit)
    assert report["flip"].remarks == (
        "helper in cell_2: ZeroDivisionError: division by zero (line 1 of the cell of cell_2)",
    )
    assert states(report, "flip") == {PASSED}


@pytest.mark.parametrize(
    "source", [WRONG_FLIP, "flip = None", "flip, x = 1, 2", "import sys as flip", "x = 1; flip = x"]
)
def test_an_exercise_rebound_in_a_trial_cell_is_ignored_with_a_line(source: str) -> None:
    report = graded(adding(source))
    assert states(report) == {PASSED}
    assert any(remark.startswith("flip: also defined in cell") for remark in report.remarks)


def test_another_exercise_bound_in_an_answer_is_ignored_with_a_line() -> None:
    report = graded(writing("append", REFERENCES["append"] + "\n" + WRONG_FLIP))
    assert states(report) == {PASSED}
    assert report["append"].remarks == ("flip is also defined in the cell of append: that definition is ignored",)


def test_of_a_copied_cell_the_last_one_that_is_written_counts() -> None:
    stub = cell_of(blank_notebook("dominoes"), "flip").source
    for sources in ([REFERENCES["flip"], stub], [WRONG_FLIP, REFERENCES["flip"]], [REFERENCES["flip"], "oh no"]):

        def edit(notebook: Any, sources: list[str] = sources) -> None:
            cell_of(notebook, "flip").source = sources[0]
            notebook.cells.append(deepcopy(cell_of(notebook, "flip")))
            notebook.cells[-1].source = sources[1]

        report = graded(edit)
        assert states(report) == {PASSED}
        assert any(remark.startswith("flip: its cell occurs 2 times") for remark in report.remarks)


def test_a_deleted_cell_is_missing() -> None:
    report = graded(lambda notebook: notebook.cells.remove(cell_of(notebook, "flip")))
    assert (told(report, "flip"), report["flip"].state) == ("its cell is missing", UNWRITTEN)
    assert states(report, "flip") == {PASSED}


def test_another_cell_with_the_definition_replaces_a_deleted_one() -> None:
    def edit(notebook: Any) -> None:
        cell_of(notebook, "flip").metadata.pop("nbgrader")

    report = graded(edit)
    assert states(report) == {PASSED}
    assert any(remark.startswith("flip: its own cell is missing") for remark in report.remarks)


@pytest.mark.parametrize("kind", ["markdown", "raw", "no kind at all\n"])
def test_a_cell_of_another_kind_is_read_as_code(kind: str) -> None:
    def edit(notebook: Any) -> None:
        cell_of(notebook, "flip")["cell_type"] = kind

    report = graded(edit)
    assert states(report) == {PASSED}
    assert report["flip"].remarks[0].endswith(f"was turned into {kind.strip()}: read as code")


def test_a_cell_with_a_wrong_tag_is_matched_by_its_definition() -> None:
    def edit(notebook: Any) -> None:
        cell_of(notebook, "flip").metadata["nbgrader"]["grade_id"] = "append"

    assert states(graded(edit)) == {PASSED}


def test_swapped_tags_are_reported() -> None:
    def edit(notebook: Any) -> None:
        one, other = cell_of(notebook, "flip"), cell_of(notebook, "append")
        one.metadata.nbgrader.grade_id, other.metadata.nbgrader.grade_id = "append", "flip"

    report = graded(edit)
    assert told(report, "flip") == "its cell defines `append`, but the exercise is `flip`"
    assert states(report, "flip", "append") == {PASSED}


@pytest.mark.parametrize("told", [None, [], 5, {"grade_id": ["flip"]}, {"grade_id": None}, {"grade_id": "x" * 10**5}])
def test_invalid_tags_are_ignored(told: object) -> None:
    def edit(notebook: Any) -> None:
        notebook.cells.append(new_code_cell("x = 1", metadata={"nbgrader": told}))
        notebook.cells.append(new_markdown_cell("# x", metadata={"nbgrader": told}))

    assert states(graded(edit)) == {PASSED}


def test_moved_cells_are_graded_as_ever() -> None:
    assert states(graded(lambda notebook: notebook.cells.reverse())) == {PASSED}


def test_the_stub_above_the_answer_in_its_cell_is_no_answer() -> None:
    stub = cell_of(blank_notebook("dominoes"), "flip").source
    assert graded(writing("flip", f"{stub}\n\n{REFERENCES['flip']}"))["flip"].state == PASSED
    assert graded(writing("flip", f"{REFERENCES['flip']}\n\n{stub}"))["flip"].state == UNWRITTEN


def test_an_answer_that_fails_when_its_cell_is_run_costs_its_own_points() -> None:
    report = graded(writing("flip", f"{REFERENCES['flip']}\nx = 1 / 0"))
    assert told(report, "flip").startswith("its cell fails when run: ZeroDivisionError: division by zero (line ")
    assert (report["flip"].state, states(report, "flip")) == (WRONG, {PASSED})


def test_the_same_bad_submission_has_the_same_report() -> None:
    def edit(notebook: Any) -> None:
        cell_of(notebook, "flip").source = "def flip(domino):\n    return {object(), str, 1.5, None}"
        cell_of(notebook, "append").source = "no Python"
        notebook.cells.remove(cell_of(notebook, "take"))

    assert json.dumps(graded(edit).as_dict()) == json.dumps(graded(edit).as_dict())


def test_a_notebook_file_is_graded_as_the_notebook(tmp_path: Path) -> None:
    notebook = notebook_with("dominoes", REFERENCES | {"flip": WRONG_FLIP})
    nbformat.write(notebook, tmp_path / "my.ipynb")
    one, other = submission_of(read_notebook(tmp_path / "my.ipynb")), submission_of(notebook)
    assert (one.attempts, one.helpers, one.remarks) == (other.attempts, other.helpers, other.remarks)


# A class


def test_each_notebook_is_listed_once_under_a_unique_name(tmp_path: Path) -> None:
    for name in ("ann/x.ipynb", "bob/x.ipynb", "bob/.ipynb_checkpoints/x.ipynb"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("{}")
    ann, bob = tmp_path / "ann" / "x.ipynb", tmp_path / "bob" / "x.ipynb"
    assert [path for _, path in find_notebooks([tmp_path, ann, tmp_path / "bob"])] == [ann, bob]
    names = [name for name, _ in find_notebooks([ann, bob])]
    assert len(set(names)) == 2


@pytest.mark.proof
def test_one_bad_file_stops_no_other_and_sets_the_exit_status(tmp_path: Path) -> None:
    names = r"[/red] :smile: \x1b[2J"
    nasty = f'def flip(domino):\n    raise ValueError("{names}")'
    for name, answer in (("good", REFERENCES["flip"]), ("nasty", nasty), ("dies", "import os\nos = os._exit(0)")):
        nbformat.write(notebook_with("dominoes", REFERENCES | {"flip": answer}), tmp_path / f"{name}.ipynb")
    (tmp_path / "broken [b].ipynb").write_text("{")
    os.symlink(tmp_path / "good.ipynb", os.fsencode(tmp_path) + b"/\xff.ipynb")
    done = foldem("grade", tmp_path, "--out", tmp_path / "out")
    assert (done.returncode, "Traceback" in done.stdout + done.stderr) == (1, False)
    assert "\x1b[2J" not in done.stdout
    found = {report["submission"]: report for report in json.loads((tmp_path / "out" / "report.json").read_text())}
    assert found["broken [b]"]["problem"].startswith("the file is not a valid Jupyter notebook")
    points = {name: report["points"] for name, report in found.items() if not report["problem"]}
    assert points["nasty"] == points["dies"] == points["good"] - 1
    assert (tmp_path / "out" / "report.csv").exists()
    assert foldem("grade", tmp_path / "good.ipynb").returncode == 0
    assert foldem("grade", tmp_path / "out").returncode == 2


@pytest.mark.promise("batch")
def test_thousands_of_files_of_a_student_stop_no_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file has its own time."""
    monkeypatch.setattr("autograder.commands.grade.MOST_HAND_INS", 2)
    for name in ("ann/tiles/1_dominoes", *(f"eve/{number}/x" for number in range(9)), "zoe/tiles/1_dominoes"):
        path = tmp_path / "submitted" / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(blank_notebook("dominoes"), path)
    done = foldem_here("grade", tmp_path / "submitted", "--json", "--quiet", "--out", tmp_path / "out")
    names = [each["submission"] for each in json.loads(done.stdout)]
    assert [name.partition("/")[0] for name in names] == ["ann", "eve", "eve", "zoe"]
    assert "eve has 9 notebooks: only the first 2 are graded" in done.stderr


def test_a_notebook_with_fewer_exercises_than_its_class_gets_a_remark(tmp_path: Path) -> None:
    for name in ("ann", "bob", "cid", "dan"):
        notebook = solved_notebook("warmup")
        if name == "dan":
            notebook.metadata["foldem"]["exercises"] = ["swap_ends"]
        nbformat.write(notebook, tmp_path / f"{name}.ipynb")
    remarks = {item.name: item.report.remarks for item in graded_class(tmp_path)}
    (odd,) = [
        name for name, lines in remarks.items() if any("but 3 other notebooks here assign 12" in line for line in lines)
    ]
    assert odd == "dan"
    assert "it lacks penalty, riffle" in remarks[odd][-1]


def test_a_notebook_of_another_unit_than_the_others_is_remarked_on(tmp_path: Path) -> None:
    for name in ("ann", "bob", "cid", "dan"):
        nbformat.write(blank_notebook("warmup" if name == "dan" else "dominoes"), tmp_path / f"{name}.ipynb")
    remarks = {item.name: item.report.remarks for item in graded_class(tmp_path)}
    assert remarks.pop("dan") == ("a notebook of warmup, but 3 other notebooks here are of dominoes",)
    assert not any(remarks.values())


@pytest.mark.promise("check")
def test_foldem_check_is_confined_and_ignores_settings_beside_the_file(tmp_path: Path) -> None:
    forks = "import os\ndef flip(domino):\n    os.fork()\n    return Domino(domino.right, domino.left)"
    nbformat.write(notebook_with("dominoes", {"flip": forks}), tmp_path / "my.ipynb")
    (tmp_path / "foldem.toml").write_text("[[[")
    done = foldem("check", tmp_path / "my.ipynb", "flip")
    assert "PermissionError" in done.stdout and done.returncode == 1


def test_two_assignments_of_one_unit_are_nothing_odd(tmp_path: Path) -> None:
    for number, part in enumerate((["swap_ends"], ["penalty"]) * 3):
        notebook = blank_notebook("warmup")
        notebook.metadata["foldem"]["exercises"] = part
        nbformat.write(notebook, tmp_path / f"{number}.ipynb")
    assert not any(
        "other notebooks here assign" in line for item in graded_class(tmp_path) for line in item.report.remarks
    )


@pytest.mark.promise("others")
def test_a_link_is_not_followed_and_stops_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "zed").mkdir()
    nbformat.write(solved_notebook("warmup"), tmp_path / "zed" / "nb.ipynb")
    for name, target in (("ann", "../zed/nb.ipynb"), ("loop", "nb.ipynb")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "nb.ipynb").symlink_to(target)
    (tmp_path / "bob").symlink_to("zed")
    told = {item.name: item.report for item in graded_class(tmp_path)}
    assert isinstance(told["ann/nb"], Ungradable) and told["ann/nb"].problem.startswith(
        "this is a link to another file"
    )
    assert told["bob"] == told["loop/nb"] == told["ann/nb"]
    assert isinstance(told["zed/nb"], Graded) and told["zed/nb"].points == 20.0


@pytest.mark.promise("others")
@pytest.mark.parametrize("has_settings", [True, False])
@pytest.mark.parametrize("given", [".", "submitted", "submitted/ann", "submitted/ann/dominoes/my.ipynb"])
def test_a_folder_submitted_in_a_hand_in_is_no_classmate_s(tmp_path: Path, given: str, has_settings: bool) -> None:
    for place in ("submitted/ann/dominoes", "submitted/ann/dominoes/submitted/bob/dominoes"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "my.ipynb").write_text("{}")
    if has_settings:
        (tmp_path / "foldem.toml").write_text("")
    found = list(placed(find_notebooks([tmp_path / given]), {}))
    assert found and all((each.student, each.assignment) == ("ann", "dominoes") for each in found)


@pytest.mark.promise("others")
def test_a_folder_submitted_in_a_student_s_folder_is_no_classmate_s(tmp_path: Path) -> None:
    for place in ("ben", "eve/submitted/ben/warmup"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "0_warmup.ipynb").write_text("{}")
    for course in (None, tmp_path):
        assert [each.student for each in placed(find_notebooks([tmp_path]), {}, Home(course))] == ["ben", "eve"]


def test_files_with_one_name_in_two_folders_are_distinguished(tmp_path: Path) -> None:
    for folder in ("monday", "friday"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ann.ipynb").write_text("{}")
    found = list(placed(find_notebooks([tmp_path / "monday", tmp_path / "friday"]), {}))
    assert len({each.place for each in found}) == 2
    assert [(each.name, each.student) for each in found] == [("monday/ann", "monday"), ("friday/ann", "friday")]


def test_a_name_is_shown_without_its_control_characters_and_is_no_formula(tmp_path: Path) -> None:
    nbformat.write(blank_notebook("warmup"), tmp_path / "\x1b[2J.ipynb")
    nbformat.write(blank_notebook("warmup"), tmp_path / "=HYPERLINK(1).ipynb")
    assert all(item.name.isprintable() for item in graded_class(tmp_path, out=tmp_path / "out"))
    assert "\n'=HYPERLINK(1),warmup," in (tmp_path / "out" / "report.csv").read_text()


@pytest.mark.promise("batch")
@pytest.mark.promise("batch")
def test_thousands_of_lines_of_blanks_cost_no_time_on_a_page() -> None:
    source, begun = "\n".join(["def flip(domino):", *["    "] * 4_900, "    return 'a'"]), process_time()
    page = source_html(source)
    assert process_time() - begun < 3
    assert re.sub("<[^>]*>", "", page) == html.escape(source) + "\n"


def test_a_line_of_blanks_and_a_file_of_many_parts_cost_no_time(tmp_path: Path) -> None:
    report = graded(adding(" " * 99_000 + "x" + " " * 500))
    assert states(report) == {PASSED}
    many = file_of(tmp_path, '{"nbformat": 4, "metadata": {}, "cells": [' + "[]," * 600_000 + "[]]}")
    with pytest.raises(NotebookError, match="more than 500,000 parts"):
        read_notebook(many)


@pytest.mark.promise("batch")
def test_a_notebook_or_module_of_very_many_cells_is_refused(tmp_path: Path) -> None:
    cells = '{"nbformat": 4, "metadata": {}, "cells": [' + '{"cell_type": "code"},' * 10_000 + "{}]}"
    (module := tmp_path / "dominoes.py").write_text("a\n" * 10_001)
    for path in (file_of(tmp_path, cells), module):
        with pytest.raises(NotebookError, match="more than 10,000 cells"):
            read_notebook(path)


def test_a_notebook_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    plain = nbformat.writes(blank_notebook("dominoes")).encode()
    assert read_notebook(file_of(tmp_path, b"\xef\xbb\xbf" + plain)) == read_notebook(file_of(tmp_path, plain))


@pytest.mark.promise("batch")
def test_half_a_character_stops_no_report(tmp_path: Path) -> None:
    notebook = notebook_with("dominoes", REFERENCES)
    notebook.metadata.foldem.version = notebook.metadata.orig_nbformat = "\ud83d"
    for cell in notebook.cells:
        cell.source += "\n# \ud83d \U0001f0a1"
    (tmp_path / "half.ipynb").write_text(json.dumps(notebook))
    done = foldem("grade", tmp_path, "--out", tmp_path / "out")
    [report] = json.loads((tmp_path / "out" / "report.json").read_text())
    assert (done.returncode, report["points"] > 0) == (0, True)
    assert read_notebook(tmp_path / "half.ipynb").cells[1].source.endswith("\n# ? \U0001f0a1")


@pytest.mark.promise("batch")
def test_many_decorators_or_f_string_parts_are_parsed_once(tmp_path: Path) -> None:
    assert len(pieces("@a\n" * 100_000)) == 1
    assert pieces("@a\n@b(\nx=1)\ndef f(x): (\nx = 1\n") == ["@a\n@b(\nx=1)\ndef f(x): (\n", "x = 1\n"]
    assert len(pieces("x = f'" + "{1}" * 300_000 + "'")) == 1
    assert isinstance(parse_cell("x = f'" + "{1}" * 33_000 + "'").flaw, TooLong)
    (tmp_path / "dominoes.py").write_text("@a\n" * 2_000_000)
    assert not list(find_notebooks([tmp_path]))


@pytest.mark.promise("batch")
def test_advice_on_a_wrong_answer_takes_no_long_time() -> None:
    began = process_time()
    braces = "def flip(domino):\n    return f'" + "{1}" * 60_000 + "'"
    names = "def flip(domino):\n    " + "".join(f"{'ab' * 94}{number} = " for number in range(500)) + "1"
    names += f"\n    return {'a' * 97 + 'b' * 97}"
    line = "def move(*args): x = " + "a" * 60_000 + " $"
    submission = submission_with("dominoes", {"flip": braces, "take": names.replace("flip", "take"), "move": line})
    report = grade(submission, Policy(sandbox="off", exercises=("flip", "take", "move")))
    assert "Keep the cell below" in report["flip"].says and report["take"].state == WRONG
    different("(" + "Card(SPADE, 1), " * 180 + ")", " ," * 999)
    assert process_time() - began < 4


@pytest.mark.parametrize("parting", ["\f", "\x1c", "\u2028"])
def test_a_file_is_cut_at_python_s_lines(parting: str) -> None:
    assert pieces(f"x = 'a{parting}b'\ny = 1\n") == [f"x = 'a{parting}b'", "y = 1"]


@pytest.fixture
def deep_path(tmp_path: Path) -> Iterator[Path]:
    """Provide a folder that `rm` empties afterwards. Python's own function would call itself for each nested folder."""
    yield tmp_path
    subprocess.run(["rm", "-rf", tmp_path / "d"], check=True)


def test_nested_folders_long_names_and_devices_stop_no_other_file(deep_path: Path) -> None:
    here, tmp_path = os.getcwd(), deep_path
    try:
        os.chdir(tmp_path)
        for _ in range(1_050):
            os.mkdir("d")
            os.chdir("d")
    finally:
        os.chdir(here)
    (tmp_path / f"{'n' * 240}.ipynb").write_text("{}")
    (tmp_path / "zero.ipynb").symlink_to("/dev/zero")
    found = dict(find_notebooks([tmp_path]))
    assert [path.name[:4] for path in found.values()] == ["nnnn", "zero"]
    assert all(len(page_name(name)) <= 255 for name in found)
    assert page_name("\u00e9" * 200) != page_name("\u00e9" * 201)
    with pytest.raises(NotebookError, match="this is a link to another file"):
        read_notebook(tmp_path / "zero.ipynb")


def test_a_formula_in_full_width_is_quoted_too() -> None:
    assert [safe_cell(text) for text in ("=1", "\uff1d1", " +1", "\uff20x", "x=1", 3)] == [
        "'=1", "'\uff1d1", "' +1", "'\uff20x", "x=1", 3,
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["Ann;=1+1;", "Ann; -1", "=1;@x", "a\t+1", "a;\uff1d1"])
def test_a_formula_behind_a_semicolon_is_quoted_too(text: str) -> None:
    cell = str(safe_cell(text))
    assert not any(part.lstrip()[:1] in {*"=+-@\uff1d"} for part in re.split("[;\t]", cell) if part)
    assert cell_text(cell) == text


@pytest.mark.promise("others")
def test_a_zip_brings_no_settings_along_and_no_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path / "cache"))
    files = {
        "foldem.toml": "",
        "work/Foldem.toml": "",
        "adjust.toml": "[warmup.penalty]\nrelation = 'r.py'",
        "r.py": f"open({str(tmp_path / 'ran')!r}, 'w')\ndef penalty(case, expected, given):\n    return True",
        "work/0_warmup.ipynb": "{",
    }
    with zipfile.ZipFile(tmp_path / "eve.zip", "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    monkeypatch.chdir(tmp_path)
    done = foldem_here("grade", "eve.zip")
    assert "work/0_warmup" in done.stdout and not (tmp_path / "ran").exists()
    assert not [*(tmp_path / "cache").rglob("*oldem.toml")]


@pytest.mark.promise("others")
@pytest.mark.parametrize("is_link", [False, True])
def test_no_code_is_taken_from_adjustments_among_the_submissions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_link: bool
) -> None:
    place = tmp_path / "eve" / "submitted" / "eve" / "warmup"
    place.mkdir(parents=True)
    (place / "0_warmup.ipynb").write_text("{")
    (tmp_path / "eve" / "foldem.toml").write_text("")
    (tmp_path / "adjust.toml").write_text("[warmup.penalty]\nrelation = 'r.py'")
    if is_link:
        (tmp_path / "eve" / "adjust.toml").symlink_to("../adjust.toml")
    else:
        (tmp_path / "adjust.toml").rename(tmp_path / "eve" / "adjust.toml")
    runs = f"open({str(tmp_path / 'ran')!r}, 'w')\ndef penalty(case, expected, given):\n    return True"
    (tmp_path / "eve" / "r.py").write_text(runs)
    for there, named in ((tmp_path, "eve"), (tmp_path / "eve", "."), (tmp_path / "eve" / "submitted", "..")):
        monkeypatch.chdir(there)
        done = foldem_here("grade", named)
        assert done.returncode == 2 and "adjust.toml:2: r.py would be run" in done.stderr
    assert not (tmp_path / "ran").exists()
    assert foldem_here("grade", ".").returncode == 1 and (tmp_path / "ran").exists()


def test_an_empty_zip_is_named_as_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    zipfile.ZipFile(tmp_path / "ann.zip", "w").close()
    done = foldem_here("grade", "ann.zip")
    assert (done.returncode, done.stderr) == (2, "foldem: no notebook found in ann.zip\n")


def test_a_zip_named_with_dots_is_unpacked_into_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path / "cache"))
    for name in ("ann.zip", "...zip"):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("work/0_warmup.ipynb", "{")
    done = foldem_here("grade", tmp_path / "ann.zip", tmp_path / "...zip", "--json")
    assert done.returncode == 1 and len(json.loads(done.stdout)) == 2


@pytest.mark.promise("others")
def test_no_code_is_taken_from_nbgrader_s_settings_among_the_submissions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "eve" / "submitted" / "eve" / "warmup"
    place.mkdir(parents=True)
    (place / "0_warmup.ipynb").write_text("{")
    (tmp_path / "eve" / "foldem.toml").write_text("")
    (tmp_path / "eve" / "nbgrader_config.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')  # db_url")
    monkeypatch.chdir(tmp_path)
    done = foldem_here("grade", "eve")
    assert done.returncode == 2 and "nbgrader_config.py: its db_url would be run" in done.stderr
    assert not (tmp_path / "ran").exists()
    assert foldem_here("grade", "eve/submitted").returncode == 1 and (tmp_path / "ran").exists()


@pytest.mark.promise("others")
def test_no_reference_is_taken_from_pins_among_the_submissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, pack = tmp_path / "eve" / "submitted" / "eve" / "warmup", read_unit("warmup").pack
    place.mkdir(parents=True)
    nbformat.write(blank_notebook("warmup"), place / "0_warmup.ipynb")
    (tmp_path / "eve" / "foldem.toml").write_text('seed = "hers"')
    (tmp_path / "eve" / "pinned").mkdir()
    (tmp_path / "eve" / "pinned" / "warmup.toml").write_text(pack.toml("warmup").read_text())
    runs = f"return open({str(tmp_path / 'ran')!r}, 'w') and 20"
    own = pack.file("solutions", "warmup").read_text().replace("return 20", runs, 1)
    (tmp_path / "eve" / "pinned" / "warmup.py").write_text(own)
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    done = foldem_here("grade", "eve")
    assert (
        done.returncode == 2 and "warmup.py: it would be run, so it must not be in the folder to grade" in done.stderr
    )
    assert not (tmp_path / "ran").exists()


@pytest.mark.promise("others")
@pytest.mark.parametrize("settings", ['seed = "hers"', "what is no TOML"])
def test_settings_in_a_hand_in_affect_and_hide_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: str
) -> None:
    for place in ("all/ann/work", "all/ben"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "0_warmup.ipynb").write_text("{")
    (tmp_path / "all" / "ann" / "foldem.toml").write_text(settings)
    (tmp_path / "all" / "ann" / "adjust.toml").write_text("what is no TOML")
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path / "all")
    for words in (["ann", "ben"], [tmp_path / "all"]):
        done = foldem_here("grade", *words, "--json")
        assert done.returncode == 1 and len(json.loads(done.stdout)) == 2
        assert (f"{Path('ann', 'foldem.toml')} is ignored" in done.stderr) == (len(words) > 1)


def test_files_on_several_drives_have_no_common_folder() -> None:
    drives = [PureWindowsPath("C:/hw/ann"), PureWindowsPath("C:/hw/ben/work"), PureWindowsPath("D:/hw")]
    assert [str(folder_around(drives[:count])) for count in (1, 2, 3)] == [r"C:\hw\ann", r"C:\hw", "C:\\"]


@pytest.mark.promise("terminal")
def test_folder_names_are_shown_without_terminal_codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("\x1b[2J", "ben"):
        (tmp_path / name / "work").mkdir(parents=True)
        (tmp_path / name / "work" / "0_warmup.ipynb").write_text("{")
    (tmp_path / "\x1b[2J" / "foldem.toml").write_text('packs = ["nowhere"]')
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    done = foldem_here("grade", "\x1b[2J", "ben")
    assert "its packs are not used" in done.stderr and "is ignored: it applies to only some" in done.stderr
    assert "\x1b[2J" not in done.stderr


@pytest.mark.promise("others")
def test_settings_come_only_from_above_the_given_path(tmp_path: Path) -> None:
    (tmp_path / "all" / "ann").mkdir(parents=True)
    (tmp_path / "all" / "ann" / "nb.ipynb").write_text("{}")
    (tmp_path / "all" / "ann" / "foldem.toml").write_text('seed = "hers"')
    for given in (tmp_path / "all" / "ann" / "nb.ipynb", tmp_path / "all" / "ann", tmp_path / "all"):
        assert policy_for(folder_with_settings(given)).seed == PUBLISHED
    (tmp_path / "foldem.toml").write_text('seed = "ours"')
    assert policy_for(folder_with_settings(tmp_path / "all" / "ann" / "nb.ipynb")).seed == "ours"
