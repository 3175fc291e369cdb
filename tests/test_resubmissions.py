"""Several files of a student: the better of the last one in time and a late one counts, and reports say why."""

from __future__ import annotations

import csv
from datetime import timedelta
from pathlib import Path

import nbformat
import pytest

from autograder.config import PUBLISHED
from autograder.hosts import nbgrader
from tests.classroom import blank_notebook, notebook_with, reference_answers, write_file
from tests.command import foldem_here, printed_by
from tests.downloads import MADE, moodle_folder, worksheet, write_zip
from tests.units import read_unit

pytestmark = pytest.mark.sandbox
RIGHT = reference_answers(read_unit("warmup"))
IN_TIME, LATE = "2026-03-01 12:00", "2026-03-03 01:00"
SETTINGS = f'seed = "{PUBLISHED}"\nlate_per_day = 0.1\ndeadlines = {{ warmup = 2026-03-02T23:59:00Z }}\n'
EXTENSION = "[[extension]]\nstudent = 's1'\nassignment = 'warmup'\nuntil = 2026-03-04T00:00:00Z\n"
WEAK, GOOD = (nbformat.writes(notebook_with("warmup", dict([*RIGHT.items()][:number]))) for number in (1, 5))
OTHER = WEAK.replace("# Warm-up", "# My warm-up", 1)  # as many points as WEAK
IS_BETTER = "The late one counts, because it has more points, even after its deduction."
IS_NO_BETTER = "The last usable one in time counts."


@pytest.fixture
def course(tmp_path: Path) -> Path:
    root = write_file(tmp_path / "cs101" / "foldem.toml", SETTINGS).parent
    write_file(root / "source" / "warmup" / "0_warmup.ipynb", nbformat.writes(blank_notebook("warmup")))
    write_file(root / "roster.csv", "id,name,email\ns1,Ann Lee,ann@x.org\n")
    return root


def collect(course: Path, *files: tuple[str, str]) -> str:
    """Collect downloads of Moodle, a day apart, each with a notebook and its time; return the last output."""
    for days, (text, when) in enumerate(files):
        times = write_file(course.parent / "times.csv", worksheet([(101, "Ann Lee", "ann@x.org", when)], ()))
        path, made = course.parent / f"Week 3-{days}.zip", MADE + timedelta(days=days)
        download = write_zip(path, {f"{moodle_folder('Ann Lee', 101)}/0_warmup.ipynb": text}, made)
        shown = foldem_here("collect", download, course, "--times", times).stdout
    return shown


def grade(course: Path) -> str:
    return printed_by(foldem_here("grade", course / "submitted", "--out", course.parent / "out"))


def counting(course: Path) -> str:
    return (course / "submitted/s1/warmup/0_warmup.ipynb").read_text()


def mark(course: Path) -> float:
    foldem_here("export", course, "--to", "csv", "--out", course.parent / "marks.csv")
    with (course.parent / "marks.csv").open() as file:
        return float(next(iter(csv.DictReader(file)))["warmup"])


@pytest.mark.parametrize(
    ("files", "counts", "points", "why"),
    [
        ((WEAK, GOOD), GOOD, 8.1, f"{IS_BETTER} (late 8.1, in time 1)"),
        ((WEAK, OTHER), WEAK, 1.0, f"{IS_NO_BETTER} (late 0.9, in time 1)"),
        ((GOOD, WEAK), GOOD, 9.0, f"{IS_NO_BETTER} (late 0.9, in time 9)"),
    ],
)
def test_late_file_counts_if_it_is_better_after_its_deduction(
    course: Path, files: tuple[str, str], counts: str, points: float, why: str
) -> None:
    collect(course, (files[0], IN_TIME), (files[1], LATE))
    assert f"s1/warmup: 2 different files were handed in. {why}" in " ".join(grade(course).split())
    assert (counting(course), mark(course)) == (counts, points)
    (page,) = (course.parent / "out/pages").rglob("*.html")
    assert why.partition(" (")[0] in page.read_text()
    collect(course, (files[0], IN_TIME), (files[1], LATE))
    assert counting(course) == counts, "collecting again changes nothing"
    assert "1 submission, 1 of them unchanged" in grade(course) and mark(course) == points


def test_an_extension_applies_to_the_choice_without_collecting_again(course: Path) -> None:
    collect(course, (GOOD, IN_TIME), (WEAK, LATE))
    grade(course)
    write_file(course / "adjust.toml", EXTENSION)
    assert "2 different files were handed in. The last usable one counts." in grade(course)
    assert (counting(course), mark(course)) == (WEAK, 1.0)


def test_a_file_put_there_by_hand_is_not_replaced(course: Path) -> None:
    collect(course, (WEAK, IN_TIME), (GOOD, LATE))
    write_file(course / "submitted/s1/warmup/0_warmup.ipynb", OTHER)
    grade(course)
    assert (counting(course), mark(course)) == (OTHER, 1.0)


def test_nbgrader_grades_the_file_that_counts(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    collect(course, (WEAK, IN_TIME), (GOOD, LATE))
    monkeypatch.chdir(course)
    monkeypatch.setattr("sys.argv", ["nbgrader", "autograde", "warmup"])
    nbgrader.course_config()
    assert counting(course) == GOOD
