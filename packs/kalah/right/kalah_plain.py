"""A full solution in another style; `foldem prove` tests that the exam accepts it."""

from kalah_course.kalah import *


def opening(size, seeds):
    return Board(*((seeds,) * size, 0) * 2)


def turn(board):
    match board:
        case Board(mine, store, theirs, other):
            return Board(theirs, other, mine, store)


def legal_houses(board):
    return tuple(house for house in range(len(board.mine)) if board.mine[house] > 0)


def landing(board, house):
    return tuple(range(2 * len(board.mine) + 1))[(house + board.mine[house]) % (2 * len(board.mine) + 1)]


def sow(board, house):
    size, seeds = len(ring(board)), board.mine[house]
    sown = [n * (p != house) + (seeds + (house - p) % size) // size for p, n in enumerate(ring(board))]
    *mine, store = sown[: size // 2 + 1]
    return Board(tuple(mine), store, tuple(sown[size // 2 + 1 :]), board.other)


def capture(board, position):
    match board.mine[position : position + 1], board.theirs[::-1][position : position + 1]:
        case (1,), (caught,) if caught > 0:
            theirs = put(board.theirs[::-1], position, 0)[::-1]
            return Board(put(board.mine, position, 0), board.store + caught + 1, theirs, board.other)
    return board


def sweep(board):
    none = tuple(0 for _ in board.mine)
    over = sum(board.mine) == 0 or sum(board.theirs) == 0
    return Board(none, board.store + sum(board.mine), none, board.other + sum(board.theirs)) if over else board


def move(board, house):
    if house not in legal_houses(board):
        raise ValueError(f"house {house} is empty")
    after = sweep(capture(sow(board, house), landing(board, house)))
    return (after, True) if landing(board, house) == len(board.mine) else (turn(after), False)


def lead(board, house, depth):
    after, again = move(board, house)
    sign = 1 if again else -1
    if depth == 0 or legal_houses(after) == ():
        return sign * (after.store - after.other)
    return sign * max(lead(after, each, depth - 1) for each in legal_houses(after))


def greedy(board):
    return sorted(legal_houses(board), key=lambda house: -lead(board, house, 0))[0]


def clever(board):
    return min(legal_houses(board), key=lambda house: -lead(board, house, 1))
