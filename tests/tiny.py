"""Packs with one unit and one exercise, each with its own name, written for a single test."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from autograder.units.unit import Unit
from tests.units import read_unit

NUMBERS = count()
TOML = """
title = "Tiny"
summary = "One function."
form_share = 0.0

[[exercise]]
name = "{name}"
points = 1
hints = ["Look at the example."]
source = "none"
"""
CHECKS = "from autograder.exam.cases import Check, case\n"


def tiny_unit(folder: Path, solution: str, checks: str, given: str = "", exercise: str = "double") -> Unit:
    """Write a pack with one exercise, use it, and return its unit."""
    name = f"tiny{next(NUMBERS)}"
    texts = {
        "pack.toml": f'name = "{name}"\ncourse = "{name}_course"\nunits = ["{name}"]\n',
        f"{name}_course/__init__.py": "",
        f"{name}_course/{name}/__init__.py": f'{given}\nSmall = int\n__all__ = ["Small"]\n',
        f"{name}_course/{name}/unit.toml": TOML.format(name=exercise),
        f"solutions/{name}.py": f"# %%\nfrom {name}_course.{name} import *\n{solution}",
        f"exams/{name}/checks.py": checks,
    }
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return read_unit(name, folder)
