"""Lays a notebook beside its own whose name is as long as a name can be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    path.with_name(f"{'n' * 240}.ipynb").write_text("{}")
    nbformat.write(notebook, path)
