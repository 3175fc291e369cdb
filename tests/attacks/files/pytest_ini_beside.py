"""Lays settings of pytest beside the notebook, which would switch the sandbox off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    path.with_name("pytest.ini").write_text("[pytest]\naddopts = --submission-sandbox=off")
    path.with_name("pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = '--submission-sandbox=off'")
    nbformat.write(notebook, path)
