"""War in expressions."""

from itertools import islice, zip_longest

from war_course.war import *

ORDER = (*range(2, 14), 1)


def outranks(one, other):
    return ORDER.index(one.rank) > ORDER.index(other.rank)


def deal(pack):
    return tuple(tuple(islice(pack, start, None, 2)) for start in (0, 1))


def decided(pair):
    one, other = pair
    if one is None:
        return SECOND
    if other is None or outranks(one, other):
        return FIRST
    return SECOND if outranks(other, one) else None


def battle(one, other):
    return next(filter(None, map(decided, islice(zip_longest(one, other), 0, None, 2))), None)
