"""The table that shows a fold, one item at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from course.exam.calls import Names
from course.show.pictures import picture_of
from course.tables.learner import Learner, guarded
from course.tables.picking import short, value_item
from course.tables.scene import WIDE, Action, Item, Room, SceneView, button, row, words
from course.tables.table import GameRules, GameTable
from course.values import value

__all__ = ["fold_steps"]


@value
class Folding:
    """A fold that is not finished: its results so far, beginning with the start value."""

    results: tuple[object, ...]

    @property
    def number(self) -> int:
        """Return the number of items folded so far."""
        return len(self.results) - 1


def fold_steps(
    step: Callable[..., object], start: object, items: Iterable[object], *, names: Names | None = None
) -> GameTable[Folding]:
    """Return a table that shows `fold_left(step, start, items)` one item at a time."""
    things = tuple(items)
    called = getattr(step, "__name__", "step").replace("<lambda>", "step")

    def act(_: Learner, folding: Folding, action: Action) -> Folding:
        if action != ["next"] or folding.number == len(things):
            return folding
        args = folding.results[-1], things[folding.number]
        return Folding((*folding.results, guarded(step, called, args)))

    art = tuple(filter(None, (picture_of(thing) for thing in (*things, start))))
    rules = GameRules(
        "A fold, step by step",
        "warmup",
        (),
        start=lambda *_: Folding((start,)),
        act=act,
        view=lambda folding, room: _fold_view(folding, things, called, room),
        art=art,
    )
    return GameTable(rules, names, 0)


def _fold_view(folding: Folding, things: tuple[object, ...], called: str, room: Room) -> SceneView:
    message = _fold_text(folding, things, called)
    items = [*_fold_items(folding, things, room), *[words("=", message, room.middle, 212, "small")] * (room is WIDE)]
    going = [button("Next", ["next"], strong=True)] * (folding.number < len(things))
    status = f"After {folding.number} of {len(things)}: {short(folding.results[-1])}"
    status += f". {message}" * (room is not WIDE)
    return {"h": 250, "items": items, "status": status, "bar": [*going, button("From the start", ["new"])]}


def _fold_items(folding: Folding, things: tuple[object, ...], room: Room) -> Iterator[Item]:
    for n, (thing, x) in enumerate(zip(things, row(len(things), room.middle, room.width - 140, 84), strict=True)):
        look = {"c": "dim"} if n < folding.number - 1 else {"c": "glow"} if n == folding.number - 1 else {}
        yield value_item(f"i{n}", thing, x, 74, **look)
    yield words("result", f"result: {short(folding.results[-1])}", room.middle, 172, "bold gold")


def _fold_text(folding: Folding, things: tuple[object, ...], called: str) -> str:
    if not folding.number:
        return "the start"
    before, thing, after = folding.results[-2], things[folding.number - 1], folding.results[-1]
    return f"{called}({short(before)}, {short(thing)})  is  {short(after)}"[:130]
