"""Hands in many files and folders whose names differ only in case, which some systems take for the same."""

from __future__ import annotations

from itertools import islice, product
from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    nbformat.write(notebook, path)
    for letters in islice(product(*((letter, letter.upper()) for letter in "m_neighbor")), 200):
        folder = path.parent / "".join(letters)
        folder.mkdir(exist_ok=True)
        nbformat.write(notebook, folder / path.name)
    nbformat.write(notebook, path.with_name(path.name.upper()))
