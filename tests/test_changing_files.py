"""Files that change while they are read, and marks that change when a course is graded again."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path

import nbformat
import pytest

from autograder.submission import reading
from autograder.submission.reading import NotebookError, read_notebook
from autograder.term import results
from autograder.term.results import content_digest_of
from autograder.term.store import DATABASE_FILE, Store, StoredResult
from tests.classroom import link_of_another_user, notebook_with, only_in_steps, solved_notebook, write_file
from tests.command import foldem_here


@pytest.fixture
def hand_in(tmp_path: Path) -> Path:
    return write_file(tmp_path / "submitted/eve/warmup/0_warmup.ipynb", solved_notebook("warmup"))


def graded(hand_in: Path, *words: str) -> StoredResult:
    """Grade a submission without a sandbox, and return its stored result."""
    out = hand_in.parents[3] / "out"
    foldem_here("grade", hand_in.parents[2], "--out", out, "--sandbox", "off", "--quiet", *words)
    (entry,) = Store(out / DATABASE_FILE).results("")
    return entry


LAST_LOOK = 2  # after which a file is graded


def changing(change: Callable[[Path], object]) -> Callable[[Path], str]:
    """Return a function that returns the digest of a file. After its last call, it changes the file."""
    looks = count(1)

    def digest(path: Path) -> str:
        content = content_digest_of(path)
        if next(looks) == LAST_LOOK:
            change(path)
        return content

    return digest


def test_a_result_is_kept_for_the_bytes_that_were_graded(hand_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blank = nbformat.writes(notebook_with("warmup", {}))
    monkeypatch.setattr(results, "content_digest_of", changing(lambda path: path.write_text(blank)))
    entry = graded(hand_in)
    assert entry.content == sha256(blank.encode()).hexdigest() and '"points":0' in entry.report


@pytest.mark.parametrize("change", [Path.unlink, lambda path: path.write_bytes(path.read_bytes()[:100])])
def test_a_file_that_cannot_be_read_for_a_moment_is_graded_again(
    hand_in: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], object]
) -> None:
    full = hand_in.read_bytes()
    monkeypatch.setattr(results, "content_digest_of", changing(change))
    assert graded(hand_in).marks == "{}"
    monkeypatch.undo()
    hand_in.write_bytes(full)
    assert graded(hand_in).marks != "{}"


@pytest.mark.parametrize("target", ["/dev/zero", "/etc/passwd", "/proc/self/mem"])
def test_a_link_put_in_the_place_of_a_file_is_not_followed(
    hand_in: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    def swap(path: Path) -> None:
        """Put a link in the place of a file that was just found to be none."""
        path.unlink()
        path.symlink_to(target)

    monkeypatch.setattr(reading, "ensure_no_link", swap)
    with pytest.raises(NotebookError, match="cannot be read"):
        read_notebook(hand_in)
    hand_in.unlink()
    hand_in.write_text("{}")
    assert content_digest_of(hand_in) == ""


@only_in_steps
@pytest.mark.promise("others")
def test_a_classmate_who_swaps_a_folder_for_a_link_gains_nothing(
    hand_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = hand_in.parent, hand_in.parents[3] / "ada's"
    mine.rename(theirs)
    write_file(hand_in, notebook_with("warmup", {}))

    def swap(path: Path) -> None:
        mine.rename(mine.with_name("before"))
        link_of_another_user(mine, theirs, monkeypatch)

    monkeypatch.setattr(results, "content_digest_of", changing(swap))
    entry = graded(hand_in)
    assert entry.student == "eve" and "links are not followed" in entry.report


@only_in_steps
def test_a_link_of_the_teacher_in_the_way_to_a_file_is_followed(hand_in: Path, tmp_path: Path) -> None:
    (tmp_path / "course").symlink_to(hand_in.parents[2])
    (hand_in.parents[2] / "back").symlink_to("../course/eve")
    assert read_notebook(tmp_path / "course" / "back" / "warmup" / hand_in.name).cells
    (tmp_path / "round").symlink_to("round")
    with pytest.raises(NotebookError, match="cannot be read"):
        read_notebook(tmp_path / "round" / hand_in.name)
