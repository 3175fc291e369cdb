"""Known mistakes in Kalah, as `<exercise>__<mistake>`. The docstring says what the learner believes."""

from kalah_course.kalah import *


def opening__lists(size, seeds):
    """A row may be a list."""
    return Board([seeds] * size, 0, [seeds] * size, 0)


def opening__size_and_seeds(size, seeds):
    """The first number says how many seeds there are."""
    return Board((size,) * seeds, 0, (size,) * seeds, 0)


def turn__stores_stay(board):
    """Only the houses change sides."""
    return Board(board.theirs, board.store, board.mine, board.other)


def turn__mirrored(board):
    """The other player sees the rows in reverse order.

    Both rows begin at their owner's left, so no row is reversed.
    """
    return Board(board.theirs[::-1], board.other, board.mine[::-1], board.store)


def legal_houses__from_one(board):
    """The first house is house 1."""
    return tuple(house for house, seeds in enumerate(board.mine, 1) if seeds)


def legal_houses__seeds(board):
    """The result contains the seeds of the houses."""
    return tuple(seeds for seeds in board.mine if seeds)


def landing__no_lap(board, house):
    """No house has enough seeds for a lap."""
    return house + board.mine[house]


def landing__both_stores(board, house):
    """The last seed can fall into the other player's store."""
    return (house + board.mine[house]) % (2 * size_of(board) + 2)


def sow__one_lap(board, house):
    """No hole gets two seeds."""
    given = {(house + step) % len(ring(board)) for step in range(1, board.mine[house] + 1)}
    sown = [n * (p != house) + (p in given) for p, n in enumerate(ring(board))]
    size = size_of(board)
    return Board(tuple(sown[:size]), sown[size], tuple(sown[size + 1 :]), board.other)


def sow__house_empty_at_the_end(board, house):
    """A house is empty after its seeds have been sown."""
    lap, seeds, size = len(ring(board)), board.mine[house], size_of(board)
    sown = [(n + (seeds + (house - p) % lap) // lap) * (p != house) for p, n in enumerate(ring(board))]
    return Board(tuple(sown[:size]), sown[size], tuple(sown[size + 1 :]), board.other)


def capture__of_nothing(board, position):
    """The last seed goes to the store even if the house opposite is empty."""
    if position >= size_of(board) or board.mine[position] != 1:
        return board
    caught, theirs = board.theirs[-1 - position], put(board.theirs, size_of(board) - 1 - position, 0)
    return Board(put(board.mine, position, 0), board.store + 1 + caught, theirs, board.other)


def capture__own_seed_stays(board, position):
    """Only the seeds of the other player are captured."""
    if position >= size_of(board) or board.mine[position] != 1:
        return board
    caught, theirs = board.theirs[-1 - position], put(board.theirs, size_of(board) - 1 - position, 0)
    return Board(board.mine, board.store + caught, theirs, board.other)


def sweep__seeds_of_nobody(board):
    """The seeds that are left belong to nobody."""
    if any(board.mine) and any(board.theirs):
        return board
    return Board((0,) * size_of(board), board.store, (0,) * size_of(board), board.other)


def sweep__only_mine(board):
    """The game is over only if the player's own houses are empty."""
    if any(board.mine):
        return board
    return Board(board.mine, board.store, (0,) * len(board.theirs), board.other + sum(board.theirs))


def move__never_again(board, house):
    """The players take turns."""
    if board.mine[house] == 0:
        raise ValueError(f"house {house} is empty")
    return turn(sweep(capture(sow(board, house), landing(board, house)))), False


def move__of_no_seeds(board, house):
    """You may empty a house that has no seeds."""
    after, last = sweep(capture(sow(board, house), landing(board, house))), landing(board, house)
    return (after, True) if last == size_of(board) else (turn(after), False)


def lead__for_the_next_player(board, house, depth):
    """The lead of the next player is the lead of this player, too."""
    after, again = move(board, house)
    houses = legal_houses(after) if depth else ()
    return max((lead(after, each, depth - 1) for each in houses), default=after.store - after.other)


def lead__players_take_turns(board, house, depth):
    """After a move, it is always the other player's turn."""
    after, _ = move(board, house)
    houses = legal_houses(after) if depth else ()
    return -max((lead(after, each, depth - 1) for each in houses), default=after.store - after.other)


def greedy__most_seeds(board):
    """The house with the most seeds is best."""
    return max(legal_houses(board), key=lambda house: board.mine[house])


def greedy__last_of_several(board):
    """If several houses are equally good, any of them may be returned."""
    return max(reversed(legal_houses(board)), key=lambda house: lead(board, house, 0))


def clever__first_house(board):
    """Any house with seeds may be returned."""
    return legal_houses(board)[0]


def clever__greedy(board):
    """A bot that takes the most seeds wins."""
    return greedy(board)
