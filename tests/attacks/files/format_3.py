"""Is a notebook of format 3."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    path.write_text(nbformat.writes(nbformat.convert(notebook, 3), version=3))
