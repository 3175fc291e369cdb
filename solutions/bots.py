# %% [markdown]
# # Bots: a stupid one, a smart one, and yours
#
# In this unit the game is already written, and you write *bots*, which are programs that play it. The game is similar
# to Uno. The bots play in an *arena*, a program that plays a thousand games in a few seconds.
#
# <details><summary>The cards and the rules</summary>
#
# **The cards.** There are 108 cards. Each of four colors has one card with the digit 0, and two cards with each digit
# from 1 to 9. Each color also has two *draw twos*, two *reverses* and two *skips*. Four *wilds* and four *wild draw
# fours* have no color. A card is `Card(RED, 7)`, `Card(BLUE, SKIP)` or `Card(None, WILD)`. The value of a card is a
# number, so cards can be ordered by value:
#
# | digits | `DRAW_TWO` | `REVERSE` | `SKIP` | `WILD` | `WILD_DRAW_FOUR` |
# |---|---|---|---|---|---|
# | 0 to 9 | 10 | 11 | 12 | 13 | 14 |
#
# Draw two, reverse and skip are the *action* cards, for which `is_action(card)` is true. Wild and wild draw four are
# the *wild* cards, for which `is_wild(card)` is true.
#
# **A set** ends when a player has no cards left. The winner scores the values of the cards that the others still hold.
# **A game** consists of many sets, until a player has 500 points. In each turn, you play a wild, or a card with the
# value of the top card, or a card of the *color to follow*. This is the color of the top card, or the color chosen
# after a wild. The section *The rules* has the full rules.
#
# </details>

# %%
from course.bots import *

# %% [markdown]
# **First watch a whole set** between the two bots that you are going to write, played by reference solutions. Go
# through the set with *Next* and *Back*, with the slider, or with the arrow keys.

# %% active="ipynb"
# from course.tables import whole_game
#
# whole_game("bots")

# %% [markdown]
# The next question is about a mistake that you know from Uno.

# %% active="ipynb"
# predict(
#     """
#     def is_skip(card):
#         match card:
#             case Card(_, SKIP):
#                 return True
#             case _:
#                 return False
#
#     is_skip(Card(RED, 7)), Card(RED, 7).value == SKIP
#     """,
#     "(False, False)",
#     "(True, False)",
#     "an error",
#     why=(
#         "SKIP in the pattern is a bare name: it captures the value, so the case matches every card. "
#         "In this unit values are plain numbers: compare them with `==`."
#     ),
# )

# %% [markdown]
# ## A hand in order
#
# Both bots sort their cards from low to high. Python's `sorted` takes a `key`, which is a function that returns the
# value by which an item is sorted. `sorted` is *stable*: items with equal keys keep their order.
#
# ```python
# >>> tuple(sorted(("pear", "fig", "plum", "kiwi"), key=len))
# ('fig', 'pear', 'plum', 'kiwi')
# ```


# %%
def by_value(hand: Hand) -> Hand:
    """Return the cards of `hand` by ascending value; cards of equal value keep their order.

    >>> by_value((Card(None, WILD), Card(RED, 7), Card(BLUE, SKIP), Card(GREEN, 0)))
    (Card(GREEN, 0), Card(RED, 7), Card(BLUE, SKIP), Card(None, WILD))
    >>> by_value((Card(RED, 7), Card(YELLOW, 7), Card(BLUE, 2), Card(RED, 7)))
    (Card(BLUE, 2), Card(RED, 7), Card(YELLOW, 7), Card(RED, 7))
    """
    return tuple(sorted(hand, key=lambda card: card.value))


# %% [markdown]
# **Change a function that works.** Copy `by_value` into a cell of your own and rename it to `by_color`. Change the copy
# so that all cards of one color are next to each other. `str(card.color)` is a good key. In the result of the copy, in
# which order are cards of the same color?

# %% active="ipynb"
# predict(
#     """
#     3 == 3 < 5, 7 == 7 < 5, (3 == 3) < 5
#     """,
#     "(True, False, True)",
#     "(True, True, True)",
#     "(False, False, True)",
#     why=(
#         "A chain tests both: 7 == 7, and 7 < 5. With parentheses it is another test: True counts as 1, "
#         "and 1 < 5."
#     ),
# )

# %% [markdown]
# **Before you go on: three questions.** Answer each question aloud or on paper before you open its answer.
#
# <details><summary>In Uno, what was a <em>strategy</em>?</summary>
#
# A strategy was a function that takes seven values and returns a move. The engine takes strategies as parameters, so
# the engine is **higher-order**.
#
# </details>
#
# <details><summary>How do you test whether <code>find(test, items)</code> has found an item?</summary>
#
# If no item passes the test, `find` returns `None`. So test the result with `if found is not None`. An item that counts
# as false, such as 0 or (), is still an item that was found.
#
# </details>
#
# <details><summary>In Basra, why was <code>produce_shuffled_deck</code> not pure?</summary>
#
# Because `produce_shuffled_deck` used chance: two calls with the same arguments return different results. In this unit
# a random number is an *argument* of the bots, so the bots stay pure.
#
# </details>

# %% [markdown]
# ## The rules
#
# <details><summary>All rules, and what is different in your Uno</summary>
#
# **A set.** Two to ten players get seven cards each, and a card with a digit begins the pile. The players take turns.
# In your turn, play a card that has the color to follow or the value of the top card, or play a wild. If you can play a
# card, you must. If you cannot play a card, draw one card. You may play the drawn card at once if it can be played.
#
# - *Wild.* The player chooses the color to follow.
# - *Wild draw four.* Play it only if you can play nothing else, not even a plain wild. You choose a color, too.
# - *Reverse.* The direction of play changes. If there are only two players, a reverse changes nothing.
# - *Skip, draw two, wild draw four.* The next player loses the turn. If there are only two players, you move again.
# - *Draw two, wild draw four.* The next player must also draw two or four cards, and cannot play a card instead.
#
# When the stock is empty, the cards of the pile below its top card become the stock. The set ends when a player plays
# their last card. If the last card is a draw two or a wild draw four, the next player draws two or four cards before
# the winner scores. The winner scores the cards that the other players hold: a digit is worth its number, an action 20,
# a wild 50. A set of more than a thousand turns is stopped, and nobody scores.
#
# **A game** consists of sets, until a player has 500 points. After each set, the first turn goes to the next player.
# After 500 sets the game ends without a winner. A player who is disqualified in a set is out of the game. If only one
# player is left, this player wins the game.
#
# | unlike your Uno | there | here |
# |---|---|---|
# | *skip* and *draw two* | may be answered by the same kind of card | cost the turn at once |
# | *wild draw four* | costs four cards if you hold the required color | is illegal if you can play another card |
# | a card just drawn that fits | must be laid | may be kept |
# | the first card of the pile | any card except a wild, and it takes effect | a digit |
# | the end | one game | 500 points, over many sets |
#
# </details>
#
# ```draw
# top | Card(RED, 5) | color to follow: red
# your hand | Card(RED, 9), Card(BLUE, 5), Card(GREEN, 2), Card(None, WILD_DRAW_FOUR)
# ```

# %% [markdown]
# ## What can be played
#
# Begin with a function for one card. A card can fit the top card for three reasons. One reason is that both cards have
# the same value. Wilds have values, too, but a wild does not fit just because it has the same value. (You can chain
# comparisons, so `a == b < c` means `a == b` and `b < c`.)


# %%
def fits(card: Card, top: Card, color: Color) -> bool:
    """Return whether `card` fits on `top` when `color` is the color to follow, whatever other cards are in the hand.

    The card fits if it has that color, or if it is a plain wild. The card also fits if it is not wild and has the value
    of `top`. A wild draw four never fits, because the rest of the hand decides whether it may be played.

    >>> fits(Card(RED, 7), Card(RED, 2), RED), fits(Card(RED, 7), Card(BLUE, 7), BLUE)
    (True, True)
    >>> fits(Card(RED, 7), Card(BLUE, 2), BLUE), fits(Card(RED, SKIP), Card(BLUE, SKIP), BLUE)
    (False, True)
    >>> fits(Card(RED, 7), Card(None, WILD), RED), fits(Card(None, WILD_DRAW_FOUR), Card(None, WILD_DRAW_FOUR), RED)
    (True, False)
    >>> fits(Card(None, WILD), Card(BLUE, 2), BLUE), fits(Card(None, WILD_DRAW_FOUR), Card(BLUE, 2), BLUE)
    (True, False)
    """
    return card.color is color or card.value == top.value < WILD or card.value == WILD


# %% [markdown]
# A player sees the game as a `View`. For now you need only the first three fields of a view, as in `View(hand, top,
# color)`. This table shows all fields of a view, also those that you will need later:
#
# | field | | if you leave it out |
# |---|---|---|
# | `hand` | your cards, as a tuple | |
# | `top` | the card on top of the pile | |
# | `color` | the color to follow; after a wild the chosen one (in `choose_color`, the color before your wild) | |
# | `counts` | each player's number of cards, yours first, then round the table | `(7, 7)` |
# | `direction` | 1 or -1: the next player holds `counts[direction]` cards | 1 |
# | `roll` | a random number, new for each question; up to n = 12, all results of `roll % n` are equally likely | 0 |
# | `drawn` | for `play_drawn` the card just drawn, which is not in `hand` | `None` |
#
# You may play a wild draw four only when no other card can be played. In Python an empty tuple counts as false, and
# `or` returns one of its two sides. So if the tuple `a` is empty, `a or b` is `b`. If the tuple `a` is not empty, `a or
# b` is `a`:
#
# ```python
# >>> (1, 2) or ("none",), () or ("none",)
# ((1, 2), ('none',))
# ```


# %%
def playable_cards(view: View) -> Playable:
    """Return the cards of the hand that can be played, by ascending value; cards of equal value keep their order.

    Include the wild draw fours only if no other card can be played.

    >>> playable_cards(View((Card(RED, 9), Card(BLUE, 5), Card(RED, 2), Card(GREEN, 4)), Card(RED, 5), RED))
    (Card(RED, 2), Card(BLUE, 5), Card(RED, 9))
    >>> playable_cards(View((Card(None, WILD_DRAW_FOUR), Card(None, WILD), Card(BLUE, 5)), Card(RED, 7), RED))
    (Card(None, WILD),)
    >>> playable_cards(View((Card(None, WILD_DRAW_FOUR), Card(BLUE, 5), Card(None, WILD_DRAW_FOUR)), Card(RED, 7), RED))
    (Card(None, WILD_DRAW_FOUR), Card(None, WILD_DRAW_FOUR))
    """
    fitting = tuple(card for card in view.hand if fits(card, view.top, view.color))
    return by_value(fitting) or tuple(card for card in view.hand if card.value == WILD_DRAW_FOUR)


# %% [markdown]
# ## What no bot may do
#
# Think about the data first: which choices do the rules allow? A bot that breaks the rules returns cards like any other
# bot, and in most sets nobody would notice the mistake. So write down what must be true of every choice that any bot
# makes. A rule that is always true is called an **invariant**. A function that tests an invariant can find bugs that
# nobody has thought of.


# %%
def is_sound(view: View, card: Card | None) -> bool:
    """Return whether a player with this `view` may play `card`; None means that the player plays no card.

    A card is allowed if and only if it is in the hand and can be played. A card can be played if it fits. A wild draw
    four can be played if no card of the hand fits, not even a plain wild. None is allowed if and only if no card of the
    hand can be played. The only fields of the view that matter here are `hand`, `top` and `color`.

    >>> view = View((Card(RED, 9), Card(None, WILD_DRAW_FOUR), Card(BLUE, 3)), Card(RED, 5), RED)
    >>> is_sound(view, Card(RED, 9)), is_sound(view, Card(RED, 8)), is_sound(view, Card(BLUE, 3))
    (True, False, False)
    >>> is_sound(view, Card(None, WILD_DRAW_FOUR)), is_sound(view, None)
    (False, False)
    >>> is_sound(View((Card(BLUE, 3),), Card(RED, 5), RED), None)
    True
    >>> stuck = View((Card(BLUE, 3), Card(None, WILD_DRAW_FOUR)), Card(RED, 5), RED)
    >>> is_sound(stuck, Card(None, WILD_DRAW_FOUR)), is_sound(stuck, None)
    (True, False)
    """
    return card in (playable_cards(view) or (None,))


# %% [markdown]
# The next cell has a bot, `hurried`, that sometimes breaks the rules. If a colored card fits, `hurried` plays it. If no
# colored card fits, `hurried` plays a wild. The cell calls your `is_sound` to find a view in which the bot breaks a
# rule. (The first such view is the fiftieth of the views.) What does the bot choose in this view, and which line of
# `hurried` is wrong?

# %% active="ipynb"
# from random import Random
#
#
# def hurried(view):
#     colored = tuple(card for card in view.hand if not is_wild(card) and fits(card, view.top, view.color))
#     wilds = tuple(card for card in view.hand if is_wild(card))
#     return next(iter(colored + wilds), None)
#
#
# chance = Random(7)
# dealt = (chance.sample(DECK, 6) for _ in range(9999))
# seen = (View(tuple(hand), top, top.color or RED) for top, *hand in dealt)
# next(((view, hurried(view)) for view in seen if not is_sound(view, hurried(view))), "no view found")

# %% active="ipynb"
# predict(
#     """
#     words = ("pear", "fig", "plum", "kiwi")
#     max(words, key=len), tuple(sorted(words, key=len))[-1]
#     """,
#     "('pear', 'pear')",
#     "('kiwi', 'kiwi')",
#     "('pear', 'kiwi')",
#     why=(
#         "Three words have the same length. `max` returns the first of them. A stable sort keeps their order, "
#         "so the last of them is at the end."
#     ),
# )

# %% [markdown]
# ## The color you hold most of
#
# SmartPlayer needs the most common color of its hand twice: to choose a card, and to choose a color. A tuple can count
# its items, so `("b", "c", "b").count("b")` is 2. `max` takes a `key`, just like `sorted`. If several items have the
# greatest key, `max` returns the first of these items:
#
# ```python
# >>> letters = ("b", "c", "b", "c")
# >>> max(("a", "b", "c"), key=lambda letter: letters.count(letter))
# 'b'
# ```
#
# If no card in the hand has a color, `most_common_color` returns `None`. Wilds have the color `None`, which does not
# count as a color.


# %%
def most_common_color(hand: Hand) -> Color | None:
    """Return the color that occurs most often in `hand`; wilds have no color and do not count.

    If several colors are equally common, return the first of them in the order red, blue, green, yellow (`COLORS`).
    Return None if no card has a color.

    >>> most_common_color((Card(BLUE, SKIP), Card(RED, 5), Card(BLUE, DRAW_TWO)))
    BLUE
    >>> most_common_color((Card(YELLOW, 9), Card(BLUE, 1), Card(RED, 5), Card(None, WILD), Card(None, WILD)))
    RED
    >>> most_common_color((Card(None, WILD),)) is None
    True
    """
    colors = tuple(card.color for card in hand if not is_wild(card))
    return max(COLORS, key=colors.count) if colors else None


# %% [markdown]
# ## StupidPlayer
#
# **A bot** is a name and three pure functions, `Bot(name, play_card, play_drawn, choose_color)`. Each function takes a
# `View` and answers one question:
#
# * `play_card(view)`: which card of your hand do you play? (The function is called only if you can play a card.)
# * `play_drawn(view)`: you could not play a card, so you drew the card `view.drawn`. Do you play this card? The answer
#   `True` is against the rules if the card cannot be played.
# * `choose_color(view)`: you have played a wild, which is now `view.top`. Which color do you choose?
#
# A bot is disqualified if it breaks the rules or raises an exception. Then nobody wins the set, and the bot is out for
# the rest of the game. The arena reports the reason.
#
# The table above the exercise `playable_cards` lists the fields of a view. In annotations, the type of the view is
# `TurnView`, `DrawnView` or `ColorView`: one for each question. All three names mean the same type.
#
# StupidPlayer looks at its cards from low to high and plays the first card that can be played. If StupidPlayer draws a
# card that can be played, it plays this card. After a wild, StupidPlayer chooses a random color.


# %%
def stupid_play_card(view: TurnView) -> Card:
    """Return the card that StupidPlayer plays: the first of the playable cards, in order of value.

    The function is called only if at least one card of the hand can be played.

    >>> stupid_play_card(View((Card(RED, 9), Card(BLUE, 5), Card(RED, 2), Card(GREEN, 4)), Card(RED, 5), RED))
    Card(RED, 2)
    >>> stupid_play_card(View((Card(None, WILD_DRAW_FOUR), Card(RED, SKIP), Card(None, WILD)), Card(RED, 7), RED))
    Card(RED, SKIP)
    """
    return playable_cards(view)[0]


# %% [markdown]
# The card that you drew is in `view.drawn`, and not yet in the hand. You drew this card because no card in your hand
# could be played. Can the drawn card be played if it is a wild draw four?


# %%
def stupid_play_drawn(view: DrawnView) -> bool:
    """Return whether StupidPlayer plays the card just drawn, `view.drawn`: yes whenever it can be played.

    No card in the hand can be played, so a drawn wild or wild draw four can always be played. Return False if
    `view.drawn` is None. (The arena calls the function only after a card was drawn.)

    >>> stupid_play_drawn(View((Card(GREEN, 1),), Card(RED, 5), RED, drawn=Card(BLUE, 5)))
    True
    >>> given = (Card(GREEN, 1),), Card(RED, 5), RED
    >>> stupid_play_drawn(View(*given)), stupid_play_drawn(View(*given, drawn=Card(BLUE, 6)))
    (False, False)
    >>> stupid_play_drawn(View((Card(GREEN, 1),), Card(RED, 5), RED, drawn=Card(None, WILD_DRAW_FOUR)))
    True
    """
    drawn = view.drawn
    return drawn is not None and (is_wild(drawn) or fits(drawn, view.top, view.color))


# %% active="ipynb"
# predict(
#     """
#     COLORS[9 % 4], COLORS[-1], (7, 5, 2)[-1]
#     """,
#     "(RED, YELLOW, 2)",
#     "(BLUE, YELLOW, 2)",
#     "(BLUE, RED, 7)",
#     why="9 % 4 is 1, and index 1 is the second: BLUE. Index -1 is the last one.",
# )

# %% [markdown]
# A pure function always returns the same answer for the same arguments, so it cannot toss a coin. But a random number
# can be an argument of the function: for bots, this argument is `view.roll`, a number from 0 to 27,719. The remainder
# `view.roll % 4` is 0, 1, 2 or 3, and these four remainders are equally likely. (27,720 is a multiple of 1, 2, 3 ...
# 12, so for all these n, the remainders `view.roll % n` are equally likely.) Because chance is an argument, a whole
# tournament can also be repeated from a single number, its seed.


# %%
def stupid_choose_color(view: ColorView) -> Color:
    """Return the color that StupidPlayer chooses: the color at index `view.roll % 4` of `COLORS`.

    >>> stupid_choose_color(View((Card(GREEN, 1),), Card(None, WILD), RED, roll=7))
    YELLOW
    """
    return COLORS[view.roll % 4]


# %% [markdown]
# The three functions together make a bot. Write only the names of the functions, without calling them, because a
# function is a value like any other. (The string below the value is the statement of the exercise; Python ignores it.)
# The given bot `QUITTER` gives up at its first turn, which breaks the rules. `play_game(bots, seed)` returns a `Game`,
# whose `winner` is the index of the bot that won.

# %%
stupid_player: Bot = Bot("StupidPlayer", stupid_play_card, stupid_play_drawn, stupid_choose_color)
"""Define the bot named "StupidPlayer"; its parts are the three functions above, not calls of them.

>>> stupid_player.name
'StupidPlayer'
>>> play_game((QUITTER, stupid_player), 1).winner
1
"""

# %% active="ipynb"
# play_game((stupid_player, stupid_player), 1)

# %% [markdown]
# ## SmartPlayer, stage by stage
#
# SmartPlayer has a plan in six stages. Each stage is a function that returns a card, or `None` if it has no answer.
# SmartPlayer calls the stages in order and plays the card of the first stage that has an answer. You can write and test
# each stage separately.
#
# | stage | function | plays |
# |---|---|---|
# | 1 | `slow_next_player` | if the next player holds at most three cards: a draw two, else the highest action or wild |
# | 2 | `spend_spare_action` | the highest card, if there is an action to spare (`has_spare_action`) |
# | 3 | `follow_color` | the highest digit of the color to follow |
# | 4 | `change_to_common_color` | the value on top, in the color that the hand holds most of |
# | 5 | `match_value` | the value on top, in any color |
# | 6 | `highest_playable` | the highest card that can be played |
#
# All stages search for the *highest* card with some property. Write the search for the highest card only once, with the
# property as an argument. For example, `highest(is_wild, cards)` is the highest wild, and `highest(lambda card:
# card.color == RED, cards)` is the highest red card.
#
# Use the **recipe** from the warm-up for every stage:
#
# - *Examples.* Write down a hand for which the stage has an answer, and one for which it has none.
# - *Cases.* When is the answer `None`?
# - *Needs.* Does the stage look at the whole hand, or at the playable cards? Which property must these cards have?
# - *Combine.* `highest` with that property returns the card, or `None`.


# %%
def highest(condition: Condition, cards: Hand) -> Card | None:
    """Return the card of the highest value among those `cards` for which `condition` is true, or None if there is none.

    If several of these cards are equally high, return the last of them in `cards`. `cards` can be in any order.

    >>> highest(is_action, (Card(RED, SKIP), Card(None, WILD), Card(GREEN, SKIP), Card(BLUE, DRAW_TWO)))
    Card(GREEN, SKIP)
    >>> highest(lambda card: card.color is RED, (Card(RED, 0), Card(BLUE, 0)))
    Card(RED, 0)
    >>> highest(is_wild, (Card(RED, SKIP), Card(RED, 3))) is None
    True
    """
    return next(reversed(by_value(tuple(filter(condition, cards)))), None)


# %% [markdown]
# **Stage 1: slow the next player down.** The next player is dangerous with three cards or fewer. The best card against
# a dangerous player is a draw two. If you cannot play a draw two, play the highest action or wild.
#
# `view.counts` begins with your own number of cards, followed by the numbers of the other players, in order round the
# table. The index of the next player depends on the direction. Negative indexes are useful here: `counts[1]` belongs to
# your neighbor on one side, and `counts[-1]` to your neighbor on the other side. (If there are only two players, both
# neighbors are the same player.)
#
# A card never counts as false. So if `a` is a card or `None`, `a or b` means "a, or b if a is None".


# %%
def slow_next_player(view: View) -> Card | None:
    """Return the card of stage 1: one that slows the next player down, if that player holds three cards or fewer.

    The next player holds `view.counts[view.direction]` cards. Return None if the next player holds four cards or more.
    If the next player holds three cards or fewer, return a playable draw two. If no draw two is playable, return the
    highest playable card that is an action or a wild. If no such card is playable, return None. If several cards are
    equally good, return the last of them in the hand.

    >>> hand = (Card(RED, DRAW_TWO), Card(RED, SKIP), Card(RED, 9), Card(None, WILD))
    >>> slow_next_player(View(hand, Card(RED, 5), RED, (4, 3)))
    Card(RED, DRAW_TWO)
    >>> slow_next_player(View((Card(BLUE, DRAW_TWO), *hand[1:]), Card(RED, 5), RED, (4, 3)))
    Card(None, WILD)
    >>> slow_next_player(View(hand, Card(RED, 5), RED, (4, 4, 2))) is None
    True
    >>> slow_next_player(View(hand, Card(RED, 5), RED, (4, 7, 5, 2), -1))
    Card(RED, DRAW_TWO)
    """
    if view.counts[view.direction] > 3:
        return None
    cards = playable_cards(view)
    draw_two = highest(lambda card: card.value == DRAW_TWO, cards)
    return draw_two or highest(lambda card: is_action(card) or is_wild(card), cards)


# %% [markdown]
# **Stage 2: spend a spare action.** Each action that is left in your hand gives the winner 20 points, so you should
# play your actions. But keep one action for stage 1. You can spare an action if you have two actions. You can also
# spare an action if you have one action and another card of its color.
#
# To decide whether you can spare an action, consider the *playable* cards only. (The type `Playable` is a `Hand` that
# `playable_cards` has returned.)
#
# **Find the wrong answers first.** Read below what `has_spare_action` returns. Then write examples with two or three
# cards, until they catch all eight wrong answers.

# %% active="ipynb"
# from course.check import catch, example
#
# catch(
#     example("has_spare_action", ((Card(RED, 7), Card(RED, SKIP)),), ...),  # replace the dots by True or False
#     # add more examples, one on each line
# )


# %%
def has_spare_action(cards: Playable) -> bool:
    """Return whether SmartPlayer can spare an action, given the playable cards.

    SmartPlayer can spare an action if two or more of these cards are actions. SmartPlayer can also spare an action if
    exactly one of these cards is an action and another of them has the color of this action. Wilds are not actions, and
    they have no color.

    >>> has_spare_action((Card(RED, 2), Card(RED, SKIP)))
    True
    >>> has_spare_action((Card(BLUE, DRAW_TWO), Card(BLUE, DRAW_TWO)))
    True
    >>> has_spare_action((Card(RED, 2), Card(BLUE, SKIP), Card(None, WILD)))
    False
    """
    actions = tuple(filter(is_action, cards))
    plain = any(card.color is actions[0].color for card in cards if not is_action(card)) if actions else False
    return len(actions) >= 2 or plain


# %% [markdown]
# If SmartPlayer can spare an action, it plays its highest playable card. The highest playable card does not have to be
# an action: a playable wild is higher than any action.


# %%
def spend_spare_action(view: View) -> Card | None:
    """Return the card of stage 2: if `has_spare_action` is true, the highest playable card of any kind, else None.

    If several cards are equally high, return the last of them in the hand.

    >>> spend_spare_action(View((Card(RED, SKIP), Card(BLUE, SKIP), Card(RED, 9)), Card(RED, SKIP), RED))
    Card(BLUE, SKIP)
    >>> spend_spare_action(View((Card(None, WILD), Card(RED, SKIP), Card(RED, 9)), Card(RED, 5), RED))
    Card(None, WILD)
    >>> spend_spare_action(View((Card(None, WILD), Card(RED, SKIP), Card(BLUE, 5)), Card(RED, 5), RED)) is None
    True
    """
    cards = playable_cards(view)
    return cards[-1] if has_spare_action(cards) else None


# %% [markdown]
# **Stage 3: follow the color**, with the highest digit. The winner scores the values of the cards that you still hold
# at the end, so play high cards early.


# %%
def follow_color(view: View) -> Card | None:
    """Return the card of stage 3: the highest digit of the color to follow, or None if there is none.

    >>> follow_color(View((Card(RED, 2), Card(RED, 9), Card(RED, SKIP), Card(BLUE, 9)), Card(GREEN, 9), RED))
    Card(RED, 9)
    >>> follow_color(View((Card(RED, SKIP), Card(BLUE, 9), Card(RED, 0)), Card(RED, 9), RED))
    Card(RED, 0)
    >>> follow_color(View((Card(RED, SKIP), Card(BLUE, 9)), Card(RED, 9), RED)) is None
    True
    """
    return highest(lambda card: card.color is view.color and card.value < DRAW_TWO, playable_cards(view))


# %% [markdown]
# In the next cell, you see a view and the answers of the first three stages. Which stage is the first that has an
# answer?

# %% active="ipynb"
# from course.tables import try_view
#
# try_view("slow_next_player", "spend_spare_action", "follow_color")

# %% [markdown]
# **Stage 4: change to the color you hold most of**, with a card of the same value as the top card. Be careful: a hand
# that has only wilds has no most common color. For a hand that has only wilds, `most_common_color` returns `None`, and
# the `card.color` of a wild is also `None`. But `change_to_common_color` must return `None` for such a hand, not a
# wild.


# %%
def change_to_common_color(view: View) -> Card | None:
    """Return the card of stage 4: a playable card of the top card's value and the hand's most common color, or None.

    The most common color is the color that `most_common_color` returns for the whole hand, even if other colors are
    equally common. If no card of the hand has a color, return None, too.

    >>> hand = (Card(GREEN, 5), Card(BLUE, 5), Card(BLUE, 1), Card(RED, SKIP))
    >>> change_to_common_color(View(hand, Card(RED, 5), RED))
    Card(BLUE, 5)
    >>> change_to_common_color(View((Card(RED, 9), Card(RED, 5), Card(BLUE, 1)), Card(RED, 5), RED))
    Card(RED, 5)
    >>> change_to_common_color(View((Card(RED, 9), Card(RED, 8), Card(BLUE, 5)), Card(RED, 5), RED)) is None
    True
    """
    common = most_common_color(view.hand)
    return highest(lambda card: card.color is common and card.value == view.top.value < WILD, playable_cards(view))


# %% [markdown]
# **Stage 5: any card with the value of the top card.** All these cards have the same value, so choose the last of them.
# (In this stage, a wild counts, too, if the top card is a wild of the same kind. In `fits`, equal values of wilds did
# not matter, because a plain wild always fits, and a wild draw four never fits.)


# %%
def match_value(view: View) -> Card | None:
    """Return the card of stage 5: the last card of the hand that can be played and has the top card's value, or None.

    A wild on a wild has the top card's value, too, and so has a wild draw four on a wild draw four.

    >>> match_value(View((Card(GREEN, 5), Card(BLUE, 5), Card(None, WILD)), Card(RED, 5), RED))
    Card(BLUE, 5)
    >>> match_value(View((Card(None, WILD), Card(None, WILD_DRAW_FOUR)), Card(None, WILD_DRAW_FOUR), RED)) is None
    True
    >>> match_value(View((Card(BLUE, 5), Card(RED, 5), Card(None, WILD)), Card(RED, 5), RED))
    Card(RED, 5)
    >>> match_value(View((Card(RED, 7), Card(RED, 9)), Card(RED, 5), RED)) is None
    True
    """
    return highest(lambda card: card.value == view.top.value, playable_cards(view))


# %% [markdown]
# **Stage 6: any other card.** Stage 6 plays the highest playable card, which you also needed in stage 2. When
# SmartPlayer comes to stage 6, this card is usually a wild. Sometimes it is the only playable action.


# %%
def highest_playable(view: View) -> Card | None:
    """Return the card of stage 6: the highest playable card, or None if there is none.

    If several cards are equally high, return the last of them in the hand.

    >>> highest_playable(View((Card(None, WILD), Card(RED, SKIP), Card(BLUE, 9)), Card(RED, 5), RED))
    Card(None, WILD)
    >>> highest_playable(View((Card(RED, 9), Card(BLUE, 9)), Card(RED, 9), RED))
    Card(BLUE, 9)
    >>> highest_playable(View((Card(BLUE, 9),), Card(RED, 5), RED)) is None
    True
    """
    return next(reversed(playable_cards(view)), None)


# %% active="ipynb"
# predict(
#     """
#     def says(name, answer):
#         print("asking", name)
#         return answer
#
#     one, two = says("one", None), says("two", 2)
#     three = lambda: says("three", 3)
#     one or two or three()
#     """,
#     "asking one\nasking two\nasking three\n2",
#     "asking two\n2",
#     "asking one\nasking two\n2",
#     why=(
#         "Parentheses call a function: `says` is called for `one` and `two`. `three` is only a function, and "
#         "`or` never calls it, because `two` is an answer. A plan of functions can stop early; a tuple of "
#         "answers cannot."
#     ),
# )

# %% [markdown]
# ## SmartPlayer, put together
#
# A tuple of functions can be a plan: call the functions one after the other until one of them has an answer. A
# generator computes an item only when the item is needed, and `next` takes only the first item:
#
# ```python
# >>> next((n * n for n in (3, 4, 5) if n * n > 10), None)
# 16
# ```
#
# In this example, the square of 5 was never computed. To give a name to a value inside an expression, write `:=`, the
# walrus operator:
#
# ```python
# >>> tuple(square for n in (3, 4, 5) if (square := n * n) > 10)
# (16, 25)
# ```
#
# The examples of `first_answer` use given stages. `no_card` always returns `None`. `first_card` and `last_card` return
# the first and the last card of the hand. `give_up` raises an exception.


# %%
def first_answer(stages: Stages, view: View) -> Card | None:
    """Call the stages with `view`, one after the other, and return the first answer that is not None.

    If every answer is None, or there is no stage, return None. Call each stage at most once, and call no stage after
    the first stage that has an answer.

    >>> first_answer((no_card, last_card, first_card), View((Card(RED, 1), Card(RED, 2)), Card(RED, 5), RED))
    Card(RED, 2)
    >>> first_answer((first_card, give_up), View((Card(RED, 1),), Card(RED, 5), RED))
    Card(RED, 1)
    >>> first_answer((no_card, no_card), View((Card(RED, 1),), Card(RED, 5), RED)) is None
    True
    """
    return next((card for stage in stages if (card := stage(view)) is not None), None)


# %% [markdown]
# Now pass all six stages to `first_answer`. The table in the section *SmartPlayer, stage by stage* lists their names.


# %%
def smart_play_card(view: TurnView) -> Card | None:
    """Return the card that SmartPlayer plays: the answer of the first stage, from 1 to 6, that has an answer.

    The function is called only if at least one card can be played, so some stage has an answer.

    >>> hand = (Card(RED, 2), Card(RED, 8), Card(BLUE, 5), Card(GREEN, SKIP))
    >>> smart_play_card(View(hand, Card(RED, 5), RED))
    Card(RED, 8)
    >>> smart_play_card(View((Card(RED, DRAW_TWO), Card(RED, SKIP), Card(RED, 9)), Card(RED, 5), RED, (3, 3)))
    Card(RED, DRAW_TWO)
    >>> smart_play_card(View((Card(RED, DRAW_TWO), Card(RED, SKIP), Card(RED, 9)), Card(RED, 5), RED, (3, 4)))
    Card(RED, SKIP)
    >>> smart_play_card(View((Card(BLUE, 5), Card(GREEN, 5), Card(BLUE, 1), Card(None, WILD)), Card(RED, 5), RED))
    Card(BLUE, 5)
    """
    first_three = slow_next_player, spend_spare_action, follow_color
    last_three = change_to_common_color, match_value, highest_playable
    return first_answer(first_three + last_three, view)


# %% [markdown]
# SmartPlayer has no special plan for a drawn card: it decides like StupidPlayer. (Is it a good idea to play every drawn
# card? Later in this unit, you can find out.) You do not have to write the function again: call StupidPlayer's
# function, or give StupidPlayer's function a second name.


# %%
def smart_play_drawn(view: DrawnView) -> bool:
    """Return whether SmartPlayer plays the card just drawn: yes whenever it can be played, like StupidPlayer.

    >>> smart_play_drawn(View((Card(GREEN, 1),), Card(RED, 5), RED, drawn=Card(RED, 6)))
    True
    >>> smart_play_drawn(View((Card(GREEN, 1),), Card(RED, 5), RED, drawn=Card(BLUE, 6)))
    False
    """
    return stupid_play_drawn(view)


# %% [markdown]
# A good choice of color helps a bot to win. SmartPlayer chooses the color that occurs most often in its hand. If the
# hand is empty, or has only wilds, SmartPlayer chooses a random color. But this color must be *different* from the
# color before the wild: it is one of the other three colors.


# %%
def smart_choose_color(view: ColorView) -> Color:
    """Return the color that SmartPlayer chooses: the most common color of its hand.

    If no card of the hand has a color, leave `view.color` out of `COLORS`. Of the three colors that are left, in the
    order of `COLORS`, return the color at index `view.roll % 3`.

    >>> smart_choose_color(View((Card(BLUE, 1), Card(GREEN, 2), Card(GREEN, SKIP)), Card(None, WILD), GREEN))
    GREEN
    >>> smart_choose_color(View((Card(None, WILD),), Card(None, WILD), BLUE, roll=3))
    RED
    """
    others = tuple(color for color in COLORS if color is not view.color)
    return most_common_color(view.hand) or others[view.roll % 3]


# %% [markdown]
# Again, three functions together make a bot.

# %%
smart_player: Bot = Bot("SmartPlayer", smart_play_card, smart_play_drawn, smart_choose_color)
"""Define the bot named "SmartPlayer"; its parts are its three functions, not calls of them.

>>> smart_player.name
'SmartPlayer'
>>> play_game((smart_player, QUITTER), 1).winner
0
"""

# %% active="ipynb"
# score_chart(("SmartPlayer", "StupidPlayer"), play_game((smart_player, stupid_player), 4))

# %% [markdown]
# In the next cell, watch a set card by card. For each question to a bot, the cell shows the bot's view.

# %% active="ipynb"
# from course.tables import watch_set
#
# watch_set()

# %% active="ipynb"
# predict(
#     """
#     tuple(k % 2 for k in range(4)), sum(k % 2 == 1 for k in (3, 4, 5))
#     """,
#     "((0, 1, 0, 1), 2)",
#     "((0, 1, 0, 1), 8)",
#     "((1, 0, 1, 0), 2)",
#     why=(
#         "For k = 0, 1, 2, 3 the remainder k % 2 is 0, 1, 0, 1. In a sum, True counts 1 and False 0: two of "
#         "the three numbers are odd."
#     ),
# )

# %% [markdown]
# ## How much better?
#
# One game does not show which bot is better. `play_game((first, second), seed)` returns a `Game`; its `winner` is the
# index of the bot that won, 0 or 1, or None if no bot won. `game_seeds(2026, 1000)` returns a thousand seeds. The bot
# that begins perhaps has an advantage, so let the two bots change seats. (If two copies of `QUITTER` play, the bot at
# index 0 moves first and gives up. So if the copies change seats after each game, each copy wins every second game.)


# %%
def win_rate(first: Bot, second: Bot, seeds: Seeds) -> float:
    """Return the share of games that `first` wins against `second`; play one game to 500 points for each seed.

    The bots change seats: in games 0, 2, 4 ... call `play_game((first, second), seed)`, in games 1, 3, 5 ... call
    `play_game((second, first), seed)`. There is at least one seed, and the same seed can occur twice. A game without a
    winner does not count as a win. The exam of this exercise does not have `tournament` and `duel`, so do not call
    these functions.

    >>> win_rate(stupid_player, QUITTER, (1, 1, 1))
    1.0
    >>> win_rate(QUITTER, stupid_player, game_seeds(7, 4))
    0.0
    >>> round(win_rate(QUITTER, QUITTER, (1, 1, 2)), 9)
    0.333333333
    """
    games = (play_game((second, first) if k % 2 else (first, second), seed) for k, seed in enumerate(seeds))
    return sum(game.winner == k % 2 for k, game in enumerate(games)) / len(seeds)


# %% [markdown]
# Now play a thousand games. `tournament` also counts the sets that each bot wins. If you interrupt a long tournament,
# it returns the results so far. A win rate from a limited number of games is uncertain. `wilson(wins, games)` returns
# an interval that contains the true rate with a confidence of 95 %, and the picture shows this interval.

# %% active="ipynb"
# result = tournament((smart_player, stupid_player), 1000, seed=2026, progress=show_bar)
# rates_chart(result)

# %% [markdown]
# You should see that SmartPlayer wins 957 of 1,000 games (the interval is 94.3 to 96.8 %). The two players come from a
# report, in which SmartPlayer won 95 % of 1,000 games. But SmartPlayer wins only 8,244 of 13,538 *sets*, 61 %. So a
# small advantage in sets becomes a large advantage in games. There are two reasons for this difference.
#
# **Many sets.** On average, a game takes 13 or 14 sets. The lead of the better bot grows with the number of sets. The
# effect of luck grows only with the square root of the number of sets. Suppose that each game had 13 sets, and that the
# bot that won more of these sets also won the game. Then a bot that wins 61 % of the sets would win 79 % of the games:

# %% active="ipynb"
# {sets: round(best_of(sets, 0.61), 3) for sets in (1, 3, 5, 13, 51)}

# %% [markdown]
# **Sets of unequal worth.** If only the number of sets mattered, SmartPlayer would win 79 % of the games, but it wins
# 96 %. SmartPlayer plays its high cards first, so when it loses a set, StupidPlayer scores few points. StupidPlayer
# keeps actions and wilds to the end, and SmartPlayer scores many points for them. In the tournament above, a set that
# SmartPlayer won was worth 65 points on average; a set that StupidPlayer won was worth 39. So on average, SmartPlayer
# gains about 40 points in each set (0.61 · 65), and StupidPlayer about 15 (0.39 · 39). A player who earns 15 points a
# set hardly ever gets to 500 first.

# %% active="ipynb"
# {row.name: (round(row.points / row.sets), round(row.points / result.sets)) for row in result.standings}

# %% [markdown]
# How much does each function of SmartPlayer help it to win? A bot consists of functions, so you can combine functions
# of different bots. In a *round robin*, every bot plays against every other bot. In the picture below the next cell,
# each number shows how often the bot on the left beats the bot above.

# %% active="ipynb"
# colorless = Bot("random color", smart_play_card, smart_play_drawn, stupid_choose_color)
# heat_map(round_robin((stupid_player, colorless, smart_player), 200, seed=1))

# %% [markdown]
# ## Beat SmartPlayer
#
# SmartPlayer can be beaten. `champion` is an open exercise, and the hardest one of this course: any bot is right, as
# long as it wins. Most stages of SmartPlayer do not consider whether the other cards of the hand can be played later. A
# card that shares its color or its value with others can often be played later. A card that shares neither its color
# nor its value with others is harder to play later. At which moment of a set is a wild most useful? When should a bot
# keep a drawn card? And which cards give you another move, if there are only two players?
#
# How can you distinguish a better bot from a lucky one? Play every deal twice, and let the bots change seats, so that
# both bots get the same cards. If two bots are equally good, each of them usually wins one of the two sets of a deal. A
# bot wins a deal only if it wins both sets of the deal (or the only set that came to an end). Two equally good bots
# each win about half of the deals that have a winner, as if a fair coin chose the winner. `sign_test` returns the
# probability that a fair coin does at least as well as your bot. If this probability is at most 5 %, we call your bot
# better, with a confidence of 95 %. Even if twenty bots are no better than SmartPlayer, about one of the twenty looks
# better by luck. (A copy of SmartPlayer never wins a deal. If the copy wins one set, SmartPlayer wins the other set
# with the same moves.)
#
# If you try many bots, some of them will look better only by luck. Therefore the exam does not use `sign_test`, but a
# stricter test. The exam bets on your bot, and begins with a stake of 1. Each set that your bot wins multiplies the
# stake by 1.08, and each set that your bot loses multiplies it by 0.92. If the bot is no better than SmartPlayer, the
# stake does not grow on average. Your bot passes the exam when its stake reaches 1,000. For a bot that is no better
# than SmartPlayer, the probability that its stake ever reaches 1,000 is at most 0.1 %. Your bot fails if its stake
# falls below 0.001. Your bot also fails if its stake has not reached 1,000 after 4,000 deals at each seat. A bot that
# wins 55 % of the sets in the long run is almost certain to pass.
#
# In the exam, your bot plays against the reference solution of SmartPlayer, and the deals are the same for everybody.
# For your mark, the bot can play other deals than for `check`. If you have a student kit without an autograder, `check`
# plays no deals at all: run the cell below the check cell instead.
#
# To play each deal twice, use the given function `duel(bot, rival, seeds)`, which plays two sets for each seed and
# returns a `Duel`. In a `Duel`, `share` is the share of the sets that your bot won. `pairs` is a pair of numbers: how
# many deals your bot won, and how many it lost. A `Duel` also has the `p_value` (the result of `sign_test`), and the
# `faults` for which your bot was disqualified. The examples of `champion` only show that your bot plays by the rules,
# not how good it is. The cell below the check cell calls `duel`, and shows how good your bot is against your own
# SmartPlayer. Change one thing at a time, run the cell again, and see if the share of won sets grows.
#
# Every run of the cell plays the same deals. After many attempts, your bot is perhaps good only at these deals, so use
# other seeds for the last test. Write your functions inside `champion`, or in your own cells above it. A champion takes
# about 12 lines, and `playable_cards`, `max` and a `key` are useful.


# %%
def champion() -> Bot:
    """Return your own bot: `Bot(name, play_card, play_drawn, choose_color)`, with any name and any functions.

    The bot is judged by the sets that it plays against SmartPlayer. The bot must never be disqualified. The exam bets
    on the bot, and begins with a stake of 1. A set that the bot wins multiplies the stake by 1.08; a set that the bot
    loses multiplies it by 0.92. The stake must reach 1,000 within 4,000 deals at each seat. The bot plays different
    deals at the two seats, and many sets at the same time. So a function of the bot can use its view, but cannot
    remember earlier views. If your functions take more than ten seconds for 400 sets, the bot fails the exam.

    >>> duel(champion(), QUITTER, (1, 2)).share
    1.0
    >>> duel(champion(), stupid_player, game_seeds(1, 3)).faults
    ()
    """

    def company(card: Card, hand: Hand) -> int:
        return sum(other.color is card.color or other.value == card.value for other in hand)

    def appeal(view: View, card: Card) -> tuple[bool, bool, int, int]:
        urgent = view.counts[view.direction] <= 2 and card.value in (DRAW_TWO, SKIP)
        return not is_wild(card), urgent, -company(card, view.hand), card.value

    def play_card(view: View) -> Card:
        return max(playable_cards(view), key=partial(appeal, view))

    def play_drawn(view: View) -> bool:
        wild = view.drawn is not None and is_wild(view.drawn)
        return smart_play_drawn(view) and not (wild and view.counts[view.direction] > 4)

    return Bot("Champion", play_card, play_drawn, smart_choose_color)


# %% active="ipynb"
# attempt = duel(champion(), smart_player, game_seeds(1, 1000))
# attempt.share, attempt.pairs, attempt.p_value, attempt.faults[:3]

# %% [markdown]
# ## Your bot at the table
#
# Your bot uses ideas from all six units: cards are values, a turn is a function, and a player is three functions. In
# the next cell, watch your bot play against your SmartPlayer, card by card, with the view of each bot. To see another
# set, add the argument `seed=2` to `watch_set`.

# %% active="ipynb"
# from course.tables import watch_set
#
# watch_set("champion", "smart_player")

# %% [markdown]
# ## A league
#
# Your teacher can let all bots of the course play a league. The page of the league shows a table with the results, and
# games that you can go through step by step. To take part, write a name for your bot between the quotation marks in the
# next cell, with at most 30 characters. Do not write your own name, because everybody in the course can read it.
# Without a name, your bot does not take part.

# %% active="ipynb"
# league_name = ""

# %% [markdown]
# ## A written report
#
# The author of StupidPlayer and SmartPlayer also wrote a report on them. Write a report, too, in the next cell. Your
# teacher can read the report; the autograder does not read it. You hand the report in with the notebook. The report
# cannot cost you any points.

# %% [markdown] by_hand="written-report"
# **1. The task.** Which functions must a player have, so that it can play in a game that is already written?
#
# …
#
# **2. The algorithms.** How does StupidPlayer decide, and how does SmartPlayer, stage by stage? Describe the algorithms
# in words and formulas, without code. Which cards does each stage look at, and which of these cards does it play?
#
# …
#
# **3. The implementation.** Which functions make the decisions of the bots? For each function: which arguments does it
# take, what does it return, and which of your other functions does it call?
#
# …
#
# **4. The results.** How many of 1000 games does SmartPlayer win against StupidPlayer? How certain is this number, and
# how did you find it?
#
# …
#
# **5. Conclusion.** Which parts of your bots work, and what is still missing? How long did the work take, what was
# hard, and what would you do differently next time?
#
# …

# %% [markdown]
# ## Beyond
#
# This is the last unit. Here are some more things that you can do with your functions. For example, run `foldem
# tournament 5_bots.ipynb hers.ipynb smart` in a terminal: your champion, a friend's bot and SmartPlayer play against
# each other. The table of the results also shows which differences are perhaps just luck.
#
# ```text
#            you      hers     smart
#  you        ·       53 %     61 %        a table that you can fill
#  hers      47 %      ·       58 %
#  smart     39 %     42 %      ·
# ```
#
# - Let your own strategies play at the table of Uno: run `uno_table(naive, my_strategy, bots=5)` in Uno's notebook.
# - Change a rule: let a player answer a draw two with a draw two. How many functions must change?
# - Play dominoes with tiles up to the double nine. How many functions must change?
# - Write your own game, for others to solve: `foldem new games --unit war` makes the files to begin with.
#
# <details><summary>Where it comes from</summary>
#
# The two bots come from a report at the Polytechnic University of Saint Petersburg, 2023. In the report, the bots are
# two classes in **C++** that inherit from an abstract class for players. In this unit, three functions replace the
# class, and the `View` contains the data that an object would store. The report's code has three bugs that a pure bot
# cannot have:
#
# - Before each choice of a color, the seed of the random numbers is set to the time in whole seconds.
#   So all colors that are chosen within one second are the same.
# - "Not found" is written as 0, but 0 is also an index. So a bot that finds no card plays its first card.
# - The card to play is stored in a variable inside the loop.
#   The function returns a variable of the same name outside the loop, which never got a value.
#
# The report's text also has a mistake: it says that SmartPlayer chooses *any* color, but the code chooses the most
# common one. Build the bot that the text describes, and let it play against SmartPlayer.
#
# </details>
