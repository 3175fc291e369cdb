# %% [markdown]
# # Bots: a stupid one, a smart one, and yours
#
# In this unit the game is already written. It is a game of the Uno family, and it is played by *bots* in an *arena*:
# set after set, game after game, a thousand games in a few seconds. You write the bots.
#
# **The cards.** There are 108: in each of four colours one 0, two of each digit from 1 to 9, and two each of
# *draw two*, *reverse* and *skip*; and, without a colour, four *wilds* and four *wild draw fours*. A card is
# `Card(RED, 7)`, `Card(BLUE, SKIP)` or `Card(None, WILD)`. The value is a number, and so values have an order:
#
# | digits | `DRAW_TWO` | `REVERSE` | `SKIP` | `WILD` | `WILD_DRAW_FOUR` |
# |---|---|---|---|---|---|
# | 0 to 9 | 10 | 11 | 12 | 13 | 14 |
#
# Draw two, reverse and skip are the *action* cards: `is_action(card)` tells. The last two are wild: `is_wild(card)`.
#
# **A set** ends with somebody's last card, and is worth what the others still hold. **A game** goes over many sets, to
# 500 points. Whoever's turn it is plays a card of the colour to follow, or of the value of the top card, or a wild. The
# rules follow in full below.

# %%
from course.bots import *

# %% [markdown]
# **Before you begin: three questions.** Answer each aloud, or on paper, before you unfold it.
#
# <details><summary>In Uno, what was a <em>strategy</em>?</summary>
#
# A function that is told seven things and gives a move. The engine takes it as a parameter: it is **higher-order**.
#
# </details>
#
# <details><summary><code>find(test, items)</code> may have no answer. How do you ask for that?</summary>
#
# It gives `None` then: `if found is None`. An answer that counts as false, 0 or (), is an answer all the same.
#
# </details>
#
# <details><summary>In Basra, why was <code>produce_shuffled_deck</code> not pure?</summary>
#
# It asked chance: called twice with the same arguments it gives different things. In this unit bots are *told* what
# chance says, and so stay pure.
#
# </details>

# %% [markdown]
# **See a whole set first**, between the two bots that you are going to write, as finished functions play it. *Next* and
# *Back*, the slider and its arrow keys go through it.

# %% active="ipynb"
# from course.tables import whole_game
#
# whole_game("bots")

# %% [markdown]
# ## The rules
#
# **A set.** Two to ten players get seven cards each, and a digit is turned up. Whoever's turn it is plays a card of the
# colour to follow, or of the value of the top card, or a wild. Who plays a wild calls the colour to follow. A wild draw
# four may be played only by somebody who can play nothing else, not even a plain wild. Who can play must. Who cannot
# draws one card, and may play it at once if it can be played. A reverse turns the direction round (between two players
# it changes nothing). Draw two, skip and wild draw four cost the next player the turn, so that between two players the
# same one moves again; and the first and the last of them make that player draw two cards, or four. Nothing can be put
# on top of them to pass that on. When the stock runs out, the pile below the top card becomes the stock. The set ends
# with somebody's last card, after the next player has drawn what that card demands. The winner gets what the others
# still hold: digits count their number, actions 20, wilds 50. A set of more than a thousand turns is stopped and is
# worth nothing.
#
# **A game** is played to 500 points, over as many sets as that takes; a new player begins each. After 500 sets it ends
# without a winner. Who is disqualified in a set takes no further part, and the last one left wins the game.
#
# | unlike your Uno | there | here |
# |---|---|---|
# | *skip* and *draw two* | may be answered by their like | cost the turn at once |
# | *wild draw four* | costs four cards who holds the color required | is a foul of who can play anything else |
# | a card just drawn that fits | must be laid | may be kept |
# | the first card of the pile | any but a wild, with its effect | a digit |
# | the end | one game | 500 points, over many sets |
#
# ```draw
# top | Card(RED, 5) | colour to follow: red
# your hand | Card(RED, 9), Card(BLUE, 5), Card(GREEN, 2), Card(None, WILD_DRAW_FOUR)
# ```

# %% [markdown]
# First a trap that you know, in its new clothes.

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
#         "SKIP in the pattern is a bare name: it captures whatever value there is, so the case fits every "
#         "card. Here values are plain numbers: compare them with `==`."
#     ),
# )

# %% [markdown]
# ## A hand in order
#
# Both bots look at their cards from low to high. Python's `sorted` takes a function that says what to compare, and
# it is *stable*: what compares equal keeps its order.
#
# ```python
# >>> tuple(sorted(("pear", "fig", "plum", "kiwi"), key=len))
# ('fig', 'pear', 'plum', 'kiwi')
# ```


# %%
def by_value(hand: Hand) -> Hand:
    """Give the cards of `hand` by ascending value; cards of equal value keep their order.

    >>> by_value((Card(None, WILD), Card(RED, 7), Card(BLUE, SKIP), Card(GREEN, 0)))
    (Card(GREEN, 0), Card(RED, 7), Card(BLUE, SKIP), Card(None, WILD))
    >>> by_value((Card(RED, 7), Card(YELLOW, 7), Card(BLUE, 2), Card(RED, 7)))
    (Card(BLUE, 2), Card(RED, 7), Card(YELLOW, 7), Card(RED, 7))
    """
    return tuple(sorted(hand, key=lambda card: card.value))


# %% active="ipynb"
# predict(
#     """
#     3 == 3 < 5, 7 == 7 < 5, (3 == 3) < 5
#     """,
#     "(True, False, True)",
#     "(True, True, True)",
#     "(False, False, True)",
#     why=(
#         "A chain asks both: 7 == 7, and 7 < 5. In brackets it is another question: whether True, which "
#         "counts as 1, is below 5."
#     ),
# )

# %% [markdown]
# ## What can be played
#
# One card at a time first. There are three reasons why a card goes. One of them has a catch:
# wilds have values too, and a wild on a wild must not be taken for a pair of equal values. (Comparisons can be chained:
# `a == b < c` means that `a == b` and `b < c`.)


# %%
def fits(card: Card, top: Card, color: Color) -> bool:
    """Tell whether `card` goes on `top` when `color` is to be followed, whatever else is in the hand.

    It does if it has that colour, or is no wild and has the value of `top`, or is a plain wild. A wild draw four
    never goes in this sense: whether it may be played depends on the rest of the hand.

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
# What a player sees is a `View`. For now you need its first three fields, as in `View(hand, top, color)`; here are all
# of them, to come back to:
#
# | field | | if you leave it out |
# |---|---|---|
# | `hand` | your cards, as a tuple | |
# | `top` | the card on top of the pile | |
# | `color` | the colour to follow; after a wild the one that was called (for `choose_color`, the one until then) | |
# | `counts` | everybody's number of cards, yours first, then round the table | `(7, 7)` |
# | `direction` | 1 or -1: the next player holds `counts[direction]` cards | 1 |
# | `roll` | a random number, new for each question; `roll % n` is fair for every n up to 12 | 0 |
# | `drawn` | for `play_drawn` the card just drawn, which is not in `hand` | `None` |
#
# A wild draw four comes out only when nothing else can be played. "This, or if there is none of it, that" is an
# everyday pattern. In Python the empty tuple counts as false, and `or` gives one of its sides, not just a truth value.
# Here that is just what is wanted:
#
# ```python
# >>> (1, 2) or ("none",), () or ("none",)
# ((1, 2), ('none',))
# ```


# %%
def playable_cards(view: View) -> Playable:
    """Give the cards of the hand that can be played, by ascending value; equal values in the order of the hand.

    The wild draw fours are among them only if nothing else is.

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
# Data come first: before anybody writes a bot, say which choices can be at all. A bot that cheats gives a card like any
# other, and most of its sets look fair. So write down once what must be true of every choice, whoever makes it: that is
# an **invariant**, and as a function it finds mistakes that nobody has thought of.


# %%
def is_sound(view: View, card: Card | None) -> bool:
    """Tell whether whoever sees `view` keeps the rules by playing `card`; None is to play nothing.

    A card keeps them if and only if it is one of the hand and can be played: it fits, or it is a wild draw four and no
    card of the hand fits, not even a plain wild. None keeps them if and only if no card of the hand can be played.
    Besides the hand, `top` and `color` nothing in the view matters here.

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
# Here is a bot in a hurry. It plays a coloured card if one goes, or else a wild, and it cheats hardly ever. Let your
# function find a view in which it does: with these cards it is the fiftieth. What does the bot choose there, and which
# line has to be mended?

# %% active="ipynb"
# from random import Random
#
#
# def hurried(view):
#     coloured = tuple(card for card in view.hand if not is_wild(card) and fits(card, view.top, view.color))
#     wilds = tuple(card for card in view.hand if is_wild(card))
#     return next(iter(coloured + wilds), None)
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
#         "Three words are equally long. `max` gives the first of them; a sort keeps the order of equals, "
#         "so the last of them is at the end."
#     ),
# )

# %% [markdown]
# ## The colour you hold most of
#
# SmartPlayer will ask for that twice, for a card and for a colour to call. Tuples can count, `("b", "c",
# "b").count("b")` is 2, and
# `max` takes a function that says what to compare. When several are best, `max` gives the one that comes first, so the
# order you offer them in settles ties:
#
# ```python
# >>> letters = ("b", "c", "b", "c")
# >>> max(("a", "b", "c"), key=lambda letter: letters.count(letter))
# 'b'
# ```
#
# A hand without any coloured card has no answer: `None`. And `None` must not win the count, either.


# %%
def most_common_color(hand: Hand) -> Color | None:
    """Give the colour that most cards of `hand` have; wilds have none and do not count.

    Of equally common colours it is the first in the order red, blue, green, yellow (`COLORS`); None if no card has
    a colour.

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
# **A bot** is a name and three pure functions, `Bot(name, play_card, play_drawn, choose_color)`. Each gets a `View`
# and answers one question:
#
# * `play_card(view)`: which card of your hand do you play? (Asked only when one can be played.)
# * `play_drawn(view)`: you had nothing to play and drew `view.drawn`; do you play it? `True` is a foul if it cannot go.
# * `choose_color(view)`: you have played a wild, which is now `view.top`. Which colour do you call?
#
# A bot that answers against the rules, raises an exception or thinks for more than a second is disqualified: the set is
# void, and the bot sits out the rest of the game. The arena tells you why.
#
# The fields of a view stand in the table above `playable_cards`. In annotations a view is called `TurnView`,
# `DrawnView` or `ColorView`, after the question that it comes with. All of them are the same type.
#
# StupidPlayer looks at its cards from low to high and plays the first that goes. It plays what it draws if it can, and
# it calls any colour.


# %%
def stupid_play_card(view: TurnView) -> Card:
    """Give the card that StupidPlayer plays: the first of the playable cards, in order of value.

    It is asked only when some card can be played.

    >>> stupid_play_card(View((Card(RED, 9), Card(BLUE, 5), Card(RED, 2), Card(GREEN, 4)), Card(RED, 5), RED))
    Card(RED, 2)
    >>> stupid_play_card(View((Card(None, WILD_DRAW_FOUR), Card(RED, SKIP), Card(None, WILD)), Card(RED, 7), RED))
    Card(RED, SKIP)
    """
    return playable_cards(view)[0]


# %% [markdown]
# The drawn card is in `view.drawn` and not yet in the hand. You got it because nothing in your hand could be played:
# what does that say about a wild draw four?


# %%
def stupid_play_drawn(view: DrawnView) -> bool:
    """Tell whether StupidPlayer plays the card just drawn, `view.drawn`: yes whenever it can be played.

    Nothing in the hand can be played, so that either kind of wild can. False if `view.drawn` is None (the arena never
    asks that).

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
#     why="9 is twice 4 and 1 over, and place 1 is the second: BLUE. Place -1 is the last one.",
# )

# %% [markdown]
# A pure function gives the same answer to the same question, so it cannot toss a coin; but it can be *told* how the
# coin fell, here by `view.roll`, from 0 to 27,719 (27,720 can be divided by 1, 2, 3 ... 12). The rest of its division
# by four is 0, 1, 2 or 3, each as likely as the others. That is also why a whole tournament can be played again from
# one number, its seed.


# %%
def stupid_choose_color(view: ColorView) -> Color:
    """Give the colour that StupidPlayer calls: the one at place `view.roll % 4` of `COLORS`.

    >>> stupid_choose_color(View((Card(GREEN, 1),), Card(None, WILD), RED, roll=7))
    YELLOW
    """
    return COLORS[view.roll % 4]


# %% [markdown]
# The three functions make a bot. Nothing needs to be written for it but their names: a function is a value like
# any other. (The text in quotes is the statement; a value has no other place for it.) `QUITTER` is a given bot that
# gives up, which is a foul, as soon as it is asked. `play_game(bots, seed)` gives a `Game`, whose `winner` is the place
# of the bot that won.

# %%
stupid_player: Bot = Bot("StupidPlayer", stupid_play_card, stupid_play_drawn, stupid_choose_color)
"""The bot named "StupidPlayer", made of the three functions above themselves.

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
# SmartPlayer has a plan in six stages. Each stage is a function that may have an answer, a card, or may have none:
# `None`. The first stage that has one decides. So each stage can be written, and tried, by itself.
#
# | stage | function | plays |
# |---|---|---|
# | 1 | `slow_next_player` | against three cards or fewer: a draw two, else the highest action or wild |
# | 2 | `spend_spare_action` | the highest card, if there is an action to spare (`has_spare_action`) |
# | 3 | `follow_color` | the highest digit of the colour to follow |
# | 4 | `change_to_common_color` | the value on top, in the colour that the hand holds most of |
# | 5 | `match_value` | the value on top, in any colour |
# | 6 | `highest_playable` | the highest card that goes |
#
# All of them want the *highest* card with some property. Write that once, with the property as an argument: then
# `highest(is_wild, cards)` is the highest wild, and `highest(lambda card: card.color == RED, cards)` the highest red.


# %%
def highest(condition: Condition, cards: Hand) -> Card | None:
    """Give the card of the highest value among those of `cards` that `condition` holds for; None if it holds for none.

    Of several equally high ones it is the last in `cards`, which may come in any order of values.

    >>> highest(is_action, (Card(RED, SKIP), Card(None, WILD), Card(GREEN, SKIP), Card(BLUE, DRAW_TWO)))
    Card(GREEN, SKIP)
    >>> highest(lambda card: card.color is RED, (Card(RED, 0), Card(BLUE, 0)))
    Card(RED, 0)
    >>> highest(is_wild, (Card(RED, SKIP), Card(RED, 3))) is None
    True
    """
    return next(reversed(by_value(tuple(filter(condition, cards)))), None)


# %% [markdown]
# **Stage 1: slow the next player down.** With three cards or fewer the next player is dangerous. Best against that
# is a draw two. Without one an action or a wild will do, whichever is the highest.
#
# `view.counts` begins with your own number and goes round the table. Which place in it the next player has depends on
# the direction, and Python's negative places do the rest: `counts[-1]` sits on your other side. (With two players both
# sides are the same.)
#
# A card is never false, so here `a or b` safely means "a, or if it is None, b".


# %%
def slow_next_player(view: View) -> Card | None:
    """Give the card of stage 1: with three cards or fewer in the next player's hand, one that slows it down.

    So many are `view.counts[view.direction]`. It is a playable draw two; if there is none, the highest playable card
    that is an action or a wild; if there is none either, or the next player holds four cards or more, None. Of several
    it is the last in the hand.

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
# **Stage 2: spend a spare action.** Actions are worth 20 points to whoever wins, so they should go, but one is worth
# keeping for stage 1. When is one to spare? When there are two of them; or when there is one, and beside it another
# card of its colour.
#
# This rule looks at the *playable* cards only. (The type `Playable` is a `Hand` that `playable_cards` has given.)
#
# **Catch the impostors first**: read below what is asked, and write hands of two or three cards until all eight wrong
# answers are caught.

# %% active="ipynb"
# from course.check import catch, example
#
# catch(
#     example("has_spare_action", ((Card(RED, 7), Card(RED, SKIP)),), ...),  # in place of the dots: True or False?
#     # more examples of your own, a line each
# )


# %%
def has_spare_action(cards: Playable) -> bool:
    """Tell whether SmartPlayer can spare an action, given the playable cards.

    It can if two or more of them are actions, or if exactly one is and some card that is no action has its colour.
    Wilds are not actions here, and have no colour.

    >>> has_spare_action((Card(RED, 2), Card(RED, SKIP)))
    True
    >>> has_spare_action((Card(BLUE, DRAW_TWO), Card(BLUE, DRAW_TWO)))
    True
    >>> has_spare_action((Card(RED, 2), Card(BLUE, SKIP), Card(None, WILD)))
    False
    """
    actions = tuple(filter(is_action, cards))
    beside = any(card.color is actions[0].color for card in cards if not is_action(card)) if actions else False
    return len(actions) >= 2 or beside


# %% [markdown]
# If there is one to spare, SmartPlayer plays its highest playable card. Mind that this need not be an action at all:
# with a wild in the hand, it is the wild.


# %%
def spend_spare_action(view: View) -> Card | None:
    """Give the card of stage 2: the highest playable card, whatever it is, if there is a spare action, else None.

    Of several equally high ones it is the last in the hand.

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
# **Stage 3: follow the colour**, with the highest digit: what is gone cannot count against you.


# %%
def follow_color(view: View) -> Card | None:
    """Give the card of stage 3: the highest digit of the colour to follow, or None if there is none.

    Of two equally high ones it is the last in the hand (they are alike, anyway).

    >>> follow_color(View((Card(RED, 2), Card(RED, 9), Card(RED, SKIP), Card(BLUE, 9)), Card(GREEN, 9), RED))
    Card(RED, 9)
    >>> follow_color(View((Card(RED, SKIP), Card(BLUE, 9), Card(RED, 0)), Card(RED, 9), RED))
    Card(RED, 0)
    >>> follow_color(View((Card(RED, SKIP), Card(BLUE, 9)), Card(RED, 9), RED)) is None
    True
    """
    return highest(lambda card: card.color is view.color and card.value < DRAW_TWO, playable_cards(view))


# %% [markdown]
# See what your stages say to what a bot might see. Which stage has the first answer?

# %% active="ipynb"
# from course.tables import try_view
#
# try_view(slow_next_player, spend_spare_action, follow_color)

# %% [markdown]
# **Stage 4: change to the colour you hold most of**, with a card of the value that lies on top. A trap: a hand of
# nothing but wilds has no such colour, `None`, and that is also what `card.color` is for a wild. The answer is then no
# card.


# %%
def change_to_common_color(view: View) -> Card | None:
    """Give the card of stage 4: a playable card of the top card's value and of the hand's most common colour, or None.

    The most common colour is the one that `most_common_color` gives for the whole hand, even if others are as common.
    None also if no card of the hand has a colour.

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
# **Stage 5: any card of the value on top.** All have the same value, so only the rule for equals is left to decide.
# (A wild on a wild counts here. In `fits` the pair did not matter, since a wild goes anyway.)


# %%
def match_value(view: View) -> Card | None:
    """Give the card of stage 5: the last card of the hand that can be played and has the top card's value, or None.

    A wild on a wild, and a wild draw four on another, have the same value too.

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
# **Stage 6: what is left.** That is mostly a wild, sometimes a lone action of the colour to follow. You have done this
# before, at the end of stage 2.


# %%
def highest_playable(view: View) -> Card | None:
    """Give the card of stage 6: the playable card of the highest value, the last of equals; None if none can be played.

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
#         "`says` is called where brackets stand behind it. `three` is only a function so far, and `or` "
#         "never comes to its brackets, since `two` is an answer. A plan of functions can stop asking; a "
#         "tuple of answers cannot."
#     ),
# )

# %% [markdown]
# ## SmartPlayer, put together
#
# A tuple of functions is a plan: ask one after the other until one has an answer. A generator computes nothing until
# it is asked, and `next` asks only as long as it must:
#
# ```python
# >>> next((n * n for n in (3, 4, 5) if n * n > 10), None)
# 16
# ```
#
# The square of 5 was never computed. And a name for a value, inside an expression, is written with `:=`, the walrus:
#
# ```python
# >>> tuple(square for n in (3, 4, 5) if (square := n * n) > 10)
# (16, 25)
# ```
#
# The examples use given stages: `no_card` always answers `None`, `first_card` and `last_card` give the first and the
# last card of the hand, `give_up` raises an exception.


# %%
def first_answer(stages: Stages, view: View) -> Card | None:
    """Give the first answer that is not None when the stages are asked about `view` in their order.

    If every answer is None, or there is no stage, give None. Each stage is asked at most once, and none after the one
    that answered.

    >>> first_answer((no_card, last_card, first_card), View((Card(RED, 1), Card(RED, 2)), Card(RED, 5), RED))
    Card(RED, 2)
    >>> first_answer((first_card, give_up), View((Card(RED, 1),), Card(RED, 5), RED))
    Card(RED, 1)
    >>> first_answer((no_card, no_card), View((Card(RED, 1),), Card(RED, 5), RED)) is None
    True
    """
    return next((card for stage in stages if (card := stage(view)) is not None), None)


# %% [markdown]
# And these are all six: look up their names in the table above.


# %%
def smart_play_card(view: TurnView) -> Card | None:
    """Give the card that SmartPlayer plays: the answer of the first of stages 1 to 6 that has one.

    It is asked only when some card can be played, so there is one.

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
# What to do with a drawn card SmartPlayer has never thought about: it does what StupidPlayer does. (Is that wise?
# You will be able to find out.) No need to write it twice: call that function, or give it a second name.


# %%
def smart_play_drawn(view: DrawnView) -> bool:
    """Tell whether SmartPlayer plays the card just drawn: yes whenever it can be played, just as StupidPlayer does.

    >>> smart_play_drawn(View((Card(GREEN, 1),), Card(RED, 5), RED, drawn=Card(RED, 6)))
    True
    >>> smart_play_drawn(View((Card(GREEN, 1),), Card(RED, 5), RED, drawn=Card(BLUE, 6)))
    False
    """
    return stupid_play_drawn(view)


# %% [markdown]
# The colour that SmartPlayer calls matters a lot. It calls the one it holds most of; only a hand of nothing but wilds,
# or an empty one, leaves it to chance, and then it wants a *change*: one of the other three.


# %%
def smart_choose_color(view: ColorView) -> Color:
    """Give the colour that SmartPlayer calls: the most common one of its hand.

    If no card of the hand has a colour, it is the one at place `view.roll % 3` of the three colours of `COLORS`, in
    their order, that are not `view.color`.

    >>> smart_choose_color(View((Card(BLUE, 1), Card(GREEN, 2), Card(GREEN, SKIP)), Card(None, WILD), GREEN))
    GREEN
    >>> smart_choose_color(View((Card(None, WILD),), Card(None, WILD), BLUE, roll=3))
    RED
    """
    others = tuple(color for color in COLORS if color is not view.color)
    return most_common_color(view.hand) or others[view.roll % 3]


# %% [markdown]
# Once more three functions make a bot.

# %%
smart_player: Bot = Bot("SmartPlayer", smart_play_card, smart_play_drawn, smart_choose_color)
"""The bot named "SmartPlayer", made of its three functions themselves.

>>> smart_player.name
'SmartPlayer'
>>> play_game((smart_player, QUITTER), 1).winner
0
"""

# %% active="ipynb"
# score_chart(("SmartPlayer", "StupidPlayer"), play_game((smart_player, stupid_player), 4))

# %% [markdown]
# Watch a set card by card, and what each bot saw when it was asked.

# %% active="ipynb"
# from course.tables import watch_set
#
# watch_set(smart_player, stupid_player)

# %% active="ipynb"
# predict(
#     """
#     tuple(k % 2 for k in range(4)), sum(k % 2 == 1 for k in (3, 4, 5))
#     """,
#     "((0, 1, 0, 1), 2)",
#     "((0, 1, 0, 1), 8)",
#     "((1, 0, 1, 0), 2)",
#     why=(
#         "The places are 0, 1, 2, 3, and k % 2 goes 0, 1, 0, 1. True counts as 1 in a sum, and False as 0: "
#         "two of the three are odd."
#     ),
# )

# %% [markdown]
# ## How much better?
#
# One game proves nothing. `play_game((first, second), seed)` gives a `Game`; its `winner` is the place of the bot that
# won, 0 or 1, or None. `game_seeds(2026, 1000)` gives a thousand seeds. Whoever begins may have an edge: let them
# change seats. (When `QUITTER` plays itself, the one at place 0 is asked first and gives up; so each of the two wins
# every other game.)


# %%
def win_rate(first: Bot, second: Bot, seeds: Seeds) -> float:
    """Give the share of the games that `first` wins against `second`, one game to 500 points for each seed.

    They change seats: in games 0, 2, 4 ... it is `play_game((first, second), seed)`, in games 1, 3, 5 ... it is
    `play_game((second, first), seed)`. There is at least one seed, and the same one may come again. A game without a
    winner is not won. `tournament` and `duel` are not there in the exam of this exercise.

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
# Now play a thousand games. `tournament` also counts the sets; a long one can be interrupted, and gives what it has.
# A rate from a sample is uncertain: `wilson(wins, games)` gives the interval that holds the true rate with a confidence
# of 95 %, and the picture shows it.

# %% active="ipynb"
# result = tournament((smart_player, stupid_player), 1000, seed=2026, progress=show_bar)
# rates_chart(result)

# %% [markdown]
# You should see 967 of 1,000 games (an interval of 95.4 to 97.6 %), but only 8,131 of 13,389 *sets*, 61 %. How does an
# edge of eleven points in a set become one of forty-seven in a game?
#
# **Many sets.** A game takes 13 or 14 sets. Luck grows only like the square root of their number, the edge
# like the number itself. If a game were simply the best of 13 sets, 61 % would become 79 %:

# %% active="ipynb"
# {sets: round(best_of(sets, 0.61), 3) for sets in (1, 3, 5, 13, 51)}

# %% [markdown]
# **Sets of unequal worth.** That is not yet 97 %. SmartPlayer throws its high cards away first. So when it loses a set,
# it loses it cheaply; StupidPlayer keeps actions and wilds to the end, and is caught with them. In the tournament
# above, a set that SmartPlayer won was worth 67 points, one that StupidPlayer won 38. Per set SmartPlayer expects to
# gain 0.61 · 67, some 40 points, and StupidPlayer 0.39 · 38, some 15. Who earns 15 a set hardly ever gets to 500 first.

# %% active="ipynb"
# {row.name: (round(row.points / row.sets), round(row.points / result.sets)) for row in result.standings}

# %% [markdown]
# Which part of SmartPlayer is worth how much? Bots are made of functions: mix them. A round robin lets everybody play
# against everybody; its picture shows how often the row's bot beats the column's.

# %% active="ipynb"
# colorless = Bot("random colour", smart_play_card, smart_play_drawn, stupid_choose_color)
# heat_map(round_robin((stupid_player, colorless, smart_player), 200, seed=1))

# %% [markdown]
# ## Beat SmartPlayer
#
# SmartPlayer can be beaten. This is an open exercise, the hardest of all: any bot will do, as long as it wins. Think of
# what SmartPlayer does not look at: the rest of its hand. A card that shares its colour or its value with others will
# find an occasion later, a lonely one hardly ever. When is a wild worth most? When should a drawn card be kept?
#
# How can a better bot be told from a lucky one? Play every deal twice, with seats swapped, so that both get the same
# cards. Two equal bots then share every deal, one set each; only deals that somebody wins *twice* say anything (or
# once, if the other set came to no end). If the bots were equally good, these would fall to either side like a fair
# coin, and `sign_test` gives the chance that a coin does as well as you. At 5 % or less we call your bot better, with a
# confidence of 95 %: of bots that are no better one in twenty at most passes. A copy of SmartPlayer wins no deal at
# all.
#
# The exam's SmartPlayer is our own, and its deals are the same for everybody; those by which your notebook is marked
# may be others than those of `check`. It asks two things: more deals won than lost, which a bot that is only a little
# better may miss by bad luck; and then, over more deals, the 5 %. Who wins 54 % of the sets in the long run is on the
# safe side.
#
# All that is in a given function: `duel(bot, rival, seeds)` plays two sets for each seed and gives a `Duel` with the
# `share` of sets won, the `pairs` (deals won, deals lost), the `p_value` (what `sign_test` gives for these), and the
# `faults` for which your bot was disqualified. The examples below only show that your bot plays at all. The cell right
# below its check, which begins with `attempt = duel(champion(), ...`, tells how well, against your own SmartPlayer:
# change one thing at a time, run it again, and see if the share grows.
# But who tries for long finds what suits these very deals: take other seeds for the last look. Write your functions
# inside `champion`, or in cells of your own above it.


# %%
def champion() -> Bot:
    """Give your own bot: `Bot(name, play_card, play_drawn, choose_color)`, with whatever name and functions you like.

    It is judged by the sets that it plays against SmartPlayer: no foul; over 500 deals, each played with both seats,
    more deals won than lost; and over 1,000 others a `p_value` of at most 0.05. Each seat has a process of its own, in
    which many sets go on at the same time: a function can rely on its view, and on nothing that it was asked before.
    If your functions take more than ten seconds for the sets of one seat, the bot has lost.

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
# All six units are in this: cards are values, a turn is a function, and a player is three of them. Look on as your bot
# meets your SmartPlayer, card by card, with what each of them saw. `seed=2` is another set.

# %% active="ipynb"
# from course.tables import watch_set
#
# watch_set(champion, smart_player)

# %% [markdown]
# ## A written report
#
# Whoever first wrote these two players wrote a report on them. Write one, too: the next cell is yours. A person
# reads it, and no grader. It is handed in with the notebook, and there are no points that it could cost.

# %% [markdown] by_hand="written-report"
# **1. The task.** What must a player be able to do, so that it fits into a game that is there already?
#
# …
#
# **2. The algorithms.** How does StupidPlayer decide, and how SmartPlayer, stage by stage? Write it down as mathematics
# would, without code: from which cards does a stage choose, and which of them does it take?
#
# …
#
# **3. The implementation.** Which functions make these decisions? For each: what is it told, what does it give, and
# which of your other functions does it use?
#
# …
#
# **4. The results.** How many of 1000 games does SmartPlayer win against StupidPlayer? How sure is that, and how did
# you find out?
#
# …
#
# **5. Conclusion.** What is done and what is left? How long did it take, what was hard, and what would you do
# differently next time?
#
# …

# %% [markdown]
# ## Beyond
#
# This is the last unit, and no end. Some things to do with what you have:
#
# ```text
#            you      hers     smart
#  you        ·       53 %     61 %        a table that you can fill
#  hers      47 %      ·       58 %
#  smart     39 %     42 %      ·
# ```
#
# - Let your bot meet others: `foldem tournament 5_bots.ipynb hers.ipynb smart` in a terminal plays thousands of sets
#   between your champion, a friend's notebook and SmartPlayer, and says what is luck and what isn't.
# - Play in a terminal, with your own functions: `foldem play uno --notebook 4_uno.ipynb`. Or let strategies of yours
#   sit at the table of Uno: `uno_table(naive, my_strategy, bots=5)` in its notebook.
# - Change a rule. Let a +2 be stacked on a +2, or deal dominoes up to the double nine: how many functions need to know?
# - Write a game of your own, for others to solve: `foldem new games --unit war` begins one, with its exercises, checks
#   and notebook.
#
# <details><summary>Where it comes from</summary>
#
# A report at the Polytechnic University of Saint Petersburg, 2023: two classes in **C++**, each inheriting virtual
# methods from an abstract player. An interface of methods is a tuple of functions here, and what an object remembered
# stands in the `View`. Three slips of the report's own that a pure bot has no room for:
#
# - calling a colour begins chance anew from the clock each time, so that in one second it is always the same colour;
# - "not found" is told as 0, which is a place: the first card goes, whatever it is;
# - the card to play is kept in a variable within the loop, under the name of another one outside: what is given back is
#   that other one, which never got a value.
#
# And one of words: it says that SmartPlayer calls *any* colour, while its code calls the commonest. Build the bot of
# the words, and let the two play.
#
# </details>
