# %% [markdown]
# # Sedma, the game of seven
#
# Four people, `A`, `B`, `C` and `D`, sit clockwise in this order. Partners sit opposite each other, so the teams are
# `AC` and `BD`. The deck has 32 cards. Each of the four suits has a seven, eight, nine, ten, jack, queen, king and
# ace.
#
# <details><summary>The rules in full</summary>
#
# **A trick.** One player, the *leader*, plays a card. The other players follow clockwise, and each may play any card.
# The *last* card of the same rank as the first card wins the trick. If no other card has the rank of the first card,
# the leader's card wins. Sevens are jokers: a seven takes the rank of the card that was led. But if a seven is led,
# it counts as a seven, so only another seven beats it. No rank is higher than another, and suits do not matter. For
# example, if A leads a king, B plays a seven, C a king and D an ace, C wins.
#
# **The next trick.** The winner of a trick leads the next trick. `A` leads the first trick. (Players start with four
# cards, and draw one after each trick. A record does not show drawn cards.)
#
# **The count.** Each ace and each ten in a team's tricks is worth 10 points; other cards are worth nothing. The team
# that wins the last trick gets 10 extra points. All points are multiples of 10 and add up to 90, so there is no tie.
# The team with more points wins. The table shows what the game is worth:
#
# | to the winners | if the losers |
# |---|---|
# | `THREE` | won no trick |
# | `TWO` | won a trick or more, but have no points |
# | `ONE` | have points |
#
# (`THREE`, `TWO` and `ONE` are named values, not numbers.)
#
# </details>

# %%
from course.sedma import *

# %% [markdown]
# **First watch a game**, played by reference solutions. Go through the game with *Next* or the arrow keys.

# %% active="ipynb"
# from course.tables import whole_game
#
# whole_game("sedma")

# %% [markdown]
# **Your task.** You write the function `replay`. This function takes the cards of a game in the order in which they
# were played. `replay` returns which team won and how much the game was worth. You first write the functions that
# `replay` needs, one in each exercise.

# %% [markdown]
# ## Before the game: is a record valid?
#
# In Sedma, the players may play their cards in any order, so no *order* of cards is against the rules. A record is
# valid if it contains every card of the deck, and no card twice. You can test these two conditions with sets.
#
# A `frozenset` has no order, and contains each item once. Compare the lengths of a string and its `frozenset` to see
# how many letters are repeated:
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
#         "A set contains equal values only once, and has no order. So it shows which cards were played, but not "
#         "how often or when."
#     ),
# )

# %% [markdown]
# How many cards does a valid record have? Can a card occur twice in a valid record, and can a card be missing?
#
# The whole deck is given as `PIQUET_DECK`. A card is `Card(suit, rank)`, such as `Card(HEART, R7)`, and `card.rank` is
# its rank. The ranks are `R7`, `R8`, `R9`, `R10`, `RJ`, `RQ`, `RK` and `RA`.


# %%
def is_valid_record(cards: Cards) -> bool:
    """Return whether `cards` can be the record of a game: each of the 32 cards once, in any order.

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
# **The challenge.** Do you want a harder task? Then begin with the last exercise, `replay_at_once`. This exercise is
# the same task as `replay`, but you may not call the functions of the other exercises. If you solve `replay_at_once`,
# each of the other exercises will take you about five minutes.

# %% [markdown]
# **Before you go on: three questions.** Answer each question aloud or on paper before you open its answer.
#
# <details><summary>What do we call a function that has no side effects, and whose result depends only on its
# arguments?</summary>
#
# A **pure** function. All functions of this unit are pure: they do not print, do not read input, and do not use random
# numbers.
#
# </details>
#
# <details><summary>Two functions go through the same <code>map(len, words)</code>, one after the other. Which items
# does the second function get?</summary>
#
# The second function gets no items, because a `map` produces its items only once. You can use `tuple(map(len, words))`
# as often as you like.
#
# </details>
#
# <details><summary>In <code>make_state_list</code> of dominoes, which value does the fold pass on from one player to
# the next?</summary>
#
# A pair: the rest of the stock, and the states made so far. The value that a fold passes on is called its
# *accumulator*.
#
# </details>

# %% [markdown]
# ## One trick
#
# A trick is a tuple of four cards, the leader's card first. The positions of the cards in a trick are called *places*,
# and they have the numbers 0 to 3. It is easier to find the winning place than the winning player, because the place
# depends on the cards alone.
#
# `enumerate` pairs items with their places:
#
# ```python
# >>> tuple(enumerate("bus"))
# ((0, 'b'), (1, 'u'), (2, 's'))
# ```
#
# ```draw
# Card(CLUB, RK), Card(HEART, R7), Card(DIAMOND, RK), Card(CLUB, RA) | at the places 0, 1, 2 and 3
# Which cards can win? And which of these cards came last?
# ```
#
# Which card of the trick wins if no other card can win?
#
# **Find the wrong answers first.** Read below what `winning_place` returns. Then write tricks and their winning places,
# until your examples catch all thirteen wrong answers. (An example needs a tuple of arguments. For `winning_place`,
# this tuple contains only one trick.)

# %% active="ipynb"
# from course.check import catch, example
#
# catch(
#     # replace the dots by the place, 0 to 3
#     example("winning_place", ((Card(CLUB, RK), Card(HEART, R8), Card(SPADE, RK), Card(CLUB, R9)),), ...),
#     # add more examples, one on each line
# )


# %%
def winning_place(trick: Trick) -> int:
    """Return the place of the card that wins `trick`, a number from 0 (the leader's card) to 3.

    The last card of the rank that was led wins. A seven counts as a card of the rank that was led. If no other card has
    this rank, the leader's own card wins.

    >>> winning_place((Card(CLUB, RK), Card(CLUB, R7), Card(HEART, RK), Card(HEART, R7)))
    3
    >>> winning_place((Card(CLUB, RA), Card(CLUB, RK), Card(HEART, RK), Card(CLUB, RJ)))
    0
    >>> winning_place((Card(CLUB, R7), Card(CLUB, RK), Card(HEART, R7), Card(HEART, RK)))
    2
    """
    led = trick[0].rank
    return max(index for index, card in enumerate(trick) if card.rank in (led, R7))


# %% [markdown]
# In the next cell, play some tricks and see who wins each trick according to your `winning_place`. Does your function
# treat sevens correctly?
#
# **Change a function that works.** Copy `winning_place` into a cell of your own and rename it to `plain_place`. Change
# the copy so that a seven is not a joker. Then find a trick for which the two functions return different places.

# %% active="ipynb"
# from course.tables import try_trick
#
# try_trick()

# %% active="ipynb"
# predict(
#     """
#     sum(n > 3 for n in (1, 5, 9))
#     """,
#     "14",
#     "2",
#     "an error",
#     why=(
#         "Each comparison returns a `bool`. In a sum, True counts 1 and False counts 0, so this sum counts "
#         "the numbers above 3. (To add the numbers themselves: `sum(n for n in (1, 5, 9) if n > 3)`.)"
#     ),
# )

# %% [markdown]
# You can count with `sum`, because Python can add up `bool` values, too. In a sum, `True` counts as 1, and `False`
# counts as 0.
#
# ```python
# >>> sum(letter in "aeiou" for letter in "sedma")
# 2
# ```


# %%
def trick_points(trick: Trick) -> int:
    """Return the card points in `trick`: 10 for every ace and every ten.

    The 10 points for the last trick of the game are not counted here.

    >>> trick_points((Card(CLUB, RA), Card(CLUB, R10), Card(HEART, RA), Card(CLUB, RJ)))
    30
    >>> trick_points((Card(CLUB, R7), Card(CLUB, R8), Card(CLUB, R9), Card(CLUB, RK)))
    0
    """
    return 10 * sum(card.rank in (RA, R10) for card in trick)


# %% [markdown]
# ## From trick to trick
#
# Place 0 belongs to the leader, place 1 to the player on the leader's left, and so on round the table. The given
# `seats_on(player, n)` returns the player who sits `n` seats clockwise from `player`:
#
# ```python
# >>> seats_on(D, 1), seats_on(B, 2)
# (A, D)
# ```


# %%
def next_leader(leader: Player, trick: Trick) -> Player:
    """Return the player who wins `trick` and leads the next one; `leader` played the first card of `trick`.

    >>> next_leader(A, (Card(CLUB, RA), Card(CLUB, RK), Card(HEART, RA), Card(CLUB, RJ)))
    C
    >>> next_leader(C, (Card(CLUB, RA), Card(CLUB, RK), Card(HEART, RA), Card(CLUB, RJ)))
    A
    """
    return seats_on(leader, winning_place(trick))


# %% [markdown]
# ## A whole game
#
# The leader of a trick is the player who won the trick before it. To find all leaders, you need a fold that returns its
# intermediate results, too. A fold that returns all its intermediate results is called a *scan*. In Python,
# `accumulate` is a scan:
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
#         "The start is a result, too, so there is one more result than there are items: 10, then times 1, "
#         "times 2, times 3. A fold would return only the last one."
#     ),
# )

# %% [markdown]
# A scan over some items has one more result than there are items, because the start value is a result, too. Look at
# `next_leader` again: which arguments does this function take, and what does it return?
#
# You count the points of a game in three steps. **Step 1: who won which trick?** `tricks_of` is given: it returns a
# tuple of the tricks of a record, four cards each. In the next cell, replace the dots by a scan over `three_tricks`
# that starts with `A` and calls `next_leader`. You should see four players. The first player leads the first trick, and
# the last player would lead a fourth trick.

# %% active="ipynb"
# kings, eights = (Card(CLUB, RK), Card(HEART, RK)), (Card(CLUB, R8), Card(HEART, R8))
# aces, nines = (Card(CLUB, RA), Card(HEART, RA)), (Card(CLUB, R9), Card(HEART, R9))
# tens = Card(CLUB, R10), Card(HEART, R10)
# three_tricks = tricks_of((*kings, *nines, eights[0], *aces, eights[1], *tens, *aces))
#
# leaders = ...
# leaders

# %% [markdown]
# <details><summary>Which four players should you see?</summary>
#
# `A`, `B`, `A`, `B`. The second king wins the first trick, so `B` leads the second trick. The last eight wins the
# second trick, and `A` has played this eight. The second ten, which `B` has played, wins the third trick.
#
# </details>
#
# **Step 2: which tricks did a team win?** Each trick has one winner, who leads the next trick. So the winners are all
# the leaders except the first leader. `team_of` is given: it returns a player's team. In the next cell, add a condition
# to the comprehension, so that only the tricks of `BD` are left. `BD` has won two of the three tricks.

# %% active="ipynb"
# names, taken_by = ("first trick", "second trick", "third trick"), (B, A, B)
# tuple(name for name, winner in zip(names, taken_by, strict=True))

# %% [markdown]
# **Step 3: count.** For one team, count the tricks that the team has won, and add up the points in these tricks. If
# `winners` is a tuple of the winners of all tricks, `winners[-1]` is the winner of the last trick. Write one local
# function that computes the score of a team, and call it for both teams.
#
# (In the second example of `tally`, the first trick is 8, 9, 10, jack, and the leader wins. The second trick is queen,
# king, ace, 7, and the seven wins. Tricks 3, 5 and 7 have the same ranks as the first trick, and tricks 4, 6 and 8 the
# same as the second.)
#
# Here is the **recipe** from the warm-up, for a function of about eight lines:
#
# - *Examples.* Write down who won each trick of `SAMPLE_RECORD[:12]`, which has three tricks.
# - *Cases.* Each trick belongs to one of two teams. What is different in the last trick?
# - *Needs.* What do you need first? The eight winners: a scan with `next_leader` that starts with A.
# - *Combine.* Pair each trick with its winner: use `zip`. Then compute one team's score in a local function.


# %%
def tally(record: Record) -> Tally:
    """Return the scores of both teams at the end of the game `record`, first of AC, then of BD.

    A `Score` contains the number of tricks that the team won, and the team's points. The team that wins the last trick
    gets 10 extra points. The record is valid: you do not have to check it.

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
# Think about the data first: which pairs of scores are possible at all? Even a `tally` with a bug returns two scores,
# and perhaps you do not see that they are wrong. So write down what must be true of every pair of scores, whichever
# cards were played. A rule that is always true is called an **invariant**. A function that tests an invariant can find
# bugs that nobody has thought of.


# %%
def is_sound(scores: Tally) -> bool:
    """Return whether a game can end with `scores`, judging by tricks and points alone.

    The scores are possible if and only if all of the following rules are true. The tricks of both teams add up to 8,
    and their points add up to 90. No number in `scores` is below 0. The points of each team are a multiple of 10. A
    team without a trick has no points.

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
# The next cell has a wrong version of `tally`, called `sleepy`. The results of `sleepy` are right for some games, and
# its code looks right. The cell calls your `is_sound` to find a pair of scores that is impossible. (Among the first ten
# games, there is a game with impossible scores.) Run the cell, then find the wrong line of `sleepy`.

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
#         "Python tries the cases from the top. Both of the first two match (0, 0), and the upper one wins, so "
#         "the second is never reached. Put the more special case first."
#     ),
# )

# %% [markdown]
# How much a game is worth depends on the *losers'* score alone. `match` can look inside a value and compare its parts
# with numbers:
#
# ```python
# match score:
#     case Score(8, _):
#         print("every trick")
# ```
#
# Python tries the cases of a `match` from the top, so the order of your cases matters.


# %%
def game_points(loser: Score) -> Points:
    """Return how much the game is worth to the winners when the other team ends with the score `loser`.

    `loser` is always a score that a losing team can have: for example, a team without a trick has no points.

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
# Now you have written all the functions that `replay` needs. In `replay`, only two things are left to do. If the cards
# are not a valid record, return `None`; do not raise an exception. If the record is valid, find out which team has
# lost. `replay` takes about four lines. Useful functions are `is_valid_record`, `tally` and `game_points`.


# %%
def replay(cards: Cards) -> Winner | None:
    """Return the team that won the game whose record is `cards`, and how much the game is worth to this team.

    Return None if `cards` is not a valid record. A valid record has each of the 32 cards exactly once.

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
# In the course that this unit comes from, students got only the rules and had to write `replay`, without any other
# exercises. Take a sheet of paper, and divide the task into steps of your own, different from the exercises of this
# unit. The challenge is worth no points, so you may leave it out.
#
# What must you know about the earlier tricks to decide which team wins the next trick? Do you really need to know which
# *player* leads a trick?
#
# `replay_at_once` takes about 12 lines. Useful tools are `accumulate`, `zip`, and a local function that you call for
# both teams.


# %%
def replay_at_once(cards: Cards) -> Winner | None:
    """Return the same as `replay`, without calling any function that you wrote in the other exercises.

    Do not use `is_valid_record`, `winning_place`, `trick_points`, `next_leader`, `tally`, `game_points` or `replay`.
    You may call the given functions, such as `tricks_of`, `team_of`, `seats_on` and the folds.

    >>> replay_at_once(SAMPLE_RECORD), replay_at_once(PIQUET_DECK[1:] + PIQUET_DECK[:1])
    ((AC, THREE), (AC, ONE))
    >>> replay_at_once(SAMPLE_RECORD[:31]) is None
    True
    """
    if len(cards) != len(PIQUET_DECK) or frozenset(cards) != frozenset(PIQUET_DECK):
        return None

    def winner_of(leader: int, trick: Trick) -> int:
        index = max(index for index, card in enumerate(trick) if card.rank in (trick[0].rank, R7))
        return (leader + index) % 2

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
# The next cell plays a random game and shows who wins. How many times must you run the cell until a game is worth
# more than `ONE`?

# %% active="ipynb"
# from random import sample
#
# replay(tuple(sample(PIQUET_DECK, 32)))

# %% [markdown]
# Go through the sample record trick by trick: your functions count the points. Then play a game yourself: you are A,
# and your `replay` decides who won.

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
# **The deal behind a record.** `is_valid_record` ignores the order of the cards. Is it right to ignore the order? It is
# right to ignore the order only if every order of the cards can be the record of some deal. To show that there is a
# deal for every order, write `deal_behind(record)`. This function returns a deal from which the record can come. A deal
# consists of four hands of four cards, A's hand first, and the *stock*: the other sixteen cards, in the order of
# drawing. A player's first four cards in the record can be the hand that was dealt to this player. Each player drew
# their fifth card after the first trick, and their sixth card after the second trick. After each trick, the winner of
# the trick draws first. Useful functions are `tricks_of`, `seats_on` and `next_leader`.
#
# **A longer trick.** In Sedma, you do not have to win a trick, even if you can. In a longer variant of Sedma, a leader
# whose card was beaten may give up the trick, or lead another card of the same rank. Then each of the four players
# plays one more card on the same trick. Build this variant. Here is an example of a longer trick:
#
# ```draw
# A leads | Card(CLUB, RK) | B | Card(DIAMOND, R9) | C | Card(HEART, R8) | D | Card(SPADE, R7) | beats it
# A goes on | Card(HEART, RK) | B | Card(DIAMOND, RQ) | C | Card(SPADE, R9) | D | Card(CLUB, RJ)
# A has the trick back, with eight cards in it.
# ```
#
# In this variant, a trick has four, eight, twelve or sixteen cards. Which of your functions work for this variant
# without a change?
#
# <details><summary>Where it comes from</summary>
#
# This unit comes from the first homework of a course on **Haskell**. The homework is only the challenge, without the
# steps, and the signature of the function explains nearly everything:
#
# ```haskell
# replay :: Cards -> Maybe Winner
# ```
#
# A value of the type `Maybe Winner` is either nothing or a winner. In Python, you write this type as `Winner | None`.
#
# The homework allows only the functions of Haskell's standard library, the Prelude. In this unit, you may also import
# modules such as `itertools`.
#
# </details>
