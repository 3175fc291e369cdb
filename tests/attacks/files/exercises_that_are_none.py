"""Says in its metadata that it sets exercises that there are not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    notebook.metadata["foldem"]["exercises"] = ["__class__", 5, None, ["flip"], "flip" * 1000]
    nbformat.write(notebook, path)
