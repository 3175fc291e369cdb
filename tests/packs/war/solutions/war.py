# %% [markdown]
# # War
#
# Two players have a hand of cards each, and do not choose: the first card of one meets the first card of the other,
# and the higher rank wins. The ace, written 1, is the highest, the two the lowest; suits mean nothing.

# %%
from war_course.war import *

# %% [markdown]
# ## Before the war
#
# Numbers have an order of their own, which is not always the one that you need. `%` turns it, as a clock is turned:
#
# ```python
# >>> sorted(range(6), key=lambda hour: (hour - 4) % 6)
# [4, 5, 0, 1, 2, 3]
# ```


# %%
def outranks(one: Card, other: Card) -> bool:
    """Return whether the rank of `one` is above that of `other`.

    >>> outranks(Card(1, HEARTS), Card(13, CLUBS))
    True
    >>> outranks(Card(2, HEARTS), Card(13, CLUBS))
    False
    >>> outranks(Card(7, SPADES), Card(7, HEARTS))
    False
    """
    return (one.rank - 2) % 13 > (other.rank - 2) % 13


# %% [markdown]
# The dealer gives a card to the first player, then one to the second, and so on until there is none left.


# %%
def deal(pack: Pack) -> tuple[Hand, Hand]:
    """Return the two hands that `pack` is dealt to, card by card, the first player's first.

    >>> deal((Card(7, SPADES), Card(1, HEARTS), Card(9, CLUBS)))
    ((Card(7, SPADES), Card(9, CLUBS)), (Card(1, HEARTS),))
    """
    return pack[::2], pack[1::2]


# %% [markdown]
# ## A battle
#
# Where the first cards tie, it is war: each player puts that card and the next one away, and the cards behind them
# meet. Who has no card left then has lost; if neither has, nobody wins.


# %%
def battle(one: Hand, other: Hand) -> Side | None:
    """Return who wins when these hands meet, the first player's first: `FIRST`, `SECOND`, or `None` for nobody.

    >>> battle((Card(9, CLUBS), Card(2, CLUBS)), (Card(4, HEARTS), Card(1, HEARTS)))
    FIRST
    >>> battle((Card(9, CLUBS), Card(2, CLUBS), Card(3, CLUBS)), (Card(9, HEARTS), Card(1, HEARTS), Card(5, HEARTS)))
    SECOND
    >>> battle((Card(9, CLUBS),), (Card(9, HEARTS),)) is None
    True
    """
    match one, other:
        case (), ():
            return None
        case _, ():
            return FIRST
        case (), _:
            return SECOND
    if one[0].rank == other[0].rank:
        return battle(one[2:], other[2:])
    return FIRST if outranks(one[0], other[0]) else SECOND
