"""`foldem grade --diff`: it previews changed marks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import nbformat
import pytest

from autograder.commands import grade
from autograder.config import PUBLISHED
from autograder.report.model import Report
from autograder.term.store import DATABASE_FILE, Store
from tests.classroom import notebook_with
from tests.command import foldem_here, printed_by
from tests.killing import settled_grading
from tests.sample import as_proof

pytestmark = pytest.mark.sandbox
ANSWERS = {
    "swap_ends": "def swap_ends(hand):\n    return hand[::-1]",
    "penalty": "def penalty(card):\n    return 0",
    "riffle": "def riffle(one, two):\n    return one + two",
}


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return a graded course, in which a rule was accepted later that all students but one break."""
    course = tmp_path / "cs101"
    for number, student in enumerate(("ann", "bob", "cid", "dan")):
        path = course / "submitted" / student / "warmup" / "0_warmup.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(notebook_with("warmup", dict([*ANSWERS.items()][number == 3 :])), path)
    (course / "foldem.toml").write_text(f'seed = "{PUBLISHED}"')
    printed_by(foldem_here("grade", course, "--quiet"))
    (course / "foldem.toml").write_text(f'seed = "{PUBLISHED}"\nseconds_per_exercise = 20')  # so all is graded again
    (course / "adjust.toml").write_text("[warmup.swap_ends]\nfacets = {'other inputs' = 'accepted'}")
    return course


def students(shown: str) -> list[str]:
    return [line[:3] for line in shown.splitlines() if not line.startswith(" ") and "→" in line]


@pytest.mark.parametrize("jobs", [as_proof("1"), "2"])
def test_results_do_not_depend_on_the_number_of_workers(course: Path, jobs: str) -> None:
    preview = foldem_here("grade", course / "submitted", "--diff", "--jobs", jobs).stdout
    assert students(preview) == ["ann", "bob", "cid"] and preview.endswith("\nMarks change for 3 of 4 submissions.\n")
    assert foldem_here("grade", course / "submitted", "--diff", "--jobs", jobs).stdout == preview, "it stores nothing"
    printed_by(foldem_here("grade", course / "submitted", "--quiet", "--jobs", jobs))
    assert students(foldem_here("grade", course / "submitted", "--diff").stdout) == []


def test_saving_marks_keeps_a_result_that_is_newer(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one run saves the marks that it has read, another run grades a newer file."""
    begun, store = settled_grading(course), Store(course / DATABASE_FILE)

    def marks_of_old(report: Report) -> str:
        for entry in store.entries(begun.course):
            store.keep(replace(entry, content="newer"))
        return "{}"

    monkeypatch.setattr(grade, "marks_json", marks_of_old)
    begun.remember()
    assert {entry.content for entry in store.entries(begun.course)} == {"newer"}


def test_after_a_kill_the_remaining_results_are_reported(course: Path) -> None:
    preview = foldem_here("grade", course / "submitted", "--diff").stdout
    settled_grading(course)  # and then it is killed, before a word
    again = foldem_here("grade", course / "submitted", "--diff").stdout
    assert students(again) == students(preview) == ["ann", "bob", "cid"]
    assert again.splitlines()[-1] == preview.splitlines()[-1]
