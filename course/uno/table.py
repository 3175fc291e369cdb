"""The Uno table for one person and up to nine bots. The learner's `your_turn` makes every turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from course.exam.readable import one_line
from course.tables.making import (
    ASKS_AGAIN,
    WIDE,
    Action,
    Ask,
    GameRules,
    GameTable,
    Item,
    Learner,
    LearnerFault,
    Names,
    Room,
    SceneView,
    UnitGame,
    answering,
    button,
    call_text,
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
    value_item,
)
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

__all__ = ["try_order", "uno_table", "watch_deal"]
NEEDED_FUNCTIONS = ("deal", "desk_normalize", "your_turn", "check_winner")  # the functions that the table itself calls
PERSON_NAME = "You"
AIM = (
    "Be the first player without cards. The other players then lose points for the cards in their hands. Lay a card "
    "with the color or the rank of the top card, or lay a wild card and choose a color. If you cannot lay a card, you "
    "draw one."
)
IN_LINE, IN_BILL = 6, 24
SEAT_POSITIONS = (
    (118, 330),
    (118, 225),
    (118, 120),
    (275, 52),
    (460, 52),
    (645, 52),
    (802, 120),
    (802, 225),
    (802, 330),
)
SEATS_BY_PLAYER_COUNT = (
    (),
    (4,),
    (3, 5),
    (1, 4, 7),
    (1, 3, 5, 7),
    (1, 3, 4, 5, 7),
    (0, 2, 3, 5, 6, 8),
    (0, 2, 3, 4, 5, 6, 8),
) + (
    (0, 1, 2, 3, 5, 6, 7, 8),
    tuple(range(9)),
)
HAND_LINE_HEIGHT = 74  # the distance between two lines of the hand


@value
class UnoLayout:
    """The layout of an Uno table: the positions of the players, the middle, the deck and your hand."""

    room: Room
    players: dict[str, tuple[float, float]]
    x: float
    y: int
    deck: tuple[float, float]
    hand: int
    size: float


def uno_layout(seats: tuple[str, ...], room: Room) -> UnoLayout:
    """Return the layout for these players.

    The players sit around the table, or in rows of three if the table is narrow.
    """
    others = [name for name in seats if name != PERSON_NAME]
    lines = [*room.lines(others, 3)]
    slots: list[tuple[float, float]] = [SEAT_POSITIONS[position] for position in SEATS_BY_PLAYER_COUNT[len(others)]]
    if room is not WIDE:
        slots = [(x, 52 + 92 * n) for n, line in enumerate(lines) for x in row(len(line), room.middle, 370, 185)]
    x, y = room.middle, 140 + 92 * len(lines)
    players = dict(zip(others, slots, strict=True)) | {PERSON_NAME: (x, y + 235)}
    return UnoLayout(room, players, x, y, (x - 55, y - 4), y + 235, 1 if room is WIDE else 1.12)


EndOfSet: TypeAlias = tuple[str, tuple[tuple[str, int], ...]]


@value
class UnoGame:
    """A game of Uno between two turns, or in the middle of the person's turn."""

    desk: Desk
    seats: tuple[str, ...]
    seed: int
    number: int = 0
    log: tuple[str, ...] = ()
    laid_by: str = ""
    args: Args | None = None
    picked: Card | None = None
    forced: str = ""
    result: EndOfSet | None = None

    @property
    def mover(self) -> str:
        """Return the name of the player whose turn it is."""
        return self.desk.players[0].name

    @property
    def is_persons_turn(self) -> bool:
        """Return whether it is the person's turn. After the end of the game, it is nobody's turn."""
        return self.mover == PERSON_NAME and self.result is None


def uno_table(
    *strategies: Strategy,
    bots: int = 3,
    pace: float = 0.6,
    names: Names | None = None,
    seed: int | None = None,
) -> GameTable[UnoGame]:
    """Return an Uno table for you and 1 to 9 bots.

    The first bot uses the first of the `strategies`, the second bot the second one, and so on. A strategy is a function
    like `naive`, which is the default. A bot's move takes `pace` seconds.
    """
    if not 1 <= bots <= 9:
        raise ValueError("choose 1 to 9 bots")
    if not all(map(callable, strategies)):
        raise ValueError("a strategy is a function like `naive`, not a bot of the unit `bots`")

    def start(learner: Learner, seed: int) -> UnoGame:
        def naive(*received: object) -> Move:  # the learner's, which is looked up for each move
            return learner.names["naive"](*received)

        ways = strategies or (naive,)
        others = (Player(NAMES[n], (), ways[n % len(ways)], False) for n in range(bots))
        players = Player(PERSON_NAME, (), first_playable, False), *others
        with seeded(seed):
            started = _ensure_desk(learner.call("deal", players), "deal", players)
            desk = _ensure_desk(learner.call("desk_normalize", started), "desk_normalize", started)
        rule(len(started.players) == len(players), call_text("deal", (players,)), "some players are missing")
        _ensure_same_cards(started, desk, call_text("desk_normalize", (started,)))
        return _with_question(learner, UnoGame(desk, tuple(player.name for player in players), seed + 1))

    needs = NEEDED_FUNCTIONS if strategies else (*NEEDED_FUNCTIONS, "naive")
    return GameTable(GameRules("Uno", "uno", needs, start, act, view, pace, aim=AIM), names, seed)


# ---------------------------------------------------------------------------------------------------- the game


def _with_person_strategy(desk: Desk, strategy: Strategy) -> Desk:
    """Return the desk, with `strategy` making the person's moves."""
    return desk.with_players(
        tuple(Player(PERSON_NAME, p.cards, strategy, False) if p.name == PERSON_NAME else p for p in desk.players)
    )


def _ensure_desk(desk: object, name: str, given: object) -> Desk:
    if not isinstance(desk, Desk):
        raise LearnerFault(call_text(name, (given,)), f"returned {desk!r}, not a Desk")
    return desk


def act(learner: Learner, game: UnoGame, action: Action) -> UnoGame:
    """Return the game after a click, or after a tick of the clock. At a tick, a bot moves."""
    match action:
        case ["tick"] if not game.is_persons_turn and game.result is None:
            return _with_question(learner, _after_turn(learner, game, game.desk))
        case ["card", str(code)] if game.args:
            card = next((card for card in game.args.playable if uno_code(card) == code), None)
            if isinstance(card, Crd):
                return _after_answers(learner, game, Simple(card))
            return replace(game, picked=card)
        case ["color", str(name)] if game.picked:
            return _after_answers(learner, game, Order(game.picked, Color[name]))
        case ["back"]:
            return replace(game, picked=None)
        case ["sure"] if game.forced:
            return _after_answers(learner, game)
    return game


def _after_answers(learner: Learner, game: UnoGame, *moves: Move) -> UnoGame:
    """Return the game after a turn in which the person's strategy returns these moves.

    The turn starts again, from the same desk and seed as before.
    """
    desk = _with_person_strategy(game.desk, answering(moves))
    try:
        after = _after_turn(learner, game, desk)
    except Ask:
        raise LearnerFault(call_text("your_turn", (desk,)), ASKS_AGAIN) from None
    return _with_question(learner, after)


def _with_question(learner: Learner, game: UnoGame) -> UnoGame:
    """Return the game with the question to the person, if it is the person's turn.

    The turn is run until the person's strategy raises Ask with the question.
    """
    if not game.is_persons_turn:
        return game
    try:
        after = _after_turn(learner, game, _with_person_strategy(game.desk, answering(())))
    except Ask as ask:
        return replace(game, args=Args(*ask.question), picked=None, forced="")
    return replace(game, args=None, picked=None, forced=after.log[0])


def _after_turn(learner: Learner, game: UnoGame, desk: Desk) -> UnoGame:
    """Return the game after a complete turn from `desk`, made by the learner's function."""
    with seeded(game.seed):
        after = _ensure_desk(learner.call("your_turn", desk), "your_turn", desk)
        result = learner.call("check_winner", after)
    move = _judge_turn(desk, after)
    message = _turn_text(game, after, move)
    next_desk = _with_person_strategy(after, first_playable)
    laid_by = game.mover if move is not None else game.laid_by
    now = replace(game, desk=next_desk, seed=game.seed + 1, number=game.number + 1, laid_by=laid_by, result=result)
    return replace(now, log=(message, *game.log)[:10], args=None, picked=None, forced="")


# ---------------------------------------------------------------------------------------------------- the referee


def _ensure_same_cards(before: Desk, after: Desk, call: str) -> None:
    """Raise LearnerFault unless both desks have the same players and the same cards."""
    seated = sorted(player.name for player in after.players)
    rule(
        seated == sorted(player.name for player in before.players),
        call,
        f"the desk must keep its players, but now has {seated}",
    )
    old, new = _card_counts(before), _card_counts(after)
    lost, added = tuple((old - new).elements()), tuple((new - old).elements())
    wrong = [f"are missing: {lost}"] * bool(lost) + [f"are new: {added}"] * bool(added)
    rule(not wrong, call, f"cards {' and '.join(wrong)}")


def _card_counts(desk: Desk) -> Counter[Card]:
    return Counter((*desk.pile, *desk.deck, *(card for player in desk.players for card in player.cards)))


def _judge_turn(before: Desk, after: Desk) -> Move | None:
    """Return the move of the player (None for a pass). Raises LearnerFault if the turn broke a rule."""
    call = call_text("your_turn", (before,))
    _ensure_same_cards(before, after, call)
    old, memory = before.memory, after.memory  # a memory has ten moves, newest first
    counts = [count for count in (1, 2) if memory[count:] == old[: 10 - count] and len(memory) >= count]
    rule(bool(counts), call, "the new memory must have this turn's moves first, and then the old memory")
    match memory[counts[0] - 1]:
        case (Simple(card) | Order(card, _)) as move:
            rule(after.pile[0] == card, call, f"{card!r} was played, but is not on the pile")
            rule(
                _may_be_laid(before, card),
                call,
                f"{card!r} cannot be laid on {before.pile[0]!r} in state {before.state!r}",
            )
            return move
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


def _turn_text(game: UnoGame, after: Desk, move: Move | None) -> str:
    """Return a sentence that describes a turn: the move, what everyone drew, and who has one card left."""
    before, mover = {player.name: len(player.cards) for player in game.desk.players}, game.mover
    drawn = {player.name: len(player.cards) - before[player.name] for player in after.players}
    own = drawn.pop(mover) + (move is not None)
    s, late = "" if mover == PERSON_NAME else "s", 4 if isinstance(move, Order) and own >= 4 else 0
    draws = f" draw{s} {own - late} and" if own > late else ""
    match move:
        case Simple(card):
            text = f"{mover}{draws} play{s} {picture_name(card)}"
        case Order(card, color):
            text = f"{mover}{draws} play{s} {picture_name(card)} and choose{s} {color.name.lower()}"
            text += f", but had a card of the right color and so draw{s} 4 cards" if late else ""
        case _:
            text = f"{mover}{draws} {'pass' if mover == PERSON_NAME else 'passes'}"
    others = [
        f", {name} {'draw' if name == PERSON_NAME else 'draws'} {count}" for name, count in drawn.items() if count > 0
    ]
    almost_out = [player.name for player in after.players if len(player.cards) == 1]
    last = [f" {name} {'have' if name == PERSON_NAME else 'has'} one card left." for name in almost_out]
    return "".join([text, *others, ".", *last])


# ---------------------------------------------------------------------------------------------------- the view


def view(game: UnoGame, room: Room) -> SceneView:
    """Return the view of the Uno table. Screen readers read the texts `around` and `hand`, which are not visible."""
    plan = uno_layout(game.seats, room)
    hand = _own_hand(game)
    shown: SceneView = {
        "h": round(plan.hand + 58 * plan.size + HAND_LINE_HEIGHT * (len(room.lines(hand, IN_LINE)) - 1)),
        "items": [*_player_items(game, plan), *_middle_items(game, plan), *_hand_items(game, plan)],
        "status": _status_text(game),
        "bar": _bar_buttons(game),
        "log": list(game.log),
        "over": game.result is not None,
        "wait": not game.is_persons_turn and game.result is None,
    }
    if game.result:
        losses = (f"{name}: {one_line(loss, IN_BILL)} points" for name, loss in game.result[1])
        shown["around"] = f"{', '.join(losses)}."
    elif not game.picked:
        first, *others = game.desk.players
        turns = (player for player in (first, *others[:: game.desk.direction.value]) if player.name != PERSON_NAME)
        counts = (f"{player.name}: {_card_count_text(player)}" for player in turns)
        shown |= {"around": f"In turn: {', '.join(counts)}.", "hand": list(map(picture_name, hand))}
    return shown


def _status_text(game: UnoGame) -> str:
    if game.result:
        winner = game.result[0]
        return f"{winner} {'win' if winner == PERSON_NAME else 'wins'}!"
    if game.picked:
        return f"You played {picture_name(game.picked).title()}. Choose a color."
    if game.forced:
        return f"{_demand_text(game.desk)} No card of yours fits. {game.forced}"
    if game.args:
        drawn = (Counter(game.args.hand) - Counter(game.desk.players[0].cards)).elements()
        news = "".join(f"You drew {picture_name(card)}. " for card in drawn)
        return f"{_demand_text(game.desk)} {news}Choose a card to play."
    return f"{_demand_text(game.desk)} {game.mover} is thinking."


def _demand_text(desk: Desk) -> str:
    match desk.state, desk.pile[0]:
        case Give(color), _:
            return f"{color.name.capitalize()} was chosen."
        case Execute(), Crd(rank, _):
            return f"The next player must obey or answer the {'Draw Two' if isinstance(rank, DrawTwo) else 'Skip'}."
        case _, top:
            return f"On the pile: {picture_name(top)}."


def _bar_buttons(game: UnoGame) -> list[Item]:
    new = button("New game", ["leave"], strong=game.result is not None)
    if game.forced:
        return [button("Continue", ["sure"], strong=True), new]
    return [button("Another card", ["back"]), new] if game.picked else [new]


def _player_items(game: UnoGame, plan: UnoLayout) -> Iterator[Item]:
    """Yield the names of all players, and the hands of the bots, which are face up at the end of the game."""
    players = {player.name: player for player in game.desk.players}
    losses = dict(game.result[1]) if game.result else {}
    for name, (x, y) in plan.players.items():
        player, cards = players[name], _card_count_text(players[name])
        turn = name == game.mover and game.result is None
        about = ""
        if name == PERSON_NAME:
            about = f" ({cards})"
        elif plan.room is WIDE:
            about = f" ({getattr(player.strategy, '__name__', 'a strategy')[:12]})"
        loss = f": {one_line(losses[name], IN_BILL)}" if name in losses else ""
        above = 68 * plan.size if name == PERSON_NAME else 33
        label = f"{'▸ ' if turn else ''}{name}{about}{loss}"
        yield words(f"n:{name}", label, x, y - above, "bold gold" if turn else "bold")
        if name != PERSON_NAME and game.result:
            for n, (card, at) in enumerate(zip(player.cards, row(len(player.cards), x, 130, 30), strict=True)):
                yield item(f"e:{name}.{n}", f"uno:{uno_code(card)}", at, y, picture_name(card), z=0.38)
        elif name != PERSON_NAME:
            yield item(f"f:{name}", f"fan:{len(player.cards)}", x, y, f"{name} has {cards}")


def _card_count_text(player: Player) -> str:
    return f"{len(player.cards)} card{'s' * (len(player.cards) != 1)}"


def _middle_items(game: UnoGame, plan: UnoLayout) -> Iterator[Item]:
    """Yield the deck, the pile, and what the next player must do."""
    desk, (deck_x, deck_y) = game.desk, plan.deck
    direction = "clockwise" if desk.direction is CLOCKWISE else "counterclockwise"
    yield item("direction", f"sign:{direction}", plan.x, plan.y - 78, f"the direction is {direction}", z=0.9)
    if desk.deck:
        yield item("deck", "uno:back", deck_x, deck_y, f"the deck, {len(desk.deck)} cards")
    yield words("deck count", f"deck: {len(desk.deck)}", deck_x, deck_y + 72, "small")
    come = plan.players.get(game.laid_by, plan.deck)  # the newest card moves in from who laid it
    for depth in reversed(range(min(3, len(desk.pile)))):
        height = len(desk.pile) - depth
        label = f"on the pile: {picture_name(desk.pile[0])}" if depth == 0 else ""
        x, y, turn = plan.x + 45, plan.y - 4, height * 41 % 17 - 8
        yield item(f"pile{height}", f"uno:{uno_code(desk.pile[depth])}", x, y, label, r=turn, f=come)
    if isinstance(desk.state, Give):
        color = desk.state.color
        yield item("asked", f"color:{color.name[0]}", plan.x + 130, deck_y, f"{color.name.lower()} was chosen")
        yield words("asked name", color.name.lower(), plan.x + 130, deck_y + 49, "bold")
    elif isinstance(desk.state, Execute):
        pending = "Draw Two" if isinstance(desk.pile[0], Crd) and isinstance(desk.pile[0].rank, DrawTwo) else "Skip"
        right, below = (178, 0) if plan.room is WIDE else (140, 72)
        yield words("asked name", f"{pending} pending", plan.x + right, deck_y + below, "bold gold")


def _own_hand(game: UnoGame) -> list[Card]:
    """Return your hand, sorted."""
    desk_hand = next(player.cards for player in game.desk.players if player.name == PERSON_NAME)
    return sorted(game.args.hand if game.args else desk_hand, key=_sort_key)


def _hand_items(game: UnoGame, plan: UnoLayout) -> Iterator[Item]:
    """Yield your hand, and the four colors to choose from when a wild card is picked."""
    visited: Counter[str] = Counter()
    for n, line in enumerate(plan.room.lines(_own_hand(game), IN_LINE)):
        for card, x in zip(line, row(len(line), plan.x, plan.room.width - 90, 80 * plan.size), strict=True):
            code, label = uno_code(card), picture_name(card)
            visited[code] += 1
            manner: Item = {"c": "dim"} if game.is_persons_turn else {}
            if game.picked:
                manner = {"c": "glow" if card == game.picked else "dim"}
            elif game.args and card in game.args.playable:
                manner, label = {"c": "glow", "do": ["card", code]}, f"{label}, you may play it"
            y = plan.hand + HAND_LINE_HEIGHT * n
            yield item(f"{code}.{visited[code]}", f"uno:{code}", x, y, label, f=plan.deck, z=plan.size, **manner)
    if game.picked:
        for color, x in zip(reversed(COLORS), row(4, plan.x, 400, 84), strict=True):
            name, y = color.name.lower(), plan.y + 118
            yield item(f"c:{name}", f"color:{color.name[0]}", x, y, f"choose {name}", ["color", color.name])


def _sort_key(card: Card) -> tuple[int, int]:
    match card:
        case Crd(rank, color):
            return COLORS.index(color), RANKS.index(rank)
    return len(COLORS), int(not isinstance(card, Wild))


# ---------------------------------------------------------------------------------------------------- trying a function


def try_order(*, names: Names | None = None) -> GameTable[PickingState[Card]]:
    """Return a table to try `is_lt`. With your `is_lt`, the table sorts the cards that you pick, the smallest first."""

    def view(picking: PickingState[Card], room: Room) -> SceneView:
        line, message = picking.answer or ((), "Pick cards. Each card moves to its position in the line.")
        items = [*offered_items(picking, room, 250), words("less", "smallest on the left", room.middle, 20, "small")]
        for n, (card, x) in enumerate(zip(line, row(len(line), room.middle, room.width - 80, 80), strict=True)):
            items.append(value_item(f"l{n}", card, x, 96, c="glow" if card == picking.picked[-1] else ""))
        return {
            "h": 305 + extra_row_height(picking, room),
            "items": items,
            "status": message,
            "bar": [NEW_CARDS_BUTTON],
        }

    pool = (*WILDS, *(Crd(rank, color) for color in COLORS for rank in RANKS))
    return picking_table(
        "Cards in order",
        "uno",
        "is_lt",
        view,
        offer=lambda chance: chance.sample(pool, 11),
        most=8,
        answer=_insert_in_order,
        names=names,
    )


def _insert_in_order(learner: Learner, picking: PickingState[Card]) -> tuple[tuple[Card, ...], str]:
    """Return the picked cards in order, and a text with the comparisons for the card that was picked last."""
    line: tuple[Card, ...] = ()
    text = ""
    for card in picking.picked:
        comparisons = [(other, bool(learner.call("is_lt", other, card))) for other in line]
        position = sum(less for _, less in comparisons)
        text = "; ".join(f"is_lt({picture_name(other)}, {picture_name(card)}) is {less}" for other, less in comparisons)
        line = (*line[:position], card, *line[position:])
    return line, text or f"{picture_name(picking.picked[-1])} is the first card in the line."


def watch_deal(players: int = 4, *, names: Names | None = None) -> GameTable[PickingState[Card]]:
    """Return a table that shows, player by player, the cards that your `deal` hands out."""

    def start(learner: Learner, seed: int) -> PickingState[Card]:
        seats = tuple(Player(name, (), first_playable, False) for name in NAMES[:players])
        with seeded(seed):
            return PickingState(seed, answer=learner.call("deal", seats))

    def act(_: Learner, picking: PickingState[Card], action: Action) -> PickingState[Card]:
        return replace(picking, number=picking.number + 1) if action == ["next"] else picking

    def view(picking: PickingState[Card], room: Room) -> SceneView:
        served, is_over = min(picking.number, players), picking.number > players
        left = 108 - 7 * served - is_over
        deck, name_x, middle, across, top = (80, 200, 530, 460, 60) if room is WIDE else (80, 80, 350, 360, 250)
        items = [item("deck", "uno:back", deck, 90, f"the deck, {left} cards")]
        items.append(words("left", f"deck: {left}", deck, 160))
        for n, player in enumerate(picking.answer.players[:served]):
            y = top + 84 * n
            items.append(words(f"p{n}", player.name, name_x, y, "bold"))
            for m, (card, x) in enumerate(zip(player.cards, row(len(player.cards), middle, across, 64), strict=True)):
                items.append(value_item(f"d{n}.{m}", card, x, y, z=0.7, f=(deck, 90)))
        if is_over:
            items.append(value_item("pile", picking.answer.pile[0], room.width - deck, 90, f=(deck, 90)))
            items.append(words("pile!", "pile", room.width - deck, 160))
        status = f"{served} of {players} players have their cards; {left} cards are left in the deck."
        going = [button("Next", ["next"], strong=True)] * (not is_over)
        bar = [*going, button("Deal again", ["new"])]
        return {"h": top + 84 * players, "items": items, "status": status, "bar": bar}

    return GameTable(GameRules("The deal", "uno", ("deck", "deal"), start, act, view), names)


GAME = UnitGame(
    "Uno",
    record=lambda names, seed: uno_table(bots=2, names=names, seed=seed),
    play=lambda names: uno_table(bots=1, names=names),
)
