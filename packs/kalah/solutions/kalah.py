# %% [markdown]
# # Kalah
#
# **The board.** Two players sit at a board. Each of them has a row of *houses*, usually six, and a larger hole on the
# right, the *store*. At the beginning there are four *seeds* in each house, and the stores are empty.
#
# **A move.** You take all seeds out of one of your houses and *sow* them: one seed into each hole that follows. Your
# houses come first, then your store, then the houses of the other player, then your own houses again. You leave out the
# other player's store.
#
# - If the last seed falls into your store, it is your turn again.
# - If the last seed falls into one of your own houses, and that house was empty, you *capture*. This seed and all seeds
#   in the house opposite go to your store. If the house opposite is empty, nothing happens.
#
# **The end.** When all houses of a player are empty, the game is over. The other player puts the seeds that are left
# into their own store. The player with more seeds wins.

# %%
from kalah_course.kalah import *

# %% [markdown]
# **First watch a whole game** between two bots, played by reference solutions. Go through it with *Next* and
# *Back*, the slider or its arrow keys.

# %% active="ipynb"
# from course.tables import whole_game
#
# whole_game("kalah")

# %% [markdown]
# **How a board is written.** A `Board` shows the game from the side of the player whose turn it is. First come their
# houses and their store, then the houses and the store of the other player. Here you have three houses. Your last
# house, next to your store, has two seeds:
#
# ```draw
# Board((0, 4, 2), 5, (1, 3, 0), 6)
# ```
#
# Houses are numbered like the items of a tuple: the first one is house 0. The players sit face to face, so your first
# house is opposite to the other player's last one.
#
# ## The board
#
# `*` repeats a tuple. A tuple with one item needs a comma:
#
# ```python
# >>> ("tick", "tock") * 2, ("tick",) * 3
# (('tick', 'tock', 'tick', 'tock'), ('tick', 'tick', 'tick'))
# ```


# %%
def opening(size: Size, seeds: Seeds) -> Board:
    """Return the board at the beginning: `size` houses for each player, and `seeds` seeds in each of them.

    >>> opening(3, 4)
    Board((4, 4, 4), 0, (4, 4, 4), 0)
    """
    row = (seeds,) * size
    return Board(row, 0, row, 0)


# %% [markdown]
# A board has four parts, and each has a name. A board never changes. You can only make another one from its parts:
#
# ```python
# >>> board = Board((0, 4), 5, (1, 3), 6)
# >>> board.theirs, board.other
# ((1, 3), 6)
# ```


# %%
def turn(board: Board) -> Board:
    """Return `board` as the other player sees it.

    >>> turn(Board((0, 4, 2), 5, (1, 3, 0), 6))
    Board((1, 3, 0), 6, (0, 4, 2), 5)
    """
    return Board(board.theirs, board.other, board.mine, board.store)


# %% [markdown]
# `enumerate` counts while you loop. In a comprehension, a condition keeps some of the items. The number 0 counts as
# false, and any other number as true:
#
# ```python
# >>> tuple(enumerate("kalah"))
# ((0, 'k'), (1, 'a'), (2, 'l'), (3, 'a'), (4, 'h'))
# >>> tuple(place for place, letter in enumerate("kalah") if letter == "a")
# (1, 3)
# ```


# %%
def legal_houses(board: Board) -> tuple[House, ...]:
    """Return the houses that the player can empty: the numbers of their houses with seeds, from low to high.

    >>> legal_houses(Board((0, 4, 2), 5, (1, 3, 0), 6))
    (1, 2)
    """
    return tuple(house for house, seeds in enumerate(board.mine) if seeds)


# %% [markdown]
# ## Sowing
#
# The holes that a sowing goes through form a ring. `ring(board)` returns the number of seeds in each of them. The
# *positions* in the ring are numbered from 0: your houses, your store, and the other player's houses. With three
# houses, your store is at position 3, and position 6 is the last one. After it comes position 0. `size_of(board)`
# returns how many houses each player has, and that is also the position of your store.
#
# The hours of a day form a ring, too. `%` is the remainder of a division, so full laps do not count:
#
# ```python
# >>> (22 + 5) % 24, (22 + 1) % 24, (22 + 50) % 24
# (3, 23, 0)
# ```


# %%
def landing(board: Board, house: House) -> int:
    """Return the position that the last seed reaches if the player sows the seeds of `house`, which is not empty.

    >>> landing(Board((1, 2, 4), 5, (1, 3, 0), 6), 1)
    3
    >>> landing(Board((1, 2, 4), 5, (1, 3, 0), 6), 2)
    6
    """
    return (house + board.mine[house]) % len(ring(board))


# %% active="ipynb"
# from course.check import predict
#
# predict(
#     "(2 + 7) % len(ring(Board((0, 0, 7), 5, (1, 3, 0), 6)))",
#     "2",
#     "9",
#     "0",
#     why="There are seven positions, so seven seeds make a full lap. The last one falls where the sowing began.",
# )

# %% [markdown]
# `count` counts how often an item is in a tuple. `range(1, 4)` stops before 4. A slice cuts out a part of a tuple:
#
# ```python
# >>> (3, 1, 3).count(3), (3, 1, 3).count(2), tuple(range(1, 4))
# (2, 0, (1, 2, 3))
# >>> "kalah"[:2], "kalah"[3:]
# ('ka', 'ah')
# ```
#
# `put(houses, house, seeds)` returns `houses` with another number of seeds in one house: `put((4, 4, 4), 1, 0)` is
# `(4, 0, 4)`. In a tuple, a star spreads the items of another one:
#
# ```python
# >>> (*(4, 0, 4), 1, *(5, 5))
# (4, 0, 4, 1, 5, 5)
# ```


# %%
def sow(board: Board, house: House) -> Board:
    """Return `board` after the player has sown the seeds of `house`, which is not empty. Nothing is captured yet.

    If there are many seeds, the sowing goes round more than once. Then `house` itself gets a seed, too.

    >>> sow(Board((4, 4, 4), 0, (4, 4, 4), 0), 1)
    Board((4, 0, 5), 1, (5, 5, 4), 0)
    >>> sow(Board((0, 0, 8), 2, (0, 0, 0), 2), 2)
    Board((1, 1, 1), 4, (1, 1, 1), 2)
    """
    given = tuple((house + step) % len(ring(board)) for step in range(1, board.mine[house] + 1))
    lifted = (*put(board.mine, house, 0), board.store, *board.theirs)
    sown = tuple(seeds + given.count(position) for position, seeds in enumerate(lifted))
    store = size_of(board)
    return Board(sown[:store], sown[store], sown[store + 1 :], board.other)


# %% [markdown]
# ## Capturing
#
# The next function gets the board after a sowing, and the position of the last seed. How can it know whether the house
# was empty before? Look at the number of seeds that are there now.
#
# **Find the wrong answers first.** Each card under the next cell is a wrong answer that somebody could write. The cell
# after it says what `capture` returns. Write examples until you have caught all of them. There are no points for
# catching them.

# %% active="ipynb"
# from course.check import catch, example
#
# catch(
#     # replace the dots by the board that `capture` must return
#     example("capture", (Board((1, 0), 0, (2, 3), 0), 0), ...),
#     # add more examples, one on each line
# )


# %%
def capture(board: Board, position: int) -> Board:
    """Return `board` after a capture, if there is one; `position` is where the last seed of a sowing has fallen.

    There is a capture if `position` is one of the player's houses, that seed is alone there, and the house opposite has
    seeds. The seeds of both houses go to the player's store.

    >>> capture(Board((1, 0, 2), 5, (4, 3, 6), 7), 0)
    Board((0, 0, 2), 12, (4, 3, 0), 7)
    >>> capture(Board((1, 0, 2), 5, (4, 3, 6), 7), 2)
    Board((1, 0, 2), 5, (4, 3, 6), 7)
    """
    opposite = size_of(board) - 1 - position
    if position >= size_of(board) or board.mine[position] != 1 or not board.theirs[opposite]:
        return board
    store = board.store + 1 + board.theirs[opposite]
    return Board(put(board.mine, position, 0), store, put(board.theirs, opposite, 0), board.other)


# %% [markdown]
# `any` returns whether one of the items is true. With numbers, it returns whether one of them is not 0. `sum` adds up
# numbers, from 0 or from another start:
#
# ```python
# >>> any((0, 2, 1)), any((0, 0)), sum((0, 2, 1)), sum((0, 2, 1), 10)
# (True, False, 3, 13)
# ```


# %%
def sweep(board: Board) -> Board:
    """Return `board` after the end, if a player has only empty houses: each player's seeds go to their own store.

    If both players have seeds in their houses, nothing changes.

    >>> sweep(Board((0, 0, 0), 5, (1, 3, 0), 6))
    Board((0, 0, 0), 5, (0, 0, 0), 10)
    >>> sweep(Board((0, 0, 2), 5, (1, 3, 0), 6))
    Board((0, 0, 2), 5, (1, 3, 0), 6)
    """
    if any(board.mine) and any(board.theirs):
        return board
    empty = (0,) * size_of(board)
    return Board(empty, sum(board.mine, board.store), empty, sum(board.theirs, board.other))


# %% [markdown]
# ## A move
#
# Now put your functions together. `raise` stops a function with an error, for calls that make no sense. An f-string
# writes a value into its text:
#
# ```python
# >>> name = "store"
# >>> f"your {name} is full"
# 'your store is full'
# ```
#
# ```python
# def half(n: int) -> int:
#     if n % 2 == 1:
#         raise ValueError(f"{n} is odd")
#     return n // 2
# ```
#
# `… if … else …` chooses one of two values:
#
# ```python
# >>> "even" if 7 % 2 == 0 else "odd"
# 'odd'
# ```


# %%
def move(board: Board, house: House) -> tuple[Board, bool]:
    """Return the board after the player has emptied `house`, and whether the same player moves again.

    Sow the seeds, capture, and sweep. A player whose last seed falls into the store moves again, even if the game is
    over. The board in the result is as the next player sees it. Raise ValueError if `house` is empty.

    >>> move(Board((1, 0, 2), 5, (4, 3, 6), 7), 0)
    (Board((4, 0, 6), 7, (0, 0, 2), 9), False)
    >>> move(Board((4, 0, 1), 5, (4, 3, 6), 7), 2)
    (Board((4, 0, 0), 6, (4, 3, 6), 7), True)
    >>> move(Board((4, 0, 1), 5, (4, 3, 6), 7), 1)
    Traceback (most recent call last):
    ValueError: house 1 is empty
    """
    if not board.mine[house]:
        raise ValueError(f"house {house} is empty")
    last = landing(board, house)
    again = last == size_of(board)
    after = sweep(capture(sow(board, house), last))
    return (after if again else turn(after)), again


# %% active="ipynb"
# predict(
#     "any(put((0, 0, 1), 2, 0))",
#     "False",
#     "True",
#     "(0, 0, 0)",
#     why="The only house with seeds is emptied, so no house has seeds left. `any` returns whether one is not 0.",
# )


# %% [markdown]
# ## Bots
#
# A move does not change the board: it returns another one. So a bot can try each move and look at what happens. It can
# even look at the answers to that move, and at the answers to these answers.
#
# A good move for one player is bad for the other. If the other player leads by three seeds, your lead is -3. `max`
# returns the greatest of many items, or the `default` if there are none:
#
# ```python
# >>> max((-n * n for n in (2, 1, 3)), default=0), max((), default=0)
# (-1, 0)
# ```
#
# A function can call itself, with less to do. The last call must return without calling the function again:
#
# ```python
# def hops(n: int) -> str:
#     return "hop " + hops(n - 1) if n else "stop"
# ```


# %%
def lead(board: Board, house: House, depth: int) -> int:
    """Return the lead after the player has emptied `house`: the player's store minus the other player's store.

    `house` has seeds. The lead is negative if the other player's store has more seeds. With a `depth` of 0, return the
    lead just after this move. Otherwise, return the lead after `depth` more moves, or fewer if the game is over. In
    each of these moves, the player whose turn it is makes the move that brings them the best lead.

    >>> lead(Board((1, 0, 2), 5, (4, 3, 6), 7), 0, 0)
    2
    >>> lead(Board((1, 0, 2), 5, (4, 3, 6), 7), 0, 1)
    -1
    """
    after, again = move(board, house)
    houses = legal_houses(after) if depth else ()
    best = max((lead(after, each, depth - 1) for each in houses), default=after.store - after.other)
    return best if again else -best


# %% [markdown]
# `max` compares the results of the function that you pass as `key`. If several items are equally good, `max` returns
# the first of them. A `lambda` is a function without a name:
#
# ```python
# >>> max(("a", "ccc", "bbb"), key=lambda word: len(word))
# 'ccc'
# ```


# %%
def greedy(board: Board) -> House:
    """Return the house with the best lead just after the move; if several are equally good, the first of them.

    The player has at least one house with seeds.

    >>> greedy(Board((1, 0, 2), 5, (4, 3, 6), 7))
    0
    """
    return max(legal_houses(board), key=lambda house: lead(board, house, 0))


# %% [markdown]
# Play against your bot. You are South: your houses are below, and your store is on the right.

# %% active="ipynb"
# from kalah_course.kalah.table import kalah_table
#
# kalah_table()

# %% [markdown]
# Your bot is greedy: it takes as many seeds as it can, and forgets that the other player moves, too. In the last
# exercise you write a bot that beats it. There are many ways to do that. Boards have four houses on each side, so your
# bot has time to look ahead. But it must answer within a second.
#
# One game proves little. So the cell after the exercise lets the bots play many games, from boards that are drawn at
# random.


# %%
def clever(board: Board) -> House:
    """Return a house with seeds, so well chosen that this bot beats `greedy` far more often than it loses.

    In a deal, both players begin with the same four houses. Each house has 1 to 5 seeds, by chance. Each bot begins in
    60 deals.

    >>> clever(Board((0, 0, 5), 5, (4, 3, 6), 7))
    2
    """
    return max(legal_houses(board), key=lambda house: lead(board, house, 2))


# %% active="ipynb"
# from course.arena.contests import tournament_in
# from kalah_course.kalah.contest import ARENA
#
# tournament_in(ARENA, (clever, greedy), 20)
