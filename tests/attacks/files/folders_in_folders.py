"""Lays a thousand folders in each other beside the notebook."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    here = os.open(path.parent, os.O_RDONLY)
    for _ in range(1_050):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    nbformat.write(notebook, path)
