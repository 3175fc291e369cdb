"""A complete recorded game, played by the references. Readers step through it.

A recording (`<course>/games/<unit>.json`) contains the view of each moment, so no functions are needed to show it.
`foldem build` makes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from course.exam.calls import Names
from course.kernel import catalogue, notebook
from course.kernel.attended import bundle_with_widget
from course.limits import MOST_MOMENTS
from course.tables.game import UnitGame
from course.tables.scene import ROOMS, Item, Room, SceneView, button, plain_text, static_html
from course.tables.table import GameRules, GameTable
from course.values import value

SEED = 7


# ---------------------------------------------------------------------------------------------- how it is recorded


def recorded_game(unit: str, game: UnitGame, names: Names) -> dict[str, object]:
    """Return a complete game played by the functions in `names`, as plain data.

    Raises ValueError if the unit has no game to record, or its game does not end.
    """
    if game.record is None:
        raise ValueError(f"{unit}: there is no game to record")
    table = game.record(names, SEED)
    for _ in range(MOST_MOMENTS):
        if table.fault or table.missing:
            raise ValueError(f"{unit}: {table.fault or ', '.join(table.missing)}")
        if table.game.view(table.state, table.room).get("over"):
            views = {name: [table.game.view(each, room) for each in table.history] for name, room in ROOMS.items()}
            return {"unit": unit, "title": f"{game.title}: a whole game", **packed_views(views)}
        table.receive(game.drive(table), table.revision)
    raise ValueError(f"{unit}: the game does not end after {MOST_MOMENTS} actions")


def _without_actions(view: SceneView) -> SceneView:
    """Return the part of a view that is saved, which has no clicks."""
    items = [{name: it for name, it in each.items() if name != "do"} for each in view["items"]]
    return {"h": view["h"], "status": view["status"], "items": items} | ({"log": view["log"]} if "log" in view else {})


def packed_views(shown: dict[str, list[SceneView]]) -> dict[str, object]:
    """Return the views of a game's moments for each room, without actions and repeated items.

    There is one list of all items, and each view has indexes into it.
    """
    views = {name: list(map(_without_actions, moments)) for name, moments in shown.items()}
    every = [json.dumps(each) for moments in views.values() for view in moments for each in view["items"]]
    positions = {text: index for index, text in enumerate(dict.fromkeys(every))}
    data = {
        name: [view | {"items": [positions[json.dumps(each)] for each in view["items"]]} for view in moments]
        for name, moments in views.items()
    }
    return {"items": list(map(json.loads, positions)), "views": data}


# ------------------------------------------------------------------------------------------------ how it is shown


@value
class Page:
    """A moment of a recorded game."""

    number: int


@dataclass(frozen=True)
class Recording:
    """A recorded game: its views, moment by moment, for each room."""

    unit: str
    title: str
    items: list[Item]
    views: dict[str, list[SceneView]]

    def view(self, page: Page, room: Room) -> SceneView:
        """Return the view of a moment."""
        shown = self.views[room.name][page.number]
        return shown | {"items": [self.items[position] for position in shown["items"]], "over": True, "bar": []}

    def lines(self) -> Iterator[str]:
        """Yield the game as text, a line for each moment."""
        for number, view in enumerate(self.views["wide"]):
            yield f"{number}. {next(iter(view.get('log', ())), view['status'])}"


@cache
def recording_of(unit: str) -> Recording:
    """Return the recorded game of a unit."""
    return Recording(**json.loads(_file_of(unit).read_text(encoding="utf-8")))


def _file_of(unit: str) -> Path:
    return catalogue.file_of(unit, f"games/{unit}.json")


def whole_game(unit: str) -> RecordedGame:
    """Return a complete game played by the references, with buttons, a slider and arrow keys to step through it."""
    having = [each for each in catalogue.units() if _file_of(each).is_file()]
    if unit not in having:
        raise notebook.NotRight(f"there is no recorded game of {unit!r}: choose one of {', '.join(having)}")
    return RecordedGame(recording_of(unit))


class RecordedGame(GameTable[Page]):
    """A table that shows a recorded game; all its moments exist from the start."""

    can_be_shared = False

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        art = tuple(dict.fromkeys(each["a"] for each in recording.items if "a" in each))
        start, act = (lambda _, __: Page(0)), (lambda _, page, __: page)
        super().__init__(GameRules(recording.title, recording.unit, (), start, act, recording.view, art), {}, 0)
        self.is_begun, self.history, self.at = True, tuple(map(Page, range(len(recording.views["wide"])))), 0

    @property
    def _can_be_replayed(self) -> bool:
        return False

    @property
    def is_past(self) -> bool:
        return False

    def _own_texts(self, shown: SceneView) -> SceneView:
        last = len(self.history) - 1
        on = [button("Next", ["go", self.at + 1], strong=True)] if self.at < last else []
        back = [button("Back", ["go", self.at - 1])] if self.at else []
        far = button("To the end", ["go", last]) if on else button("From the start", ["go", 0])
        return {"bar": [*on, *back, far]}

    def _bundle(self) -> object:
        lines = "".join(f"<li>{escape(line)}</li>" for line in self.recording.lines())
        folded = f"<details><summary>The game in words</summary><ul>{lines}</ul></details>"
        static_view = {"text/plain": repr(self), "text/html": f"{static_html(self.view())}{folded}"}
        return bundle_with_widget(static_view, self._as_widget)

    def __repr__(self) -> str:
        return "\n".join((plain_text(self.view()), "", *self.recording.lines()))
