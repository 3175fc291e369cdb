"""Has twelve thousand definitions that all need each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    chain = "\n".join(f"a{n} = a{n + 1}" for n in range(4_000))
    notebook.cells += [nbformat.v4.new_code_cell(chain) for _ in range(3)]
    nbformat.write(notebook, path)
