"""Released units keep their marks until an upgrade, even if their author or an update of Foldem changes something."""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
from contextlib import closing
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

import nbformat
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from nbclient import NotebookClient

from autograder.commands.course import pin_unit, pinned_versions
from autograder.exam import build, store
from autograder.exam.store import exam_for, pinned_exam_path
from autograder.grading import run
from autograder.grading.run import installed_version
from autograder.submission.reading import grade_id
from autograder.term import results
from autograder.term.assignments import source_points
from autograder.units import unit
from autograder.units.build import source_notebook
from autograder.units.unit import Unit
from tests.classroom import graded_class, notebook_with, reference_answers, write_file
from tests.command import CELL_PATIENCE, foldem, foldem_here, is_one_line_refusal, printed_by
from tests.killing import quick_run, settled_grading
from tests.test_term_store import STUDENTS, hand_in, log
from tests.units import course_in, read_unit

# ------------------------------------------------------------------------------------------------ edits of a pack

SHORT = "def red_cards(hand):\n    return tuple(card for card in hand if is_red(card)) if len(hand) < 20 else hand"
BLACK = "def red_cards(hand):\n    return tuple(card for card in reversed(hand) if is_red(card))"
RIGHT_RED = "def is_red(card):\n    return card.suit in (HEARTS, DIAMONDS)"
FACETS = "        facets={\n"
LONG = '            "a long hand": (case((Card(1, CLUBS),) * 30),),\n'
ANY_ORDER = "        accepts=lambda _, right, got: None if {*right.value} == {*got.value} else 'other cards',\n"
# Each edit: the file, what is replaced, and by what.
EDITS = {
    "facet": ("exams/war/checks.py", FACETS, FACETS + LONG),
    "relation": ("exams/war/checks.py", FACETS, ANY_ORDER + FACETS),
    "both": ("exams/war/checks.py", FACETS, ANY_ORDER + FACETS + LONG),
    "comment": ("exams/war/checks.py", "CHECKS = {", "# A comment.\nCHECKS = {"),
}


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a new pack, and a course that has released its unit and graded two students."""
    folder = tmp_path_factory.mktemp("edits")
    foldem("new", folder / "gg", "--unit", "war")
    printed_by(foldem("course", folder / "c", "--unit", "war", "--pack", folder / "gg"))
    for student, answer in (("ann", SHORT), ("bob", BLACK)):
        hand_in_war(folder / "c", student, answer)
    done = foldem("grade", folder / "c", "--quiet")
    assert (done.returncode, done.stderr) == (0, ""), "its own pack is used, since `foldem course` made the course here"
    return folder


def hand_in_war(course: Path, student: str, answer: str) -> None:
    notebook = nbformat.read(course / "source" / "war" / "0_war.ipynb", as_version=4)
    answers = {"is_red": RIGHT_RED, "red_cards": answer}
    for cell in notebook.cells:
        cell.source = answers.get(grade_id(cell), cell.source)
    write_file(course / "submitted" / student / "war" / "0_war.ipynb", nbformat.writes(notebook))


def marks(course: Path) -> dict[str, str]:
    """Return the exported marks."""
    table = course.parent / "marks.csv"
    foldem("export", course, "--to", "csv", "--out", table)
    with table.open() as file:
        return {row["id"]: row["war"] for row in csv.DictReader(file)}


LENGTHS = st.integers(2, 40)
POINTS = st.integers(3, 9)
RANKS = st.integers(14, 20)
ANY_EDIT = st.one_of(
    st.sampled_from([*EDITS.values()]),
    LENGTHS.map(
        lambda n: ("exams/war/checks.py", FACETS, f'{FACETS}        "{n} cards": (case((Card(1, CLUBS),) * {n}),),\n')
    ),
    POINTS.map(lambda n: ("gg_course/war/unit.toml", "points = 2", f"points = {n}")),
    RANKS.map(lambda n: ("gg_course/war/__init__.py", "range(1, 14)", f"range(1, {n})")),
    st.just(("solutions/war.py", "in their order.", "in the order of the hand.")),
)


@pytest.mark.proof
@pytest.mark.sandbox
@example(edits=[EDITS["facet"]])
@example(edits=[EDITS["relation"]])
@given(edits=st.lists(ANY_EDIT, min_size=1, max_size=3, unique_by=lambda edit: edit[1]))
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_equal_code_has_equal_marks_after_any_edits(released: Path, edits: list[tuple[str, str, str]]) -> None:
    with TemporaryDirectory() as folder:
        ensure_equal_marks(released, Path(folder), edits)


def ensure_equal_marks(released: Path, folder: Path, edits: list[tuple[str, str, str]]) -> None:
    """Edit a released pack. Equal code must have equal marks, by the release first, then by the upgrade."""
    shutil.copytree(released, folder, dirs_exist_ok=True)
    course, first = folder / "c", marks(folder / "c")
    for name, before, after in edits:
        path = folder / "gg" / name
        assert before in path.read_text()
        path.write_text(path.read_text().replace(before, after, 1))
    for student, answer in (("cid", SHORT), ("dan", BLACK)):
        hand_in_war(course, student, answer)
    done = foldem("grade", course / "submitted")
    if any(name != "gg_course/war/__init__.py" for name, *_ in edits):  # types have no marks of their own
        assert "war has changed since its release" in done.stdout and f"foldem course {course} --upgrade" in done.stdout
    as_released = first | {"cid": first["ann"], "dan": first["bob"]}
    assert marks(course) == as_released
    printed_by(foldem("course", course, "--upgrade"))
    shown = foldem("grade", course / "submitted", "--diff").stdout
    foldem("grade", course / "submitted")
    upgraded = marks(course)
    assert (upgraded["ann"], upgraded["bob"]) == (upgraded["cid"], upgraded["dan"])
    changed = {student for student in upgraded if upgraded[student] != as_released[student]}
    assert all(f"{student}/war/0_war: " in shown for student in changed)
    assert "has changed" not in foldem("grade", course / "submitted").stdout and marks(course) == upgraded


# ------------------------------------------------------------------------------------------------ earlier versions

SEDMA = read_unit("sedma")
# What cells of released notebooks have imported. A name stays here for ever.
IMPORTED = {
    "course.basra_game": "bot by_hand play_basra",
    "course.check": "borrow check hint progress solution",
    "course.tables": "basra_table domino_table fold_steps sedma_record sedma_table try_capture try_order try_tile"
    " try_trick try_view uno_table watch_deal watch_set",
}


def solved() -> Any:
    """Return a released notebook with right answers in it."""
    notebook = nbformat.read(Path(__file__).with_name("released") / "2_sedma.ipynb", as_version=4)
    answers = reference_answers(SEDMA)
    for cell in notebook.cells:
        cell.source = answers.get(grade_id(cell), cell.source)
    return notebook


@pytest.mark.parametrize("module", IMPORTED)
def test_released_notebooks_find_what_they_import(module: str) -> None:
    assert [name for name in IMPORTED[module].split() if not callable(getattr(import_module(module), name, None))] == []


def test_released_notebook_runs_and_checks() -> None:
    notebook = NotebookClient(solved(), timeout=CELL_PATIENCE).execute()
    checks = [cell for cell in notebook.cells if cell.source.startswith("from course.check import check\n")]
    assert len(checks) == 7 and [cell for cell in checks if "✓" not in str(cell.outputs)] == []


@pytest.mark.sandbox
def test_released_notebook_earns_the_points_of_its_exercises(tmp_path: Path) -> None:
    nbformat.write(solved(), tmp_path / "2_sedma.ipynb")
    (graded,) = graded_class(tmp_path)
    written = [each for each in graded.report.exercises if each.name in map(grade_id, solved().cells)]
    assert len(written) == 7 and all(each.points == each.of > 0 for each in written)


def points_in(store: Path) -> dict[str, dict[str, float]]:
    """Return the points of each student in a store of any format, by exercise."""
    with closing(sqlite3.connect(store)) as database:
        rows = database.execute("SELECT student, marks FROM foldem_entry").fetchall()
    return {student: {name: points for name, (points, _) in json.loads(marks).items()} for student, marks in rows}


@pytest.mark.sandbox
def test_course_from_before_secret_calls_keeps_its_marks(tmp_path: Path) -> None:
    """The course has a secret seed, pinned exams, adjustments, and results in a store and in nbgrader's gradebook."""
    with ZipFile(Path(__file__).with_name("released") / "cs101.zip") as archive:
        archive.extractall(tmp_path)
    course = tmp_path / "cs101"
    before = points_in(course / "foldem.db")
    assert sum(before["bob"].values()) == 14.5 and 0 < sum(before["cid"].values()) < 3
    assert "another version of Foldem" in foldem_here("grade", course).stderr
    (course / "foldem.db").unlink()
    done = foldem_here("grade", course)
    assert done.returncode == 0 and points_in(course / "foldem.db") == before, done.stderr
    with (course / "grades.csv").open() as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert scores == {student: round(sum(marks.values()), 2) for student, marks in before.items()}


# ------------------------------------------------------------------------------------------------ updates and upgrades

Patch = pytest.MonkeyPatch
PENALTY = '\nhints = [\n    "How many lines does the table of penalties have'
DEARER = f"points = 2{PENALTY}", f"points = 4{PENALTY}"


def course_of_before(root: Path, *changes: tuple[str, str]) -> Path:
    """Make a course that released the warm-up under an earlier Foldem, with these changes to its TOML."""
    root.mkdir(exist_ok=True)
    (root / "foldem.toml").write_text('seed = "0"\nsandbox = "auto"\n')
    pin_unit(root, read_unit("warmup"), "0.0.9", "")
    policy = root / "pinned" / "warmup.toml"
    for before, after in changes:
        assert before in policy.read_text()
        policy.write_text(policy.read_text().replace(before, after, 1))
    return root


def update(monkeypatch: Patch) -> None:
    """Simulate an update of Foldem."""
    monkeypatch.setattr(run, "installed_version", lambda: "99")
    monkeypatch.setattr(run, "code_digest", lambda: "another")
    for known in (run.grading_digest, results.cache_key_of):
        known.cache_clear()


@pytest.mark.parametrize("is_pinned", [True, False])
def test_an_update_keeps_results_of_released_units(tmp_path: Path, monkeypatch: Patch, is_pinned: bool) -> None:
    monkeypatch.setattr("autograder.commands.grade.exam_for", lambda *_: None)
    root = course_of_before(tmp_path / "cs")
    if not is_pinned:
        (root / "pinned" / "warmup.py").unlink()
    folder, out = hand_in(root, *STUDENTS[:2]), tmp_path / "out"
    quick_run(folder, out)
    update(monkeypatch)
    quick_run(folder, out)
    assert log(out) == STUDENTS[:2] * (1 if is_pinned else 2)


def pinned_unit(root: Path) -> Unit:
    return unit.read_unit(course_in(root).catalogue, "warmup")


def test_a_released_unit_keeps_its_exam(tmp_path: Path, monkeypatch: Patch) -> None:
    today, exam = read_unit("warmup"), exam_for(read_unit("warmup"))
    monkeypatch.setattr(build, "build_exam", lambda *_: pytest.fail("there is an exam"))
    root = course_of_before(tmp_path / "cs", DEARER)
    pinned = pinned_unit(root)
    kept = pinned_exam_path(pinned, "0")
    assert kept and kept.parent == root / "pinned"
    store._store_exam(kept, exam)
    assert (pinned["penalty"].points, today["penalty"].points) == (4, 2)
    assert exam_for(pinned).by_name["penalty"].facets == exam.by_name["penalty"].facets
    assert exam_for(pinned).unit["penalty"].points == 4 and read_unit("warmup") == today


@pytest.mark.sandbox
def test_an_upgrade_pins_the_new_version_and_keeps_the_earlier_pins(tmp_path: Path) -> None:
    root = course_of_before(tmp_path / "cs", DEARER)
    kept = pinned_exam_path(pinned_unit(root), "0")
    assert kept
    store._store_exam(kept, exam_for(read_unit("warmup")))
    notebook = notebook_with("warmup", {"penalty": reference_answers(read_unit("warmup"))["penalty"]})
    write_file(root / "submitted" / "ann" / "warmup" / "0_warmup.ipynb", notebook)
    begun = settled_grading(root)
    begun.save_marks()
    (shown,) = begun.reports()
    assert (shown.report.points, shown.report.of) == (4, 22)  # type: ignore[union-attr]
    shown = printed_by(foldem_here("course", root, "--upgrade"))
    assert f"warmup: released by Foldem 0.0.9, now {installed_version()}" in shown
    assert pinned_versions(root) == {"warmup": installed_version()} and not kept.exists()
    assert (root / "pinned-before" / kept.name).exists()
    assert "ann/warmup/0_warmup: 4 of 22 → 2 of 20" in foldem_here("grade", root / "submitted", "--diff").stdout


def test_an_upgrade_keeps_points_of_source_notebooks_and_earlier_pins(tmp_path: Path) -> None:
    root = course_of_before(tmp_path / "cs", DEARER)
    before = (root / "pinned" / "warmup.toml").read_text()
    write_file(root / "source" / "warmup" / "0_warmup.ipynb", source_notebook(pinned_unit(root)))
    shown = printed_by(foldem_here("course", root, "--upgrade"))
    assert "No mark has changed yet" in shown and f"To go back, delete {root / 'pinned'}" in shown
    points = source_points(course_in(root), "warmup", "warmup")["penalty"], pinned_unit(root)["penalty"].points
    assert points == (4, 2)
    again = foldem_here("course", root, "--upgrade")
    assert is_one_line_refusal(again) and "pinned-before still has the files" in again.stderr
    assert (root / "pinned-before" / "warmup.toml").read_text() == before
    write_file(root / "pinned" / "versions.json", "{")
    assert is_one_line_refusal(foldem_here("course", root, "--upgrade"))
