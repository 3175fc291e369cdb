"""Locks of files: who has one, for how long, and what happens if no lock can be written; and atomic writing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from autograder.term.files import Hold, alone_in, atomic_bytes

CLAIM = """
import sys
from pathlib import Path
from autograder.term.files import Hold
hold = Hold(Path(sys.argv[1]))
print(hold.taken(), flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.parametrize("is_course", [True, False])
def test_claim_ends_with_the_process_that_has_it(tmp_path: Path, cache: Path, is_course: bool) -> None:
    if is_course:
        (tmp_path / "foldem.toml").touch()
    (file := tmp_path / "a.ipynb").write_text("{}")
    command = [sys.executable, "-c", CLAIM, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout and holder.stdout.readline() == "True\n"
        assert not Hold(file).taken() and Hold(tmp_path / "b.ipynb").taken()
        holder.kill()
    again = Hold(file)
    assert again.taken(patient=True)
    again.release()
    assert file.read_text() == "{}" and (tmp_path / ".foldem" / "locks").exists() == is_course == (not cache.exists())


def test_all_have_the_claim_where_no_lock_can_be_written(tmp_path: Path, cache: Path) -> None:
    cache.write_text("a file in the place of the folder")
    with alone_in(tmp_path):
        assert Hold(tmp_path).taken()


def test_course_is_locked_under_any_name(tmp_path: Path) -> None:
    (tmp_path / "cs101").mkdir()
    (tmp_path / "cs101" / "foldem.toml").touch()
    (tmp_path / "link").symlink_to(tmp_path / "cs101")
    first = Hold(tmp_path / "cs101" / "a.ipynb")
    assert first.taken() and not Hold(tmp_path / "link" / "a.ipynb").taken()
    first.release()


def test_a_link_in_the_way_of_a_draft_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.term.files.DRAFT", "draft")
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "draft").symlink_to(tmp_path / "mine")
    with atomic_bytes(tmp_path / "new") as file:
        file.write(b"new")
    assert (tmp_path / "mine").read_text() == "mine" and (tmp_path / "new").read_bytes() == b"new"
