"""Lays a module beside the notebook whose name would be too long for a notebook."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    nbformat.write(notebook, path)
    path.with_name(f"{'x' * 252}.py").write_text("pass\n")
