# %% [markdown]
# # Uno
#
# At the end of this notebook ten players will sit around your table: nine machines, and you if you like. You write the
# engine in small functions, each a few lines long. A game is a *value* here, the **desk**: who sits where with
# which cards, what lies on the table, whose turn it is. A turn is a function that takes a desk and gives the next one.
# Nothing is ever changed; a new desk is made from the old. The whole game is that one step, taken again and again until
# somebody has no cards left.
#
# **The game in short.** Two to ten players hold cards. In turn each lays one on the pile: it must have the color of the
# pile's top card, or its rank (the same number or the same action), or be a *wild* card. Who has none draws one. Action
# cards skip the next player, make them draw, or turn the direction of play around; whoever lays a *wild* card orders
# the next color. Who gets rid of the last card wins, and everybody else loses what their cards are worth.
#
# The rules come in full, as **The rules**, where they are needed: with the cards, the table, the legal moves, the
# effects of a move, and the end.

# %%
from course.uno import *

# %% [markdown]
# **Before you begin: three questions.** Answer each aloud, or on paper, before you unfold it.
#
# <details><summary>In dominoes, why do all functions of a turn <em>give</em> stock, chain and hand?</summary>
#
# Because none of them can be changed: they are **immutable**. What comes after a turn are new values, and whoever
# wants them must be given them.
#
# </details>
#
# <details><summary><code>at_least(5)</code> gave a test that waits for a second argument. What is such a function
# called, and what is it good for?</summary>
#
# *Curried*: give it the first argument now, and hand over what is left, to `filter` for one. To do that is *partial
# application*.
#
# </details>
#
# <details><summary>What does <code>fold_right(step, start, (a, b))</code> compute?</summary>
#
# `step(a, step(b, start))`: the item first, then the result for all that lies to the right of it.
#
# </details>

# %% [markdown]
# **See a whole game first**, for three, as finished functions play it. *Next* and *Back*, the
# slider and its arrow keys go through it.

# %% active="ipynb"
# from course.tables import whole_game
#
# whole_game("uno")

# %% [markdown]
# **The way there.** All that you are going to write, and who calls whom: `game`, on the right, stands on nearly all the
# others. A name leads to its exercise; what is right turns green.

# %% active="ipynb"
# from course.check import call_map
#
# call_map("uno")

# %% [markdown]
# **How the engine is written.** These are habits, and they help:
#
# - Values never change: `player.with_cards(cards)` gives a *new* player, and so do all the `with_...` of a desk.
# - Prefer `match` to a chain of `if`s, few cases to many, a name for a value to computing it twice.
# - A bare name in a pattern catches anything: write `case Direction.CLOCKWISE`, not `case CLOCKWISE`.
#   Classes are safe: `case Crd(Num(n), color)`, `case Wild()`.
# - A starred name, `case (first, *rest)`, catches a *list*: write `tuple(rest)` wherever it goes into a desk or an
#   answer. Answers are compared strictly, and a list is no tuple.

# %% [markdown]
# ## Cards
#
# **The rules.** The deck has 108 cards. An ordinary card has a rank and one of four colors, here in ascending order:
# yellow, blue, green, red.
#
# | cards | how many | worth |
# |---|---|---|
# | numbers | in each color one 0, and two each of 1 to 9: 76 in all | their number |
# | *skip*, *draw two*, *reverse* (the action cards) | in each color two of each: 24 in all | 20 |
# | *wild* and *wild draw four* (they have no color) | four of each: 8 in all | 50 |
#
# ```draw
# Crd(Num(7), RED), Crd(Skip(), BLUE), Crd(DrawTwo(), GREEN), Crd(Reverse(), YELLOW), Wild(), WildDrawFour()
# From the left: `Num(7)`, `Skip()`, `DrawTwo()`, `Reverse()`, `Wild()`, `WildDrawFour()`
# ```
#
# A card is `Crd(rank, color)`, `Wild()` or `WildDrawFour()`: one of three kinds, and so `Crd | Wild | WildDrawFour` is
# called a **sum type**. A rank is another, of four kinds: `Num(0)` ... `Num(9)`, `Reverse()`, `Skip()` or `DrawTwo()`.
# Whoever takes a value of a sum type apart, with `match`, needs an answer for each kind. `COLORS` and `RANKS` list the
# colors and ranks in ascending order, and that is the only place where the order is written down. So the first thing to
# ask is: which of two values stands first in a list?

# %% [markdown]
# A **curried** function takes its arguments one at a time, and may be stopped on the way. With `volume = curry(lambda
# a, b, c: a * b * c)` both `volume(2, 3, 4)` and `volume(2)(3)(4)` are 24, and `volume(2)(3)` is a new function that
# waits for the third side. The given `@curry` does this for any `def`.
#
# Functions are values: the first parameter here *is* a function, the one that says when two things count as equal. So
# `precedes` is **higher-order**.
# `find(test, items)` gives the first item that passes a test, or `None`.


# %%
@curry
def precedes(equal: Callable[[A, A], bool], items: tuple[A, ...], first: A, second: A) -> bool:
    """Tell whether `first` stands in `items` no later than `second`, where `equal` tells which values are the same.

    `equal` is symmetric: it says the same of `a` and `b` as of `b` and `a`. No two of `items` are equal. A value that
    stands in `items` comes before one that does not; if neither does, the answer is False.
    Curried: `precedes(equal)(items)(first)(second)` works too.

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
# With `volume` from above, `base_of_six = volume(2)(3)` needs no `def`: the function with two arguments already given
# *is* the answer. Here you need the same trick, **partial application**, once for colors and once for ranks: the
# function takes the place of `TODO`. `is_same_color(one, other)` compares two colors, `is_same_rank` two ranks,
# `is_same_card` two cards. (`lt` stands for "less than"; here and below it takes in "equal".)

# %%
color_is_lt: Callable[[Color, Color], bool] = precedes(is_same_color, COLORS)
"""Tell whether the first of two colors is not greater than the second, in the order of `COLORS`.

Must use `precedes`. Curried: `color_is_lt(BLUE)(GREEN)` works too.

>>> color_is_lt(YELLOW, BLUE)
True
>>> color_is_lt(RED)(GREEN)
False
>>> color_is_lt(RED, RED)
True
"""

# %% [markdown]
# The same once more, for ranks: `RANKS` goes from `Num(0)` to `Num(9)`, then come *reverse*, *skip* and *draw two*.

# %%
rank_is_lt: Callable[[Rank, Rank], bool] = precedes(is_same_rank, RANKS)
"""Tell whether the first of two ranks is not greater than the second, in the order of `RANKS`.

Must use `precedes`. Curried: `rank_is_lt(Num(3))(Skip())` works too.

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
#         "`case Crd():` fits every ordinary card, and the first case that fits wins: the second is never "
#         "reached. What is special stands above what is general."
#     ),
# )

# %% [markdown]
# To compare two things of many kinds, match on **both at once**: `match a, b:` with cases like `case _, Wild():`. The
# cases are tried from the top, so each may rely on those above it having failed. Mind the equal cards: "not greater"
# includes them.
#
# **Catch the impostors first**: read below what `is_lt` gives, and write pairs of cards until all seven wrong answers
# are caught. Two ordinary cards, two wild ones, one of each: what else can make a difference?

# %% active="ipynb"
# from course.check import catch, example
#
# catch(
#     example("is_lt", (Crd(Num(3), RED), Wild()), ...),  # in place of the dots: True or False?
#     # more examples of your own, a line each
# )


# %%
def is_lt(first: Card, second: Card) -> bool:
    """Tell whether the card `first` is not greater than the card `second`.

    Any wild card is greater than any ordinary one, and a wild draw four is greater than a wild. Of two ordinary cards
    the color decides, and within one color the rank. For equal cards the answer is True.

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
# Pick some cards: each finds its place in the line by asking your `is_lt`.

# %% active="ipynb"
# from course.tables import try_order
#
# try_order()

# %% [markdown]
# `merge_sort(greater, items)` sorts by any comparison you give it: it puts `a` after `b` when `greater(a, b)` is
# true (of two equal ones either may come first). So `merge_sort(lambda a, b: a > b)` sorts numbers upwards. It is
# curried, so this unit's shortest answers are near. Which comparison sorts *downwards*? You have just written it.

# %%
card_sort: Callable[[Cards], Cards] = merge_sort(is_lt)
"""Give the cards sorted from the greatest to the smallest.

Must use `merge_sort` and `is_lt`.

>>> card_sort((Crd(Num(2), YELLOW), Crd(Num(5), GREEN), Crd(Num(8), YELLOW), Crd(Reverse(), YELLOW),
...     Wild(), Crd(Skip(), RED), Crd(DrawTwo(), GREEN)))
(Wild(), Crd(Skip(), RED), Crd(DrawTwo(), GREEN), Crd(Num(5), GREEN), Crd(Reverse(), YELLOW), \
Crd(Num(8), YELLOW), Crd(Num(2), YELLOW))
"""

# %% [markdown]
# Patterns reach as deep as you like: `case Crd(Skip(), color)` looks into the card and names its color. Put the
# special case first, then `case Crd():` is *all other* ordinary cards. Three cases are enough here.


# %%
def card_value(card: Card) -> int:
    """Give what a card is worth: a number card its number, an action card 20, a wild card of either kind 50.

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
# A **fold** walks through a list with a result in its hand: `fold_left(step, start, items)` calls `step(result,
# item)` for one item after the other. Counting the capital letters of a word is `fold_left(lambda n, letter: n +
# letter.isupper(), 0, word)`. What is the result here before any card is seen?


# %%
def sum_cards(cards: Cards) -> int:
    """Give what the cards are worth together; no cards are worth 0.

    Must use `card_value`.

    >>> sum_cards((Crd(Num(2), YELLOW), Crd(Num(5), GREEN), Crd(Num(8), YELLOW), Crd(Reverse(), YELLOW),
    ...     Wild(), Wild(), Crd(Skip(), RED), Crd(DrawTwo(), GREEN)))
    175
    """
    return fold_left(lambda total, card: total + card_value(card), 0, cards)


# %% [markdown]
# Members of an enumeration are matched with a dot: `case Color.RED:`. Without the dot, `case RED:` would *catch*
# whatever comes, and call it RED.


# %%
def opposite_dir(direction: Direction) -> Direction:
    """Give the other direction of play.

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
#         "From the left 1 goes in first, and everything later is put in front of it. From the right 3 goes "
#         "in first. What an accumulator collects at its front is backwards."
#     ),
# )

# %% [markdown]
# This one can be a fold, too; but try a walk. Tail recursion carries what it has done so far in an argument. Here is a
# walk that stops at the first zero and gives what stood before it; what it has seen piles up *backwards*, so at the end
# `rev_append(seen, rest)` turns it around and puts it in front:
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
# An exception is a value too, and can be handed in: `raise error` throws whatever `error` is.


# %%
def remove_card(cards: Cards, card: Card, error: Exception) -> Cards:
    """Give `cards` without the first occurrence of `card`, the others in their order; raises `error` if there is none.

    Must use `is_same_card`.

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
    def look(seen: Cards, rest: Cards) -> Cards:
        match rest:
            case (head, *others) if is_same_card(head, card):
                return rev_append(seen, tuple(others))
            case (head, *others):
                return recur((head, *seen), tuple(others))
            case _:
                raise error

    return look((), cards)


# %% [markdown]
# Again a function on the kinds of card; the numbers stand in the table of the rules.


# %%
def card_count(card: Card) -> int:
    """Give how many copies of `card` there are in the deck.

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
# `deck` is not a function but a value, computed once. Think in two steps. First make each of the 54 different cards
# once: pairs of everything with everything are a comprehension with two `for`s, `tuple((row, seat) for row in "ABC"
# for seat in range(1, 5))`. Then make copies: fold over the 54 cards, and let `add_n_copies(item, items, n)` put the
# right number of each in front of the result.

# %%
deck: Cards = fold_right(
    lambda card, cards: add_n_copies(card, cards, card_count(card)),
    (),
    (*WILDS, *(Crd(rank, color) for color in COLORS for rank in RANKS)),
)
"""All 108 cards of the game, each as often as `card_count` says, in any order.

>>> len(deck), type(deck) is tuple
(108, True)
>>> deck.count(Wild()), deck.count(Crd(Num(0), RED)), deck.count(Crd(Skip(), BLUE))
(4, 1, 2)
"""

# %% [markdown]
# ## The table
#
# **The rules.** Two to ten play. The dealer gives everyone, starting with himself, seven cards. The rest lie face down:
# the **deck**. Its top card is turned over beside it and begins the **pile**.
#
# - A wild card there goes back into the deck, the deck is shuffled, and its new top card is turned over; and so on,
#   until the pile begins with an ordinary card.
# - If it is a *reverse*, play goes counterclockwise and the dealer moves first.
# - With any other card play goes clockwise and the player after the dealer is first: to make a move, or, if the card is
#   a *skip* or a *draw two*, to answer it or obey it.
#
# A `Player(name, cards, strategy, is_manual)` can be given other cards, `player.with_cards(cards)`, or be set to play
# by its strategy, `player.automate()`. A `Desk(players, pile, deck, state, direction, memory)` lists
#
# - the players clockwise, the one **whose turn it is first**: passing the turn means turning the list;
# - the pile and the deck, the top card first;
# - the state of the turn: `Proceed()`, `Execute()` (the *skip* or *draw two* on the pile waits for its victim) or
#   `Give(color)` (a wild card lies on the pile, and that color is ordered);
# - the direction, `CLOCKWISE` or `COUNTERCLOCKWISE`, and the ten latest moves, the newest first.
#
# Every field has its `desk.with_pile(...)`, `desk.with_state(...)` and so on, and these can be chained.
# `desk.add_memo(move)` puts a move at the front of the memory, and keeps the ten latest. In the examples
# `ten_players(strategy)` gives ten players without cards, of whom only the first moves by hand; `false_strategy` stands
# where no strategy is asked.

# %% [markdown]
# Dealing is a loop over the players with three things in its hands: who still waits, who is served, and what is left of
# the cards. `pass_cards(source, target, n)` moves `n` items from the front of one list to the front of another and
# gives both: `pass_cards((1, 2, 3, 4), (), 3)` is `((4,), (3, 2, 1))`. Call no variable of this function `deck`: that
# is the name of your 108 cards, which you shuffle here.


# %%
def deal(players: Players) -> Desk:
    """Give the desk right after the deal; prints an empty line and `Player X deals.`, X being the first of `players`.

    `players`, two to ten, sit clockwise, the dealer first, and keep that order. Shuffle the whole `deck` once, with
    `shuffle_list`. The dealer gets the first seven cards, the next player the following seven, and so on (in place of
    any cards they had; the order within a hand is free). The card after that is the pile, the rest in its order the
    deck. The state is `Proceed()`, the direction CLOCKWISE, the memory empty. The pile may well begin with a wild card:
    that is `desk_normalize`'s business. Must use `pass_cards`.

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
# Watch your function deal.

# %% active="ipynb"
# from course.tables import watch_deal
#
# watch_deal(4)

# %% [markdown]
# Data come first: before anybody moves a card, say which desks can be at all. A desk with a card too many is a value
# like any other, and no function complains of it. So write down once what must be true of every desk, now and after
# each turn: that is an **invariant**, and as a function it finds mistakes that nobody has thought of.
#
# With beads instead of cards, `all(beads.count(bead) == 2 for bead in ("red", "blue"))` asks for two of each of two
# colors. Would that notice a green one?


# %%
def is_sound(desk: Desk) -> bool:
    """Tell whether the hands, the pile and the deck together are the cards of the game, in whatever order.

    That is, each of the cards is there as often as in your `deck`, not more and not less often, and there are no other
    cards. All else that the desk holds (state, direction, memory, names) does not matter here.

    >>> desk = Desk(ten_players(first_playable)[:2], deck[:1], deck[1:], Proceed(), CLOCKWISE, ())
    >>> is_sound(desk), is_sound(desk.with_pile(()))
    (True, False)
    >>> is_sound(desk.with_pile((Wild(),) * 5)), is_sound(desk.with_pile((Crd(Num(5), RED), *deck[:1])))
    (False, False)
    """
    cards = (*desk.pile, *desk.deck, *(card for player in desk.players for card in player.cards))
    return len(cards) == len(deck) and all(cards.count(card) == card_count(card) for card in deck)


# %% [markdown]
# Here is a draw that goes wrong: if the deck is empty, it takes the cards below the top of the pile. After how many
# draws is the desk no longer sound, and which line has to be mended? Ask your function before you read on in the code.

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
#         "`start` is what it was, and always will be: each `with_...` gives a new desk. Whoever goes on "
#         "with the old name plays on with the old desk, and no error tells."
#     ),
# )

# %% [markdown]
# Whose turn it is is told by the place alone, so to pass the turn is to turn the list around, as one would a round
# table. Draw it on paper first, with three players, in both directions: who changes places? `whose_turn(desk)` prints
# whose turn it is and gives the same desk back, so it can be wrapped around any desk on its way out.


# %%
def next_player(desk: Desk) -> Desk:
    """Give the desk with the turn passed on: clockwise the first player goes to the end of the list, counterclockwise
    the last comes to the front; prints `The turn of X` with `whose_turn`, X being the player whose turn it is now.

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
# The first card on the pile decides how the game begins. Every row is one case:
#
# | on the pile | what happens | whose turn |
# |---|---|---|
# | a wild card | shuffle it with the deck, turn over the new top card, look again | |
# | *reverse* | the direction turns around | the dealer's: print it with `whose_turn` |
# | *skip* or *draw two* | the state becomes `Execute()` | the next player's |
# | a number | nothing | the next player's |
#
# "Look again" is a call of the function itself. Luck alone could make that happen often, so let it be a tail call.
# (There always is an ordinary card somewhere.)


# %%
@tail_recursive
def desk_normalize(desk: Desk) -> Desk:
    """Give the desk, as `deal` left it, ready for the first turn.

    While the one card of the pile is a wild card, pile and deck are shuffled together (one `shuffle_list` of all these
    cards each time); the first of them is the new pile, the others the deck. Then: a reverse turns the direction
    around and leaves the dealer to begin, printed with `whose_turn`; any other card passes the turn with `next_player`,
    and a skip or draw two also sets the state to `Execute()`. Must use `next_player` and `shuffle_list`.

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
# Drawing is easy while there is a deck. When there is none, make one from the pile, and the problem is the easy one:
# call the function again, by its name, since once is enough. (Is there an end to that? Only if the new deck is not
# empty.)


# %%
def draw(desk: Desk) -> Desk:
    """Give the desk after the first player has drawn the top card of the deck; the order of a hand is free.

    If the deck is empty, all cards of the pile but the top one are shuffled first (one `shuffle_list`) and become the
    deck; a deck that this very draw empties stays empty. IllegalGame if there is nothing to draw even so.
    Must use `shuffle_list`.

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
#     why="The function at the right is asked first, as in double(add_one(5)): 6, and then 12.",
# )

# %% [markdown]
# `compose(f, g)` is the function that does `g` first and then `f` with its result: `compose(len, str)(1000)` is 4. A
# function that takes a desk and gives a desk can be composed with itself.

# %%
draw_two: Callable[[Desk], Desk] = compose(draw, draw)
"""Give the desk after the first player has drawn two cards, one after the other, as `draw` does.

Must use `draw` and `compose`.

>>> start = Desk(ten_players(false_strategy)[:2], (Wild(),), (Crd(Num(1), RED),) * 5, Proceed(), CLOCKWISE, ())
>>> tuple(len(player.cards) for player in draw_two(start).players), len(draw_two(start).deck)
((2, 0), 3)
>>> draw_two(start.with_deck((Wild(),)))
Traceback (most recent call last):
    ...
IllegalGame
"""

# %% [markdown]
# And what has been composed can be composed again.

# %%
draw_four: Callable[[Desk], Desk] = compose(draw_two, draw_two)
"""Give the desk after the first player has drawn four cards, one after the other, as `draw` does.

Must use `draw_two` and `compose`.

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
# **The rules.** You lay one card on the pile. It must have the color of the pile's top card, or its rank (the same
# number or the same action), or be a wild card. If you hold such a card, you must lay one: no passing, no drawing. If
# you hold none, you draw one card from the deck; if it fits, you lay it, and if not, you miss the turn. When the deck
# is used up, the pile except for its top card is shuffled and becomes the deck. (Should there be no card left to draw
# even so, the game breaks off with `IllegalGame`.)
#
# Tables differ. At this one a *skip* or *draw two* may be answered by its like, nobody draws who could lay a card, no
# *wild draw four* is challenged, nobody has to call "Uno!", and between two players a *reverse* is no extra turn.
#
# Three states, three questions. They are asked of every card in a hand while the state stays the same, so the state
# comes first and the card second: `playable_when_wild(RED)` is then a test that `filter` can use.

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
#         "Two of three arguments are given, so what is left is a function that waits for the third: a "
#         "test, and `filter` asks it of every number."
#     ),
# )

# %% [markdown]
# First: a wild card lies on the pile and a color is ordered.


# %%
@curry
def playable_when_wild(color: Color, card: Card) -> bool:
    """Tell whether `card` may be laid on a wild card when `color` is ordered: that color, or any wild card.

    Must use `is_same_color`. Curried: `playable_when_wild(color)(card)` works too.

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
# Second: a *skip* or a *draw two* waits to be obeyed. Only its like helps, whatever the color; a wild card does not.


# %%
@curry
def playable_when_exec(rank: Penalty, card: Card) -> bool:
    """Tell whether `card` answers the action card of this `rank` on the pile in the state `Execute()`: only the same
    rank does, in any color.

    Must use `is_same_rank`. Curried: `playable_when_exec(rank)(card)` works too.

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
# Third, the everyday case: an ordinary card lies on the pile. The first argument is *one* value, a pair; take it
# apart with `rank, color = face`.


# %%
@curry
def playable_when_proc(face: tuple[Rank, Color], card: Card) -> bool:
    """Tell whether `card` may be laid on the ordinary card with this `face`, a pair of rank and color, in the state
    `Proceed()`: the same rank, the same color, or any wild card.

    Must use `is_same_color` and `is_same_rank`. Curried: `playable_when_proc(face)(card)` works too.

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
# Now put them together. State and top card are matched at once; each case *chooses a test* (one of your three
# functions with its first argument given), and one line at the end filters the hand with it:
# `tuple(filter(str.isupper, "aBCd"))` is `('B', 'C')`.


# %%
def cards_to_play(desk: Desk) -> Cards:
    """Give the cards of the first player that may be laid on the pile in the desk's state, in the order of the hand.

    A wild card on the pile goes with the state `Give(color)`, an ordinary one with `Proceed()` or `Execute()`:
    IllegalGame if `Give` meets an ordinary card, or another state a wild one. `Execute()` never meets a number or a
    reverse. Must use `playable_when_wild`, `playable_when_exec` and `playable_when_proc`.

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
# Two cases, and two places to look for the answer: the state, or the card.


# %%
def required_color(desk: Desk) -> Color:
    """Give the color that the desk asks for: the ordered one if a wild card is on top of the pile, else the top card's,
    in the state `Execute()` too.

    IllegalGame if the state `Give` meets an ordinary card, or another state a wild one.

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
#         "`find` gives the first item that passes. The last one found a 0, which is an answer, but counts "
#         "as false: so ask `is not None`."
#     ),
# )

# %% [markdown]
# `find` answers "which one?", and with it "is there one?": something was found exactly if the answer `is not None`.
# What you look *for* is a local function. (Beware of `playable_when_wild`: a wild card may be laid on any color, but
# has none.)


# %%
def has_color(color: Color, cards: Cards) -> bool:
    """Tell whether there is a card of this color among `cards`; wild cards have no color.

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
# A comprehension walks the table: `tuple(player.name for player in desk.players)` are the names.


# %%
def count_cards(desk: Desk) -> tuple[int, ...]:
    """Give how many cards each player holds, in the order of the desk's players.

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
#         "A name for a function is no call of it: only the brackets call, and there is one pair of these "
#         "behind `strategy`. The star spreads the tuple out into two arguments."
#     ),
# )

# %% [markdown]
# ## Strategies
#
# A strategy is a function of seven arguments that gives a move: `Simple(card)` with an ordinary card, `Order(card,
# color)` with a wild one, or `Pass()`; never `Simple` with a wild card or `Order` with an ordinary one, so that nobody
# need check it. The seven travel together as a named tuple, `Args(state, hand, playable, top,
# direction, memory, counts)`, and `strategy(*args)` spreads them out again. A strategy that knows nothing but to play
# its first card that fits:
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
# Yours shall be a little less dull: naive, but always with the strongest card. (So it plays its *wild draw fours*
# first, which the rules, in the next exercise, advise against.)


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
    """Give the move with the greatest of the `playable` cards, of which there is one at least, whatever the others say.

    With an ordinary card it is a `Simple` move. With a wild card it is an `Order` of a random color: shuffle `COLORS`
    (one `shuffle_list`, and none for an ordinary card) and take the first. Must use `card_sort` and `shuffle_list`.

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
# **The rules.** Some cards change what comes next:
#
# | card | the next player |
# |---|---|
# | *skip* | lays a *skip* too, without drawing for it, or misses the turn |
# | *draw two* | the same with a *draw two*, and draws two cards before missing the turn (they don't add up) |
# | *reverse* | is the one on the other side: the direction of play turns around |
# | *wild* | covers it with the color that its player ordered, or with a wild card (ordering again) |
# | *wild draw four* | draws four cards and misses the turn; the player after that covers it as if it were a *wild* |
#
# You are advised not to play a *wild draw four* while you hold a card of the required color. You may; but then it is
# *you* who draws four cards, and nobody misses a turn: the card counts as a plain *wild*.
#
# A card has been laid; what does it do? The card itself is on the pile already, and the move in the memory. What is
# left:
#
# | move | state | and then |
# |---|---|---|
# | number | `Proceed()` | pass the turn |
# | *skip* or *draw two* | `Execute()` | pass the turn |
# | *reverse* | `Proceed()` | turn the direction around, then pass the turn |
# | *wild* | `Give(color)` | pass the turn |
# | *wild draw four*, `had_color` | `Give(color)` | draw four **for the mover**, then pass the turn |
# | *wild draw four*, not `had_color` | `Give(color)` | pass the turn, draw four **there**, remember `Pass()`, pass on |
#
# A desk goes in, a desk comes out, at every step: read a row of the table as functions put one around another, the
# first step innermost.
#
# The examples begin with the given `dialogue_desk(strategy)`, a table for ten in the middle of a game; the newest move
# in its memory is `Order(Wild(), RED)`.


# %%
def move_action(move: Move, desk: Desk, had_color: bool) -> Desk:
    """Give the desk after the effect of `move`, whose card is on the pile and which is in the memory already.

    `had_color` tells whether the mover held a card of the required color. The table above says what each move does;
    every time that the turn passes, `next_player` prints it. `move` is never `Pass()`. Where no card is
    left to draw, IllegalGame comes of it, as with `draw`.

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
# A person may be asked instead of the strategy. The given `manual` is a strategy like any other, only that it shows
# everything on the screen and waits for a number to be typed. A person who has had enough types any other number:
# then `manual` gives `Pass()`, and from now on the machine plays. (Number 0 is the *greatest* playable card, and a wild
# one asks for the number of its color next.) Because values don't change, "from now on" needs a
# *new player*, and somebody has to be told: the answer is a pair.


# %%
def ask_player_for_card(player: Player, args: Args) -> tuple[Player, Move]:
    """Give the player and the move that the player chooses, told `args`.

    A player who is not manual is asked by calling their strategy, once. A manual player is asked by calling `manual`;
    if the answer is `Pass()`, the player is automated and their strategy asked. The player in the result is the
    automated one in that case, otherwise `player` as it was.

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
# From here on whole turns are taken, and a mistake may show only much later. Remember the **invariant**: all 108 cards
# are in the hands, the deck and the pile, at every moment. When something goes wrong, look for the first desk that is
# not sound: `is_sound(desk)` before a step, and after it.
#
# Now a player moves. This is the longest function of the notebook, but every step has its helper already:
#
# | step | with |
# |---|---|
# | gather what the strategy is told | `Args`, `count_cards` |
# | ask | `ask_player_for_card` (it gives a player back: *that* player stays on the desk) |
# | no such card among `cards`, or `Pass()`: refuse | `raise IllegalMove(name, args)` |
# | print the move, two lines | `print(f"{name} made move\n{to_string(move)}")` |
# | take the card out of the hand, put it on the pile | `remove_card`, `with_players`, `with_pile` |
# | remember the move | `add_memo` |
# | let it take effect | `move_action`, told if the hand before the move had the color that was required before it |
#
# Two patterns with the same names can share a case: `case Simple(card) | Order(card, _):`.
#
# **Catch the impostors first**: twenty of them. `table` makes a desk for two, with a nine on the pile; what should come
# is the desk after the move, or `IllegalMove`.

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
#     example("play", (table((five, Wild())), (five, Wild())), ...),  # in place of the dots: the desk, or IllegalMove
#     # more examples of your own, a line each
# )


# %%
def play(desk: Desk, cards: Cards) -> Desk:
    """Give the desk after the first player has laid one of `cards` (what `cards_to_play` gives, and not empty).

    The strategy is told, as `Args`: the desk's state, the whole hand, `cards`, the top of the pile, the direction, the
    memory, and what `count_cards` gives. If its move is `Pass()`, or its card is not among `cards`, nothing more is
    printed and `IllegalMove(name, args)` is raised with the player's name and these `Args`. Otherwise print
    `X made move` and, in the next line, the move as `to_string` gives it; one copy of the card goes from the hand to
    the top of the pile, the move into the memory, and `move_action` does the rest, told whether before the move the
    hand held a card of the color then required. On the desk stays the player that `ask_player_for_card` gave back.
    Must use `ask_player_for_card` and `move_action`.

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
    asked, move = ask_player_for_card(player, args)
    illegal = IllegalMove(player.name, args)
    match move:
        case Simple(Crd() as card) | Order(Wild() | WildDrawFour() as card, _) if card in cards:
            print(f"{player.name} made move\n{to_string(move)}")
            players = (asked.with_cards(remove_card(player.cards, card, illegal)), *others)
            laid = desk.with_players(players).with_pile((card, *desk.pile)).add_memo(move)
            return move_action(move, laid, has_color(required_color(desk), player.cards))
        case _:
            raise illegal


# %% [markdown]
# Who has no answer to a *skip* or a *draw two* must obey. Two cases, and one thing that they have in common: do that
# first.


# %%
def execution(desk: Desk) -> Desk:
    """Give the desk after the first player, in the state `Execute()`, has obeyed the skip or draw two on the pile.

    `Pass()` goes into the memory; for a draw two the player draws two cards; then the turn passes with `next_player`,
    which prints it; the state becomes `Proceed()`, at whatever point. There are no other cases.

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
# One turn, whatever the desk. An empty tuple counts as false, and `:=` names a value in the middle of a condition:
# `if (vowels := tuple(filter("aeiou".count, word))): ...`.
#
# | cards to play | state | the turn |
# |---|---|---|
# | some | any | `play` one of them |
# | none | `Execute()` | `execution` |
# | none | another | `draw` one; can it be laid? `play`; if not, remember a `Pass()` and pass the turn |


# %%
def your_turn(desk: Desk) -> Desk:
    """Give the desk after one whole turn.

    If the first player has cards to play, one is played. If not, the player obeys in the state `Execute()`; in any
    other state the player draws one card and, if there is a card to play now, plays, and if not, misses the turn:
    `Pass()` goes into the memory and the turn passes with `next_player`, the state staying as it is.

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
# Time to see your players think. On `dialogue_desk(naive)` Sergey, who moves by hand, is to cover a *wild* with red and
# has none. The cell below plays eight turns: for Sergey it types 0 (the *wild draw four*), 2 (green), and later 0
# again; your `naive` moves for the others.

# %% active="ipynb"
# desk, text = transcript(compose(*[your_turn] * 8, whose_turn), dialogue_desk(naive), typed=("0", "2", "0"))
# print(text)

# %% [markdown]
# ## The game
#
# **The rules.** Whoever gets rid of the last card wins. Everyone else loses what the cards in their hand are worth. If
# the winner's last card is a *wild draw four*, the next player draws the four cards before the count. (After a *draw
# two* nobody draws any more.)
#
# The last three are short, and then it runs. First the bill for one player: a name and a number.


# %%
def player_loss(player: Player) -> tuple[str, int]:
    """Give the player's name and what the cards in hand are worth together.

    Must use `sum_cards`.

    >>> player_loss(Player("Olga", (Crd(Num(5), RED), Wild()), false_strategy, False))
    ('Olga', 55)
    """
    return player.name, sum_cards(player.cards)


# %% [markdown]
# `None` stands for "nobody yet": a function that may have no answer says so with its type, `X | None`. `find` speaks
# that language already, and `map` sends a function over a whole table.


# %%
def check_winner(desk: Desk) -> tuple[str, tuple[tuple[str, int], ...]] | None:
    """Give the name of the (first) player without cards and everyone's loss, in the order of the desk; None if all have
    cards.

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
# Deal, normalize, and take turns until there is a winner. A game may last for a thousand turns, and Python's stack
# does not: the repetition is a local `@tail_recursive` function whose `recur` carries the next desk.


# %%
def game(players: Players) -> tuple[str, tuple[tuple[str, int], ...]]:
    """Give the result of a whole game as `check_winner` gives it: deal, normalize the desk, then take turns until some
    player has no cards.

    `players`, two to ten, sit clockwise, the dealer first. However long the game is, the stack must not overflow. A
    last move takes effect and is printed like any other, also the turns that pass after a wild draw four.

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
# Ten players at one table. Sergey would move by hand; here he types -1 at his first turn and lets your `naive`
# go on. To sit down in his place, run `game(ten_players(naive))` in a cell of your own; at a table in the terminal you
# play with `foldem play uno`. For a table of your own, name who sits there:
# `game((Player("Ada", (), naive, True), Player("Bo", (), naive, False)))`. `True` asks you, `False` asks the strategy.

# %% active="ipynb"
# result, text = transcript(game, ten_players(naive), typed=("-1",))
# print(text)
# result

# %% [markdown]
# Or at a table: every turn on it is run by your `your_turn`. The slider goes back to any moment, and the game goes on
# from there, because no desk was ever changed. `bots` goes up to 9, and any strategies of yours can sit there:
# `uno_table(naive, my_strategy, bots=5)`.

# %% active="ipynb"
# from course.tables import uno_table
#
# uno_table(naive, bots=3)

# %% [markdown]
# **Which strategy is better?** Your own `game` can tell: let two of them play a hundred games, change seats from game
# to game, and count who wins. What share would be luck? Then write a strategy of your own, and put it in the place of
# `first_playable`.

# %% active="ipynb"
# from collections import Counter
#
# pair = (Player("naive", (), naive, False), Player("first", (), first_playable, False))
# played = (transcript(game, pair if n % 2 else pair[::-1], chance=n)[0] for n in range(100))
# Counter(winner for winner, losses in played)

# %% [markdown]
# ## Go further
#
# Let draw cards add up: a *draw two* may be laid on a *draw two*, and whoever cannot go on draws for all of them.
#
# ```draw
# Pavel | Crd(DrawTwo(), RED) | → Saveliy | Crd(DrawTwo(), BLUE) | → Olga has none: draws four, and misses the turn
# ```
#
# The state `Execute()` has to remember how many cards wait. Make it `Execute(2)`, and see how many functions need to
# know: those that `match` on it tell you.
#
# <details><summary>Where it comes from</summary>
#
# The third laboratory work of a Russian course, thirty-two tasks in **Standard ML**, a language that finds out all
# types by itself. Functions are written by cases, without a `match`:
#
# ```sml
# fun oppositeDir Clockwise = Counterclockwise
#   | oppositeDir Counterclockwise = Clockwise
# ```
#
# The ten people at the table, Sergey to Olga, sit there, too; so does Sergey's wild card that must be covered with red.
#
# </details>
