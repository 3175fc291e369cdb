# %% [markdown]
# # Basra
#
# Basra is fished: cards lie open on the *floor*, and a card from your *hand* may catch some of them. This version is
# for one player: you can play it here, with your own functions.
#
# **Cards.** All 52. A rank is a number: the ace is 1, the jack 11, the queen 12, the king 13.
#
# **Deal.** Shuffle the deck, deal four cards to the hand, then four to the floor.
#
# **A round.** You play one card from your hand. It *captures* from the floor
#
# * every card of its own rank, and
# * cards whose ranks add up to its rank (the picture cards take part in sums too: a king takes a queen and an ace),
#
# and it goes on capturing until nothing is left that it could capture; no card is in two captures. Where captures
# overlap, any choice will do that leaves nothing, even if another would take more. If it can capture it does, you have
# no say in that. The captured cards and the played card go to your *scored* pile. If that leaves the floor empty it is
# a *sweep*. If the card captures nothing, it stays on the floor.
#
# After the round the hand is filled up to four cards, and then the floor too if it has fewer, as long as the deck
# lasts. You need not play a card that captures while the floor has fewer than six cards. With six or more you must.
#
# **The end.** The game is over as soon as one of these is true:
#
# * the hand is empty,
# * both deck and floor are empty,
# * the floor has six cards or more, and no card in the hand captures any of them.

# %%
from course.basra import *

# %% [markdown]
# **Before you begin: three questions.** Answer each aloud, or on paper, before you unfold it.
#
# <details><summary>What do all functions of Sedma have in common that print nothing and ask nobody?</summary>
#
# They are **pure**: the value depends on the arguments alone. In this unit one function is not: it asks chance.
#
# </details>
#
# <details><summary><code>min((), default=None)</code> gives <code>None</code>. Why is <code>if not answer:</code> a
# bad way to ask for it?</summary>
#
# 0 and `()` count as false too, and may be good answers: ask `if answer is None`.
#
# </details>
#
# <details><summary>What is wrong with recursion that goes 10,000 calls deep, and with one that goes 12 deep?</summary>
#
# The first overflows Python's stack, unless it is a tail call on the trampoline. With the second nothing is wrong.
#
# </details>

# %% [markdown]
# **See a whole game first**, card by card, as finished functions play it. *Next* and *Back*, the
# slider and its arrow keys go through it.

# %% active="ipynb"
# from course.tables import whole_game
#
# whole_game("basra")

# %% [markdown]
# **The score.** 2 points for each jack, queen and king in the scored pile, 1 for every other card there, and 3 for
# each sweep.
#
# Here is a floor, and a king to play: it takes the other king, and the queen with the ace. The three stays.
#
# ```draw
# floor | Card(HEART, 13), Card(CLUB, 12), Card(SPADE, 1), Card(DIAMOND, 3) | hand | Card(SPADE, 13)
# 13, and 12 + 1, make 13; the 3 stays.
# ```

# %% [markdown]
# ## Data first
#
# Before anybody plays a card, say which tables can be at all. A table that lacks a card is a value like any other, and
# no function complains of it. So write down once what must be true of every table, before the first round and after
# each: that is an **invariant**, and as a function it finds mistakes that nobody has thought of.
#
# This one is about the cards alone; how many lie where is another question. `produce_unshuffled_deck()` gives all 52
# cards in perfect order. With letters instead of cards: `"abca"` has each letter of `"abc"`, and `"aab"` has as many
# letters. What is wrong with each?


# %%
def is_sound(deck: Deck, floor: Floor, hand: Hand, scored: Scored) -> bool:
    """Tell whether deck, floor, hand and scored pile together hold each of the 52 cards exactly once.

    There may be no other cards. Where a card lies, in which order, and how many lie in one place does not matter here.

    >>> cards = produce_unshuffled_deck()
    >>> is_sound(cards[12:], cards[:4], cards[4:8], cards[8:12]), is_sound((), (), (), cards[::-1])
    (True, True)
    >>> is_sound(cards[12:], cards[:4], cards[4:8], cards[8:11]), is_sound(cards[8:], cards[:4], cards[5:8], cards[8:9])
    (False, False)
    >>> is_sound(cards, (), (), cards[:1]), is_sound(cards[1:], (), (), (Card(CLUB, 14),))
    (False, False)
    """
    cards = deck + floor + hand + scored
    return len(cards) == 52 and set(cards) == set(produce_unshuffled_deck())


# %% [markdown]
# Here are nine rounds of somebody who takes cards of the same rank only, and has made a mistake besides. Let your
# function find the first round after which a card is missing, or there twice: it is round 7. (What you see is the place
# in `tables`; at place 0 is the table before the first round.) Then look at the code: which line has to be mended?

# %% active="ipynb"
# from itertools import accumulate
# from random import Random
#
#
# def hasty_round(table, _):
#     deck, floor, (card, *kept), scored = table
#     same = tuple(each for each in floor if each.rank == card.rank)
#     deck, hand = deal_to_hand(deck, tuple(kept))
#     deck, floor = deal_to_floor(deck, remove_cards(floor, same) if same else (*floor, card))
#     return deck, floor, hand, scored + same
#
#
# mixed = tuple(Random(7).sample(produce_unshuffled_deck(), 52))
# tables = tuple(accumulate(range(9), hasty_round, initial=(mixed[8:], mixed[4:8], mixed[:4], ())))
# next((number for number, table in enumerate(tables) if not is_sound(*table)), "no such round")

# %% [markdown]
# ## A round
#
# What can be captured is a question about *sublists* of the floor. `combinations` lists those of a given length:
#
# ```python
# >>> list(combinations("ABC", 2))
# [('A', 'B'), ('A', 'C'), ('B', 'C')]
# ```
#
# A card of the same rank is nothing special, by the way: it is a sum with one summand. A floor has six cards at
# most in a game, and never more than twelve in the exam, so you may well try all its sublists.
#
# Captures may not overlap. Do not look for the cleverest set of them. Find *one*, put its cards aside, and ask the same
# question again about what is left, until the answer is "none". `remove_cards(cards, gone)` is given: the cards without
# those that are gone.
#
# `next` takes the first thing that a search finds, or says `None`:
#
# ```python
# >>> next((n for n in (3, 6, 8) if n % 2 == 0), None)
# 6
# ```

# %% active="ipynb"
# predict(
#     """
#     squares = (print(n) or n * n for n in (1, 2, 3))
#     next(square for square in squares if square > 3)
#     """,
#     "1\n2\n4",
#     "1\n2\n3\n4",
#     "4",
#     why=(
#         "A generator computes an item when it is asked for one. `next` asks until it has what it wants, "
#         "and that was the second: 3 is never looked at. Only a side effect, here `print`, lets you see "
#         "that."
#     ),
# )

# %% [markdown]
# Often there are several right answers. With 1, 2, 2 and 1 on the floor, a 3 may take each of the two ones with either
# of the two twos: any answer with two captures is right.
#
# In the examples, `in_order` (given) puts captures into a standard order, so that yours need not be in any.
#
# **Catch the impostors first**: read below what `capture` gives, and write examples, with any answer that is right,
# until all sixteen wrong ones are caught. Three cards on the floor are enough for each.

# %% active="ipynb"
# from course.check import catch, example
#
# catch(
#     example("capture", ((Card(SPADE, 1), Card(CLUB, 4)), Card(HEART, 5)), ...),  # in place of the dots: captures
#     # more examples of your own, a line each: ((the floor), the card), and a tuple of captures
# )


# %%
def capture(floor: Floor, card: Card) -> Captures:
    """Give captures that `card` makes from `floor`: no two share a card, and after them no more can be made.

    Each capture is a tuple of one or more cards of the floor whose ranks add up to the rank of `card`. After taking
    them all, nothing may be left on the floor that `card` could still capture. The played card itself is in none of
    them. Captures, and the cards in each, may come in any order, and any choice among captures that overlap is right.

    >>> in_order(capture((Card(SPADE, 1), Card(SPADE, 2), Card(SPADE, 3), Card(SPADE, 7)), Card(HEART, 3)))
    ((Card(SPADE, 3),), (Card(SPADE, 1), Card(SPADE, 2)))
    >>> in_order(capture(tuple(Card(suit, rank) for suit in (SPADE, HEART, CLUB) for rank in (1, 2)), Card(HEART, 9)))
    ((Card(SPADE, 1), Card(SPADE, 2), Card(HEART, 1), Card(HEART, 2), Card(CLUB, 1), Card(CLUB, 2)),)
    >>> tuple(map(len, capture((Card(SPADE, 1), Card(SPADE, 2), Card(CLUB, 2), Card(CLUB, 1)), Card(HEART, 3))))
    (2, 2)
    >>> floor = Card(CLUB, 12), Card(HEART, 13), Card(SPADE, 1)
    >>> in_order(capture(floor, Card(SPADE, 13))), capture(floor, Card(CLUB, 2))
    (((Card(HEART, 13),), (Card(SPADE, 1), Card(CLUB, 12))), ())
    """
    sublists = (some for length in range(1, len(floor) + 1) for some in combinations(floor, length))
    found = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    return () if found is None else (found, *capture(remove_cards(floor, found), card))


# %% [markdown]
# Play a card on a floor, and see what your function takes.

# %% active="ipynb"
# from course.tables import try_capture
#
# try_capture()

# %% active="ipynb"
# predict(
#     """
#     () or (), (1,) or (2,), bool(() or (1,)), any(()), all(())
#     """,
#     "(False, True, True, False, False)",
#     "((), (1,), True, False, True)",
#     "((), (2,), True, True, True)",
#     why=(
#         "`or` gives one of its sides: the first that counts as true, else the last. `any` of nothing is "
#         "False, for nothing is there; `all` of nothing is True, for nothing speaks against it."
#     ),
# )

# %% [markdown]
# Three ways to end, joined by `or`. Python's `any` asks a question of many things at once:
#
# ```python
# >>> any(n > 10 for n in (3, 12, 5))
# True
# ```
#
# Read the third rule twice. What must *each* card of the hand be like? And mind that `or` of two tuples is one of the
# tuples: the answer has to be `True` or `False`.


# %%
def is_game_over(deck: Deck, floor: Floor, hand: Hand) -> bool:
    """Tell whether the game is over: the hand is empty, or deck and floor both are, or nothing can be played.

    Nothing can be played if the floor has six cards or more and no card of the hand captures from it.

    >>> floor = Card(SPADE, 1), Card(CLUB, 3), Card(SPADE, 6), Card(SPADE, 13), Card(DIAMOND, 9), Card(DIAMOND, 11)
    >>> fives = Card(SPADE, 5), Card(HEART, 5), Card(DIAMOND, 5)
    >>> is_game_over((), floor, (*fives, Card(CLUB, 2)))
    True
    >>> is_game_over((), floor, (*fives, Card(CLUB, 4)))
    False
    >>> five, ace = tuple(Card(CLUB, rank) for rank in (2, 4, 6, 8, 10)), (Card(SPADE, 1),)
    >>> seven = (*five, Card(CLUB, 12), Card(HEART, 12))
    >>> is_game_over((), five, ace), is_game_over((), seven, ace), is_game_over(five, five, ())
    (False, True, True)
    >>> is_game_over((), (), ace)
    True
    """
    stuck = len(floor) >= 6 and not any(capture(floor, card) for card in hand)
    return not hand or not (deck or floor) or stuck


# %% [markdown]
# ## The deck
#
# What chance gives does not depend on the arguments: to ask it is a **side effect**, like printing, and a function that
# does so is not pure. It is kept in one place, so that all others can be.
#
# A shuffle is fair if each of the 52! orders is equally likely, and that is easier to miss than to hit. **Swapping
# every card with one at a random place looks fair and is not**: it has 52⁵² ways to run, and they cannot be shared out
# evenly among 52! orders.
#
# One way that is fair: draw a card at random from the deck, then one from the rest, and so on; the cards drawn, in that
# order, are the shuffled deck. Drawing from a tuple means to give the card at a place and the tuple without it:
#
# ```python
# >>> letters, place = ("a", "b", "c", "d"), 1
# >>> letters[place], letters[:place] + letters[place + 1 :]
# ('b', ('a', 'c', 'd'))
# ```
#
# Begin with `produce_unshuffled_deck()`. `get_random_int(6)` rolls a die: 1 to 6, both included. Mind that tuples count
# from 0.
#
# How do you judge a shuffle? By many: the exam takes 2,000 of yours and counts which card came to which place, which
# neighbours stayed together, and which pairs kept their order. A fair shuffle fails that less than once in a million
# times.


# %%
def produce_shuffled_deck() -> Deck:
    """Give the 52 cards in a random order, every order equally likely.

    Must use `get_random_int`, and no other chance; how often it is asked, and for what, is up to you.
    `get_random_int(n)` gives one of 1 to n, both included; places in a tuple go from 0 to n - 1.

    >>> in_order((produce_shuffled_deck(),)) == in_order((produce_unshuffled_deck(),))
    True
    >>> transcript(produce_shuffled_deck, chance=7) == transcript(produce_shuffled_deck, chance=7)
    True
    >>> transcript(produce_shuffled_deck, chance=7) == transcript(produce_shuffled_deck, chance=8)
    False
    """

    def drawn_from(deck: Deck) -> Deck:
        if not deck:
            return ()
        place = get_random_int(len(deck)) - 1
        return (deck[place], *drawn_from(deck[:place] + deck[place + 1 :]))

    return drawn_from(produce_unshuffled_deck())


# %% active="ipynb"
# predict(
#     """
#     letters = ("d", "a", "c", "b")
#     middle = len(letters) // 2
#     letters[middle], letters[:middle] + letters[middle + 1 :], letters
#     """,
#     "('c', ('d', 'a', 'b'), ('d', 'a', 'c', 'b'))",
#     "('c', ('d', 'a', 'b'), ('d', 'a', 'b'))",
#     "('a', ('d', 'c', 'b'), ('d', 'a', 'c', 'b'))",
#     why=(
#         "Places count from 0, so place 2 of four is the third. And what is taken out of a tuple is in a "
#         "new one that lacks it: `letters` itself is as it was."
#     ),
# )

# %% [markdown]
# The game shows your hand sorted. Python can sort, of course, but here you are the one who does. Choose one of the two
# classics.
#
# **Merge sort.** No card or one card: nothing to do. More: cut the tuple in the middle, sort both halves, and merge
# them: of the two first cards the smaller one comes first, and so on with what is left, until one half is empty and
# the rest of the other follows as it is.
#
# **Quicksort.** No card or one card: nothing to do. More: take the card in the middle, the *pivot*, out. The cards that
# come before it go to the left, the others to the right. Sort both; the answer is left, pivot, right. Taking the pivot
# *out* is what makes it end: if it stayed in the left part, that part could be everything, again and again.
#
# Which card comes first is decided by `comes_before`, which is given. `match` can tell the small cases from the rest:
#
# ```python
# match letters:
#     case () | (_,):
#         print("at most one")
# ```


# %%
def sort(cards: Cards) -> Cards:
    """Give `cards` sorted by suit, spades, hearts, diamonds, clubs, and within a suit by rank, from ace to king.

    `comes_before(one, other)` tells which of two cards is first. No two of the cards are equal. It is a merge sort or a
    quicksort of your own: `sorted`, `.sort` and `in_order` are not allowed.

    >>> sort((Card(DIAMOND, 4), Card(SPADE, 2), Card(CLUB, 7), Card(SPADE, 5), Card(DIAMOND, 1)))
    (Card(SPADE, 2), Card(SPADE, 5), Card(DIAMOND, 1), Card(DIAMOND, 4), Card(CLUB, 7))
    >>> sort((Card(SPADE, 1), Card(CLUB, 3), Card(SPADE, 6), Card(SPADE, 13), Card(DIAMOND, 9), Card(DIAMOND, 11)))
    (Card(SPADE, 1), Card(SPADE, 6), Card(SPADE, 13), Card(DIAMOND, 9), Card(DIAMOND, 11), Card(CLUB, 3))
    >>> sort(())
    ()
    """
    match cards:
        case () | (_,):
            return cards
    middle = len(cards) // 2
    pivot, others = cards[middle], cards[:middle] + cards[middle + 1 :]
    left = tuple(card for card in others if comes_before(card, pivot))
    right = tuple(card for card in others if comes_before(pivot, card))
    return (*sort(left), pivot, *sort(right))


# %% [markdown]
# ## Bonus: every choice
#
# A kinder game would let the player choose among captures that overlap. For that it must know them all.
#
# Here is an idea that you will meet again and again: a sublist either has the first card in it, or it has not. Those
# without it are the sublists of the rest. Those with it are the first card in front of a sublist of the rest: the same
# question twice, with one card less. Which are the ways to pick any number of letters?
#
# ```python
# def sublists(letters):
#     if not letters:
#         return ((),)
#     rest = sublists(letters[1:])
#     return tuple((letters[0], *some) for some in rest) + rest
# ```
#
# What changes if only sublists with a certain sum are wanted? It may help that a card which is too large can be left
# out at once. (`combinations` will do, too. Twelve cards have 4,096 sublists, which is little; do not go through their
# 479,001,600 *orders*.)
#
# Catch the twelve impostors first.

# %% active="ipynb"
# from course.check import catch, example
#
# catch(
#     # in place of the dots: all captures, as a tuple of tuples
#     example("produce_all_captures", ((Card(SPADE, 1), Card(CLUB, 4), Card(HEART, 4)), Card(DIAMOND, 5)), ...),
#     # more examples of your own, a line each
# )


# %%
def produce_all_captures(floor: Floor, card: Card) -> Captures:
    """Give every capture that `card` can make from `floor`, also those that overlap, and none of them twice.

    Each capture is a tuple of one or more cards of the floor, each of them once, whose ranks add up to the rank of
    `card`. The order of the captures, and that of the cards in each, does not matter.
    A floor of twelve cards must be no trouble.

    >>> spade, heart, diamond, two = Card(SPADE, 1), Card(HEART, 1), Card(DIAMOND, 1), Card(DIAMOND, 2)
    >>> found = produce_all_captures((spade, heart, diamond, two, Card(CLUB, 3)), Card(DIAMOND, 3))
    >>> in_order(found) == ((Card(CLUB, 3),), (spade, two), (heart, two), (diamond, two), (spade, heart, diamond))
    True
    >>> many = (*(Card(suit, rank) for suit in (SPADE, HEART, CLUB) for rank in (1, 2)), Card(CLUB, 4))
    >>> tuple(map(len, produce_all_captures(many, Card(DIAMOND, 13)))), produce_all_captures((), Card(DIAMOND, 3))
    ((7,), ())
    """

    def adding_up_to(wanted: int, cards: Cards) -> Captures:
        if not cards:
            return ((),) if wanted == 0 else ()
        first, rest = cards[0], cards[1:]
        without = adding_up_to(wanted, rest)
        if first.rank > wanted:
            return without
        return (*((first, *some) for some in adding_up_to(wanted - first.rank, rest)), *without)

    return adding_up_to(card.rank, floor)


# %% [markdown]
# ## Play
#
# `play_basra` deals, asks the player for a card, plays rounds to the end and counts, with *your* functions.
# Watch a simple bot. To play yourself, by typing, take away the `#` of the last line.

# %% active="ipynb"
# from course.basra_game import bot, by_hand, play_basra
#
# play_basra(capture, is_game_over, produce_shuffled_deck, sort, bot)
# # play_basra(capture, is_game_over, produce_shuffled_deck, sort, by_hand)

# %% [markdown]
# Or at a table: pick a card to see what it would capture, and pick it again to play it. If the bonus is solved, you may
# choose among captures that overlap.

# %% active="ipynb"
# from course.tables import basra_table
#
# basra_table()

# %% [markdown]
# The bot takes as many cards as it can in every round, and scores about 47 points a game. Can a player of yours do
# better, on average over a few hundred games? A player is a function `(capture, floor, options) -> card`: it is given
# your `capture`, the floor, and the cards of the hand that may be played, and gives one of these. A game that prints
# nothing is `transcript(play_basra, capture, is_game_over, produce_shuffled_deck, sort, player, chance=1)[0]`.

# %% [markdown]
# ## Go further
#
# In the coffee houses of Cairo two or four play, the seven of diamonds takes the whole floor, and whoever sweeps with
# it lays it across the pile.
#
# ```draw
# floor | Card(CLUB, 2), Card(HEART, 9), Card(SPADE, 12) | ← | Card(DIAMOND, 7) | takes all three
# ```
#
# Only `capture` has to know: which case comes first, and what becomes of "the ranks add up"? The invariant
# tells whether you broke something: ask `is_sound` after every round.
#
# <details><summary>Where it comes from</summary>
#
# The second assignment of a course called CSE 341, in **Standard ML**, January 2006. A card is a pair there, and a
# rank another name for a number:
#
# ```sml
# datatype suit = Spade | Heart | Diamond | Club
# type card = suit * int
# ```
#
# Its quicksort puts the pivot into the left list. Try that on two cards: when does it end?
#
# </details>
