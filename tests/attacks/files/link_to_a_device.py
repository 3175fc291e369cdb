"""Is a link to a device that has no end."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def hand_in(path: Path, notebook: Any) -> None:
    path.symlink_to("/dev/zero")
