"""Is a file of six hundred thousand parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def hand_in(path: Path, notebook: Any) -> None:
    path.write_text('{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [' + "[]," * 600_000 + "[]]}")
