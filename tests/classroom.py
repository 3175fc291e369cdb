"""Submissions for tests and the demo, made from the answers in the packs."""

from __future__ import annotations

import ast
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
import pytest
from rich.console import Console

from autograder.commands.grade import GradingRun
from autograder.commands.options import GradeOptions
from autograder.prove.answers import RightSolution, reference_answers, submission_of_solution
from autograder.submission.model import Submission
from autograder.submission.reading import CAN_OPEN_IN_STEPS
from autograder.term.course import read_course
from autograder.term.view import ShownReport, write_results
from autograder.units.mistakes import Mistake
from tests.units import (
    blank_notebook,
    find_notebooks,
    known,
    mistakes_of,
    notebook_with,
    read_unit,
    right_answers,
    submission_with,
    unit_names,
)

__all__ = [
    "RightSolution",
    "all_right",
    "all_wrong",
    "blank_notebook",
    "graded_class",
    "notebook_with",
    "reference_answers",
    "right_answers",
    "solved_notebook",
    "submission_of_solution",
    "submission_of_wrong",
    "submission_with",
    "write_file",
    "write_files",
]


def all_wrong() -> list[Mistake]:
    return [wrong for unit in unit_names() for wrong in mistakes_of(unit)]


def all_right() -> list[RightSolution]:
    return [right for unit in unit_names() for right in right_answers(unit)]


def solved_notebook(unit: str) -> Any:
    """Return the student's notebook with the references filled in."""
    return notebook_with(unit, reference_answers(read_unit(unit)))


def write_file(path: Path, content: Any = "{}") -> Path:
    """Write a text, bytes or a notebook to a file, whose folder need not exist, and return the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, (str, bytes)) else nbformat.writes(content)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def write_files(folder: Path, files: Mapping[str, Any]) -> Path:
    """Write files of these names in a folder, and return the folder."""
    for name, content in files.items():
        write_file(folder / name, content)
    return folder


def submission_of_wrong(wrong: Mistake) -> Submission:
    """Return a submission whose only answer is this mistake."""
    return submission_with(wrong.unit, {wrong.exercise: wrong.source})


def graded_class(folder: Path, **settings: Any) -> list[ShownReport]:
    """Return the reports of `foldem grade` on the notebooks in a folder. They are stored only in the folder `out`."""
    options = GradeOptions(**{"paths": [], "quiet": True, "store": "sqlite://"} | settings)
    run = GradingRun(options, list(find_notebooks([folder])), read_course(folder, known()))
    run.grade_all(Console(quiet=True))
    if options.out:
        write_results(options.out, run.reports(), lambda _: {})
    return list(run.requested_reports())


only_in_steps = pytest.mark.skipif(not CAN_OPEN_IN_STEPS, reason="only Linux can open a folder step by step")


def link_of_another_user(link: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a link that belongs to another user than the one who runs the test."""
    link.symlink_to(target)
    of_another_user(link, monkeypatch)


def of_another_user(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a file or link seem to belong to another user than the one who runs the test."""
    if os.geteuid() == 0:
        os.lchown(file, 65534, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: file.lstat().st_uid + 1)


def nest_folders(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a folder in a folder, and so on, a thousand times. `rm -rf` can delete it, but `shutil.rmtree` cannot."""
    folder.mkdir(parents=True, exist_ok=True)
    with monkeypatch.context() as patch:
        patch.chdir(folder)
        for _ in range(1_100):
            os.mkdir("d")
            os.chdir("d")


def needing(source: str, *names: str) -> str:
    """Return a source whose last function also mentions these names, so that it needs what binds them."""
    tree = ast.parse(source)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    functions[-1].body[1:1] = ast.parse("\n".join(names)).body
    return ast.unparse(tree)
