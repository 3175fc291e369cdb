"""The Uno table: one person and up to nine bots; the learner's `your_turn` makes every turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from course.exam.calls import Names
from course.exam.readable import one_line
from course.show.pictures import spoken
from course.tables.game import UnitGame
from course.tables.learner import ASKS_AGAIN, Ask, Learner, LearnerFault, answering, call_text, rule, seeded
from course.tables.picking import NEW, Picking, lower_by, offered_items, picking_table, value_item
from course.tables.scene import WIDE, Action, Item, Room, SceneView, button, item, row, words
from course.tables.table import AnyTable, GameRules, GameTable
from course.uno import (
    CLOCKWISE,
    COLORS,
    NAMES,
    RANKS,
    WILDS,
    Args,
    Card,
    Color,
    Crd,
    Desk,
    DrawTwo,
    Execute,
    Give,
    Move,
    Order,
    Player,
    Proceed,
    Simple,
    Strategy,
    Wild,
    first_playable,
)
from course.uno.pictures import uno_code
from course.values import value

__all__ = ["try_order", "uno_table", "watch_deal"]
NEEDS = ("deal", "desk_normalize", "your_turn", "check_winner")  # the functions that the table itself calls
YOU = "You"
AIM = (
    "Be the first without cards: the others lose the value of their cards. Lay a card of the color or the rank of the "
    "top card, or a wild card, and choose a color for it. If you have no such card, you draw one."
)
IN_LINE, IN_BILL = 6, 24
SLOTS = ((118, 330), (118, 225), (118, 120), (275, 52), (460, 52), (645, 52), (802, 120), (802, 225), (802, 330))
SEATING = ((), (4,), (3, 5), (1, 4, 7), (1, 3, 5, 7), (1, 3, 4, 5, 7), (0, 2, 3, 5, 6, 8), (0, 2, 3, 4, 5, 6, 8)) + (
    (0, 1, 2, 3, 5, 6, 7, 8),
    tuple(range(9)),
)
MOST_SHOWN = 40
LINE = 74  # the distance between two lines of the hand


@value
class UnoPlan:
    """The layout of a table: the positions of the other players, of the middle, of the deck, and of your hand."""

    room: Room
    slots: tuple[tuple[float, float], ...]
    x: float
    y: int
    deck: tuple[float, float]
    hand: int
    size: float


def plan_for(others: int, room: Room) -> UnoPlan:
    """Return the layout for a number of other players: around the table, or in a narrow room in rows of three."""
    lines = [*room.lines(range(others), 3)]
    positions = ((x, 52 + 92 * n) for n, line in enumerate(lines) for x in row(len(line), room.middle, 370, 185))
    slots = [SLOTS[position] for position in SEATING[others]] if room is WIDE else positions
    x, y = room.middle, 140 + 92 * len(lines)
    return UnoPlan(room, tuple(slots), x, y, (x - 55, y - 4), y + 235, 1 if room is WIDE else 1.12)


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
    args: Args | None = None
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
    *strategies: Strategy,
    bots: int = 3,
    pace: float = 0.6,
    names: Names | None = None,
    seed: int | None = None,
) -> GameTable[Sitting]:
    """Return an Uno table for you and `bots` others (1 to 9).

    The others use the `strategies` in turn: functions like `naive` (the default). A move takes `pace` seconds.
    """
    if not 1 <= bots <= 9:
        raise ValueError("choose between 1 and 9 bots")
    if not all(map(callable, strategies)):
        raise ValueError("a strategy is a function like `naive`, not a bot of the last unit")

    def start(learner: Learner, seed: int) -> Sitting:
        return _new_sitting(learner, _players(learner, strategies, bots), seed)

    needs = NEEDS if strategies else (*NEEDS, "naive")
    return GameTable(GameRules("Uno", "uno", needs, start, act, view, ART, pace, aim=AIM), names, seed)


# ---------------------------------------------------------------------------------------------------- who plays


def _players(learner: Learner, strategies: tuple[Strategy, ...], bots: int) -> tuple[Player, ...]:
    """Return the players: you, and the bots with their strategies. Your `naive` is looked up for each move."""

    def naive(*received: object) -> Move:
        return learner.names["naive"](*received)

    ways = strategies or (naive,)
    others = (Player(NAMES[n], (), ways[n % len(ways)], False) for n in range(bots))
    return Player(YOU, (), ways[0], False), *others


def _seated(desk: Desk, strategy: Strategy) -> Desk:
    """Return the desk, with `strategy` making the person's moves."""
    return desk.with_players(tuple(Player(YOU, p.cards, strategy, False) if p.name == YOU else p for p in desk.players))


# ---------------------------------------------------------------------------------------------------- the game


def _new_sitting(learner: Learner, players: tuple[Player, ...], seed: int) -> Sitting:
    with seeded(seed):
        started = _ensure_desk(learner.call("deal", players), "deal", players)
        desk = _ensure_desk(learner.call("desk_normalize", started), "desk_normalize", started)
    rule(len(started.players) == len(players), call_text("deal", (players,)), "some players are missing from the desk")
    _all_there(started, desk, call_text("desk_normalize", (started,)))
    return _ready(learner, Sitting(desk, tuple(player.name for player in players), seed + 1))


def _ensure_desk(desk: object, name: str, given: object) -> Desk:
    if not isinstance(desk, Desk):
        raise LearnerFault(call_text(name, (given,)), f"returned {desk!r}, not a Desk")
    return desk


def act(learner: Learner, sitting: Sitting, action: Action) -> Sitting:
    """Return the game after a click, or after a tick, at which a bot moves."""
    match action:
        case ["tick"] if not sitting.mine and sitting.result is None:
            return _ready(learner, _moved(learner, sitting, sitting.desk))
        case ["card", str(code)] if sitting.args:
            return _picked(learner, sitting, code)
        case ["color", str(name)] if sitting.picked:
            return _answered(learner, sitting, Order(sitting.picked, Color[name]))
        case ["back"]:
            return replace(sitting, picked=None)
        case ["sure"] if sitting.forced:
            return _answered(learner, sitting)
        case ["auto"]:
            return replace(sitting, auto=True, args=None, picked=None, forced="")
        case ["manual"]:
            return _ready(learner, replace(sitting, auto=False))
    return sitting


def _picked(learner: Learner, sitting: Sitting, code: str) -> Sitting:
    playable = sitting.args.playable if sitting.args else ()
    card = next((card for card in playable if uno_code(card) == code), None)
    if card is None or not isinstance(card, Crd):
        return replace(sitting, picked=card)
    return _answered(learner, sitting, Simple(card))


def _answered(learner: Learner, sitting: Sitting, *moves: Move) -> Sitting:
    """Return the game after running the turn again with the person's answers.

    The turn starts from the same desk and seed as before.
    """
    desk = _seated(sitting.desk, answering(moves))
    try:
        after = _moved(learner, sitting, desk)
    except Ask:
        raise LearnerFault(call_text("your_turn", (desk,)), ASKS_AGAIN) from None
    return _ready(learner, after)


def _ready(learner: Learner, sitting: Sitting) -> Sitting:
    """Return the game with the question to the person, if it is the person's turn.

    The turn is run to get the question.
    """
    if not sitting.mine:
        return sitting
    try:
        after = _moved(learner, sitting, _seated(sitting.desk, answering(())))
    except Ask as ask:
        return replace(sitting, args=Args(*ask.question), picked=None, forced="")
    return replace(sitting, args=None, picked=None, forced=after.log[0])


def _moved(learner: Learner, sitting: Sitting, desk: Desk) -> Sitting:
    """Return the game after a complete turn from `desk`, made by the learner's function."""
    with seeded(sitting.seed):
        after = _ensure_desk(learner.call("your_turn", desk), "your_turn", desk)
        result = learner.call("check_winner", after)
    move = _judged(desk, after)
    message = _turn_text(sitting, after, move)
    next_desk = _seated(after, _own_strategy(sitting))
    laid_by = sitting.mover if move is not None else sitting.laid_by
    now = replace(
        sitting, desk=next_desk, seed=sitting.seed + 1, number=sitting.number + 1, laid_by=laid_by, result=result
    )
    return replace(now, log=(message, *sitting.log)[:10], args=None, picked=None, forced="")


def _own_strategy(sitting: Sitting) -> Strategy:
    return next(player.strategy for player in sitting.desk.players if player.name == YOU)


# ---------------------------------------------------------------------------------------------------- the referee


def _all_there(before: Desk, after: Desk, call: str) -> None:
    difference = _difference(_cards(before), _cards(after))
    rule(not difference, call, f"cards {difference}")
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
    lost, added = tuple((before - after).elements()), tuple((after - before).elements())
    return " and ".join([f"are missing: {lost}"] * bool(lost) + [f"appear from nowhere: {added}"] * bool(added))


def _judged(before: Desk, after: Desk) -> Move | None:
    """Return the move of the player (None for a pass). Raises LearnerFault if the turn broke a rule."""
    call = call_text("your_turn", (before,))
    _all_there(before, after, call)
    new = _new_memos(before, after)
    rule(new is not None, call, "the new memory must be this turn's moves, followed by the old memory")
    match (new or (None,))[-1]:
        case (Simple(card) | Order(card, _)) as move:
            rule(after.pile[0] == card, call, f"{card!r} was played, but is not on the pile")
            rule(
                _may_be_laid(before, card),
                call,
                f"{card!r} may not be laid on {before.pile[0]!r} in state {before.state!r}",
            )
            return move
    return None


def _new_memos(before: Desk, after: Desk) -> tuple[Move, ...] | None:
    """Return this turn's moves, newest first; None if the old memory was changed."""
    for count in (1, 2):
        if after.memory[count:] == before.memory[: 10 - count] and len(after.memory) >= count:
            return after.memory[:count]
    return None


def _may_be_laid(desk: Desk, card: Card) -> bool:
    """Return whether the rules allow `card` on this desk."""
    match desk.state, desk.pile[0], card:
        case Execute(), Crd(rank, _), Crd(other, _):
            return rank == other
        case Give(color), _, Crd(_, other_color):
            return color is other_color
        case Proceed(), Crd(rank, color), Crd(other, other_color):
            return rank == other or color is other_color
    return not isinstance(desk.state, Execute)


def _turn_text(sitting: Sitting, after: Desk, move: Move | None) -> str:
    """Return a sentence that describes a turn."""
    before = {player.name: len(player.cards) for player in sitting.desk.players}
    drawn = {player.name: len(player.cards) - before[player.name] for player in after.players}
    drawn[sitting.mover] += move is not None
    parts = [_verb(sitting.mover, move, drawn.pop(sitting.mover))]
    parts += [f"{name} {'draw' if name == YOU else 'draws'} {count}" for name, count in drawn.items() if count > 0]
    return ", ".join(parts) + "." + "".join(map(_almost_out, after.players))


def _almost_out(player: Player) -> str:
    """Return the warning that a player has one card left."""
    return f" {player.name} {'have' if player.name == YOU else 'has'} one card left." if len(player.cards) == 1 else ""


def _verb(mover: str, move: Move | None, drawn: int) -> str:
    """Return a move as text, with the cards drawn before it, and the possible cost of a wild draw four."""
    s, late = "" if mover == YOU else "s", 4 if isinstance(move, Order) and drawn >= 4 else 0
    draws = f" draw{s} {drawn - late} and" if drawn > late else ""
    match move:
        case Simple(card):
            return f"{mover}{draws} play{s} {name_of(card)}"
        case Order(card, color):
            order = f"{mover}{draws} play{s} {name_of(card)} and choose{s} {color.name.lower()}"
            return f"{order}, but had a card of the color to match and draw{s} 4" if late else order
    return f"{mover}{draws} {'pass' if mover == YOU else 'passes'}"


# ---------------------------------------------------------------------------------------------------- the view


def name_of(card: Card) -> str:
    """Return a card's name.

    >>> name_of(Crd(DrawTwo(), COLORS[0]))
    'yellow draw two'
    """
    return spoken(f"uno:{uno_code(card)}")


def view(sitting: Sitting, room: Room) -> SceneView:
    """Return the view of the Uno table."""
    plan = plan_for(len(sitting.seats) - 1, room)
    items = [*_others(sitting, plan), *_middle(sitting, plan), *_hand(sitting, plan), *_choice(sitting, plan)]
    height = plan.hand + 58 * plan.size + LINE * (len(_lines(sitting, room)) - 1)
    return {
        "h": round(height),
        "items": items,
        "status": _status(sitting),
        "bar": _bar(sitting),
        "log": list(sitting.log),
        "over": sitting.result is not None,
        "wait": not sitting.mine and sitting.result is None,
        **_for_the_ear(sitting),
    }


def _for_the_ear(sitting: Sitting) -> SceneView:
    """Return what is spoken of a table besides the moves: cards or losses of the players, in turn, and your hand."""
    if sitting.result:
        losses = (f"{name}: {one_line(loss, IN_BILL)} points" for name, loss in sitting.result[1])
        return {"around": f"{', '.join(losses)}."}
    if sitting.picked:
        return {}
    first, *others = sitting.desk.players
    turns = (player for player in (first, *others[:: sitting.desk.direction.value]) if player.name != YOU)
    counts = (f"{player.name}: {_cards_text(player)}" for player in turns)
    return {"around": f"In turn: {', '.join(counts)}.", "hand": list(map(name_of, _own_hand(sitting)))}


def _status(sitting: Sitting) -> str:
    if sitting.result:
        winner = sitting.result[0]
        return f"{winner} {'win' if winner == YOU else 'wins'}!"
    if sitting.picked:
        return f"You played {name_of(sitting.picked).title()}. Choose a color."
    if sitting.forced:
        return f"{_wants(sitting.desk)} No card of yours fits. {sitting.forced}"
    if sitting.args:
        drew = len(sitting.args.hand) > len(sitting.desk.players[0].cards)
        news = f"You drew {name_of(_drawn_card(sitting))}. " if drew else ""
        return f"{_wants(sitting.desk)} {news}Choose a card to play."
    who = f"{_autoplayer(sitting)} plays for you." if sitting.mover == YOU else f"{sitting.mover} is thinking."
    return f"{_wants(sitting.desk)} {who}"


def _autoplayer(sitting: Sitting) -> str:
    return getattr(_own_strategy(sitting), "__name__", "the strategy")


def _drawn_card(sitting: Sitting) -> Card:
    hand = Counter(sitting.args.hand if sitting.args else ())
    return next((hand - Counter(sitting.desk.players[0].cards)).elements())


def _wants(desk: Desk) -> str:
    match desk.state, desk.pile[0]:
        case Give(color), _:
            return f"{color.name.capitalize()} was chosen."
        case Execute(), Crd(rank, _):
            return f"{'Draw Two' if isinstance(rank, DrawTwo) else 'Skip'} pending."
        case _, top:
            return f"On the pile: {name_of(top)}."


def _bar(sitting: Sitting) -> list[Item]:
    new = button("New game", ["leave"])
    if sitting.result:
        return [button("New game", ["leave"], strong=True)]
    if sitting.auto:
        return [button("Stop autoplay", ["manual"], strong=True), new]
    auto = button(f"Autoplay ({_autoplayer(sitting)} bot)", ["auto"])
    if sitting.forced:
        return [button("Continue", ["sure"], strong=True), auto, new]
    return [*([button("Another card", ["back"])] if sitting.picked else []), auto, new]


def _positions(sitting: Sitting, plan: UnoPlan) -> dict[str, tuple[float, float]]:
    """Return each player's position: clockwise from the left, over the top, to the right."""
    others = [name for name in sitting.seats if name != YOU]
    return dict(zip(others, plan.slots, strict=True)) | {YOU: (plan.x, plan.hand)}


def _others(sitting: Sitting, plan: UnoPlan) -> Iterator[Item]:
    players = {player.name: player for player in sitting.desk.players}
    for name, (x, y) in _positions(sitting, plan).items():
        count, cards = len(players[name].cards), _cards_text(players[name])
        turn = name == sitting.mover and sitting.result is None
        label = f"{'▸ ' if turn else ''}{name}{_about(players[name], cards, plan)}{_loss(sitting, name)}"
        above = 68 * plan.size if name == YOU else 33
        yield words(f"n:{name}", label, x, y - above, "bold gold" if turn else "bold")
        if name != YOU and sitting.result:
            yield from _open_hand(name, players[name].cards, x, y)
        elif name != YOU:
            yield item(f"f:{name}", f"fan:{min(count, MOST_SHOWN)}", x, y, f"{name} has {cards}")


def _cards_text(player: Player) -> str:
    return f"{len(player.cards)} card{'s' * (len(player.cards) != 1)}"


def _open_hand(name: str, cards: tuple[Card, ...], x: float, y: float) -> Iterator[Item]:
    """Yield the cards that a player has left at the end."""
    for n, (card, at) in enumerate(zip(cards, row(len(cards), x, 130, 30), strict=True)):
        yield item(f"e:{name}.{n}", f"uno:{uno_code(card)}", at, y, name_of(card), z=0.38)


def _loss(sitting: Sitting, name: str) -> str:
    """Return the points that a player loses, or "" before the end of the game."""
    losses = dict(sitting.result[1]) if sitting.result else {}
    return f": {one_line(losses[name], IN_BILL)}" if name in losses else ""


def _about(player: Player, cards: str, plan: UnoPlan) -> str:
    """Return the text after a player's name: how many cards you have, or which strategy a bot uses."""
    if player.name == YOU:
        return f" ({cards})"
    return f" ({getattr(player.strategy, '__name__', 'a strategy')[:12]})" if plan.room is WIDE else ""


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
        yield item("asked", f"color:{color.name[0]}", plan.x + 130, deck_y, f"{color.name.lower()} was chosen")
        yield words("asked name", color.name.lower(), plan.x + 130, deck_y + 49, "bold")
    elif isinstance(desk.state, Execute):
        pending = "Draw Two" if isinstance(desk.pile[0], Crd) and isinstance(desk.pile[0].rank, DrawTwo) else "Skip"
        x, y = (plan.x + 178, deck_y) if plan.room is WIDE else (plan.x + 140, deck_y + 72)
        yield words("asked name", f"{pending} pending", x, y, "bold gold")


def _pile(sitting: Sitting, plan: UnoPlan) -> Iterator[Item]:
    """Yield the top cards of the pile, newest card last. The newest card moves in from the player who laid it."""
    pile = sitting.desk.pile
    come = _positions(sitting, plan).get(sitting.laid_by, plan.deck)
    for depth in reversed(range(min(3, len(pile)))):
        height = len(pile) - depth
        label = f"on the pile: {name_of(pile[0])}" if depth == 0 else ""
        x, y, turn = plan.x + 45, plan.y - 4, height * 41 % 17 - 8
        yield item(f"pile{height}", f"uno:{uno_code(pile[depth])}", x, y, label, r=turn, f=come)


def _lines(sitting: Sitting, room: Room) -> list[tuple[Card, ...]]:
    """Return the sorted hand, in lines."""
    return room.lines(_own_hand(sitting), IN_LINE)


def _own_hand(sitting: Sitting) -> list[Card]:
    desk_hand = next(player.cards for player in sitting.desk.players if player.name == YOU)
    return sorted(sitting.args.hand if sitting.args else desk_hand, key=_order)


def _hand(sitting: Sitting, plan: UnoPlan) -> Iterator[Item]:
    visited: Counter[str] = Counter()
    for n, line in enumerate(_lines(sitting, plan.room)):
        for card, x in zip(line, row(len(line), plan.x, plan.room.width - 90, 80 * plan.size), strict=True):
            code = uno_code(card)
            visited[code] += 1
            manner = _manner(sitting, card)
            label = name_of(card) + (", you may play it" if "do" in manner else "")
            y = plan.hand + LINE * n
            yield item(f"{code}.{visited[code]}", f"uno:{code}", x, y, label, f=plan.deck, z=plan.size, **manner)


def _order(card: Card) -> tuple[int, int]:
    match card:
        case Crd(rank, color):
            return COLORS.index(color), RANKS.index(rank)
    return len(COLORS), int(not isinstance(card, Wild))


def _manner(sitting: Sitting, card: Card) -> Item:
    """Return the look of a card in the hand, and the action of a click on it."""
    if sitting.picked:
        return {"c": "glow" if card == sitting.picked else "dim"}
    if sitting.args and card in sitting.args.playable:
        return {"c": "glow", "do": ["card", uno_code(card)]}
    return {"c": "dim"} if sitting.mine else {}


def _choice(sitting: Sitting, plan: UnoPlan) -> Iterator[Item]:
    """Yield the four colors to choose from when a wild card is picked."""
    if sitting.picked:
        for color, x in zip(reversed(COLORS), row(4, plan.x, 400, 84), strict=True):
            name, y = color.name.lower(), plan.y + 118
            yield item(f"c:{name}", f"color:{color.name[0]}", x, y, f"choose {name}", ["color", color.name])


CODES = ("W", "F", "back", *(f"{hue}{sign}" for hue in "RBGY" for sign in "0123456789RSD"))
ART = (
    *(f"uno:{code}" for code in CODES),
    *(f"color:{hue}" for hue in "RBGY"),
    *(f"fan:{count}" for count in range(MOST_SHOWN + 1)),
    *("sign:clockwise", "sign:counterclockwise"),
)


# ---------------------------------------------------------------------------------------------------- trying a function


def try_order(*, names: Names | None = None) -> GameTable[Picking[Card]]:
    """Return a table to try `is_lt`: it sorts the cards that you pick, smallest on the left."""

    def view(picking: Picking[Card], room: Room) -> SceneView:
        line, message = picking.answer or ((), "Pick cards: each moves to its place in the line.")
        items = [*offered_items(picking, room, 250), words("less", "smallest on the left", room.middle, 20, "small")]
        for n, (card, x) in enumerate(zip(line, row(len(line), room.middle, room.width - 80, 80), strict=True)):
            items.append(value_item(f"l{n}", card, x, 96, c="glow" if card == picking.picked[-1] else ""))
        return {"h": 305 + lower_by(picking, room), "items": items, "status": message, "bar": [NEW]}

    pool = (*WILDS, *(Crd(rank, color) for color in COLORS for rank in RANKS))
    return picking_table(
        "Cards in order",
        "uno",
        "is_lt",
        view,
        ART,
        offer=lambda chance: chance.sample(pool, 11),
        most=8,
        answer=_inserted,
        names=names,
    )


def _inserted(learner: Learner, picking: Picking[Card]) -> tuple[tuple[Card, ...], str]:
    """Return the picked cards, inserted one after another, and the comparisons that were made for the last one."""
    line: tuple[Card, ...] = ()
    text = ""
    for card in picking.picked:
        comparisons = [(other, bool(learner.call("is_lt", other, card))) for other in line]
        position = sum(less for _, less in comparisons)
        text = "; ".join(f"is_lt({name_of(other)}, {name_of(card)}) is {less}" for other, less in comparisons)
        line = (*line[:position], card, *line[position:])
    return line, text or f"{name_of(picking.picked[-1])} is the first in the line."


def watch_deal(players: int = 4, *, names: Names | None = None) -> GameTable[Picking[Card]]:
    """Return a table that shows, player by player, the cards that your `deal` hands out."""

    def start(learner: Learner, seed: int) -> Picking[Card]:
        seats = tuple(Player(name, (), first_playable, False) for name in NAMES[:players])
        with seeded(seed):
            return Picking(seed, answer=learner.call("deal", seats))

    def act(_: Learner, picking: Picking[Card], action: Action) -> Picking[Card]:
        return replace(picking, number=picking.number + 1) if action == ["next"] else picking

    def view(picking: Picking[Card], room: Room) -> SceneView:
        served = min(picking.number, players)
        left = 108 - 7 * served - (picking.number > players)
        going = [button("Next", ["next"], strong=True)] * (picking.number <= players)
        status = f"{served} of {players} players served, {left} cards left in the deck."
        items = list(_deal_items(picking, served, left, room))
        return {
            "h": _deal_top(room) + 84 * players,
            "items": items,
            "status": status,
            "bar": [*going, button("Deal again", ["new"])],
        }

    return GameTable(GameRules("The deal", "uno", ("deck", "deal"), start, act, view, ART), names)


def _deal_top(room: Room) -> int:
    """Return the y coordinate of the first hand. In a narrow room, it is below the deck and the pile."""
    return 60 if room is WIDE else 250


def _deal_items(picking: Picking[Card], served: int, left: int, room: Room) -> Iterator[Item]:
    deck, name_x, middle, across = (80, 200, 530, 460) if room is WIDE else (80, 80, 350, 360)
    yield item("deck", "uno:back", deck, 90, f"the deck, {left} cards")
    yield words("left", f"deck: {left}", deck, 160)
    for n, player in enumerate(picking.answer.players[:served]):
        y = _deal_top(room) + 84 * n
        yield words(f"p{n}", player.name, name_x, y, "bold")
        for m, (card, x) in enumerate(zip(player.cards, row(len(player.cards), middle, across, 64), strict=True)):
            yield value_item(f"d{n}.{m}", card, x, y, z=0.7, f=(deck, 90))
    if picking.number > len(picking.answer.players):
        yield value_item("pile", picking.answer.pile[0], room.width - deck, 90, f=(deck, 90))
        yield words("pile!", "pile", room.width - deck, 160)


# ------------------------------------------------------------------------------------------- outside of notebooks


def _autoplayed(table: AnyTable) -> Action:
    """Let a bot play for the person."""
    return ["tick"] if table.view().get("wait") else ["auto"]


GAME = UnitGame(
    "Uno",
    record=lambda names, seed: uno_table(bots=2, names=names, seed=seed),
    drive=_autoplayed,
    play=lambda names, bots, pace: uno_table(bots=bots, pace=pace, names=names),
    bots=range(1, 10),
)
