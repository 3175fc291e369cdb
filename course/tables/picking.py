"""Small tables on which a learner picks cards or tiles, and tries a function on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Any, Generic, TypeVar

from course.exam.calls import Names
from course.show.pictures import picture_of, spoken
from course.tables.learner import Learner
from course.tables.scene import Action, Item, Room, SceneView, button, item, row, words
from course.tables.table import GameRules, GameTable
from course.values import value

T = TypeVar("T")
NEW_CARDS_BUTTON = button("New cards", ["new"])
OFFERED_PER_LINE = 7


def value_item(key: str, thing: object, x: float, y: float, **more: object) -> Item:
    """Return an item that shows a value as a picture, or as text if the value has no picture."""
    picture = picture_of(thing)
    label = spoken(picture) + (", you may pick it" if more.get("do") else "")
    return item(key, picture, x, y, label, **more) if picture else words(key, short_repr(thing), x, y, "bold")


def short_repr(thing: object) -> str:
    """Return a value as text. A long text is shortened."""
    text = repr(thing)
    return text if len(text) <= 90 else f"{text[:90]} …"


@value
class PickingState(Generic[T]):
    """The cards or tiles on offer, the picked ones in order, and the result of the learner's function for them."""

    seed: int = 0
    offer: tuple[T, ...] = ()
    picked: tuple[T, ...] = ()
    answer: Any = None
    number: int = 0


def picking_table(
    title: str,
    unit: str,
    need: str,
    view: Callable[[PickingState[T], Room], SceneView],
    *,
    offer: Callable[[Random], Iterable[T]],
    most: int,
    answer: Callable[[Learner, PickingState[T]], object],
    names: Names | None,
) -> GameTable[PickingState[T]]:
    """Return a table to try the function `need` on at most `most` things that the learner picks.

    If `most` things are already picked, the next click starts a new selection. `offer` returns the things to pick from.
    """

    def act(learner: Learner, picking: PickingState[T], action: Action) -> PickingState[T]:
        match action:
            case ["pick", int(index)] if index < len(picking.offer):
                before = picking.picked if len(picking.picked) < most else ()
                after = replace(picking, picked=(*before, picking.offer[index]), number=picking.number + 1)
                return replace(after, answer=answer(learner, after))
        return picking

    rules = GameRules(title, unit, (need,), lambda _, seed: PickingState(seed, tuple(offer(Random(seed)))), act, view)
    return GameTable(rules, names)


def offered_items(
    picking: PickingState[T], room: Room, y: float, step: float = 74, scale: float = 0.8
) -> Iterator[Item]:
    """Yield the items that can be picked, in two rows if one row is too short."""
    for m, line in enumerate(room.lines(enumerate(picking.offer), OFFERED_PER_LINE)):
        for (n, thing), x in zip(line, row(len(line), room.middle, room.width - 90, step), strict=True):
            look = {"c": "dim"} if thing in picking.picked else {}
            yield value_item(f"o{n}", thing, x, y + 92 * m, z=scale, do=["pick", n], **look)


def extra_row_height(picking: PickingState[T], room: Room) -> int:
    """Return the additional height that a second row of tiles or cards needs."""
    return 92 * (len(room.lines(picking.offer, OFFERED_PER_LINE)) - 1)
