"""Is a file in an encoding that is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def hand_in(path: Path, notebook: Any) -> None:
    path.write_bytes(b"\xff\xfe\x00{}")
