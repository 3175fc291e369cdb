"""Is a link to a neighbor's notebook."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def hand_in(path: Path, notebook: Any) -> None:
    path.symlink_to(Path("..") / ".." / "m_neighbor" / path.parent.name / path.name)
