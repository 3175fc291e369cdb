"""Says in its metadata that it sets only the exercise that it has solved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    notebook.metadata["foldem"]["exercises"] = ["take"]
    nbformat.write(notebook, path)
