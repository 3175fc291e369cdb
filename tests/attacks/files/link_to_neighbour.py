"""Is a link to a neighbour's notebook."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def hand_in(path: Path, notebook: Any) -> None:
    path.symlink_to(Path("..") / ".." / "m_neighbour" / path.parent.name / path.name)
