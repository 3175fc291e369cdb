"""Bots: the types of a bot's views and answers, and the arena in which bots play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NoReturn, TypeAlias

from course.arena.arena import Game, Seeds, SetResult, game_seeds
from course.arena.charts import Picture, heat_map, points_chart, rates_chart
from course.arena.contests import Duel, RoundRobin, Standing, Tournament, best_of, show_bar, sign_test, wilson
from course.arena.set import play_game, play_set
from course.arena.tournament import duel, round_robin, tournament
from course.arena.values import (
    BLUE,
    COLORS,
    DECK,
    DRAW_TWO,
    GREEN,
    RED,
    REVERSE,
    SKIP,
    TARGET,
    WILD,
    WILD_DRAW_FOUR,
    YELLOW,
    Bot,
    Card,
    Color,
    Hand,
    View,
    is_action,
    is_wild,
    points,
)
from course.functional import compose, curry, fold_left, fold_right, identity, recur, tail_recursive
from course.values import TODO

__all__ = [
    "BLUE",
    "COLORS",
    "DECK",
    "DRAW_TWO",
    "GREEN",
    "QUITTER",
    "RED",
    "REVERSE",
    "SKIP",
    "TODO",
    "WILD",
    "WILD_DRAW_FOUR",
    "YELLOW",
    "Bot",
    "Callable",
    "Card",
    "Color",
    "ColorView",
    "Condition",
    "DrawnView",
    "Duel",
    "Game",
    "Hand",
    "Picture",
    "Playable",
    "RoundRobin",
    "Seeds",
    "SetResult",
    "Stage",
    "Stages",
    "Standing",
    "Tournament",
    "TurnView",
    "View",
    "best_of",
    "compose",
    "curry",
    "duel",
    "first_card",
    "fold_left",
    "fold_right",
    "game_seeds",
    "give_up",
    "heat_map",
    "identity",
    "is_action",
    "is_red",
    "is_wild",
    "last_card",
    "no_card",
    "partial",
    "play_game",
    "play_set",
    "points",
    "rates_chart",
    "recur",
    "round_robin",
    "score_chart",
    "show_bar",
    "sign_test",
    "tail_recursive",
    "tournament",
    "wilson",
]  # fmt: skip

Playable: TypeAlias = Hand
"""the result of `playable_cards`: the cards that can be played, by ascending value"""
TurnView: TypeAlias = View
"""what a bot sees when it must play a card"""
DrawnView: TypeAlias = View
"""what a bot sees when it has drawn `view.drawn`"""
ColorView: TypeAlias = View
"""what a bot sees when it has played a wild, which is now `view.top`"""
Condition: TypeAlias = Callable[[Card], bool]
"""a function that tests a card"""
Stage: TypeAlias = Callable[[View], Card | None]
"""one stage of a plan: it returns a card, or None if it has no answer"""
Stages: TypeAlias = tuple[Stage, ...]
"""a plan: stages, in the order in which they are called"""


def first_card(view: View) -> Card | None:
    """Return the first card of the hand, even if it cannot be played; None for an empty hand."""
    return next(iter(view.hand), None)


def last_card(view: View) -> Card | None:
    """Return the last card of the hand, even if it cannot be played; None for an empty hand."""
    return next(reversed(view.hand), None)


def no_card(view: View) -> Card | None:
    """Return None for every view."""
    return None


def is_red(card: Card) -> bool:
    """Return whether the color of `card` is red.

    >>> is_red(Card(RED, 0)), is_red(Card(BLUE, 0)), is_red(Card(None, WILD))
    (True, False, False)
    """
    return card.color is RED


def score_chart(names: Sequence[str], game: Game) -> Picture:
    """Return a chart of each player's points during a game, set by set, up to 500, with the fouls."""
    return points_chart(names, game, TARGET)


def give_up(view: View) -> NoReturn:
    """Raise RuntimeError for every view."""
    raise RuntimeError("I give up")


QUITTER = Bot("Quitter", give_up, give_up, give_up)

PROBES = (first_card, last_card, no_card)
