"""Has all its cells tagged to be skipped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    for cell in notebook.cells:
        cell.metadata["tags"] = ["skip-execution", "raises-exception", "remove-cell"]
    nbformat.write(notebook, path)
