"""Lays a foldem.toml beside the notebook, with a seed and times of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    path.with_name("foldem.toml").write_text('seed = "hers"\nseconds_per_call = 1000.0\nform_share = 1.0')
    nbformat.write(notebook, path)
