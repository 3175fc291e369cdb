"""The Uno table: one person and up to nine bots, every turn run by the learner's `your_turn`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeAlias

from course.arena import values as arena
from course.effects import random_below
from course.exam.readable import one_line
from course.show.pictures import uno_code
from course.show.spoken import spoken
from course.tables.learner import ASKS_AGAIN, Ask, Learner, LearnerFault, answering, call_text, rule, seeded
from course.tables.scene import WIDE, Action, Item, Room, SceneView, button, item, row, words
from course.tables.table import GameRules, GameTable
from course.uno import (
    CLOCKWISE,
    COLORS,
    NAMES,
    RANKS,
    Args,
    Card,
    Color,
    Crd,
    Desk,
    DrawTwo,
    Execute,
    Give,
    Move,
    Num,
    Order,
    Player,
    Proceed,
    Reverse,
    Simple,
    Skip,
    Strategy,
    Wild,
)
from course.values import value

NEEDS = ("deal", "desk_normalize", "your_turn", "check_winner")  # what the table itself calls
YOU = "You"
IN_LINE, IN_BILL = 10, 24
SLOTS = ((118, 330), (118, 225), (118, 120), (275, 52), (460, 52), (645, 52), (802, 120), (802, 225), (802, 330))
SEATING = ((), (4,), (3, 5), (1, 4, 7), (1, 3, 5, 7), (1, 3, 4, 5, 7), (0, 2, 3, 5, 6, 8), (0, 2, 3, 4, 5, 6, 8)) + (
    (0, 1, 2, 3, 5, 6, 7, 8),
    tuple(range(9)),
)
MOST_SHOWN = 40


@value
class UnoPlan:
    """Where things lie in a room: the others' places, the middle of the table, where your hand begins."""

    room: Room
    slots: tuple[tuple[float, float], ...]
    rows: int

    @property
    def x(self) -> float:
        """Return the middle from left to right."""
        return self.room.middle

    @property
    def y(self) -> int:
        """Return how far down the middle of the table is."""
        return 140 + 92 * self.rows

    @property
    def hand(self) -> int:
        """Return how far down the hand is."""
        return self.y + 273

    @property
    def deck(self) -> tuple[float, float]:
        """Return where the deck lies."""
        return self.x - 55, self.y - 4


def plan_for(others: int, room: Room) -> UnoPlan:
    """Return where things lie: round the table, or, in a narrow room, the others in rows of three above it."""
    if room is WIDE:
        return UnoPlan(room, tuple(SLOTS[place] for place in SEATING[others]), 1)
    lines = list(room.lines(range(others), 3))
    places = ((x, 52 + 92 * n) for n, line in enumerate(lines) for x in row(len(line), room.middle, 370, 185))
    return UnoPlan(room, tuple(places), len(lines))


EndOfSet: TypeAlias = tuple[str, tuple[tuple[str, int], ...]]


@value
class Sitting:
    """A game of Uno between two turns, or in the middle of the person's turn."""

    desk: Desk
    seats: tuple[str, ...]
    seed: int
    number: int = 0
    log: tuple[str, ...] = ()
    laid_by: str = ""
    auto: bool = False
    told: Args | None = None
    picked: Card | None = None
    forced: str = ""
    result: EndOfSet | None = None

    @property
    def mover(self) -> str:
        """Return the name of the player to move."""
        return self.desk.players[0].name

    @property
    def mine(self) -> bool:
        """Return whether the person is to move."""
        return self.mover == YOU and not self.auto and self.result is None


def uno_table(
    *strategies: Any, bots: int = 3, pace: float = 0.6, names: dict[str, Any] | None = None, seed: int | None = None
) -> GameTable[Sitting]:
    """Return an Uno table for you and `bots` others, 1 to 9.

    The others play by `strategies` in turn: functions like `naive`, which it is if none is given, or bots of the last
    unit. Each takes `pace` seconds for its move.
    """
    if not 1 <= bots <= 9:
        raise ValueError("choose between 1 and 9 bots")

    def start(learner: Learner, seed: int) -> Sitting:
        return _dealt(learner, _players(learner, strategies, bots), seed)

    needs = NEEDS if strategies else (*NEEDS, "naive")
    return GameTable(GameRules("Uno", "uno", needs, start, act, view, ART, pace), names, seed)


# ---------------------------------------------------------------------------------------------------- who plays


def _players(learner: Learner, strategies: tuple[Any, ...], bots: int) -> tuple[Player, ...]:
    """Return the players: you, and the bots with their strategies, your `naive` looked up each time it is asked."""

    def naive(*told: Any) -> Move:
        return learner.names["naive"](*told)

    ways = tuple(map(strategy_of, strategies)) or (naive,)
    others = (Player(NAMES[n], (), ways[n % len(ways)], False) for n in range(bots))
    return Player(YOU, (), ways[0], False), *others


def strategy_of(bot: Any) -> Strategy:
    """Return a strategy as it is, and a bot of the last unit as a strategy."""
    return _strategy_of_bot(bot) if isinstance(bot, arena.Bot) else bot


def _strategy_of_bot(bot: arena.Bot) -> Strategy:
    def strategy(*told: Any) -> Move:
        args = Args(*told)
        sight = _sight(args)
        answer = bot.play_card(sight)
        card = next((card for card in args.playable if _in_arena(card) == answer), args.playable[0])
        if isinstance(card, Crd):
            return Simple(card)
        return Order(card, Color[bot.choose_color(sight).name])

    strategy.__name__ = bot.name
    return strategy


def _in_arena(card: Card) -> arena.Card:
    """Return a card of the lab's game as the arena writes it."""
    match card:
        case Crd(rank, color):
            return arena.Card(arena.Color[color.name], RANKS.index(rank) if isinstance(rank, Num) else _ACTIONS[rank])
        case Wild():
            return arena.Card(None, arena.WILD)
        case _:
            return arena.Card(None, arena.WILD_DRAW_FOUR)


_ACTIONS = {DrawTwo(): arena.DRAW_TWO, Reverse(): arena.REVERSE, Skip(): arena.SKIP}


def _sight(args: Args) -> arena.View:
    """Return what a bot of the arena sees: where only an answer to a skip may be laid, only these cards."""
    hand = args.playable if isinstance(args.state, Execute) else args.hand
    top = _in_arena(args.top)
    color = arena.Color[args.state.color.name] if isinstance(args.state, Give) else top.color or arena.RED
    roll = random_below(arena.ROLLS)
    return arena.View(tuple(map(_in_arena, hand)), top, color, args.counts, args.direction.value, roll)


def _seated(desk: Desk, strategy: Strategy) -> Desk:
    """Return the desk with the person's moves made by `strategy`."""
    return desk.with_players(tuple(Player(YOU, p.cards, strategy, False) if p.name == YOU else p for p in desk.players))


# ---------------------------------------------------------------------------------------------------- the game


def _dealt(learner: Learner, players: tuple[Player, ...], seed: int) -> Sitting:
    with seeded(seed):
        dealt = _desk(learner.call("deal", players), "deal", players)
        desk = _desk(learner.call("desk_normalize", dealt), "desk_normalize", dealt)
    rule(len(dealt.players) == len(players), call_text("deal", (players,)), "not every player is at the desk")
    _all_there(dealt, desk, call_text("desk_normalize", (dealt,)))
    return _ready(learner, Sitting(desk, tuple(player.name for player in players), seed + 1))


def _desk(desk: Any, name: str, given: Any) -> Desk:
    rule(isinstance(desk, Desk), call_text(name, (given,)), f"returned {desk!r}, not a Desk")
    return desk


def act(learner: Learner, sitting: Sitting, action: Action) -> Sitting:
    """Return the game after a click, or after a tick, at which a bot moves."""
    match action:
        case ["tick"] if not sitting.mine and sitting.result is None:
            return _ready(learner, _moved(learner, sitting, sitting.desk))
        case ["card", str(code)] if sitting.told:
            return _picked(learner, sitting, code)
        case ["color", str(name)] if sitting.picked:
            return _answered(learner, sitting, Order(sitting.picked, Color[name]))
        case ["back"]:
            return replace(sitting, picked=None)
        case ["sure"] if sitting.forced:
            return _answered(learner, sitting)
        case ["auto"]:
            return replace(sitting, auto=True, told=None, picked=None, forced="")
        case ["manual"]:
            return _ready(learner, replace(sitting, auto=False))
    return sitting


def _picked(learner: Learner, sitting: Sitting, code: str) -> Sitting:
    playable = sitting.told.playable if sitting.told else ()
    card = next((card for card in playable if uno_code(card) == code), None)
    if card is None or not isinstance(card, Crd):
        return replace(sitting, picked=card)
    return _answered(learner, sitting, Simple(card))


def _answered(learner: Learner, sitting: Sitting, *moves: Move) -> Sitting:
    """Return the game after the turn was run again, from the same desk and with the same chance, with the answer."""
    desk = _seated(sitting.desk, answering(moves))
    try:
        after = _moved(learner, sitting, desk)
    except Ask:
        raise LearnerFault(call_text("your_turn", (desk,)), ASKS_AGAIN) from None
    return _ready(learner, after)


def _ready(learner: Learner, sitting: Sitting) -> Sitting:
    """Return the game with the question to the person on it, if it is the person's turn: the turn is run to see it."""
    if not sitting.mine:
        return sitting
    try:
        after = _moved(learner, sitting, _seated(sitting.desk, answering(())))
    except Ask as ask:
        return replace(sitting, told=Args(*ask.question), picked=None, forced="")
    return replace(sitting, told=None, picked=None, forced=after.log[0])


def _moved(learner: Learner, sitting: Sitting, desk: Desk) -> Sitting:
    """Return the game after a whole turn from `desk`, which the learner's function makes."""
    with seeded(sitting.seed):
        after = _desk(learner.call("your_turn", desk), "your_turn", desk)
        result = learner.call("check_winner", after)
    move = _judged(desk, after)
    said = _told_of(sitting, after, move)
    kept = _seated(after, _own_strategy(sitting))
    laid_by = sitting.mover if move is not None else sitting.laid_by
    now = replace(sitting, desk=kept, seed=sitting.seed + 1, number=sitting.number + 1, laid_by=laid_by, result=result)
    return replace(now, log=(said, *sitting.log)[:10], told=None, picked=None, forced="")


def _own_strategy(sitting: Sitting) -> Strategy:
    return next(player.strategy for player in sitting.desk.players if player.name == YOU)


# ---------------------------------------------------------------------------------------------------- the referee


def _all_there(before: Desk, after: Desk, call: str) -> None:
    rule(_cards(before) == _cards(after), call, f"cards {_difference(_cards(before), _cards(after))}")
    names = [player.name for player in before.players] * 2
    seated = [player.name for player in after.players]
    here = any(names[n : n + len(seated)] == seated for n in range(len(before.players)))
    rule(
        here and 2 * len(seated) == len(names),
        call,
        f"the players must stay in the same order around the table, but are: {seated}",
    )


def _cards(desk: Desk) -> Counter[Card]:
    hands = (card for player in desk.players for card in player.cards)
    return Counter((*desk.pile, *desk.deck, *hands))


def _difference(before: Counter[Card], after: Counter[Card]) -> str:
    lost, found = tuple((before - after).elements()), tuple((after - before).elements())
    return " and ".join([f"are missing: {lost}"] * bool(lost) + [f"appear from nowhere: {found}"] * bool(found))


def _judged(before: Desk, after: Desk) -> Move | None:
    """Return the mover's move (None for a pass); Fault if the turn broke a rule that any turn must keep."""
    call = call_text("your_turn", (before,))
    _all_there(before, after, call)
    new = _new_memos(before, after)
    rule(new is not None, call, "the memory must be the old memory with this turn's moves in front")
    match (new or (None,))[-1]:
        case (Simple(card) | Order(card, _)) as move:
            rule(after.pile[0] == card, call, f"{card!r} was played, but does not lie on the pile")
            rule(_goes(before, card), call, f"{card!r} may not be laid on {before.pile[0]!r} in {before.state!r}")
            return move
    return None


def _new_memos(before: Desk, after: Desk) -> tuple[Move, ...] | None:
    """Return the moves of this turn, the newest first."""
    for count in (1, 2):
        if after.memory[count:] == before.memory[: 10 - count] and len(after.memory) >= count:
            return after.memory[:count]
    return None


def _goes(desk: Desk, card: Card) -> bool:
    """Return whether the rules of the lab let `card` be laid in the state of the desk."""
    match desk.state, desk.pile[0], card:
        case Execute(), Crd(rank, _), Crd(other, _):
            return rank == other
        case Give(color), _, Crd(_, other_color):
            return color is other_color
        case Proceed(), Crd(rank, color), Crd(other, other_color):
            return rank == other or color is other_color
    return not isinstance(desk.state, Execute)


def _told_of(sitting: Sitting, after: Desk, move: Move | None) -> str:
    """Return a turn in words."""
    before = {player.name: len(player.cards) for player in sitting.desk.players}
    drawn = {player.name: len(player.cards) - before[player.name] for player in after.players}
    drawn[sitting.mover] += move is not None
    parts = [_verb(sitting.mover, move, drawn.pop(sitting.mover))]
    parts += [f"{name} {'draw' if name == YOU else 'draws'} {count}" for name, count in drawn.items() if count > 0]
    return ", ".join(parts) + "."


def _verb(mover: str, move: Move | None, drawn: int) -> str:
    """Return a move in words, with what was drawn before it, and the four that a wild draw four may cost afterwards."""
    s, late = "" if mover == YOU else "s", 4 if isinstance(move, Order) and drawn >= 4 else 0
    draws = f" draw{s} {drawn - late} and" if drawn > late else ""
    match move:
        case Simple(card):
            return f"{mover}{draws} lay{s} {name_of(card)}"
        case Order(card, color):
            order = f"{mover}{draws} lay{s} {name_of(card)} and order{s} {color.name.lower()}"
            return f"{order}, but had a card of that color and draw{s} 4" if late else order
    return f"{mover}{draws} {'pass' if mover == YOU else 'passes'}"


# ---------------------------------------------------------------------------------------------------- the view


def name_of(card: Card) -> str:
    """Return a card in words.

    >>> name_of(Crd(DrawTwo(), COLORS[0]))
    'yellow draw two'
    """
    return spoken(f"uno:{uno_code(card)}")


def view(sitting: Sitting, room: Room) -> SceneView:
    """Return what the Uno table shows."""
    plan = plan_for(len(sitting.seats) - 1, room)
    middle = _bill(sitting, plan) if sitting.result else _middle(sitting, plan)
    items = [*_others(sitting, plan), *middle, *_hand(sitting, plan), *_choice(sitting, plan)]
    height = plan.hand + 75 + 66 * (len(_lines(sitting, room)) - 1)
    shown: SceneView = {"h": height, "items": items, "status": _status(sitting), "bar": _bar(sitting)}
    shown |= {"log": list(sitting.log), "over": sitting.result is not None}
    return shown | ({"wait": True} if not sitting.mine and sitting.result is None else {})


def _status(sitting: Sitting) -> str:
    if sitting.result:
        winner = sitting.result[0]
        return f"{winner} {'win' if winner == YOU else 'wins'}!"
    if sitting.picked:
        return f"You lay {name_of(sitting.picked)}: which color do you order?"
    if sitting.forced:
        return f"{_wants(sitting.desk)} None of your cards fits: {sitting.forced[0].lower()}{sitting.forced[1:]}"
    if sitting.told:
        drew = len(sitting.told.hand) > len(sitting.desk.players[0].cards)
        return f"{_wants(sitting.desk)} {f'You drew {name_of(_drawn(sitting))}. ' if drew else ''}Choose a card to lay."
    return f"{_wants(sitting.desk)} {sitting.mover} {'are' if sitting.mover == YOU else 'is'} thinking."


def _drawn(sitting: Sitting) -> Card:
    hand = Counter(sitting.told.hand if sitting.told else ())
    return next((hand - Counter(sitting.desk.players[0].cards)).elements())


def _wants(desk: Desk) -> str:
    match desk.state, desk.pile[0]:
        case Give(color), _:
            return f"{color.name.capitalize()} is ordered."
        case Execute(), Crd(rank, _):
            return f"A {'draw two' if isinstance(rank, DrawTwo) else 'skip'} waits."
        case _, top:
            return f"On the pile: {name_of(top)}."


def _bar(sitting: Sitting) -> list[dict[str, Any]]:
    new = button("New game", ["leave"])
    if sitting.result:
        return [new]
    if sitting.auto:
        return [button("I play again", ["manual"], strong=True), new]
    strategy = getattr(_own_strategy(sitting), "__name__", "the strategy")
    auto = button(f"Automatic: let {strategy} play for me", ["auto"])
    if sitting.forced:
        return [button("Go on", ["sure"], strong=True), auto, new]
    return [*([button("Another card", ["back"])] if sitting.picked else []), auto, new]


def _places(sitting: Sitting, plan: UnoPlan) -> dict[str, tuple[float, float]]:
    """Return the middle of each player's place: the others clockwise from the left, over the top, to the right."""
    others = [name for name in sitting.seats if name != YOU]
    return dict(zip(others, plan.slots, strict=True)) | {YOU: (plan.x, plan.hand)}


def _others(sitting: Sitting, plan: UnoPlan) -> Iterator[Item]:
    players = {player.name: player for player in sitting.desk.players}
    for name, (x, y) in _places(sitting, plan).items():
        count = len(players[name].cards)
        cards = f"{count} {'card' if count == 1 else 'cards'}"
        turn = name == sitting.mover and sitting.result is None
        about = cards if name == YOU else getattr(players[name].strategy, "__name__", "a strategy")[:12]
        label = f"{'▸ ' if turn else ''}{name} ({about})"
        yield words(f"n:{name}", label, x, y - 68 if name == YOU else y - 33, "bold gold" if turn else "bold")
        if name != YOU:
            yield item(f"f:{name}", f"fan:{min(count, MOST_SHOWN)}", x, y, f"{name} has {cards}")


def _middle(sitting: Sitting, plan: UnoPlan) -> Iterator[Item]:
    desk, (deck_x, deck_y) = sitting.desk, plan.deck
    direction = "clockwise" if desk.direction is CLOCKWISE else "counterclockwise"
    yield item("direction", f"sign:{direction}", plan.x, plan.y - 78, f"the direction is {direction}", z=0.9)
    if desk.deck:
        yield item("deck", "uno:back", deck_x, deck_y, f"the deck, {len(desk.deck)} cards")
    yield words("deck count", f"deck: {len(desk.deck)}", deck_x, deck_y + 72, "small")
    yield from _pile(sitting, plan)
    if isinstance(desk.state, Give):
        color = desk.state.color
        yield item("asked", f"color:{color.name[0]}", plan.x + 130, deck_y, f"{color.name.lower()} is ordered")
        yield words("asked name", color.name.lower(), plan.x + 130, deck_y + 49, "bold")
    elif isinstance(desk.state, Execute):
        yield words("asked name", "obey or answer!", plan.x + 185, deck_y, "bold gold")


def _pile(sitting: Sitting, plan: UnoPlan) -> Iterator[Item]:
    """Yield the top of the pile, the newest card last; it comes from the place of whoever laid it."""
    pile = sitting.desk.pile
    come = _places(sitting, plan).get(sitting.laid_by, plan.deck)
    for depth in reversed(range(min(3, len(pile)))):
        height = len(pile) - depth
        label = f"on the pile: {name_of(pile[0])}" if depth == 0 else ""
        x, y, turn = plan.x + 45, plan.y - 4, height * 41 % 17 - 8
        yield item(f"pile{height}", f"uno:{uno_code(pile[depth])}", x, y, label, r=turn, f=come)


def _lines(sitting: Sitting, room: Room) -> list[tuple[Card, ...]]:
    """Return the hand in order, line by line."""
    desk_hand = next(player.cards for player in sitting.desk.players if player.name == YOU)
    return room.lines(sorted(sitting.told.hand if sitting.told else desk_hand, key=_order), IN_LINE)


def _hand(sitting: Sitting, plan: UnoPlan) -> Iterator[Item]:
    seen: Counter[str] = Counter()
    for n, line in enumerate(_lines(sitting, plan.room)):
        for card, x in zip(line, row(len(line), plan.x, plan.room.width - 100, 74), strict=True):
            code = uno_code(card)
            seen[code] += 1
            manner = _manner(sitting, card)
            label = name_of(card) + (", you may lay it" if "do" in manner else "")
            yield item(f"{code}.{seen[code]}", f"uno:{code}", x, plan.hand + 66 * n, label, f=plan.deck, **manner)


def _order(card: Card) -> tuple[int, int]:
    match card:
        case Crd(rank, color):
            return COLORS.index(color), RANKS.index(rank)
    return len(COLORS), int(not isinstance(card, Wild))


def _manner(sitting: Sitting, card: Card) -> dict[str, Any]:
    """Return what a card in the hand looks like, and what a click on it does."""
    if sitting.picked:
        return {"c": "glow" if card == sitting.picked else "dim"}
    if sitting.told and card in sitting.told.playable:
        return {"c": "glow", "do": ["card", uno_code(card)]}
    return {"c": "dim"} if sitting.mine else {}


def _choice(sitting: Sitting, plan: UnoPlan) -> Iterator[Item]:
    """Yield the four colors to choose from, after a wild card was picked."""
    if sitting.picked:
        for color, x in zip(reversed(COLORS), row(4, plan.x, 400, 84), strict=True):
            name, y = color.name.lower(), plan.y + 134
            yield item(f"c:{name}", f"color:{color.name[0]}", x, y, f"order {name}", ["color", color.name])


def _bill(sitting: Sitting, plan: UnoPlan) -> Iterator[Item]:
    """Yield the losses, when the game is over."""
    if sitting.result:
        _, losses = sitting.result
        height, y = 40 + 24 * len(losses), plan.y + 8
        yield item("plate", f"plate:300x{height}", plan.x, y)
        yield words("bill", "losses", plan.x, y - height / 2 + 20, "bold gold")
        for n, (name, loss) in enumerate(sorted(losses, key=lambda pair: pair[1])):
            yield words(f"loss:{name}", f"{name}: {one_line(loss, IN_BILL)}", plan.x, y - height / 2 + 46 + 24 * n)


CODES = ("W", "F", "back", *(f"{hue}{sign}" for hue in "RBGY" for sign in "0123456789RSD"))
ART = (
    *(f"uno:{code}" for code in CODES),
    *(f"color:{hue}" for hue in "RBGY"),
    *(f"fan:{count}" for count in range(MOST_SHOWN + 1)),
    *("sign:clockwise", "sign:counterclockwise"),
    *(f"plate:300x{40 + 24 * count}" for count in range(2, 11)),
)
