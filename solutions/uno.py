# %% [markdown]
# # Uno
#
# Later, you can play against up to nine bots. You write the engine: the code of the rules. In this unit, a game is a
# *value*, the **desk**: the players with their cards, the cards on the table, and whose turn it is. A turn is a
# function that takes a desk and returns the next desk.
#
# <details><summary>The game in short</summary>
#
# **The game in short.** Two to ten players hold cards. In turn, each player lays one card on the pile. The card must
# have the color or the rank of the top card (the same number or the same action), or be a *wild* card. A player who
# cannot lay a card draws one card. Action cards skip the next player, make that player draw, or turn the direction of
# play around. A player who lays a *wild* card chooses the next color. The first player without cards wins. Every other
# player loses as many points as their cards are worth.
#
# </details>
#

# %%
from course.uno import *

# %% [markdown]
# **First watch a whole game** with three players, played by reference solutions. Go through the game with *Next* or the
# arrow keys.

# %% active="ipynb"
# from course.tables import whole_game
#
# whole_game("uno")

# %% [markdown]
# ## Cards

# %% [markdown]
# A **curried** function takes its arguments one at a time. With `volume = curry(lambda a, b, c: a * b * c)`, both
# `volume(2, 3, 4)` and `volume(2)(3)(4)` are 24, and `volume(2)(3)` is a new function that waits for the third
# argument. The given `@curry` makes any function curried.
#
# The first parameter of `precedes` *is* a function, which decides when two values count as equal. So `precedes` is
# **higher-order**. `find(test, items)` returns the first item that passes `test`, or `None`. So `find(test, items) is
# not None` is true if some item passes `test`.


# %%
@curry
def precedes(equal: Callable[[A, A], bool], items: tuple[A, ...], first: A, second: A) -> bool:
    """Return whether `first` comes before `second` in `items`, or equals it; `equal` decides which values are equal.

    `equal` is symmetric: `equal(a, b)` and `equal(b, a)` return the same. No two of the `items` are equal. A value in
    `items` comes before a value that is not in `items`. If neither `first` nor `second` is in `items`, return False.
    The function is curried, so `precedes(equal)(items)(first)(second)` works, too.

    >>> precedes(same_number, (1, 2, 3, 4, 5), 4, 5)
    True
    >>> precedes(same_number)((1, 2, 3, 4, 5))(5)(4)
    False
    >>> precedes(same_letter, ("x", "Y"), "y", "Y"), precedes(same_number, (1, 0, 2), 0, 2)
    (True, True)
    """
    met = find(lambda item: equal(first, item) or equal(second, item), items)
    return met is not None and equal(first, met)


# %% [markdown]
# **All functions.** This list shows all the functions that you are going to write, and which functions each of them
# calls. The last function, `game`, needs nearly all the others. Click a name to go to its exercise. The frame around a
# name turns green when its function is right.

# %% active="ipynb"
# from course.check import call_map
#
# call_map("uno")

# %% [markdown]
# **How to write the engine.** Some habits help you to write the engine:
#
# - Values never change: `player.with_cards(cards)` returns a *new* player, and `desk.with_pile(pile)` a new desk.
# - Prefer `match` to a chain of `if`s. Prefer few cases to many. Name a value instead of computing it twice.
# - In a pattern, a name without a dot matches anything: write `case Direction.CLOCKWISE`, not `case CLOCKWISE`.
# - In a pattern, a class needs its parentheses, as in `case Crd(Num(n), color)` and `case Wild()`.
# - In `case (first, *rest)`, `rest` is a *list*. To put `rest` into a desk or to return it, write `tuple(rest)`.
# - The exam compares results strictly: a list is not equal to a tuple.

# %% [markdown]
# **The rules.** The deck has 108 cards. An ordinary card has a rank and one of four colors, here in ascending order:
# yellow, blue, green, red.
#
# | cards | how many | worth |
# |---|---|---|
# | numbers | in each color one 0, and two of each number from 1 to 9: 76 in all | their number |
# | *skip*, *draw two*, *reverse* (the action cards) | two of each kind in each color: 24 in all | 20 |
# | *wild* and *wild draw four* (they have no color) | four of each kind: 8 in all | 50 |
#
# ```draw
# Crd(Num(7), RED), Crd(Skip(), BLUE), Crd(DrawTwo(), GREEN), Crd(Reverse(), YELLOW), Wild(), WildDrawFour()
# From the left: `Num(7)`, `Skip()`, `DrawTwo()`, `Reverse()`, `Wild()`, `WildDrawFour()`
# ```
#
# A card is `Crd(rank, color)`, `Wild()` or `WildDrawFour()`. A card has one of three kinds, so its type, `Crd | Wild |
# WildDrawFour`, is called a **sum type**. A rank is another sum type, with four kinds: a number, from `Num(0)` to
# `Num(9)`, or `Reverse()`, `Skip()` or `DrawTwo()`. When you take a value of a sum type apart with `match`, you need a
# case for each kind of value. `COLORS` and `RANKS` list the colors and ranks in ascending order.

# %% [markdown]
# **Before you go on: three questions.** Answer each question aloud or on paper before you open its answer.
#
# <details><summary>In dominoes, why do all functions of a turn <em>return</em> stock, chain and hand?</summary>
#
# Because stock, chain and hand are **immutable**, which means that nobody can change them. A turn makes new values, and
# the caller gets the new values only if the function returns them.
#
# </details>
#
# <details><summary>What do we call a function that you can call as <code>at_least(5)(9)</code>, and what is it good
# for?</summary>
#
# We call such a function *curried*. If you pass only its first argument, the result is a test that you can use, for
# example, in `filter`. Passing only the first arguments is called *partial application*.
#
# </details>
#
# <details><summary>What does <code>fold_right(step, start, (a, b))</code> compute?</summary>
#
# `step(a, step(b, start))`. In each call of `step`, the first argument is an item, and the second is the result for all
# items to its right.
#
# </details>

# %% [markdown]
# With the curried function `volume`, `base_of_six = volume(2)(3)` needs no `def`: it is the function `volume` with two
# arguments already given. In the next two exercises, use such a **partial application** of `precedes`, once for colors
# and once for ranks. Replace `TODO` by a call of `precedes` with only some of its arguments. `is_same_color(one,
# other)` compares two colors, `is_same_rank` two ranks, `is_same_card` two cards. (`is_same_color`, `is_same_rank` and
# `is_same_card` are not curried. To make a test from one of them, write for example `lambda other: is_same_card(card,
# other)`. In names, `lt` is short for "less than", but in this unit it includes "equal".)

# %%
color_is_lt: Callable[[Color, Color], bool] = precedes(is_same_color, COLORS)
"""Return whether the first of two colors is not greater than the second, in the order of `COLORS`.

You must use `precedes`. The function is curried, so `color_is_lt(BLUE)(GREEN)` works, too.

>>> color_is_lt(YELLOW, BLUE)
True
>>> color_is_lt(RED)(GREEN)
False
>>> color_is_lt(RED, RED)
True
"""

# %% [markdown]
# Write a similar function for ranks. `RANKS` goes from `Num(0)` to `Num(9)`, followed by *reverse*, *skip* and *draw
# two*.

# %%
rank_is_lt: Callable[[Rank, Rank], bool] = precedes(is_same_rank, RANKS)
"""Return whether the first of two ranks is not greater than the second, in the order of `RANKS`.

You must use `precedes`. The function is curried, so `rank_is_lt(Num(3))(Skip())` works, too.

>>> rank_is_lt(Num(3), Skip()), rank_is_lt(Skip(), Skip())
(True, True)
>>> rank_is_lt(DrawTwo())(Reverse())
False
"""

# %% active="ipynb"
# predict(
#     """
#     def worth(card):
#         match card:
#             case Crd():
#                 return "ordinary"
#             case Crd(Skip(), _):
#                 return "skip"
#             case _:
#                 return "wild"
#
#     worth(Crd(Skip(), RED)), worth(Wild())
#     """,
#     "('skip', 'wild')",
#     "an error",
#     "('ordinary', 'wild')",
#     why=(
#         "`case Crd():` matches every ordinary card, and the first matching case wins: the second is never "
#         "reached. Put the special case above the general one."
#     ),
# )

# %% [markdown]
# To compare two values of a sum type, match on **both at once**. Write `match a, b:` with cases such as `case _,
# Wild():`. Python tries the cases from the top, so each case can assume that the cases above it did not match. Remember
# that "not greater" includes equal cards.
#
# **Find the wrong answers first.** Read below what `is_lt` returns. Then write examples until they catch all seven
# wrong answers. Each example contains two cards and the right result. Try two ordinary cards, two wild cards, and an
# ordinary card with a wild card. What else, besides the kinds of the cards, can change the result?

# %% active="ipynb"
# from course.check import catch, example
#
# catch(
#     example("is_lt", (Crd(Num(3), RED), Wild()), ...),  # replace the dots by True or False
#     # add more examples, one on each line
# )


# %%
def is_lt(first: Card, second: Card) -> bool:
    """Return whether the card `first` is not greater than the card `second`.

    Any wild card is greater than any ordinary one, and a wild draw four is greater than a wild. For two ordinary cards
    the color decides, and if the colors are equal, the rank decides. For equal cards the answer is True.

    >>> is_lt(Wild(), Crd(Num(3), BLUE)), is_lt(WildDrawFour(), Wild()), is_lt(Crd(Skip(), RED), Crd(Num(3), RED))
    (False, False, False)
    >>> is_lt(Crd(Skip(), BLUE), Crd(Num(3), RED))
    True
    >>> is_lt(Wild(), Wild())
    True
    """
    match first, second:
        case Crd(rank, color), Crd(other_rank, other_color) if is_same_color(color, other_color):
            return rank_is_lt(rank, other_rank)
        case Crd(_, color), Crd(_, other_color):
            return color_is_lt(color, other_color)
        case (WildDrawFour(), Crd() | Wild()) | (Wild(), Crd()):
            return False
        case _:
            return True


# %% [markdown]
# **Change a function that works.** Copy `is_lt` into a cell of your own and rename it to `is_lt_by_rank`. Change the
# copy so that for two ordinary cards the rank decides, and the color decides if the ranks are equal.

# %% [markdown]
# In the next cell, pick some cards, and your `is_lt` puts the cards in order.

# %% active="ipynb"
# from course.tables import try_order
#
# try_order()

# %% [markdown]
# `merge_sort(greater, items)` sorts by any comparison: it puts `a` after `b` when `greater(a, b)` is true. (Equal items
# may be in any order.) So `merge_sort(lambda a, b: a > b)` sorts numbers in ascending order. `merge_sort` is curried,
# so your definition can be very short. Which comparison sorts cards in *descending* order? You have already written
# this function.

# %%
card_sort: Callable[[Cards], Cards] = merge_sort(is_lt)
"""Return the cards sorted from the greatest to the smallest.

You must use `merge_sort` and `is_lt`.

>>> card_sort((Crd(Num(2), YELLOW), Crd(Num(5), GREEN), Crd(Num(8), YELLOW), Crd(Reverse(), YELLOW),
...     Wild(), Crd(Skip(), RED), Crd(DrawTwo(), GREEN)))
(Wild(), Crd(Skip(), RED), Crd(DrawTwo(), GREEN), Crd(Num(5), GREEN), Crd(Reverse(), YELLOW), \
Crd(Num(8), YELLOW), Crd(Num(2), YELLOW))
"""

# %% [markdown]
# A pattern can contain other patterns. For example, `case Crd(Skip(), color)` tests the rank of a card and gives a name
# to its color. Put the special case first. After the special cases, `case Crd():` means *all other* ordinary cards. For
# `card_value`, three cases are enough.


# %%
def card_value(card: Card) -> int:
    """Return the value of a card: a number card is worth its number, an action card 20, both kinds of wild card 50.

    >>> card_value(Crd(DrawTwo(), GREEN)), card_value(Wild()), card_value(WildDrawFour())
    (20, 50, 50)
    >>> card_value(Crd(Num(0), RED))
    0
    """
    match card:
        case Crd(Num(number), _):
            return number
        case Crd():
            return 20
        case Wild() | WildDrawFour():
            return 50


# %% [markdown]
# A **fold** goes through items and updates a result. `fold_left(step, start, items)` calls `step(result, item)` for one
# item after the other. To count the capital letters of a word, write `fold_left(lambda n, letter: n + letter.isupper(),
# 0, word)`. In `sum_cards`, what is the result before the first card?


# %%
def sum_cards(cards: Cards) -> int:
    """Return the total value of `cards`; if there are no cards, return 0.

    You must use `card_value`.

    >>> sum_cards((Crd(Num(2), YELLOW), Crd(Num(5), GREEN), Crd(Num(8), YELLOW), Crd(Reverse(), YELLOW),
    ...     Wild(), Crd(Skip(), RED), Crd(DrawTwo(), GREEN)))
    125
    """
    return fold_left(lambda total, card: total + card_value(card), 0, cards)


# %% [markdown]
# In a pattern, write a member of an enumeration with a dot, as in `case Color.RED:`. Without the dot, `case RED:` would
# *capture* any value, and RED would become a name for this value.


# %%
def opposite_dir(direction: Direction) -> Direction:
    """Return the direction of play that is opposite to `direction`.

    >>> opposite_dir(COUNTERCLOCKWISE), opposite_dir(CLOCKWISE)
    (CLOCKWISE, COUNTERCLOCKWISE)
    """
    match direction:
        case Direction.CLOCKWISE:
            return COUNTERCLOCKWISE
        case Direction.COUNTERCLOCKWISE:
            return CLOCKWISE


# %% active="ipynb"
# predict(
#     """
#     fold_left(lambda seen, n: (n, *seen), (), (1, 2, 3)), fold_right(lambda n, seen: (n, *seen), (), (1, 2, 3))
#     """,
#     "((1, 2, 3), (3, 2, 1))",
#     "((3, 2, 1), (1, 2, 3))",
#     "((1, 2, 3), (1, 2, 3))",
#     why=(
#         "From the left, 1 goes in first, and each later item goes in front of it. From the right, 3 goes in "
#         "first. An accumulator that grows at its front is in reverse order."
#     ),
# )

# %% [markdown]
# You can write `remove_card` with a fold, but try a tail recursion. A tail recursion carries its result so far in an
# argument. Here is a tail recursion that stops at the first zero and returns the numbers before it. The argument `seen`
# collects the numbers in *reverse* order. `rev_append(seen, rest)` reverses the items of `seen` and puts them in front
# of `rest`, so at the end the function calls `rev_append(seen, ())`:
#
# ```python
# def before_zero(numbers):
#     @tail_recursive
#     def walk(seen, rest):
#         match rest:
#             case () | (0, *_):
#                 return rev_append(seen, ())
#             case (number, *others):
#                 return recur((number, *seen), tuple(others))
#     return walk((), numbers)
# ```
#
# An exception is a value, too, and can be an argument. If `error` is an exception, `raise error` raises this exception.
#
# **Find the wrong answers first.** Run the next cell, read below what `remove_card` returns, and fill in results until
# they catch all wrong answers. If a call raises an exception, fill in the name of the exception's class as the result.

# %% active="ipynb"
# from course.check import catch
#
# catch("remove_card")


# %%
def remove_card(cards: Cards, card: Card, error: Exception) -> Cards:
    """Return `cards` without the first occurrence of `card`, in the same order; raise `error` if `cards` has no `card`.

    You must use `is_same_card`.

    >>> remove_card((Crd(Num(2), YELLOW), Crd(Num(5), GREEN), Crd(Num(8), YELLOW), Crd(Reverse(), YELLOW),
    ...     Wild(), Crd(Skip(), RED), Crd(DrawTwo(), GREEN)), Crd(Num(5), GREEN), IndexError())
    (Crd(Num(2), YELLOW), Crd(Num(8), YELLOW), Crd(Reverse(), YELLOW), Wild(), Crd(Skip(), RED), Crd(DrawTwo(), GREEN))
    >>> remove_card((Crd(Skip(), RED), Crd(Num(5), GREEN), Wild(), Wild()), Wild(), IndexError())
    (Crd(Skip(), RED), Crd(Num(5), GREEN), Wild())
    >>> remove_card((Wild(),), Crd(Num(5), GREEN), LookupError("no such card"))
    Traceback (most recent call last):
        ...
    LookupError: no such card
    """

    @tail_recursive
    def look(observed: Cards, rest: Cards) -> Cards:
        match rest:
            case (head, *others) if is_same_card(head, card):
                return rev_append(observed, tuple(others))
            case (head, *others):
                return recur((head, *observed), tuple(others))
            case _:
                raise error

    return look((), cards)


# %% [markdown]
# The result of `card_count` depends on the kind of the card. The table of the cards, under *The rules*, shows how many
# copies there are.


# %%
def card_count(card: Card) -> int:
    """Return how many copies of `card` there are in the deck.

    >>> card_count(Wild())
    4
    >>> card_count(Crd(Num(7), BLUE)), card_count(Crd(Num(0), BLUE)), card_count(Crd(Skip(), RED))
    (2, 1, 2)
    """
    match card:
        case Crd(Num(0), _):
            return 1
        case Crd():
            return 2
        case Wild() | WildDrawFour():
            return 4


# %% [markdown]
# `deck` is not a function but a value, which is computed once. Make `deck` in two steps. First make each of the 54
# different cards once; `WILDS` contains the two wild cards. To get all pairs from two lists, write a comprehension with
# two `for`s, such as `tuple((row, seat) for row in "ABC" for seat in range(1, 5))`. Then make the copies with a fold
# over the 54 cards. For each card, let `add_n_copies(item, items, n)` put the right number of copies in front of the
# result so far.

# %%
deck: Cards = fold_right(
    lambda card, cards: add_n_copies(card, cards, card_count(card)),
    (),
    (*WILDS, *(Crd(rank, color) for color in COLORS for rank in RANKS)),
)
"""Define all 108 cards of the game, in any order; `card_count` returns the number of copies of each card.

>>> len(deck), type(deck) is tuple
(108, True)
>>> deck.count(Wild()), deck.count(Crd(Num(0), RED)), deck.count(Crd(Skip(), BLUE))
(4, 1, 2)
"""

# %% [markdown]
# ## The table
#
# **The rules.** Two to ten people play. The dealer gets the first seven cards, and then each of the other players gets
# seven cards. The remaining cards lie face down, and are called the **deck**. The top card of the deck is turned over
# and begins the **pile**. If this card is a wild card, it goes back into the deck. The deck is shuffled, and its new
# top card is turned over. These steps are repeated until the pile begins with an ordinary card.
#
# - If the first card is a *reverse*, play goes counterclockwise and the dealer moves first.
# - With any other card, play goes clockwise and the player after the dealer moves first.
# - If the first card is a *skip* or a *draw two*, the player after the dealer must answer or obey it.
#
# To answer a *skip* or a *draw two* means to lay a card of the same kind. To obey it means to miss the turn; for a
# *draw two*, the player first draws two cards.
#
# A player is a `Player(name, cards, strategy, is_manual)`. `player.with_cards(cards)` returns a copy of the player with
# these cards. `player.automate()` returns a copy of the player with `is_manual` set to False, so that the strategy
# chooses the moves. A `Desk(players, pile, deck, state, direction, memory)` has these parts:
#
# - the players in clockwise order. **The first player is the one whose turn it is**;
# - the pile and the deck, the top card first;
# - the state of the turn: `Proceed()`, `Execute()` or `Give(color)`;
# - the direction, `CLOCKWISE` or `COUNTERCLOCKWISE`, and the ten latest moves, the newest first.
#
# The state `Execute()` means that the player must answer or obey the *skip* or *draw two* on the pile. The state
# `Give(color)` means that a wild card is on the pile and that its player chose `color`. Each part has a method, such as
# `desk.with_pile(...)` or `desk.with_state(...)`, which returns a copy of the desk with a new value for this part. You
# can chain these calls, as in `desk.with_pile(...).with_state(...)`. `desk.add_memo(move)` returns a copy of the desk
# with the move at the front of the memory, which keeps the ten latest moves. In the examples, `ten_players(strategy)`
# returns ten players without cards. A person chooses the moves of the first player, and `strategy` chooses the moves of
# the others. `false_strategy` is for examples in which no strategy is called.

# %% [markdown]
# Dealing is a loop over the players. The loop carries three values: the players who still wait for cards, the players
# who have their cards, and the rest of the cards. `pass_cards(source, target, n)` moves `n` items from the front of
# `source` to the front of `target`, and returns both. For example, `pass_cards((1, 2, 3, 4), (), 3)` is `((4,), (3, 2,
# 1))`. In `deal`, do not give the name `deck` to a variable, because `deal` must shuffle your tuple `deck` of 108
# cards.


# %%
def deal(players: Players) -> Desk:
    """Return the desk right after the deal; print an empty line and `Player X deals.`, where X is the first player.

    `players` are two to ten players in clockwise order, the dealer first; on the desk, they are in the same order.
    Shuffle the whole `deck` once, with `shuffle_list`. The dealer gets the first seven cards, the next player the
    following seven, and so on. The dealt cards replace any cards that the players had before. The cards of a hand may
    be in any order. The card that follows the dealt cards is the pile, and the other cards, in the same order, are the
    deck. The state is `Proceed()`, the direction is CLOCKWISE, and the memory is empty. If the first card of the pile
    is wild, leave it there, because `desk_normalize` handles this case. You must use `pass_cards`.

    >>> desk, text = transcript(deal, ten_players(first_playable))
    >>> text
    '\\nPlayer Sergey deals.\\n'
    >>> tuple(len(player.cards) for player in desk.players), len(desk.pile), len(desk.deck)
    ((7, 7, 7, 7, 7, 7, 7, 7, 7, 7), 1, 37)
    """

    @tail_recursive
    def serve(waiting: Players, served: Players, cards: Cards) -> Desk:
        match waiting:
            case (player, *others):
                rest, hand = pass_cards(cards, (), 7)
                return recur(tuple(others), (player.with_cards(hand), *served), rest)
            case _:
                return Desk(rev_append(served, ()), cards[:1], cards[1:], Proceed(), CLOCKWISE, ())

    print(f"\nPlayer {players[0].name} deals.")
    return serve(players, (), shuffle_list(deck))


# %% [markdown]
# In the next cell, watch how your function `deal` deals the cards.

# %% active="ipynb"
# from course.tables import watch_deal
#
# watch_deal(4)

# %% [markdown]
# Think about the data first: which desks are possible at all? If a bug puts one card too many on the desk, no function
# raises an exception. So write down what must be true of every desk, after the deal and after each turn. A rule that is
# always true is called an **invariant**. A function that tests an invariant can find bugs that nobody has thought of.
#
# Think of beads instead of cards. The test `all(beads.count(bead) == 2 for bead in ("red", "blue"))` is true if there
# are two red beads and two blue beads. Is the test still true if there is also a green bead?


# %%
def is_sound(desk: Desk) -> bool:
    """Return whether the hands, the pile and the deck together contain the cards of the game, in any order.

    A desk is sound if it has each card exactly as often as your `deck` has it, and no other cards. The other parts of
    the desk (state, direction, memory, names) do not matter.

    >>> desk = Desk(ten_players(first_playable)[:2], deck[:1], deck[1:], Proceed(), CLOCKWISE, ())
    >>> is_sound(desk), is_sound(desk.with_pile(()))
    (True, False)
    >>> is_sound(desk.with_pile((Wild(),) * 5)), is_sound(desk.with_pile((Crd(Num(5), RED), *deck[:1])))
    (False, False)
    """
    cards = (*desk.pile, *desk.deck, *(card for player in desk.players for card in player.cards))
    return len(cards) == len(deck) and all(cards.count(card) == card_count(card) for card in deck)


# %% [markdown]
# The function `hasty_draw` in the next cell has a bug. If the deck is empty, the player draws from the cards below the
# top card of the pile. After how many draws is the desk no longer sound, and which line is wrong? Run the cell, which
# calls your `is_sound` for each desk, before you look for the wrong line.

# %% active="ipynb"
# from itertools import accumulate
#
#
# def hasty_draw(desk, _):
#     mover, *rest = desk.players
#     drawn, *left = desk.deck or desk.pile[1:]
#     return desk.with_players((mover.with_cards((drawn, *mover.cards)), *rest)).with_deck(tuple(left))
#
#
# dealt = deal(ten_players(first_playable)[:2])
# few_left = dealt.with_pile(dealt.pile + dealt.deck[5:]).with_deck(dealt.deck[:5])
# desks = tuple(accumulate(range(9), hasty_draw, initial=few_left))
# tuple(map(is_sound, desks))

# %% active="ipynb"
# predict(
#     """
#     start = Desk((), (), (), Proceed(), CLOCKWISE, ())
#     later = start.with_direction(COUNTERCLOCKWISE).with_state(Give(RED))
#     start.state, later.state, start.direction
#     """,
#     "(Give(RED), Give(RED), COUNTERCLOCKWISE)",
#     "(Proceed(), Give(RED), COUNTERCLOCKWISE)",
#     "(Proceed(), Give(RED), CLOCKWISE)",
#     why=(
#         "`start` never changes: each `with_...` returns a new desk. If you go on with the old name, you "
#         "play with the old desk, and there is no error."
#     ),
# )

# %% [markdown]
# The order of the players alone shows whose turn it is. So to pass the turn, rotate the tuple of players. Write down
# three players on paper first. Which player goes to the other end of the tuple when the turn passes clockwise, and
# which player when it passes counterclockwise? `whose_turn(desk)` prints whose turn it is and returns the same desk, so
# you can write `return whose_turn(desk)`.


# %%
def next_player(desk: Desk) -> Desk:
    """Return the desk after passing the turn, and print `The turn of X` with `whose_turn`; X is the new first player.

    If the direction is clockwise, the first player goes to the end of the tuple. If the direction is counterclockwise,
    the last player comes to the front.

    >>> sergey, pavel, saveliy = players = ten_players(false_strategy)[:3]
    >>> desk, text = transcript(next_player, Desk(players, (), (), Proceed(), CLOCKWISE, ()))
    >>> desk.players == (pavel, saveliy, sergey), text
    (True, 'The turn of Pavel\\n')
    >>> desk, text = transcript(next_player, Desk(players, (), (), Proceed(), COUNTERCLOCKWISE, ()))
    >>> desk.players == (saveliy, sergey, pavel), desk.memory, text
    (True, (), 'The turn of Saveliy\\n')
    """
    step = 1 if desk.direction is CLOCKWISE else -1
    return whose_turn(desk.with_players(desk.players[step:] + desk.players[:step]))


# %% [markdown]
# The first card on the pile decides how the game begins. There are four cases:
#
# | on the pile | what you return |
# |---|---|
# | a number | the desk after `next_player` |
# | *skip* or *draw two* | the desk with the state `Execute()`, after `next_player` |
# | *reverse* | the desk with the opposite direction. The dealer begins: print that with `whose_turn` |
# | a wild card | shuffle pile and deck together, turn over the first card, and begin again with that desk |
#
# To begin again with the new desk, the function calls itself. With bad luck, `desk_normalize` calls itself many times,
# so use a tail call. (The recursion ends, because there is always an ordinary card in the pile or the deck.)


# %%
@tail_recursive
def desk_normalize(desk: Desk) -> Desk:
    """Return the desk for the first turn, made from the `desk` that `deal` has returned.

    While the only card of the pile is a wild card, shuffle pile and deck together. Each time, call `shuffle_list` once
    with all these cards. The first of the shuffled cards is the new pile, and the other cards are the deck. If the card
    on the pile is now a reverse, turn the direction around, and print with `whose_turn` that the dealer begins. For any
    other card, pass the turn with `next_player`. For a skip or draw two, also set the state to `Execute()`. You must
    use `next_player` and `shuffle_list`.

    >>> players = ten_players(false_strategy)[:2]
    >>> start = Desk(players, (Crd(Skip(), RED),), (Wild(), Crd(Num(1), RED)), Proceed(), CLOCKWISE, ())
    >>> desk, text = transcript(desk_normalize, start)
    >>> desk.state, text
    (Execute(), 'The turn of Pavel\\n')
    >>> wilds = start.with_pile((Wild(),)).with_deck((WildDrawFour(), Crd(Num(1), RED), Wild()))
    >>> desk, text = transcript(desk_normalize, wilds, chance=1)
    >>> desk.pile, len(desk.deck), desk.players[0].name
    ((Crd(Num(1), RED),), 3, 'Pavel')
    >>> desk, text = transcript(desk_normalize, start.with_pile((Crd(Reverse(), RED),)))
    >>> desk.state, desk.direction, text
    (Proceed(), COUNTERCLOCKWISE, 'The turn of Sergey\\n')
    """
    match desk.pile[0]:
        case Crd(Reverse(), _):
            return whose_turn(desk.with_direction(opposite_dir(desk.direction)))
        case Crd(Skip() | DrawTwo(), _):
            return next_player(desk.with_state(Execute()))
        case Crd():
            return next_player(desk)
        case Wild() | WildDrawFour():
            cards = shuffle_list(desk.pile + desk.deck)
            return recur(desk.with_pile(cards[:1]).with_deck(cards[1:]))


# %% [markdown]
# Drawing is easy if the deck has cards. If the deck is empty, make a new deck from the pile. Then call `draw` again
# with the new desk, because drawing is now easy. (The recursion ends only if the new deck is not empty.)


# %%
def draw(desk: Desk) -> Desk:
    """Return the desk after the first player has drawn the top card of the deck. The new hand may be in any order.

    If the deck is empty, first shuffle all cards of the pile except the top card, with one `shuffle_list`; these cards
    become the deck. If the player draws the last card of the deck, the deck stays empty. Raise IllegalGame if the deck
    is empty and the pile has only its top card. You must use `shuffle_list`.

    >>> sergey, pavel = ten_players(false_strategy)[:2]
    >>> desk = Desk((sergey, pavel), (Crd(Num(5), RED), Wild()), (Crd(Num(1), RED),), Proceed(), CLOCKWISE, ())
    >>> draw(desk).players[0].cards, draw(desk).deck
    ((Crd(Num(1), RED),), ())
    >>> draw(draw(desk)).pile, draw(draw(desk)).deck, draw(desk.with_deck((Wild(), Crd(Num(1), RED)))).players[0].cards
    ((Crd(Num(5), RED),), (), (Wild(),))
    >>> draw(draw(draw(desk)))
    Traceback (most recent call last):
        ...
    IllegalGame
    """
    match desk.players, desk.deck, desk.pile:
        case (player, *others), (card, *rest), _:
            return desk.with_players((player.with_cards((card, *player.cards)), *others)).with_deck(tuple(rest))
        case _, _, (top, *rest) if rest:
            return draw(desk.with_pile((top,)).with_deck(shuffle_list(rest)))
        case _:
            raise IllegalGame("no card is left to draw")


# %% active="ipynb"
# predict(
#     """
#     def double(n):
#         return 2 * n
#
#     def add_one(n):
#         return n + 1
#
#     compose(double, add_one)(5), compose(add_one, double)(5)
#     """,
#     "(12, 11)",
#     "(11, 12)",
#     "(12, 12)",
#     why="The function at the right is called first, as in double(add_one(5)): 6, and then 12.",
# )

# %% [markdown]
# `compose(f, g)` is the function that calls `g` first and then `f` with the result of `g`, so `compose(len, str)(1000)`
# is 4. You can compose a function with itself if it takes a desk and returns a desk.

# %%
draw_two: Callable[[Desk], Desk] = compose(draw, draw)
"""Return the desk after the first player has drawn two cards, one after the other, as `draw` does.

You must use `draw` and `compose`.

>>> start = Desk(ten_players(false_strategy)[:2], (Wild(),), (Crd(Num(1), RED),) * 5, Proceed(), CLOCKWISE, ())
>>> tuple(len(player.cards) for player in draw_two(start).players), len(draw_two(start).deck)
((2, 0), 3)
>>> draw_two(start.with_deck((Wild(),)))
Traceback (most recent call last):
    ...
IllegalGame
"""

# %% [markdown]
# A function that `compose` has made, such as `draw_two`, can itself be an argument of `compose`.

# %%
draw_four: Callable[[Desk], Desk] = compose(draw_two, draw_two)
"""Return the desk after the first player has drawn four cards, one after the other, as `draw` does.

You must use `draw_two` and `compose`.

>>> start = Desk(ten_players(false_strategy)[:2], (Wild(),), (Crd(Num(1), RED),) * 5, Proceed(), CLOCKWISE, ())
>>> tuple(len(player.cards) for player in draw_four(start).players), len(draw_four(start).deck)
((4, 0), 1)
>>> draw_four(start.with_deck((Wild(), Wild())))
Traceback (most recent call last):
    ...
IllegalGame
"""

# %% [markdown]
# ## Legal moves
#
# **The rules.** You lay one card on the pile. The card must have the color or the rank of the top card (the same number
# or the same action), or be a wild card. If you hold a card that fits, you must lay one: you may not pass or draw. If
# you hold no card that fits, draw one card from the deck. If the drawn card fits, you lay it; if it does not fit, you
# miss the turn. When the deck is empty, all cards of the pile except its top card are shuffled and become the deck. (If
# there is still no card to draw, the game stops with `IllegalGame`.)
#
# People play Uno by different rules. In this unit, a player may answer a *skip* or *draw two* with a card of the same
# kind. A player who can lay a card may not draw. Nobody can challenge a *wild draw four*, and nobody has to call
# "Uno!". Between two players, a *reverse* does not give its player an extra turn.
#
# A desk is in one of three states, so you write three tests for cards, one for each state. All cards of a hand are
# tested in the same state. So the first argument of a test stays the same for the whole hand, and the second argument
# is the card. For example, `playable_when_wild(RED)` is a test that `filter` can use.

# %% active="ipynb"
# predict(
#     """
#     @curry
#     def is_between(low, high, n):
#         return low <= n <= high
#
#     tuple(filter(is_between(3)(5), range(10))), callable(is_between(3)(5))
#     """,
#     "((3, 4), True)",
#     "an error",
#     "((3, 4, 5), True)",
#     why=(
#         "Two of three arguments are given, so the result is a function that waits for the third. It is a "
#         "test, and `filter` calls it for every number."
#     ),
# )

# %% [markdown]
# In the state `Give(color)`, a wild card is on the pile, and its player has chosen a color.


# %%
@curry
def playable_when_wild(color: Color, card: Card) -> bool:
    """Return whether `card` may be laid on a wild card after `color` was chosen: it must have that color or be wild.

    You must use `is_same_color`. The function is curried, so `playable_when_wild(color)(card)` works, too.

    >>> playable_when_wild(BLUE)(WildDrawFour()), playable_when_wild(BLUE)(Crd(Skip(), BLUE))
    (True, True)
    >>> playable_when_wild(BLUE, Crd(Num(3), RED))
    False
    """
    match card:
        case Crd(_, other):
            return is_same_color(color, other)
        case Wild() | WildDrawFour():
            return True


# %% [markdown]
# In the state `Execute()`, the player must answer or obey a *skip* or a *draw two*. Only a card of the same kind, in
# any color, is an answer. A wild card is not an answer.


# %%
@curry
def playable_when_exec(rank: Penalty, card: Card) -> bool:
    """Return whether, in the state `Execute()`, `card` answers the action card on the pile, which has this `rank`.

    Only a card of the same rank is an answer; its color does not matter.

    You must use `is_same_rank`. The function is curried, so `playable_when_exec(rank)(card)` works, too.

    >>> tuple(map(playable_when_exec(Skip()), (WildDrawFour(), Crd(DrawTwo(), RED), Crd(Reverse(), RED))))
    (False, False, False)
    >>> playable_when_exec(Skip(), Crd(Skip(), RED))
    True
    """
    match card:
        case Crd(other, _):
            return is_same_rank(rank, other)
        case Wild() | WildDrawFour():
            return False


# %% [markdown]
# In the usual state, `Proceed()`, an ordinary card is on the pile. The first argument of `playable_when_proc` is *one*
# value, a pair. Take the pair apart with `rank, color = face`.


# %%
@curry
def playable_when_proc(face: tuple[Rank, Color], card: Card) -> bool:
    """Return whether `card` may be laid on the ordinary card with this `face` in the state `Proceed()`.

    `face` is a pair of rank and color. A card of the same rank or the same color, and any wild card, may be laid.

    You must use `is_same_color` and `is_same_rank`. The function is curried, so `playable_when_proc(face)(card)` works,
    too.

    >>> playable_when_proc((Num(5), RED))(Crd(Skip(), RED))
    True
    >>> tuple(map(playable_when_proc((Skip(), RED)), (Crd(Skip(), BLUE), Wild())))
    (True, True)
    >>> playable_when_proc((Num(5), RED), Crd(Num(6), BLUE))
    False
    """
    rank, color = face
    match card:
        case Crd(other_rank, other_color):
            return is_same_rank(rank, other_rank) or is_same_color(color, other_color)
        case Wild() | WildDrawFour():
            return True


# %% [markdown]
# Now use the three tests in one function. One `match` looks at both the state and the top card. Each case *chooses a
# test*, which is one of your three functions with its first argument given. Filter the hand with the chosen test, as in
# `tuple(filter(str.isupper, "aBCd"))`, which is `('B', 'C')`.


# %%
def cards_to_play(desk: Desk) -> Cards:
    """Return the cards of the first player that may be laid on the pile in the desk's state, in the order of the hand.

    If the top card of the pile is wild, the state must be `Give(color)`. If the top card is ordinary, the state must be
    `Proceed()` or `Execute()`. Raise IllegalGame if the desk breaks one of these two rules. In the state `Execute()`,
    the top card is never a number or a reverse. You must use `playable_when_wild`, `playable_when_exec` and
    `playable_when_proc`, and `filter` or a comprehension.

    >>> sergey, pavel = ten_players(false_strategy)[:2]
    >>> hand = (Crd(Skip(), RED), Crd(Skip(), RED), Crd(Num(5), BLUE), Wild(), Crd(Num(5), GREEN))
    >>> players = (sergey.with_cards(hand), pavel.with_cards(hand))
    >>> desk = Desk(players, (Crd(Skip(), BLUE),), (), Proceed(), CLOCKWISE, ())
    >>> cards_to_play(desk), cards_to_play(desk.with_state(Execute()))
    ((Crd(Skip(), RED), Crd(Skip(), RED), Crd(Num(5), BLUE), Wild()), (Crd(Skip(), RED), Crd(Skip(), RED)))
    >>> cards_to_play(desk.with_state(Give(RED)).with_pile((Wild(),)))
    (Crd(Skip(), RED), Crd(Skip(), RED), Wild())
    >>> cards_to_play(desk.with_state(Give(RED)))
    Traceback (most recent call last):
        ...
    IllegalGame
    """
    hand = desk.players[0].cards
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            return tuple(filter(playable_when_wild(color), hand))
        case Execute(), Crd(rank, _):
            return tuple(filter(playable_when_exec(rank), hand))
        case Proceed(), Crd(rank, color):
            return tuple(filter(playable_when_proc((rank, color)), hand))
        case _:
            raise IllegalGame("the state does not go with the card on the pile")


# %% [markdown]
# In `required_color`, there are two cases: the color is in the state, or it is the color of the top card.


# %%
def required_color(desk: Desk) -> Color:
    """Return the required color: the chosen color if the pile's top card is wild, else the top card's color.

    In the state `Execute()`, too, the required color is the color of the top card. Raise IllegalGame if the state is
    `Give` and the top card is ordinary. Also raise IllegalGame if the top card is wild and the state is not `Give`.

    >>> desk = Desk(ten_players(false_strategy)[:2], (Crd(Num(5), RED),), (), Proceed(), CLOCKWISE, ())
    >>> required_color(desk), required_color(desk.with_pile((Wild(), Crd(Num(1), RED))).with_state(Give(GREEN)))
    (RED, GREEN)
    >>> required_color(desk.with_state(Give(GREEN)))
    Traceback (most recent call last):
        ...
    IllegalGame
    """
    match desk.state, desk.pile[0]:
        case Give(color), Wild() | WildDrawFour():
            return color
        case Proceed() | Execute(), Crd(_, color):
            return color
        case _:
            raise IllegalGame("the state does not go with the card on the pile")


# %% active="ipynb"
# predict(
#     """
#     find(lambda n: n > 2, (1, 2, 3, 4)), find(lambda n: n > 9, (1, 2, 3)), bool(find(lambda n: n < 1, (0, 1)))
#     """,
#     "(3, None, True)",
#     "(3, None, False)",
#     "((3, 4), (), True)",
#     why=(
#         "`find` returns the first item that passes. The last call returns 0, which is an answer, but counts "
#         "as false. So write `is not None`."
#     ),
# )

# %% [markdown]
# The result of `find` also shows whether any item passes a test: if the result `is not None`, some item passes. Write a
# local function that tests whether a card has the color `color`. (Don't use `playable_when_wild`, because this function
# is also true for wild cards, which have no color.)


# %%
def has_color(color: Color, cards: Cards) -> bool:
    """Return whether there is a card of the color `color` among `cards`; wild cards have no color.

    You must use `find`, `any` or `next`.

    >>> has_color(RED, (Crd(Num(2), YELLOW), Crd(Num(5), GREEN), Crd(Num(8), YELLOW), Crd(Reverse(), YELLOW),
    ...     Wild(), Crd(Skip(), RED), Crd(DrawTwo(), GREEN)))
    True
    >>> has_color(RED, (Wild(), WildDrawFour(), Crd(Num(2), BLUE)))
    False
    """

    def is_of_color(card: Card) -> bool:
        match card:
            case Crd(_, other):
                return is_same_color(color, other)
            case _:
                return False

    return find(is_of_color, cards) is not None


# %% [markdown]
# A comprehension can collect a value from each player. For example, `tuple(player.name for player in desk.players)`
# contains all the names.


# %%
def count_cards(desk: Desk) -> tuple[int, ...]:
    """Return how many cards each player holds, in the order of the desk's players.

    >>> sergey, pavel = ten_players(false_strategy)[:2]
    >>> count_cards(Desk((sergey, pavel.with_cards((Wild(), Wild()))), (), (), Proceed(), CLOCKWISE, ()))
    (0, 2)
    """
    return tuple(len(player.cards) for player in desk.players)


# %% active="ipynb"
# predict(
#     """
#     def first_card(*cards):
#         print("asked")
#         return cards[0]
#
#     strategy = first_card
#     strategy is first_card, strategy(*("ace", "king"))
#     """,
#     "asked\n(True, 'ace')",
#     "(True, 'ace')",
#     "asked\nasked\n(True, 'ace')",
#     why=(
#         "The name of a function does not call it: only the parentheses do, and `strategy` has one pair of "
#         "them. The star spreads the tuple out into two arguments."
#     ),
# )

# %% [markdown]
# ## Strategies
#
# A strategy is a function of seven arguments that returns a move. A move is `Simple(card)` with an ordinary card,
# `Order(card, color)` with a wild card and the chosen color, or `Pass()`. A strategy never returns `Simple` with a wild
# card or `Order` with an ordinary card, so you do not have to check that. The seven arguments are stored together in a
# named tuple, `Args(state, hand, playable, top, direction, memory, counts)`, and `strategy(*args)` passes the parts of
# the tuple `args` as seven arguments. The following strategy always plays the first playable card:
#
# ```python
# def first_playable(state, hand, playable, top, direction, memory, counts):
#     match playable[0]:
#         case Crd() as ordinary:
#             return Simple(ordinary)
#         case wild:
#             return Order(wild, BLUE)
# ```

# %% [markdown]
# Your strategy, `naive`, is a little better than `first_playable`: it always plays the greatest playable card. (So
# `naive` plays its *wild draw fours* first, although the rules advise against that, as you will see in the next
# exercise.)


# %%
def naive(
    state: State,
    hand: Cards,
    playable: Cards,
    top: Card,
    direction: Direction,
    memory: Moves,
    counts: tuple[int, ...],
) -> Move:
    """Return the move that plays the greatest of the `playable` cards; the other arguments do not matter.

    There is at least one playable card. For an ordinary card, the move is a `Simple`. For a wild card, the move is an
    `Order` with a random color: shuffle `COLORS` once with `shuffle_list` and take the first color. For an ordinary
    card, do not shuffle. You must use `card_sort` and `shuffle_list`.

    >>> playable = (Crd(Skip(), YELLOW), Crd(Num(9), GREEN), Crd(Num(8), GREEN))
    >>> naive(Proceed(), (Wild(), *playable), playable, Crd(Num(9), RED), CLOCKWISE, (), (4, 7))
    Simple(Crd(Num(9), GREEN))
    >>> wilds = (WildDrawFour(), Wild())
    >>> orders = tuple(naive(Give(BLUE), wilds, wilds, Wild(), CLOCKWISE, (), (1, 7)) for _ in range(99))
    >>> {order.card for order in orders}, {order.color for order in orders} == set(COLORS)
    ({WildDrawFour()}, True)
    """
    match card_sort(playable)[0]:
        case Crd() as card:
            return Simple(card)
        case card:
            return Order(card, shuffle_list(COLORS)[0])


# %% [markdown]
# **The rules.** Some cards change what the next player can do:
#
# | card | the next player |
# |---|---|
# | *skip* | lays another *skip*, without drawing a card for it, or misses the turn |
# | *draw two* | lays another *draw two*, or draws two cards and misses the turn (*draw twos* don't add up) |
# | *reverse* | is the one on the other side: the direction of play turns around |
# | *wild* | covers it with a card of the color that its player chose, or with a wild card (and chooses again) |
# | *wild draw four* | draws four cards and misses the turn; the player after that covers it as if it were a *wild* |
#
# The rules advise you not to play a *wild draw four* while you hold a card of the required color. If you play it
# although you hold such a card, *you* draw the four cards, and nobody misses a turn. In this case, the *wild draw four*
# counts as a plain *wild*.
#
# When a player (the *mover*) has laid a card, the card takes effect. Before the card takes effect, it is already on the
# pile, and the move is already in the memory. The table shows what is still to do for each move:
#
# | move | state | and then |
# |---|---|---|
# | number | `Proceed()` | pass the turn |
# | *skip* or *draw two* | `Execute()` | pass the turn |
# | *reverse* | `Proceed()` | turn the direction around, then pass the turn |
# | *wild* | `Give(color)` | pass the turn |
# | *wild draw four*, `had_color` | `Give(color)` | draw four **for the mover**, then pass the turn |
# | *wild draw four*, not `had_color` | `Give(color)` | pass, **then** draw four, add `Pass()` to the memory, pass |
#
# You write `move_action` in three steps. **Step 1: the state.** Complete the function `state_after` in the next cell,
# so that it returns the state in the second column of the table. After your change, the result of the cell should be
# `(Proceed(), Execute(), Execute(), Proceed(), Give(BLUE), Give(RED))`.

# %% active="ipynb"
# def state_after(move):
#     match move:
#         case Simple(Crd(Skip() | DrawTwo(), _)):
#             return Execute()
#         case _:
#             return Proceed()
#
# laid = tuple(Simple(Crd(rank, BLUE)) for rank in (Num(1), Skip(), DrawTwo(), Reverse()))
# tuple(map(state_after, (*laid, Order(Wild(), BLUE), Order(WildDrawFour(), RED))))

# %% [markdown]
# **Step 2: the order of two calls.** `draw_four` draws for the first player, and `next_player` makes another player the
# first. Both functions take a desk and return a desk. So read a row of the table as nested function calls, with the
# first step innermost. The next cell shows two nested calls: who draws in each of them? Guess before you run the cell.
# One of the two nested calls does all the steps in one row of the table. Which call is it, and which row? The other
# nested call does the first two steps of the last row. Which steps of the last row come after these two steps?

# %% active="ipynb"
# def hands(desk):
#     return tuple((player.name, len(player.cards)) for player in desk.players)
#
# start = dialogue_desk(first_playable).with_players(ten_players(false_strategy)[:3])
# hands(next_player(draw_four(start))), hands(draw_four(next_player(start)))

# %% [markdown]
# **Step 3: all six rows.** Here is the **recipe** from the warm-up, for a function of about 13 lines:
#
# - *Examples.* Choose one move for each row, and write down the players in their new order.
# - *Cases.* There is a case for each row. Two rows have equal patterns: the upper row needs a guard, `if had_color`.
# - *Needs.* Each case needs some of `with_state`, `with_direction`, `next_player`, `draw_four` and `add_memo`.
# - *Combine.* Set the state first, then put one call around another in the order of the row.
#
# The examples begin with the given `dialogue_desk(strategy)`, a desk in the middle of a game between ten players. The
# newest move in the memory of this desk is `Order(Wild(), RED)`.


# %%
def move_action(move: Move, desk: Desk, had_color: bool) -> Desk:
    """Return the desk after the effect of `move`; the card is already on the pile, and the move is in the memory.

    `had_color` is true if the mover held a card of the required color. The table above step 1 shows what each move
    does. Whenever you pass the turn with `next_player`, it prints whose turn it is. `move` is never `Pass()`. If no
    card is left to draw, raise IllegalGame, as `draw` does.

    >>> start = dialogue_desk(first_playable).with_players(ten_players(false_strategy)[:3])
    >>> def played(move, had_color):
    ...     desk, text = transcript(move_action, move, start, had_color)
    ...     return desk.state, tuple(len(player.cards) for player in desk.players), desk.memory[0], text
    >>> played(Order(WildDrawFour(), RED), True)
    (Give(RED), (0, 0, 4), Order(Wild(), RED), 'The turn of Pavel\\n')
    >>> played(Order(WildDrawFour(), RED), False)
    (Give(RED), (0, 0, 4), Pass(), 'The turn of Pavel\\nThe turn of Saveliy\\n')
    >>> played(Simple(Crd(Reverse(), BLUE)), False), played(Order(Wild(), BLUE), False)[0]
    ((Proceed(), (0, 0, 0), Order(Wild(), RED), 'The turn of Saveliy\\n'), Give(BLUE))
    >>> tuple(played(Simple(Crd(rank, BLUE)), True)[::3] for rank in (DrawTwo(), Skip(), Num(1)))
    ((Execute(), 'The turn of Pavel\\n'), (Execute(), 'The turn of Pavel\\n'), (Proceed(), 'The turn of Pavel\\n'))
    """
    match move:
        case Order(WildDrawFour(), color) if had_color:
            return next_player(draw_four(desk.with_state(Give(color))))
        case Order(WildDrawFour(), color):
            return next_player(draw_four(next_player(desk.with_state(Give(color)))).add_memo(Pass()))
        case Order(Wild(), color):
            return next_player(desk.with_state(Give(color)))
        case Simple(Crd(Reverse(), _)):
            return next_player(desk.with_state(Proceed()).with_direction(opposite_dir(desk.direction)))
        case Simple(Crd(Skip() | DrawTwo(), _)):
            return next_player(desk.with_state(Execute()))
        case _:
            return next_player(desk.with_state(Proceed()))


# %% [markdown]
# If `is_manual` is True, a person chooses the player's moves instead of the player's strategy. The given `manual` is a
# strategy, too, but it shows its arguments on the screen and reads the number of a card from the keyboard. To stop
# choosing, a person types a number that belongs to no card. Then `manual` returns `Pass()`, and the player's strategy
# chooses this move and all later moves. (Number 0 is the *greatest* playable card. After a wild card, you also type the
# number of a color.) Because values don't change, the later turns need a *new player* who is not manual, and the caller
# must get this player. So `ask_player_for_card` returns a pair of the player and the move.


# %%
def ask_player_for_card(player: Player, args: Args) -> tuple[Player, Move]:
    """Return the player and their move, which the player's strategy or `manual` returns for the arguments `args`.

    For a player who is not manual, call their strategy, once. For a manual player, call `manual`. If `manual` returns
    `Pass()`, automate the player, call their strategy, and return the automated player. In all other cases, return
    `player` unchanged.

    >>> sergey, pavel = ten_players(first_playable)[:2]
    >>> hand = (Crd(Num(1), RED), Crd(Num(5), RED))
    >>> args = Args(Proceed(), hand, hand, Crd(Num(9), RED), CLOCKWISE, (), (2, 7))
    >>> ask_player_for_card(pavel, args)
    (Player('Pavel', (), first_playable, False), Simple(Crd(Num(1), RED)))
    >>> transcript(ask_player_for_card, sergey, args, typed=("0",))[0]
    (Player('Sergey', (), first_playable, True), Simple(Crd(Num(5), RED)))
    >>> transcript(ask_player_for_card, sergey, args, typed=("-1",))[0]
    (Player('Sergey', (), first_playable, False), Simple(Crd(Num(1), RED)))
    """
    if not player.is_manual:
        return player, player.strategy(*args)
    match manual(*args):
        case Pass():
            return player.automate(), player.strategy(*args)
        case move:
            return player, move


# %% [markdown]
# ## Turns
#
# In the rest of this unit you write whole turns, and perhaps you notice a mistake only many turns later. Remember the
# **invariant**: at every moment, all 108 cards are in the hands, the deck and the pile. When something goes wrong, look
# for the first desk that is not sound: call `is_sound(desk)` before and after each step.
#
# In the next exercise, you write `play`, which makes a player's move. `play` is a long function, so write it in three
# steps. **Step 1: which card does the move have?** A `Simple` or an `Order` has a card, but a `Pass` has none. Two
# patterns with the same names can share a case, as in `case Simple(card) | Order(card, _):`. Use this case in
# `card_of`, so that the result of the cell is `(Crd(Num(5), RED), Wild(), None)`.

# %% active="ipynb"
# def card_of(move):
#     match move:
#         case Simple(card):
#             return card
#         case _:
#             return None
#
# tuple(map(card_of, (Simple(Crd(Num(5), RED)), Order(Wild(), BLUE), Pass())))

# %% [markdown]
# **Step 2: put a card down.** The card leaves the hand and goes to the top of the pile. The function `lay` in the next
# cell has a bug: the card goes to the pile, but it also stays in the hand. Fix this bug with `remove_card`, whose third
# argument is the exception for a card that is not in the hand. After your change, both results of the cell should be
# True.

# %% active="ipynb"
# def lay(card, desk):
#     mover, *others = desk.players
#     lighter = mover.with_cards(mover.cards)
#     return desk.with_players((lighter, *others)).with_pile((card, *desk.pile))
#
# desk = Desk(ten_players(first_playable)[:2], deck[:1], deck[1:], Proceed(), CLOCKWISE, ())
# holding_one = draw(desk)
# is_sound(holding_one), is_sound(lay(holding_one.players[0].cards[0], holding_one))

# %% [markdown]
# **Step 3: the whole move.** `play` takes about 12 lines. The table shows which functions you need for each step:
#
# | step | with |
# |---|---|
# | collect the arguments of the strategy | `Args`, `count_cards` |
# | let the player choose | `ask_player_for_card` (it returns a player: put *that* one on the desk, not the old one) |
# | if the move is `Pass()`, or its card is not among `cards`: refuse the move | `raise IllegalMove(name, args)` |
# | print the move, two lines | `print(f"{name} made move\n{to_string(move)}")` |
# | take the card out of the hand, put it on the pile | `remove_card`, `with_players`, `with_pile` |
# | add the move to the memory | `add_memo` |
# | let it take effect | `move_action`; `had_color`: did the hand have the required color before the move? |
#
# **Find the wrong answers first**: there are nineteen wrong answers. In the next cell, `table` makes a desk for two
# players, with a nine on the pile. The result of an example is the desk after the move, or `IllegalMove`.

# %% active="ipynb"
# from course.check import catch, example
#
#
# def table(hand, strategy=first_playable):
#     olga = Player("Olga", hand, strategy, False)
#     ivan = Player("Ivan", (Wild(),), always_pass, False)
#     return Desk((olga, ivan), (Crd(Num(9), RED),), (Wild(),) * 6, Proceed(), CLOCKWISE, ())
#
#
# hand = five, blue_five = Crd(Num(5), RED), Crd(Num(5), BLUE)
# # also good: Crd(Num(9), BLUE), Crd(DrawTwo(), RED), Wild(), WildDrawFour()
# start = table(hand)  # or `table(hand, last_in_hand)`, or `table(hand, always_pass)`
# olga, ivan = start.players
# after = start.with_players((ivan, olga.with_cards((blue_five,)))).with_pile((five, *start.pile))
# catch(
#     example("play", (start, (five,)), after.add_memo(Simple(five))),
#     example("play", (table((five, Wild())), (five, Wild())), ...),  # replace the dots by the desk, or IllegalMove
#     # add more examples, one on each line
# )


# %%
def play(desk: Desk, cards: Cards) -> Desk:
    """Return the desk after the first player has laid one of `cards`, the non-empty result of `cards_to_play`.

    The `Args` for the strategy are state, whole hand, `cards`, top of the pile, direction, memory, and the result of
    `count_cards`. The move is illegal if it is `Pass()`, or if its card is not among `cards`. For an illegal move,
    print nothing, and raise `IllegalMove(name, args)` with the player's name and these `Args`. For a legal move, print
    `X made move`, where X is the player's name, and on the next line the move as `to_string` returns it. Move one copy
    of the card from the hand to the top of the pile, and put the move into the memory. Then call `move_action`. For its
    `had_color`, look at the desk before the move: `had_color` is true if the hand held a card of the required color.
    Replace the old player on the desk by the player that `ask_player_for_card` has returned. You must use
    `ask_player_for_card` and `move_action`.

    >>> pavel, saveliy = ten_players(first_playable)[1:3]
    >>> hand = (Crd(Num(5), RED), Wild())
    >>> start = Desk((pavel.with_cards(hand), saveliy), (Crd(Num(9), RED),), (), Proceed(), CLOCKWISE, ())
    >>> desk, text = transcript(play, start, hand)
    >>> text
    'Pavel made move\\nSIMPLE (CRD (NUM 5, RED))\\nThe turn of Saveliy\\n'
    >>> desk.players[1].cards, desk.pile, desk.memory
    ((Wild(),), (Crd(Num(5), RED), Crd(Num(9), RED)), (Simple(Crd(Num(5), RED)),))
    >>> stubborn = Player("Olga", (Wild(),), always_pass, False)
    >>> play(Desk((stubborn, saveliy), (Crd(Num(9), RED),), (), Proceed(), CLOCKWISE, ()), (Wild(),))
    Traceback (most recent call last):
        ...
    IllegalMove: ('Olga', Args(state=Proceed(), hand=(Wild(),), playable=(Wild(),), \
top=Crd(Num(9), RED), direction=CLOCKWISE, memory=(), counts=(1, 0)))
    """
    player, *others = desk.players
    args = Args(desk.state, player.cards, cards, desk.pile[0], desk.direction, desk.memory, count_cards(desk))
    answered, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _) if card in cards:
            print(f"{player.name} made move\n{to_string(move)}")
            players = (answered.with_cards(remove_card(player.cards, card, illegal)), *others)
            laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
            return move_action(move, laid, has_color(required_color(desk), player.cards))
        case _:
            raise illegal


# %% [markdown]
# A player who cannot answer a *skip* or a *draw two* must obey this card. In `execution`, there are two cases, one for
# each of the two kinds of card. Some steps are the same in both cases, so do these steps first.


# %%
def execution(desk: Desk) -> Desk:
    """Return the desk after its first player has obeyed the skip or draw two on the pile.

    `desk` is in the state `Execute()`, and the top card of the pile is a skip or a draw two. Put `Pass()` into the
    memory. For a draw two, the player draws two cards. Then pass the turn with `next_player`, which prints whose turn
    it is. Set the state to `Proceed()`, before or after the other steps.

    >>> players = ten_players(false_strategy)[:2]
    >>> start = Desk(players, (Crd(DrawTwo(), RED),), (Wild(), Wild(), Wild()), Execute(), CLOCKWISE, ())
    >>> desk, text = transcript(execution, start)
    >>> tuple(len(player.cards) for player in desk.players), desk.state, desk.memory, text
    ((0, 2), Proceed(), (Pass(),), 'The turn of Pavel\\n')
    >>> desk, text = transcript(execution, start.with_pile((Crd(Skip(), RED),)))
    >>> tuple(len(player.cards) for player in desk.players), desk.state, desk.memory, text
    ((0, 0), Proceed(), (Pass(),), 'The turn of Pavel\\n')
    """
    passed = desk.add_memo(Pass()).with_state(Proceed())
    match desk.state, desk.pile[0]:
        case Execute(), Crd(Skip(), _):
            return next_player(passed)
        case Execute(), Crd(DrawTwo(), _):
            return next_player(draw_two(passed))
        case _:
            raise IllegalGame("there is nothing to obey")


# %% [markdown]
# The function `your_turn` makes one turn, for any desk. An empty tuple counts as false, and `:=` gives a name to a
# value inside a condition, as in `if (vowels := tuple(filter("aeiou".count, word))): ...`.
#
# | cards to play | state | the turn |
# |---|---|---|
# | some | any | `play` one of them |
# | none | `Execute()` | `execution` |
# | none | another | `draw` one card; if it can be laid, `play`; if not, add `Pass()` to the memory and pass the turn |


# %%
def your_turn(desk: Desk) -> Desk:
    """Return the desk after one whole turn.

    If the first player has cards to play, play one of these cards. If the player has no card to play and the state is
    `Execute()`, the player obeys the card on the pile. If the player has no card to play in any other state, the player
    draws one card, and plays it if possible. If the player cannot play the drawn card, put `Pass()` into the memory,
    and pass the turn with `next_player`; the state does not change.

    >>> pavel, saveliy = ten_players(first_playable)[1:3]
    >>> start = Desk((pavel, saveliy), (Crd(Num(9), RED),), (Crd(Num(5), RED), Wild()), Proceed(), CLOCKWISE, ())
    >>> transcript(your_turn, start)[1]
    'Pavel made move\\nSIMPLE (CRD (NUM 5, RED))\\nThe turn of Saveliy\\n'
    >>> desk, text = transcript(your_turn, start.with_deck((Crd(Num(5), BLUE), Wild())))
    >>> desk.players[1].cards, desk.memory, text
    ((Crd(Num(5), BLUE),), (Pass(),), 'The turn of Saveliy\\n')
    >>> desk, text = transcript(your_turn, start.with_pile((Crd(DrawTwo(), BLUE),)).with_state(Execute()))
    >>> set(desk.players[1].cards) == {Wild(), Crd(Num(5), RED)}, desk.state, desk.deck, desk.memory
    (True, Proceed(), (), (Pass(),))
    """
    if cards := cards_to_play(desk):
        return play(desk, cards)
    match desk.state:
        case Execute():
            return execution(desk)
        case Proceed() | Give():
            drawn = draw(desk)
            cards = cards_to_play(drawn)
            return play(drawn, cards) if cards else next_player(drawn.add_memo(Pass()))


# %% [markdown]
# The next cell plays eight turns with your functions. On `dialogue_desk(naive)`, Sergey must lay a red card on a
# *wild*, but has no red card. Sergey is a manual player, so `typed` contains the numbers for his moves: 0 (the *wild
# draw four*), 2 (green), and later 0 again. Your `naive` chooses the moves of the other players.

# %% active="ipynb"
# desk, text = transcript(compose(*[your_turn] * 8, whose_turn), dialogue_desk(naive), typed=("0", "2", "0"))
# print(text)

# %% [markdown]
# ## The game
#
# **The rules.** The first player without cards wins. Every other player loses as many points as the cards in their hand
# are worth. If the winner's last card is a *wild draw four*, the next player draws four cards before the losses are
# computed. (If the winner's last card is a *draw two*, nobody draws cards for it.)
#
# The last three functions are short, and with them the game is complete. The first of them, `player_loss`, returns the
# loss of one player as a pair of a name and a number.


# %%
def player_loss(player: Player) -> tuple[str, int]:
    """Return the player's name, and the value of all the cards in their hand.

    You must use `sum_cards`.

    >>> player_loss(Player("Olga", (Crd(Num(5), RED), Wild()), false_strategy, False))
    ('Olga', 55)
    """
    return player.name, sum_cards(player.cards)


# %% [markdown]
# If nobody has won yet, `check_winner` returns `None`. A function that can return `None` shows this in its annotation,
# such as `X | None`. Useful tools are `find`, which returns `None` if no item passes its test, and `map`, which calls a
# function for all players.


# %%
def check_winner(desk: Desk) -> tuple[str, tuple[tuple[str, int], ...]] | None:
    """Return the name of the first player without cards, and the losses of all players; None if all have cards.

    The losses are in the order of the players on the desk.

    >>> sergey, pavel = ten_players(false_strategy)[:2]
    >>> players = (sergey.with_cards((Crd(Num(0), RED),)), pavel, sergey.with_cards((Wild(),)), pavel)
    >>> desk = Desk(players, (Crd(Num(9), RED),), (), Proceed(), CLOCKWISE, ())
    >>> check_winner(desk)
    ('Pavel', (('Sergey', 0), ('Pavel', 0), ('Sergey', 50), ('Pavel', 0)))
    >>> check_winner(desk.with_players((sergey.with_cards((Wild(),)),))) is None
    True
    """
    winner = find(lambda player: not player.cards, desk.players)
    return None if winner is None else (winner.name, tuple(map(player_loss, desk.players)))


# %% [markdown]
# In `game`, deal the cards, prepare the desk with `desk_normalize`, and take turns until there is a winner. A game can
# last for a thousand turns, and Python cannot nest so many calls. So write the loop as a local `@tail_recursive`
# function, and pass the next desk to `recur`.


# %%
def game(players: Players) -> tuple[str, tuple[tuple[str, int], ...]]:
    """Return the result of a whole game, as `check_winner` returns it.

    Deal, normalize the desk, then take turns until some player has no cards. `players` are two to ten players in
    clockwise order, the dealer first. Even in a very long game, the stack must not overflow. The last move takes effect
    and is printed like any other move. If the last card is a wild draw four, the lines `The turn of X` that follow are
    printed, too.

    >>> winner, losses = transcript(game, ten_players(first_playable)[1:])[0]
    >>> dict(losses)[winner], len(losses)
    (0, 9)
    """

    @tail_recursive
    def turns(desk: Desk) -> tuple[str, tuple[tuple[str, int], ...]]:
        result = check_winner(desk)
        return recur(your_turn(desk)) if result is None else result

    return turns(desk_normalize(deal(players)))


# %% [markdown]
# ## The first evening
#
# At the table in the next cell, your `your_turn` computes every turn. With the slider you can go back to any moment and
# play on from there, because no desk was ever changed. The argument `bots` can be up to 9, and you can add your own
# strategies, as in `uno_table(naive, my_strategy, bots=5)`.

# %% active="ipynb"
# from course.tables import uno_table
#
# uno_table(bots=3)

# %% [markdown]
# You can also play the game as text, once your functions are right: run `game(ten_players(naive))` in a cell of your
# own. In this game, you type Sergey's moves. If you type -1, your `naive` chooses this move and all of Sergey's later
# moves. For a game with your own players, run for example `game((Player("Ada", (), naive, True), Player("Bo", (),
# naive, False)))`. If the last argument of `Player` is `True`, you choose the player's moves; if it is `False`, the
# strategy chooses them.
#
# **Which strategy is better?** You can compare strategies with your own `game`. The next cell lets two strategies play
# a hundred games, changes their seats from game to game, and counts the wins. How large can the difference between the
# numbers of wins be, just by luck? Then write your own strategy, and use it in the cell instead of `first_playable`.

# %% active="ipynb"
# from collections import Counter
#
# pair = (Player("naive", (), naive, False), Player("first", (), first_playable, False))
# played = (transcript(game, pair if n % 2 else pair[::-1], chance=n)[0] for n in range(100))
# Counter(winner for winner, losses in played)

# %% [markdown]
# ## Go further
#
# Build a variant in which *draw twos* add up. Players answer each *draw two* with another one, until a player has no
# *draw two*. This player draws two cards for each of these *draw twos*, and misses the turn.
#
# ```draw
# Pavel | Crd(DrawTwo(), RED) | → Saveliy | Crd(DrawTwo(), BLUE) | → Olga has none: draws four, and misses the turn
# ```
#
# In this variant, the state `Execute()` must contain the number of cards that the next player perhaps has to draw, as
# in `Execute(2)`. How many functions must change for this variant? Look for the functions that have a `case` for
# `Execute()`.
#
# <details><summary>Where it comes from</summary>
#
# This unit comes from the third laboratory work of a Russian course: thirty-two tasks in **Standard ML**, a language
# that infers all types by itself. In Standard ML, a function can be written as a list of cases, without a `match`:
#
# ```sml
# fun oppositeDir Clockwise = Counterclockwise
#   | oppositeDir Counterclockwise = Clockwise
# ```
#
# The ten players, from Sergey to Olga, come from the Russian course. The *wild* in `dialogue_desk`, on which Sergey
# must lay a red card, also comes from this course.
#
# An answer that breaks one of these style rules of the Russian course loses points in this unit, too:
#
# - Every recursive call is a tail call, and helper functions are local.
# - `==` compares only numbers and strings.
# - Nothing is computed twice. (In this unit, the rule applies only to calls of your own functions.)
# - An answer uses the functions that its task names.
#   In this unit, a comprehension may replace `List.filter`, and `any` or `next` may replace `List.find`.
#
# If an answer breaks one of the following rules, it only gets a remark in this unit, or no remark at all:
#
# - In that course, a compiler warning costs half of all points. The nearest thing here, an unused name, gets a remark.
# - Too many branches, or `if` where a pattern is enough, get a remark.
# - A function that only calls another one, and a long answer, get a remark.
# - In that course, you must not write types, and you may use only the listed functions.
#   In this unit, you may write types and use other functions.
#
# </details>
