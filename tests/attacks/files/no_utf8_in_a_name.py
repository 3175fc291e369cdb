"""Lays a notebook beside its own whose name is no text."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    Path(os.fsdecode(os.fsencode(path.parent) + b"/\xff\xfe.ipynb")).write_text("{}")
    nbformat.write(notebook, path)
