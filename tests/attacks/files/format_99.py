"""Is a notebook of a format that there is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def hand_in(path: Path, notebook: Any) -> None:
    notebook["nbformat"] = 99
    path.write_text(json.dumps(notebook))
