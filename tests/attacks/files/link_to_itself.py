"""Is a link to itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def hand_in(path: Path, notebook: Any) -> None:
    path.symlink_to(path.name)
