"""Small boards. A kit contains the results of `capture` for them, so that learners can find wrong answers."""

from itertools import product

from course.exam.world import World
from kalah_course.kalah import Board


def _captures():
    rows = tuple(product((0, 1, 3), repeat=2))
    return [(Board(mine, 1, theirs, 2), position) for mine in rows for theirs in rows for position in range(5)]


WORLDS = {"capture": World("two houses each with 0, 1 or 3 seeds, and stores with 1 and 2", _captures)}
