"""Where progress and settings are if nothing says where the notebook is: real kernels in empty folders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.manager import start_new_kernel

from tests.command import PATIENCE
from tests.kernel import IMPORTS, RIGHT, Kernel, save, working_in

UNKNOWN = "Your notebook's folder is unknown here"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    """Return a kernel in an empty folder, as a front end without paths starts it."""
    folder = tmp_path / "content"
    folder.mkdir()
    manager, client = start_new_kernel(cwd=str(folder))
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def printed(client: Any, code: str) -> str:
    """Run a cell as a front end with a person does, and return the text of its outputs."""
    texts: list[str] = []

    def keep(message: dict[str, Any]) -> None:
        content = message["content"]
        texts.append(
            content.get("text", "") or content.get("data", {}).get("text/plain", "") or content.get("evalue", "")
        )

    client.execute_interactive(code, allow_stdin=True, stdin_hook=lambda _: None, output_hook=keep, timeout=PATIENCE)
    return "".join(texts)


def test_an_unknown_folder_is_mentioned_once_with_what_to_do(client: Any, tmp_path: Path) -> None:
    text = printed(client, f"{IMPORTS}\nprogress('dominoes')")
    assert f"{UNKNOWN}, so your progress is saved in {tmp_path / 'content'}." in text
    assert 'run: FOLDEM_FOLDER = "/content/drive/MyDrive/notebooks"' in text
    printed(client, RIGHT)
    assert "✓ flip" in (text := printed(client, 'check("flip")')) and UNKNOWN not in text


def test_progress_and_settings_are_in_the_folder_that_is_named(client: Any, tmp_path: Path) -> None:
    drive = tmp_path / "drive"
    drive.mkdir()
    (drive / "foldem.toml").write_text("hints = false\n")
    printed(client, f"{IMPORTS}\nFOLDEM_FOLDER = {str(drive)!r}")
    printed(client, RIGHT)
    assert "✓ flip" in (text := printed(client, 'check("flip")')) and UNKNOWN not in text
    assert (drive / ".foldem" / "progress" / "dominoes.json").exists()
    assert list((tmp_path / "content").iterdir()) == []
    assert "no hints" in printed(client, 'hint("append")')


@pytest.mark.parametrize("folder", ['"/nowhere/at/all"', "7"])
def test_a_named_folder_that_is_missing_is_reported_in_one_line(tmp_path: Path, folder: str) -> None:
    with working_in(tmp_path):
        text = Kernel().run(f'FOLDEM_FOLDER = {folder}\ncheck("flip")')
    assert "there is no such folder: create it first, or mount your drive" in text and "Traceback" not in text


def test_a_folder_with_the_notebook_is_known(client: Any, tmp_path: Path) -> None:
    save(tmp_path / "content", {})
    assert UNKNOWN not in printed(client, f"{IMPORTS}\nprogress('dominoes')")
