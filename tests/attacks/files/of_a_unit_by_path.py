"""Says that its unit is a path to a folder of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    notebook.metadata["foldem"]["unit"] = "../../../x"
    notebook.metadata["foldem"]["packs"] = ["."]
    path.with_name("pack.toml").write_text("name = 'x'")
    nbformat.write(notebook, path)
