"""Lays a foldem.toml beside the notebook that nobody can read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    path.with_name("foldem.toml").write_text("[[[")
    nbformat.write(notebook, path)
