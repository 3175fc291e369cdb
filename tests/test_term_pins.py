"""A pinned course: what it has released stays the same through updates of Foldem, until it is upgraded."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.commands.course import pin, versions_in
from autograder.exam import build, store
from autograder.exam.store import exam_for, pinned_exam
from autograder.grading import run
from autograder.grading.run import installed_version
from autograder.term import results
from autograder.term.assignments import source_points
from autograder.units import unit
from autograder.units.build import source_notebook
from autograder.units.unit import Unit
from tests.classroom import notebook_with, reference_answers, write_file
from tests.command import foldem_here, is_one_line_refusal, printed_by
from tests.killing import quick_run, settled_grading
from tests.test_term_store import STUDENTS, hand_in, log
from tests.units import course_in, read_unit

Patch = pytest.MonkeyPatch
PENALTY = '\nhints = [\n    "How many lines does the table of penalties have'
DEARER = f"points = 2{PENALTY}", f"points = 4{PENALTY}"


def released(root: Path, *changes: tuple[str, str]) -> Path:
    """Make a course that released the warm-up under an earlier Foldem, with these changes to its TOML."""
    root.mkdir(exist_ok=True)
    (root / "foldem.toml").write_text('seed = "0"\nsandbox = "auto"\n')
    pin(root, read_unit("warmup"), "0.0.9", "")
    policy = root / "pinned" / "warmup.toml"
    for before, after in changes:
        assert before in policy.read_text()
        policy.write_text(policy.read_text().replace(before, after, 1))
    return root


def update(monkeypatch: Patch) -> None:
    """Simulate an update of Foldem."""
    monkeypatch.setattr(run, "installed_version", lambda: "99")
    monkeypatch.setattr(run, "code_digest", lambda: "another")
    for known in (run.judged_by, results.cache_key_of):
        known.cache_clear()


@pytest.mark.parametrize("is_pinned", [True, False])
def test_an_update_keeps_results_of_released_units(tmp_path: Path, monkeypatch: Patch, is_pinned: bool) -> None:
    monkeypatch.setattr("autograder.commands.grade.exam_for", lambda *_: None)
    root = released(tmp_path / "cs")
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
    root = released(tmp_path / "cs", DEARER)
    pinned = pinned_unit(root)
    kept = pinned_exam(pinned, "0")
    assert kept and kept.parent == root / "pinned"
    store._store(kept, exam)
    assert (pinned["penalty"].points, today["penalty"].points) == (4, 2)
    assert exam_for(pinned).by_name["penalty"].facets == exam.by_name["penalty"].facets
    assert exam_for(pinned).unit["penalty"].points == 4 and read_unit("warmup") == today


@pytest.mark.sandbox
def test_an_upgrade_pins_the_new_version_and_keeps_the_earlier_pins(tmp_path: Path) -> None:
    root = released(tmp_path / "cs", DEARER)
    kept = pinned_exam(pinned_unit(root), "0")
    assert kept
    store._store(kept, exam_for(read_unit("warmup")))
    notebook = notebook_with("warmup", {"penalty": reference_answers(read_unit("warmup"))["penalty"]})
    write_file(root / "submitted" / "ann" / "warmup" / "0_warmup.ipynb", notebook)
    begun = settled_grading(root)
    begun.remember()
    (shown,) = begun.reports()
    assert (shown.report.points, shown.report.of) == (4, 22)  # type: ignore[union-attr]
    shown = printed_by(foldem_here("course", root, "--upgrade"))
    assert f"warmup: released by Foldem 0.0.9, now {installed_version()}" in shown
    assert versions_in(root) == {"warmup": installed_version()} and not kept.exists()
    assert (root / "pinned-before" / kept.name).exists()
    assert "ann/warmup/0_warmup: 4 of 22 → 2 of 20" in foldem_here("grade", root / "submitted", "--diff").stdout


def test_an_upgrade_keeps_points_of_source_notebooks_and_earlier_pins(tmp_path: Path) -> None:
    root = released(tmp_path / "cs", DEARER)
    before = (root / "pinned" / "warmup.toml").read_text()
    write_file(root / "source" / "warmup" / "0_warmup.ipynb", source_notebook(pinned_unit(root)))
    shown = printed_by(foldem_here("course", root, "--upgrade"))
    assert "No mark has changed yet" in shown and f"To go back, delete {root / 'pinned'}" in shown
    points = source_points(course_in(root), "warmup", "warmup")["penalty"], pinned_unit(root)["penalty"].points
    assert points == (4, 2)
    again = foldem_here("course", root, "--upgrade")
    assert is_one_line_refusal(again) and "pinned-before keeps the pins" in again.stderr
    assert (root / "pinned-before" / "warmup.toml").read_text() == before
    write_file(root / "pinned" / "versions.json", "{")
    assert is_one_line_refusal(foldem_here("course", root, "--upgrade"))


def test_an_impossible_upgrade_gets_one_line(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.chdir(tmp_path)
    assert is_one_line_refusal(foldem_here("course", "nowhere", "--upgrade")) and not list(tmp_path.iterdir())
