"""Renamed or moved folders: their results are still found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import foldem_here, printed_by
from tests.killing import quick_run
from tests.test_term_store import hand_in, log


def marks_in(out: Path) -> dict[str, float]:
    return {told["submission"]: told["points"] for told in json.loads((out / "report.json").read_text())}


def make_course(folder: Path, settings: str = "") -> Path:
    folder.mkdir()
    (folder / "foldem.toml").write_text(settings)
    hand_in(folder, "ann", "bob")
    return folder


@pytest.mark.parametrize("settings", ["", 'store = "sqlite:///marks.db"', 'store = "marks.db"'])
def test_a_renamed_course_has_its_results(tmp_path: Path, settings: str, monkeypatch: pytest.MonkeyPatch) -> None:
    course, out = make_course(tmp_path / "cs101", settings), tmp_path / "out"
    assert quick_run(course, out) == 0
    marks, begun = marks_in(out), log(out)
    assert sorted(begun) == ["ann", "bob"]
    renamed = course.rename(tmp_path / "cs102")  # as a backup that is restored elsewhere
    monkeypatch.chdir(renamed)
    printed_by(foldem_here("export", "."))
    rows = (renamed / "marks-csv.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in rows] == ["id", "ann", "bob"] and not rows[1].endswith(",")
    assert (quick_run(renamed, out), log(out), marks_in(out)) == (0, begun, marks), "nothing is graded again"
    assert "Marks change for 0 of 2" in foldem_here("grade", renamed, "--diff").stdout
