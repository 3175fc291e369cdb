"""Has script in its names, markdown and outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    script = "<script>alert(1)</script>"
    notebook.metadata["foldem"]["version"] = script
    notebook.cells.insert(1, nbformat.v4.new_markdown_cell(script))
    notebook.cells.insert(1, nbformat.v4.new_code_cell(f"def helper(): '{script}'"))
    nbformat.write(notebook, path)
