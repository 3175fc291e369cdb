"""The Basra table: one person plays, and the learner's `capture` finds the captures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations
from random import Random

from course.basra import (
    SPADE,
    Captures,
    Card,
    Cards,
    Deck,
    Floor,
    Hand,
    deal_to_floor,
    deal_to_hand,
    pile_score,
    produce_unshuffled_deck,
    remove_cards,
)
from course.basra.pictures import basra_card_code
from course.basra_game import FULL_FLOOR, SWEEP_POINTS, bot
from course.show.cards import joined_with_and
from course.tables.making import (
    NARROW,
    WIDE,
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
    guarded,
    item,
    picture_name,
    row,
    rule,
    seeded,
    value,
    words,
)
from course.tables.picking import (
    NEW_CARDS_BUTTON,
    PickingState,
    extra_row_height,
    offered_items,
    picking_table,
    short_repr,
    value_item,
)

__all__ = ["basra_table", "try_capture"]
NEEDED_EXERCISES = ("produce_shuffled_deck", "is_game_over", "capture")  # the functions that the table itself calls
BOT_SCORE = 47  # the average of the bot of the course
AIM = (
    "Score as many points as you can. A card captures every card of the same rank, and groups of cards whose ranks add "
    "up to this rank. The captured cards and the card that captures them go to the scored pile. A jack, queen or king "
    "in this pile scores 2 points, and any other card 1 point. A sweep, which empties the floor, scores 3 points."
)


@value
class BasraLayout:
    """The layout of a table: its height, and the positions of the deck, the scored cards, the floor and the hand."""

    deck: tuple[int, int]
    scored: tuple[int, int]
    floor: int
    hand: int
    height: int


LAYOUTS = {
    WIDE: BasraLayout((90, 200), (830, 200), 225, 470, 530),
    NARROW: BasraLayout((85, 110), (450, 130), 400, 646, 720),
}


@value
class BasraGame:
    """A game of Basra between two rounds. `captures` are the groups of cards that the picked card would capture."""

    deck: Deck
    floor: Floor = ()
    hand: Hand = ()
    scored: Cards = ()
    sweeps: int = 0
    number: int = 0
    log: tuple[str, ...] = ()
    over: bool = False
    playable: Cards = ()
    picked: Card | None = None
    captures: Captures = ()


def basra_table(*, names: Names | None = None, seed: int | None = None) -> GameTable[BasraGame]:
    """Return a Basra table for one person."""
    return GameTable(GameRules("Basra", "basra", NEEDED_EXERCISES, _start, act, view, aim=AIM), names, seed)


# ---------------------------------------------------------------------------------------------------- the game


def _start(learner: Learner, seed: int) -> BasraGame:
    with seeded(seed):
        deck = learner.call("produce_shuffled_deck")
    deck_cards = sorted(map(repr, produce_unshuffled_deck()))
    right = guarded(lambda cards: sorted(map(repr, cards)) == deck_cards, "produce_shuffled_deck", (deck,))
    rule(right, "produce_shuffled_deck()", "a deck has each of the 52 cards once")
    return _refill(learner, BasraGame(tuple(deck)))


def _refill(learner: Learner, game: BasraGame) -> BasraGame:
    """Return the game after filling up the hand and the floor, with the cards that can be played now."""
    deck, hand = deal_to_hand(game.deck, game.hand)
    deck, floor = deal_to_floor(deck, game.floor)
    over = learner.call("is_game_over", deck, floor, hand)
    playable = (
        ()
        if over
        else tuple(card for card in hand if len(floor) < FULL_FLOOR or _checked_captures(learner, floor, card))
    )
    call = call_text("is_game_over", (deck, floor, hand))
    rule(bool(over or playable), call, "no card can be played, but the game is not over")
    return replace(game, deck=deck, floor=floor, hand=hand, over=bool(over), playable=playable)


def _checked_captures(learner: Learner, floor: Floor, card: Card) -> Captures:
    """Return the captures of the learner's `capture`. Raises LearnerFault if they break a rule."""
    captures, call = learner.call("capture", floor, card), call_text("capture", (floor, card))
    rule(isinstance(captures, tuple | list), call, f"returned {captures!r}, not a tuple of captures")
    taken = guarded(lambda match: tuple(chain.from_iterable(match)), call, (captures,))
    rule(
        all(each in floor for each in taken),
        call,
        f"returned {captures!r}, but not all of these cards are on the floor",
    )
    rule(len({*taken}) == len(taken), call, f"returned {captures!r}, but a card is captured twice")
    rule(
        all(_adds_up(some, card) for some in captures),
        call,
        f"returned {captures!r}, but not all captures add up to {card.rank}",
    )
    left = next((some for some in _sublists(remove_cards(floor, taken)) if _adds_up(some, card)), None)
    rule(left is None, call, f"returned {captures!r}, but {left!r} can still be captured")
    return captures


def _sublists(cards: Cards) -> Iterator[Cards]:
    return chain.from_iterable(combinations(cards, size) for size in range(1, len(cards) + 1))


def _adds_up(some: Cards, card: Card) -> bool:
    return sum(each.rank for each in some) == card.rank


def act(learner: Learner, game: BasraGame, action: Action) -> BasraGame:
    """Return the game after a click, which picks a card or plays the picked card."""
    match action:
        case ["pick", str(code)]:
            card = next((card for card in game.playable if basra_card_code(card) == code), None)
            if card is not None and card == game.picked:
                return _play_picked_card(learner, game)
            return replace(game, picked=card, captures=_checked_captures(learner, game.floor, card) if card else ())
        case ["back"]:
            return replace(game, picked=None, captures=())
        case ["play"] if game.picked:
            return _play_picked_card(learner, game)
    return game


def _play_picked_card(learner: Learner, game: BasraGame) -> BasraGame:
    """Return the game after playing the picked card and filling up the hand and the floor."""
    card, taken = game.picked, tuple(chain.from_iterable(game.captures))
    assert card is not None
    hand, floor = remove_cards(game.hand, (card,)), remove_cards(game.floor, taken)
    message = round_text(card, game.captures, floor)
    after = replace(game, hand=hand, floor=floor if taken else (*floor, card), log=(message, *game.log)[:10])
    if taken:
        scored = (*game.scored, card, *taken)
        after = replace(after, scored=scored, sweeps=game.sweeps + (not floor))
    return _refill(learner, replace(after, picked=None, captures=(), number=game.number + 1))


def round_text(card: Card, captures: Captures, left: Floor) -> str:
    """Return a sentence that describes a round."""
    if not captures:
        return f"The {picture_name(card)} is laid on the floor."
    taken = "; ".join(
        joined_with_and([f"the {picture_name(each) or short_repr(each)}" for each in some]) for some in captures
    )
    return f"The {picture_name(card)} captures {taken}.{'' if left else ' A sweep!'}"


# ---------------------------------------------------------------------------------------------------- the view


def view(game: BasraGame, room: Room) -> SceneView:
    """Return the view of the Basra table: what the page draws."""
    floor = (
        f"On the floor: {joined_with_and(list(map(picture_name, game.floor)))}."
        if game.floor
        else "The floor is empty."
    )
    bar = [button("Play it", ["play"], strong=True)] * (game.picked is not None)
    return {
        "h": LAYOUTS[room].height,
        "items": [*_pile_items(game, LAYOUTS[room], room), *_hand_items(game, room)],
        "status": _status(game),
        "bar": [*bar, button("New game", ["leave"], strong=game.over)],
        "log": list(game.log),
        "over": game.over,
        "around": "" if game.picked else floor,
        "hand": list(map(picture_name, game.hand)),
    }


def _status(game: BasraGame) -> str:
    if game.over:
        return f"The game is over. Your score: {_score(game)}. A simple bot scores about {BOT_SCORE}."
    if game.picked:
        return f"{round_text(game.picked, game.captures, game.floor)} Play it?"
    must = (
        f" The floor has {FULL_FLOOR} cards or more: play a card that captures."
        if len(game.floor) >= FULL_FLOOR
        else ""
    )
    aim = "" if game.number else f"Capture cards, and score more than a simple bot, which scores about {BOT_SCORE}. "
    return f"{aim}Pick a card from your hand.{must}"


def _score(game: BasraGame) -> int:
    return pile_score(game.scored) + SWEEP_POINTS * game.sweeps


def _pile_items(game: BasraGame, plan: BasraLayout, room: Room) -> Iterator[Item]:
    """Yield the deck, the cards scored, and the floor."""
    x, y = plan.deck
    for n in range(min(3, len(game.deck))):
        yield item(f"deck{n}", "card:back", x - 2 * n, y - 2 * n)
    yield words("deck", f"deck: {len(game.deck)}", x, y + 74)
    x, y = plan.scored
    for card in game.scored[-6:]:
        yield item(basra_card_code(card), f"card:{basra_card_code(card)}", x, y, r=5 * card.rank % 9 - 4, f=plan.scored)
    yield words("scored", f"{len(game.scored)} cards scored", x, y + 74)
    yield words("sweeps", f"sweeps: {game.sweeps}", x, y + 98)
    yield words("score", f"score: {_score(game)}", x, y - 76, "big gold")
    yield words("floor", f"floor: {len(game.floor)} cards", room.middle, plan.floor - 160, "bold")
    taken = set(chain.from_iterable(game.captures))
    lines = [game.floor[start : start + 6] for start in range(0, len(game.floor), 6)]
    for line, height in zip(lines, row(len(lines), plan.floor, 360, 122), strict=True):
        for card, across in zip(line, row(len(line), room.middle, 480, 80), strict=True):
            look = {} if not game.picked else {"c": "glow"} if card in taken else {"c": "dim"}
            label = f"{picture_name(card)}, on the floor{', captured' if card in taken else ''}"
            yield item(
                basra_card_code(card), f"card:{basra_card_code(card)}", across, height, label, f=plan.deck, **look
            )


def _hand_items(game: BasraGame, room: Room) -> Iterator[Item]:
    plan = LAYOUTS[room]
    size = 1 if room is WIDE else 1.3
    yield words("hand", "your hand", room.middle, plan.hand - 72 * size, "bold")
    for card, x in zip(game.hand, row(len(game.hand), room.middle, 480, 80 * size), strict=True):
        picked = card == game.picked
        captures = any(_adds_up(some, card) for some in _sublists(game.floor))
        look = {"c": "glow"} if captures else {}
        does = {"do": ["pick", basra_card_code(card)]} | look if card in game.playable else {"c": "dim"}
        y, label = plan.hand - 14 * picked, picture_name(card) + (", you may play it" if "do" in does else "")
        code = basra_card_code(card)
        yield item(code, f"card:{code}", x, y, label, f=plan.deck, z=size, on=str(picked).lower(), **does)


# ---------------------------------------------------------------------------------------------------- trying a function


def try_capture(*, names: Names | None = None) -> GameTable[PickingState[Card]]:
    """Return a table to try `capture`: play a card of any rank, and see which cards of the floor it takes."""

    def view(picking: PickingState[Card], room: Room) -> SceneView:
        floor, captures = _floor_to_try(picking), picking.answer or ()
        items = [*offered_items(picking, room, 250, 64, 0.74)]
        signs = {card: n + 1 for n, some in enumerate(captures) for card in some}
        for card, x in zip(floor, row(len(floor), room.middle, room.width - 100, 92), strict=True):
            look = {"c": "glow"} if card in signs else {"c": "dim"} if picking.picked else {}
            items.append(value_item(f"f{card}", card, x, 74, **look))
            if card in signs:
                items.append(words(f"s{card}", f"capture {signs[card]}", x, 142, "small gold"))
        message = round_text(picking.picked[0], captures, floor) if picking.picked else "Play a card on this floor."
        return {
            "h": 305 + extra_row_height(picking, room),
            "items": items,
            "status": message,
            "bar": [NEW_CARDS_BUTTON],
        }

    return picking_table(
        "What a card captures",
        "basra",
        "capture",
        view,
        offer=lambda _: SPADES,
        most=1,
        answer=lambda learner, picking: learner.call("capture", _floor_to_try(picking), picking.picked[0]),
        names=names,
    )


SPADES = tuple(Card(SPADE, rank) for rank in range(1, 14))


def _floor_to_try(picking: PickingState[Card]) -> Cards:
    """Return seven cards of other suits, always the same for a seed."""
    others = [card for card in produce_unshuffled_deck() if card.suit is not SPADE]
    return tuple(Random(picking.seed).sample(others, 7))


def _next_action(table: AnyTable) -> Action:
    """Pick the card that captures most, and play it."""
    game, capture = table.state, table.learner.names["capture"]
    return ["play"] if game.picked else ["pick", basra_card_code(bot(capture, game.floor, game.playable))]


GAME = UnitGame(
    "Basra",
    record=lambda names, seed: basra_table(names=names, seed=seed),
    drive=_next_action,
    play=lambda names: basra_table(names=names),
)
