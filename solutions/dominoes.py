# %% [markdown]
# # Dominoes
#
# **The tiles.** A set has one tile for every pair of numbers from 0 to a highest one, usually 6, which makes 28 tiles,
# and never more than 9. A tile has two *halves*; if they are equal it is a *double*. The same tile can be shown in two
# *presentations*, 2-4 and 4-2; a double has only one.
#
# **The game.** Two, three or four people play, each a *human* or a *bot*. Two players get a hand of 7 tiles each, three
# or four get 6. What is left is the *stock*. The first player lays any tile. From then on the players take turns to lay
# a tile at one of the two *ends* of the *chain*, turned so that the halves that touch are equal. A player who
# can lay nothing draws two tiles from the stock (one if it holds only one, none if it is empty) and passes.
#
# **The end.** The first to have laid all their tiles wins. If everybody, one after the other, has to pass and finds
# nothing to draw, it is a draw.
#
# Bots play at random, among the moves that are legal. So most of this unit is about one question: *what are the legal
# moves?* The answer also tells when a player has a choice, when there is only one thing to do, and when there is none.

# %%
from course.dominoes import *

# %% [markdown]
# **Before you begin: three questions.** Answer each aloud, or on paper, before you unfold it.
#
# <details><summary>In a <code>match</code>, what does <code>case HEARTS:</code> ask?</summary>
#
# Nothing: a bare name is not compared, it captures, and so the case fits everything. `case Suit.HEARTS:` compares,
# and `case Joker():` asks for the class.
#
# </details>
#
# <details><summary><code>fold_left(step, start, (a, b))</code> is the same as which calls of
# <code>step</code>?</summary>
#
# `step(step(start, a), b)`: the result so far first, then the next item.
#
# </details>
#
# <details><summary>When does a function that calls itself need no stack?</summary>
#
# When giving the other call's answer is all that it still has to do (a *tail call*) and it goes on a trampoline:
# `@tail_recursive`, and `return recur(...)`.
#
# </details>

# %% [markdown]
# **See a whole game first**, of two bots, as finished functions play it. *Next* and *Back*, the
# slider and its arrow keys go through it.

# %% active="ipynb"
# from course.tables import whole_game
#
# whole_game("dominoes")

# %% [markdown]
# **How things are written.** `Domino(2, 4)` is a tile in one presentation, and `str` writes it as people do: `2-4`.
# A hand and the stock are tuples of tiles. A chain is `EMPTY` (the one value of the class `Empty`) or a `Chain`, which
# holds the number at its left end, its text, ready to print, and the number at its right end:
# `Chain(3, "3-6 6-5 5-5 5-0 0-0 0-4", 4)`, which is
#
# ```draw
# Chain(3, "3-6 6-5 5-5 5-0 0-0 0-4", 4) | left end 3, right end 4; or 🁌🁠🂋🁔🁣🀵, where a font has the tiles
# ```
#
# In some examples the text shows a chain that no game makes: the two numbers count. Players are `Human(1)`, `Bot(2)`,
# numbered from 1.

# %% [markdown]
# ## Legal moves
#
# A frozen value cannot be changed, only taken apart, and its parts made into another. Its parts have names:
#
# ```python
# >>> tile = Domino(2, 4)
# >>> tile.left + tile.right
# 6
# ```


# %%
def flip(domino: Domino) -> Domino:
    """Give `domino` in its other presentation.

    >>> flip(Domino(2, 3))
    Domino(3, 2)
    >>> flip(Domino(3, 3))
    Domino(3, 3)
    """
    return Domino(domino.right, domino.left)


# %% [markdown]
# All of this is **immutable**: nothing can be done to a tile or to a chain, there are only new ones. Before you take
# chains apart, one question that you can answer by now.

# %% active="ipynb"
# predict(
#     """
#     def is_empty(chain):
#         match chain:
#             case EMPTY:
#                 return True
#
#     is_empty(Chain(1, "1-2", 2))
#     """,
#     "None",
#     "True",
#     "an error",
#     why=(
#         "`case EMPTY:` captures. It fits every chain, and inside the function EMPTY is now a name for it. "
#         "`case Empty():`, with brackets, asks."
#     ),
# )

# %% [markdown]
# A chain is one of two things, and `match` tells them apart and takes them to pieces at once:
#
# ```python
# match chain:
#     case Empty():
#         print("nothing there yet")
#     case Chain(left, text, _):
#         print("begins with", left, "and reads", text)
# ```
#
# Mind the trap: write `case Empty():`, with the brackets. A bare name such as `case EMPTY:` does not compare, it
# *captures*: it fits everything, and `EMPTY` is now another name for the chain.
#
# A tile inside an f-string is written the way people write it: `f"{Domino(2, 4)} 4-1"` is `'2-4 4-1'`.


# %%
def append(domino: Domino, chain: AnyChain, end: End) -> Chain:
    """Give `chain` with `domino` added at its left `end`, '<', or its right one, '>'.

    The tile goes on as it is presented, whether it fits or not. On `EMPTY` both ends are the same.

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
# Data come first: which chains can there be at all? A chain says three things, a number, a text and a number, and
# they may contradict each other: `Chain(1, "6-5 2-4", 3)` is a value like any other, and no function complains of it.
# So write down once what must be true of every chain that a game makes, after each move: that is an **invariant**, and
# as a function it finds mistakes that nobody has thought of.
#
# `split` cuts a text at its blanks, or at something else:
#
# ```python
# >>> "mon-tue tue-wed".split(), "mon-tue tue-wed".split("-")
# (['mon-tue', 'tue-wed'], ['mon', 'tue tue', 'wed'])
# ```


# %%
def is_sound(chain: AnyChain) -> bool:
    """Tell whether the text of `chain` and its two ends agree; `EMPTY` is sound.

    They agree if and only if `left` is the first number in the text, `right` is the last, and wherever two tiles touch
    in the text, as they lie there, the two halves are equal. The text itself is well-formed, such as `6-5 5-2`: one
    tile or more, a blank between them, each half a digit. Whether a tile is there twice does not matter.

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
            places = f"{left} {text} {right}".split("-")
            return all(before == after for before, after in map(str.split, places))


# %% [markdown]
# Here tiles are laid one after another at the right end, by somebody who forgets something. The number at the right
# end is as it should be after each move. Let your function find the first chain that is not sound: which line has to
# be mended?

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
# A tile may go to either end, in either presentation. Before you write a line, list the cases on paper. When is there
# no chain, when one, when are there two? And which cases are the same? A chain with equal ends has, for us, only its
# left end. A double has only one presentation, and must not be counted twice.
#
# ```draw
# Domino(6, 5) | or | Domino(5, 6) | here? → | Chain(6, "6-1 1-1 1-5", 5) | ← or here?
# ```
#
# This is the heart of the unit: take your time.
#
# **Catch the impostors first.** Fifteen answers that people gave, all wrong, lie face down under the next cell. Read in
# the cell after it what `legal_adds` gives; then write examples, the arguments and what should come, until every one of
# them is caught. Nothing is marked here.

# %% active="ipynb"
# from course.check import catch, example
#
# catch(
#     # in place of the dots: a tuple of chains, as `legal_adds` is to give it
#     example("legal_adds", (Domino(1, 2), EMPTY), ...),
#     example("legal_adds", (Domino(1, 2), Chain(2, "2-5 5-6", 6)), ...),
#     # more examples of your own, a line each
# )


# %%
def legal_adds(domino: Domino, chain: AnyChain) -> tuple[Chain, ...]:
    """Give the chains that laying `domino` on `chain` can make, the one with the tile at the left end first.

    The tile is turned so that the halves that touch are equal; at either end that fits it makes one chain. If both
    ends of the chain are the same number, only the left one is used. On `EMPTY` there is one chain: the tile
    as it is presented. The ends of a chain are its `left` and `right`, whatever its text says.

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
# Hold a tile to a chain, and see what your function gives. What about the doubles? Try other chains, `EMPTY` too.

# %% active="ipynb"
# from course.tables import try_tile
#
# try_tile(Chain(6, "6-1 1-4", 4))

# %% [markdown]
# To keep some of many things, put a condition into a comprehension. An empty tuple counts as false, any other as true:
#
# ```python
# >>> tuple(word for word in ("a", "", "tile") if word)
# ('a', 'tile')
# ```


# %%
def possible_dominoes(hand: Hand, chain: AnyChain) -> Hand:
    """Give the tiles of `hand` that can be laid on `chain`, as they are presented, in the order of the hand.

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
#     hand = (Domino(3, 2), Domino(5, 4))
#     Domino(4, 5) in hand, Domino(5, 4) in hand
#     """,
#     "(False, True)",
#     "(True, True)",
#     "(False, False)",
#     why=(
#         "Two values of a class are equal when their parts are, in their order. That 4-5 and 5-4 are one "
#         "tile is our rule, not Python's: somebody has to say it."
#     ),
# )

# %% [markdown]
# ## Choosing a move
#
# A tile that is laid leaves the hand. Which tile it is does not depend on the way it lies: as you have just seen,
# somebody has to tell Python so.


# %%
def suppress(domino: Domino, hand: Hand) -> Hand:
    """Give `hand` without `domino`, in whichever presentation it is there, the other tiles left as they are.

    A hand never holds the same tile twice. If the tile is not there, nothing changes.

    >>> suppress(Domino(4, 5), (Domino(3, 2), Domino(5, 4), Domino(6, 3)))
    (Domino(3, 2), Domino(6, 3))
    >>> suppress(Domino(4, 5), (Domino(4, 5),))
    ()
    >>> suppress(Domino(2, 3), (Domino(1, 2), Domino(6, 5)))
    (Domino(1, 2), Domino(6, 5))
    """
    return tuple(other for other in hand if other not in (domino, flip(domino)))


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
#         "A function that is handed over is not called by that. `never` complains only if somebody calls "
#         "it, and with a short text nobody does."
#     ),
# )

# %% [markdown]
# A function that takes functions is **higher-order**. Humans and bots choose in different ways, but what surrounds the
# choice is the same for both: is there anything to lay, is there only one tile, are there two ends? So the *ways to
# choose* become parameters, two functions, and the rest is written once:
#
# ```python
# def toss(on_heads: Callable[[], str], on_tails: Callable[[], str]) -> str:
#     return on_heads() if random_below(2) == 0 else on_tails()
# ```
#
# `transcript(f, x)` calls `f(x)`, and gives its result and the text that it printed, as a pair.
# To try it without a person and without chance, there are `first` and `second`, which select a tile,
# `left_end` and `right_end`, which select one of two chains, `left_aloud`, which prints that it selects the left one,
# and `never`, which complains if it is called at all.
#
# A turn, as the whole game will print it in the end (of these lines, this section prints the third):
#
# ```text
# Player 2 (bot)  :
#         hand : 6-3 4-2
#         to lay :             4-2
#         chain :              6-1 1-4 4-2
# ```


# %%
def input_move(
    select_domino: Callable[[Hand], Domino],
    select_end: Callable[[Chain, Chain], Chain],
    chain: AnyChain,
    hand: Hand,
) -> Move | None:
    r"""Give the hand and the chain after a move, or None, and print nothing, if no tile of `hand` can be laid.

    If one tile can be laid, it is, after printing `\tforced move :        6-5` (the tile as it is in the hand; between
    the tab and the tile are 21 characters). If several can, `select_domino(possible)` gives the one to lay, `possible`
    being those tiles in the order of the hand. Then, and for a forced tile too, if `legal_adds` gives two chains for
    the tile, `select_end(left, right)` gives one of them. Neither is called when there is nothing to select.

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
# A bot is `input_move` with two choices made by chance. `choose` picks one of the things in a tuple:
#
# ```python
# >>> choose(("heads", "tails"))
# 'tails'
# ```
#
# A script can rule in the place of chance. `transcript(f, x, chance=(2, 0))` calls `f(x)`, and the first choice in it
# is number 2 (counted from 0), the next one number 0. That works only if everybody knows when chance is asked, and
# what for: so the statements say it. (One number, `chance=7`, is no script but a seed.)


# %%
def input_bot_move(chain: AnyChain, hand: Hand) -> Move | None:
    r"""Give the hand and the chain after a bot's move, by `input_move`, which must be used: at random.

    Chance is asked with `choose`, only where there is something to select: first for one of the possible tiles, in the
    order of the hand, then for one of the pair (left chain, right chain). A tile that was selected (not a
    forced one) is printed as `\tto lay :             4-2`, as it is in the hand, again after 21 characters.

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
# A person has to be asked, and asked again until the answer makes sense. That is given:
# `input_valid(prompt, is_valid, cast)` prints the prompt, reads lines until `is_valid(line)`, saying `Try again!` after
# each of the others, and gives `cast(line)`. Here is someone's age in months:
#
# ```python
# >>> transcript(input_valid, "Your age?", str.isdecimal, lambda line: 12 * int(line), typed=("ten", "", "10"))
# (120, 'Your age?\nTry again!\nTry again!\n')
# ```
#
# `typed` are the lines that a person would type. Which answers are valid, and what each of them means, are two sides of
# one thing: think of a `dict`. And mind that `"" in "<>"` is true.


# %%
def input_human_move(chain: AnyChain, hand: Hand) -> Move | None:
    r"""Give the hand and the chain after a human's move, by `input_move`, which must be used, and `input_valid`.

    Where a tile is to be selected, asks `\tWhich domino do you want to lay? ` until one of the possible tiles is typed,
    as two digits, in either presentation: `64` or `46` for 6-4. That only says which tile: what is selected is the tile
    as it is in the hand. Where an end is to be selected, asks `\tAt which end? ` until `<` (left) or `>` (right) is
    typed. Only these exact lines are valid.

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
#         "Arguments come first: both calls of `label` are over, with all that they print, before the outer "
#         "`print` begins. Printing is a side effect, so the order of the calls shows. In a pure function "
#         "nobody could tell."
#     ),
# )

# %% [markdown]
# ## A whole turn
#
# What is printed is a **side effect**: it happens, whatever the value is. So first the texts, which are **pure**: they
# print nothing, and can be tried by themselves. The labels of humans and bots are equally long, so that what follows
# them stands in one column.


# %%
def string_of_player(player: Player) -> str:
    """Give the label of `player`, that of a bot with two blanks at its end, as long as that of a human.

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
# `join` is asked of the text that goes *between* the others: `", ".join(("a", "b", "c"))` is `'a, b, c'`.
# It takes texts only, and `str` makes a tile one. What does it make of no texts at all?


# %%
def string_of_dominoes(dominoes: Hand) -> str:
    """Give `dominoes` as text, as they are presented, with one blank between two tiles.

    >>> string_of_dominoes(())
    ''
    >>> string_of_dominoes((Domino(5, 6),))
    '5-6'
    >>> string_of_dominoes((Domino(5, 6), Domino(4, 4), Domino(3, 3), Domino(1, 1), Domino(2, 2)))
    '5-6 4-4 3-3 1-1 2-2'
    """
    return " ".join(map(str, dominoes))


# %% [markdown]
# Two more texts, and both are small. Which of the two kinds of chain has a text?


# %%
def string_of_chain(chain: AnyChain) -> str:
    """Give the text of `chain`, that of `EMPTY` being the empty text.

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
# A pair is taken apart by naming its parts: `name, age = ("Ada", 36)`. In a text `\t` is a tab.


# %%
def string_of_state(state: State) -> str:
    r"""Give the label of a player, a colon, a tab, and the hand, as text.

    >>> string_of_state(((Domino(1, 2), Domino(6, 5), Domino(4, 3)), Bot(1))), string_of_state(((), Human(2)))
    ('Player 1 (bot)  :\t1-2 6-5 4-3', 'Player 2 (human):\t')
    """
    hand, player = state
    return f"{string_of_player(player)}:\t{string_of_dominoes(hand)}"


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
#         "`hand` is what it was. A new tuple was made from its parts, and another one from that. An old "
#         "name keeps its old value, which is why a game can be looked back at, and why a name that you "
#         "forgot to replace shows the state before."
#     ),
# )

# %% [markdown]
# Drawing moves tiles from the front of the stock to the front of the hand, one by one. Where does the tile that was
# drawn first end up? Two good ways lead there: a recursion, in which each step moves one tile and there are two
# reasons to stop (with 55 tiles at the most it need not be on a trampoline), or slices, which don't mind going too far:
#
# ```python
# >>> (1, 2, 3)[:10], (1, 2, 3)[10:], (1, 2, 3)[::-1]
# ((1, 2, 3), (), (3, 2, 1))
# ```


# %%
def take(hand: Hand, n: TileCount, stock: Stock) -> tuple[Hand, Stock]:
    """Give the hand and the stock after `n` tiles moved, one by one, from the front of `stock` to the front of `hand`.

    If the stock holds fewer than `n`, all of it is taken. `n` is never negative.

    >>> take((Domino(1, 1), Domino(2, 2)), 0, (Domino(3, 3), Domino(4, 4), Domino(5, 6)))
    ((Domino(1, 1), Domino(2, 2)), (Domino(3, 3), Domino(4, 4), Domino(5, 6)))
    >>> take((Domino(1, 1), Domino(2, 2)), 2, (Domino(3, 3), Domino(4, 4), Domino(5, 6)))
    ((Domino(4, 4), Domino(3, 3), Domino(1, 1), Domino(2, 2)), (Domino(5, 6),))
    >>> take((Domino(1, 1), Domino(2, 2)), 42, (Domino(3, 3), Domino(4, 4), Domino(5, 6)))
    ((Domino(5, 6), Domino(4, 4), Domino(3, 3), Domino(1, 1), Domino(2, 2)), ())
    """
    return stock[:n][::-1] + hand, stock[n:]


# %% [markdown]
# Now put a turn together: who is it, what do they hold, what do they do, and what if they can't do anything? The answer
# `None` of `input_move` was made for the last question. Mind the orders: a move is hand and chain, `take` gives hand
# and stock, and you give stock, chain, hand. A pattern can tell `None` from a pair:
#
# ```python
# match divmod(7, 2) if lucky else None:
#     case (quotient, remainder):
#         print(quotient, remainder)
#     case None:
#         print("no luck")
# ```


# %%
def move(stock: Stock, chain: AnyChain, hand: Hand, player: Player) -> tuple[Stock, AnyChain, Hand]:
    r"""Give the stock, the chain and the hand after a turn of `player`, and print what happens in it.

    Prints the player's label with a colon, then the hand as `\thand : 6-3 4-2` (only `\thand : ` if it is empty), then
    what `input_human_move` or `input_bot_move` prints. If no move is possible, prints `\tNo possible move!`, and the
    player takes two tiles, as far as the stock goes. The chain is not printed.

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


# %% active="ipynb"
# predict(
#     """
#     tuple(range(3, 0, -1)), tuple(range(0, 3, -1)), tuple(range(3))
#     """,
#     "((3, 2, 1, 0), (0,), (0, 1, 2, 3))",
#     "((3, 2, 1), (), (0, 1, 2))",
#     "((3, 2, 1), (2, 1, 0), (0, 1, 2))",
#     why=(
#         "A `range` begins with its first number and never gives its end. Down from 0 to 3 there is "
#         "nothing to give: that is no error."
#     ),
# )

# %% [markdown]
# ## Setting up a game
#
# Every pair once, the greater half on the left: that is two loops, the inner one going as far as the outer one has
# come. A comprehension may hold both. `range` can go down; where does it stop?
#
# ```python
# >>> tuple(word[:n] for word in ("ace", "no") for n in range(len(word), 0, -1))
# ('ace', 'ac', 'a', 'no', 'n')
# ```


# %%
def make_dominoes(highest: Highest) -> Stock:
    """Give all the tiles from 0-0 to `highest`-`highest`, in descending order, the greater half on the left.

    >>> make_dominoes(1)
    (Domino(1, 1), Domino(1, 0), Domino(0, 0))
    >>> make_dominoes(3)[:6]
    (Domino(3, 3), Domino(3, 2), Domino(3, 1), Domino(3, 0), Domino(2, 2), Domino(2, 1))
    >>> make_dominoes(3)[6:]
    (Domino(2, 0), Domino(1, 1), Domino(1, 0), Domino(0, 0))
    """
    return tuple(Domino(left, right) for left in range(highest, -1, -1) for right in range(left, -1, -1))


# %% [markdown]
# In some functional languages, OCaml for one, a text is not a list of characters, and has to be made one. In Python it
# nearly is: whatever walks through a tuple walks through a text, too. So this is short, and you will hardly need it.


# %%
def char_list_of_string(text: str) -> tuple[str, ...]:
    """Give the characters of `text`, in order.

    >>> char_list_of_string("")
    ()
    >>> char_list_of_string(" a\\tb-a\\n")
    (' ', 'a', '\\t', 'b', '-', 'a', '\\n')
    """
    return tuple(text)


# %% [markdown]
# Who sits at the table is written in one letter each. Counting along while walking is what `enumerate` does, from any
# number on: `tuple(enumerate("ab", 7))` is `((7, 'a'), (8, 'b'))`.


# %%
def players_of_string(players: Seats) -> tuple[Player, ...]:
    """Give the players that the letters of `players` stand for, H a human and B a bot, numbered from 1.

    There are no other letters.

    >>> players_of_string("BHHB")
    (Bot(1), Human(2), Human(3), Bot(4))
    """
    letters = char_list_of_string(players)
    return tuple(Human(number) if letter == "H" else Bot(number) for number, letter in enumerate(letters, 1))


# %% [markdown]
# Some questions have no answer, and then it is better to stop than to make one up. `raise` does that:
#
# ```python
# raise ValueError("what is wrong, in a few words")
# ```


# %%
def get_hand_size(count: HeadCount) -> int:
    """Give the number of tiles that each of `count` players gets: 7 for two of them, 6 for three or four.

    ValueError, with the message below, for any other number of players.

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
#         "What a fold carries along, the accumulator, may be a pair: each step takes it apart and makes "
#         "the next one."
#     ),
# )

# %% [markdown]
# Dealing is a walk over the players on which something changes at each step: the stock shrinks, the states grow. A walk
# with a changing something is a fold, and the something, the **accumulator**, may be a pair. Here it is the sum so far,
# and the sums before:
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
    """Give the stock and the states when `dominoes` are dealt to `players`; a state is a pair, hand and player.

    Each in turn takes a whole hand off the front, as `take` does, into an empty hand. If there are not enough tiles,
    the last hands stay short, or empty. ValueError, as `get_hand_size` has it, unless there are 2 to 4 players.

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
# ## The game itself
#
# A shuffle is *fair* if every order is equally likely. Of three things there are six orders, of the 28 tiles about
# 3 · 10²⁹. Many ways that look fair are not: to swap every tile with one at a random place, say, or to sort with a
# comparison that tosses a coin. (Count for three tiles: 27 equally likely ways to swap cannot be shared evenly among
# six orders.)
#
# A way that is fair is the one that you would take with a bag: which tile comes out first? And then?
# `random_below(n)` gives a random number from 0 to n - 1, all equally likely.


# %%
def list_shuffle(items: tuple[T, ...]) -> tuple[T, ...]:
    """Give `items` in a random order, every order equally likely.

    Chance comes from `random_below` or `choose`, and you may ask it in any way you like. Items may be equal. There are
    at most 100 of them, or none, so a plain recursion will do.

    >>> sorted(list_shuffle((3, 1, 3)))
    [1, 3, 3]
    >>> len({list_shuffle((1, 2, 3)) for _ in range(200)})
    6
    """
    if not items:
        return ()
    place = random_below(len(items))
    return items[place], *list_shuffle(items[:place] + items[place + 1 :])


# %% [markdown]
# Enough is there to play at a table: your functions shuffle, deal, find the moves and make them. The slider goes back
# to any moment of the game, and on from there: a value that was there once is still there. `H` is you, `B` is a bot.

# %% active="ipynb"
# from course.tables import domino_table
#
# domino_table("HBB")

# %% [markdown]
# What stays true from turn to turn, whatever is played, is an **invariant** as well: here all tiles of the set are in
# the stock, in the hands or on the chain, each once. It is a good question to ask of every function that you suspect.
#
# Everything is there; what is left is the course of a game. Ask yourself what changes from turn to turn: these are the
# parameters of a local function that calls itself in the end. Whose turn it is can be told by the order of the
# states: the player at the front moves, and goes to the back.
#
# Python stops at about 1,000 calls inside each other. If nothing is left to do after a call, `@tail_recursive` makes do
# without them: write `return recur(...)` where the function calls itself, and it can go on for ever.
#
# ```python
# @tail_recursive
# def count_down(n: int) -> str:
#     return "lift-off" if n == 0 else recur(n - 1)
# ```
#
# And think about the end. When is it a draw? If every player has passed, one after the other, can the next one move?
# What if one of them has drawn tiles?
#
# To try it, give a seed: `transcript(play, 6, "BB", chance=7)` is the same game each time. About one seed in five
# makes a draw.


# %%
def play(highest: Highest, players: Seats) -> None:
    r"""Make a game of `players` with the tiles up to `highest`, and print it.

    The tiles of `make_dominoes(highest)` are shuffled once, by `list_shuffle`, and dealt by `make_state_list`.
    ValueError, and nothing is printed, unless there are 2 to 4 players. Prints a line for each player's state, as
    `string_of_state` has it. Then the players move in turn, the first one first, and after each `move`, a pass too,
    comes the chain, as `\tchain :              2-0 0-0`.

    The game ends when a player has laid their last tile: the last line is `Player 1 (bot) wins!`, without the blanks
    that fill up a label. (With few tiles a hand may be empty from the start: its player passes, and has won nothing.)
    Or it ends when all players, one after the other, have passed without drawing a tile: `It's a draw!`.

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
    def ending(stock: Stock, chain: AnyChain, states: tuple[State, ...], passes: int) -> str:
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
    print(ending(stock, EMPTY, states, 0))


# %% [markdown]
# ## Play
#
# Watch three bots. To take a seat yourself, run `play(6, "HB")` in a cell of your own (type a tile
# as two digits, and `<` or `>`), or sit down at the table.

# %% active="ipynb"
# play(6, "BBB")

# %% active="ipynb"
# domino_table("HBBB")

# %% [markdown]
# ## A type of your own
#
# Chains and players were types of two kinds that somebody else had thought out. Now think one out: what can happen in a
# turn? A tile was laid, at one of the ends; or tiles were drawn; or the player could only pass. That is a **sum type**
# of three cases, and each case is a frozen record, with its own parts. In the next cell one of the three is there.
# Define `Laid`, with a `domino` and an `end`, and `Drew`, with a `count`, name all three in `Event`, and give `told` a
# case for each, so that `told(Laid(Domino(6, 4), "<"))` is `'lays 6-4 at the left'` and `told(Drew(2))` is `'draws 2'`.
#
# Nothing is marked here. Done? Then how many tiles were drawn in a whole game, if it is a tuple of such events? (That
# is a fold.)

# %% active="ipynb"
# from course.values import value
#
#
# @value
# class Passed:
#     """Nothing could be laid, and nothing was left to draw."""
#
#
# Event = Passed  # yours: Laid | Drew | Passed
#
#
# def told(event: Event) -> str:
#     match event:
#         case Passed():
#             return "passes"
#
#
# tuple(map(told, (Passed(), Passed())))  # add a Laid and a Drew

# %% [markdown]
# ## Go further
#
# Build a variant: in *All fives* the ends count. After each turn add up what lies open at both ends, and whoever makes
# a multiple of five scores it.
#
# ```draw
# Chain(6, "6-6 6-2", 2) | 6 + 2 = 8: nothing
# Chain(6, "6-6 6-2 2-4", 4) | 6 + 4 = 10: ten points for whoever laid | Domino(2, 4)
# ```
#
# Which functions need to know? A chain has two ends already; a state would need a score. Or let a bot think: with
# `input_move` any way to choose is a bot, say one that lays its heaviest tile.
#
# <details><summary>Where it comes from</summary>
#
# A students' project in **OCaml**, by Aristide Grange at the Université de Lorraine, 2021. A tile is a type of one
# case there, and turning it round takes a line:
#
# ```ocaml
# let flip (D (left, right)) = D (right, left)
# ```
#
# Every function of several arguments is curried there, so a bot is no function that anybody writes: it is `input_move`
# with its first two arguments given. In Python that is `partial(input_move, select_domino, select_end)`.
#
# </details>
