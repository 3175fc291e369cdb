"""Equal code has equal marks, whatever its author changes in a released pack, and before and after an upgrade."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from autograder.submission.reading import grade_id
from tests.classroom import write_file
from tests.command import foldem, printed_by

pytestmark = pytest.mark.sandbox

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
    done = foldem("course", folder / "c", "--unit", "war", "--pack", folder / "gg")
    assert done.returncode == 0, done.stderr
    for student, answer in (("ann", SHORT), ("bob", BLACK)):
        hand_in(folder / "c", student, answer)
    done = foldem("grade", folder / "c", "--quiet")
    assert (done.returncode, done.stderr) == (0, ""), "its own pack is used, since `foldem course` made the course here"
    return folder


def hand_in(course: Path, student: str, answer: str) -> None:
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
        hand_in(course, student, answer)
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
