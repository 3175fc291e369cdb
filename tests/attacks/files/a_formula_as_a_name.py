"""Lays a notebook beside its own whose name is a formula in a spreadsheet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    path.with_name("=HYPERLINK(1).ipynb").write_text("{}")
    nbformat.write(notebook, path)
