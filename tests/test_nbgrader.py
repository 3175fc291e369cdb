"""The real nbgrader commands, in a course folder of ours: sandboxed, and in trusted mode."""

from __future__ import annotations

import copy
import html
import os
import subprocess
import sys
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import zip_longest
from operator import attrgetter
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.converters.base import BaseConverter
from nbgrader.coursedir import CourseDirectory
from toolz import groupby
from traitlets.config import Config

from autograder.config import PUBLISHED, Policy
from autograder.hosts.cells import UNREADABLE, CleanCells, ReadInvalidNotebooks, hand_in_time, kernel_config
from autograder.hosts.nbgrader import Export, RestoreChecks, course_config
from autograder.submission.reading import grade_id
from autograder.term.store import DATABASE_FILE
from tests.attack import attacks
from tests.classroom import reference_answers, right_answers
from tests.command import one_line_with
from tests.sample import one_in
from tests.units import mistakes_of, read_unit, report_on, unit_names

pytestmark = [pytest.mark.nbgrader, pytest.mark.sandbox]
BIN = Path(sys.executable).parent
ENVIRONMENT = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}


@dataclass(frozen=True)
class Course:
    """A course folder with an assignment that has a unit's notebook, and with submissions."""

    root: Path
    unit: str
    assignment: str = ""

    @property
    def name(self) -> str:
        return self.assignment or self.unit

    @property
    def stem(self) -> str:
        return read_unit(self.unit).stem

    def run(self, *command: str, in_spite_of_errors: bool = False) -> str:
        done = subprocess.run(command, cwd=self.root, env=ENVIRONMENT, capture_output=True, text=True, timeout=1500)
        assert in_spite_of_errors or done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def released(self) -> Any:
        return nbformat.read(self.root / "release" / self.name / f"{self.stem}.ipynb", as_version=4)

    def path(self, student: str) -> Path:
        return self.root / "submitted" / student / self.name / f"{self.stem}.ipynb"

    def hand_in(self, student: str, notebook: Any) -> None:
        self.path(student).parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, self.path(student))

    def marks(self) -> dict[str, dict[str, float]]:
        """Return each student's marks by exercise, as the gradebook has them."""
        with Gradebook(f"sqlite:///{self.root}/gradebook.db") as gradebook:
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


def make_course(root: Path, unit: str, *, sandboxed: bool) -> Course:
    """Return a course folder with a released assignment. Its exam is one that other tests build, too."""
    return make_courses(root, (unit,), unit, sandboxed=sandboxed)[0]


def make_courses(root: Path, units: tuple[str, ...], name: str, *, sandboxed: bool = True) -> list[Course]:
    """Return, for each unit, a course folder that all units share; their notebooks are one assignment."""
    root.mkdir()
    (root / "foldem.toml").write_text(f'seed = "{PUBLISHED}"')
    words = [word for unit in units for word in ("--unit", unit)]
    make = [BIN / "foldem", "course", root, *words, "--name", name]
    subprocess.run(make, check=True, capture_output=True, env=ENVIRONMENT)
    config = root / "nbgrader_config.py"
    config.write_text(config.read_text().replace("sandboxed=True", f"sandboxed={sandboxed}"))
    courses = [Course(root, unit, name) for unit in units]
    courses[0].run("nbgrader", "generate_assignment", name)
    return courses


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


def broken(released: Any, unit: str) -> dict[str, Any]:
    """Return damaged notebooks by name."""
    solved = filled(released, reference_answers(read_unit(unit)))
    first, second, third = [exercise.name for exercise in read_unit(unit).exercises[:3]]
    without_check, skipped = filled(solved, {second: f"def {second}(:"}), filled(solved, {second: f"{second} = max"})
    without_check.cells = [cell for cell in without_check.cells if grade_id(cell) != f"{first}-check"]
    for cell in skipped.cells:
        cell.metadata["tags"] = ["skip-execution"]
    twice, markdown, in_check = (copy.deepcopy(solved) for _ in range(3))
    for cell in in_check.cells:
        cell.source = {first: "", f"{first}-check": read_unit(unit)[first].source}.get(grade_id(cell), cell.source)
    original = next(cell for cell in twice.cells if grade_id(cell) == first)
    twice.cells.append(new_code_cell(original.source, id="a-copy", metadata=original.metadata))
    place, cell = next((index, cell) for index, cell in enumerate(markdown.cells) if grade_id(cell) == third)
    markdown.cells[place] = new_markdown_cell(cell.source, id=cell.id, metadata=cell.metadata)
    odd = {"without_check": without_check, "twice": twice, "markdown": markdown, "skipped": skipped}
    return odd | {"in_check": in_check}


def hand_in_all(course: Course, most: int) -> None:
    """Hand in what is blank, right, wrong and broken; at most `most` notebooks each of right and of wrong answers."""
    released = course.released()
    course.hand_in("blank", released)
    for right in right_answers(course.unit)[:most]:
        course.hand_in(f"right_{right.style}", filled(released, right.answers, right.helpers))
    for index, mistakes in enumerate(packed_mistakes(course.unit)[:most]):
        course.hand_in(f"wrong_{index}", filled(released, reference_answers(read_unit(course.unit)) | mistakes))
    for name, notebook in broken(released, course.unit).items() if most != 1 else ():
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
    course = make_course(tmp_path_factory.mktemp("sandboxed") / "course", "dominoes", sandboxed=True)
    hand_in_all(course, most=1)
    answers = reference_answers(read_unit("dominoes")) | {"flip": "def flip(domino):\n    return domino"}
    course.hand_in("ada", filled(course.released(), answers))
    course.run("nbgrader", "autograde", "dominoes")
    return course


def test_sandboxed_nbgrader_gives_the_marks_of_foldem_grade(dominoes: Course) -> None:
    assert dominoes.marks() == our_marks(dominoes)


@pytest.mark.proof
@pytest.mark.parametrize(("sandboxed", "most"), [(True, 10), (False, 2)])
def test_it_does_so_for_more_notebooks_and_in_trusted_mode(tmp_path: Path, sandboxed: bool, most: int) -> None:
    course = make_course(tmp_path / "course", "dominoes", sandboxed=sandboxed)
    hand_in_all(course, most)
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
    course.hand_in("m_neighbour", filled(course.released(), reference_answers(read_unit("dominoes"))))
    for attack in attacks():
        if attack.name in ("course_beside", "link_to_neighbour"):
            attack.hand_in(course.root, course.path(attack.name))
    course.run("nbgrader", "autograde", "dominoes", in_spite_of_errors=True)
    marks = {student: sum(points.values()) for student, points in course.marks().items()}
    most = sum(exercise.points for exercise in read_unit("dominoes").exercises)
    assert marks["m_neighbour"] == most and marks.get("link_to_neighbour", 0) == 0
    assert 0 < marks["course_beside"] <= 2 * read_unit("dominoes")["take"].points


def test_feedback_shows_the_verdicts_and_export_writes_the_marks(dominoes: Course) -> None:
    dominoes.run("nbgrader", "generate_feedback", "dominoes", "--student", "ada")
    page = (dominoes.root / "feedback" / "ada" / "dominoes" / "1_dominoes.html").read_text()
    assert all(text in page for text in ("flip(Domino(2, 3))", ">returned<", ">expected<"))
    assert '<a href="#flip-check">flip</a>' in page and "Test cell" not in page
    assert "No response." not in page and "Out[" not in page
    dominoes.run("nbgrader", "export")
    assert "dominoes,,,ada" in (dominoes.root / "grades.csv").read_text()


@pytest.mark.proof
def test_validate_shows_failures_and_confirms_right_answers(dominoes: Course) -> None:
    assert "flip" in dominoes.run("nbgrader", "validate", str(dominoes.path("ada")))
    solved = dominoes.root / "solved.ipynb"
    nbformat.write(filled(dominoes.released(), reference_answers(read_unit("dominoes"))), solved)
    assert "Success" in dominoes.run("nbgrader", "validate", str(solved))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a new folder, in which nbgrader's code can run its programs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", ENVIRONMENT["PATH"])
    return tmp_path


def test_no_name_in_nbgrader_s_own_export_is_a_formula(folder: Path) -> None:
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        gradebook.add_assignment("tiles")
        gradebook.add_student("=1+1", first_name="@SUM(A1)", last_name="-cmd")
        (export := Export()).to = str(folder / "grades.csv")
        export.export(gradebook)
    row = (folder / "grades.csv").read_text().splitlines()[1]
    assert all(cell in row.split(",") for cell in ("'=1+1", "'@SUM(A1)", "'-cmd", "0.0"))


LESSON = "<b>A lesson</b> with [a link](../x.html)"


@pytest.fixture
def course(folder: Path) -> str:
    """Return the gradebook of a course with an assignment: a text to write, an exercise, and two checks."""
    cells = {"written-report": "markdown", "flip": "code", "flip-check": "code", "take-check": "code"}
    (folder / "source" / "tiles").mkdir(parents=True)
    nbformat.write(new_notebook(cells=[new_markdown_cell(LESSON)]), folder / "source" / "tiles" / "1_dominoes.ipynb")
    with Gradebook(database := f"sqlite:///{folder}/gradebook.db") as gradebook:
        gradebook.add_assignment("tiles")
        gradebook.add_notebook("1_dominoes", "tiles")
        for name, kind in cells.items():
            is_check = name.endswith("-check")
            gradebook.add_source_cell(name, "1_dominoes", "tiles", cell_type=kind, source="", locked=is_check)
            if is_check:
                gradebook.add_grade_cell(name, "1_dominoes", "tiles", max_score=1, cell_type=kind)
    return database


class Scripts(HTMLParser):
    """The markup of a page that runs the function `evil`."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found, self.tag = list[str](), ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tag = tag
        for name, value in attrs:
            text = (value or "").lower()
            if "evil" in text and (name.startswith("on") or text.partition(":")[0] in ("javascript", "data")):
                self.found.append(f"{tag} {name}")

    def handle_data(self, data: str) -> None:
        self.found += ["script"] * (self.tag == "script" and "evil" in data)

    def handle_endtag(self, tag: str) -> None:
        self.tag = ""


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
def test_nbgrader_copies_no_link_and_no_endless_file(folder: Path) -> None:
    hand_in = folder / "submitted" / "eve" / "tiles"
    hand_in.mkdir(parents=True)
    for path, text in ((hand_in / "cards.csv", "1"), (hand_in / "1.ipynb", "{}"), (folder / "foldem.toml", "")):
        path.write_text(text)
    for name, target in (("zero", "/dev/zero"), ("seed", folder / "foldem.toml"), ("timestamp.txt", "pipe")):
        (hand_in / name).symlink_to(target)
    os.mkfifo(hand_in / "pipe")
    with (hand_in / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    course_config()
    app = Autograde(coursedir=CourseDirectory(root=str(folder)))
    BaseConverter.init_assignment(app, "tiles", "eve")
    assert [path.name for path in (folder / "autograded/eve/tiles").iterdir()] == ["cards.csv"]
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
def test_no_markdown_runs_a_script_in_what_a_teacher_opens(text: str, course: str, folder: Path) -> None:
    assert all(Scripts(page).found for page in pages_of(new_notebook(cells=[new_markdown_cell(text)]), Config()))
    for page in pages_of(cleaned(course, new_markdown_cell(LESSON), new_markdown_cell(text))):
        assert "<b>A lesson</b>" in page and html.escape(text) in page and not Scripts(page).found


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
        assert 'src="data:image/png;base64,AAAA"' in page and not Scripts(page).found


@pytest.mark.promise("batch")
@pytest.mark.parametrize("minor", [4, 5])
def test_restored_cells_keep_pictures_and_need_no_id(minor: int, course: str) -> None:
    """Colab writes notebooks of format 4.4 or older, whose cells have no ids."""
    picture = new_markdown_cell("![x](attachment:y)", attachments={"y": {"image/png": "AAAA"}})
    notebook = new_notebook(cells=[picture, new_code_cell("1"), new_code_cell()])
    notebook.nbformat_minor = minor
    for name, cell in zip(("written-report", "flip", "flip-check"), notebook.cells, strict=True):
        cell.metadata = nbformat.from_dict({"nbgrader": {"grade_id": name}})
        if minor < 5:
            del cell["id"]
    given = {"assignment": "tiles", "notebook": "1_dominoes", "db_url": course}
    done, _ = RestoreChecks().preprocess(notebook, {"nbgrader": given})
    assert [grade_id(cell) for cell in done.cells] == ["written-report", "flip", "flip-check", "take-check"]
    nbformat.validate(done)
    page, _ = HTMLExporter(config=kernel_config()).from_notebook_node(done)
    assert 'src="data:image/png;base64,AAAA"' in page


def test_a_damaged_store_stops_nbgrader_in_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "foldem.toml").write_text(f'seed = "{PUBLISHED}"')
    (folder / DATABASE_FILE).write_text("damaged")
    monkeypatch.setattr(sys, "argv", ["nbgrader", "autograde"])
    with pytest.raises(SystemExit, match=one_line_with(f"{DATABASE_FILE}: file is not a database")):
        course_config()


@pytest.mark.promise("batch")
@pytest.mark.parametrize("start", one_in(2, ["\\\\(", "\\begin{a}", "[](files/", "```gherkin\n ", "a\n=\n"]))
def test_a_student_s_text_is_shown_in_no_time(start: str, course: str) -> None:
    """Markdown, and code in it, can take hours to render."""
    assert all(html.escape(start) in page for page in pages_of(cleaned(course, new_markdown_cell(start * 100_000))))
