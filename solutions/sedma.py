# %% [markdown]
# # Sedma, the game of seven
#
# Four people play, `A`, `B`, `C` and `D`, sitting clockwise in that order. They are two teams, partners across
# the table: `AC` against `BD`. The deck has 32 cards, four suits of seven, eight, nine, ten, jack, queen, king, ace.
#
# **A trick.** One player, the *leader*, plays a card; the others follow clockwise, each any card they hold. The *last*
# card of the same rank as the first one wins the trick; if no other has it, that is the leader's own. Sevens are
# jokers: a seven takes the rank of the card that was led. But a seven that is led is a seven and nothing else, so that
# only another seven beats it. No rank is higher than another, and suits mean nothing. If A leads a king, B plays a
# seven, C a king and D an ace, C wins.
#
# **The round goes on.** Whoever wins a trick leads the next one. `A` leads the first. (Players start with four
# cards, and after a trick draw one each, the winner first, while there is a stock; a record does not show that.)
#
# **The count.** Every ace and every ten in the tricks that a team has won is worth 10 points, all other cards
# nothing, and the last trick brings its winners another 10. That makes 90 in all, so there is no draw. The team
# with more points wins the game, and the game is worth
#
# | to the winners | if the losers |
# |---|---|
# | `THREE` | won no trick |
# | `TWO` | won a trick or more, but have no points |
# | `ONE` | have points |
#
# (These three are values with names, like suits and ranks, not numbers.)

# %%
from course.sedma import *

# %% [markdown]
# **Before you begin: three questions.** Answer each aloud, or on paper, before you unfold it.
#
# <details><summary>What is a function that depends on its arguments alone, and does nothing but give a
# value?</summary>
#
# A **pure** function. All of this unit's are: nobody prints, nobody asks, nothing is left to chance.
#
# </details>
#
# <details><summary><code>map(len, words)</code> was given to two functions, one after the other. What does the second
# get?</summary>
#
# Nothing: a `map` gives its items once. `tuple(map(len, words))` can be used as often as you like.
#
# </details>
#
# <details><summary>In dominoes, what did the fold over the players carry along?</summary>
#
# A pair: the stock that is left, and the states made so far. What a fold carries is its *accumulator*.
#
# </details>

# %% [markdown]
# **See a whole game first**, trick by trick, as finished functions play it. *Next* and *Back*, the
# slider and its arrow keys go through it.

# %% active="ipynb"
# from course.tables import whole_game
#
# whole_game("sedma")

# %% [markdown]
# **Your task.** You get the cards of a game in the order in which they were played, 32 of them if all is well, and must
# say who won and what it was worth: that is `replay`. The exercises before it are steps on the way, each of them useful
# by itself. You may use them in the later ones, or go your own way.
#
# **The challenge.** For those who want it harder: begin at the end, with `replay_at_once`, the last exercise. It is the
# same task with nothing but this page of rules. When it is right, the steps are five minutes each.

# %% [markdown]
# ## Before the game: is this a record at all?
#
# Anybody may play anything at any time in Sedma, so no *order* of cards is against the rules. A record is right
# if every card of the deck is in it and none is there twice: a question about sets.
#
# A `frozenset` forgets order and repetition, and the length tells how much it forgot:
#
# ```python
# >>> len("seven"), len(frozenset("seven"))
# (5, 4)
# ```

# %% active="ipynb"
# predict(
#     """
#     cards = (Card(HEART, RA), Card(CLUB, R7), Card(HEART, RA))
#     len(cards), len(frozenset(cards)), frozenset(cards) == frozenset(reversed(cards))
#     """,
#     "(3, 2, True)",
#     "(3, 3, False)",
#     "(3, 2, False)",
#     why=(
#         "A set holds equal values once, and has no order. So it knows which cards there were, and neither "
#         "how often nor when."
#     ),
# )

# %% [markdown]
# How many cards has a record? Which of its cards may be there twice, and which may be missing?
#
# The whole deck is given as `PIQUET_DECK`. A card is `Card(suit, rank)`, as `Card(HEART, R7)`, and `card.rank` is its
# rank: `R7`, `R8`, `R9`, `R10`, `RJ`, `RQ`, `RK` or `RA`.


# %%
def is_valid_record(cards: Cards) -> bool:
    """Tell whether `cards` can be the record of a game: each of the 32 cards once, in any order.

    >>> is_valid_record(PIQUET_DECK[1:] + PIQUET_DECK[:1])
    True
    >>> is_valid_record((*PIQUET_DECK, Card(HEART, RA))), is_valid_record(PIQUET_DECK[4:])
    (False, False)
    >>> twice = PIQUET_DECK[0], PIQUET_DECK[9]
    >>> is_valid_record((*twice, *twice, *PIQUET_DECK[2:8], *PIQUET_DECK[10:]))
    False
    """
    return len(cards) == len(PIQUET_DECK) == len(frozenset(cards))


# %% [markdown]
# ## One trick
#
# A trick is a tuple of four cards, the leader's first. Let us call the positions *places*, 0 to 3. It is easier
# to say which place wins than which player: the place depends on the cards alone.
#
# `enumerate` pairs things with their places:
#
# ```python
# >>> tuple(enumerate("bus"))
# ((0, 'b'), (1, 'u'), (2, 's'))
# ```
#
# ```draw
# Card(CLUB, RK), Card(HEART, R7), Card(DIAMOND, RK), Card(CLUB, RA) | at the places 0, 1, 2 and 3
# Who is in the running? And which of those was last?
# ```
#
# One card always is in the running: so what if no other card is?
#
# **Catch the impostors first**: read below what `winning_place` gives, and write tricks with the place that wins until
# all twelve wrong answers are caught. (The arguments are a tuple, here with one trick in it.)

# %% active="ipynb"
# from course.check import catch, example
#
# catch(
#     # in place of the dots: the place, 0 to 3
#     example("winning_place", ((Card(CLUB, RK), Card(HEART, R8), Card(SPADE, RK), Card(CLUB, R9)),), ...),
#     # more examples of your own, a line each
# )


# %%
def winning_place(trick: Trick) -> int:
    """Give the place, 0 (the leader's) to 3, of the card that wins `trick`.

    The last card of the rank that was led wins, the leader's own if there is no other. A seven counts as that rank.

    >>> winning_place((Card(CLUB, RK), Card(CLUB, R7), Card(HEART, RK), Card(HEART, R7)))
    3
    >>> winning_place((Card(CLUB, RA), Card(CLUB, RK), Card(HEART, RK), Card(CLUB, RJ)))
    0
    >>> winning_place((Card(CLUB, R7), Card(CLUB, RK), Card(HEART, R7), Card(HEART, RK)))
    2
    """
    led = trick[0].rank
    return max(place for place, card in enumerate(trick) if card.rank in (led, R7))


# %% [markdown]
# Lay some tricks and see who wins them by your function. Do sevens behave?

# %% active="ipynb"
# from course.tables import try_trick
#
# try_trick()

# %% active="ipynb"
# predict(
#     """
#     sum(n > 3 for n in (1, 5, 9))
#     """,
#     why=(
#         "Each comparison gives a `bool`, and in a sum True counts 1 and False 0: so a sum of questions "
#         "counts the ones with a yes. (The numbers themselves would be `sum(n for n in (1, 5, 9) if n > 3)`.)"
#     ),
# )

# %% [markdown]
# Counting is adding up, and in Python a `bool` adds up too: `True` counts 1, `False` counts 0.
#
# ```python
# >>> sum(letter in "aeiou" for letter in "sedma")
# 2
# ```


# %%
def trick_points(trick: Trick) -> int:
    """Give the card points in `trick`: 10 for every ace and every ten.

    The ten for the last trick of the game is not counted here.

    >>> trick_points((Card(CLUB, RA), Card(CLUB, R10), Card(HEART, RA), Card(CLUB, RJ)))
    30
    >>> trick_points((Card(CLUB, R7), Card(CLUB, R8), Card(CLUB, R9), Card(CLUB, RK)))
    0
    """
    return 10 * sum(card.rank in (RA, R10) for card in trick)


# %% [markdown]
# ## From trick to trick
#
# Place 0 is the leader, place 1 the player to the leader's left, and so on round the table. Who sits how far from
# whom is given:
#
# ```python
# >>> seats_on(D, 1), seats_on(B, 2)
# (A, D)
# ```


# %%
def next_leader(leader: Player, trick: Trick) -> Player:
    """Give the player who wins `trick`, begun by `leader`, and so leads the next one.

    >>> next_leader(A, (Card(CLUB, RA), Card(CLUB, RK), Card(HEART, RA), Card(CLUB, RJ)))
    C
    >>> next_leader(C, (Card(CLUB, RA), Card(CLUB, RK), Card(HEART, RA), Card(CLUB, RJ)))
    A
    """
    return seats_on(leader, winning_place(trick))


# %% [markdown]
# ## A whole game
#
# Each trick needs to know who won the one before. That is a fold whose intermediate results we want to keep, and it has
# a name of its own, *scan*; Python says `accumulate`:
#
# ```python
# >>> tuple(accumulate((5, 1, 2), lambda total, n: total + n, initial=100))
# (100, 105, 106, 108)
# ```

# %% active="ipynb"
# predict(
#     """
#     tuple(accumulate((1, 2, 3), lambda a, b: a * b, initial=10))
#     """,
#     "(10, 20, 60)",
#     "(1, 2, 6)",
#     "(10, 10, 20, 60)",
#     why=(
#         "The start is a result too, so there is one result more than there are items: 10, then times 1, "
#         "times 2, times 3. A fold would give the last of them alone."
#     ),
# )

# %% [markdown]
# A scan has one result more than it has steps: the start is one of them. Look at `next_leader` again: what goes in,
# what comes out?
#
# Given: `tricks_of` cuts a record into its eight tricks, and `team_of` tells a player's team. (In the second example
# below the tricks are by turns 8, 9, 10, jack, which the leader wins, and queen, king, ace, 7, which the seven wins.)


# %%
def tally(record: Record) -> Tally:
    """Give the scores of both teams at the end of the game `record`, first of AC, then of BD.

    A `Score` holds how many tricks the team won and its points, with the ten for the last trick of the game if it
    won that one. The record is valid: you need not check it.

    >>> tally(SAMPLE_RECORD)
    (Score(8, 90), Score(0, 0))
    >>> tally(PIQUET_DECK[1:] + PIQUET_DECK[:1])
    (Score(4, 50), Score(4, 40))
    """
    tricks = tricks_of(record)
    _, *winners = accumulate(tricks, next_leader, initial=A)

    def score(team: Team) -> Score:
        won = [trick for trick, winner in zip(tricks, winners, strict=True) if team_of(winner) is team]
        last = 10 if team_of(winners[-1]) is team else 0
        return Score(len(won), last + sum(map(trick_points, won)))

    return score(AC), score(BD)


# %% [markdown]
# Data come first: which pairs of scores can there be at all? A judge that counts wrong gives two scores as well, and
# they look like any others. Write down once what must be true of every pair, whatever was played: that is an
# **invariant**, and as a function it finds mistakes that nobody has thought of.


# %%
def is_sound(scores: Tally) -> bool:
    """Tell whether these can be the scores at the end of a game, as far as tricks and points alone can tell.

    They can if and only if the tricks add up to 8, the points add up to 90, no number is below 0, the points of either
    team are whole tens, and a team without a trick has no points.

    >>> is_sound((Score(3, 40), Score(5, 50))), is_sound((Score(0, 0), Score(8, 90)))
    (True, True)
    >>> is_sound((Score(3, 40), Score(4, 50))), is_sound((Score(3, 40), Score(5, 40)))
    (False, False)
    >>> is_sound((Score(0, 10), Score(8, 80))), is_sound((Score(3, 45), Score(5, 45)))
    (False, False)
    """

    def is_possible(score: Score) -> bool:
        match score:
            case Score(0, points):
                return points == 0
            case Score(tricks, points):
                return tricks > 0 and points in range(0, 100, 10)

    ac, bd = scores
    return ac.tricks + bd.tricks == 8 and ac.points + bd.points == 90 and is_possible(ac) and is_possible(bd)


# %% [markdown]
# Here is a judge that is not quite awake. Some games it counts right, and its code looks harmless. Let your function
# find a pair of scores that no game can end with (there is one among the first ten games), and then the line.

# %% active="ipynb"
# from random import Random
#
#
# def sleepy(record):
#     ac, bd = tally(record)
#     return (ac, bd) if bd.points < 50 else (Score(ac.tricks, 80 - bd.points), bd)
#
#
# chance = Random(2026)
# records = (tuple(chance.sample(PIQUET_DECK, 32)) for _ in range(99))
# next((sleepy(record) for record in records if not is_sound(sleepy(record))), "no game found")

# %% active="ipynb"
# predict(
#     """
#     def where(point):
#         match point:
#             case (0, _):
#                 return "on the upright axis"
#             case (0, 0):
#                 return "in the middle"
#             case _:
#                 return "elsewhere"
#
#     where((0, 0)), where((0, 3)), where((2, 0))
#     """,
#     "('on the upright axis', 'on the upright axis', 'elsewhere')",
#     "('in the middle', 'on the upright axis', 'elsewhere')",
#     "an error",
#     why=(
#         "Cases are tried from the top, and both of the first two fit (0, 0): the upper one wins, so the second "
#         "is never reached. What is more special must stand higher."
#     ),
# )

# %% [markdown]
# What the game is worth can be read off the *losers'* score alone. `match` can look inside a value and compare it
# with numbers on the way:
#
# ```python
# match score:
#     case Score(8, _):
#         print("every trick")
# ```
#
# Cases are tried from the top, so the order of yours matters.


# %%
def game_points(loser: Score) -> Points:
    """Give what the game is worth to the winners, when the other team ends with the score `loser`.

    Only scores occur that losers can have: without a trick there are no points.

    >>> game_points(Score(1, 10))
    ONE
    >>> game_points(Score(1, 0)), game_points(Score(0, 0))
    (TWO, THREE)
    """
    match loser:
        case Score(0, _):
            return THREE
        case Score(_, 0):
            return TWO
        case _:
            return ONE


# %% [markdown]
# ## The verdict
#
# Everything is there now. What is left is to say no to what is not a record, and to find out which team has lost.
# `None` is the answer of somebody who has no answer: it is returned, not raised.


# %%
def replay(cards: Cards) -> Winner | None:
    """Give the team that won the game with the record `cards`, and what the game is worth to it.

    None if `cards` is not a valid record, that is, anything but each of the 32 cards once.

    >>> replay(PIQUET_DECK[1:] + PIQUET_DECK[:1])
    (AC, ONE)
    >>> twice = PIQUET_DECK[0], PIQUET_DECK[9]
    >>> tuple(map(replay, ((*twice, *twice, *PIQUET_DECK[2:8], *PIQUET_DECK[10:]), PIQUET_DECK[4:], ())))
    (None, None, None)
    >>> replay(SAMPLE_RECORD)
    (AC, THREE)
    """
    if not is_valid_record(cards):
        return None
    ac, bd = tally(cards)
    return (AC, game_points(bd)) if ac.points > bd.points else (BD, game_points(ac))


# %% [markdown]
# ## A challenge: `replay` without the steps
#
# This is how the task was set first: the rules, thirty-two cards, one function, and no steps to it. Put your own
# aside, take a sheet of paper, and find other ones. It is worth no points, and costs none: leave it out if you like.
#
# What do you have to know of the tricks before, to go on with the next one? Is it really which *player* leads?


# %%
def replay_at_once(cards: Cards) -> Winner | None:
    """Give what `replay` gives, without any of the functions that you have written on the way to it.

    Must use none of `is_valid_record`, `winning_place`, `trick_points`, `next_leader`, `tally`, `game_points` and
    `replay`. What is given may be used: `tricks_of`, `team_of`, `seats_on` and the folds among it.

    >>> replay_at_once(SAMPLE_RECORD), replay_at_once(PIQUET_DECK[1:] + PIQUET_DECK[:1])
    ((AC, THREE), (AC, ONE))
    >>> replay_at_once(SAMPLE_RECORD[:31]) is None
    True
    """
    if len(cards) != len(PIQUET_DECK) or frozenset(cards) != frozenset(PIQUET_DECK):
        return None

    def winner_of(leader: int, trick: Trick) -> int:
        place = max(place for place, card in enumerate(trick) if card.rank in (trick[0].rank, R7))
        return (leader + place) % 2

    def tens(team: int) -> int:
        won = (trick for trick, winner in zip(tricks, winners, strict=True) if winner == team)
        return (winners[-1] == team) + sum(card.rank in (R10, RA) for trick in won for card in trick)

    tricks = tricks_of(cards)
    _, *winners = accumulate(tricks, winner_of, initial=0)
    loser = min((0, 1), key=tens)
    return (BD, AC)[loser], ONE if tens(loser) else TWO if loser in winners else THREE


# %% [markdown]
# ## Try it
#
# Deal out a game nobody thought about, and see who wins. How many deals does it take until one is worth more than
# `ONE`?

# %% active="ipynb"
# from random import sample
#
# replay(tuple(sample(PIQUET_DECK, 32)))

# %% [markdown]
# Go through the sample record trick by trick, with your functions counting. Then play a game yourself: you are A, and
# your `replay` is the judge.

# %% active="ipynb"
# from course.tables import sedma_record
#
# sedma_record(SAMPLE_RECORD)

# %% active="ipynb"
# from course.tables import sedma_table
#
# sedma_table()

# %% [markdown]
# ## Go further
#
# **The deal behind a record.** `is_valid_record` asks nothing of the order of the cards. Is that right? Only if each
# order can come from a deal. Show that it can: `deal_behind(record)` gives four hands of four cards, A's first, and the
# sixteen cards of the stock, as they must have lain for the game to go like this. The first four cards that a player
# lays can be the hand; the fifth was drawn after the first trick, the sixth after the second, and the winner of the
# trick draws first. You have all that it takes: `tricks_of`, `seats_on` and `next_leader`.
#
# **A longer trick.** Nobody has to win a trick in Sedma: the leader may give up, or play on with another card of the
# rank. Build the longer variant, in which the leader who is beaten may lay a second round on the same trick:
#
# ```draw
# A leads | Card(CLUB, RK) | B | Card(DIAMOND, R9) | C | Card(HEART, R8) | D | Card(SPADE, R7) | beats it
# A goes on | Card(HEART, RK) | B | Card(DIAMOND, RQ) | C | Card(SPADE, R9) | D | Card(CLUB, RJ)
# A has the trick back, with eight cards in it.
# ```
#
# A trick is then four, eight, twelve or sixteen cards. Which of your functions still hold as they are?
#
# <details><summary>Where it comes from</summary>
#
# The first homework of a course on **Haskell**. It is the bare challenge, and a signature says nearly all of it:
#
# ```haskell
# replay :: Cards -> Maybe Winner
# ```
#
# `Maybe` is the type of two cases that Python has no name for, nothing or just this: `None` does its work here.
#
# </details>
