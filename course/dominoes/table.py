"""The domino table for two to four players, who are persons or bots. The learner's functions make the moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from course.dominoes import EMPTY, AnyChain, Bot, Chain, Domino, Empty, Hand, Human, Player, Stock
from course.tables.making import (
    ASKS_AGAIN,
    NARROW,
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
    guarded,
    item,
    row,
    rule,
    seeded,
    spoken,
    value,
    words,
)
from course.tables.picking import PickingState, picking_table, short_repr, value_item

__all__ = ["domino_table", "try_tile"]
NEEDED_FUNCTIONS = (
    "make_dominoes",
    "list_shuffle",
    "make_state_list",
    "take",
)  # the functions that the table itself calls
MOVE_FUNCTIONS = {"H": "input_move", "B": "input_bot_move"}
HIGHEST_NUMBER = 6
AIM = (
    "Be the first player without tiles. A tile fits if one of its halves equals an end of the chain. If none of your "
    "tiles fits, you draw two tiles and pass."
)


@value
class DominoLayout:
    """The layout of a table: its height, the positions of chain, hand and stock, and the size and distance of tiles."""

    height: int
    chain: int
    hand: tuple[int, int]
    step: int
    size: float
    stock: tuple[int, int]
    in_line: int


LAYOUTS = {
    WIDE: DominoLayout(516, 240, (430, 464), 52, 1, (860, 436), 99),
    NARROW: DominoLayout(774, 300, (230, 590), 62, 1.35, (498, 590), 7),
}
HAND_LINE_HEIGHT = 118  # the distance between two lines of a hand


@value
class DominoQuestion:
    """A question to a person.

    The kinds of questions are `tile` (choose a tile), `end` (choose a chain), and `sure` (confirm the only move).
    """

    kind: str
    choices: tuple[Any, ...] = ()


@value
class TurnTaken:
    """A player's action in a turn: the player laid a tile, or drew tiles and passed."""

    tile: Domino | None = None
    taken: int = 0


@value
class DominoGame:
    """A game of dominoes between two turns, or in the middle of a person's turn."""

    players: tuple[Player, ...]
    hands: tuple[Hand, ...]
    stock: Stock
    chain: AnyChain
    turn: int = 0
    passes: int = 0
    number: int = 0
    seed: int = 0
    log: tuple[str, ...] = ()
    over: str = ""
    picked: Domino | None = None
    question: DominoQuestion | None = None
    taken_turn: TurnTaken | None = None

    @property
    def player(self) -> Player:
        """Return the player whose turn it is."""
        return self.players[self.turn]

    @property
    def hand(self) -> Hand:
        """Return the hand of the player whose turn it is."""
        return self.hands[self.turn]


def domino_table(
    seats: str = "HB", *, pace: float = 0.7, names: Names | None = None, seed: int | None = None
) -> GameTable[DominoGame]:
    """Return a domino table for two to four players.

    `seats` has one letter for each player, H for a person and B for a bot. A bot's move takes `pace` seconds.
    """

    def start(learner: Learner, seed: int) -> DominoGame:
        with seeded(seed):
            shuffled = learner.call("list_shuffle", learner.call("make_dominoes", HIGHEST_NUMBER))
            made = learner.call("make_state_list", seats, shuffled)
        stock, states = guarded(lambda deal: (deal[0], tuple(deal[1])), "make_state_list", (made,))
        players, hands = tuple(player for _, player in states), tuple(hand for hand, _ in states)
        rule(len(players) == len(seats), call_text("make_state_list", (seats, shuffled)), "not every seat has a player")
        return _with_question(learner, DominoGame(players, hands, stock, Empty(), seed=seed + 1))

    needs = (*NEEDED_FUNCTIONS, *(move for seat, move in MOVE_FUNCTIONS.items() if seat in seats))
    return GameTable(GameRules("Dominoes", "dominoes", needs, start, act, view, pace, aim=AIM), names, seed)


# ---------------------------------------------------------------------------------------------------- the game


def act(learner: Learner, game: DominoGame, action: Action) -> DominoGame:
    """Return the game after a click, or after a tick of the clock. At a tick, a bot moves."""
    match action:
        case ["tick"] if isinstance(game.player, Bot):
            return _take_turn(learner, game, ())
        case ["tile", key] if game.question:
            picked = next((tile for tile in game.hand if tile_key(tile) == key), None)
            return _take_turn(learner, replace(game, picked=picked), (picked,)) if picked else game
        case ["end", int(index)] if game.question:
            chosen = game.question.choices[index]
            return _take_turn(learner, game, (*((game.picked,) if game.picked else ()), chosen))
        case ["sure"]:
            return _take_turn(learner, game, (), sure=True)
        case ["back"]:
            return _with_question(learner, replace(game, picked=None, question=None))
    return game


def _with_question(learner: Learner, game: DominoGame) -> DominoGame:
    """Return the game with the question to the person whose turn it is. At a bot's turn, return the game unchanged."""
    return _take_turn(learner, game, ()) if isinstance(game.player, Human) and not game.over else game


def _take_turn(learner: Learner, game: DominoGame, answers: tuple[object, ...], sure: bool = False) -> DominoGame:
    """Return the game after a complete turn, or with the question that the person must answer first."""
    try:
        after = _after_move(learner, game, answers)
    except Ask as ask:
        question = DominoQuestion(*ask.question)
        again = bool(answers) and (question.kind == "tile" or answers[-1] is not game.picked)
        rule(not again, "input_move(select_domino, select_end, …)", ASKS_AGAIN)
        return replace(game, question=question)
    if isinstance(game.player, Human) and not answers and not sure:
        return replace(game, question=DominoQuestion("sure", (after.taken_turn,)))
    return _with_question(learner, after)


def _after_move(learner: Learner, game: DominoGame, answers: tuple[object, ...]) -> DominoGame:
    """Return the game after the learner's functions made a move or drew tiles."""
    ask = answering(answers)
    args: tuple[object, ...]
    with seeded(game.seed):
        name, args = "input_bot_move", (game.chain, game.hand)
        if isinstance(game.player, Human):
            name, args = "input_move", (_asking_function(ask, "tile"), _asking_function(ask, "end"), *args)
        got = learner.call(name, *args)
        if got is None:
            return _after_passing(learner, game)
    match got:
        case (hand, Chain() as chain):
            return _after_laying(game, hand, chain, call_text(name, args))
    raise LearnerFault(call_text(name, args), f"returned {got!r}, but must return a hand and a chain, or None")


def _asking_function(ask: Callable[..., object], kind: str) -> Callable[..., object]:
    def select(*choices: object) -> object:
        return ask(kind, choices[0] if kind == "tile" else choices)

    select.__name__ = f"select_{'domino' if kind == 'tile' else 'end'}"
    return select


def _after_laying(game: DominoGame, hand: Hand, chain: Chain, call: str) -> DominoGame:
    """Return the game after a tile was laid.

    Raises LearnerFault unless one tile has left the hand, and is now at one end of the old chain, where it fits.
    """
    gone = [tile for tile in game.hand if not _holds(hand, tile)]
    is_one = len(gone) == 1 == len(game.hand) - len(hand)
    rule(is_one, call, f"a move must take one tile out of the hand, but this move took {len(gone)}")
    (tile,) = gone
    old, new = tiles_of(game.chain), tiles_of(chain)
    laid = {tile, Domino(tile.right, tile.left)}
    at_left, at_right = new[1:] == old and new[0] in laid, new[:-1] == old and new[-1] in laid
    rule(at_left or at_right, call, f"the new chain must be the old chain with {tile} at one end, but it is {chain!r}")
    fits = all(one.right == other.left for one, other in pairwise(new))
    rule(fits, call, f"two halves that touch are not equal in the chain {chain!r}")
    ends = new[0].left, new[-1].right
    rule(
        ends == (chain.left, chain.right),
        call,
        f"the values `left` and `right` do not match the tiles of the chain {chain!r}",
    )
    over = "" if hand else f"{player_name(game.player)} wins!"
    return _next_turn(replace(game, chain=chain, passes=0, over=over), hand, TurnTaken(tile))


def _after_passing(learner: Learner, game: DominoGame) -> DominoGame:
    """Return the game after the player drew up to two tiles and passed."""
    hand, stock = learner.call("take", game.hand, 2, game.stock)
    taken = len(hand) - len(game.hand)
    call = call_text("take", (game.hand, 2, game.stock))
    rule(
        sorted(map(tile_key, hand + stock)) == sorted(map(tile_key, game.hand + game.stock)),
        call,
        "some tiles are missing after this move",
    )
    rule(taken == min(2, len(game.stock)), call, f"{taken} tiles were taken from a stock of {len(game.stock)}")
    passes = 0 if taken else game.passes + 1
    over = "It's a draw: nobody can lay a tile, and the stock is empty." if passes == len(game.players) else ""
    return _next_turn(replace(game, stock=stock, passes=passes, over=over), hand, TurnTaken(taken=taken))


def _next_turn(game: DominoGame, hand: Hand, action: TurnTaken) -> DominoGame:
    hands = (*game.hands[: game.turn], hand, *game.hands[game.turn + 1 :])
    turn = game.turn if game.over else (game.turn + 1) % len(hands)
    after = replace(game, hands=hands, turn=turn, number=game.number + 1, seed=game.seed + 1)
    text = f"draws {action.taken} and passes" if action.taken else "passes"
    log = f"{player_name(game.player)} {f'lays {action.tile}' if action.tile else text}."
    return replace(after, log=(log, *game.log)[:10], picked=None, question=None, taken_turn=action)


def _holds(hand: Hand, tile: Domino) -> bool:
    return any(tile_key(tile) == tile_key(other) for other in hand)


def tiles_of(chain: AnyChain) -> tuple[Domino, ...]:
    """Return the tiles of a chain, read from its text.

    >>> tiles_of(Chain(6, "6-1 1-4", 4))
    (Domino(6, 1), Domino(1, 4))
    """
    text = "" if isinstance(chain, Empty) else chain.text
    return tuple(Domino(int(left), int(right)) for left, right in re.findall(r"(\d+)-(\d+)", text))


# ---------------------------------------------------------------------------------------------------- the view


def tile_key(tile: Domino) -> str:
    """Return a key that identifies a tile. `Domino(2, 4)` and `Domino(4, 2)` are the same tile, with the same key."""
    return f"t{min(tile.left, tile.right)}{max(tile.left, tile.right)}"


def player_name(player: Player) -> str:
    """Return a player's name as the table shows it."""
    return f"Player {player.number} ({'you' if isinstance(player, Human) else 'bot'})"


def view(game: DominoGame, room: Room) -> SceneView:
    """Return the view of the domino table: what the page draws.

    The front hand belongs to the person whose turn it is. If it is a bot's turn, the front hand belongs to the first
    person, or to the first bot if no person plays.
    """
    people = [seat for seat, player in enumerate(game.players) if isinstance(player, Human)]
    front = game.turn if game.turn in people else (people or [0])[0]
    items = [*_other_hand_items(game, front, room), *_middle_items(game, room), *_hand_items(game, front, room)]
    shown: SceneView = {
        "h": LAYOUTS[room].height
        + HAND_LINE_HEIGHT * max(len(room.lines(game.hands[front], LAYOUTS[room].in_line)) - 2, 0),
        "items": items,
        "status": _status_text(game),
        "bar": _bar_buttons(game),
        "log": list(game.log),
        "over": bool(game.over),
        "wait": isinstance(game.player, Bot) and not game.over,
    }
    if game.question and game.question.kind == "end":
        return shown
    seats = len(game.players)
    others = (each % seats for each in range(front + 1, front + seats + bool(game.over)))
    holdings = ". ".join(_holding_text(game, seat) for seat in others)
    hand = [] if game.over else [spoken(f"tile:{tile}") for tile in game.hands[front]]
    return shown | {"around": f"{holdings}. Stock: {len(game.stock)}.", "hand": hand}


def _bar_buttons(game: DominoGame) -> list[Item]:
    new = button("New game", ["leave"], strong=bool(game.over))
    match game.question:
        case DominoQuestion("sure", (TurnTaken(tile),)):
            return [button("Lay it" if tile else "Draw and pass", ["sure"], strong=True), new]
        case DominoQuestion("end", _):
            ends = [button(f"At the {side} end", ["end", n], strong=True) for n, side in enumerate(("left", "right"))]
            return [*ends, *([button("Another tile", ["back"])] if game.picked else []), new]
    return [new]


def _status_text(game: DominoGame) -> str:
    if game.over:
        return game.over
    ends = f"Ends: {game.chain.left} and {game.chain.right}. " if isinstance(game.chain, Chain) else ""
    who = f"{ends}{player_name(game.player)}"
    match game.question:
        case DominoQuestion("tile", _):
            return f"{who}, your turn: choose a tile to lay."
        case DominoQuestion("end", _):
            return f"{who}: at which end?"
        case DominoQuestion("sure", (TurnTaken(Domino() as tile),)):
            return f"{who}: you can only lay {tile}."
        case DominoQuestion("sure", (TurnTaken() as action,)):
            return f"{who}: {f'no tile fits, so you draw {action.taken} and pass.' if action.taken else 'pass.'}"
    return f"{who} is thinking."


def _other_hand_items(game: DominoGame, front: int, room: Room) -> Iterator[Item]:
    others = [(front + step) % len(game.players) for step in range(1, len(game.players))]
    open_hands = bool(game.over) or not any(isinstance(player, Human) for player in game.players)
    positions = row(len(others), room.middle, room.x(600), room.x(300))
    for seat, middle in zip(others, positions, strict=True):
        hand = game.hands[seat]
        yield _player_label(game, seat, middle, 24, room)
        for n, x in enumerate(row(len(hand), middle, room.x(220), 24)):
            shown = tile_key(hand[n]) if open_hands else f"h{seat}.{n}"
            picture = f"tile:{hand[n]}" if open_hands else "tile:back"
            yield item(shown, picture, x, 68, spoken(picture), z=0.52, f=LAYOUTS[room].stock)


def _player_label(game: DominoGame, seat: int, x: float, y: float, room: Room = WIDE) -> Item:
    mark = "▸ " if seat == game.turn and not game.over else ""
    hand = game.hands[seat]
    short = f"Player {game.players[seat].number}: {_pip_count(hand) if game.over else len(hand)}"
    text = f"{mark}{_holding_text(game, seat) if room is WIDE else short}"
    return words(f"p{seat}", text, x, y, "bold gold" if mark else "bold")


def _pip_count(hand: Hand) -> int:
    return sum(tile.left + tile.right for tile in hand)


def _holding_text(game: DominoGame, seat: int) -> str:
    """Return how many tiles a player has; at the end, their pips, too."""
    hand = game.hands[seat]
    pips = f", {_pip_count(hand)} pips" if game.over else ""
    return f"{player_name(game.players[seat])}: {len(hand)} {'tile' if len(hand) == 1 else 'tiles'}{pips}"


def _middle_items(game: DominoGame, room: Room) -> Iterator[Item]:
    """Yield the stock, the chain in the middle of the table, and the items at its ends."""
    x, y = LAYOUTS[room].stock
    for n in range(min(len(game.stock), 4)):
        yield item(f"s{n}", "tile:back", x - 2 * n, y - 2 * n, z=0.9)
    yield words("stock", f"stock: {len(game.stock)}", x, y + 60, "small")
    tiles = tiles_of(game.chain)
    if not tiles:
        return
    ends = tiles[0].left, tiles[-1].right
    beyond = [Domino(number, number + 1) for number in ends]  # it takes up space as a tile that is no double
    question = game.question if game.question and game.question.kind == "end" else None
    if question:
        beyond = [tiles_of(question.choices[0])[0], tiles_of(question.choices[1])[-1]]
    first, *poses, last = chain_poses((beyond[0], *tiles, beyond[1]), room.middle, LAYOUTS[room].chain)
    for tile, pose in zip(tiles, poses, strict=True):
        yield _chain_item(tile_key(tile), f"tile:{tile}", pose, f"{spoken(f'tile:{tile}')}, in the chain", room)
    for n, (pose, side) in enumerate(zip((first, last), ("left", "right"), strict=True)):
        if question:
            yield _chain_item(f"g{n}", "tile:ghost", pose, f"lay the tile at the {side} end", room, do=["end", n])
        else:
            yield words(f"end{n}", str(ends[n]), pose.x, pose.y, "bold gold")


def _chain_item(key: str, picture: str, spot: Pose, label: str, room: Room, **more: object) -> Item:
    return item(key, picture, spot.x, spot.y, label, r=spot.angle, z=0.7, f=(room.middle, 60), **more)


def _hand_items(game: DominoGame, seat: int, room: Room) -> Iterator[Item]:
    plan = LAYOUTS[room]
    middle, top = plan.hand
    yield _player_label(game, seat, room.middle, top - 64 * plan.size)
    for n, line in enumerate(room.lines(game.hands[seat], plan.in_line)):
        for tile, x in zip(line, row(len(line), middle, 13 * 52, plan.step), strict=True):
            picked = game.picked is not None and tile_key(tile) == tile_key(game.picked)
            manner: Item = {}
            match game.question if seat == game.turn else None:
                case DominoQuestion("tile", possible) if _holds(possible, tile):
                    manner = {"do": ["tile", tile_key(tile)], "c": "glow"}
                case DominoQuestion("sure", (TurnTaken(forced),)) if tile == forced:
                    manner = {"do": ["sure"], "c": "glow"}
                case DominoQuestion("end", _) if picked:
                    manner = {"c": "glow"}
                case DominoQuestion():
                    manner = {"c": "dim"}
            label = spoken(f"tile:{tile}") + (", you may lay it" if "do" in manner else "")
            y = top + HAND_LINE_HEIGHT * n - 12 * picked
            yield item(tile_key(tile), f"tile:{tile}", x, y, label, f=plan.stock, z=plan.size, **manner)


# ---------------------------------------------------------------------------------------------------- the chain

UNIT, TILE_EDGE = 28.0, 55.0  # half of a tile's length, and the space between arms


class Pose(NamedTuple):
    """A tile's position on the table: the coordinates of its middle, and its angle from upright."""

    x: float
    y: float
    angle: int


def chain_poses(tiles: Sequence[Domino], x: float, y: float) -> tuple[Pose, ...]:
    """Return the positions of a chain's tiles around a point.

    `x` and `y` are the coordinates of the point. `x` is also the distance from the point to the table's left edge, and
    to its right edge.

    >>> chain_poses((Domino(1, 2), Domino(2, 2)), 460, 0)
    (Pose(x=446.0, y=0.0, angle=-90), Pose(x=488.0, y=0.0, angle=0))
    """
    if not tiles:
        return ()
    half = len(tiles) // 2
    lengths = [UNIT if tile.left == tile.right else 2 * UNIT for tile in tiles]  # doubles lie across the chain
    start = lengths[half] / 2
    right = tuple(right_half_poses(lengths[half + 1 :], start, x - TILE_EDGE))
    left = [Pose(-pose.x, -pose.y, pose.angle) for pose in right_half_poses(lengths[:half][::-1], start, x - TILE_EDGE)]
    poses = (*left[::-1], Pose(0.0, 0.0, 0 if lengths[half] == UNIT else -90), *right)
    is_row = not any(pose.y for pose in poses)
    shift = (poses[0].x - lengths[0] / 2 + poses[-1].x + lengths[-1] / 2) / 2 if is_row else 0.0
    return tuple(Pose(pose.x + x - shift, pose.y + y, pose.angle) for pose in poses)


def right_half_poses(lengths: Sequence[float], start: float, edge: float) -> Iterator[Pose]:
    """Yield the positions of the tiles in the right half of a chain, beginning at `start`. The chain bends at `edge`.

    Tiles of length UNIT are doubles. At each bend of the chain, two tiles are upright, one below the other, even if
    they are doubles.
    """
    x, y, way, turning = start, 0.0, 1, 0  # the middle of the side that the next tile touches; tiles left in a turn
    for length in lengths:
        if not turning and x * way + length > edge:
            x, y, turning = x + way * UNIT / 2, y - UNIT / 2, 2
        if not turning:
            yield Pose(x + way * length / 2, y, 0 if length == UNIT else -90 * way)
            x += way * length
            continue
        yield Pose(x, y + UNIT, 0)
        y, turning = y + 2 * UNIT, turning - 1
        if not turning:
            x, y, way = x - way * UNIT / 2, y - UNIT / 2, -way


# ---------------------------------------------------------------------------------------------------- trying a function


def try_tile(chain: AnyChain = EMPTY, *, names: Names | None = None) -> GameTable[PickingState[Domino]]:
    """Return a table to try `legal_adds`: pick a tile, and see which chains can result."""
    offer = tuple(Domino(6 - n, m) for n in range(7) for m in range(7 - n))

    def view(picking: PickingState[Domino], room: Room) -> SceneView:
        items, picked, answer = [], picking.picked, picking.answer
        across, size, wide, high = (14, 0.62, 62, 62) if room is WIDE else (8, 1.3, 66, 114)
        for n, tile in enumerate(offer):
            x, y = room.middle + wide * (n % across - (across - 1) / 2), 238 + high * (n // across)
            look = {"c": "glow"} if tile in picked else {}
            items.append(value_item(f"o{n}", tile, x, y, do=["pick", n], z=size, **look))
        chains = (answer if isinstance(answer, tuple) else ()) if picked else (chain,)
        for n, (each, height) in enumerate(zip(chains, row(len(chains), 96, 150, 92), strict=True)):
            tiles = tiles_of(each)
            for index, (tile, spot) in enumerate(zip(tiles, chain_poses(tiles, room.middle, height), strict=True)):
                look = {"c": "glow"} if {tile, Domino(tile.right, tile.left)} & {*picked} else {}
                items.append(value_item(f"c{n}.{index}", tile, spot.x, spot.y, r=spot.angle, z=0.7, **look))
        if not chains:
            items.append(words("none", "no chain: the tile does not fit", room.middle, 96, "bold gold"))
        status = "Pick a tile to try on the chain."
        if picked:
            status = f"legal_adds({picked[0]!r}, {chain!r}) returns {short_repr(answer)}"
        return {"h": 330 if room is WIDE else 640, "items": items, "status": status, "bar": []}

    return picking_table(
        "A tile and a chain",
        "dominoes",
        "legal_adds",
        view,
        offer=lambda _: offer,
        most=1,
        answer=lambda learner, picking: learner.call("legal_adds", picking.picked[0], chain),
        names=names,
    )


GAME = UnitGame(
    "Dominoes",
    record=lambda names, seed: domino_table("BB", names=names, seed=seed),
    play=lambda names: domino_table(names=names),
)
