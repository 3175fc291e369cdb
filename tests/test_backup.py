"""A copy of the course folder is a backup: on another machine it has the same marks, and grading again changes none."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.classroom import write_file
from tests.command import foldem, printed_by

MARK = '[[mark]]\nstudent = "s102"\nunit = "sedma"\npoints = 7.5\ncomment = "spoke about it"\n'


@pytest.mark.proof
@pytest.mark.sandbox
def test_restored_course_has_the_same_marks_on_another_machine(tmp_path: Path) -> None:
    course, backup = tmp_path / "cs101", tmp_path / "cs101.tar.gz"
    elsewhere, cache = tmp_path / "elsewhere", str(tmp_path / "cache")
    printed_by(foldem("demo", tmp_path, "--unit", "sedma"))
    printed_by(foldem("course", course, "--unit", "sedma"))
    shutil.copy(tmp_path / "roster.csv", course)
    write_file(course / "adjust.toml", MARK)
    printed_by(foldem("collect", tmp_path / "submissions.zip", course))
    printed_by(foldem("grade", course))
    printed_by(foldem("export", course, "--to", "csv"))
    marks = (course / "marks-csv.csv").read_text(encoding="utf-8")

    shutil.make_archive(str(tmp_path / "cs101"), "gztar", tmp_path, "cs101")
    shutil.rmtree(course)
    shutil.unpack_archive(backup, elsewhere, filter="data")
    restored = elsewhere / "cs101"

    printed_by(foldem("export", restored, "--to", "csv", FOLDEM_CACHE=cache))
    assert (restored / "marks-csv.csv").read_text(encoding="utf-8") == marks and ",7.5\n" in marks
    assert "Marks change for 0 of 6" in printed_by(foldem("grade", restored, "--diff", FOLDEM_CACHE=cache))
