"""Tables: games on the screen, played with the learner's own functions. Each unit has its tables in its `table.py`."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from course.roles import role_module, units_with_role
from course.show.bits import code_of
from course.show.pictured import card_image_html
from course.show.results import DisplayedText
from course.tables.game import whole_game as whole_game


def picture(thing: object) -> DisplayedText:
    """Return an object that shows a value below a cell, with pictures of its cards, tiles and chains."""
    code = code_of(thing)
    return DisplayedText(code, card_image_html(repr(thing)) or f"<code>{escape(code)}</code>")


@cache
def _tables_by_name() -> dict[str, object]:
    """Return the tables of all units by name."""
    units = units_with_role("table", Path(__file__).parents[1])
    modules = [module for unit in units if (module := role_module(f"course.{unit}", "table"))]
    return {name: getattr(module, name) for module in modules for name in module.__all__}


def __getattr__(name: str) -> Any:
    """Return a table of a unit. The modules are imported only when a table is used."""
    if name == "__all__":
        return sorted(["picture", "whole_game", *_tables_by_name()])
    if name[0] == "_" or find_spec(f"{__name__}.{name}") or name not in _tables_by_name():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _tables_by_name()[name]
