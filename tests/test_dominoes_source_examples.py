"""Worked examples of the source of dominoes that are no doctests, its two games, and the basis of its exam."""

import copy
import pickle
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.exam.cases import Observation
from autograder.exams.dominoes import checks
from autograder.exams.dominoes.mistakes import list_shuffle__swaps_with_any
from course.dominoes import (
    EMPTY,
    Bot,
    Chain,
    Domino,
    Empty,
    first,
    left_end,
    never,
    random_below,
    right_end,
    second,
    transcript,
)
from course.dominoes import joint as wholes
from solutions.dominoes import (
    append,
    input_bot_move,
    input_human_move,
    input_move,
    legal_adds,
    list_shuffle,
    make_dominoes,
    move,
    play,
    suppress,
    take,
)
from tests.grader import Grader


def tiles(text):
    """Return the tiles that people write as `6-5 4-4`."""
    return tuple(Domino(int(word[0]), int(word[2])) for word in text.split())


def tile(text):
    (only,) = tiles(text)
    return only


@pytest.mark.parametrize(
    "added, end, longer",
    [
        ("5-1", "<", Chain(5, "5-1 1-2 4-3", 3)),
        ("3-5", ">", Chain(1, "1-2 4-3 3-5", 5)),
        ("5-2", "<", Chain(5, "5-2 1-2 4-3", 3)),
    ],
)
def test_append_adds_a_tile_whether_it_fits_or_not(added, end, longer):
    assert append(tile(added), Chain(1, "1-2 4-3", 3), end) == longer


@pytest.mark.parametrize(
    "laid, chain, longer",
    [
        ("5-6", EMPTY, [Chain(5, "5-6", 6)]),
        ("5-6", Chain(1, "1-5 6-2", 2), []),
        ("1-5", Chain(5, "5-5 5-3 3-2", 2), [Chain(1, "1-5 5-5 5-3 3-2", 2)]),
        ("5-1", Chain(5, "5-5 5-3 3-2", 2), [Chain(1, "1-5 5-5 5-3 3-2", 2)]),
        ("2-4", Chain(5, "5-5 5-3 3-2", 2), [Chain(5, "5-5 5-3 3-2 2-4", 4)]),
        ("4-2", Chain(5, "5-5 5-3 3-2", 2), [Chain(5, "5-5 5-3 3-2 2-4", 4)]),
        ("5-6", Chain(6, "6-1 1-5", 5), [Chain(5, "5-6 6-1 1-5", 5), Chain(6, "6-1 1-5 5-6", 6)]),
        ("6-5", Chain(6, "6-1 1-5", 5), [Chain(5, "5-6 6-1 1-5", 5), Chain(6, "6-1 1-5 5-6", 6)]),
        ("6-6", Chain(6, "6-0 0-1", 1), [Chain(6, "6-6 6-0 0-1", 1)]),
        ("6-6", Chain(1, "1-0 0-6", 6), [Chain(1, "1-0 0-6 6-6", 6)]),
        ("5-6", Chain(6, "6-1 1-6", 6), [Chain(5, "5-6 6-1 1-6", 6)]),
        ("6-6", Chain(6, "6-1 1-6", 6), [Chain(6, "6-6 6-1 1-6", 6)]),
    ],
)
def test_legal_adds_returns_distinct_chains(laid, chain, longer):
    assert legal_adds(tile(laid), chain) == tuple(longer)


@pytest.mark.parametrize(
    "gone, hand, left",
    [
        ("2-3", "", ""),
        ("2-3", "1-2 6-5", "1-2 6-5"),
        ("4-5", "4-5", ""),
        ("4-5", "5-4", ""),
        ("4-5", "4-5 3-2", "3-2"),
        ("4-5", "5-4 3-2", "3-2"),
        ("4-5", "3-2 4-5", "3-2"),
        ("4-5", "3-2 5-4", "3-2"),
        ("4-5", "3-2 5-4 6-3", "3-2 6-3"),
        ("5-4", "3-2 5-4 6-3", "3-2 6-3"),
    ],
)
def test_suppress_removes_a_tile_in_either_presentation(gone, hand, left):
    assert suppress(tile(gone), tiles(hand)) == tiles(left)


@pytest.mark.parametrize(
    "select_domino, select_end, hand, moved, printed",
    [
        (never, never, "1-2 3-5 5-3", None, ""),
        (first, never, "1-2 6-5 5-3", ("1-2 5-3", Chain(5, "5-6 6-1 1-4", 4)), "\tforced move :        6-5\n"),
        (first, right_end, "1-2 6-4 5-3", ("1-2 5-3", Chain(6, "6-1 1-4 4-6", 6)), "\tforced move :        6-4\n"),
        (first, left_end, "1-2 6-4 5-3", ("1-2 5-3", Chain(4, "4-6 6-1 1-4", 4)), "\tforced move :        6-4\n"),
        (first, never, "1-2 6-5 4-3", ("1-2 4-3", Chain(5, "5-6 6-1 1-4", 4)), ""),
        (second, never, "1-2 6-5 4-3", ("1-2 6-5", Chain(6, "6-1 1-4 4-3", 3)), ""),
        (second, left_end, "1-2 6-5 6-4", ("1-2 6-5", Chain(4, "4-6 6-1 1-4", 4)), ""),
        (second, right_end, "1-2 6-5 6-4", ("1-2 6-5", Chain(6, "6-1 1-4 4-6", 6)), ""),
    ],
)
def test_input_move_leaves_the_choices_to_its_parameters(select_domino, select_end, hand, moved, printed):
    result = moved and (tiles(moved[0]), moved[1])
    assert transcript(input_move, select_domino, select_end, Chain(6, "6-1 1-4", 4), tiles(hand)) == (result, printed)


@pytest.mark.parametrize(
    "chain, hand, chance, moved, printed",
    [
        (Chain(6, "6-1 1-5", 5), "6-5", (0,), ("", Chain(5, "5-6 6-1 1-5", 5)), "\tforced move :        6-5\n"),
        (Chain(6, "6-1 1-4", 4), "6-5", None, ("", Chain(5, "5-6 6-1 1-4", 4)), "\tforced move :        6-5\n"),
        (Chain(6, "6-1 1-4", 4), "6-3 4-2", (1,), ("6-3", Chain(6, "6-1 1-4 4-2", 2)), "\tto lay :             4-2\n"),
        (Chain(6, "6-1 1-5", 5), "4-4", None, None, ""),
    ],
)
def test_a_bot_moves_by_chance(chain, hand, chance, moved, printed):
    result = moved and (tiles(moved[0]), moved[1])
    assert transcript(input_bot_move, chain, tiles(hand), chance=chance) == (result, printed)


def test_a_human_is_asked_until_tile_and_end_are_valid():
    typed = ("356", "12", "64", "foobar", ">")
    moved, printed = transcript(input_human_move, Chain(6, "6-1 1-4", 4), tiles("1-2 6-5 6-4"), typed=typed)
    assert (moved, printed) == (
        (tiles("1-2 6-5"), Chain(6, "6-1 1-4 4-6", 6)),
        "\tWhich domino do you want to lay? \nTry again!\nTry again!\n\tAt which end? \nTry again!\n",
    )


@pytest.mark.parametrize(
    "n, hand, stock",
    [
        (0, "1-1 2-2", "3-3 4-4 5-6"),
        (2, "4-4 3-3 1-1 2-2", "5-6"),
        (3, "5-6 4-4 3-3 1-1 2-2", ""),
        (42, "5-6 4-4 3-3 1-1 2-2", ""),
    ],
)
def test_take_moves_tiles_one_by_one_to_the_front(n, hand, stock):
    assert take(tiles("1-1 2-2"), n, tiles("3-3 4-4 5-6")) == (tiles(hand), tiles(stock))


@pytest.mark.parametrize(
    "chain, hand, player, chance, result, printed",
    [
        (
            Chain(6, "6-1 1-5", 5),
            "6-5",
            Bot(1),
            (0,),
            ("1-1 1-2 1-3", Chain(5, "5-6 6-1 1-5", 5), ""),
            "Player 1 (bot)  :\n\thand : 6-5\n\tforced move :        6-5\n",
        ),
        (
            Chain(6, "6-1 1-4", 4),
            "6-5",
            Bot(2),
            None,
            ("1-1 1-2 1-3", Chain(5, "5-6 6-1 1-4", 4), ""),
            "Player 2 (bot)  :\n\thand : 6-5\n\tforced move :        6-5\n",
        ),
        (
            Chain(6, "6-1 1-4", 4),
            "6-3 4-2",
            Bot(3),
            (1,),
            ("1-1 1-2 1-3", Chain(6, "6-1 1-4 4-2", 2), "6-3"),
            "Player 3 (bot)  :\n\thand : 6-3 4-2\n\tto lay :             4-2\n",
        ),
        (
            Chain(6, "6-1 1-5", 5),
            "4-4",
            Bot(4),
            None,
            ("1-3", Chain(6, "6-1 1-5", 5), "1-2 1-1 4-4"),
            "Player 4 (bot)  :\n\thand : 4-4\n\tNo possible move!\n",
        ),
    ],
)
def test_a_turn_is_a_move_or_a_draw_from_the_stock(chain, hand, player, chance, result, printed):
    turn = transcript(move, tiles("1-1 1-2 1-3"), chain, tiles(hand), player, chance=chance)
    assert turn == ((tiles(result[0]), result[1], tiles(result[2])), printed)


HUMAN_AGAINST_BOT = """\
Player 1 (human):	0-0 2-1 3-0 4-1 2-2 4-0 4-2
Player 2 (bot)  :	4-4 3-2 4-3 3-3 2-0 3-1 1-1
Player 1 (human):
	hand : 0-0 2-1 3-0 4-1 2-2 4-0 4-2
	Which domino do you want to lay?\x20
	chain :              0-0
Player 2 (bot)  :
	hand : 4-4 3-2 4-3 3-3 2-0 3-1 1-1
	forced move :        2-0
	chain :              2-0 0-0
Player 1 (human):
	hand : 2-1 3-0 4-1 2-2 4-0 4-2
	Which domino do you want to lay?\x20
	chain :              2-2 2-0 0-0
Player 2 (bot)  :
	hand : 4-4 3-2 4-3 3-3 3-1 1-1
	forced move :        3-2
	chain :              3-2 2-2 2-0 0-0
Player 1 (human):
	hand : 2-1 3-0 4-1 4-0 4-2
	Which domino do you want to lay?\x20
	At which end?\x20
	chain :              3-2 2-2 2-0 0-0 0-3
Player 2 (bot)  :
	hand : 4-4 4-3 3-3 3-1 1-1
	to lay :             3-3
	chain :              3-3 3-2 2-2 2-0 0-0 0-3
Player 1 (human):
	hand : 2-1 4-1 4-0 4-2
	No possible move!
	chain :              3-3 3-2 2-2 2-0 0-0 0-3
Player 2 (bot)  :
	hand : 4-4 4-3 3-1 1-1
	to lay :             4-3
	chain :              4-3 3-3 3-2 2-2 2-0 0-0 0-3
Player 1 (human):
	hand : 1-0 2-1 4-1 4-0 4-2
	Which domino do you want to lay?\x20
	chain :              0-4 4-3 3-3 3-2 2-2 2-0 0-0 0-3
Player 2 (bot)  :
	hand : 4-4 3-1 1-1
	forced move :        3-1
	chain :              0-4 4-3 3-3 3-2 2-2 2-0 0-0 0-3 3-1
Player 1 (human):
	hand : 1-0 2-1 4-1 4-2
	Which domino do you want to lay?\x20
	At which end?\x20
	chain :              0-4 4-3 3-3 3-2 2-2 2-0 0-0 0-3 3-1 1-0
Player 2 (bot)  :
	hand : 4-4 1-1
	No possible move!
	chain :              0-4 4-3 3-3 3-2 2-2 2-0 0-0 0-3 3-1 1-0
Player 1 (human):
	hand : 2-1 4-1 4-2
	No possible move!
	chain :              0-4 4-3 3-3 3-2 2-2 2-0 0-0 0-3 3-1 1-0
It's a draw!
"""

THREE_BOTS_AS_FAR_AS_PRINTED = """\
Player 1 (bot)  :	5-4 6-3 5-3 0-0 6-2 6-4
Player 2 (bot)  :	5-0 4-3 4-1 3-3 3-0 5-2
Player 3 (bot)  :	4-0 6-1 1-0 2-0 5-1 5-5
Player 1 (bot)  :
	hand : 5-4 6-3 5-3 0-0 6-2 6-4
	to lay :             5-3
	chain :              5-3
Player 2 (bot)  :
	hand : 5-0 4-3 4-1 3-3 3-0 5-2
	to lay :             5-2
	chain :              2-5 5-3
Player 3 (bot)  :
	hand : 4-0 6-1 1-0 2-0 5-1 5-5
	forced move :        2-0
	chain :              0-2 2-5 5-3
Player 1 (bot)  :
	hand : 5-4 6-3 0-0 6-2 6-4
	to lay :             6-3
	chain :              0-2 2-5 5-3 3-6
Player 2 (bot)  :
	hand : 5-0 4-3 4-1 3-3 3-0
	to lay :             3-0
	chain :              3-0 0-2 2-5 5-3 3-6
Player 3 (bot)  :
	hand : 4-0 6-1 1-0 5-1 5-5
	forced move :        6-1
	chain :              3-0 0-2 2-5 5-3 3-6 6-1
Player 1 (bot)  :
	hand : 5-4 0-0 6-2 6-4
	No possible move!
	chain :              3-0 0-2 2-5 5-3 3-6 6-1
Player 2 (bot)  :
	hand : 5-0 4-3 4-1 3-3
	to lay :             4-3
	chain :"""


def rolls_that_deal(highest, *hands):
    """Return the rolls with which the reference's shuffle deals these hands; the other tiles are the stock."""
    left = list(make_dominoes(highest))
    dealt = [domino for hand in hands for domino in reversed(tiles(hand))]
    rolls = []
    for domino in dealt + [other for other in left if other not in dealt]:
        rolls.append(left.index(domino))
        left.remove(domino)
    return tuple(rolls)


def test_the_human_s_game_against_a_bot_replays_to_the_end():
    deal = rolls_that_deal(4, "0-0 2-1 3-0 4-1 2-2 4-0 4-2", "4-4 3-2 4-3 3-3 2-0 3-1 1-1")
    typed = ("00", "22", "30", ">", "40", "10", ">")
    third_of_three, first_of_two = 1, 0
    game = transcript(play, 4, "HB", typed=typed, chance=(*deal, third_of_three, first_of_two))
    assert game == (None, HUMAN_AGAINST_BOT)


def test_the_game_of_three_bots_replays_as_far_as_it_is_printed():
    deal = rolls_that_deal(6, "5-4 6-3 5-3 0-0 6-2 6-4", "5-0 4-3 4-1 3-3 3-0 5-2", "4-0 6-1 1-0 2-0 5-1 5-5")
    choices = (2, 4, 0, 1, 0)
    _, printed = transcript(play, 6, "BBB", chance=(*deal, *choices, *[0] * 200))
    assert printed.startswith(THREE_BOTS_AS_FAR_AS_PRINTED)


@settings(max_examples=60)
@given(st.integers(0, 6), st.sampled_from(["BB", "BBB", "BBBB"]), st.integers(0, 10**6))
def test_every_game_ends_and_follows_the_rules(highest, seats, seed):
    _, printed = transcript(play, highest, seats, chance=seed)
    checks.replay_transcript(highest, seats, printed.splitlines())


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_games_with_people_follow_the_rules(seed):
    case = checks.random_game_case(Random(seed))
    _, printed = transcript(play, *case.args, typed=case.typed, chance=case.chance)
    checks.replay_transcript(*case.args, printed.splitlines())


def without(lines, text):
    place = max(number for number, line in enumerate(lines) if text in line)
    return lines[:place] + lines[place + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        lambda lines: lines[:-1],
        lambda lines: [*lines[:-1], "Player 1 (human) wins!"],
        lambda lines: [*lines[:-5], lines[-1]],
        lambda lines: [*lines[:-1], *lines[-5:]],
        lambda lines: lines[1:],
        lambda lines: without(lines, "\tchain :"),
        lambda lines: without(lines, "\thand :"),
        lambda lines: without(lines, "No possible move!"),
        lambda lines: [line.replace("2-1", "2-2") for line in lines],
        lambda lines: [line.replace("0-0 0-3", "0-3 0-0") for line in lines],
        lambda lines: [line.replace("\thand : 1-0 2-1", "\thand : 2-1") for line in lines],
        lambda lines: [line.replace("Player 2 (bot)  :", "Player 1 (human):") for line in lines],
    ],
)
def test_a_transcript_that_breaks_a_rule_is_refused(damage):
    broken = Observation(printed="\n".join(damage(HUMAN_AGAINST_BOT.splitlines())))
    assert checks.play_invariant(checks.Case((4, "HB")), Observation(), broken)


@pytest.mark.parametrize(
    "got, accepted",
    [
        (Observation(fault="took too long"), False),
        (Observation(raised="TypeError"), False),
        (Observation(raised="EOFError"), True),
        (Observation(printed=HUMAN_AGAINST_BOT), True),
    ],
)
def test_an_endless_game_is_refused_unless_typed_lines_run_out(got, accepted):
    assert (checks.play_invariant(checks.Case((4, "HB"), typed=("00",)), Observation(), got) is None) == accepted


@pytest.mark.parametrize("passes", ["a draw", "a pass that draws does not count for the draw", "everybody must pass"])
def test_the_games_of_a_facet_match_its_name(passes):
    for case in checks.CHECKS["play"].facets[passes]:
        _, printed = transcript(play, *case.args, chance=case.chance)
        turns = printed.split("\nPlayer ")[len(case.args[1]) :]
        assert any("No possible move!" in one and "No possible move!" in other for one, other in pairwise(turns))
        assert ("draw!" in printed) == (passes == "a draw") or passes.startswith("a pass")


def observations(shuffle, cases):
    return tuple(Observation(transcript(shuffle, *case.args, chance=case.chance)[0]) for case in cases)


NOT_FOR_NONE = """
def list_shuffle(items):
    if len(items) == 1:
        return items
    place = random_below(len(items))
    return (items[place], *list_shuffle(items[:place] + items[place + 1 :]))
"""


def test_a_shuffle_that_does_not_end_at_no_items_is_refused(grader: Grader) -> None:
    assert grader.one("dominoes", "list_shuffle", NOT_FOR_NONE).state == "wrong"


@pytest.mark.parametrize("fair", [list_shuffle, lambda items: tuple(sorted(items, key=lambda _: random_below(10**9)))])
def test_every_fair_shuffle_is_accepted(fair):
    for whole in checks.CHECKS["list_shuffle"].facets.values():
        if isinstance(whole, checks.Joint):
            assert whole.judge(observations(fair, whole.cases)) is None


def test_fair_shuffles_pass_and_swapping_with_any_position_fails():
    deck = checks.repeated_cases(wholes.DECK)
    assert abs(wholes.swapping_drift(wholes.DECK, observations(list_shuffle, deck))) < wholes.DEVIATION_LIMIT / 2
    assert (
        wholes.swapping_drift(wholes.DECK, observations(list_shuffle__swaps_with_any, deck))
        > wholes.DEVIATION_LIMIT * 1.5
    )


def test_there_is_one_empty_chain():
    assert {id(same) for same in (Empty(), copy.deepcopy(EMPTY), pickle.loads(pickle.dumps(EMPTY)))} == {id(EMPTY)}


def test_a_move_is_legal_exactly_if_the_halves_that_touch_are_equal():
    for domino in checks.TILES:
        for chain in checks.CHAINS:
            assert len(legal_adds(domino, chain)) == len({chain.left, chain.right} & {domino.left, domino.right})
