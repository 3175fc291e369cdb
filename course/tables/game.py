"""The game that a unit's table offers outside of a notebook: `GAME` in `<course>/<unit>/table.py` declares it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from course.arena.arena import SetResult
from course.exam.calls import Names
from course.roles import role_module
from course.tables.scene import Action, Room, SceneView
from course.tables.table import AnyTable

SetQuestions: TypeAlias = tuple[tuple[int, str, object, object], ...]
MomentView: TypeAlias = Callable[[int, Room], SceneView]


def next_action(table: AnyTable) -> Action:
    """Return the action that continues a game: wait, press the first strong button, or click the first thing."""
    view = table.view()
    strong = [each["do"] for each in view["bar"] if each.get("c") == "strong"]
    clicks = [each["do"] for each in view["items"] if "do" in each]
    return ["tick"] if view.get("wait") else next(iter([*strong, *clicks]), ["tick"])


@dataclass(frozen=True)
class UnitGame:
    """The game of a unit: how `foldem build` records it for `whole_game`, and how `foldem play` plays it.

    `record` takes functions by name and a seed, and returns a table. The table is played to its end with the actions
    that `drive` chooses. `play` takes functions by name, a number of bots and the seconds that a move takes, and
    returns a table. `bots` are the possible numbers of bots. The first is the default. `record` and `play` may be
    missing.

    `show_set` draws a set that bots have played, for the pages of a league. It is called with the bots' names, their
    questions (player, question, view and answer), and the result. It returns a function that makes the view of a
    moment.
    """

    title: str
    record: Callable[[Names, int], AnyTable] | None = None
    drive: Callable[[AnyTable], Action] = next_action
    play: Callable[[Names, int, float], AnyTable] | None = None
    bots: range = range(1)
    show_set: Callable[[tuple[str, ...], SetQuestions, SetResult], MomentView] | None = None


def game_of(module: str) -> UnitGame | None:
    """Return the game of a unit, by the unit's own module, or None if it has none."""
    game = getattr(role_module(module, "table"), "GAME", None)
    return game if isinstance(game, UnitGame) else None
