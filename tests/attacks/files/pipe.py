"""Lays a pipe beside the notebook, at which a reader would wait for ever."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    os.mkfifo(path.with_name("pipe.ipynb"))
    nbformat.write(notebook, path)
