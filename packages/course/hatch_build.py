"""Puts `course/` of the checkout into this distribution, with the notebooks and, where built, the sealed exams.

`make sealed` builds the exams. A source distribution contains all of this in its own `course/`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PARTS = {"course": "course", "notebooks": "course/notebooks", "build/sealed": "course/sealed"}


class Course(BuildHookInterface[Any]):
    """Includes what learners need."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Include the parts, except in an editable install."""
        if version == "editable":
            return
        here = Path(self.root)
        is_unpacked = (here / "course").is_dir()
        parts = {"course": "course"} if is_unpacked else PARTS
        root = here if is_unpacked else here.parents[1]
        there = {str(root / part): target for part, target in parts.items() if (root / part).is_dir()}
        build_data["force_include"].update(there)
