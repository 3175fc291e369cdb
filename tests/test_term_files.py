"""Hand-ins that are no notebooks: Python files with the same functions, and zips of a whole class."""

from __future__ import annotations

import zipfile
from pathlib import Path

import nbformat
import pytest

from autograder.commands.grade import unpacked
from autograder.config import ConfigError
from autograder.submission.reading import pieces
from autograder.term.archive import ArchiveError
from autograder.term.files import atomic_bytes
from tests.classroom import notebook_with, reference_answers, submission_with
from tests.command import foldem_here, is_one_line_refusal
from tests.grader import Grader
from tests.units import find_notebooks, read_submission, read_unit

NAMES = ("swap_ends", "penalty", "kindest_rule")


def module(*more: str) -> str:
    answers = reference_answers(read_unit("warmup"))
    return "\n\n\n".join(["from course.warmup import *", *more, *(answers[name] for name in NAMES)]) + "\n"


def test_a_python_file_has_the_same_marks_as_a_notebook(tmp_path: Path, grader: Grader) -> None:
    (tmp_path / "warmup.py").write_text(module('"""My own."""', "def least(n):\n    return n"))
    report, answers = (
        grader.grade(read_submission(tmp_path / "warmup.py"), *NAMES),
        reference_answers(read_unit("warmup")),
    )
    assert report == grader.grade(submission_with("warmup", {name: answers[name] for name in NAMES}), *NAMES)
    assert [report[name].points for name in NAMES] == [report[name].of for name in NAMES]


def test_unparsable_code_costs_only_its_own_exercise(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(module("def riffle(deck)\n    return deck"))
    assert set(read_submission(tmp_path / "mine.py").answers) == set(NAMES)
    assert pieces("@curry\ndef f(x):\n    return (x") == ["@curry\ndef f(x):\n    return (x"]


def test_python_files_that_are_hand_ins_are_listed(tmp_path: Path) -> None:
    hand_ins = {"ann/mine.py": module(), "bob/tools.py": "x = 1", "cid/0_warmup.py": "", "dan/mine.py": module()}
    for name, text in hand_ins.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    nbformat.write(notebook_with("warmup", {}), tmp_path / "dan" / "mine.ipynb")
    assert [path.name for _, path in find_notebooks([tmp_path])] == ["mine.py", "0_warmup.py", "mine.ipynb"]


def test_a_zip_is_graded_as_the_folder_that_it_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path / "cache"))
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr("ann/0_warmup.ipynb", nbformat.writes(notebook_with("warmup", {})))
        archive.writestr("bob/warmup.py", module())
    times = set[int]()
    for _ in range(2):
        (name, path), (other, _) = find_notebooks([unpacked(tmp_path / "class.zip")])
        assert (name, other) == ("ann/0_warmup", "bob/warmup")
        times.add(path.stat().st_mtime_ns)
    assert len(times) == 1, "what another run may be reading stays where it is"
    path.write_text("{")
    assert unpacked(tmp_path / "class.zip") and path.read_text() != "{"
    with zipfile.ZipFile(tmp_path / "class.zip", "a") as archive:
        archive.writestr("../evil.ipynb", "{}")
    with pytest.raises(ArchiveError):
        unpacked(tmp_path / "class.zip")
    assert path.exists(), "what was there before is lost to nobody"
    (tmp_path / "foldem.toml").write_text("")
    with pytest.raises(ConfigError, match="foldem collect"):
        unpacked(tmp_path / "class.zip")


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x05\x06" + b"\0" * 10])
def test_an_invalid_zip_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "class.zip").write_bytes(content)
    assert is_one_line_refusal(foldem_here("grade", tmp_path / "class.zip"))


def test_a_link_in_the_way_of_a_draft_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.term.files.DRAFT", "draft")
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "draft").symlink_to(tmp_path / "mine")
    with atomic_bytes(tmp_path / "new") as file:
        file.write(b"new")
    assert (tmp_path / "mine").read_text() == "mine" and (tmp_path / "new").read_bytes() == b"new"
