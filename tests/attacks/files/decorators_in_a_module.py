"""Lays a Python file beside the notebook of decorators only, to be put together again and again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    nbformat.write(notebook, path)
    (path.parent / "dominoes.py").write_text("@a\n" * 200_000)
    (path.parent / "1_dominoes.py").write_text("from course.dominoes import Domino\n" + "@a\n" * 2_000_000)
