"""The exam of Kalah: boards with one to six houses on each side."""

from random import Random

from kalah_course.kalah import *

from autograder.exam.cases import Case, Check, Contest, by_seed, case


def _board(random: Random, most: tuple[int, ...] = (1, 2, 6, 20)) -> Board:
    size, top = random.randint(1, 6), random.choice(most)
    mine, theirs = (tuple(random.randint(0, top) for _ in range(size)) for _ in range(2))
    return Board(mine, random.randint(0, 9), theirs, random.randint(0, 9))


def _move(random: Random) -> Case:
    board = _board(random)
    houses = [house for house, seeds in enumerate(board.mine) if seeds]
    return case(board, random.choice(houses)) if houses else _move(random)


def _capture(random: Random) -> Case:
    board = _board(random, (1, 2))
    return case(board, random.randrange(2 * size_of(board) + 1))


WINS = Contest("greedy", 60, lambda duel: duel.p_value <= 0.001, "it is not sure to be better than `greedy`")
STRATEGIES = {"Board": by_seed(_board), "Size": tuple(range(1, 7)), "Seeds": tuple(range(7))}

CHECKS = {
    "landing": Check(cases=by_seed(_move)),
    "sow": Check(cases=by_seed(_move)),
    "capture": Check(cases=by_seed(_capture)),
    "move": Check(cases=by_seed(_move)),
    "lead": Check(cases=by_seed(lambda random: case(*_move(random).args, random.randint(0, 2)))),
    "greedy": Check(cases=by_seed(lambda random: case(_move(random).args[0]))),
    "clever": Check(contests={"beats `greedy`, with a confidence of 99.9 %": WINS}),
}
