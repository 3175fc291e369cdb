"""What learners of war get wrong, one misconception each."""

from war_course.war import *


def outranks__ace_is_low(one, other):
    """A card's rank is its number.

    So it is for all cards but the ace: that is written 1, and yet no rank is above it.
    """
    return one.rank > other.rank


def outranks__not_below(one, other):
    """Who is not below the other is above."""
    return (one.rank - 2) % 13 >= (other.rank - 2) % 13


def outranks__king_is_high(one, other):
    """Nothing is above a king."""
    return one.rank % 13 > other.rank % 13


def deal__in_halves(pack):
    """The first half goes to one player, the second to the other."""
    return pack[: len(pack) // 2], pack[len(pack) // 2 :]


def deal__second_first(pack):
    """The dealer begins with the other one."""
    return pack[1::2], pack[::2]


def deal__lists(pack):
    """A hand is a list."""
    return [*pack[::2]], [*pack[1::2]]


def battle__first_cards_only(one, other):
    """The first cards decide, and a tie is a tie."""
    if not one or not other:
        return None if one == other else FIRST if one else SECOND
    return FIRST if outranks(one[0], other[0]) else SECOND if outranks(other[0], one[0]) else None


def battle__next_card_at_once(one, other):
    """After a tie the next cards meet."""
    if not one or not other:
        return None if one == other else FIRST if one else SECOND
    if one[0].rank == other[0].rank:
        return battle(one[1:], other[1:])
    return FIRST if outranks(one[0], other[0]) else SECOND


def battle__no_card_is_a_tie(one, other):
    """Who cannot go on has not lost yet."""
    if not one or not other:
        return None
    if one[0].rank == other[0].rank:
        return battle(one[2:], other[2:])
    return FIRST if outranks(one[0], other[0]) else SECOND
