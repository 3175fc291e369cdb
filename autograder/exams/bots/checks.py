"""Bots: views like those in real games, with many cards that almost fit, and the judge of the open exercise."""

from __future__ import annotations

from itertools import product
from math import isclose
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from autograder.exam.cases import Case, Check, Contest, Facets, Observation, case, exercise
from course.bots import *
from solutions.bots import by_value, fits, playable_cards

ORDINARY_CARDS: Hand = tuple(card for card in dict.fromkeys(DECK) if not is_wild(card))
ONE_WILD, WILD_FOUR = Card(None, WILD), Card(None, WILD_DRAW_FOUR)
WILDS: Hand = (ONE_WILD, WILD_FOUR)
TOPS_WITH_COLORS = (
    *((card, card.color) for card in ORDINARY_CARDS if card.color),
    *((wild, color) for wild in WILDS for color in COLORS),
)


def _hands_from(cards: Hand, most: int) -> st.SearchStrategy[Hand]:
    """Return up to `most` of the cards, each at most as often as it occurs."""
    indexes = st.sampled_from(range(len(cards)))
    return st.lists(indexes, max_size=most, unique=True).map(lambda picked: tuple(cards[index] for index in picked))


@st.composite
def random_views(draw: DrawFn, turn: bool = False) -> View:
    """Return a random view from any moment of a set. If `turn` is true, some card in the hand can be played."""
    top, color = draw(st.sampled_from(TOPS_WITH_COLORS))
    index = DECK.index(top)
    pool = DECK[:index] + DECK[index + 1 :]
    near = tuple(card for card in pool if is_wild(card) or card.value == top.value or card.color is color)
    hand = draw(
        st.permutations(draw(_hands_from(near, 6)) + draw(_hands_from(tuple(c for c in pool if c not in near), 4)))
    )
    others = draw(st.lists(st.sampled_from((1, 2, 3, 4, 5, 9)), min_size=1, max_size=3))
    view = View(tuple(hand), top, color, (len(hand), *others), draw(st.sampled_from((1, -1))), draw(ROLLS))
    return view if playable_cards(view) or not turn else view._replace(hand=(draw(st.sampled_from(near)),))


ROLLS = st.integers(0, 27719)


@st.composite
def random_views_after_drawing(draw: DrawFn) -> View:
    """Return a random view of a player who could play no card, and so has drawn one."""
    view = draw(random_views())
    stuck = tuple(card for card in view.hand if not is_wild(card) and not fits(card, view.top, view.color))
    near = tuple(card for card in DECK if fits(card, view.top, view.color)) + WILDS
    drawn = draw(st.one_of(st.sampled_from(near), st.sampled_from(ORDINARY_CARDS)))
    return view._replace(hand=stuck, counts=(len(stuck), *view.counts[1:]), drawn=drawn)


@st.composite
def random_views_after_wild(draw: DrawFn) -> View:
    """Return a random view of a player who has played a wild card. The hand often has few colored cards."""
    hand = draw(st.one_of(_hands_from(DECK, 7), _hands_from(DECK[-8:], 3), _hands_from(ORDINARY_CARDS, 4)))
    rest = (len(hand), draw(st.integers(1, 9)))
    return View(hand, draw(st.sampled_from(WILDS)), draw(st.sampled_from(COLORS)), rest, 1, draw(ROLLS))


MIXED_CARDS = (*(Card(color, value) for color in (RED, BLUE) for value in (2, 9, DRAW_TWO, SKIP)), ONE_WILD, ONE_WILD)

STRATEGIES: dict[str, object] = {
    "Hand": st.one_of(_hands_from(DECK, 9), _hands_from(ORDINARY_CARDS, 9)),
    "Card": ORDINARY_CARDS + WILDS,
    "Color": COLORS,
    "View": random_views(),
    "TurnView": random_views(turn=True),
    "DrawnView": random_views_after_drawing(),
    "ColorView": random_views_after_wild(),
    "Playable": st.one_of(
        random_views().map(playable_cards),
        _hands_from(MIXED_CARDS, 5).map(by_value),
    ),
    "Condition": (is_action, is_wild, is_red),
    "Stages": st.lists(
        st.sampled_from([exercise(name) for name in ("first_card", "last_card", "no_card", "no_card", "no_card")]),
        max_size=5,
    ).map(tuple),
}

STUPID, SMART = exercise("stupid_player"), exercise("smart_player")


def _hand(*cards: Card | tuple[Color, int]) -> Hand:
    return tuple(card if isinstance(card, Card) else Card(*card) for card in cards)


def _view(hand: Hand, top: Card = Card(RED, 5), color: Color = RED, **rest: Any) -> View:  # noqa: B008
    return View(hand, top, color, **{"counts": (len(hand), 7), **rest})


def _cases_of(*some: View | Hand) -> tuple[Case, ...]:
    """Return a case for each view, or for each hand."""
    return tuple(map(case, some))


TWO_FIVES = _hand((GREEN, 5), (BLUE, 5))
ACTION_HAND = _hand(ONE_WILD, (RED, SKIP), (RED, 9), (RED, DRAW_TWO), (RED, REVERSE), (BLUE, 5))
NUMBER_HAND = _hand((RED, 2), (RED, 9), (BLUE, 5))
WILD_TOPS = tuple((wild, color) for wild in WILDS for color in COLORS)

PLAYABLE_FACETS: Facets = {
    "a wild draw four and another playable card": _cases_of(
        _view(_hand(WILD_FOUR, (RED, 1))),
        _view(_hand((BLUE, 5), WILD_FOUR)),
        _view(_hand(WILD_FOUR, ONE_WILD, (BLUE, 9))),
        _view(_hand(ONE_WILD, WILD_FOUR), WILD_FOUR, BLUE),
    ),
    "wild draw fours and no other playable card": _cases_of(
        _view(_hand((BLUE, 6), WILD_FOUR)),
        _view(_hand(WILD_FOUR, (GREEN, 1), WILD_FOUR)),
        _view(_hand((BLUE, 6), WILD_FOUR), WILD_FOUR, GREEN),
    ),
    "a wild on top, and the color called for it": _cases_of(
        *(_view(_hand((RED, 1), (BLUE, 2), (GREEN, 3), (YELLOW, 4)), *top) for top in WILD_TOPS),
        *(_view(_hand((BLUE, 2), ONE_WILD, WILD_FOUR), *top) for top in WILD_TOPS),
    ),
    "equal cards, and cards out of order": _cases_of(
        _view(_hand((RED, 9), (YELLOW, 5), (RED, 0), (GREEN, 5), (RED, 7), (BLUE, 5))),
        _view(_hand((GREEN, 5), (BLUE, 5), (GREEN, 5), (RED, 1))),
        _view(_hand(ONE_WILD, (RED, SKIP), (BLUE, SKIP), (RED, DRAW_TWO)), Card(RED, SKIP)),
    ),
}
NO_PLAYABLE_CARD_CASES = _cases_of(
    _view(()), _view(_hand((BLUE, 6))), _view(_hand((BLUE, 6), (GREEN, SKIP)), WILD_FOUR, RED)
)


@st.composite
def random_choice_cases(draw: DrawFn) -> Case:
    """Return a random view and a bot's choice in it: a card of the hand, a wild card, the top card, or None."""
    view = draw(random_views())
    return case(view, draw(st.sampled_from((*view.hand, *WILDS, None, view.top))))


def _all_choice_cases(*some: View) -> tuple[Case, ...]:
    """Return each view with each possible choice: the cards of the hand, and None."""
    return tuple(case(view, card) for view in some for card in (*dict.fromkeys(view.hand), None))


ONLY_WILD_FOUR_PLAYABLE = _hand((BLUE, 6), WILD_FOUR)
HANDS_BY_FACET = {
    "wilds are not counted": (_hand((RED, 1), ONE_WILD, ONE_WILD), _hand((BLUE, 1), WILD_FOUR, WILD_FOUR, ONE_WILD)),
    "equally many": tuple(
        tuple(Card(color, value) for value in (1, 2) for color in pair)
        for pair in (*product(COLORS, repeat=2), COLORS, COLORS[::-1], COLORS[1:], COLORS[:0:-1], COLORS[2:])
        if len(set(pair)) == len(pair)
    ),
    "one card more decides": tuple(
        (*(Card(other, 1) for other in COLORS), Card(color, 2), *(Card(other, SKIP) for other in COLORS))
        for color in COLORS
    ),
    "actions count like digits; high cards count no more": (
        _hand((YELLOW, SKIP), (YELLOW, DRAW_TWO), (RED, 1)),
        _hand((RED, SKIP), (GREEN, 0), (GREEN, 1)),
        _hand((BLUE, SKIP), (BLUE, SKIP), (GREEN, 1), (GREEN, 2), (GREEN, 3)),
    ),
    "no colored card": ((), (ONE_WILD,), (WILD_FOUR, ONE_WILD)),
}
SAMPLE_ROLLS = (0, 1, 2, 3, 4, 5, 7, 10, 11, 27718, 27719)

DRAWN_FACETS: Facets = {
    "either wild": _cases_of(
        *(_view(_hand((GREEN, 1)), *top, drawn=wild) for wild in WILDS for top in TOPS_WITH_COLORS[::7])
    ),
    "on a wild": _cases_of(*(_view((), *top, drawn=Card(color, 4)) for top in WILD_TOPS for color in COLORS)),
    "no card was drawn": _cases_of(_view(()), _view(_hand((BLUE, 1)))),
    "the drawn card, not the hand": _cases_of(
        _view(_hand((BLUE, 1)), drawn=Card(RED, 1)), _view(_hand((BLUE, 1), (GREEN, 1)), drawn=Card(BLUE, 6))
    ),
}


def _fit_cases(cards: Hand, tops: tuple[tuple[Card, Color], ...]) -> tuple[Case, ...]:
    return tuple(case(card, *top) for card in cards for top in tops)


def _plan_case(*names: str, hand: Hand = NUMBER_HAND) -> Case:
    return case(tuple(map(exercise, names)), _view(hand))


def accept_any_rate(at: Case, _expected: Observation, got: Observation) -> str | None:
    """Accept any rate that is a possible share of the games, since the right one depends on the learner's own bots."""
    games = len(at.args[1:] and at.args[2]) or 1
    fair = type(got.value) is float and 0 <= got.value <= 1 and abs(got.value * games - round(got.value * games)) < 1e-9
    return None if fair else "is no share of the games"


def accept_rate(_case: Case, expected: Observation, got: Observation) -> str | None:
    """Accept the expected share within the rounding error of floats: `1 - 2 / 3` is not exactly `1 / 3`."""
    if type(got.value) is not float:
        return f"expected {expected.value!r}, a number with a point"
    return None if isclose(got.value, expected.value, abs_tol=1e-9) else f"expected {expected.value!r}"


WINNING_STAKE = 1000  # the stake on a bot that passes. On one that is no better, it gets there once in 1,000 contests


def stake_after(duel: Duel) -> float:
    """Return the size of a stake after a duel.

    It begins at 1, grows with each set won and shrinks with each set lost.
    """
    return float(1.08 ** duel.outcomes.count(1) * 0.92 ** duel.outcomes.count(-1))


CHECKS = {
    "by_value": Check(
        facets={
            "equal values keep their order": _cases_of(
                tuple(Card(color, 5) for color in COLORS), tuple(Card(color, SKIP) for color in COLORS[::-1])
            ),
            "equal cards, and others of their value between them": _cases_of(
                _hand((RED, 5), (BLUE, 5), (RED, 5)),
                _hand((GREEN, SKIP), (RED, 2), (BLUE, SKIP), (YELLOW, SKIP), (GREEN, SKIP)),
            ),
            "actions and wilds, and the same card twice": _cases_of(
                _hand(WILD_FOUR, ONE_WILD, (RED, SKIP), (RED, REVERSE), (RED, DRAW_TWO), (RED, 9)),
                _hand((RED, 5), (RED, 2), (RED, 5), WILD_FOUR, WILD_FOUR),
            ),
        }
    ),
    "fits": Check(
        cases=st.tuples(st.sampled_from(ORDINARY_CARDS + WILDS), st.sampled_from(TOPS_WITH_COLORS)).map(
            lambda it: (it[0], *it[1])
        ),
        facets={
            "every ordinary card on every ordinary card": _fit_cases(
                ORDINARY_CARDS, TOPS_WITH_COLORS[: len(ORDINARY_CARDS)]
            ),
            "every ordinary card on the wilds": _fit_cases(ORDINARY_CARDS, WILD_TOPS),
            "a wild on everything": _fit_cases((ONE_WILD,), TOPS_WITH_COLORS),
            "a wild draw four on everything": _fit_cases((WILD_FOUR,), TOPS_WITH_COLORS),
        },
    ),
    "playable_cards": Check(facets={**PLAYABLE_FACETS, "nothing": NO_PLAYABLE_CARD_CASES}),
    "is_sound": Check(
        cases=random_choice_cases(),
        facets={
            "a card of the hand, or nothing": _all_choice_cases(
                _view(_hand((RED, 9), (BLUE, 5), (GREEN, 3), (YELLOW, SKIP))),
                _view(_hand((GREEN, SKIP), (RED, DRAW_TWO), (YELLOW, 4)), Card(RED, SKIP)),
                *(_view(_hand((RED, 1), (BLUE, 2), (GREEN, 3), (YELLOW, 4)), *top) for top in WILD_TOPS),
            ),
            "no playable card": _all_choice_cases(*(view for at in NO_PLAYABLE_CARD_CASES for view in at.args)),
            "a card that is not in the hand": tuple(
                case(_view(hand), card)
                for hand in ((), _hand((BLUE, 6)), _hand((RED, 9), (BLUE, 5)), ONLY_WILD_FOUR_PLAYABLE)
                for card in (Card(RED, 1), Card(RED, 5), Card(GREEN, 5), Card(BLUE, 1), ONE_WILD)
            )
            + tuple(case(_view(hand), WILD_FOUR) for hand in ((), _hand((BLUE, 6)), _hand((RED, 9)), _hand(ONE_WILD))),
            "a wild draw four and another playable card": _all_choice_cases(
                _view(_hand(WILD_FOUR, (RED, 1))),
                _view(_hand((BLUE, 5), WILD_FOUR)),
                _view(_hand(WILD_FOUR, (BLUE, SKIP)), Card(GREEN, SKIP), GREEN),
            ),
            "a wild draw four and a plain wild": _all_choice_cases(
                _view(_hand(WILD_FOUR, ONE_WILD, (BLUE, 9))),
                _view(_hand(ONE_WILD, WILD_FOUR), WILD_FOUR, BLUE),
                _view(_hand(ONE_WILD, WILD_FOUR), ONE_WILD, GREEN),
            ),
            "a wild draw four and no other playable card": _all_choice_cases(
                _view(ONLY_WILD_FOUR_PLAYABLE),
                _view(_hand(WILD_FOUR, (GREEN, 1), WILD_FOUR)),
                _view(ONLY_WILD_FOUR_PLAYABLE, WILD_FOUR, GREEN),
                _view(ONLY_WILD_FOUR_PLAYABLE, ONE_WILD, GREEN),
            ),
        },
    ),
    "most_common_color": Check(facets={rule: _cases_of(*hands) for rule, hands in HANDS_BY_FACET.items()}),
    "stupid_play_card": Check(facets=PLAYABLE_FACETS),
    "stupid_play_drawn": Check(facets=DRAWN_FACETS),
    "stupid_choose_color": Check(
        facets={"every remainder": _cases_of(*(_view(NUMBER_HAND, ONE_WILD, roll=roll) for roll in SAMPLE_ROLLS))}
    ),
    "highest": Check(
        facets={
            "the last of equal cards": tuple(
                case(is_action, tuple(Card(color, SKIP) for color in colors)) for colors in (COLORS, COLORS[::-1])
            ),
            "cards out of order": (
                case(is_action, ACTION_HAND),
                case(is_action, ACTION_HAND[::-1]),
                case(is_wild, WILDS[::-1]),
            ),
            "a zero": (
                case(is_red, _hand((RED, 0))),
                case(is_red, _hand((BLUE, 7), (RED, 0), (GREEN, SKIP))),
                case(is_red, _hand((YELLOW, 0), (RED, 0), (GREEN, 3))),
            ),
            "an equally high card that does not fit": (
                case(is_red, _hand((RED, 7), (BLUE, 7))),
                case(is_red, _hand((RED, 0), (BLUE, 0))),
                case(is_red, _hand((BLUE, SKIP), (RED, SKIP), (GREEN, SKIP), (RED, 3), ONE_WILD)),
            ),
            "no such card": (
                case(is_wild, ()),
                case(is_red, _hand((BLUE, 0), (GREEN, 7))),
                case(is_red, WILDS),
                case(is_wild, NUMBER_HAND),
                case(is_action, NUMBER_HAND),
            ),
        }
    ),
    "slow_next_player": Check(
        facets={
            "two, three, four and five cards": _cases_of(
                *(_view(hand, counts=(6, number)) for hand in (ACTION_HAND, NUMBER_HAND) for number in (1, 2, 3, 4, 5))
            ),
            "more than two players, and the other direction": _cases_of(
                *(_view(ACTION_HAND, counts=(6, number, 8), direction=1) for number in (2, 3, 4)),
                *(_view(ACTION_HAND, counts=(6, 2, number), direction=-1) for number in (3, 4)),
                *(_view(ACTION_HAND, counts=(2, number, 2, 8), direction=1) for number in (3, 4)),
                *(_view(ACTION_HAND, counts=(2, 8, 2, number), direction=-1) for number in (3, 4)),
            ),
            "a draw two comes before everything": _cases_of(
                _view(_hand(ONE_WILD, (RED, SKIP), (RED, DRAW_TWO)), counts=(3, 3)),
                _view(_hand((RED, DRAW_TWO), (RED, REVERSE)), counts=(2, 1)),
                _view(_hand((BLUE, DRAW_TWO), (RED, DRAW_TWO), (RED, 9)), Card(RED, DRAW_TWO), counts=(3, 3)),
            ),
            "a draw two that is not playable": _cases_of(
                _view(_hand((BLUE, DRAW_TWO), (RED, SKIP), (RED, 4)), counts=(3, 3)),
                _view(_hand((BLUE, DRAW_TWO), (RED, 4)), counts=(2, 3)),
            ),
            "an action, or a wild": _cases_of(
                _view(_hand((RED, REVERSE), (RED, 9)), counts=(2, 3)),
                _view(_hand((RED, SKIP), (RED, REVERSE)), counts=(2, 2)),
                _view(_hand((RED, SKIP), ONE_WILD, (RED, 4)), counts=(3, 3)),
                _view(_hand((BLUE, 7), ONE_WILD), counts=(2, 3)),
                _view(_hand((BLUE, 7), WILD_FOUR), counts=(2, 3)),
            ),
            "no card that slows the next player": _cases_of(
                _view(NUMBER_HAND, counts=(3, 1)), _view((), counts=(0, 1)), _view(TWO_FIVES, counts=(2, 3))
            ),
        }
    ),
    "has_spare_action": Check(
        facets={
            "wilds do not count": _cases_of(
                _hand((RED, SKIP), ONE_WILD),
                _hand(ONE_WILD, ONE_WILD),
                _hand((RED, SKIP), ONE_WILD, ONE_WILD),
                _hand((BLUE, 3), WILD_FOUR, (RED, DRAW_TWO), ONE_WILD, WILD_FOUR),
                _hand((RED, 3), ONE_WILD, ONE_WILD),
                _hand(WILD_FOUR),
            ),
            "one action": _cases_of(
                _hand((RED, SKIP)),
                _hand((RED, 2), (RED, SKIP)),
                _hand((RED, 2), (BLUE, SKIP)),
                _hand((BLUE, 0), (BLUE, REVERSE)),
            ),
            "two or more": _cases_of(
                _hand((RED, DRAW_TWO), (RED, SKIP)),
                _hand((RED, SKIP), (BLUE, SKIP)),
                _hand(*((c, REVERSE) for c in COLORS)),
            ),
            "two equal actions": _cases_of(
                _hand((RED, SKIP), (RED, SKIP)), _hand((BLUE, 2), (RED, DRAW_TWO), (RED, DRAW_TWO), ONE_WILD)
            ),
            "none": _cases_of((), NUMBER_HAND, TWO_FIVES, _hand((RED, 9))),
        }
    ),
    "spend_spare_action": Check(
        facets={
            "the highest playable card may be a wild": _cases_of(
                _view(_hand(ONE_WILD, (RED, SKIP), (RED, 9))),
                _view(_hand((RED, SKIP), ONE_WILD, (RED, REVERSE), WILD_FOUR)),
            ),
            "only playable cards count": _cases_of(
                _view(_hand((RED, SKIP), (BLUE, SKIP), (BLUE, 5))),
                _view(_hand((BLUE, SKIP), (BLUE, 5), (RED, 2))),
                _view(_hand((GREEN, SKIP), (GREEN, 2), (YELLOW, SKIP), (BLUE, SKIP)), Card(BLUE, 2), BLUE),
                _view(_hand((RED, SKIP), (BLUE, REVERSE), (BLUE, 3), ONE_WILD)),
            ),
            "two actions of one value": _cases_of(
                _view(_hand((BLUE, SKIP), (RED, SKIP)), Card(RED, SKIP)),
                _view(_hand((RED, SKIP), (YELLOW, SKIP), (GREEN, 2)), Card(GREEN, SKIP), GREEN),
            ),
            "two equal actions": _cases_of(
                _view(_hand((RED, SKIP), (RED, SKIP))),
                _view(_hand((BLUE, SKIP), (RED, 2), (BLUE, SKIP)), Card(YELLOW, SKIP), RED),
            ),
            "no spare action, or no playable one": (
                *NO_PLAYABLE_CARD_CASES,
                *_cases_of(_view(NUMBER_HAND), _view(_hand((RED, SKIP))), _view(_hand((RED, SKIP), ONE_WILD))),
            ),
        }
    ),
    "follow_color": Check(
        facets={
            "no action, however high": _cases_of(
                _view(_hand((RED, SKIP), (RED, 3), (RED, DRAW_TWO))), _view(_hand((RED, DRAW_TWO), (BLUE, 5)))
            ),
            "the color, not the value": _cases_of(_view(_hand((BLUE, 9), (RED, 0)), Card(RED, 9)), _view(TWO_FIVES)),
            "the color called for a wild": _cases_of(
                *(_view(_hand((RED, 1), (BLUE, 2), (GREEN, 3), (YELLOW, 4)), *top) for top in WILD_TOPS)
            ),
            "a zero and a nine": _cases_of(_view(_hand((RED, 0))), _view(_hand((RED, 0), (RED, 9), (RED, 1)))),
            "nothing": NO_PLAYABLE_CARD_CASES,
        }
    ),
    "change_to_common_color": Check(
        facets={
            "only wilds": _cases_of(
                _view(_hand(ONE_WILD), ONE_WILD, RED),
                _view(_hand(WILD_FOUR), WILD_FOUR, RED),
                _view(_hand(ONE_WILD, WILD_FOUR)),
            ),
            "a wild in a hand with colors": _cases_of(
                _view(_hand(ONE_WILD, (BLUE, 2)), ONE_WILD, RED), _view(_hand(WILD_FOUR, (BLUE, 2)), WILD_FOUR, RED)
            ),
            "the color is counted over the whole hand": _cases_of(
                _view(_hand((GREEN, 5), (BLUE, 5), (GREEN, 1), (GREEN, SKIP), (RED, 1), (RED, 2))),
                _view(_hand((BLUE, 5), (YELLOW, 5), (YELLOW, 1))),
                _view(_hand((RED, 1), (RED, 2), (YELLOW, 5), (YELLOW, 1), (YELLOW, 2))),
            ),
            "the value of another color only": _cases_of(
                _view(_hand((GREEN, 5), (BLUE, 1))),
                _view(_hand((GREEN, 5), (BLUE, 1), (BLUE, 2))),
                _view(_hand((RED, 1), (RED, 2))),
            ),
            "equally common colors": _cases_of(
                _view(TWO_FIVES), _view(TWO_FIVES[::-1]), _view(_hand((YELLOW, 5), (GREEN, 5)))
            ),
            "the common color is the current color": _cases_of(_view(_hand((RED, 5), (RED, 1), (BLUE, 5)))),
            "an action on an action": _cases_of(_view(_hand((BLUE, SKIP), (BLUE, 1), (GREEN, SKIP)), Card(RED, SKIP))),
        }
    ),
    "match_value": Check(
        facets={
            "wilds have a value too": _cases_of(
                _view(_hand(ONE_WILD, (RED, 9)), ONE_WILD, RED),
                _view(_hand(WILD_FOUR, (BLUE, 9)), WILD_FOUR, RED),
                _view(_hand(WILD_FOUR, (RED, 9)), WILD_FOUR, RED),
                _view(_hand(WILD_FOUR, (BLUE, 9)), ONE_WILD, RED),
            ),
            "the last of equal cards": _cases_of(
                _view(TWO_FIVES), _view(TWO_FIVES[::-1]), _view(_hand((RED, 5), *TWO_FIVES, (RED, 9)))
            ),
            "a higher card of the color": _cases_of(
                _view(_hand((BLUE, 5), (RED, 9), ONE_WILD)), _view(_hand((RED, 9), ONE_WILD))
            ),
            "nothing": NO_PLAYABLE_CARD_CASES,
        }
    ),
    "highest_playable": Check(
        facets={
            "the last of equal cards": _cases_of(
                _view(_hand((RED, SKIP), (BLUE, SKIP)), Card(RED, SKIP)), _view(TWO_FIVES)
            ),
            "a wild, and a wild draw four": _cases_of(
                _view(_hand(ONE_WILD, (RED, 9))), _view(_hand(WILD_FOUR, (RED, 9))), _view(_hand((BLUE, 9), WILD_FOUR))
            ),
            "nothing": NO_PLAYABLE_CARD_CASES,
        }
    ),
    "first_answer": Check(
        facets={
            "no stage is called after an answer": (
                _plan_case("first_card", "last_card"),
                _plan_case("no_card", "last_card", "first_card"),
                _plan_case("last_card", "give_up"),
            ),
            "no answer": (
                _plan_case(),
                _plan_case("no_card"),
                _plan_case("no_card", "no_card"),
                _plan_case("first_card", hand=()),
            ),
            "the first of the answers": (
                _plan_case("last_card", "first_card"),
                _plan_case("no_card", "first_card", "last_card"),
            ),
        }
    ),
    "smart_play_card": Check(
        facets={
            "stage 1 before all": _cases_of(
                _view(ACTION_HAND, counts=(6, 3)),
                _view(ACTION_HAND[:3], counts=(3, 1)),
                _view(NUMBER_HAND, counts=(3, 3)),
            ),
            "four cards are not three": _cases_of(
                _view(ACTION_HAND, counts=(6, 4)), _view(ACTION_HAND[1:], counts=(5, 4))
            ),
            "a spare action before a digit": _cases_of(
                _view(_hand((RED, SKIP), (RED, 9))), _view(_hand((RED, 9), *ACTION_HAND[3:]))
            ),
            "no spare action": _cases_of(
                _view(_hand((RED, SKIP), (BLUE, 5))), _view(_hand((RED, 2), (RED, 9), ONE_WILD))
            ),
            "a digit of the color before the value": _cases_of(
                _view(NUMBER_HAND), _view(_hand((RED, 2), (BLUE, 5), (BLUE, 1)))
            ),
            "the common color before another": _cases_of(
                _view(_hand((BLUE, 5), (YELLOW, 5), (BLUE, 1))),
                _view(_hand((GREEN, 5), (BLUE, 5), (GREEN, 1))),
                _view(_hand((YELLOW, 5), (RED, SKIP), (GREEN, 5), (YELLOW, 1), (GREEN, 2))),
            ),
            "the value before a wild": _cases_of(_view(_hand((BLUE, 5), ONE_WILD, (GREEN, 1), (GREEN, 2)))),
            "what is left": _cases_of(
                _view(_hand((RED, SKIP), (BLUE, 9))),
                _view(_hand((RED, SKIP), ONE_WILD)),
                _view(_hand(ONE_WILD, (BLUE, 1))),
            ),
            "a wild draw four": _cases_of(
                _view(_hand(WILD_FOUR, (BLUE, 9))), _view(_hand(WILD_FOUR, (RED, SKIP)), counts=(2, 1))
            ),
        }
    ),
    "smart_play_drawn": Check(facets=DRAWN_FACETS),
    "smart_choose_color": Check(
        facets={
            "the most common color": _cases_of(
                *(
                    _view(hand, ONE_WILD, color, roll=5)
                    for hands in HANDS_BY_FACET.values()
                    for hand in hands
                    for color in (RED, BLUE)
                )
            ),
            "another color by chance": _cases_of(
                *(
                    _view(hand, WILD_FOUR, color, roll=roll)
                    for hand in ((), WILDS)
                    for color in COLORS
                    for roll in SAMPLE_ROLLS
                )
            ),
        }
    ),
    "win_rate": Check(
        cases=st.tuples(
            st.sampled_from((STUPID, SMART)),
            st.just(STUPID),
            st.lists(st.integers(0, 10**6), min_size=1, max_size=4).map(tuple),
        ),
        count=12,
        facets={
            "the bots change seats": (
                case(QUITTER, QUITTER, (1,)),
                case(QUITTER, QUITTER, (1, 2, 3)),
                case(STUPID, STUPID, (4, 5, 6)),
            ),
            "the rate of the first bot": (case(STUPID, QUITTER, (1, 2)), case(QUITTER, SMART, (1, 2, 3))),
            "the same seed again": (
                case(QUITTER, QUITTER, (1, 1)),
                case(QUITTER, QUITTER, (2, 3, 2, 2, 3)),
                case(STUPID, QUITTER, (5, 5)),
            ),
            "games, not sets": (case(SMART, STUPID, (1, 2, 3)), case(STUPID, SMART, (9, 8, 7))),
        },
        accepts=accept_rate,
        invariant=accept_any_rate,
    ),
    "champion": Check(
        contests={
            "beats SmartPlayer, with a confidence of 95 %": Contest(
                "smart_player",
                deals=4000,
                is_won=lambda duel: stake_after(duel) >= WINNING_STAKE,
                goal="it wins too few sets against SmartPlayer; with 55 % of them it is on the safe side",
                stops=lambda duel: not 1 / WINNING_STAKE < stake_after(duel) < WINNING_STAKE,
            ),
        },
        texts={
            "beats SmartPlayer, with a confidence of 95 %": "beats SmartPlayer, with a confidence of 99.9 %",
        },
    ),
}
