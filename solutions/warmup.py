# %% [markdown]
# # Warm-up: thinking in values
#
# You know Python: `def`, `if`, `for`. In this course you will write the engines of card games in another style, in
# which nothing is ever changed: functions take values and give new values. These twelve small exercises hold all of
# that style that the other units need. Each is one idea, shown first on something else. Run the small cells as you
# go, change them, run them again.
#
# **The game of Penalties** is what the exercises are about. Its pack has 54 cards: in each of four suits the numbers
# 1 (the ace, the lowest) to 10 and the faces jack, queen and king, and two jokers, which have no suit. One player
# leads a card, the others add one each, and these cards are a *trick*. The trick goes to the highest card of the suit
# that was led, unless there is a joker in it: a joker beats everything, but a second one does not beat the first (so
# a joker that is led wins). Nobody wants tricks: who takes one pays for the cards in it:
#
# | card | penalty |
# |---|---|
# | a joker | 20 |
# | the queen of spades | 13 |
# | a heart with a number | its number |
# | a heart with a face | 10 |
# | any other card | 0 |
#
# The player with the lowest score wins.
#
# **How cards are written.** `Number(7, HEARTS)` is the seven of hearts, `Face(QUEEN, SPADES)` the queen of spades,
# and `Joker()` a joker. A hand, a pack and a trick are *tuples* of cards: `(Number(7, HEARTS), Joker())`. The suits
# are `CLUBS, DIAMONDS, HEARTS, SPADES`, the faces `JACK, QUEEN, KING`.

# %%
from course.warmup import *

# %% [markdown]
# **Before you begin: three questions.** Answer each aloud, or on paper, before you unfold it.
#
# <details><summary>What is the difference between <code>("ann",)</code> and <code>("ann")</code>?</summary>
#
# The first is a tuple of one text; the second is the text: it is the comma that makes a tuple.
#
# </details>
#
# <details><summary>What does a function give that only prints?</summary>
#
# `None`. To print is a **side effect**: something happens, and nothing is given back. Nearly all functions here are
# **pure**: they give a value, it depends on the arguments alone, and nothing else happens.
#
# </details>
#
# <details><summary>After <code>a = [1, 2]</code>, <code>b = a</code> and <code>b.append(3)</code>, what is
# <code>a</code>?</summary>
#
# `[1, 2, 3]`: both names stand for one list, and it was changed. With values that cannot change, **immutable** ones
# like tuples, that question does not come up: this is why there are no lists here.
#
# </details>

# %% [markdown]
# ## Values
#
# A tuple is a list that cannot change. You never put a card *into* a hand: you write down a new hand. Unpacking makes
# that easy. On the left of `=` it takes a tuple apart, and a star takes what is left over; between parentheses a
# star puts it back in. Run this:

# %% active="ipynb"
# first, second, *others = ("ann", "bob", "cleo", "dan", "eve")
# (second, first, *others)

# %% [markdown]
# Two things to know. A starred name on the left always becomes a *list*; that does no harm if you only spread it
# into a new tuple. And a tuple of one thing needs its comma: `("ann",)`.

# %% [markdown]
# There can be one star on the left, anywhere: at the end, at the front, or in the middle. If there is too little to
# unpack, that is an error, so ask `len` first.


# %%
def swap_ends(hand: Hand) -> Hand:
    """Give `hand` with its first and its last card exchanged; one of fewer than two cards stays as it is.

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
# A card is one of three kinds of value, `Number | Face | Joker`: such a type is a **sum type**. `match` asks which kind
# it is, and takes it apart in the same breath. Cases are tried from top to bottom; the first that fits wins; `_` fits
# anything.

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
# Here `1` and `Suit.CLUBS` are compared with what is there, whereas `n` and `suit` are *given* what is there. This
# is the trap of `match`, and everybody falls into it once: **a bare name in a pattern is never compared, it
# captures.** So what becomes of a bare `HEARTS`?

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
#         "HEARTS, without a dot, is no question: it captures. From there on HEARTS is the name of this "
#         "card's suit, whatever that is, and so the first case fits every number."
#     ),
# )

# %% [markdown]
# With a dot it is a comparison: write `Suit.HEARTS` and `Court.QUEEN` in patterns. Everywhere else `HEARTS` and
# `QUEEN` will do. Two patterns that have the same answer can share a case, with `|` between them.
#
# What no pattern can ask, a *guard* can, an `if` after it. It can compare with a name that has no dot:
#
# ```python
# match card:
#     case Number(n, suit) if n > 6 and suit is led:
#         print("high, and of the suit that was led")
# ```

# %% [markdown]
# Now make a `match` of the table of penalties: a joker 20, the queen of spades 13, a heart with a number that number,
# a heart with a face 10, all others 0. Which of these lines must be told apart by the kind of card, which by the suit,
# and which number is not written down but taken from the card? (In patterns, with the dot: `Suit.HEARTS`,
# `Court.QUEEN`.)


# %%
def penalty(card: Card) -> int:
    """Give what `card` costs whoever takes it.

    A joker costs 20, the queen of spades 13, a heart with a number that number, a heart with a face 10, and any
    other card 0.

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
# ## Instead of loops: recursion
#
# If nothing changes, what is a loop? A function that calls itself for the rest. It needs two answers: what to give
# when there is nothing left, and how to make the answer for the whole out of the answer for the rest. `match` works on
# tuples too, `()` and `(first, *rest)`; this `rest` is a list again, which the next `match` does not mind. But if it
# is to be the answer, or part of one, make it `tuple(rest)`.

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
# Don't follow the calls in your head. Trust that `stutter(rest)` is right, and ask only if this step is.

# %% [markdown]
# To *riffle* is to let two packets of cards fall into one another, one card from here, one from there. Once the first
# card of `left` has fallen, whose turn is it? So what two packets are left to riffle, and in which order? (Together
# they are one pack at the most, 54 cards.)


# %%
def riffle(left: Pack, right: Pack) -> Pack:
    """Give the cards of `left` and `right` by turns, the first of `left` first.

    When one of them has run out, the rest of the other follows as it is.

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
# What does a recursion cost? See it on paper: `on_paper` calls a function once and rewrites that call line by line,
# until it is a value. Press ▶, or the right arrow key, and look at what stands *around* the innermost call.

# %% active="ipynb"
# from course.watch import on_paper
#
# def total(n):
#     return 0 if n == 0 else n + total(n - 1)
#
# on_paper(total, 5)

# %% [markdown]
# Each mark at the left is something that waits: `5 + …` cannot be worked out before `total(4)` has answered. What
# waits piles up, and only when `total(0)` has answered it shrinks again.
#
# Every call that waits for an answer takes space on a stack, and Python stops at about 1,000 of them. But a call
# need not wait, if giving the other's answer is *all* it still has to do. Such a call is a *tail call*. Compare
#
# ```python
# return n + total(n - 1)          # not a tail call: there is still something to add
# return total(n - 1, so_far + n)  # a tail call: what has been done so far is handed on
# ```
#
# The second kind is a loop in disguise: its arguments are the loop's variables, and `so_far` is called the
# **accumulator**: it carries what has been done so far. Many languages run it without a stack. Python does not, so this
# course gives you a *trampoline*: decorate the function with `@tail_recursive` and write `return recur(...)` where it
# would call itself. `recur` does not call; it tells the trampoline what to call next. So don't forget the `return`, and
# don't add anything to it.

# %% active="ipynb"
# def total(n):
#     @tail_recursive
#     def add(n, so_far):
#         return so_far if n == 0 else recur(n - 1, so_far + n)
#
#     return add(n, 0)
#
# on_paper(total, 5)

# %% [markdown]
# Now no mark comes up: every line is as short as the first, since nothing is left to do around `add`. What the other
# `total` had still to add is in `so_far` already. So this one does not mind how often it goes round:

# %% active="ipynb"
# total(100), total(100_000)

# %% [markdown]
# The helper `add` lives inside of `total`, because nobody else needs to know about its second argument. That, too, is
# a habit of this style.

# %% [markdown]
# A famous question. Cut a pack into halves and riffle them perfectly, the upper half first: how often must you do
# that before all cards are back in their places? There is no need to move any cards. If the places are numbered from
# 0, the card at place `p` comes to place `2 * p % (cards - 1)`, the first and the last card stay where they are, and
# as soon as the card that began at place 1 is back there, all of them are back. So follow that one card, and count.
# (Before the first riffle it is at place 1, too. That is not yet an answer.)


# %%
def riffles_to_restore(cards: PackSize) -> int:
    """Give how many perfect riffles, at least one, bring a pack of `cards` cards back into its order.

    A perfect riffle takes the card at place `p`, counted from 0, to place `2 * p % (cards - 1)`, and leaves the last
    card where it is. `cards` is even and at least 4. It may take more than 10,000 riffles, which is more than calls
    can be nested: let a local `@tail_recursive` helper do the counting. It is enough to follow the card at place 1.

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
    def follow(place: int, riffles: int) -> int:
        return riffles if place == 1 else recur(2 * place % (cards - 1), riffles + 1)

    return follow(2, 1)


# %% [markdown]
# ## Instead of loops: whole tuples at once
#
# Most loops do one of three things, and each of them has a name. *Map* does the same to every item, *filter* keeps
# the items that pass a test, *fold* boils everything down to one value. The first two can be written as functions
# or, often more readably, as one comprehension.

# %% active="ipynb"
# words = ("ace", "deuce", "joker", "king")
# by_functions = tuple(filter(lambda n: n > 3, map(len, words)))
# by_comprehension = tuple(len(word) for word in words if len(word) > 3)
# by_functions, by_comprehension, map(len, words)

# %% [markdown]
# The last of the three answers is no tuple at all. `map`, `filter` and a comprehension in plain parentheses are
# promises: they give their items only once, to the first who asks. Write `tuple(...)` around them where you give
# something back.

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
#         "The first `sum` takes all that the `map` promised, and then it is spent: what comes after gets "
#         "nothing, and no error tells. Keep `tuple(map(...))` where you need it twice."
#     ),
# )

# %% [markdown]
# What are the penalties in a hand? Most cards cost nothing and need not be mentioned. Cards come in and numbers go
# out, so one of the two is a map; what is the filter's test, and is it asked before the map or after it?


# %%
def penalties(hand: Hand) -> tuple[int, ...]:
    """Give the penalties of those cards of `hand` that cost anything, in the order of the cards.

    >>> penalties((Number(7, HEARTS), Face(KING, CLUBS), Joker(), Number(7, SPADES)))
    (7, 20)
    >>> penalties((Face(KING, HEARTS), Number(1, HEARTS), Face(JACK, HEARTS)))
    (10, 1, 10)
    >>> penalties((Face(KING, CLUBS),))
    ()
    """
    return tuple(cost for cost in map(penalty, hand) if cost > 0)


# %% [markdown]
# A fold needs a function of two arguments and a value to start from. It carries a result along the tuple, and the
# function says how the next item changes it. The *left* fold goes from left to right, like a loop with one variable:
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
# `longer` looks at two words at a time, the best one so far and the next, and never at all of them. (In the next two
# exercises a recursion is right as well; a fold is shorter.)

# %% [markdown]
# Step through a fold: each press of *Next* calls the function once more. It asks your `penalty` what a card costs.

# %% active="ipynb"
# from course.tables import fold_steps
#
# cards = Number(3, HEARTS), Face(QUEEN, SPADES), Joker(), Number(9, CLUBS), Face(KING, HEARTS)
# fold_steps(lambda total, card: total + penalty(card), 0, cards)

# %% [markdown]
# Who wins a trick? Each card in turn is held against the best one so far. Given is `beats(card, best)`, which tells
# whether a card beats another one that was played before it. A card of another suit does not (a joker aside), so it
# matters in which order they are asked. And where can a fold start if there is always a leader?


# %%
def winning_card(trick: Trick) -> Card:
    """Give the card that wins `trick`, which holds at least one card, the leader's first.

    That is the card which remains when each card in turn takes the place of the best one so far if it `beats` it.

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
# The *right* fold starts at the other end. The function gets the item first and then the result for all that lies to
# the right of it:
#
# ```python
# fold_right(step, start, (a, b, c)) == step(a, step(b, step(c, start)))
# ```
#
# Sums don't care from which end they are added up. Things that are *built* do:

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
#         "From the left it is ((0 - 5) - 3) - 1. From the right it is 5 - (3 - (1 - 0)): the item stands "
#         "first and the result for what is right of it second."
#     ),
# )

# %% [markdown]
# A pile of cards can be seen as a value within a value: `Table()` is the bare table, and `On(card, pile)` is a card
# that lies on a pile. (A class is a function, too: it gives its values.) Compare the right-hand side of the equation
# above with
#
# `On(Joker(), On(Number(2, CLUBS), Table()))`.


# %%
def pile_up(cards: Hand) -> Pile:
    """Give the pile of `cards`, the first of them on top and the last on the table.

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
# You have handed functions to `map` and to folds, by their bare names: `penalty` is the function, `penalty(card)` is
# what it gives. A function that takes functions or gives one is called **higher-order**. Functions can sit in a tuple,
# too, and a function can be the *answer*. `max` and `min` take one as
# their `key`: they give the item for which it is greatest or least, and of several such items the first.

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

# %% [markdown]
# Every family plays Penalties by rules of its own. A *rule* is a function that says what a card costs. `penalty` is
# one; given are `one_each`, `face_value` (faces cost 10, jokers nothing), `five_a_spade` and `fifty_a_joker`.


# %%
def kindest_rule(hand: Hand, rules: Rules) -> Rule:
    """Give that one of `rules` by which the cards of `hand` cost the least in total; of several such the first.

    `rules` holds at least one rule.

    >>> kindest_rule((Number(7, HEARTS), Joker()), (fifty_a_joker, face_value, five_a_spade)) is five_a_spade
    True
    >>> kindest_rule((Number(7, HEARTS), Joker()), (face_value, one_each)) is one_each
    True
    >>> kindest_rule((), (face_value, one_each)) is face_value
    True
    """
    return min(rules, key=lambda rule: sum(map(rule, hand)))


# %% [markdown]
# A function can also *make* a function. The inner one remembers what the outer one was given:

# %% active="ipynb"
# def at_least(limit):
#     def test(n):
#         return n >= limit
#
#     return test
#
# tuple(filter(at_least(5), (3, 9, 5, 1))), at_least(5)(9)

# %% [markdown]
# So `at_least` takes its two arguments one at a time, `at_least(5)(9)`. Such a function is called *curried*, after
# the logician Haskell Curry. What it is good for you can see in the call of `filter`: give it the first argument
# now, and what you get is a test that waits for the second one. In this course `@curry` does the work: it makes a
# plain function of two arguments into one that takes them in either way.

# %% active="ipynb"
# @curry
# def at_most(limit, n):
#     return n <= limit
#
# at_most(5)(9), at_most(5, 9), tuple(filter(at_most(5), (3, 9, 5, 1)))

# %% [markdown]
# If you have a card of the suit that was led, you must play one, or else a joker, which goes with everything. So the
# suit comes first and stays the same, and the cards are asked one after the other. Leave the `@curry` where it is.


# %%
@curry
def goes_with(led: Suit, card: Card) -> bool:
    """Tell whether `card` follows when the suit `led` was led: a card of this suit does, and so does any joker.

    Curried: `goes_with(led)(card)` and `goes_with(led, card)` both work.

    >>> goes_with(CLUBS)(Number(4, CLUBS)), goes_with(CLUBS)(Number(4, SPADES))
    (True, False)
    >>> goes_with(HEARTS, Joker())
    True
    >>> tuple(filter(goes_with(SPADES), (Number(4, CLUBS), Face(JACK, SPADES), Joker())))
    (Face(JACK, SPADES), Joker())
    """
    return isinstance(card, Joker) or card.suit is led


# %% [markdown]
# And functions can be joined. `compose(f, g)` is the function that does `g` first and then `f`, so that
# `compose(f, g)(x)` is `f(g(x))`: read it from right to left. It takes more than two as well: the last one goes first.

# %% active="ipynb"
# letters_used = compose(len, set, str.lower)
# letters_used("Barbara"), compose(str.strip, str.title)(" old maid ")

# %% [markdown]
# `letters_used` is a function although there is no `def`: it is a *value* with a name, and you have said what it is
# without mentioning its argument.

# %% [markdown]
# This exercise is such a value, so there is no `def` to write. In the cell below, write in place of `TODO` a call of
# `compose` with two functions, by their bare names: one makes numbers of a hand, and you have written it already; the
# other makes one number of many, and Python has it. (The text in quotes is the statement; Python makes nothing of it.)

# %%
total_penalty: Callable[[Hand], int] = compose(sum, penalties)
"""Give what all the cards of a hand cost together: a function, made of two others.

>>> total_penalty((Number(7, HEARTS), Face(KING, CLUBS), Joker(), Joker()))
47
>>> tuple(map(total_penalty, ((), (Face(QUEEN, SPADES),))))
(0, 13)
"""


# %% [markdown]
# ## No answer, and something new
#
# What is the least of no numbers? Not 0, not -1: there is none. A function that may have no answer gives `None`, and
# its annotation says so: `int | None`. Many functions of Python let you say what to give instead.

# %% active="ipynb"
# def longest(words):
#     return max(words, key=len, default=None)
#
# longest(("ace", "joker")), longest(()), next((word for word in ("ace", "joker") if "z" in word), None)

# %% [markdown]
# One trap: `None` counts as false in an `if`, but so do `0` and `()`, which may be perfectly good answers. Ask
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
#         "0 counts as false, just as None does: `or` goes on to its right side for both, and a price of 0 "
#         "is lost. Only `is None` tells them apart."
#     ),
# )

# %% [markdown]
# A suit was led, and you must follow. Say what it will cost you at the least, or that you have nothing to follow with.


# %%
def least_penalty(led: Suit, hand: Hand) -> int | None:
    """Give the least penalty among the cards of `hand` that go with the suit `led`, or None if no card does.

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
# Last, values with names for their parts. `@value` makes a class whose objects are compared by what is in them,
# print as you write them, and are *frozen*: nobody can change them, so nobody has to fear that somebody did (it is
# Python's `@dataclass(frozen=True)`). To move on, make a new value, by its class or by `replace`, which copies one but
# for the parts you name.

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
# Try `before.coins = 10` in a cell of your own, and see what a frozen value says to that.

# %% [markdown]
# A `Player(name, hand, score)` has taken a trick, and the trick has a price.


# %%
def charge(player: Player, trick: Trick) -> Player:
    """Give `player` with the penalties of all cards of `trick` added to the score, and nothing else changed.

    The cards of the trick do not come into the player's hand.

    >>> charge(Player("Ann", (Joker(),), 10), (Number(7, HEARTS), Face(QUEEN, SPADES), Number(2, CLUBS)))
    Player('Ann', (Joker(),), 30)
    >>> charge(Player("Bob", (), 5), (Number(2, CLUBS),))
    Player('Bob', (), 5)
    """
    return replace(player, score=player.score + total_penalty(trick))


# %% [markdown]
# ## That is all
#
# Tuples and `match`; recursion, with a trampoline where it goes deep; map, filter and two folds; functions that are
# handed over, made and joined; `None` for no answer; a new value instead of a change. Every game from here on is
# made of these, with some printing and asking at its edge.
#
# Which of them when? A comprehension, if every item is treated alike. A fold, if something is carried from item to
# item. Recursion for all else, and on the trampoline if it may go on for more than some hundred calls.

# %% [markdown]
# ## One trick, all of it yours
#
# Six cards are riffled; the first leads, and who lays the winning card takes the trick, with its penalties.

# %% active="ipynb"
# pack = (Number(7, HEARTS), Number(2, CLUBS), Face(QUEEN, SPADES), Number(10, HEARTS), Joker(), Number(1, HEARTS))
# trick = riffle(pack[:3], pack[3:])
# trick, winning_card(trick), charge(Player("You", (), 0), trick)

# %% [markdown]
# ## Go further
#
# What would Penalties be without jokers, or with teams, or with tricks of six? Say what a whole hand is: a fold over
# tricks, which carries the players. Whoever takes a trick leads the next one.
#
# ```draw
# Ann | Number(7, HEARTS) | leads
# Bob | Face(QUEEN, SPADES) | another suit, and 13 for the winner
# Cleo | Number(9, HEARTS) | the highest heart: takes it, for 7 + 13 + 9
# ```
#
# Begin with `deal(pack, names)`, a tuple of `Player`s. What does one trick need to know, and what does it give?
