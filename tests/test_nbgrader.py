"""The real nbgrader commands, in a course folder of ours: sandboxed, and in trusted mode."""

from __future__ import annotations

import copy
import csv
import html
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from itertools import zip_longest
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import nbformat
import pytest
from jupyter_core.application import NoStart
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.apps.nbgraderapp import NbGraderApp
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.converters.base import BaseConverter
from nbgrader.coursedir import CourseDirectory
from toolz import groupby
from traitlets.config import Config

from autograder.config import PUBLISHED_SEED, Policy, made_here_marker
from autograder.hosts.cells import (
    UNREADABLE,
    CleanCells,
    ReadInvalidNotebooks,
    add_scripts_to_path,
    hand_in_time,
    kernel_config,
)
from autograder.hosts.nbgrader import MarksExporter, RestoreChecks, course_config
from autograder.submission.reading import grade_id
from autograder.term.store import DATABASE_FILE
from tests.attack import attacks
from tests.classroom import reference_answers, right_answers, write_file, write_files
from tests.command import foldem_here, one_line_with, printed_by
from tests.sample import one_in
from tests.units import mistakes_of, read_unit, report_on, unit_names

pytestmark = [pytest.mark.nbgrader, pytest.mark.sandbox]
BIN = Path(sys.executable).parent
ENVIRONMENT = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
MADE = TemporaryDirectory()


@dataclass(frozen=True)
class Course:
    """A course folder with an assignment that has a unit's notebook, or without a unit nbgrader's own, and hand-ins."""

    root: Path
    unit: str
    assignment: str = ""

    @property
    def name(self) -> str:
        return self.assignment or self.unit

    @property
    def stem(self) -> str:
        return read_unit(self.unit).stem if self.unit else "problem"

    def run(self, *command: str, in_spite_of_errors: bool = False) -> str:
        """Run nbgrader in this process, and return what it printed."""
        shown, app, status = StringIO(), NbGraderApp.instance(), None
        here = patch.dict(os.environ, PATH=ENVIRONMENT["PATH"]), patch.multiple(sys, argv=[*command], path=[*sys.path])
        with here[0], here[1], chdir(self.root), redirect_stdout(shown), redirect_stderr(shown):
            try:
                app.initialize([*command[1:]])
                app.start()
            except (NoStart, SystemExit) as ended:
                status = getattr(ended, "code", None)
            finally:
                app.reset()
        assert in_spite_of_errors or not status, shown.getvalue()
        return shown.getvalue()

    def run_program(self, *command: str, in_spite_of_errors: bool = False) -> str:
        """Run a command as its users do, and return what it printed."""
        done = subprocess.run(command, cwd=self.root, env=ENVIRONMENT, capture_output=True, text=True, timeout=1500)
        assert in_spite_of_errors or done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def released(self) -> Any:
        return nbformat.read(self.root / "release" / self.name / f"{self.stem}.ipynb", as_version=4)

    def path(self, student: str) -> Path:
        return self.root / "submitted" / student / self.name / f"{self.stem}.ipynb"

    def hand_in(self, student: str, notebook: Any) -> None:
        write_file(self.path(student), notebook)

    @contextmanager
    def gradebook(self) -> Iterator[Gradebook]:
        """Open the gradebook. What the block changes in it is saved."""
        with Gradebook(f"sqlite:///{self.root}/gradebook.db") as gradebook:
            yield gradebook
            gradebook.db.commit()

    def marks(self) -> dict[str, dict[str, float]]:
        """Return each student's marks by exercise, as the gradebook has them."""
        with self.gradebook() as gradebook:
            return {
                submission.student.id: {
                    grade.name.removesuffix("-check"): round(grade.score, 1)
                    for notebook in submission.notebooks
                    if notebook.name == self.stem
                    for grade in notebook.grades
                    if grade.name.endswith("-check")  # not what a person reads
                }
                for submission in gradebook.assignment_submissions(self.name)
            }

    def exported(self) -> dict[str, str]:
        """Return the points of each student in nbgrader's export."""
        export = MarksExporter()
        export.to = str(self.root / "grades.csv")
        with self.gradebook() as gradebook:
            export.export(gradebook)
        rows = csv.DictReader((self.root / "grades.csv").read_text().splitlines())
        return {row["student_id"]: row["score"] for row in rows if row["assignment"] == self.name}

    def exported_by_us(self) -> dict[str, str]:
        """Return the points of each student in the export of `foldem export`."""
        table = self.root / "ours.csv"
        printed_by(foldem_here("export", self.root, "--to", "csv", "--out", table))
        return {row["id"]: row[self.name] for row in csv.DictReader(table.read_text().splitlines())}


def make_course(root: Path, unit: str, *, sandboxed: bool = True) -> Course:
    """Return a course folder with a released assignment. Its exam is one that other tests build, too."""
    return make_courses(root, (unit,), unit, sandboxed=sandboxed)[0]


def make_courses(root: Path, units: tuple[str, ...], name: str, *, sandboxed: bool = True) -> list[Course]:
    """Return, for each unit, a course folder that all units share; their notebooks are one assignment."""
    made = Path(MADE.name, name)
    if not made.exists():
        made.mkdir()
        (made / "foldem.toml").write_text(f'seed = "{PUBLISHED_SEED}"')
        printed_by(foldem_here("course", made, *(word for unit in units for word in ("--unit", unit)), "--name", name))
        Course(made, units[0], name).run("nbgrader", "generate_assignment", name)
    shutil.copytree(made, root)
    made_here_marker(root).touch()
    config = root / "nbgrader_config.py"
    config.write_text(config.read_text().replace("sandboxed=True", f"sandboxed={sandboxed}"))
    return [Course(root, unit, name) for unit in units]


def filled(released: Any, answers: dict[str, str], helpers: tuple[str, ...] = ()) -> Any:
    notebook = copy.deepcopy(released)
    for cell in notebook.cells:
        cell.source = answers.get(grade_id(cell), cell.source)
    if helpers:
        notebook.cells.insert(1, new_code_cell("\n".join(helpers), id="helpers"))
    return notebook


def packed_mistakes(unit: str) -> list[dict[str, str]]:
    """Return all wrong answers of a unit in as few notebooks as possible, with one mistake per exercise in each."""
    by_exercise = groupby(attrgetter("exercise"), mistakes_of(unit)).values()
    return [{wrong.exercise: wrong.source for wrong in row if wrong} for row in zip_longest(*by_exercise)]


def hand_in_broken(course: Course) -> None:
    """Hand in damaged notebooks: cells are copied, of another kind, skipped, or an answer is in the check."""
    solved = filled(course.released(), reference_answers(read_unit(course.unit)))
    first, second, third = [exercise.name for exercise in read_unit(course.unit).exercises[:3]]
    skipped = filled(solved, {second: f"{second} = max"})
    for cell in skipped.cells:
        cell.metadata["tags"] = ["skip-execution"]
    in_check = filled(solved, {first: "", f"{first}-check": read_unit(course.unit)[first].source})
    twice, markdown = copy.deepcopy(solved), copy.deepcopy(solved)
    original = next(cell for cell in twice.cells if grade_id(cell) == first)
    twice.cells.append(new_code_cell(original.source, id="a-copy", metadata=original.metadata))
    for cell in (cell for cell in markdown.cells if grade_id(cell) == third):
        del cell["outputs"], cell["execution_count"]
        cell.cell_type = "markdown"
    odd = {"twice": twice, "markdown": markdown, "skipped": skipped, "in_check": in_check}
    for name, notebook in odd.items():
        course.hand_in(name, notebook)


def hand_in_mixed(course: Course) -> None:
    """Hand in a notebook with right, wrong and unwritten answers in turn, in which one check is missing."""
    unit, released = read_unit(course.unit), course.released()
    right, names = right_answers(course.unit)[0], list(unit.by_name)
    wrong = {name: text for name, text in packed_mistakes(course.unit)[0].items() if name in names[1::3]}
    answers = {name: right.answers[name] for name in names[::3]} | wrong | {names[3]: f"def {names[3]}(:"}
    notebook = filled(released, answers, right.helpers)
    notebook.cells = [cell for cell in notebook.cells if grade_id(cell) != f"{names[0]}-check"]
    course.hand_in("mixed", notebook)


def our_marks(course: Course) -> dict[str, dict[str, float]]:
    """Return the marks that `foldem grade` gives to the same files."""
    students = sorted(path.name for path in (course.root / "submitted").iterdir())
    reports = {student: report_on(course.path(student), Policy()) for student in students}
    return {student: {e.name: round(e.points, 1) for e in report.exercises} for student, report in reports.items()}


@pytest.fixture(scope="module")
def dominoes(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """Return a course with dominoes, after nbgrader has graded all submissions."""
    course = make_course(tmp_path_factory.mktemp("sandboxed") / "course", "dominoes")
    hand_in_mixed(course)
    course.hand_in("blank", course.released())
    answers = reference_answers(read_unit("dominoes")) | {"flip": "def flip(domino):\n    return domino"}
    course.hand_in("ada", filled(course.released(), answers))
    course.run_program("nbgrader", "autograde", "dominoes")
    return course


def test_sandboxed_nbgrader_gives_the_marks_of_foldem_grade(dominoes: Course) -> None:
    assert dominoes.marks() == our_marks(dominoes)


@pytest.mark.proof
@pytest.mark.parametrize("sandboxed", [True, False])
def test_it_does_so_for_broken_notebooks_and_in_trusted_mode(tmp_path: Path, sandboxed: bool) -> None:
    course = make_course(tmp_path / "course", "dominoes", sandboxed=sandboxed)
    hand_in_mixed(course)
    hand_in_broken(course)
    course.run("nbgrader", "autograde", "dominoes")
    assert course.marks() == our_marks(course)


@pytest.mark.proof
def test_it_does_so_in_every_unit(tmp_path: Path) -> None:
    courses = make_courses(tmp_path / "course", tuple(unit for unit in unit_names() if unit != "dominoes"), "all")
    for course in courses:
        hand_in_mixed(course)
    courses[0].run("nbgrader", "autograde", "all")
    for course in courses:
        assert course.marks() == our_marks(course)
        assert len(set(course.marks()["mixed"].values())) > 1


@pytest.mark.promise("others")
@pytest.mark.proof
def test_trusted_nbgrader_follows_no_link_and_imports_no_course_beside(tmp_path: Path) -> None:
    course = make_course(tmp_path / "course", "dominoes", sandboxed=False)
    course.hand_in("m_neighbor", filled(course.released(), reference_answers(read_unit("dominoes"))))
    for attack in attacks():
        if attack.name in ("course_beside", "link_to_neighbor"):
            attack.hand_in(course.root, course.path(attack.name))
    course.run("nbgrader", "autograde", "dominoes", in_spite_of_errors=True)
    marks = {student: sum(points.values()) for student, points in course.marks().items()}
    most = sum(exercise.points for exercise in read_unit("dominoes").exercises)
    assert marks["m_neighbor"] == most and marks.get("link_to_neighbor", 0) == 0
    assert 0 < marks["course_beside"] <= 2 * read_unit("dominoes")["take"].points


def test_feedback_shows_the_verdicts_and_export_writes_the_marks(dominoes: Course) -> None:
    dominoes.run("nbgrader", "generate_feedback", "dominoes", "--student", "ada")
    page = (dominoes.root / "feedback" / "ada" / "dominoes" / "1_dominoes.html").read_text()
    assert all(text in page for text in ("flip(Domino(2, 3))", ">returned<", ">expected<"))
    assert '<a href="#flip-check">flip</a>' in page and "Test cell" not in page
    assert "No response." not in page and "Out[" not in page
    assert float(dominoes.exported()["ada"]) == round(sum(dominoes.marks()["ada"].values()), 1)


# ------------------------------------------------------------------------------------------------ students' files


LESSON = "<b>A lesson</b> with [a link](../x.html)"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course with an assignment: a text to write, an exercise, and two checks."""
    folder = tmp_path_factory.mktemp("made")
    add_scripts_to_path()
    write_file(folder / "source" / "tiles" / "1_dominoes.ipynb", new_notebook(cells=[new_markdown_cell(LESSON)]))
    with Course(folder, "").gradebook() as gradebook:
        gradebook.add_assignment("tiles")
        gradebook.add_notebook("1_dominoes", "tiles")
        for name in ("written-report", "flip", "flip-check", "take-check"):
            kind, is_check = "code" if name != "written-report" else "markdown", name.endswith("-check")
            gradebook.add_source_cell(name, "1_dominoes", "tiles", cell_type=kind, source="", locked=is_check)
            if is_check:
                gradebook.add_grade_cell(name, "1_dominoes", "tiles", max_score=1, cell_type=kind)
    return folder


@pytest.fixture
def course(made: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Work in the course, and return its gradebook."""
    monkeypatch.chdir(made)
    return f"sqlite:///{made}/gradebook.db"


def test_no_name_in_nbgrader_s_own_export_is_a_formula(made: Path, course: str) -> None:
    with Gradebook(course) as gradebook:
        gradebook.add_student("=1+1", first_name="@SUM(A1)", last_name="-cmd")
        (export := MarksExporter()).to = str(made / "grades.csv")
        export.export(gradebook)
    row = (made / "grades.csv").read_text().splitlines()[1]
    assert all(cell in row.split(",") for cell in ("'=1+1", "'@SUM(A1)", "'-cmd", "0.0"))


RUNS_EVIL = re.compile(r"<[^>]*evil|<script[^>]*>[^<]*evil", re.IGNORECASE)  # a tag, or a script
EVIL = [
    "<script>evil()</script>",
    "<img src=x onerror=evil()>",
    "a <<svg onload=evil()>",
    "[x](javascript:evil())",
    "[x]( JaVaScript&colon;evil())",
    "[x]:\n javascript:evil()\n\n[x]",
    "[x](data:text/html,evil)",
    "[x](https://example.org) [y](javascript:evil())",
    "```mermaid\n<img src=x onerror=evil()>\n```",
    "````\n```\n````\n<script>evil()</script>",
    "~~~\n```\n~~~\n<script>evil()</script>",
    "|a|\n|-|\n|<script>evil()</script>|",
]


def cleaned(database: str, *cells: Any, minor: int = 5) -> Any:
    """Return a student's notebook with these cells, as teachers see it."""
    notebook = nbformat.from_dict({"nbformat": 4, "nbformat_minor": minor, "metadata": {}, "cells": [*cells]})
    given = {"assignment": "tiles", "notebook": "1_dominoes", "db_url": database}
    return CleanCells().preprocess(notebook, {"nbgrader": given})[0]


def pages_of(notebook: Any, config: Config | None = None) -> list[str]:
    """Return a notebook in the formgrader and in the feedback, both by nbgrader's own templates."""
    config = kernel_config() if config is None else config
    given = {"notebook": "1", "score": 0, "max_score": 0, "toc": [], "late_penalty": 0, "index": []}
    keys = "assignment_id notebook_id submission_id student last_name first_name notebook_path base_url"
    resources: dict[str, Any] = dict.fromkeys(keys.split(), "x") | {"index": 0, "total": 1}
    feedback = GenerateFeedback().config.HTMLExporter | config.HTMLExporter
    configs = [Config(HTMLExporter=feedback | {"template_name": name}) for name in ("formgrade", "feedback")]
    return [HTMLExporter(config=c).from_notebook_node(notebook, resources | {"nbgrader": given})[0] for c in configs]


@pytest.mark.promise("batch")
@pytest.mark.parametrize("stamp", [b"yesterday", b"\xff", b"99999999999999999999", b"2026-99-99 00:00:00 UTC", b"\0"])
def test_a_time_stamp_that_is_no_time_gives_no_time(tmp_path: Path, stamp: bytes) -> None:
    (tmp_path / "timestamp.txt").write_bytes(stamp)
    assert hand_in_time(CourseDirectory(), str(tmp_path)) is None
    course_config()
    structure = {"submitted_directory": tmp_path.name, "directory_structure": "{nbgrader_step}"}
    folders = CourseDirectory(root=str(tmp_path.parent), **structure)
    assert NbGraderAPI(folders).get_submitted_timestamp("warmup", "ada") is None


@pytest.mark.promise("batch")
def test_nbgrader_copies_no_link_and_no_endless_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_files(tmp_path, {"submitted/eve/tiles/cards.csv": "1", "foldem.toml": ""}))
    hand_in = tmp_path / "submitted" / "eve" / "tiles"
    for name, target in (("zero", "/dev/zero"), ("seed", tmp_path / "foldem.toml"), ("timestamp.txt", "pipe")):
        (hand_in / name).symlink_to(target)
    os.mkfifo(hand_in / "pipe")
    (hand_in / "sparse").touch()
    os.truncate(hand_in / "sparse", 1 << 40)
    course_config()
    app = Autograde(coursedir=CourseDirectory(root=str(tmp_path)))
    BaseConverter.init_assignment(app, "tiles", "eve")
    assert [path.name for path in (tmp_path / "autograded/eve/tiles").iterdir()] == ["cards.csv"]
    assert app.coursedir.get_existing_timestamp(str(hand_in)) is None


@pytest.mark.promise("batch")
@pytest.mark.parametrize("kind", ["pipe", "sparse", "many cells"])
def test_nbgrader_opens_no_hand_in_that_cannot_be_graded(kind: str, tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "submitted" / "eve" / "tiles" / "1.ipynb"
    path.parent.mkdir(parents=True)
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.write_text(f'{{"nbformat": 4, "nbformat_minor": 4, "cells": [{"{}, " * 10**6}{{}}], "metadata": {{}}}}')
        os.truncate(path, 1 << 40 if kind == "sparse" else path.stat().st_size)
    monkeypatch.setattr(ReadInvalidNotebooks, "from_file", None)
    text, given = ReadInvalidNotebooks().from_filename(str(path), {"nbgrader": {}})
    made = nbformat.reads(text, as_version=4)
    assert made.metadata[UNREADABLE] and not made.cells and given["metadata"]["name"] == "1" and "nbgrader" in given


@pytest.mark.promise("batch")
def test_cells_that_take_hours_to_color_are_shown_without_colors() -> None:
    """Pygments needs 13 seconds for a cell of IPython that is one line, and minutes for lines of spaces."""
    for texts in (["x\n" + "    \n" * 30_000 + "y"], ["f'{a!" * 6_000], ["a." * 12_500, *["a = 1\n" * 4_000] * 500]):
        notebook = new_notebook(cells=[*map(new_code_cell, texts)])
        assert all(texts[0] in page and '<span class="n">a' not in page for page in pages_of(notebook))


@pytest.mark.promise("escape")
@pytest.mark.parametrize("text", one_in(3, EVIL))
def test_no_markdown_runs_a_script_in_what_a_teacher_opens(text: str, course: str) -> None:
    assert all(RUNS_EVIL.search(page) for page in pages_of(new_notebook(cells=[new_markdown_cell(text)]), Config()))
    for page in pages_of(cleaned(course, new_markdown_cell(LESSON), new_markdown_cell(text))):
        assert "<b>A lesson</b>" in page and html.escape(text) in page and not RUNS_EVIL.search(page)


MARKDOWN, CODE = ({"cell_type": kind, "metadata": {}, "source": "x", "id": "a"} for kind in ("markdown", "code"))
BROKEN: list[dict[str, object]] = [
    {"cell_type": "x", "type": "<script>evil()</script>", "metadata": {}, "source": "x"},
    {"metadata": {}},
    MARKDOWN | {"id": 'x"><script>evil()</script>'},
    MARKDOWN | {"id": 5},
    MARKDOWN | {"source": {"a": 1}},
    MARKDOWN | {"source": "![x](attachment:y)"},
    MARKDOWN | {"source": "![x](attachment:y)", "attachments": {"y": {}}},
    MARKDOWN | {"attachments": 5},
    MARKDOWN | {"source": "![x](attachment:y)", "attachments": {"y": {"image/png": '" onerror="evil()'}}},
    MARKDOWN | {"source": "![x](attachment:y)", "attachments": {"y": {'image/png;" onerror="evil()': "AAAA"}}},
    MARKDOWN | {"metadata": {"transient": 5, "tags": 5}},
    MARKDOWN | {"cell_type": "raw", "metadata": {"raw_mimetype": 5}},
    CODE | {"source": 5, "outputs": 5, "evil": 5},
    CODE | {"metadata": {"jupyter": 5, "transient": 5}},
]


@pytest.mark.promise("batch")
@pytest.mark.parametrize("cell", one_in(4, BROKEN))
def test_broken_cells_do_not_keep_nbgrader_from_showing_a_notebook(cell: dict[str, object], course: str) -> None:
    picture = MARKDOWN | {"source": "![x](attachment:y)", "attachments": {"y": {"image/png": "AAAA"}}, "id": "b"}
    for page in pages_of(cleaned(course, cell, picture)):
        assert 'src="data:image/png;base64,AAAA"' in page and not RUNS_EVIL.search(page)


@pytest.mark.promise("batch")
def test_restored_cells_keep_pictures_and_need_no_id(course: str) -> None:
    """Colab writes notebooks of format 4.4 or older, whose cells have no ids."""
    picture = new_markdown_cell("![x](attachment:y)", attachments={"y": {"image/png": "AAAA"}})
    notebook = new_notebook(cells=[picture, new_code_cell("1"), new_code_cell()])
    notebook.nbformat_minor = 4
    for name, cell in zip(("written-report", "flip", "flip-check"), notebook.cells, strict=True):
        cell.metadata = nbformat.from_dict({"nbgrader": {"grade_id": name}})
        del cell["id"]
    given = {"assignment": "tiles", "notebook": "1_dominoes", "db_url": course}
    done, _ = RestoreChecks().preprocess(notebook, {"nbgrader": given})
    assert [grade_id(cell) for cell in done.cells] == ["written-report", "flip", "flip-check", "take-check"]
    nbformat.validate(done)
    page, _ = HTMLExporter(config=kernel_config()).from_notebook_node(done)
    assert 'src="data:image/png;base64,AAAA"' in page


def test_a_damaged_store_stops_nbgrader_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_files(tmp_path, {"foldem.toml": f'seed = "{PUBLISHED_SEED}"', DATABASE_FILE: "damaged"}))
    monkeypatch.setattr(sys, "argv", ["nbgrader", "autograde"])
    with pytest.raises(SystemExit, match=one_line_with(f"{DATABASE_FILE}: file is not a database")):
        course_config()


@pytest.mark.promise("batch")
@pytest.mark.parametrize("start", one_in(2, ["\\\\(", "\\begin{a}", "[](files/", "```gherkin\n ", "a\n=\n"]))
def test_a_student_s_text_is_shown_in_no_time(start: str, course: str) -> None:
    """Markdown, and code in it, can take hours to render."""
    assert all(html.escape(start) in page for page in pages_of(cleaned(course, new_markdown_cell(start * 100_000))))
