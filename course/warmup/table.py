"""The table that shows a fold, one item at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from course.tables.making import (
    WIDE,
    Action,
    GameRules,
    GameTable,
    Learner,
    Names,
    Room,
    SceneView,
    button,
    guarded,
    row,
    value,
    words,
)
from course.tables.picking import short_repr, value_item

__all__ = ["fold_steps"]


@value
class FoldState:
    """An unfinished fold, with all its results so far. The first result is the start value."""

    results: tuple[object, ...]

    @property
    def number(self) -> int:
        """Return how many items are folded already."""
        return len(self.results) - 1


def fold_steps(
    step: Callable[..., object], start: object, items: Iterable[object], *, names: Names | None = None
) -> GameTable[FoldState]:
    """Return a table that shows `fold_left(step, start, items)` one item at a time."""
    things = tuple(items)
    called = getattr(step, "__name__", "step").replace("<lambda>", "step")

    def act(_: Learner, folding: FoldState, action: Action) -> FoldState:
        if action != ["next"] or folding.number == len(things):
            return folding
        return FoldState((*folding.results, guarded(step, called, (folding.results[-1], things[folding.number]))))

    def view(folding: FoldState, room: Room) -> SceneView:
        number, after = folding.number, short_repr(folding.results[-1])
        message = "the start"
        if number:
            message = f"{called}({short_repr(folding.results[-2])}, {short_repr(things[number - 1])})  is  {after}"[
                :130
            ]
        items = []
        for n, (thing, x) in enumerate(zip(things, row(len(things), room.middle, room.width - 140, 84), strict=True)):
            look = {"c": "dim"} if n < number - 1 else {"c": "glow"} if n == number - 1 else {}
            items.append(value_item(f"i{n}", thing, x, 74, **look))
        items.append(words("result", f"result: {after}", room.middle, 172, "bold gold"))
        status = f"After {number} of {len(things)} items: {after}"
        if room is WIDE:
            items.append(words("=", message, room.middle, 212, "small"))
        else:
            status += f". {message}"
        going = [button("Next", ["next"], strong=True)] * (number < len(things))
        return {"h": 250, "items": items, "status": status, "bar": [*going, button("From the start", ["new"])]}

    rules = GameRules("A fold, step by step", "warmup", (), lambda *_: FoldState((start,)), act, view)
    return GameTable(rules, names, 0)
