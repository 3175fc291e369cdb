"""A graded class: which of several files counts, a preview of changed marks, and names from the roster on pages."""

from __future__ import annotations

import csv
from pathlib import Path

import nbformat
import pytest

from autograder.config import PUBLISHED_SEED
from autograder.hosts import nbgrader
from tests.classroom import blank_notebook, notebook_with, reference_answers, write_file
from tests.command import foldem_here, printed_by
from tests.downloads import ANN, collect, given_times, worksheet
from tests.killing import settled_grading
from tests.units import read_unit

pytestmark = pytest.mark.sandbox
RIGHT = reference_answers(read_unit("warmup"))
IN_TIME, LATE = "2026-03-01 12:00", "2026-03-03 01:00"
SETTINGS = f'seed = "{PUBLISHED_SEED}"\nlate_per_day = 0.1\ndeadlines = {{ warmup = 2026-03-02T23:59:00Z }}\n'
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


def collect_all(course: Path, *files: tuple[str, str]) -> None:
    """Collect downloads of Moodle, a day apart, each with a notebook and its time."""
    for days, (text, when) in enumerate(files):
        times = given_times(course, worksheet([(101, "Ann Lee", "ann@x.org", when)]))
        collect(course, {f"{ANN}/0_warmup.ipynb": text}, *times, days=days)


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
    collect_all(course, (files[0], IN_TIME), (files[1], LATE))
    assert f"s1/warmup: 2 different files were handed in. {why}" in " ".join(grade(course).split())
    assert (counting(course), mark(course)) == (counts, points)
    (page,) = (course.parent / "out/pages").rglob("*.html")
    assert why.partition(" (")[0] in page.read_text()
    collect_all(course, (files[0], IN_TIME), (files[1], LATE))
    assert counting(course) == counts, "collecting again changes nothing"
    assert "1 submission, 1 of them unchanged" in grade(course) and mark(course) == points


def test_an_extension_applies_to_the_choice_without_collecting_again(course: Path) -> None:
    collect_all(course, (GOOD, IN_TIME), (WEAK, LATE))
    grade(course)
    write_file(course / "adjust.toml", EXTENSION)
    assert "2 different files were handed in. The last usable one counts." in grade(course)
    assert (counting(course), mark(course)) == (WEAK, 1.0)


def test_a_file_put_there_by_hand_is_not_replaced(course: Path) -> None:
    collect_all(course, (WEAK, IN_TIME), (GOOD, LATE))
    write_file(course / "submitted/s1/warmup/0_warmup.ipynb", OTHER)
    grade(course)
    assert (counting(course), mark(course)) == (OTHER, 1.0)


def test_nbgrader_grades_the_file_that_counts(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    collect_all(course, (WEAK, IN_TIME), (GOOD, LATE))
    monkeypatch.chdir(course)
    monkeypatch.setattr("sys.argv", ["nbgrader", "autograde", "warmup"])
    nbgrader.course_config()
    assert counting(course) == GOOD


# ------------------------------------------------------------------------------------------------ a preview

ANSWERS = {
    "swap_ends": "def swap_ends(hand):\n    return hand[::-1]",
    "penalty": "def penalty(card):\n    return 0",
    "riffle": "def riffle(one, two):\n    return one + two",
}


@pytest.fixture
def with_later_rule(tmp_path: Path) -> Path:
    """Return a graded course, in which a rule was accepted later that all students but one break."""
    course = tmp_path / "cs101"
    for number, student in enumerate(("ann", "bob", "cid", "dan")):
        notebook = notebook_with("warmup", dict([*ANSWERS.items()][number == 3 :]))
        write_file(course / "submitted" / student / "warmup" / "0_warmup.ipynb", notebook)
    (course / "foldem.toml").write_text(f'seed = "{PUBLISHED_SEED}"')
    printed_by(foldem_here("grade", course, "--quiet"))
    (course / "foldem.toml").write_text(
        f'seed = "{PUBLISHED_SEED}"\nseconds_per_exercise = 20'
    )  # so all is graded again
    (course / "adjust.toml").write_text("[warmup.swap_ends]\nfacets = {'other inputs' = 'accepted'}")
    return course


def students(shown: str) -> list[str]:
    return [line[:3] for line in shown.splitlines() if not line.startswith(" ") and "→" in line]


def test_a_preview_lists_the_changed_marks_and_stores_nothing(with_later_rule: Path) -> None:
    preview = foldem_here("grade", with_later_rule / "submitted", "--diff").stdout
    assert students(preview) == ["ann", "bob", "cid"] and preview.endswith("\nMarks change for 3 of 4 submissions.\n")
    settled_grading(with_later_rule)  # then the run is killed, before it has printed or remembered a mark
    assert (
        foldem_here("grade", with_later_rule / "submitted", "--diff").stdout.splitlines()[-1]
        == preview.splitlines()[-1]
    )
    printed_by(foldem_here("grade", with_later_rule / "submitted", "--quiet"))
    assert students(foldem_here("grade", with_later_rule / "submitted", "--diff").stdout) == []


# ------------------------------------------------------------------------------------------------ names from the roster

NAMES = {"s1": "Ann Lee", "s2": "Bob Ray", "s3": "Cid Foe", "s4": "Dan Poe", "s5": "Eve Orr"}
# Nobody else writes it like this.
OWN = "\n\n".join(
    f"def helper_{n}(a, b):\n    return [({n} * x + y, x - {n} * y) for x in a for y in b[{n}:] if y != x]"
    for n in range(3, 15)
)


def test_pages_have_the_names_of_the_roster_and_no_pairs_in_a_group(tmp_path: Path) -> None:
    course, right = tmp_path / "c", reference_answers(read_unit("warmup"))
    answers = {name: right[name] for name in ("swap_ends", "penalty", "riffle", "winning_card", "pile_up")}
    printed_by(foldem_here("course", course, "--unit", "warmup"))
    rows = [f"{student},{name},{'A' if student < 's3' else ''},T1" for student, name in NAMES.items()]
    write_file(course / "roster.csv", "\n".join(("id,name,group,section", *rows)))
    for student in NAMES:
        own = f"{answers['swap_ends']}\n\n\n{OWN}" if student < "s3" else answers["swap_ends"]
        notebook = notebook_with("warmup", answers | {"swap_ends": own})
        write_file(course / "submitted" / student / "warmup" / "0_warmup.ipynb", notebook)
    out = tmp_path / "r"
    printed_by(foldem_here("grade", course / "submitted", "--out", out))
    printed_by(foldem_here("report", course, "--out", out / "class.html"))
    pages = [page.read_text() for page in (out / "pages").rglob("*.html")]
    for name in NAMES.values():
        assert any(f"{name} (" in page for page in pages)
    assert "No two of " in (out / "class.html").read_text()
    (course / "roster.csv").write_text((course / "roster.csv").read_text().replace(",A,", ",,"))
    printed_by(foldem_here("report", course, "--out", tmp_path / "class.html"))
    page = (tmp_path / "class.html").read_text()
    assert "No two of " not in page and "Ann Lee (s1)" in page
