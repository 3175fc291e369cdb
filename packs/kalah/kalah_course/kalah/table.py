"""A Kalah board on which the learner's functions make the moves."""

from collections.abc import Iterator

from course.tables.making import *
from kalah_course.kalah import Board
from kalah_course.kalah.contest import played

AIM = "Collect more seeds in your store than the other player."
PLAYERS, BOTS = ("South", "North"), ("clever", "greedy")


@value
class Sitting:
    """The state of a game: the seats (H is a person, B a bot), the board, and the player who moves next."""

    seats: str
    board: Board
    player: int = 0
    log: tuple[str, ...] = ()
    number: int = 0


def kalah_table(
    seats: str = "HB", *, pace: float = 0.7, names: Names | None = None, seed: int | None = None
) -> AnyTable:
    """Return a board for you and your bot `greedy`. With `seats="BB"`, your bot `clever` plays against it."""

    def start(learner: Learner, seed: int) -> Sitting:
        return Sitting(seats, learner.call("opening", 6, 4))

    needs = ("opening", "move", *(bot for bot, seat in zip(BOTS, seats, strict=True) if seat == "B"))
    return GameTable(GameRules("Kalah", "kalah", needs, start, act, view, pace=pace, aim=AIM), names, seed)


def act(learner: Learner, game: Sitting, action: Action) -> Sitting:
    """Return the game after the move of a person (a click) or of a bot."""
    board, player = game.board, game.player
    match action:
        case ["sow", int(house)]:
            pass
        case ["tick"] if game.seats[player] == "B":
            house = learner.call(BOTS[player], board)
        case _:
            return game
    after, right = learner.call("move", board, house), played(board, house)
    rule(after == right, call_text("move", (board, house)), f"returned {after!r}, but the next board is {right!r}")
    log = (f"{PLAYERS[player]} empties house {house}.", *game.log)
    return Sitting(game.seats, right[0], player if right[1] else 1 - player, log, game.number + 1)


def holes(game: Sitting, room: Room) -> Iterator[Item]:
    """Yield the houses and stores: South's below, from left to right, and North's above, from right to left."""
    board, is_person = game.board, game.seats[game.player] == "H"
    for player, houses, store in ((game.player, board.mine, board.store), (1 - game.player, board.theirs, board.other)):
        turn, y = (room.x(-95), 70) if player else (room.x(95), 230)
        label = f"{PLAYERS[player]}'s store with {store}"
        yield item(f"store {player}", f"store:{store}", room.middle + turn * 3.5, 150, label)
        for house, seeds in enumerate(houses):
            can_sow = is_person and player == game.player and seeds > 0
            click = {"do": ["sow", house], "c": "glow"} if can_sow else {}
            label = f"{PLAYERS[player]}'s house {house} with {seeds}{', you may sow it' * can_sow}"
            yield item(f"{player} {house}", f"house:{seeds}", room.middle + turn * (house - 2.5), y, label, **click)


def view(game: Sitting, room: Room) -> SceneView:
    """Return the view of the table: the board, its buttons and its status."""
    ahead, is_over = game.board.store - game.board.other, not any(game.board.mine)
    winner = game.player if ahead > 0 else 1 - game.player
    status = f"{PLAYERS[winner]} wins by {abs(ahead)}." if ahead else "It's a draw."
    shown = {"h": 300, "items": [*holes(game, room)], "bar": [button("New game", ["leave"], strong=is_over)]}
    shown |= {"status": status if is_over else f"{PLAYERS[game.player]} to move.", "log": list(game.log)}
    return shown | {"over": is_over, "wait": game.seats[game.player] == "B" and not is_over}


GAME = UnitGame(
    "A game between the bots `clever` and `greedy`",
    record=lambda names, seed: kalah_table("BB", names=names, seed=seed),
    play=lambda names: kalah_table(names=names),
)
