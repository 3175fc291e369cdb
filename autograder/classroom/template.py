"""The templates of pages about a class. Everything that they show is escaped. Called by the modules of the pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from jinja2 import Environment

HERE = Path(__file__).parent


def template_text(name: str) -> str:
    """Return the text of a file next to this module."""
    return (HERE / name).read_text(encoding="utf-8")


def rendered(name: str, functions: Mapping[str, object] = MappingProxyType({}), **parts: object) -> str:
    """Return a page: the template `name`, which can call these functions, with its parts."""
    environment = Environment(autoescape=True, trim_blocks=True)
    environment.globals |= functions
    return environment.from_string(template_text(name)).render(**parts)
