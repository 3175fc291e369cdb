"""Names a kernel that is a program of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    notebook.metadata["kernelspec"] = {"name": "../../x", "display_name": "x", "language": "x", "argv": ["/bin/sh"]}
    nbformat.write(notebook, path)
