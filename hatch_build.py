"""Puts the built documentation into the wheel, where `foldem --help` finds it; `make wheel` builds it first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Pages(BuildHookInterface[Any]):
    """Adds `build/docs` where it has been built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Include the pages, except in an editable install."""
        pages = Path(self.root) / "build" / "docs"
        if version == "standard" and (pages / "index.html").is_file():
            build_data["force_include"][str(pages)] = "autograder/docs"
