"""Zips of a whole class, and files that are written at once or not at all."""

from __future__ import annotations

import zipfile
from pathlib import Path

import nbformat
import pytest

from autograder.commands.grade import unpacked
from autograder.config import ConfigError
from autograder.term.archive import ArchiveError
from autograder.term.files import atomic_bytes
from tests.classroom import notebook_with
from tests.command import foldem_here, is_one_line_refusal
from tests.units import find_notebooks


def test_a_zip_is_graded_as_the_folder_that_it_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path / "cache"))
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr("ann/0_warmup.ipynb", nbformat.writes(notebook_with("warmup", {})))
        archive.writestr("bob/warmup.ipynb", nbformat.writes(notebook_with("warmup", {})))
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
