"""War by recursion alone."""

from war_course.war import *


def outranks(one, other):
    def height(card):
        return 14 if card.rank == 1 else card.rank

    return height(one) > height(other)


def deal(pack):
    match pack:
        case (first, second, *rest):
            one, other = deal(tuple(rest))
            return (first, *one), (second, *other)
    return pack, ()


def battle(one, other):
    if not one and not other:
        return None
    if not other or (one and outranks(one[0], other[0])):
        return FIRST
    if not one or outranks(other[0], one[0]):
        return SECOND
    return battle(one[2:], other[2:])
