"""Is a pipe in place of the notebook, which nobody ever writes to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


def hand_in(path: Path, notebook: Any) -> None:
    os.mkfifo(path)
