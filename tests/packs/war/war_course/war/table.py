"""The table of war: you turn up the first cards, and the learner's `outranks` judges them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from course.effects import shuffle_list
from course.tables.making import (
    Action,
    AnyTable,
    GameRules,
    GameTable,
    Item,
    Learner,
    Names,
    Room,
    SceneView,
    UnitGame,
    button,
    call_text,
    item,
    picture_of,
    row,
    rule,
    seeded,
    spoken,
    value,
)
from war_course.war import FIRST, SECOND, Card, Hand, Side, Suit

PACK = tuple(Card(rank, suit) for suit in Suit for rank in range(7, 11))


@value
class Field:
    """A battle: the cards of both players, the winner of the last meeting, and the log."""

    one: Hand
    other: Hand
    met: tuple[Card, ...] = ()
    won: Side | None = None
    number: int = 0
    log: tuple[str, ...] = ()


def war_table(*, names: Names | None = None, seed: int | None = None) -> GameTable[Field]:
    """Return a table of war."""
    return GameTable(GameRules("War", "war", ("deal", "outranks"), start, act, view), names, seed)


def start(learner: Learner, seed: int) -> Field:
    """Return the cards as the learner deals them."""
    with seeded(seed):
        pack = shuffle_list(PACK)
    hands = learner.call("deal", pack)
    rule(sorted(map(repr, sum(hands, ()))) == sorted(map(repr, pack)), call_text("deal", (pack,)), "cards are missing")
    return Field(*hands)


def act(learner: Learner, field: Field, action: Action) -> Field:
    """Return the battle after the first cards have met."""
    if action != ["meet"] or not field.one:
        return field
    mine, yours = field.one[0], field.other[0]
    won = FIRST if learner.call("outranks", mine, yours) else SECOND if learner.call("outranks", yours, mine) else None
    line = f"{spoken(picture_of(mine))} meets {spoken(picture_of(yours))}: {won}."
    after = replace(field, one=field.one[1:], other=field.other[1:], met=(mine, yours), won=won)
    return replace(after, number=field.number + 1, log=(line, *field.log))


def view(field: Field, room: Room) -> SceneView:
    """Return what is on the screen."""
    return {
        "h": 240,
        "items": [*_met(field, room), *_hand(field, room)],
        "status": "Turn up your first card." if field.one else "The war is over.",
        "bar": [button("New game", ["leave"], strong=not field.one)],
        "log": list(field.log),
        "over": not field.one,
    }


def _met(field: Field, room: Room) -> Iterator[Item]:
    for card, x in zip(field.met, row(2, room.middle, 200, 100), strict=False):
        key = picture_of(card)
        yield item(key, key, x, 60, spoken(key))


def _hand(field: Field, room: Room) -> Iterator[Item]:
    for n, (card, x) in enumerate(zip(field.one, row(len(field.one), room.middle, room.width - 100, 60), strict=True)):
        key = picture_of(card)
        yield item(
            key, key, x, 180, f"{spoken(key)}, you may turn it up" if n == 0 else "", ["meet"] if n == 0 else None
        )


def _recorded(names: Names, seed: int) -> AnyTable:
    return war_table(names=names, seed=seed)


def _by_hand(names: Names) -> AnyTable:
    return war_table(names=names)


GAME = UnitGame("War", _recorded, play=_by_hand)
