# %% [markdown]
# # Basra
#
# In Basra, cards lie face up on the *floor*, and a card from your *hand* may capture some of them. This version is
# for one player.
#
# <details><summary>The rules in full</summary>
#
# **Cards.** The game uses all 52 cards. A rank is a number: the ace is 1, the jack 11, the queen 12, the king 13.
#
# **Deal.** Shuffle the deck. Deal four cards to the hand, then four cards to the floor.
#
# **A round.** You play one card from your hand. The played card *captures* from the floor
#
# * every card of the same rank, and
# * cards whose ranks add up to its rank. Face cards can be part of a sum, too: a king takes a queen and an ace.
#
# The card captures again and again, until it can capture nothing more. No card is in two captures. If two captures need
# the same card, choose one of them. You do not have to capture as many cards as possible.
#
# A card that can capture must capture. The captured cards and the played card go to your *scored* pile. If you empty
# the floor, you have made a *sweep*. A card that captures nothing stays on the floor.
#
# After the round, draw cards until the hand has four cards, then fill the floor up to four cards. Stop when the deck is
# empty. With fewer than six cards on the floor, you may play any card. With six or more cards there, you must play a
# card that captures.
#
# **The end.** The game is over as soon as one of these conditions is true:
#
# * the hand is empty,
# * both deck and floor are empty,
# * the floor has six cards or more, and no card in the hand captures any of them.
#
# </details>

# %%
from course.basra import *

# %% [markdown]
# **First watch a game**, played by reference solutions. Go through the game with *Next* or the arrow keys.

# %% active="ipynb"
# from course.tables import whole_game
#
# whole_game("basra")

# %% [markdown]
# <details><summary>Score</summary>
#
# **The score.** You get 2 points for each jack, queen and king in the scored pile, and 1 point for every other card in
# it. Each sweep gives you 3 points.
#
# </details>
#
# In this example, your king captures the other king, and the queen together with the ace. The three stays on the floor.
#
# ```draw
# floor | Card(HEART, 13), Card(CLUB, 12), Card(SPADE, 1), Card(DIAMOND, 3) | hand | Card(SPADE, 13)
# 13, and 12 + 1, make 13; the 3 stays.
# ```

# %% [markdown]
# ## Data first
#
# First decide which states of the table are possible. If a bug makes a card disappear, nothing tells you: no function
# raises an exception. So write down what must be true of the table before and after each round. A rule that is always
# true is called an **invariant**. A function that tests an invariant can find bugs that nobody has thought of.
#
# In Basra, no card may be missing, and no card may occur twice. `produce_unshuffled_deck()` returns all 52 cards in
# order. Think of letters instead of cards. The word `"abca"` has each letter of `"abc"`, and `"aab"` has as many
# letters as `"abc"`. Why does neither `"abca"` nor `"aab"` consist of exactly the letters of `"abc"`? A set can contain
# letters or cards.


# %%
def is_sound(deck: Deck, floor: Floor, hand: Hand, scored: Scored) -> bool:
    """Return whether deck, floor, hand and scored pile together have each of the 52 cards once, and no other card.

    It does not matter where a card is, in which order the cards are, or how many cards each part has.

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
# The next cell plays nine rounds in which only cards of the same rank are captured. The function `hasty_round` has a
# bug. The cell calls your `is_sound` to find the first round after which a card is missing or occurs twice. (The result
# is an index in `tables`; index 0 is the table before the first round.) Which line of `hasty_round` is wrong? Fix the
# wrong line, and run the cell again.

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
# A capture is a *sublist* of the floor, which means some of its cards. `combinations` lists the sublists of a given
# length:
#
# ```python
# >>> list(combinations("ABC", 2))
# [('A', 'B'), ('A', 'C'), ('B', 'C')]
# ```
#
# A floor card of the same rank is not a special case: it is a sublist of one card with the right sum. A floor has at
# most six cards in a game, and at most twelve in the exam, so you can try all its sublists.
#
# No card may be in two captures. You do not have to find the captures that take the most cards. Find *one* capture,
# remove its cards from the floor, and search the rest in the same way, until there is no capture left.
# `remove_cards(cards, gone)` is given: it returns `cards` without the cards in `gone`.
#
# If `items` is a generator, `next(items, None)` returns its first item, or `None` if there is no item:
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
#         "A generator computes an item only when it is needed. `next` needs two items: the second square "
#         "is above 3, so the number 3 is never used. Only a side effect, here `print`, shows that."
#     ),
# )

# %% [markdown]
# **Before you go on: three questions.** Answer each question aloud or on paper before you open its answer.
#
# <details><summary>What do we call functions that print nothing, read no input and use no chance, such as those of
# Sedma?</summary>
#
# We call them **pure**, because their results depend on their arguments alone. One function of this unit is not pure,
# because it uses chance.
#
# </details>
#
# <details><summary><code>min((), default=None)</code> returns <code>None</code>. Why is <code>if not answer:</code> a
# bad test for this result?</summary>
#
# Like `None`, 0 and `()` count as false, but 0 or `()` can be a right answer. To test for `None`, write `if answer is
# None`.
#
# </details>
#
# <details><summary>What is wrong with a recursion of 10,000 nested calls? Is anything wrong with 12 nested
# calls?</summary>
#
# A recursion of 10,000 calls overflows Python's stack, unless the function is `@tail_recursive` and its calls are tail
# calls. A recursion of 12 calls is fine.
#
# </details>

# %% [markdown]
# For some calls of `capture`, several results are right. Suppose that 1, 2, 2 and 1 are on the floor, and that you play
# a 3: each 1 can be captured with either 2. In this example, any result with two captures is right.
#
# In the examples, `in_order` (given) puts captures into a standard order, so your captures can be in any order.
#
# Here is the **recipe** from the warm-up, for a function of about three lines:
#
# - *Examples.* Write down a floor of three cards for each of these: no capture, one capture, two captures.
# - *Cases.* Either no sublist adds up to the rank, or there is a first sublist that does.
# - *Needs.* If there is a capture, you also need the captures from the rest of the floor.
# - *Combine.* Put this capture in front of the other captures. Useful tools are `combinations`, `sum` and `next`.
#
# **Find the wrong answers first.** Read below what `capture` returns. Then write examples with right results, until
# they catch all sixteen wrong answers. Three cards on the floor are enough to catch each wrong answer.

# %% active="ipynb"
# from course.check import catch, example
#
# catch(
#     example("capture", ((Card(SPADE, 1), Card(CLUB, 4)), Card(HEART, 5)), ...),  # replace the dots by captures
#     # add more examples, one on each line: ((the floor), the card), and a tuple of captures
# )


# %%
def capture(floor: Floor, card: Card) -> Captures:
    """Return captures that `card` makes from `floor`: no card is in two captures, and `card` can capture no more.

    Each capture is a tuple of one or more cards of the floor whose ranks add up to the rank of `card`. After all
    captures, nothing may be left on the floor that `card` could still capture. No capture contains the played card
    itself. The captures may be in any order, and so may the cards in each capture. If two captures need the same card,
    you may choose one of the two captures.

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
    matching = next((some for some in sublists if sum(each.rank for each in some) == card.rank), None)
    return () if matching is None else (matching, *capture(remove_cards(floor, matching), card))


# %% [markdown]
# In the next cell, play a card on a floor, and see which cards your `capture` takes.

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
#         "`or` returns one of its sides: the first one that counts as true, or else the last one. `any(())` is "
#         "False, because no item is true. `all(())` is True, because no item is false."
#     ),
# )

# %% [markdown]
# The game ends if one of three conditions is true, so join the conditions with `or`. Python's `any` tests many items at
# once:
#
# ```python
# >>> any(n > 10 for n in (3, 12, 5))
# True
# ```
#
# The third condition is the hardest, so read it again in *The rules in full*. What must be true of *each* card in the
# hand? Remember that `or` between two tuples returns one of the tuples, but your function has to return `True` or
# `False`.


# %%
def is_game_over(deck: Deck, floor: Floor, hand: Hand) -> bool:
    """Return whether the game is over: the hand is empty, or both deck and floor are empty, or no card can be played.

    No card can be played if the floor has six cards or more and no card of the hand captures from it.

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
# **Change a function that works.** Copy `is_game_over` into a cell of your own and rename it to `is_long_game_over`.
# Change the copy so that a floor of six or seven cards never ends the game. Try the copy with the examples of
# `is_game_over`: which results change?

# %% [markdown]
# ## The deck
#
# A random result does not depend on the arguments alone. So chance counts as a **side effect**, like printing, and a
# function that uses chance is not pure. Only one function of this unit uses chance, so all other functions can be pure.
#
# A shuffle is fair if each of the 52! orders is equally likely. Many shuffles look fair, but are not. **Swapping each
# card with a card at a random index is not fair**: there are 52⁵² ways to make these swaps. The number 52⁵² is not
# divisible by 52!, so some orders come out more often than other orders.
#
# Here is a fair way to shuffle. Draw a card at random from the deck, then a card from the rest of the deck, and so on.
# The drawn cards, in the order in which you drew them, are the shuffled deck. To draw from a tuple, take the item at an
# index, and make a tuple without this item:
#
# ```python
# >>> letters, index = ("a", "b", "c", "d"), 1
# >>> letters[index], letters[:index] + letters[index + 1 :]
# ('b', ('a', 'c', 'd'))
# ```
#
# Begin with `produce_unshuffled_deck()`. `get_random_int(6)` rolls a die: it returns a number from 1 to 6, both
# included. Remember that the first index of a tuple is 0. `produce_shuffled_deck` takes about six lines, with a local
# function that draws from the rest of the deck.
#
# One shuffled deck does not show whether a shuffle is fair, but many shuffled decks together can show it. So the exam
# calls your function 2,000 times. The exam counts how often each card comes to each index, how often neighboring cards
# stay together, and how often two cards keep their order. A fair shuffle fails this test of the exam less than once in
# a million times.


# %%
def produce_shuffled_deck() -> Deck:
    """Return the 52 cards in a random order; every order must be equally likely.

    You must use `get_random_int`, and no other source of chance. You can call `get_random_int` as often as you like,
    with any numbers. `get_random_int(n)` returns a number from 1 to n, both included; but the indexes of n items go
    from 0 to n - 1.

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
        index = get_random_int(len(deck)) - 1
        return (deck[index], *drawn_from(deck[:index] + deck[index + 1 :]))

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
#         "Indexes count from 0, so index 2 is the third of the four. The two slices make a new tuple without "
#         "that letter. `letters` itself has not changed."
#     ),
# )

# %% [markdown]
# The game shows your hand in sorted order. Python can sort, of course, but in this exercise you write the sort
# yourself. Choose one of two classic algorithms, merge sort or quicksort. Each of the two algorithms takes about eight
# lines, and slices are the main tool.
#
# **Merge sort.** If there is at most one card, there is nothing to do. If there are more cards, cut the tuple in the
# middle, sort both halves, and merge the sorted halves. To merge two halves, compare their first cards; the smaller
# card comes first in the result. Go on in this way with the remaining cards, until one half is empty. The rest of the
# other half then follows unchanged.
#
# **Quicksort.** If there is at most one card, there is nothing to do. If there are more cards, take out the card in the
# middle, which is called the *pivot*. The cards that come before the pivot go to the left part, and the other cards go
# to the right part. Sort both parts. The result consists of the sorted left part, the pivot and the sorted right part.
# Quicksort ends only because you take the pivot *out*. If the pivot stayed in the left part, the left part could
# contain all the cards at every step.
#
# `comes_before` is given: it decides which of two cards comes first. `match` can distinguish tuples of at most one item
# from longer tuples:
#
# ```python
# match letters:
#     case () | (_,):
#         print("at most one")
# ```
#
# **Find the wrong answers first.** Run the next cell, read below what `sort` returns, and fill in results until they
# catch all wrong answers. Tuples of a few cards are enough to catch most of the wrong answers.

# %% active="ipynb"
# from course.check import catch
#
# catch("sort")


# %%
def sort(cards: Cards) -> Cards:
    """Return `cards` sorted by suit (spades, hearts, diamonds, clubs), and within a suit by rank, from ace to king.

    `comes_before(one, other)` returns whether `one` comes first. No two cards in `cards` are equal. Write your own
    merge sort or quicksort, and use `match`. `sorted`, `.sort` and `in_order` are not allowed.

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
# In a friendlier version of the game, the player could choose among all possible captures, even if they share a card.
# To offer this choice, the game must know all possible captures.
#
# To find all sublists, use an idea that helps with many problems. A sublist either contains the first card, or it does
# not. The sublists without the first card are the sublists of the rest of the cards. A sublist with the first card
# consists of this card and a sublist of the rest of the cards. So you find the sublists of the rest, and use them
# twice. For example, this function returns all sublists of some letters:
#
# ```python
# def sublists(letters):
#     if not letters:
#         return ((),)
#     rest = sublists(letters[1:])
#     return tuple((letters[0], *some) for some in rest) + rest
# ```
#
# What changes if you only want sublists with a certain sum? A sublist with a certain sum contains no card whose rank is
# larger than the sum. (You can also use `combinations`, because twelve cards have only 4,096 sublists. But do not go
# through all *orders* of twelve cards, because there are 479,001,600 orders.) `produce_all_captures` takes about nine
# lines, with a local function that calls itself.
#
# Find the thirteen wrong answers first.

# %% active="ipynb"
# from course.check import catch, example
#
# catch(
#     # replace the dots by all captures, as a tuple of tuples
#     example("produce_all_captures", ((Card(SPADE, 1), Card(CLUB, 4), Card(HEART, 4)), Card(DIAMOND, 5)), ...),
#     # add more examples, one on each line
# )


# %%
def produce_all_captures(floor: Floor, card: Card) -> Captures:
    """Return every capture that `card` can make from `floor`, each one once; two captures can share a card.

    Each capture is a tuple of one or more cards of the floor whose ranks add up to the rank of `card`. No capture
    contains a card twice. The captures may be in any order, and so may the cards in each capture. Your function must be
    fast enough for a floor of twelve cards.

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
# Pick a card to see what it would capture, and pick it again to play it.

# %% active="ipynb"
# from course.tables import basra_table
#
# basra_table()

# %% [markdown]
# You can also play the game as text, once your functions are right: `play_basra` deals, lets a player choose each card,
# and counts the score. Run the code below in a cell of your own. If you pass `by_hand` instead of `bot`, you choose the
# cards by typing.
#
# ```python
# from course.basra_game import bot, by_hand, play_basra
#
# play_basra(capture, is_game_over, produce_shuffled_deck, sort, bot)
# ```
#
# The given `bot` takes as many cards as it can in every round, and scores about 47 points a game. Can you write a
# player that scores more points? To compare two players, compare their average scores in a few hundred games. A player
# is a function `(capture, floor, options) -> card`. A player gets your `capture`, the floor, and the cards of the hand
# that may be played, and returns one of these cards. The call `transcript(play_basra, capture, is_game_over,
# produce_shuffled_deck, sort, player, chance=1)[0]` plays a game without printing, and returns the score. Use another
# number for `chance` in each game.

# %% [markdown]
# ## Go further
#
# In the coffee houses of Cairo, two or four people play Basra, and the seven of diamonds captures all cards of the
# floor. A player who makes a sweep with the seven of diamonds puts it sideways on the scored pile, as a mark.
#
# ```draw
# floor | Card(CLUB, 2), Card(HEART, 9), Card(SPADE, 12) | ← | Card(DIAMOND, 7) | takes all three
# ```
#
# To build this variant, only `capture` must change. Which case must `capture` test first? Can a card now capture cards
# whose ranks do not add up to its own rank? The invariant can show that your change is wrong, so call `is_sound` after
# every round.
#
# <details><summary>Where it comes from</summary>
#
# This unit comes from the second assignment of a course called CSE 341, in **Standard ML**, in January 2006. In the
# assignment, a card is a pair, and a rank is just a number:
#
# ```sml
# datatype suit = Spade | Heart | Diamond | Club
# type card = suit * int
# ```
#
# The quicksort of that assignment puts the pivot into the left list. Try a quicksort with the pivot in the left list on
# two cards: does it always end?
#
# The assignment asks for pattern matching in all functions. In this unit, only `sort` has to use `match`. A `sort`
# without a `match` loses points for style. Two other rules of the assignment do not apply here: comments are not
# judged, and you may use Python features that no lesson explains.
#
# </details>
