"""The worked examples of the lab's text: the calls of section 7, and the dialogue and the result of section 5."""

import pytest

from course.uno import (
    BLUE,
    CLOCKWISE,
    COUNTERCLOCKWISE,
    GREEN,
    NAMES,
    RED,
    YELLOW,
    Crd,
    Desk,
    DrawTwo,
    Num,
    Proceed,
    Reverse,
    Simple,
    Skip,
    Wild,
    WildDrawFour,
    compose,
    dialogue_desk,
    same_number,
    ten_players,
    transcript,
    whose_turn,
)
from solutions.uno import (
    card_count,
    card_sort,
    card_value,
    color_is_lt,
    deck,
    game,
    has_color,
    is_lt,
    naive,
    opposite_dir,
    playable_when_exec,
    playable_when_proc,
    playable_when_wild,
    precedes,
    rank_is_lt,
    remove_card,
    sum_cards,
    your_turn,
)
from tests.grader import Grader
from tests.units import read_unit

CARDS = (
    Crd(Num(2), YELLOW),
    Crd(Num(5), GREEN),
    Crd(Num(8), YELLOW),
    Crd(Reverse(), YELLOW),
    Wild(),
    Crd(Skip(), RED),
    Crd(DrawTwo(), GREEN),
)
FIRST_REQUEST = """\
The turn of Sergey
State: GIVE RED
Your hand:
[ WILD_DRAW_FOUR
, CRD (REVERSE, BLUE)
, CRD (NUM 7, BLUE)
, CRD (NUM 9, YELLOW)
, CRD (NUM 4, YELLOW)
, CRD (NUM 3, YELLOW)
, CRD (NUM 2, YELLOW) ]
Playable cards:
[ WILD_DRAW_FOUR ]
The card on the pile: WILD
Game direction: CLOCKWISE
The latest moves:
[ ORDER (WILD, RED)
, ORDER (WILD, RED)
, PASS
, ORDER (WILD_DRAW_FOUR, RED)
, SIMPLE (CRD (SKIP, BLUE))
, PASS
, ORDER (WILD_DRAW_FOUR, BLUE)
, SIMPLE (CRD (NUM 4, RED))
, PASS
, SIMPLE (CRD (SKIP, RED)) ]
How many cards each player has:
[7, 6, 7, 6, 10, 6, 7, 10, 6, 6]
Type the number of a playable card (from 0).
If you type any other number, your strategy plays for you.
"""
THE_MOVES = """\
Type the number of a color (from 0):
[YELLOW, BLUE, GREEN, RED]
If you type any other number, your strategy plays for you.
Sergey made move
ORDER (WILD_DRAW_FOUR, GREEN)
The turn of Pavel
The turn of Saveliy
Saveliy made move
SIMPLE (CRD (NUM 7, GREEN))
The turn of Igor
Igor made move
SIMPLE (CRD (NUM 8, GREEN))
The turn of Gennadiy
Gennadiy made move
SIMPLE (CRD (REVERSE, GREEN))
The turn of Igor
Igor made move
SIMPLE (CRD (NUM 7, GREEN))
The turn of Saveliy
Saveliy made move
SIMPLE (CRD (NUM 7, RED))
The turn of Pavel
Pavel made move
SIMPLE (CRD (NUM 6, RED))
"""
SECOND_REQUEST = """\
The turn of Sergey
State: PROCEED
Your hand:
[ CRD (NUM 1, RED)
, CRD (REVERSE, BLUE)
, CRD (NUM 7, BLUE)
, CRD (NUM 9, YELLOW)
, CRD (NUM 4, YELLOW)
, CRD (NUM 3, YELLOW)
, CRD (NUM 2, YELLOW) ]
Playable cards:
[ CRD (NUM 1, RED) ]
The card on the pile: CRD (NUM 6, RED)
Game direction: COUNTERCLOCKWISE
The latest moves:
[ SIMPLE (CRD (NUM 6, RED))
, SIMPLE (CRD (NUM 7, RED))
, SIMPLE (CRD (NUM 7, GREEN))
, SIMPLE (CRD (REVERSE, GREEN))
, SIMPLE (CRD (NUM 8, GREEN))
, SIMPLE (CRD (NUM 7, GREEN))
, PASS
, ORDER (WILD_DRAW_FOUR, GREEN)
, ORDER (WILD, RED)
, ORDER (WILD, RED) ]
How many cards each player has:
[7, 9, 5, 4, 9, 6, 7, 10, 6, 6]
Type the number of a playable card (from 0).
If you type any other number, your strategy plays for you.
"""
THE_END = """\
Sergey made move
SIMPLE (CRD (NUM 1, RED))
The turn of Olga
"""


EXAMPLES = [
    (precedes(same_number)((1, 2, 3, 4, 5))(4)(5), True),
    (color_is_lt(BLUE)(GREEN), True),
    (rank_is_lt(Num(3))(Skip()), True),
    (is_lt(Wild(), Crd(Num(3), BLUE)), False),
    (card_sort(CARDS), (Wild(), *(CARDS[place] for place in (5, 6, 1, 3, 2, 0)))),
    (card_value(Crd(DrawTwo(), GREEN)), 20),
    (sum_cards(CARDS), 125),
    (opposite_dir(CLOCKWISE), COUNTERCLOCKWISE),
    (remove_card(CARDS, Crd(Num(5), GREEN), IndexError()), CARDS[:1] + CARDS[2:]),
    (card_count(Wild()), 4),
    (playable_when_wild(BLUE)(WildDrawFour()), True),
    (playable_when_exec(Skip())(WildDrawFour()), False),
    (playable_when_proc((Num(5), RED))(Crd(Skip(), RED)), True),
    (has_color(RED, CARDS), True),
    (naive(Proceed(), CARDS, CARDS[:4] + CARDS[5:], Crd(Num(9), RED), CLOCKWISE, (), (7, 7)), Simple(Crd(Skip(), RED))),
]


@pytest.mark.parametrize(("result", "expected"), EXAMPLES)
def test_calls_of_the_lab_have_the_stated_results(result: object, expected: object) -> None:
    assert result == expected and type(result) is type(expected)


@pytest.fixture(scope="module")
def dialogue() -> tuple[Desk, str]:
    return transcript(compose(*[your_turn] * 8, whose_turn), dialogue_desk(naive), typed=("0", "2", "0"))


def test_the_dialogue_is_the_lab_s(dialogue):
    assert dialogue[1] == FIRST_REQUEST + THE_MOVES + SECOND_REQUEST + THE_END


def test_the_dialogue_is_played_with_all_the_cards(dialogue):
    for desk in dialogue_desk(naive), dialogue[0]:
        hands = tuple(card for player in desk.players for card in player.cards)
        assert sorted(map(repr, hands + desk.pile + desk.deck)) == sorted(map(repr, deck))


def test_pavel_missed_his_turn_and_drew_four_cards(dialogue):
    assert [len(player.cards) for player in dialogue[0].players if player.name == "Pavel"] == [6 + 4 - 1]


def test_a_result_has_the_winner_and_all_losses_in_table_order():
    winner, losses = transcript(game, ten_players(naive), typed=("-1",), chance=0)[0]
    assert dict(losses)[winner] == 0
    assert tuple(name for name, _ in losses) in {NAMES[n:] + NAMES[:n] for n in range(10)}


APART = """
from collections import Counter
def is_sound(desk):
    def counts(cards):
        ordinary = [card for card in cards if isinstance(card, Crd)]
        wilds = Counter(map(type, cards))
        return wilds, Counter(card.rank for card in ordinary), Counter(card.color for card in ordinary)
    return counts((*desk.pile, *desk.deck, *(card for each in desk.players for card in each.cards))) == counts(deck)
"""


def test_ranks_and_colors_counted_apart_are_no_sound_desk(grader: Grader) -> None:
    assert grader.one("uno", "is_sound", APART).state == "wrong"


COLOR_IN_TWO_STATES = "{Proceed: lambda: desk.pile[0].color, Give: lambda: desk.state.color}[type(desk.state)]()"


def test_a_play_that_answers_no_action_card_is_always_refused(grader: Grader) -> None:
    source = read_unit("uno")["play"].source.replace("required_color(desk)", COLOR_IN_TWO_STATES)
    failed = [each.name for each in grader.one("uno", "play", source).facets if not each.passed]
    assert any("an answer to an action card" in name for name in failed)
