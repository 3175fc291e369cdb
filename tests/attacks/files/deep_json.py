"""Is a file of brackets in brackets."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def hand_in(path: Path, notebook: Any) -> None:
    path.write_text("[" * 200_000)
