"""The game of a unit for `play`: its table, with reference solutions for functions that are not written yet."""

from __future__ import annotations

from importlib import import_module

from course.exam.calls import Names
from course.kernel import catalogue
from course.kernel.borrowed import may_borrow
from course.kernel.notebook import NotRight, units_imported
from course.tables.game import game_of
from course.tables.recorded import whole_game
from course.tables.sharing import NO_GAME
from course.tables.table import AnyTable

PACE = 0.7  # seconds that a bot's move takes


def opened_game(names: Names, unit: str) -> AnyTable:
    """Return the table of a unit's game. In another notebook than the unit's own, all functions are ours."""
    here = units_imported(names)
    unit = unit or next(iter(here), "")
    stated = catalogue.all_statements().get(unit)
    game = game_of(stated.module) if stated else None
    if stated is None or game is None or game.play is None:
        raise NotRight(NO_GAME.format(unit))
    if not may_borrow(names):
        return whole_game(unit)
    if unit not in here:
        module = import_module(stated.module)
        names = {"__name__": "__main__"} | {name: getattr(module, name) for name in module.__all__}
    table = game.play(names, game.bots[0], PACE)
    table.can_be_shared = unit in here
    table.learner.borrow(table.needs)
    if table.is_begun:  # nobody is there, so the table has tried to open without them
        table.receive(["new"], table.revision)
    return table
