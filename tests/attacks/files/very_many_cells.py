"""Is a file of 240,000 cells, none of which can be parsed."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def hand_in(path: Path, notebook: Any) -> None:
    cells = ",".join(['{"cell_type": "code", "source": "("}'] * 240_000)
    path.write_text(f'{{"nbformat": 4, "metadata": {{"foldem": {{"unit": "dominoes"}}}}, "cells": [{cells}]}}')
