"""Two tables for Sedma: one shows a record step by step, and on the other, you play against three bots.

At the end of such a game, the learner's `replay` judges its record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from course.effects import shuffle_list
from course.sedma import (
    AC,
    BD,
    ONE,
    PIQUET_DECK,
    R7,
    R10,
    RA,
    SAMPLE_RECORD,
    THREE,
    TWO,
    A,
    Card,
    Cards,
    Player,
    Record,
    Score,
    Team,
    Trick,
    seats_on,
    team_of,
)
from course.sedma.pictures import sedma_card_code
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

__all__ = ["sedma_record", "sedma_table", "try_trick"]
NEEDED_EXERCISES = ("next_leader", "trick_points", "replay")  # the functions that the table itself calls
PLATE_KEY = "plate:226x74"
CARDS_IN_HAND = 4
AIM = (
    "You and C play against B and D; the team with more points wins. You may play any card. The first card of a trick "
    "decides the rank. The last card of this rank wins the trick, and a seven counts as this rank. Each ace and each "
    "ten is worth 10 points, and the last trick is worth 10 more points."
)


@value
class SedmaLayout:
    """The layout of a Sedma table: its height, and the positions of cards, names, hands, scores and stock."""

    height: int
    seats: dict[Player, tuple[int, int]]
    labels: dict[Player, tuple[int, int]]
    homes: dict[Player, tuple[int, int]]
    tallies: tuple[int, int]
    stock: tuple[int, int]


def _positions_by_player(middle: int, *spots: tuple[int, int]) -> dict[Player, tuple[int, int]]:
    """Return a position for each player, from distances to the right of the middle and below it."""
    return {player: (middle + x, y) for player, (x, y) in zip(Player, spots, strict=True)}


LAYOUTS = {
    WIDE: SedmaLayout(
        524,
        _positions_by_player(460, (0, 326), (-115, 234), (0, 140), (115, 234)),
        _positions_by_player(460, (0, 398), (-235, 234), (0, 68), (235, 234)),
        _positions_by_player(460, (0, 464), (-320, 234), (0, 28), (320, 234)),
        (120, 800),
        (800, 480),
    ),
    NARROW: SedmaLayout(
        740,
        _positions_by_player(280, (0, 480), (-115, 376), (0, 272), (115, 376)),
        _positions_by_player(280, (0, 570), (-218, 310), (0, 192), (218, 310)),
        _positions_by_player(280, (0, 664), (-218, 360), (0, 148), (218, 360)),
        (142, 418),
        (490, 570),
    ),
}


@value
class SedmaGame:
    """A game of Sedma at one moment: the cards played, the current trick, its leader, and each team's score."""

    played: Record = ()
    trick: Cards = ()
    leader: Player = A
    winner: Player | None = None
    scores: tuple[Score, Score] = (Score(0, 0), Score(0, 0))
    number: int = 0
    hands: tuple[Cards, ...] = ()
    stock: Cards = ()
    coming: Record = ()
    verdict: Any = None
    over: bool = False
    log: tuple[str, ...] = ()

    @property
    def next_player(self) -> Player:
        """Return the player who plays next."""
        return seats_on(self.leader, len(self.trick))

    @property
    def has_hands(self) -> bool:
        """Return whether the players hold cards. If the players hold no cards, the table shows a recorded game."""
        return bool(self.hands)


def sedma_record(record: Record = SAMPLE_RECORD, *, names: Names | None = None) -> GameTable[SedmaGame]:
    """Return a table that shows the record of a game, trick by trick."""
    rules = GameRules(
        "Sedma: a record", "sedma", NEEDED_EXERCISES, lambda *_: SedmaGame(coming=tuple(record)), act, view
    )
    return GameTable(rules, names, 0)


def sedma_table(*, pace: float = 0.7, names: Names | None = None, seed: int | None = None) -> GameTable[SedmaGame]:
    """Return a Sedma table: you are A, and bots are B, C and D. At the end, your `replay` computes the result."""
    return GameTable(GameRules("Sedma", "sedma", NEEDED_EXERCISES, _start, act, view, pace, aim=AIM), names, seed)


# ---------------------------------------------------------------------------------------------------- the game


def _start(_: Learner, seed: int) -> SedmaGame:
    with seeded(seed):
        cards = shuffle_list(PIQUET_DECK)
    return SedmaGame(hands=tuple(cards[4 * seat : 4 * seat + 4] for seat in range(4)), stock=cards[16:])


def act(learner: Learner, game: SedmaGame, action: Action) -> SedmaGame:
    """Return the game after a click or a tick of the clock.

    The action plays a card, removes the trick, or judges the game.
    """
    match action:
        case ["next"] if game.coming:
            trick, leader = game.coming[:4], game.winner or game.leader
            log = (f"{leader} leads. The trick: {', '.join(map(picture_name, trick))}.", *game.log)[:10]
            now = replace(game, trick=trick, leader=leader, coming=game.coming[4:], number=game.number + 1, log=log)
            return _score_trick(learner, replace(now, played=game.played + trick))
        case ["verdict"] | ["tick"] if len(game.played) == 32 and not game.over:
            return _judge_record(learner, game)
        case ["tick"] if game.has_hands and game.winner is not None:
            leader, hands, stock = game.winner, list(game.hands), game.stock  # the winner's hand is filled up first
            while stock and any(len(hand) < CARDS_IN_HAND for hand in hands):
                for step in range(4):
                    seat = list(Player).index(seats_on(leader, step))
                    hands[seat], stock = (*hands[seat], *stock[:1]), stock[1:]
            now = replace(game, hands=tuple(hands), stock=stock, trick=(), leader=leader, winner=None)
            return replace(now, number=game.number + 1)
        case ["tick"] if game.has_hands and game.next_player is not A:
            return _lay_card(learner, game, choose_bot_card(game))
        case ["card", str(code)] if game.next_player is A and game.winner is None:
            card = next((card for card in game.hands[0] if sedma_card_code(card) == code), None)
            return _lay_card(learner, game, card) if card else game
    return game


def _lay_card(learner: Learner, game: SedmaGame, card: Card) -> SedmaGame:
    """Return the game after a card was played; the fourth card decides the trick."""
    seat = list(Player).index(game.next_player)
    hand = tuple(other for other in game.hands[seat] if other != card)
    hands = (*game.hands[:seat], hand, *game.hands[seat + 1 :])
    trick, played = (*game.trick, card), (*game.played, card)
    log = (
        f"{'You play' if game.next_player is A else f'{game.next_player} plays'} the {picture_name(card)}.",
        *game.log,
    )[:10]
    now = replace(game, hands=hands, trick=trick, played=played, number=game.number + 1, log=log)
    return _score_trick(learner, now) if len(trick) == 4 else now


def _score_trick(learner: Learner, game: SedmaGame) -> SedmaGame:
    """Return the game after the learner's functions have scored the trick on the table."""
    a, b, c, d = game.trick
    trick: Trick = (a, b, c, d)
    winner = learner.call("next_leader", game.leader, trick)
    call = call_text("next_leader", (game.leader, trick))
    rule(isinstance(winner, Player), call, f"returned {winner!r}, not a player")
    points = learner.call("trick_points", trick)
    counted = 10 * sum(card.rank in (RA, R10) for card in trick)
    rule(points == counted, call_text("trick_points", (trick,)), f"returned {points!r}")
    fitting = [index for index, card in enumerate(trick) if card.rank in (trick[0].rank, R7)]
    rule(winner is seats_on(game.leader, fitting[-1]), call, f"{winner} did not win this trick")
    last = 10 if len(game.played) == 32 else 0
    best = picture_name(trick[fitting[-1]])
    text = f"Trick {len(game.played) // 4}: {winner} wins {points + last} points with the {best}."
    ac, bd = game.scores
    if team_of(winner) is AC:
        ac = Score(ac.tricks + 1, ac.points + points + last)
    else:
        bd = Score(bd.tricks + 1, bd.points + points + last)
    return replace(game, winner=winner, scores=(ac, bd), log=(text, *game.log)[:10])


def _judge_record(learner: Learner, game: SedmaGame) -> SedmaGame:
    """Return the game with the result of the learner's `replay`.

    Raises LearnerFault if the result contradicts the table.
    """
    verdict = learner.call("replay", game.played)
    call = call_text("replay", (game.played,))
    rule(verdict == right_verdict(game), call, f"returned {verdict!r}, but the scores of the teams are {game.scores!r}")
    return replace(game, verdict=verdict, over=True, number=game.number + 1)


def right_verdict(game: SedmaGame) -> object:
    """Return the winning team according to the scores on the table, and the points that the team gets."""
    ac, bd = game.scores
    loser = min(ac, bd, key=lambda score: score.points)
    return (BD if loser is ac else AC), (THREE if loser.tricks == 0 else TWO if loser.points == 0 else ONE)


def choose_bot_card(game: SedmaGame) -> Card:
    """Return the card that the next bot plays.

    If possible, the bot wins a trick that has points; otherwise, it plays a card of low value.
    """
    hand = game.hands[list(Player).index(game.next_player)]
    worth = {card: 10 * (card.rank in (RA, R10)) + (card.rank is R7) for card in hand}
    winning = [card for card in hand if game.trick and card.rank in (game.trick[0].rank, R7)]
    has_points = any(card.rank in (RA, R10) for card in game.trick)
    return min(winning if winning and has_points else hand, key=worth.__getitem__)


# ---------------------------------------------------------------------------------------------------- the view


def view(game: SedmaGame, room: Room) -> SceneView:
    """Return the view of the Sedma table, which the page draws."""
    plan = LAYOUTS[room]
    scores = [f"{_team_text(team)}: {_score_text(score)}." for team, score in zip((AC, BD), game.scores, strict=True)]
    bar = [] if game.over else [button("Who has won?", ["verdict"], strong=True)]
    if game.has_hands:
        bar = [button("New game", ["leave"], strong=game.over)]
    elif game.coming:
        bar = [button("Next trick", ["next"], strong=True)]
    return {
        "h": plan.height if game.has_hands else plan.labels[A][1] + 30,
        "items": [*_seat_items(game, plan), *_card_items(game, plan, room)],
        "status": _status(game),
        "bar": bar,
        "log": list(game.log),
        "over": game.over,
        "wait": game.has_hands and not game.over and (game.winner is not None or game.next_player is not A),
        "around": " ".join(scores) if game.over or not game.number else "",
    }


def _status(game: SedmaGame) -> str:
    if game.over:
        team, worth = game.verdict
        lost, won = sorted(score.points for score in game.scores)
        winners = "You and C" if game.has_hands and team is AC else _team_text(team)
        return f"{winners} have won, {won} points to {lost}. According to `replay`, the game is worth {worth!r}."
    if game.winner is not None:
        return game.log[0]
    if game.has_hands:
        return "Your turn: play any card." if game.next_player is A else f"{game.next_player} is thinking."
    return f"A record of {len(game.coming)} cards. Player A leads the first trick."


def _team_text(team: Team) -> str:
    return f"{team.name[0]} and {team.name[1]}"


def _score_text(score: Score) -> str:
    return f"{score.points} points, {score.tricks} trick{'s' * (score.tricks != 1)}"


def _seat_items(game: SedmaGame, plan: SedmaLayout) -> Iterator[Item]:
    """Yield the scores of the teams, the players' names, and the backs of the bots' cards."""
    for team, score, x in zip((AC, BD), game.scores, plan.tallies, strict=True):
        won = game.over and game.verdict[0] is team
        yield item(f"plate{team}", PLATE_KEY, x, 60)
        yield words(f"team{team}", f"{_team_text(team)}{': won!' if won else ''}", x, 44, "bold gold")
        yield words(f"score{team}", _score_text(score), x, 74)
    if game.has_hands:
        yield words("stock", f"stock: {len(game.stock)}", *plan.stock, "small")
    for player, (x, y) in plan.labels.items():
        turn = (game.winner or (game.next_player if game.has_hands else None)) is player and not game.over
        you = " (you)" if game.has_hands and player is A else ""
        leads = " leads" if game.trick and player is game.leader else ""
        label = f"{'▸ ' if turn else ''}{player}{you}{leads}"
        yield words(f"player{player}", label, x, y, "bold gold" if turn else "bold")
    for player, hand in list(zip(Player, game.hands, strict=False))[1:]:
        x, y = plan.homes[player]
        for n, shift in enumerate(row(len(hand), 0, 90, 22)):
            yield item(f"h{player}{n}", "card:back", x + shift, y, z=0.42)


def _card_items(game: SedmaGame, plan: SedmaLayout, room: Room) -> Iterator[Item]:
    """Yield the cards of the trick, and your hand."""
    for index, card in enumerate(game.trick):
        player, code = seats_on(game.leader, index), sedma_card_code(card)
        won = game.winner is player
        label = f"{player} played the {picture_name(card)}{', which wins' if won else ''}"
        look = {"c": "glow"} if won else {"c": "dim"} if game.winner is not None else {}
        across, down = plan.seats[player]
        yield item(code, f"card:{code}", across, down, label, None, f=plan.homes[player], **look)
    hand, size = game.hands[0] if game.hands else (), 1 if room is WIDE else 1.3
    mine = game.has_hands and game.next_player is A and game.winner is None and not game.over
    for card, x in zip(hand, row(len(hand), room.middle, 480, 80 * size), strict=True):
        code, y = sedma_card_code(card), plan.homes[A][1]
        does = {"do": ["card", code], "c": "glow"} if mine else {}
        label = picture_name(card) + (", you may lay it" if mine else "")
        yield item(code, f"card:{code}", x, y, label, f=plan.stock, z=size, **does)


# ---------------------------------------------------------------------------------------------------- trying a function


def try_trick(*, names: Names | None = None) -> GameTable[PickingState[Card]]:
    """Return a table to try `winning_place`: pick four cards for a trick, and see which one wins."""

    def view(picking: PickingState[Card], room: Room) -> SceneView:
        items = [*offered_items(picking, room, 240)]
        for index, x in enumerate(row(4, room.middle, 400, 100)):
            items.append(words(f"place{index}", f"place {index}", x, 20, "small"))
            ghost = item(f"t{index}", "card:ghost", x, 94)
            look = "glow" if picking.answer == index else ""
            is_laid = index < len(picking.picked)
            items.append(value_item(f"t{index}", picking.picked[index], x, 94, c=look) if is_laid else ghost)
        done = f"winning_place returns {short_repr(picking.answer)}."
        status = done if len(picking.picked) == 4 else f"Pick the card for place {len(picking.picked)}."
        return {"h": 300 + extra_row_height(picking, room), "items": items, "status": status, "bar": [NEW_CARDS_BUTTON]}

    return picking_table(
        "One trick",
        "sedma",
        "winning_place",
        view,
        offer=lambda chance: sorted(chance.sample(PIQUET_DECK, 12), key=lambda card: card.rank.value),
        most=4,
        answer=lambda learner, it: learner.call("winning_place", it.picked) if len(it.picked) == 4 else None,
        names=names,
    )


def _random_record_table(names: Names, seed: int) -> AnyTable:
    with seeded(seed):
        record = shuffle_list(PIQUET_DECK)
    return sedma_record(record, names=names)


GAME = UnitGame("Sedma", _random_record_table, play=lambda names: sedma_table(names=names))
