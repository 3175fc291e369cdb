"""The game of a unit: `GAME` in `<course>/<unit>/table.py` declares it.

`foldem build` records a complete game, played by the references, in `<course>/games/<unit>.json`. The file has the view
of each moment, so no functions are needed to step through the game.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from course.exam.calls import Names
from course.kernel import catalogue, notebook
from course.limits import MOST_MOMENTS
from course.roles import role_module
from course.tables.scene import ROOMS, Action, Room, SceneView, button, plain_text
from course.tables.table import AnyTable, GameRules, GameTable
from course.values import value

RECORDING_SEED = 7


def next_action(table: AnyTable) -> Action:
    """Return the action that continues a game: wait if a bot moves, or click a highlighted button or an item."""
    view = table.view()
    strong = [each["do"] for each in view["bar"] if each.get("c") == "strong"]
    clicks = [each["do"] for each in view["items"] if "do" in each]
    return ["tick"] if view.get("wait") else next(iter([*strong, *clicks]), ["tick"])


@dataclass(frozen=True)
class UnitGame:
    """The game of a unit: how `foldem build` records it for `whole_game`, and how `open_game()` opens it.

    `record` gets a dict of functions and a seed, and returns the table of the game to record. `drive` chooses the next
    action of the recorded game. `play` gets a dict of functions, and returns a table on which a person can play.
    `record` and `play` may be None.
    """

    title: str
    record: Callable[[Names, int], AnyTable] | None = None
    drive: Callable[[AnyTable], Action] = next_action
    play: Callable[[Names], AnyTable] | None = None


def game_of(module: str) -> UnitGame | None:
    """Return the game of a unit, or None if the unit has no game. `module` is the name of the unit's main module."""
    game = getattr(role_module(module, "table"), "GAME", None)
    return game if isinstance(game, UnitGame) else None


# ---------------------------------------------------------------------------------------------- how it is recorded


def record_game(unit: str, game: UnitGame, names: Names) -> dict[str, object]:
    """Play a complete game with the functions in `names`, and return its record as plain data.

    Raises ValueError if the unit has no game to record, or if its game does not end.
    """
    if game.record is None:
        raise ValueError(f"{unit}: there is no game to record")
    table = game.record(names, RECORDING_SEED)
    for _ in range(MOST_MOMENTS):
        if table.fault or table.missing:
            raise ValueError(f"{unit}: {table.fault or ', '.join(table.missing)}")
        if table.game.view(table.state, table.room).get("over"):
            views = {name: [table.game.view(each, room) for each in table.history] for name, room in ROOMS.items()}
            return {"unit": unit, "title": f"{game.title}: a whole game", **pack_views(views)}
        table.receive(game.drive(table), table.revision)
    raise ValueError(f"{unit}: the game has not ended after {MOST_MOMENTS} actions")


def pack_views(shown: dict[str, list[SceneView]]) -> dict[str, object]:
    """Return the views of a game's moments, for each width of the table, without actions.

    An item that occurs in several views is stored once.

    The result has one list of all items. Each view has the indexes of its items in the list of all items.
    """
    positions: dict[str, int] = {}
    views: dict[str, list[SceneView]] = {}
    for name, moments in shown.items():
        views[name] = []
        for view in moments:
            texts = [json.dumps({key: it for key, it in each.items() if key != "do"}) for each in view["items"]]
            indexes = [positions.setdefault(text, len(positions)) for text in texts]
            log = {"log": view["log"]} if "log" in view else {}
            views[name].append({"h": view["h"], "status": view["status"], "items": indexes, **log})
    return {"items": list(map(json.loads, positions)), "views": views}


# ------------------------------------------------------------------------------------------------ how it is shown


@value
class RecordedMoment:
    """A moment of a recorded game."""

    number: int


@cache
def recording_of(unit: str) -> SceneView:
    """Return the recorded game of a unit: its title, items, and one view of each moment for each width of the table."""
    recording: SceneView = json.loads(catalogue.file_of(unit, f"games/{unit}.json").read_text(encoding="utf-8"))
    return recording


def whole_game(unit: str) -> RecordedGame:
    """Return a table that shows a complete game, which was played with the reference solutions.

    Use buttons, a slider or arrow keys to step through the game.
    """
    if unit not in catalogue.units() or not catalogue.file_of(unit, f"games/{unit}.json").is_file():
        raise notebook.NotRight(f"there is no recorded game of {unit!r}: name a unit that has a game")
    return RecordedGame(recording_of(unit))


class RecordedGame(GameTable[RecordedMoment]):
    """A table that shows a recorded game. Its history has all moments of the game from the start."""

    can_be_shared = dims_the_past = False

    def __init__(self, recording: SceneView) -> None:
        items, views = recording["items"], recording["views"]

        def view(page: RecordedMoment, room: Room) -> SceneView:
            shown = views[room.name][page.number]
            return {**shown, "items": [items[position] for position in shown["items"]], "over": True, "bar": []}

        start, act = (lambda _, __: RecordedMoment(0)), (lambda _, page, __: page)
        super().__init__(GameRules(recording["title"], recording["unit"], (), start, act, view), {}, 0)
        self.is_begun, self.history, self.at = True, tuple(map(RecordedMoment, range(len(views["wide"])))), 0
        moves = (next(iter(each.get("log", ())), each["status"]) for each in views["wide"])
        self.lines = [f"{number}. {move}" for number, move in enumerate(moves)]

    def _replaced_texts(self, shown: SceneView) -> SceneView:
        last = len(self.history) - 1
        on = [button("Next", ["go", self.at + 1], strong=True)] if self.at < last else []
        back = [button("Back", ["go", self.at - 1])] if self.at else []
        far = button("To the end", ["go", last]) if on else button("From the start", ["go", 0])
        return {"bar": [*on, *back, far]}

    def __repr__(self) -> str:
        return "\n".join((plain_text(self.view()), "", *self.lines))
