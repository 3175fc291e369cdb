"""Zips of a whole class, and files that are written at once or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.term.files import atomic_bytes


def test_a_link_in_the_way_of_a_draft_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.term.files.DRAFT", "draft")
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "draft").symlink_to(tmp_path / "mine")
    with atomic_bytes(tmp_path / "new") as file:
        file.write(b"new")
    assert (tmp_path / "mine").read_text() == "mine" and (tmp_path / "new").read_bytes() == b"new"
