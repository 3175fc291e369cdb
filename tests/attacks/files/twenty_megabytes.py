"""Is a file of more than twenty megabytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def hand_in(path: Path, notebook: Any) -> None:
    path.write_text('{"cells": [], "metadata": {}, "nbformat": 4, "x": "' + "x" * 20_100_000 + '"}')
