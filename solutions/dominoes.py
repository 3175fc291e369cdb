# %% [markdown]
# # Dominoes
#
# **The tiles.** A set has one tile for every pair of numbers from 0 to a highest number. The highest number is usually
# 6, which makes 28 tiles, and it is never more than 9. A tile has two *halves*. If the halves are equal, the tile is a
# *double*. You can write the same tile in two *presentations*, such as 2-4 and 4-2; a double has only one presentation.
#
# **The game.** There are two, three or four players, and each of them is a *human* or a *bot*. Two players get a hand
# of 7 tiles each; three or four players get 6 tiles each. The other tiles are the *stock*. The first player lays any
# tile. After that, each player in turn lays a tile at one of the two *ends* of the *chain*. The two halves that touch
# must be equal. A player who cannot lay a tile draws two tiles from the stock and passes. If the stock holds only one
# tile, the player draws this tile; if the stock is empty, the player only passes.
#
# <details><summary>The rules in full</summary>
#
# **The end.** The first player who has laid all their tiles wins. The game is a draw as soon as all players, one after
# the other, have passed without drawing a tile.
#
# Bots choose one of their legal moves at random. So most of this unit is about one question: *which moves are legal?*
# The legal moves also show whether a player has a choice, exactly one move, or no move.
#
# </details>

# %%
from course.dominoes import *

# %% [markdown]
# **First watch a whole game** between two bots, played by reference solutions. Go through the game with *Next* or the
# arrow keys.

# %% active="ipynb"
# from course.tables import whole_game
#
# whole_game("dominoes")

# %% [markdown]
# ## Tiles and chains
#
# Tiles and chains are frozen values, so nobody can change them. You can only take a frozen value apart and make another
# value from its parts. The parts of a tile have names, and `str` turns a tile into its usual text:
#
# ```python
# >>> tile = Domino(2, 4)
# >>> tile.left + tile.right, str(tile)
# (6, '2-4')
# ```


# %%
def flip(domino: Domino) -> Domino:
    """Return `domino` in its other presentation, with its halves exchanged.

    >>> flip(Domino(2, 3))
    Domino(3, 2)
    >>> flip(Domino(3, 3))
    Domino(3, 3)
    """
    return Domino(domino.right, domino.left)


# %% [markdown]
# **Change a function that works.** Copy `flip` into a cell of your own and rename it to `in_order`. Change the copy so
# that the smaller half is always on the left. Try the copy with `Domino(4, 2)`, `Domino(2, 4)` and `Domino(3, 3)`.

# %% [markdown]
# All values in this unit are **immutable**: you cannot change a tile or a chain, but you can make new ones.

# %% [markdown]
# **How chains are written.** A hand and the stock are tuples of tiles. A chain is either `EMPTY` (the only value of the
# class `Empty`) or a `Chain`. A `Chain` has three parts: the number at its left end, its text for printing, and the
# number at its right end. For example, `Chain(3, "3-6 6-5 5-5 5-0 0-0 0-4", 4)` is this chain:
#
# ```draw
# Chain(3, "3-6 6-5 5-5 5-0 0-0 0-4", 4) | left end 3, right end 4; or 🁌🁠🂋🁔🁣🀵, if your font has the tiles
# ```
#
# In some examples, the text is a chain that is impossible in a game, such as `1-2 4-3`. If the text of a chain is
# impossible, only the two numbers of the `Chain` matter. Players are values such as `Human(1)` and `Bot(2)`, and they
# are numbered from 1.

# %% [markdown]
# **Before you go on: three questions.** Answer each question aloud or on paper before you open its answer.
#
# <details><summary>After <code>first, *others = hand</code>, is <code>others</code> a tuple?</summary>
#
# No: a starred name on the left of `=` receives a *list*. In a new tuple such as `(*others, first)`, the star puts the
# items of the list into the tuple.
#
# </details>
#
# <details><summary>Which calls of <code>step</code> does <code>fold_left(step, start, (a, b))</code> make?</summary>
#
# `step(step(start, a), b)`. In each call of `step`, the first argument is the result so far, and the second is the next
# item.
#
# </details>
#
# <details><summary>When can a function call itself any number of times?</summary>
#
# A function can call itself any number of times if two things are true. The function returns the result of the call
# unchanged (a *tail call*), and a trampoline runs the function. For the trampoline, write `@tail_recursive` above the
# function, and `return recur(...)` instead of the call.
#
# </details>

# %% [markdown]
# There are two kinds of chain, and `match` distinguishes the kinds and takes a chain apart at the same time:
#
# ```python
# match chain:
#     case Empty():
#         print("nothing there yet")
#     case Chain(left, text, _):
#         print("begins with", left, "and reads", text)
# ```
#
# Remember a mistake from the warm-up, and write `case Empty():`, with the parentheses. A name without a dot, as in
# `case EMPTY:`, does not compare: it *captures*. The case `case EMPTY:` matches every chain, and `EMPTY` becomes
# another name for this chain.
#
# An f-string turns a tile into its usual text, so `f"{Domino(2, 4)} 4-1"` is `'2-4 4-1'`.


# %%
def append(domino: Domino, chain: AnyChain, end: End) -> Chain:
    """Return `chain` with `domino` added at one `end`: '<' is the left end, '>' the right end.

    Add the tile as it is presented, whether it fits or not. If `chain` is `EMPTY`, both ends give the same chain.

    >>> append(Domino(5, 1), Chain(1, "1-2 4-3", 3), "<")
    Chain(5, '5-1 1-2 4-3', 3)
    >>> append(Domino(3, 5), Chain(1, "1-2 4-3", 3), ">")
    Chain(1, '1-2 4-3 3-5', 5)
    >>> append(Domino(5, 3), Chain(1, "1-2 4-3", 3), ">")
    Chain(1, '1-2 4-3 5-3', 3)
    >>> append(Domino(5, 6), EMPTY, ">")
    Chain(5, '5-6', 6)
    """
    match chain:
        case Empty():
            return Chain(domino.left, f"{domino}", domino.right)
        case Chain(left, text, right):
            at_left = Chain(domino.left, f"{domino} {text}", right)
            at_right = Chain(left, f"{text} {domino}", domino.right)
            return at_left if end == "<" else at_right


# %% [markdown]
# **Move the sliders.** `interact` is from ipywidgets: it makes a control for each parameter, and calls the function
# again when you move a control. `picture` draws a value, in this case a chain. As you can see, `append` does not test
# whether the tile fits.

# %% active="ipynb"
# from ipywidgets import interact
#
# from course.tables import picture
#
# @interact(left=(0, 6), right=(0, 6), end=["<", ">"])
# def chain_with_tile(left=3, right=5, end=">"):
#     return picture(append(Domino(left, right), Chain(1, "1-2 2-3", 3), end))

# %% [markdown]
# Use a `match` with the same two cases as in `append`. Which of the two kinds of chain, `Empty` and `Chain`, has a
# text?


# %%
def string_of_chain(chain: AnyChain) -> str:
    """Return the text of `chain`; for `EMPTY`, return the empty string.

    >>> string_of_chain(EMPTY)
    ''
    >>> string_of_chain(Chain(4, "4-5 5-6 6-6 6-2", 2))
    '4-5 5-6 6-6 6-2'
    """
    match chain:
        case Empty():
            return ""
        case Chain(_, text, _):
            return text


# %% [markdown]
# `join` is a method of the string that you want *between* other strings. For example, `", ".join(("a", "b", "c"))` is
# `'a, b, c'`. `join` accepts only strings, and `str` turns a tile into a string. What does `join` return for an empty
# tuple?


# %%
def string_of_dominoes(dominoes: Hand) -> str:
    """Return the tiles `dominoes` as one string, each as it is presented, with one space between two tiles.

    >>> string_of_dominoes(())
    ''
    >>> string_of_dominoes((Domino(5, 6),))
    '5-6'
    >>> string_of_dominoes((Domino(5, 6), Domino(4, 4), Domino(3, 3), Domino(1, 1), Domino(2, 2)))
    '5-6 4-4 3-3 1-1 2-2'
    """
    return " ".join(map(str, dominoes))


# %% active="ipynb"
# predict(
#     """
#     tuple(range(3, 0, -1)), tuple(range(0, 3, -1)), tuple(range(3))
#     """,
#     "((3, 2, 1, 0), (0,), (0, 1, 2, 3))",
#     "((3, 2, 1), (), (0, 1, 2))",
#     "((3, 2, 1), (2, 1, 0), (0, 1, 2))",
#     why=(
#         "A `range` begins with its first number and stops before its end. Going down from 0, it never "
#         "reaches 3, so it is empty: that is not an error."
#     ),
# )

# %% [markdown]
# In a set of tiles, every pair of numbers occurs once. Write each pair with the greater number on the left. To make the
# pairs, you need `for` twice: the second `for` begins at the number of the first, and goes down to 0. One comprehension
# can contain both `for`s. `range` can also count down. At which number does a `range` that counts down stop?
#
# ```python
# >>> tuple(word[:n] for word in ("ace", "no") for n in range(len(word), 0, -1))
# ('ace', 'ac', 'a', 'no', 'n')
# ```


# %%
def make_dominoes(highest: Highest) -> Stock:
    """Return all the tiles with numbers up to `highest`, in descending order, each with the greater half on the left.

    >>> make_dominoes(1)
    (Domino(1, 1), Domino(1, 0), Domino(0, 0))
    >>> make_dominoes(3)[:6]
    (Domino(3, 3), Domino(3, 2), Domino(3, 1), Domino(3, 0), Domino(2, 2), Domino(2, 1))
    >>> make_dominoes(3)[6:]
    (Domino(2, 0), Domino(1, 1), Domino(1, 0), Domino(0, 0))
    """
    return tuple(Domino(left, right) for left in range(highest, -1, -1) for right in range(left, -1, -1))


# %% active="ipynb"
# predict(
#     """
#     hand = (Domino(3, 2), Domino(5, 4))
#     Domino(4, 5) in hand, Domino(5, 4) in hand
#     """,
#     "(False, True)",
#     "(True, True)",
#     "(False, False)",
#     why=(
#         "Two values of a class are equal if their parts are equal, in the same order. 4-5 and 5-4 are the "
#         "same tile for us, but not for Python, so your code must compare with both."
#     ),
# )

# %% [markdown]
# When a player lays a tile, it leaves the hand. The presentations 4-5 and 5-4 show the same tile. But Python treats the
# two presentations as different values, so your code must compare with both. To keep only some items of a tuple, put a
# condition into a comprehension:
#
# ```python
# >>> tuple(word for word in ("ace", "king", "ten") if len(word) == 3)
# ('ace', 'ten')
# ```


# %%
def suppress(domino: Domino, hand: Hand) -> Hand:
    """Return `hand` without `domino`, in whichever presentation the hand contains it; the other tiles stay as they are.

    A hand never contains the same tile twice. If the tile is not in the hand, nothing changes.

    >>> suppress(Domino(4, 5), (Domino(3, 2), Domino(5, 4), Domino(6, 3)))
    (Domino(3, 2), Domino(6, 3))
    >>> suppress(Domino(4, 5), (Domino(4, 5),))
    ()
    >>> suppress(Domino(2, 3), (Domino(1, 2), Domino(6, 5)))
    (Domino(1, 2), Domino(6, 5))
    """
    return tuple(other for other in hand if other not in (domino, flip(domino)))


# %% [markdown]
# ## Players and hands
#
# The finished game prints each turn. First make the strings for printing, with **pure** functions: a pure function
# prints nothing, and you can try it alone. The labels of humans and bots have the same length, so that the text after a
# label always starts in the same column.


# %%
def string_of_player(player: Player) -> str:
    """Return the label of `player`; a bot's label ends in two spaces, so that it is as long as a human's.

    >>> string_of_player(Human(2))
    'Player 2 (human)'
    >>> string_of_player(Bot(3))
    'Player 3 (bot)  '
    """
    match player:
        case Human(number):
            return f"Player {number} (human)"
        case Bot(number):
            return f"Player {number} (bot)  "


# %% [markdown]
# To take a pair apart, give names to its parts, as in `name, age = ("Ada", 36)`. In a string, `\t` is a tab.


# %%
def string_of_state(state: State) -> str:
    r"""Return the label of the player in `state`, a colon, a tab and the player's hand, as one string.

    >>> string_of_state(((Domino(1, 2), Domino(6, 5), Domino(4, 3)), Bot(1))), string_of_state(((), Human(2)))
    ('Player 1 (bot)  :\t1-2 6-5 4-3', 'Player 2 (human):\t')
    """
    hand, player = state
    return f"{string_of_player(player)}:\t{string_of_dominoes(hand)}"


# %% [markdown]
# For some arguments, a function has no right result. It is better to raise an exception than to return a wrong result.
# `raise` ends the function:
#
# ```python
# raise ValueError("what is wrong, in a few words")
# ```


# %%
def get_hand_size(count: HeadCount) -> int:
    """Return the number of tiles that each of `count` players gets: 7 for two players, 6 for three or four.

    Raise ValueError, with the message below, for any other number of players.

    >>> get_hand_size(2)
    7
    >>> get_hand_size(3), get_hand_size(4)
    (6, 6)
    >>> get_hand_size(1)
    Traceback (most recent call last):
        ...
    ValueError: Between 2 and 4 players, please!
    >>> get_hand_size(5)
    Traceback (most recent call last):
        ...
    ValueError: Between 2 and 4 players, please!
    """
    match count:
        case 2:
            return 7
        case 3 | 4:
            return 6
        case _:
            raise ValueError("Between 2 and 4 players, please!")


# %% [markdown]
# In some functional languages, such as OCaml, a string is not a list of characters, so you must convert it into one. In
# Python, a string is nearly a list of characters: you can loop over a string just as over a tuple. So
# `char_list_of_string` is short in Python, and you will hardly need it.


# %%
def char_list_of_string(text: str) -> tuple[str, ...]:
    r"""Return the characters of `text`, in order.

    >>> char_list_of_string("")
    ()
    >>> char_list_of_string(" a\tb-a\n")
    (' ', 'a', '\t', 'b', '-', 'a', '\n')
    """
    return tuple(text)


# %% [markdown]
# In the next function, `players` has one letter for each player at the table. `enumerate` numbers the items of a loop,
# starting from any number. For example, `tuple(enumerate("ab", 7))` is `((7, 'a'), (8, 'b'))`.


# %%
def players_of_string(players: Seats) -> tuple[Player, ...]:
    """Return a player for each letter of `players`: a human for H, a bot for B. The players are numbered from 1.

    `players` contains no letters other than H and B.

    >>> players_of_string("BHHB")
    (Bot(1), Human(2), Human(3), Bot(4))
    """
    letters = char_list_of_string(players)
    return tuple(Human(number) if letter == "H" else Bot(number) for number, letter in enumerate(letters, 1))


# %% active="ipynb"
# predict(
#     """
#     hand = (Domino(1, 2),)
#     fuller = (Domino(3, 3), *hand)
#     smaller = fuller[1:]
#     hand == smaller, hand is fuller, len(hand)
#     """,
#     "(True, True, 2)",
#     "(False, False, 2)",
#     "(True, False, 1)",
#     why=(
#         "`hand` has not changed. `fuller` is a new tuple made from the items of `hand`, and `smaller` is "
#         "another new tuple. An old name keeps its old value. That is why you can look back at a game. It is "
#         "also why a name that you forgot to replace still shows the old state."
#     ),
# )

# %% [markdown]
# Drawing moves tiles from the front of the stock to the front of the hand, one by one. After several draws, where in
# the hand is the tile that was drawn first? There are two good ways to write `take`. One way is a recursion that moves
# one tile in each step. The recursion stops when enough tiles are taken, or when the stock is empty. (There are at most
# 55 tiles, so this recursion needs no trampoline.) Another way is to use slices, because a slice can go beyond the end
# of a tuple:
#
# ```python
# >>> (1, 2, 3)[:10], (1, 2, 3)[10:], (1, 2, 3)[::-1]
# ((1, 2, 3), (), (3, 2, 1))
# ```
#
# **Find the wrong answers first.** Run the next cell, read below what `take` returns, and fill in results until all
# wrong answers are caught. What does `take` return if the stock is too short, or if `n` is 0?

# %% active="ipynb"
# from course.check import catch
#
# catch("take")


# %%
def take(hand: Hand, n: TileCount, stock: Stock) -> tuple[Hand, Stock]:
    """Return the hand and the stock after moving `n` tiles, one by one, from the stock's front to the hand's front.

    If the stock holds fewer than `n` tiles, take all tiles of the stock. `n` is never negative.

    >>> take((Domino(1, 1), Domino(2, 2)), 0, (Domino(3, 3), Domino(4, 4), Domino(5, 6)))
    ((Domino(1, 1), Domino(2, 2)), (Domino(3, 3), Domino(4, 4), Domino(5, 6)))
    >>> take((Domino(1, 1), Domino(2, 2)), 2, (Domino(3, 3), Domino(4, 4), Domino(5, 6)))
    ((Domino(4, 4), Domino(3, 3), Domino(1, 1), Domino(2, 2)), (Domino(5, 6),))
    >>> take((Domino(1, 1), Domino(2, 2)), 42, (Domino(3, 3), Domino(4, 4), Domino(5, 6)))
    ((Domino(5, 6), Domino(4, 4), Domino(3, 3), Domino(1, 1), Domino(2, 2)), ())
    """
    return stock[:n][::-1] + hand, stock[n:]


# %% active="ipynb"
# predict(
#     """
#     def step(so_far, n):
#         total, count = so_far
#         return total + n, count + 1
#
#     fold_left(step, (0, 0), (5, 1, 2))
#     """,
#     "(3, 8)",
#     "(0, 0)",
#     "(8, 3)",
#     why=(
#         "The accumulator of a fold can be a pair: each step takes it apart and makes the next one."
#     ),
# )

# %% [markdown]
# To deal, you go through the players, and two values change at each step: the stock gets shorter, and the tuple of
# states gets longer. If you go through items, and each step computes a new value, use a fold. The value that a fold
# passes on is its **accumulator**, which can be a pair. In the next example, the accumulator is a pair of the sum so
# far and all earlier sums:
#
# ```python
# >>> def step(so_far, n):
# ...     total, before = so_far
# ...     return total + n, (*before, total)
# >>> fold_left(step, (0, ()), (5, 1, 2))
# (8, (0, 5, 6))
# ```


# %%
def make_state_list(players: Seats, dominoes: Stock) -> Deal:
    """Return the stock and the states after dealing `dominoes` to `players`; a state is a pair of hand and player.

    For each player in turn, one call of `take` moves all the player's tiles from the front of the stock into an empty
    hand. If there are not enough tiles, the last players get fewer tiles, or none. If there are not 2 to 4 players,
    `get_hand_size` raises its ValueError; do not catch it.

    >>> stock, states = make_state_list("BH", make_dominoes(4))
    >>> stock
    (Domino(0, 0),)
    >>> states[0]
    ((Domino(3, 2), Domino(3, 3), Domino(4, 0), Domino(4, 1), Domino(4, 2), Domino(4, 3), Domino(4, 4)), Bot(1))
    >>> states[1]
    ((Domino(1, 0), Domino(1, 1), Domino(2, 0), Domino(2, 1), Domino(2, 2), Domino(3, 0), Domino(3, 1)), Human(2))
    >>> make_state_list("B", make_dominoes(4))
    Traceback (most recent call last):
        ...
    ValueError: Between 2 and 4 players, please!
    """
    size = get_hand_size(len(players))

    def give(deal: Deal, player: Player) -> Deal:
        stock, states = deal
        hand, left = take((), size, stock)
        return left, (*states, (hand, player))

    undealt: Deal = dominoes, ()
    return fold_left(give, undealt, players_of_string(players))


# %% [markdown]
# ## Legal moves
#
# Think about the data first: which chains are possible at all? A chain has three parts, a number, a text and a number,
# and these parts can contradict each other. For example, the parts of `Chain(1, "6-5 2-4", 3)` contradict each other,
# but Python raises no exception. So write down what must be true of every chain in a game, after each move. A rule that
# is always true is called an **invariant**. A function that tests an invariant can find bugs that nobody has thought
# of.
#
# `split` cuts a string at its spaces, or at another separator:
#
# ```python
# >>> "mon-tue tue-wed".split(), "mon-tue tue-wed".split("-")
# (['mon-tue', 'tue-wed'], ['mon', 'tue tue', 'wed'])
# ```
#
# To get the pairs of neighbors in a tuple, use `zip(tiles, tiles[1:])`, or `pairwise(tiles)` from `itertools`.


# %%
def is_sound(chain: AnyChain) -> bool:
    """Return whether the text of `chain` agrees with its two ends; `EMPTY` is sound.

    The text and the ends agree if and only if three things are true. The chain's `left` is the first number in the
    text. The chain's `right` is the last number in the text. In any two neighboring tiles of the text, the two halves
    that touch are equal. The text itself always has the form of `6-5 5-2`: at least one tile, one space between tiles,
    and one digit for each half. The text can contain a tile twice.

    >>> is_sound(Chain(6, "6-5 5-2", 2)), is_sound(Chain(4, "4-4", 4)), is_sound(EMPTY)
    (True, True, True)
    >>> is_sound(Chain(6, "6-5 2-5", 5)), is_sound(Chain(6, "6-5 5-5 2-1", 1))
    (False, False)
    >>> is_sound(Chain(5, "6-5 5-2", 2)), is_sound(Chain(6, "6-5 5-2", 5))
    (False, False)
    """
    match chain:
        case Empty():
            return True
        case Chain(left, text, right):
            numbers = f"{left} {text} {right}".split("-")
            return all(before == after for before, after in map(str.split, numbers))


# %% [markdown]
# The function `hasty` in the next cell lays tiles one after another at the right end, but it has a bug. After each
# move, the number at the right end is correct. The cell calls your `is_sound` to find the first chain that is not
# sound. Which line of `hasty` is wrong?

# %% active="ipynb"
# from itertools import accumulate
#
#
# def hasty(chain, tile):
#     if chain.right not in (tile.left, tile.right):
#         return chain
#     return Chain(chain.left, f"{chain.text} {tile}", tile.left + tile.right - chain.right)
#
#
# offered = Domino(6, 5), Domino(3, 1), Domino(5, 2), Domino(2, 2), Domino(4, 2), Domino(4, 0), Domino(3, 0)
# chains = tuple(accumulate(offered, hasty, initial=Chain(3, "3-6", 6)))
# next((chain for chain in chains if not is_sound(chain)), "all of them are sound")

# %% [markdown]
# A tile can go to either end, in either presentation. Before you write any code, list the cases on paper. Here is the
# **recipe** from the warm-up, for a function of about eight lines:
#
# - *Examples.* Write down a tile and a chain for each of these: no chain, one chain, two chains.
# - *Cases.* Is the chain empty? If not, at which ends does the tile fit? Which cases have the same answer?
# - *Needs.* Each end needs the presentation that fits there, if any. Use `flip` and `append`.
# - *Combine.* Join two tuples with `+`: the chains from the left end, then those from the right end.
#
# If the numbers at both ends of a chain are equal, use only its left end. A double has only one presentation, so do not
# make the same chain from a double twice. (You can join comparisons, so `a == b != c` means `a == b and b != c`. Such a
# comparison can test that a number fits at the right end, and that the left end is a different number.)
#
# ```draw
# Domino(6, 5) | or | Domino(5, 6) | here? → | Chain(6, "6-1 1-1 1-5", 5) | ← or here?
# ```
#
# `legal_adds` is the most important function of the unit, so take your time.
#
# **Find the wrong answers first.** Under the next cell are sixteen cards, face down. Each card hides a wrong answer
# that somebody wrote. In the exercise below the cards, read what `legal_adds` returns. Then write examples, each with
# arguments and a result, until they catch all wrong answers. There are no points for catching the wrong answers.

# %% active="ipynb"
# from course.check import catch, example
#
# catch(
#     # replace the dots by the tuple of chains that `legal_adds` must return
#     example("legal_adds", (Domino(1, 2), EMPTY), ...),
#     example("legal_adds", (Domino(1, 2), Chain(2, "2-5 5-6", 6)), ...),
#     # add more examples, one on each line
# )


# %%
def legal_adds(domino: Domino, chain: AnyChain) -> tuple[Chain, ...]:
    """Return the chains that laying `domino` on `chain` can make; the chain with the tile at its left end comes first.

    Turn the tile if necessary, so that the two halves that touch are equal. A tile that fits at one end makes one
    chain; a tile that fits at both ends makes two chains. If both ends of the chain are the same number, use only the
    left end. If `chain` is `EMPTY`, there is one chain: the tile as it is presented. The ends of a chain are its `left`
    and `right`, even if its text has other numbers at the ends.

    >>> legal_adds(Domino(5, 6), EMPTY)
    (Chain(5, '5-6', 6),)
    >>> legal_adds(Domino(5, 6), Chain(1, "1-5 6-2", 2))
    ()
    >>> legal_adds(Domino(5, 1), Chain(5, "5-5 5-3 3-2", 2))
    (Chain(1, '1-5 5-5 5-3 3-2', 2),)
    >>> legal_adds(Domino(0, 4), Chain(0, "1-3 3-1", 0))
    (Chain(4, '4-0 1-3 3-1', 0),)
    >>> legal_adds(Domino(6, 5), Chain(6, "6-1 1-5", 5))
    (Chain(5, '5-6 6-1 1-5', 5), Chain(6, '6-1 1-5 5-6', 6))
    >>> legal_adds(Domino(6, 6), Chain(6, "6-1 1-6", 6))
    (Chain(6, '6-6 6-1 1-6', 6),)
    """
    match chain:
        case Empty():
            return (append(domino, EMPTY, "<"),)
        case Chain(left, _, right):
            turned = (domino,) if domino == flip(domino) else (domino, flip(domino))
            at_left = tuple(append(tile, chain, "<") for tile in turned if tile.right == left)
            at_right = tuple(append(tile, chain, ">") for tile in turned if tile.left == right != left)
            return at_left + at_right


# %% [markdown]
# In the next cell, try a tile on a chain, and see what your `legal_adds` returns. What does `legal_adds` return for a
# double? Try other chains, and `EMPTY`, too.

# %% active="ipynb"
# from course.tables import try_tile
#
# try_tile(Chain(6, "6-1 1-4", 4))

# %% [markdown]
# The condition of a comprehension can be any value, not only a comparison. An empty string or tuple counts as false,
# and any other string or tuple counts as true:
#
# ```python
# >>> tuple(word for word in ("a", "", "tile") if word)
# ('a', 'tile')
# ```


# %%
def possible_dominoes(hand: Hand, chain: AnyChain) -> Hand:
    """Return the tiles of `hand` that can be laid on `chain`, in the order of the hand.

    In the result, each tile has the presentation that it has in the hand.

    >>> possible_dominoes((Domino(3, 2), Domino(5, 4), Domino(3, 3), Domino(6, 1)), Chain(3, "3-4 4-2 2-1 0-1", 1))
    (Domino(3, 2), Domino(3, 3), Domino(6, 1))
    >>> possible_dominoes((Domino(3, 2), Domino(1, 1)), EMPTY)
    (Domino(3, 2), Domino(1, 1))
    >>> possible_dominoes((Domino(3, 3), Domino(5, 4), Domino(1, 3), Domino(5, 3)), Chain(2, "2-4 4-3 3-1 0-1", 6))
    ()
    """
    return tuple(domino for domino in hand if legal_adds(domino, chain))


# %% active="ipynb"
# predict(
#     """
#     def shorter(first_way, second_way, text):
#         return first_way(text) if len(text) < 4 else second_way(text)
#
#     shorter(len, never, "ace"), shorter(str.upper, len, "jack")
#     """,
#     "an error: `never` should not be called",
#     "(3, 4)",
#     "(3, 'JACK')",
#     why=(
#         "Passing a function to another one does not call it. `never` raises an error only when it is "
#         "called, and with a short text `shorter` does not call it."
#     ),
# )

# %% [markdown]
# ## Choosing a move
#
# A function that takes functions is **higher-order**. Humans and bots choose in different ways, but three questions are
# the same for both. Is there a tile to lay? Is there only one tile to lay? Can the tile go to both ends? So two of the
# parameters of `input_move` are functions: one chooses a tile, the other chooses an end. You write the rest of a move
# only once. In the next example, `toss` takes two functions and calls one of them:
#
# ```python
# def toss(on_heads: Callable[[], str], on_tails: Callable[[], str]) -> str:
#     return on_heads() if random_below(2) == 0 else on_tails()
# ```
#
# You write `input_move` in three steps. **Step 1: how many tiles can be laid?** There are three cases: no tile, one
# tile, and several tiles. In the last case, change the text so that it also says how many tiles there are to choose
# from.

# %% active="ipynb"
# def cases(tiles, line):
#     match possible_dominoes(tiles, line):
#         case ():
#             return "no move"
#         case (only,):
#             return f"forced: {only}"
#         case several:
#             return "a choice"  # of how many?
#
# line = Chain(6, "6-1 1-4", 4)
# cases((Domino(2, 3),), line), cases((Domino(2, 3), Domino(4, 5)), line), cases((Domino(6, 2), Domino(4, 5)), line)

# %% [markdown]
# **Step 2: lay one tile.** A forced tile and a selected tile are laid in the same way: the tile leaves the hand, and
# the chain gets longer. For a tile that can be laid, `legal_adds` returns one chain or two chains. If there are two
# chains, a function selects one of them. In a call, a star passes the items of a tuple as separate arguments, so
# `max(*(3, 5))` is `max(3, 5)`.
#
# Run the next cell. Then change `put`: if there are two chains, call `select` with both; if there is only one chain, do
# not call `select`. After your change, the chains in the two results should end in 6 and in 3.

# %% active="ipynb"
# def put(tile, line, tiles, select):
#     ways = legal_adds(tile, line)
#     return suppress(tile, tiles), ways[0]
#
# line = Chain(6, "6-1 1-4", 4)
# put(Domino(6, 4), line, (Domino(6, 4),), right_end), put(Domino(4, 3), line, (Domino(4, 3),), never)

# %% [markdown]
# **Step 3: put steps 1 and 2 together.** Begin with the three cases of step 1. In the case of one tile, and in the case
# of several tiles, lay a tile as in step 2.
#
# `transcript(f, x)` calls `f(x)` and returns a pair: the result, and the text that was printed. Six functions are
# given, so that you can try your function without a person and without random choices. `first` and `second` select the
# first or the second of several tiles. `left_end` and `right_end` select the left or the right of two chains, and
# `left_aloud` prints that it selects the left chain. `never` raises an error whenever it is called.
#
# The finished game prints a turn in four lines, as below. (Your functions in this section print only the third line.)
#
# ```text
# Player 2 (bot)  :
#         hand : 6-3 4-2
#         to lay :             4-2
#         chain :              6-1 1-4 4-2
# ```
#
# `input_move` takes about eleven lines. Use a `match` on the result of `possible_dominoes`, with cases for no tile, one
# tile and several tiles. A local function can lay the tile, because this part is the same for forced and selected
# tiles.


# %%
def input_move(
    select_domino: Callable[[Hand], Domino],
    select_end: Callable[[Chain, Chain], Chain],
    chain: AnyChain,
    hand: Hand,
) -> Move | None:
    r"""Return the hand and the chain after a move; if no tile of `hand` can be laid, return None and print nothing.

    If exactly one tile can be laid, print `\tforced move :        6-5` and lay this tile. Print the tile as it is in
    the hand. The words and spaces between the tab and the tile have 21 characters together. If several tiles can be
    laid, `select_domino` takes these tiles, in the order of the hand, and returns the tile to lay. If `legal_adds`
    returns two chains for the tile, `select_end(left, right)` returns one of the two chains; this is also true of a
    forced tile. Call `select_domino` and `select_end` only if there is something to select.

    >>> transcript(input_move, never, never, Chain(6, "6-1 1-4", 4), (Domino(1, 2), Domino(6, 5), Domino(5, 3)))
    (((Domino(1, 2), Domino(5, 3)), Chain(5, '5-6 6-1 1-4', 4)), '\tforced move :        6-5\n')
    >>> transcript(input_move, never, right_end, Chain(6, "6-1 1-4", 4), (Domino(1, 2), Domino(6, 4), Domino(5, 3)))
    (((Domino(1, 2), Domino(5, 3)), Chain(6, '6-1 1-4 4-6', 6)), '\tforced move :        6-4\n')
    >>> transcript(input_move, second, never, Chain(6, "6-1 1-4", 4), (Domino(1, 2), Domino(6, 5), Domino(4, 3)))
    (((Domino(1, 2), Domino(6, 5)), Chain(6, '6-1 1-4 4-3', 3)), '')
    >>> input_move(second, left_end, Chain(6, "6-1 1-4", 4), (Domino(1, 2), Domino(6, 5), Domino(6, 4)))
    ((Domino(1, 2), Domino(6, 5)), Chain(4, '4-6 6-1 1-4', 4))
    >>> transcript(input_move, never, never, Chain(6, "6-1 1-4", 4), (Domino(1, 2), Domino(3, 5), Domino(5, 2)))
    (None, '')
    """

    def laid(domino: Domino) -> Move:
        chains = legal_adds(domino, chain)
        return suppress(domino, hand), select_end(*chains) if len(chains) == 2 else chains[0]

    match possible_dominoes(hand, chain):
        case ():
            return None
        case (domino,):
            print(f"\tforced move :        {domino}")
            return laid(domino)
        case possible:
            return laid(select_domino(possible))


# %% [markdown]
# For a bot, `input_bot_move` calls `input_move` with two functions that choose at random. `choose` picks a random item
# of a tuple:
#
# ```python
# >>> choose(("heads", "tails"))
# 'tails'
# ```
#
# To test a function, you can replace its random choices by a *script*, which is a tuple with the index of each choice.
# In `transcript(f, x, chance=(2, 0))`, which calls `f(x)`, the first random choice has index 2, and the second has
# index 0. A script works only if your function makes the random choices in the order that the statement says. (A single
# number, such as `chance=7`, is not a script but a seed for random choices.)


# %%
def input_bot_move(chain: AnyChain, hand: Hand) -> Move | None:
    r"""Return the hand and the chain after a bot's random move. You must use `input_move`.

    Call `choose` only if there is something to select. First choose one of the tiles that can be laid, which are in the
    order of the hand. Then choose one of the two chains in the pair `(left, right)`. If a tile was selected (not
    forced), print `\tto lay :             4-2`. Print the tile as it is in the hand, 21 characters after the tab.

    >>> transcript(input_bot_move, Chain(6, "6-1 1-5", 5), (Domino(6, 5),), chance=(0,))
    (((), Chain(5, '5-6 6-1 1-5', 5)), '\tforced move :        6-5\n')
    >>> transcript(input_bot_move, Chain(6, "6-1 1-4", 4), (Domino(6, 5),))
    (((), Chain(5, '5-6 6-1 1-4', 4)), '\tforced move :        6-5\n')
    >>> transcript(input_bot_move, Chain(6, "6-1 1-4", 4), (Domino(1, 2), Domino(5, 6), Domino(6, 4)), chance=(1, 0))
    (((Domino(1, 2), Domino(5, 6)), Chain(4, '4-6 6-1 1-4', 4)), '\tto lay :             6-4\n')
    >>> input_bot_move(Chain(6, "6-1 1-5", 5), (Domino(4, 4),)) is None
    True
    """

    def select_domino(possible: Hand) -> Domino:
        domino = choose(possible)
        print(f"\tto lay :             {domino}")
        return domino

    return input_move(select_domino, lambda left, right: choose((left, right)), chain, hand)


# %% [markdown]
# Your function must ask a person again and again until the answer is valid. The given function `input_valid(prompt,
# is_valid, cast)` prints the prompt and reads lines until `is_valid(line)` is true. After each line that is not valid,
# `input_valid` prints `Try again!`. For the valid line, it returns `cast(line)`. In this example, a person types an age
# in years, and the result is the age in months:
#
# ```python
# >>> transcript(input_valid, "Your age?", str.isdecimal, lambda line: 12 * int(line), typed=("ten", "", "10"))
# (120, 'Your age?\nTry again!\nTry again!\n')
# ```
#
# The argument `typed` contains the lines that a person would type. Before you write `input_human_move`, ask two
# questions: which lines are valid, and what does each valid line mean? One `dict` can answer both questions, and a
# comprehension can make this `dict`. Remember that `"" in "<>"` is true, although an empty line is not valid.
#
# ```python
# >>> {letter: word for word in ("ace", "king") for letter in (word[0], word[0].upper())}
# {'a': 'ace', 'A': 'ace', 'k': 'king', 'K': 'king'}
# ```
#
# `input_human_move` takes about six lines, or more if you write the dict in steps. Useful tools are a dict, and a local
# function that calls `input_valid`.


# %%
def input_human_move(chain: AnyChain, hand: Hand) -> Move | None:
    r"""Return the hand and the chain after a human's move. You must use `input_move`, and `input_valid` to read lines.

    The prompt for a tile is `\tWhich domino do you want to lay?`, followed by a space. A valid line is a tile that can
    be laid, typed as two digits in either presentation; for 6-4, both `64` and `46` are valid. Select the tile as it is
    in the hand, even if its other presentation was typed. The prompt for an end is `\tAt which end?`, followed by a
    space. The valid lines are `<` for the left end and `>` for the right end. A line with any additional character,
    such as a space, is not valid.

    >>> given = Chain(6, "6-1 1-4", 4), (Domino(1, 2), Domino(6, 5), Domino(4, 6), Domino(4, 0))
    >>> typed = "", "x", "4", "12", "46 ", " 64", "4 6", "640", "64", "", "< ", "<>", ">"
    >>> move, text = transcript(input_human_move, *given, typed=typed)
    >>> move
    ((Domino(1, 2), Domino(6, 5), Domino(4, 0)), Chain(6, '6-1 1-4 4-6', 6))
    >>> text == "\tWhich domino do you want to lay? \n" + 8 * "Try again!\n" + "\tAt which end? \n" + 3 * "Try again!\n"
    True
    """

    def ask(prompt: str, answers: dict[str, T]) -> T:
        return input_valid(prompt, lambda line: line in answers, lambda line: answers[line])

    def select_domino(possible: Hand) -> Domino:
        answers = {f"{tile.left}{tile.right}": domino for domino in possible for tile in (domino, flip(domino))}
        return ask("\tWhich domino do you want to lay? ", answers)

    return input_move(select_domino, lambda left, right: ask("\tAt which end? ", {"<": left, ">": right}), chain, hand)


# %% active="ipynb"
# predict(
#     """
#     def label(number):
#         print("label", number)
#         return number
#
#     print("sum", label(1) + label(2))
#     """,
#     "label 1\nlabel 2\nsum 3",
#     "sum label 1 label 2",
#     "sum 3\nlabel 1\nlabel 2",
#     why=(
#         "Python computes the arguments first: both calls of `label` are done before the outer `print` "
#         "begins. Printing is a side effect, so you can see the order of the calls. With pure functions "
#         "you could not see it."
#     ),
# )

# %% [markdown]
# ## A whole turn
#
# Printing is a **side effect**: it happens in addition to returning a value. The functions `move` and `play` print a
# game, and use your pure functions for the text.
#
# Now write one function for a whole turn. Which player moves, what is in the hand, and what is the move? What happens
# if the player cannot lay a tile, so that `input_move` returns `None`? Three results are tuples. Be careful with the
# order of their parts:
#
# - a move is `(hand, chain)`,
# - `take` returns `(hand, stock)`,
# - your `move` returns `(stock, chain, hand)`.
#
# A pattern can distinguish `None` from a pair:
#
# ```python
# match divmod(7, 2) if lucky else None:
#     case (quotient, remainder):
#         print(quotient, remainder)
#     case None:
#         print("no luck")
# ```
#
# A typical `move` has about 14 lines. Useful tools are one `match` for the two kinds of player, and another `match` for
# the result of the player's move.


# %%
def move(stock: Stock, chain: AnyChain, hand: Hand, player: Player) -> tuple[Stock, AnyChain, Hand]:
    r"""Return the stock, the chain and the hand after a turn of `player`, and print the turn.

    Print the player's label with a colon. On the next line, print the hand as `\thand : 6-3 4-2`; for an empty hand,
    this line ends with the colon and a space. Then let `input_human_move` or `input_bot_move` make the move; do not
    print the move yourself. If no tile can be laid, print `\tNo possible move!`, and let the player take two tiles from
    the stock. If the stock has fewer than two tiles, the player takes all of them. Do not print the chain.

    >>> stock = Domino(1, 1), Domino(1, 2), Domino(1, 3)
    >>> result, text = transcript(move, stock, Chain(6, "6-1 1-4", 4), (Domino(6, 5),), Bot(2))
    >>> result
    ((Domino(1, 1), Domino(1, 2), Domino(1, 3)), Chain(5, '5-6 6-1 1-4', 4), ())
    >>> text
    'Player 2 (bot)  :\n\thand : 6-5\n\tforced move :        6-5\n'
    >>> result, text = transcript(move, stock, Chain(6, "6-1 1-5", 5), (Domino(4, 4),), Bot(4))
    >>> result
    ((Domino(1, 3),), Chain(6, '6-1 1-5', 5), (Domino(1, 2), Domino(1, 1), Domino(4, 4)))
    >>> text
    'Player 4 (bot)  :\n\thand : 4-4\n\tNo possible move!\n'
    """

    def chosen() -> Move | None:
        match player:
            case Human():
                return input_human_move(chain, hand)
            case Bot():
                return input_bot_move(chain, hand)

    print(f"{string_of_player(player)}:\n\thand : {string_of_dominoes(hand)}")
    match chosen():
        case (remaining, longer):
            return stock, longer, remaining
        case None:
            print("\tNo possible move!")
            fuller, smaller = take(hand, 2, stock)
            return smaller, chain, fuller


# %% [markdown]
# ## The game itself
#
# A shuffle is *fair* if every order is equally likely. Three tiles have six possible orders, and 28 tiles have about 3
# · 10²⁹ orders. Many ways to shuffle look fair, but are not. Here are two unfair ways: swap each tile with a tile at a
# random index, or sort with a comparison whose result is random. (For three tiles, three swaps with three choices each
# make 27 equally likely results. But 27 is not a multiple of six, so the six orders cannot be equally likely.)
#
# A fair way is to draw the tiles from a bag, one by one. Which tile do you draw first? And what do you do with the
# tiles that are still in the bag? `random_below(n)` returns a random number from 0 to `n - 1`, and each of these
# numbers is equally likely.


# %%
def list_shuffle(items: tuple[T, ...]) -> tuple[T, ...]:
    """Return `items` in a random order; every order must be equally likely.

    For random choices, use `random_below` or `choose` as often as you like. `random.shuffle` and `random.sample` are
    not allowed. Some of the items can be equal. There are between 0 and 100 items, so a plain recursion is enough.

    >>> sorted(list_shuffle((3, 1, 3)))
    [1, 3, 3]
    >>> len({list_shuffle((1, 2, 3)) for _ in range(200)})
    6
    """
    if not items:
        return ()
    index = random_below(len(items))
    return items[index], *list_shuffle(items[:index] + items[index + 1 :])


# %% [markdown]
# Now you can play at a table: your functions shuffle, deal, find the moves and make them. With the slider you can go
# back to any moment of the game and play on from there, because old values never change. In the next cell, `H` is you,
# and each `B` is a bot.

# %% active="ipynb"
# from course.tables import domino_table
#
# domino_table("HBB")

# %% [markdown]
# A rule that stays true from turn to turn is an **invariant**, too. In this game each tile of the set is always in the
# stock, in a hand or on the chain, exactly once. If you suspect that a function has a bug, test the function with this
# invariant.
#
# Now you only have to write the turns of a game. Which values change from turn to turn? Make these values the
# parameters of a local function that calls itself for the next turn. The order of the states can show whose turn it is:
# the first state's player moves, and then this state goes to the end.
#
# Python raises an error at about 1,000 nested calls. If nothing is left to do after a call, `@tail_recursive` avoids
# the nesting. Write `return recur(...)` where the function would call itself. With the trampoline, the function can
# call itself any number of times.
#
# ```python
# @tail_recursive
# def count_down(n: int) -> str:
#     return "lift-off" if n == 0 else recur(n - 1)
# ```
#
# Also think about the end of the game. When is the game a draw? If all players have passed, one after the other, can
# the next player perhaps still move? Does it matter whether one of the players has drawn tiles? And how do you see from
# the results of `move` whether the player has laid a tile, or has drawn one?
#
# A typical `play` has about 14 lines. Useful tools are `list_shuffle`, `make_state_list`, `move`, and one local
# `@tail_recursive` function. To print many lines at once, join them with `"\n".join(…)`. To try `play`, use a seed,
# because `transcript(play, 6, "BB", chance=7)` is the same game each time. With about one seed in five, the game ends
# in a draw.


# %%
def play(highest: Highest, players: Seats) -> None:
    r"""Play a game between `players` with the tiles up to `highest`-`highest`, and print the game.

    Shuffle the tiles of `make_dominoes(highest)` once, with `list_shuffle`, and deal them with `make_state_list`. If
    there are not 2 to 4 players, raise ValueError and print nothing. Print a line for each player's state, as
    `string_of_state` returns it. Then the players move in turn, beginning with the first player. After each `move`,
    also after a pass, print the chain as `\tchain :              2-0 0-0`.

    The game ends when a player has laid their last tile. The last line of a game with a winner is `Player 1 (bot)
    wins!`, without the spaces at the end of a label. (With few tiles a hand can be empty from the start: the player of
    that hand passes, and has not won.) The game also ends when all players, one after the other, have passed without
    drawing a tile. The last line of a game without a winner is `It's a draw!`.

    >>> lines = transcript(play, 0, "BB")[1].splitlines()
    >>> lines[:2]
    ['Player 1 (bot)  :\t0-0', 'Player 2 (bot)  :\t']
    >>> lines[2:5]
    ['Player 1 (bot)  :', '\thand : 0-0', '\tforced move :        0-0']
    >>> result, text = transcript(play, 1, "BBB")
    >>> result, text.count("wins!"), text.count("chain :"), text.splitlines()[-1]
    (None, 1, 7, 'Player 1 (bot) wins!')
    >>> play(6, "B")
    Traceback (most recent call last):
        ...
    ValueError: Between 2 and 4 players, please!
    """

    @tail_recursive
    def outcome(stock: Stock, chain: AnyChain, states: tuple[State, ...], passes: int) -> str:
        if passes == len(states):
            return "It's a draw!"
        (hand, player), *others = states
        left, longer, remaining = move(stock, chain, hand, player)
        print(f"\tchain :              {string_of_chain(longer)}")
        if len(remaining) < len(hand) == 1:
            return f"{string_of_player(player).strip()} wins!"
        stuck = (left, longer) == (stock, chain)
        return recur(left, longer, (*others, (remaining, player)), passes + 1 if stuck else 0)

    stock, states = make_state_list(players, list_shuffle(make_dominoes(highest)))
    print("\n".join(map(string_of_state, states)))
    print(outcome(stock, EMPTY, states, 0))


# %% [markdown]
# ## Play
#
# Play at the table against three bots.

# %% active="ipynb"
# from course.tables import domino_table
#
# domino_table("HBBB")

# %% [markdown]
# You can also see the game as text, once your functions are right: run `play(6, "BBB")` in a cell of your own. To play
# against a bot yourself, run `play(6, "HB")`. (Type a tile as two digits, and `<` or `>` for the end.)
#
# ## A type of your own
#
# The types of chains and of players were given, and each has two kinds of values. Now design a type yourself: what can
# happen in a turn? A player lays a tile at one of the ends, or draws tiles, or can only pass. These three events make a
# **sum type**, and each kind of event is a frozen class with its own parts. The next cell defines only one of the three
# classes, `Passed`. Define `Laid`, with the parts `domino` and `end`, and `Drew`, with the part `count`. Change `Event`
# so that it names all three classes, and add a case for each new class to `describe`. For example,
# `describe(Laid(Domino(6, 4), "<"))` is `'lays 6-4 at the left'`, and `describe(Drew(2))` is `'draws 2'`.
#
# There are no points for this task. If a whole game is a tuple of events, how can a fold count the tiles that the
# players have drawn?

# %% active="ipynb"
# from course.values import value
#
#
# @value
# class Passed:
#     """The player had no tile to lay, and there was none to draw."""
#
#
# Event = Passed  # change this to Laid | Drew | Passed
#
#
# def describe(event: Event) -> str:
#     match event:
#         case Passed():
#             return "passes"
#
#
# tuple(map(describe, (Passed(), Passed())))  # add a Laid and a Drew

# %% [markdown]
# ## Go further
#
# Build a variant of the game. In the variant *All fives*, you add up the numbers at both ends of the chain after each
# turn. If the sum is a multiple of five, the player who has moved gets as many points as the sum.
#
# ```draw
# Chain(6, "6-6 6-2", 2) | 6 + 2 = 8: nothing
# Chain(6, "6-6 6-2 2-4", 4) | 6 + 4 = 10: ten points for the player of | Domino(2, 4)
# ```
#
# Which functions must change for *All fives*? A chain already has the numbers at its two ends, but a state would also
# need a score. Or write a better bot: pass two functions of your own to `input_move`, one that chooses a tile and one
# that chooses an end. For example, a bot could always lay the tile whose halves have the greatest sum.
#
# <details><summary>Where it comes from</summary>
#
# This unit comes from a students' project in **OCaml**, by Aristide Grange at the Université de Lorraine, 2021. In
# OCaml, a function that turns a tile round takes one line:
#
# ```ocaml
# let flip (D (left, right)) = D (right, left)
# ```
#
# In OCaml every function of several arguments is curried. So the OCaml project needs no function for a bot: a bot is
# `input_move` with its first two arguments given. In Python you write such a bot as `partial(input_move, select_domino,
# select_end)`.
#
# The text of the project praises OCaml's operator `|>`, because `x |> f |> g` is `g(f(x))`, written in the order of the
# calls. Python has no such operator, but `from toolz import pipe` imports a function that does the same, as in `pipe(x,
# f, g)`.
#
# In the project, the mark for `legal_adds` depends mostly on how short and clear the answer is. In this unit, an answer
# to `legal_adds` loses points for style if it is more than twice as long as a typical answer. For any other function
# that is too long, you only get a remark.
#
# </details>
