"""The game that bots of Kalah play. A referee needs its rules, so they are written here, too."""

from random import Random

from course.arena.arena import Arena, SetResult, Steps, illegal_answer
from kalah_course.kalah import Board, House


def played(board: Board, house: House) -> tuple[Board, bool]:
    """Return the board after a legal move, as the next player sees it, and whether the same player moves again."""
    holes, size, last = [*board.mine, board.store, *board.theirs], len(board.mine), house
    seeds, holes[house] = holes[house], 0
    for _ in range(seeds):
        last = (last + 1) % len(holes)
        holes[last] += 1
    if last < size and holes[last] == 1 and (caught := holes[2 * size - last]):
        holes[size], holes[last], holes[2 * size - last] = holes[size] + 1 + caught, 0, 0
    sides = [tuple(holes[:size]), holes[size], tuple(holes[size + 1 :]), board.other]
    if not any(sides[0]) or not any(sides[2]):
        sides = [(0,) * size, sides[1] + sum(sides[0]), (0,) * size, sides[3] + sum(sides[2])]
    return (Board(*sides), True) if last == size else (Board(*sides[2:], *sides[:2]), False)


def steps(players: int, seed: int, first: int) -> Steps[str, Board]:
    """Play a game that begins with the same seeds in the four houses of each player, drawn by `seed`."""
    row = tuple(Random(seed).choices(range(1, 6), k=4))
    board, player = Board(row, 0, row, 0), first
    while any(board.mine):
        house = yield player, "choose_house", board
        if type(house) is not int or house not in range(4) or not board.mine[house]:
            raise illegal_answer(house, "but the answer must be a house with seeds")
        board, again = played(board, house)
        player = player if again else 1 - player
    ahead = board.store - board.other
    return SetResult(None if ahead == 0 else player if ahead > 0 else 1 - player)


BOTS = {"clever": ("clever",), "greedy": ("greedy",)}
ARENA = Arena("Kalah", ("choose_house",), steps, references={"greedy": "greedy"}, bots=BOTS)
