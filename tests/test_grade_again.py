"""`foldem grade --diff`: it previews changed marks."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from autograder.config import PUBLISHED
from tests.classroom import notebook_with
from tests.command import foldem_here, printed_by
from tests.killing import settled_grading

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


def test_a_preview_lists_the_changed_marks_and_stores_nothing(course: Path) -> None:
    preview = foldem_here("grade", course / "submitted", "--diff").stdout
    assert students(preview) == ["ann", "bob", "cid"] and preview.endswith("\nMarks change for 3 of 4 submissions.\n")
    settled_grading(course)  # then the run is killed, before it has printed or remembered a mark
    assert foldem_here("grade", course / "submitted", "--diff").stdout.splitlines()[-1] == preview.splitlines()[-1]
    printed_by(foldem_here("grade", course / "submitted", "--quiet"))
    assert students(foldem_here("grade", course / "submitted", "--diff").stdout) == []
