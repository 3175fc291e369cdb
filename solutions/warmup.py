# %% [markdown]
# # Warm-up: thinking in values
#
# You know Python's `def`, `if` and `for`. In this course you write the engines of card games in another style. In this
# style nothing is ever changed: functions take values and return new values. These twelve exercises teach the tools for
# all other units.
#
# The exercises are about **the game of Penalties**, played with 54 cards.
#
# **How cards are written.** `Number(7, HEARTS)` is the seven of hearts, `Face(QUEEN, SPADES)` the queen of spades, and
# `Joker()` a joker. A hand, a pack and a trick are *tuples* of cards, such as `(Number(7, HEARTS), Joker())`. The suits
# are `CLUBS, DIAMONDS, HEARTS, SPADES`, the faces `JACK, QUEEN, KING`.

# %%
from course.warmup import *

# %% [markdown]
# ## Values
#
# A tuple is like a list that cannot change. You never put a card *into* a hand: you write down a new hand. With
# *unpacking*, it is easy to write a new tuple. On the left of `=`, unpacking takes a tuple apart, and a name with a
# star collects the remaining items. Inside parentheses, a star puts these items into a new tuple. Run the cell:

# %% active="ipynb"
# first, second, *others = ("ann", "bob", "cleo", "dan", "eve")
# (second, first, *others)

# %% [markdown]
# A starred name on the left of `=` becomes a *list*. This list is no problem if a star puts its items into a new tuple.
# A tuple with one item needs a comma, as in `("ann",)`.

# %% [markdown]
# On the left of `=`, one name can have a star: the first, the last, or one in between. If there are too few items,
# Python raises an error, so check the tuple's length before unpacking.


# %%
def swap_ends(hand: Hand) -> Hand:
    """Return `hand` with its first and its last card exchanged; a hand of fewer than two cards stays as it is.

    >>> swap_ends((Number(1, CLUBS), Number(2, CLUBS), Number(3, CLUBS), Number(4, CLUBS)))
    (Number(4, CLUBS), Number(2, CLUBS), Number(3, CLUBS), Number(1, CLUBS))
    >>> swap_ends((Joker(), Face(KING, HEARTS)))
    (Face(KING, HEARTS), Joker())
    >>> swap_ends((Joker(),))
    (Joker(),)
    """
    if len(hand) < 2:
        return hand
    first, *middle, last = hand
    return (last, *middle, first)


# %% [markdown]
# A card is one of three kinds of value, `Number | Face | Joker`. A type that has several kinds of values is called a
# **sum type**. `match` finds out which kind a value is, and takes the value apart at the same time. Python tries the
# cases from top to bottom, and uses the first case that matches. The pattern `_` matches every value.

# %% active="ipynb"
# def spoken(card):
#     match card:
#         case Number(1, suit):
#             return f"the ace of {suit}"
#         case Number(n, Suit.CLUBS | Suit.SPADES):
#             return f"a black {n}"
#         case Number(n, _):
#             return f"a red {n}"
#         case _:
#             return "something else"
#
# tuple(map(spoken, (Number(1, HEARTS), Number(9, SPADES), Number(9, HEARTS), Joker())))

# %% [markdown]
# In the patterns above, `1` and `Suit.CLUBS` are *compared* with a part of the card. The names `n` and `suit` work
# differently: each of them becomes a name for a part of the card. Many people confuse comparing and naming at first.
# **In a pattern, a name without a dot is never compared: it *captures* the value.** So what does the name `HEARTS`,
# without a dot, do in a pattern?

# %% active="ipynb"
# predict(
#     """
#     def is_heart(card):
#         match card:
#             case Number(_, HEARTS):
#                 return True
#             case _:
#                 return False
#
#     is_heart(Number(3, CLUBS))
#     """,
#     "False",
#     "True",
#     "an error",
#     why=(
#         "HEARTS has no dot, so it captures: it becomes a name for the suit of this card. "
#         "So the first case matches every number."
#     ),
# )

# %% [markdown]
# Only a name with a dot is compared, so write `Suit.HEARTS` and `Court.QUEEN` in patterns. Outside of patterns,
# `HEARTS` and `QUEEN` are enough. If two patterns need the same answer, put them into one case, with `|` between them.
#
# If a condition cannot be written as a pattern, use a *guard*, which is an `if` after the pattern. A guard can compare
# with a name that has no dot:
#
# ```python
# match card:
#     case Number(n, suit) if n > 6 and suit is led:
#         print("high, and of the suit that was led")
# ```

# %% [markdown]
# **The game.** Each of the four suits has the numbers 1 (the ace, the lowest) to 10 and the face cards jack, queen
# and king. There are also two jokers, which have no suit.
#
# One player *leads*, which means that this player plays the first card. Then each of the other players adds one card.
# Together, the cards that the players have played are a *trick*. The highest card of the suit that was led wins the
# trick, unless the trick contains a joker. A joker beats every other card, but a second joker does not beat the first.
# So if a joker is led, it wins. Nobody wants to win a trick, because the winner pays the penalties of its cards:
#
# | card | penalty |
# |---|---|
# | a joker | 20 |
# | the queen of spades | 13 |
# | a heart with a number | its number |
# | a face card of hearts (jack, queen, king) | 10 |
# | any other card | 0 |
#
# The player with the lowest score wins the game.

# %% [markdown]
# **Before you go on: three questions.** Answer each question aloud or on paper before you open its answer.
#
# <details><summary>What is the difference between <code>("ann",)</code> and <code>("ann")</code>?</summary>
#
# `("ann",)` is a tuple with one string in it. `("ann")` is just the string, because only the comma makes a tuple.
#
# </details>
#
# <details><summary>If a function only prints, what does it return?</summary>
#
# `None`. Printing is a **side effect**: something happens, and nothing is returned. Nearly all functions in this course
# are **pure**: the value that they return depends on the arguments alone, and nothing else happens.
#
# </details>
#
# <details><summary>After <code>a = [1, 2]</code>, <code>b = a</code> and <code>b.append(3)</code>, what is
# <code>a</code>?</summary>
#
# `[1, 2, 3]`: both names refer to the same list, and that list was changed. **Immutable** values, such as tuples,
# cannot change, so it does no harm if two names refer to the same value. This course uses tuples instead of lists,
# because tuples are immutable.
#
# </details>

# %% [markdown]
# Now turn the table of penalties into a `match`. A joker costs 20, the queen of spades 13, a face card of hearts 10. A
# heart with a number costs that number, and all other cards cost 0. Which penalties depend on the kind of card, and
# which on the suit? Which penalty is not a fixed number, but the number on the card? (In patterns, write names with a
# dot, such as `Suit.HEARTS` and `Court.QUEEN`.)


# %%
def penalty(card: Card) -> int:
    """Return the penalty that a player pays for taking `card`.

    A joker costs 20, the queen of spades 13 and a face card of hearts 10. A heart with a number costs that number.
    Any other card costs 0.

    >>> penalty(Number(7, HEARTS)), penalty(Number(1, HEARTS)), penalty(Face(JACK, HEARTS)), penalty(Joker())
    (7, 1, 10, 20)
    >>> penalty(Face(QUEEN, SPADES)), penalty(Face(KING, SPADES)), penalty(Face(QUEEN, CLUBS))
    (13, 0, 0)
    >>> tuple(penalty(Number(7, suit)) for suit in Suit)
    (0, 0, 7, 0)
    """
    match card:
        case Joker():
            return 20
        case Face(Court.QUEEN, Suit.SPADES):
            return 13
        case Face(_, Suit.HEARTS):
            return 10
        case Number(n, Suit.HEARTS):
            return n
        case _:
            return 0


# %% [markdown]
# **Change a function that works.** Copy your `penalty` into a cell of your own and rename it to `harsh_penalty`.
# Change the copy so that the king of spades costs 13, too. In a pattern, `|` means "or". Then try
# `harsh_penalty(Face(KING, SPADES))`.

# %% [markdown]
# ## Instead of loops: recursion
#
# A loop changes its variables, so what do you write in a style where nothing changes? You write a function that handles
# the first item, and calls itself for the rest of the items. When you write such a function, you must answer two
# questions. What does the function return when no items are left? And how does the function build the whole answer from
# the answer for the rest of the items? `match` works on tuples, too, with patterns such as `()` and `(first, *rest)`.
# The starred name `rest` becomes a list, and `match` accepts lists as well as tuples. But if you return `rest`, alone
# or as a part of a value, write `tuple(rest)`.
#
# A **recipe** of four steps helps with every exercise from here on. The function `stutter` below is an example of the
# recipe:
#
# - *Examples.* Write two calls and their answers: `stutter(())` is `()`, and `stutter(("A",))` is `("A", "A")`.
# - *Cases.* Which kinds of input are there? A hand is empty, or it has a first card and a rest.
# - *Needs.* What does each case need? The empty hand needs nothing. A hand with cards needs `first` and
#   `stutter(rest)`.
# - *Combine.* Build the answer from these parts: `first` twice, then the cards of `stutter(rest)`.

# %% active="ipynb"
# def stutter(cards):
#     match cards:
#         case ():
#             return ()
#         case (first, *rest):
#             return (first, first, *stutter(rest))
#
# stutter(()), stutter(("A", "B", "C"))

# %% [markdown]
# To understand a recursion, don't follow all its calls in your head. Assume that `stutter(rest)` is right, and check
# only the step from `stutter(rest)` to the whole answer.

# %% [markdown]
# To *riffle* two packets of cards means to merge them: one card from each packet in turn. After you have taken the
# first card of `left`, from which packet do you take the next card? When the first card of `left` is taken, which two
# packets must you still riffle, and in which order? (Together, the two packets have at most 54 cards, so a plain
# recursion is not too deep.)


# %%
def riffle(left: Pack, right: Pack) -> Pack:
    """Return the cards of `left` and `right` in turn, starting with the first card of `left`.

    When one packet has run out, the rest of the other packet follows unchanged.

    >>> riffle((Number(1, HEARTS), Number(2, HEARTS)), (Number(1, CLUBS), Number(2, CLUBS)))
    (Number(1, HEARTS), Number(1, CLUBS), Number(2, HEARTS), Number(2, CLUBS))
    >>> riffle((Joker(),), (Number(4, CLUBS), Number(5, CLUBS), Number(6, CLUBS)))
    (Joker(), Number(4, CLUBS), Number(5, CLUBS), Number(6, CLUBS))
    >>> riffle((Joker(), Number(4, CLUBS), Number(5, CLUBS)), (Joker(),)), riffle((), (Joker(),))
    ((Joker(), Joker(), Number(4, CLUBS), Number(5, CLUBS)), (Joker(),))
    """
    if not left:
        return right
    first, *rest = left
    return (first, *riffle(right, tuple(rest)))


# %% [markdown]
# What does a recursion cost? `on_paper` shows it: this function makes one call and rewrites the call line by line,
# until only a value is left. Press ▶, or the right arrow key, and look at what is written *around* the innermost call.

# %% active="ipynb"
# from course.watch import on_paper
#
# def total(n):
#     return 0 if n == 0 else n + total(n - 1)
#
# on_paper(total, 5)

# %% [markdown]
# Each mark at the left of a line shows a call that waits: Python cannot compute `5 + …` before `total(4)` has returned.
# With each line, one more call waits. All the waiting calls finish only after `total(0)` has returned.
#
# Each waiting call takes space on the stack, and Python raises an error at about 1,000 waiting calls. But a function
# does not have to wait for a call if it only returns the result of that call, unchanged. A call whose result is
# returned unchanged is a *tail call*. Compare these two lines:
#
# ```python
# return n + total(n - 1)        # not a tail call: there is still something to add
# return add(n - 1, so_far + n)  # a tail call: the sum so far is passed on
# ```
#
# A function with a tail call works like a loop: its arguments are the variables of the loop. The argument `so_far` is
# called the **accumulator**, because it collects the result so far. In many languages, tail calls take no space on the
# stack. Python uses its stack for every call, so this course provides a *trampoline*, which runs tail calls in a loop.
# Write `@tail_recursive` above the function, and `return recur(...)` where the function would call itself. `recur`
# makes no call: it only hands the next arguments to the trampoline. So don't forget the `return`, and don't use
# `recur(...)` inside another expression.
#
# A line such as `@tail_recursive` above a `def` is a **decorator**. A decorator makes a new function from the function
# below it, and the new function replaces the old one. For example, `@tail_recursive` above `def add` means `add =
# tail_recursive(add)`. A decorator is itself a function, and you can write your own:

# %% active="ipynb"
# def loud(function):
#     def louder(word):
#         return function(word).upper() + "!"
#
#     return louder
#
# @loud
# def greet(name):
#     return f"hello {name}"
#
# greet("ann")

# %% [markdown]
# Here is the sum again, now with a tail call and the decorator of this course:

# %% active="ipynb"
# from course.watch import on_paper
#
# def total(n):
#     @tail_recursive
#     def add(n, so_far):
#         return so_far if n == 0 else recur(n - 1, so_far + n)
#
#     return add(n, 0)
#
# print(total(100), total(100_000))
# on_paper(total, 5)

# %% [markdown]
# With a tail call, no call waits, so no marks appear. Each line is as short as the first line, because nothing is left
# to do after a call of `add`. The sum of the numbers so far is always in `so_far`. So `add` can call itself any number
# of times, even for `total(100_000)`.
#
# The helper `add` is inside `total`, because no other function needs to know about the argument `so_far`. In this
# style, helpers are often defined inside the function that uses them.

# %% [markdown]
# The next exercise is about a famous question. Cut a pack into two halves and riffle them perfectly, starting with the
# upper half. How many such riffles does it take until all cards are back in their first positions? To find the answer,
# you do not have to move any cards. Number the positions from 0. In a riffle, the last card stays where it is. Every
# other card moves from its position `p` to position `2 * p % (cards - 1)`. All cards are back as soon as the card that
# began at position 1 is back at position 1. So follow only the card that began at position 1, and count the riffles.
# (The answer is at least 1, although this card is at position 1 before the first riffle, too.)


# %%
def riffles_to_restore(cards: PackSize) -> int:
    """Return how many perfect riffles, at least one, bring a pack back into its original order.

    `cards` is the number of cards in the pack; it is even and at least 4. A perfect riffle leaves the last card where
    it is. Each of the other cards moves from its position `p`, counted from 0, to position `2 * p % (cards - 1)`. Some
    packs need more than 10,000 riffles. Python cannot nest so many calls, so count in a local `@tail_recursive` helper.
    It is enough to follow the card that begins at position 1.

    >>> riffles_to_restore(52)
    8
    >>> riffles_to_restore(54)
    52
    >>> riffles_to_restore(4)
    2
    >>> riffles_to_restore(10_038)
    10036
    """

    @tail_recursive
    def follow(index: int, riffles: int) -> int:
        return riffles if index == 1 else recur(2 * index % (cards - 1), riffles + 1)

    return follow(2, 1)


# %% [markdown]
# **Move the slider.** `interact` is from ipywidgets: it makes a slider for each parameter, and calls the function again
# when you move a slider. Which pack needs the fewest riffles in proportion to its size? Which pack needs the most
# riffles?

# %% active="ipynb"
# from ipywidgets import interact
#
# @interact(cards=(4, 104, 2))
# def count_for(cards=52):
#     return riffles_to_restore(cards)

# %% [markdown]
# ## Instead of loops: whole tuples at once
#
# Most loops do one of three things, which are called map, filter and fold. *Map* does the same to every item, *filter*
# keeps the items that pass a test, and *fold* combines all items into one value. You can write a map or a filter as a
# call of `map` or `filter`, or as a comprehension, which is often easier to read.
#
# A `lambda` is a small function without a name: `lambda n: n > 3` takes `n` and returns `n > 3`. You can use a `lambda`
# wherever you need a short function just once.

# %% active="ipynb"
# words = ("ace", "deuce", "joker", "king")
# by_functions = tuple(filter(lambda n: n > 3, map(len, words)))
# by_comprehension = tuple(len(word) for word in words if len(word) > 3)
# by_functions, by_comprehension, map(len, words)

# %% [markdown]
# The third result above, `map(len, words)`, is not a tuple but an iterator. `filter` and a comprehension in plain
# parentheses make iterators, too. An iterator produces each item only once, when the item is needed. Write `tuple(...)`
# around an iterator before you return it.

# %% active="ipynb"
# predict(
#     """
#     lengths = map(len, ("ace", "deuce", "king"))
#     sum(lengths), sum(lengths)
#     """,
#     "(12, 12)",
#     "an error",
#     "(12, 0)",
#     why=(
#         "The first `sum` takes all items of the `map`. The second one gets none, and there is no error. "
#         "If you need the items twice, keep `tuple(map(...))`."
#     ),
# )

# %% [markdown]
# What do the cards of a hand cost? Most cards cost nothing, and the result contains no number for them. The function
# takes cards and returns numbers, so one of its two steps is a map, and the other step is a filter. What does the
# filter test, and does the filter come before the map or after it?


# %%
def penalties(hand: Hand) -> tuple[int, ...]:
    """Return the penalties of the cards in `hand` that cost more than 0, in the order of the cards.

    >>> penalties((Number(7, HEARTS), Face(KING, CLUBS), Joker(), Number(7, SPADES)))
    (7, 20)
    >>> penalties((Face(KING, HEARTS), Number(1, HEARTS), Face(JACK, HEARTS)))
    (10, 1, 10)
    >>> penalties((Face(KING, CLUBS),))
    ()
    """
    return tuple(cost for cost in map(penalty, hand) if cost > 0)


# %% [markdown]
# Two more tools work on whole tuples: `zip` and `pairwise`. `zip` makes pairs of the items of two tuples, and stops at
# the end of the shorter tuple. With `zip(names, points, strict=True)`, tuples of different lengths are an error.
# `pairwise` goes through one tuple and produces each pair of neighbors. `zip` and `pairwise` are iterators, like
# `map`.

# %% active="ipynb"
# from itertools import pairwise
#
# names, points = ("ann", "bob", "cleo"), (12, 7, 30)
# tuple(zip(names, points)), tuple(pairwise(points)), all(a < b for a, b in pairwise(points))

# %% [markdown]
# A fold needs a function of two arguments and a start value. The fold carries a result from item to item. For each
# item, the function computes the next result from the result so far and this item. The *left* fold goes from left to
# right, like a loop with one variable:
#
# ```python
# fold_left(step, start, (a, b, c)) == step(step(step(start, a), b), c)
# ```

# %% active="ipynb"
# def longer(best, word):
#     return word if len(word) > len(best) else best
#
# fold_left(longer, "", ("ace", "deuce", "joker", "king")), fold_left(lambda n, digit: 10 * n + digit, 0, (4, 0, 7))

# %% [markdown]
# Each call of `longer` gets only two words, never all of them: the longest word so far and the next word. (In the next
# two exercises you may also use recursion, but a fold is shorter.)

# %% [markdown]
# Go through a fold step by step: each press of *Next* calls the function once more. The function calls your `penalty`
# for each card, and adds the result to the total.

# %% active="ipynb"
# from course.tables import fold_steps
#
# cards = Number(3, HEARTS), Face(QUEEN, SPADES), Joker(), Number(9, CLUBS), Face(KING, HEARTS)
# fold_steps(lambda total, card: total + penalty(card), 0, cards)

# %% [markdown]
# Who wins a trick? Compare each card in turn with the best card so far. `beats(card, best)` is given: it returns
# whether `card` beats `best`, which was played earlier. If `card` and `best` are not of the same suit, `card` beats
# `best` only if `card` is a joker. So the order of the cards in a trick matters. Every trick has a first card, the
# leader's. With which value can the fold start?


# %%
def winning_card(trick: Trick) -> Card:
    """Return the card that wins `trick`, which has at least one card; the leader's card is the first.

    Go through the cards in order. A card that `beats` the best card so far becomes the best card. The card that is best
    at the end wins.

    >>> winning_card((Number(7, CLUBS), Face(KING, HEARTS), Number(9, CLUBS), Number(10, CLUBS), Number(8, CLUBS)))
    Number(10, CLUBS)
    >>> winning_card((Number(7, CLUBS), Face(KING, HEARTS), Number(9, HEARTS)))
    Number(7, CLUBS)
    >>> winning_card((Number(7, CLUBS), Joker(), Face(KING, CLUBS)))
    Joker()
    """
    leader, *others = trick
    return fold_left(lambda best, card: card if beats(card, best) else best, leader, others)


# %% [markdown]
# The *right* fold starts with the last item. The function of a right fold has two arguments: an item, and the result
# for all items to the right of this item:
#
# ```python
# fold_right(step, start, (a, b, c)) == step(a, step(b, step(c, start)))
# ```
#
# If you add up numbers, the direction of a fold does not matter. If you build a nested value, the direction matters:

# %% active="ipynb"
# def wrap(word, inside):
#     return f"{word}({inside})"
#
# fold_right(wrap, "x", ("f", "g", "h")), fold_left(lambda inside, word: wrap(word, inside), "x", ("f", "g", "h"))

# %% active="ipynb"
# predict(
#     """
#     def minus(a, b):
#         return a - b
#
#     fold_left(minus, 0, (5, 3, 1)), fold_right(minus, 0, (5, 3, 1))
#     """,
#     "(-9, 3)",
#     "(-9, -9)",
#     "(3, -9)",
#     why=(
#         "From the left it is ((0 - 5) - 3) - 1. From the right it is 5 - (3 - (1 - 0)): the item comes "
#         "first, then the result for everything to its right."
#     ),
# )

# %% [markdown]
# A pile of cards can be a nested value: a value inside another value. `Table()` is the bare table, and `On(card, pile)`
# is a card on top of a pile. (You can call a class like a function: the call returns an object of this class.) The next
# two lines have the same form:
#
# ```python
# step(a, step(b, start))                       # what `fold_right` computes
# On(Joker(), On(Number(2, CLUBS), Table()))    # a pile of two cards
# ```


# %%
def pile_up(cards: Hand) -> Pile:
    """Return the pile of `cards`: the first card is on top, the last card on the table.

    >>> pile_up((Joker(), Number(2, CLUBS), Number(3, CLUBS)))
    On(Joker(), On(Number(2, CLUBS), On(Number(3, CLUBS), Table())))
    >>> pile_up((Joker(),))
    On(Joker(), Table())
    >>> pile_up(())
    Table()
    """
    table: Pile = Table()
    return fold_right(On, table, cards)


# %% [markdown]
# ## Functions are values
#
# You have passed functions to `map` and to folds by writing only their names: `penalty` is the function,
# `penalty(card)` is the value that it returns. A function that takes or returns functions is called **higher-order**.
# Functions can be in a tuple, too, and a function can be the *result* of a call. `max` and `min` take a function as
# their `key`, and return the item with the greatest or the least key. If several items are equally good, `max` and
# `min` return the first of them.
#
# In a signature, `Callable[[str], int]` means a function that takes a string and returns an integer. The inner brackets
# contain the types of the arguments; the type of the result comes after these brackets.

# %% active="ipynb"
# def shout(text):
#     return text.upper()
#
# def stretch(text):
#     return "-".join(text)
#
# def longest_way(text, ways):
#     return max(ways, key=lambda one: len(one(text)))
#
# way = longest_way("rummy", (shout, stretch))
# way is stretch, way("whist")

# %% active="ipynb"
# from collections.abc import Callable
#
# def twice(f: Callable[[int], int], n: int) -> int:
#     return f(f(n))
#
# twice(lambda n: n * n, 3)

# %% [markdown]
# Every family plays Penalties by its own rules. A *rule* is a function that takes a card and returns its penalty. For
# example, your `penalty` is a rule. Four other rules are given, named `one_each`, `face_value` (faces cost 10, jokers
# nothing), `five_a_spade` and `fifty_a_joker`.


# %%
def kindest_rule(hand: Hand, rules: Rules) -> Rule:
    """Return the first of those `rules` by which the cards of `hand` cost the least in total.

    `rules` contains at least one rule.

    >>> kindest_rule((Number(7, HEARTS), Joker()), (fifty_a_joker, face_value, five_a_spade)) is five_a_spade
    True
    >>> kindest_rule((Number(7, HEARTS), Joker()), (face_value, one_each)) is one_each
    True
    >>> kindest_rule((), (face_value, one_each)) is face_value
    True
    """
    return min(rules, key=lambda rule: sum(map(rule, hand)))


# %% [markdown]
# A function can also *make* a function. A function that is defined inside another function remembers the arguments of
# the outer function:

# %% active="ipynb"
# def at_least(limit):
#     def test(n):
#         return n >= limit
#
#     return test
#
# tuple(filter(at_least(5), (3, 9, 5, 1))), at_least(5)(9)

# %% [markdown]
# So `at_least` takes its two arguments one at a time, as in `at_least(5)(9)`. A function that takes its arguments one
# at a time is called *curried*, after the logician Haskell Curry. The call of `filter` above shows what currying is
# good for. If you pass only the first argument, you get a test that waits for the second argument. In this course, use
# `@curry`: it turns a plain function of two arguments into a function that you can call as `f(a, b)` and as `f(a)(b)`.

# %% active="ipynb"
# @curry
# def at_most(limit, n):
#     return n <= limit
#
# at_most(5)(9), at_most(5, 9), tuple(filter(at_most(5), (3, 9, 5, 1)))

# %% [markdown]
# Python's own tool, `partial`, works with any function. `partial(f, 5)` is a new function: it puts `5` in front of its
# arguments, and calls `f` with all of them:

# %% active="ipynb"
# from functools import partial
#
# power_of_two = partial(pow, 2)
# tuple(map(power_of_two, (1, 2, 3, 10))), partial(max, 5)(3)

# %% [markdown]
# If you have a card of the suit that was led, you must play a card of this suit or a joker. A card *goes with* a suit
# if it has this suit, or if it is a joker. In `goes_with`, the suit is the first argument, because it stays the same
# while the card changes from call to call. `card.suit` is the suit of a `Number` or a `Face`, and a `Joker` has none.
# `isinstance(card, Joker)` checks whether a card is a joker; a `match` can do that, too. Leave the line `@curry` above
# the function.


# %%
@curry
def goes_with(led: Suit, card: Card) -> bool:
    """Return whether `card` may be played when `led` is the suit that was led: it must be of this suit, or a joker.

    The function is curried: `goes_with(led)(card)` and `goes_with(led, card)` both work.

    >>> goes_with(CLUBS)(Number(4, CLUBS)), goes_with(CLUBS)(Number(4, SPADES))
    (True, False)
    >>> goes_with(HEARTS, Joker())
    True
    >>> tuple(filter(goes_with(SPADES), (Number(4, CLUBS), Face(JACK, SPADES), Joker())))
    (Face(JACK, SPADES), Joker())
    """
    return isinstance(card, Joker) or card.suit is led


# %% [markdown]
# With `compose`, you can join functions. `compose(f, g)` is the function that calls `g` first and then `f`, so
# `compose(f, g)(x)` is `f(g(x))`: read it from right to left. `compose` also accepts more than two functions, and the
# last of them is called first.

# %% active="ipynb"
# letters_used = compose(len, set, str.lower)
# letters_used("Barbara"), compose(str.strip, str.title)(" old maid ")

# %% [markdown]
# `letters_used` is a function, although it was made without `def`. Like every function, `letters_used` is a *value*
# with a name. The definition of `letters_used` does not mention an argument.

# %% [markdown]
# In the next exercise you also define a function without a `def`. In the cell below, replace `TODO` with a call of
# `compose`. The two arguments of `compose` are functions: write only their names. One of the two functions turns a hand
# into numbers, and you have written it in this unit. The other function turns many numbers into one number, and it is
# built into Python. (The string below the value is the statement of the exercise; Python ignores it.)

# %%
total_penalty: Callable[[Hand], int] = compose(sum, penalties)
"""Return what all the cards of a hand cost together. `total_penalty` is a function that is made of two other functions.

>>> total_penalty((Number(7, HEARTS), Face(KING, CLUBS), Joker(), Joker()))
47
>>> tuple(map(total_penalty, ((), (Face(QUEEN, SPADES),))))
(0, 13)
"""


# %% [markdown]
# ## No answer, and something new
#
# What is the least number in an empty tuple? The answer is neither 0 nor -1, because an empty tuple has no least
# number. A function returns `None` if there is no answer, and its annotation says so, for example `int | None`. Many
# functions of Python let you choose what they return if there is no answer.

# %% active="ipynb"
# def longest(words):
#     return max(words, key=len, default=None)
#
# longest(("ace", "joker")), longest(()), next((word for word in ("ace", "joker") if "z" in word), None)

# %% [markdown]
# One trap: `None` counts as false in an `if`, but so do `0` and `()`, which can be right answers. Write
# `if answer is None`, never `if not answer`, and don't write `answer or None`.

# %% active="ipynb"
# predict(
#     """
#     def cheapest(prices):
#         return min(prices, default=None)
#
#     cheapest((0, 4)) or "nothing", cheapest(()) or "nothing"
#     """,
#     "(0, 'nothing')",
#     "(0, None)",
#     "('nothing', 'nothing')",
#     why=(
#         "0 counts as false, just like None. So `or` takes its right side for both, and the price of 0 "
#         "is lost. Only `is None` can distinguish them."
#     ),
# )

# %% [markdown]
# A suit was led, and you may play only a card that goes with this suit. Look at the penalties of the cards that you may
# play: which penalty is the least? Return `None` if you may play no card.
#
# **Find the wrong answers first.** Run the next cell. The cell shows calls, and cards that lie face down: each card
# hides a wrong answer. Read below what `least_penalty` returns, and fill in what some of the calls should return. There
# are no points for catching the wrong answers.

# %% active="ipynb"
# from course.check import catch
#
# catch("least_penalty")


# %%
def least_penalty(led: Suit, hand: Hand) -> int | None:
    """Return the least penalty of a card of `hand` that goes with the suit `led`, or None if no card goes with it.

    >>> least_penalty(HEARTS, (Number(7, HEARTS), Joker(), Number(3, HEARTS), Number(2, CLUBS)))
    3
    >>> least_penalty(SPADES, (Number(7, HEARTS), Joker()))
    20
    >>> least_penalty(SPADES, (Number(7, HEARTS), Number(8, CLUBS))) is None
    True
    >>> least_penalty(CLUBS, (Number(7, HEARTS), Number(8, CLUBS)))
    0
    """
    return min(map(penalty, filter(goes_with(led), hand)), default=None)


# %% [markdown]
# The last topic is values whose parts have names. `@value` makes a class whose objects are equal if their contents are
# equal. Python prints these objects in the same form in which you write them. Objects of such a class are also
# *frozen*: nobody can change them. (`@value` is Python's `@dataclass(frozen=True)`.) To get a changed copy, make a new
# value: call the class, or call `replace`. `replace` makes a copy of a value, with new values for the parts that you
# name.

# %% active="ipynb"
# @value
# class Purse:
#     owner: str
#     coins: int
#
# before = Purse("ann", 3)
# after = replace(before, coins=before.coins + 2)
# before, after, after == Purse("ann", 5)

# %% [markdown]
# Try `before.coins = 10` in a cell of your own. What does Python say?

# %% [markdown]
# In the next exercise, a player has taken a trick and pays for it. A player is a `Player(name, hand, score)`.


# %%
def charge(player: Player, trick: Trick) -> Player:
    """Return `player` with the penalties of all cards of `trick` added to the score; nothing else changes.

    The cards of the trick do not go into the player's hand.

    >>> charge(Player("Ann", (Joker(),), 10), (Number(7, HEARTS), Face(QUEEN, SPADES), Number(2, CLUBS)))
    Player('Ann', (Joker(),), 30)
    >>> charge(Player("Bob", (), 5), (Number(2, CLUBS),))
    Player('Bob', (), 5)
    """
    return replace(player, score=player.score + total_penalty(trick))


# %% [markdown]
# ## That is all
#
# You have used tuples and `match`, recursion (with a trampoline if there are many calls), map, filter and two folds.
# You have passed functions to other functions, made functions and joined them. You have used `None` for "no answer",
# and made new values instead of changing old ones. All games in the next units are made with these tools, and with a
# little code that prints text or reads input.
#
# Which tool should you choose for which task? Use a comprehension if you treat every item in the same way. Use a fold
# if a result is carried from item to item. Use recursion for everything else, with the trampoline if there can be more
# than a few hundred nested calls.

# %% [markdown]
# ## One trick, all of it yours
#
# The next cell riffles six cards with your functions. The riffled cards are one trick, and the first card is led. Then
# the cell finds the winning card, and a player pays the penalties of the trick.

# %% active="ipynb"
# pack = (Number(7, HEARTS), Number(2, CLUBS), Face(QUEEN, SPADES), Number(10, HEARTS), Joker(), Number(1, HEARTS))
# trick = riffle(pack[:3], pack[3:])
# trick, winning_card(trick), charge(Player("You", (), 0), trick)

# %% [markdown]
# ## Go further
#
# How would Penalties work without jokers, or with teams, or with tricks of six cards? Describe a whole game as a fold
# over its tricks, with the players as the result of the fold. The player who takes a trick leads the next trick.
#
# ```draw
# Ann | Number(7, HEARTS) | leads
# Bob | Face(QUEEN, SPADES) | another suit, and 13 for the winner
# Cleo | Number(9, HEARTS) | the highest heart: takes it, for 7 + 13 + 9
# ```
#
# Begin with a function `deal(pack, names)` that returns a tuple of `Player`s. Which arguments does a function that
# plays one trick need, and what does this function return?
