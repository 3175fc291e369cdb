"""Lays links beside the notebook: to itself, below a file, and to a name that is too long."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    nbformat.write(notebook, path)
    for name, target in {"loop": "loop", "below": f"{path.name}/x", "long": "x" * 300}.items():
        (path.parent / name).symlink_to(target)
