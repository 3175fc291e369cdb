"""Says that it belongs to another unit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    notebook.metadata["foldem"]["unit"] = "warmup"
    nbformat.write(notebook, path)
