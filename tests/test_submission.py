"""How a notebook is read as a submission."""

from __future__ import annotations

from autograder.submission import submission_of
from tests.classroom import blank_notebook


def test_a_notebook_of_another_version_is_said_to_be_one() -> None:
    notebook = blank_notebook("dominoes")
    notebook.metadata["foldem"]["version"] = "another"
    assert submission_of(notebook).remarks == ("the notebook is of another version: some statements may differ",)


def test_a_notebook_of_this_version_needs_no_remark() -> None:
    assert submission_of(blank_notebook("dominoes")).remarks == ()
