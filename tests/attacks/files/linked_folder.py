"""Hands in a folder that is a link to a neighbor's."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def hand_in(path: Path, notebook: Any) -> None:
    path.parent.rmdir()
    path.parent.symlink_to(Path("..") / "m_neighbor" / path.parent.name)
