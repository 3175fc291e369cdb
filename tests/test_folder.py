"""Where progress and settings are if nothing says where the notebook is."""

from __future__ import annotations

from pathlib import Path

import pytest

from course.learner import progress
from tests.classroom import write_file
from tests.kernel import RIGHT, Kernel, folder, kernel, save

__all__ = ("folder", "kernel")
UNKNOWN = "Your notebook's folder is unknown here"


@pytest.fixture(autouse=True)
def attended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a person look at the notebook: otherwise, nothing is said about its folder."""
    monkeypatch.setattr(progress, "is_attended", lambda: True)
    progress._mention.cache_clear()


def test_an_unknown_folder_is_mentioned_once_with_what_to_do(kernel: Kernel, tmp_path: Path) -> None:
    text = kernel.run("progress('dominoes')")
    assert f"{UNKNOWN}, so your progress is saved in {tmp_path}." in text
    assert 'run: FOLDEM_FOLDER = "/content/drive/MyDrive/notebooks"' in text
    assert "✓ flip" in (text := kernel.after(RIGHT)) and UNKNOWN not in text


def test_progress_and_settings_are_in_the_folder_that_is_named(kernel: Kernel, tmp_path: Path) -> None:
    drive = write_file(tmp_path / "drive" / "foldem.toml", "hints = false\n").parent
    assert "✓ flip" in (text := kernel.after(f"FOLDEM_FOLDER = {str(drive)!r}", RIGHT)) and UNKNOWN not in text
    assert (drive / ".foldem" / "progress" / "dominoes.json").exists() and [*tmp_path.iterdir()] == [drive]
    assert "no hints" in kernel.run('hint("append")')


@pytest.mark.parametrize("named", ['"/nowhere/at/all"', "7"])
def test_a_named_folder_that_is_missing_is_reported_in_one_line(kernel: Kernel, named: str) -> None:
    text = kernel.run(f'FOLDEM_FOLDER = {named}\ncheck("flip")')
    assert "but this folder does not exist: create it first, or mount your drive" in text and "Traceback" not in text


def test_a_folder_with_the_notebook_is_known(kernel: Kernel, tmp_path: Path) -> None:
    save(tmp_path, {})
    assert UNKNOWN not in kernel.run("progress('dominoes')")
