"""Has the same id in all of its cells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def hand_in(path: Path, notebook: Any) -> None:
    for cell in notebook.cells:
        cell["id"] = "same"
    path.write_text(json.dumps(notebook))
