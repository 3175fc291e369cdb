"""Lays a folder beside the notebook that is called like one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    path.with_name("more.ipynb").mkdir()
    nbformat.write(notebook, path)
