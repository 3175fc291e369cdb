"""Has the metadata of widgets broken, which stops careless readers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def hand_in(path: Path, notebook: Any) -> None:
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": "x"}
    path.write_text(json.dumps(notebook))
