"""The arena: rules of a set, bots judged by their sets, a course's league, and the arena of docs/own-contest.md."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from copy import copy
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from itertools import chain, pairwise
from pathlib import Path
from random import Random
from signal import SIGINT, SIGKILL, Signals
from time import sleep
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock
from xml.etree import ElementTree

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.arena import contest
from autograder.arena.league import Match, TournamentError, chosen_arena, play_match
from autograder.commands.tournament import contestants_in, public_reason
from autograder.config import Policy
from autograder.exam.cases import Contest
from autograder.exam.store import exam_for
from autograder.exams.bots.checks import CHECKS, random_views
from autograder.grading.run import grade
from autograder.report.model import PASSED, WRONG, ExerciseReport
from autograder.report.render import headline
from autograder.report.stops import Stop, TooLate
from autograder.report.words import facet_failure_text
from autograder.sandbox.inside.bot_runner import codec_of, find_bot
from autograder.term.course import read_course
from autograder.term.store import DATABASE_FILE
from autograder.units import pack as packs
from autograder.units.pack import UnitError
from autograder.units.unit import Unit
from course import bots, sedma
from course.arena import set as arena
from course.arena.arena import Arena, Fault, Foul, Game, SetResult, Steps, answers_of, function_for, game_seeds
from course.arena.charts import heat_map, rates_chart
from course.arena.contests import Duel, duel_from, duel_in, tournament_in, wilson
from course.arena.set import ARENA, drive, play_game, play_set, set_steps
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
    WILD,
    WILD_DRAW_FOUR,
    YELLOW,
    Bot,
    Card,
    View,
    is_wild,
)
from course.bots import QUITTER, first_card, score_chart
from course.exam.wire import Wire
from solutions.bots import champion, fits, is_sound, playable_cards, smart_player, stupid_player
from tests.classroom import notebook_with, reference_answers, submission_with, write_file
from tests.command import FOLDEM, PATIENCE, PLAIN, foldem, foldem_here, is_one_line_refusal, printed_by
from tests.console import ROOT, File, read_page
from tests.sample import one_in
from tests.stage import assert_page_accessible
from tests.test_tables_browser import chromium
from tests.units import known, read_unit

SEEDS = st.integers(0, 2**62)
WILD_CARD, WILD_FOUR, RED_FIVE = Card(None, WILD), Card(None, WILD_DRAW_FOUR), Card(RED, 5)


def bot(**functions: Callable[[View], Any]) -> Bot:
    """Return StupidPlayer with some of its functions replaced."""
    return replace(stupid_player, name="odd", **functions)


def table(*hands: tuple[Card, ...], top: Card = RED_FIVE, stock: tuple[Card, ...] = ()) -> arena._Table:
    chance = Random(0).random
    return arena._Table(chance, chance, list(stock), [], list(map(list, hands)), top, top.color or RED)


def played_from(monkeypatch: pytest.MonkeyPatch, start: arena._Table, *bots: Bot) -> SetResult:
    monkeypatch.setattr(arena, "_deal", lambda _players, _seed: start)
    return play_set(bots, 0)


def legal_answer(question: str, view: View, random: Random) -> Any:
    match question:
        case "play_card":
            return random.choice(playable_cards(view))
        case "play_drawn":
            assert view.drawn is not None
            return (is_wild(view.drawn) or fits(view.drawn, view.top, view.color)) and random.random() < 0.7
    return random.choice(COLORS)


@given(st.integers(2, 10), SEEDS)
@settings(max_examples=60, deadline=None)
def test_the_108_cards_stay_the_same_from_the_deal_to_the_end(players: int, seed: int) -> None:
    steps, random, request = set_steps(players, seed), Random(seed), None
    try:
        request = next(steps)
        while True:
            seat, question, view = request
            inside = steps.gi_frame.f_locals["table"]
            cards = [*inside.stock, *inside.pile, inside.top, *(card for hand in inside.hands for card in hand)]
            drawn = [view.drawn] if view.drawn else []
            assert sorted(map(repr, cards + drawn)) == sorted(map(repr, DECK))
            assert (view.hand, view.counts[0]) == (tuple(inside.hands[seat]), len(view.hand))
            assert sum(view.counts) == sum(map(len, inside.hands)) and 0 <= view.roll < 27720
            request = steps.send(legal_answer(question, view, random))
    except StopIteration as end:
        assert end.value.foul is None and (end.value.winner is not None or end.value.turns == 1000)


def test_the_deck_is_the_classic_one() -> None:
    colored = {Card(color, value): 2 if value else 1 for color in COLORS for value in range(13)}
    assert Counter(DECK) == colored | {WILD_CARD: 4, WILD_FOUR: 4}


LOW_LAST = bot(play_card=lambda view: playable_cards(view)[-1])
BLUE_EIGHTS = (Card(BLUE, 8),) * 5
SETS: dict[str, tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...], Bot, SetResult]] = {
    "points are those left in the losers' hands": (
        ((Card(RED, 1),), (Card(BLUE, SKIP), WILD_FOUR), (Card(BLUE, 7),)),
        (),
        stupid_player,
        SetResult(0, 77, 1),
    ),
    "a reverse changes nothing between two players": (
        ((Card(RED, REVERSE), Card(BLUE, 9)), (Card(RED, 1),)),
        (),
        stupid_player,
        SetResult(1, 9, 2),
    ),
    "a reverse turns the direction among three": (
        ((Card(RED, REVERSE), Card(BLUE, 9)), (Card(RED, 1),), (Card(RED, 2),)),
        (),
        stupid_player,
        SetResult(2, 10, 2),
    ),
    "a skip costs the next player the turn": (
        ((Card(RED, SKIP), Card(RED, 9)), (Card(RED, 1),)),
        BLUE_EIGHTS,
        LOW_LAST,
        SetResult(0, 1, 2),
    ),
    "a draw two costs the next player the turn": (
        ((Card(RED, DRAW_TWO), Card(RED, 9)), (Card(RED, 1),)),
        BLUE_EIGHTS,
        LOW_LAST,
        SetResult(0, 17, 2),
    ),
    "after a wild draw four the next player draws four and is skipped": (
        ((WILD_FOUR, Card(BLUE, 9)), (Card(RED, 1),)),
        (Card(GREEN, 1),) * 5,
        bot(choose_color=lambda view: BLUE),
        SetResult(0, 5, 2),
    ),
    "the last card still makes the next player draw": (
        ((Card(RED, DRAW_TWO),), (Card(RED, 1),)),
        BLUE_EIGHTS,
        stupid_player,
        SetResult(0, 17, 1),
    ),
    "a draw two cannot be passed on": (
        ((Card(RED, DRAW_TWO), Card(RED, 9)), (Card(BLUE, DRAW_TWO),), (Card(RED, 3),)),
        (Card(YELLOW, 8),) * 5,
        LOW_LAST,
        SetResult(2, 45, 2),
    ),
    "without a card anywhere a player passes": (
        ((Card(BLUE, 9),), (Card(RED, 1),)),
        (),
        stupid_player,
        SetResult(1, 9, 2),
    ),
}


@pytest.mark.parametrize("rule", SETS)
def test_a_set_follows_the_rules(monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    hands, stock, first, result = SETS[rule]
    assert played_from(monkeypatch, table(*hands, stock=stock), first, *[stupid_player] * (len(hands) - 1)) == result


def test_the_pile_below_the_top_card_becomes_the_stock(monkeypatch: pytest.MonkeyPatch) -> None:
    start = table((Card(RED, 1), Card(BLUE, 9)), (Card(GREEN, 2), Card(GREEN, 3)))
    watcher = Mock(return_value=False)
    monkeypatch.setattr(arena, "TURN_LIMIT", 2)
    assert played_from(monkeypatch, start, stupid_player, bot(play_drawn=watcher)) == SetResult(None, 0, 2)
    (view,) = watcher.call_args_list[0].args
    assert (view.drawn, view.hand) == (Card(RED, 5), (Card(GREEN, 2), Card(GREEN, 3)))


def test_a_bot_chooses_a_color_seeing_the_wild_and_the_old_color(monkeypatch: pytest.MonkeyPatch) -> None:
    color, start = Mock(return_value=GREEN), table((WILD_CARD, Card(BLUE, 1)), (Card(GREEN, 3),))
    assert played_from(monkeypatch, start, bot(choose_color=color), stupid_player).winner == 1
    (view,) = color.call_args_list[0].args
    assert (view.top, view.color, view.hand) == (WILD_CARD, RED, (Card(BLUE, 1),))


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError


HAND = (WILD_FOUR, Card(RED, 1), Card(BLUE, 9))
FOULS = {
    "answered Card(GREEN, 1), but the answer must be a card of the hand": lambda view: Card(GREEN, 1),
    "answered None, but the answer must be a card of the hand": lambda view: None,
    "answered a Unprintable, but the answer must be a card of the hand": lambda view: Unprintable(),
    "played Card(BLUE, 9) on Card(RED, 5) when the color was RED": lambda view: Card(BLUE, 9),
    "played Card(None, WILD_DRAW_FOUR), which is not allowed while Card(RED, 1) fits": lambda view: WILD_FOUR,
    "raised ValueError: no idea": Mock(side_effect=ValueError("no idea")),
    "raised SystemExit: bye": Mock(side_effect=SystemExit("bye")),
    "resigns": lambda view: Fault("resigns"),
}


@pytest.mark.parametrize("reason", FOULS)
def test_a_card_that_may_not_be_played_is_a_foul(monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    result = played_from(monkeypatch, table(HAND, (Card(RED, 1),)), bot(play_card=FOULS[reason]), stupid_player)
    assert result == SetResult(None, 0, 1, Foul(0, reason))


def is_let_pass(view: View, card: Card | None) -> bool:
    """Return whether the arena lets a player play `card`, or nothing, with no card left to draw."""
    start = table(view.hand, (), top=view.top)
    start.color = view.color
    try:
        return start.play(0, card) == card if start.first_playable(0) else card is None
    except arena.Illegal:
        return False


@given(random_views(), st.sampled_from(DECK))
@settings(max_examples=100, deadline=None)
def test_the_arena_accepts_exactly_legal_moves(view: View, other: Card) -> None:
    for card in (*view.hand, other, WILD_FOUR, None):
        assert is_sound(view, card) == is_let_pass(view, card)


DRAWN = [
    (Card(RED, 2), {"play_drawn": 1}, Foul(0, "answered 1, but the answer must be True or False")),
    (Card(RED, 2), {"play_drawn": None}, Foul(0, "answered None, but the answer must be True or False")),
    (Card(RED, 2), {"play_drawn": "yes"}, Foul(0, "answered 'yes', but the answer must be True or False")),
    (
        Card(BLUE, 2),
        {"play_drawn": True},
        Foul(0, "played the drawn card Card(BLUE, 2) on Card(RED, 5) when the color was RED"),
    ),
    (WILD_FOUR, {"choose_color": BLUE}, None),
    (WILD_FOUR, {"choose_color": "red"}, Foul(0, "answered 'red', but the answer must be a color")),
]


@pytest.mark.parametrize(("drawn", "answers", "foul"), DRAWN)
def test_a_wrong_answer_about_a_drawn_card_is_a_foul(
    monkeypatch: pytest.MonkeyPatch, drawn: Card, answers: dict[str, Any], foul: Foul | None
) -> None:
    start = table((Card(BLUE, 1),), (Card(RED, 1),), stock=(drawn,))
    odd = bot(**{name: Mock(return_value=answer) for name, answer in answers.items()})
    assert played_from(monkeypatch, start, odd, stupid_player).foul == foul


def test_neither_a_set_nor_a_game_goes_on_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "TURN_LIMIT", 3)
    assert play_set((stupid_player, stupid_player), 1) == SetResult(None, 0, 3)
    monkeypatch.setattr(arena, "ARENA", replace(ARENA, sets=4))
    assert play_game((stupid_player, stupid_player), 1) == Game(None, (None,) * 4, ((0, 0),) * 4)


def answer_by_roll(question: str, view: View) -> Any:
    """Return an answer that depends on the roll. Some of these answers break a rule, and a drawn card is often kept."""
    cards = playable_cards(view) if view.roll % 101 else view.hand
    match question:
        case "play_card":
            return copy(cards[view.roll % len(cards)])
        case "play_drawn":
            return view.drawn in playable_cards(view._replace(hand=(view.drawn,))) and view.roll % 3 == 0
    return COLORS[view.roll % 4] if view.roll % 103 else None


def test_a_seed_always_gives_the_same_sets_and_questions() -> None:
    record, ends = sha256(), []

    def answers(*asked: Any) -> Any:
        answer = answer_by_roll(*asked[1:])
        record.update(repr((asked, answer)).encode())
        return answer

    for players in (2, 3, 10):
        ends += [drive(set_steps(players, seed, seed % players), answers) for seed in game_seeds(players, 30)]
    record.update(repr([(end.winner, end.points, end.turns) for end in ends]).encode())
    assert {end.winner is None for end in ends} == {False, True}
    assert record.hexdigest() == "539e45f89bf0585790f32112599930e973f5cd58683dcf29b90f1d9869c53521"


@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_a_game_goes_to_500_and_its_scores_only_grow(seed: int) -> None:
    game = play_game((smart_player, stupid_player, stupid_player), seed)
    assert game.winner is not None and len(game.set_winners) == len(game.scores)
    assert game.scores[-1][game.winner] >= 500 > max(game.scores[-2] if len(game.scores) > 1 else (0,))
    assert all(before <= after for column in zip(*game.scores, strict=True) for before, after in pairwise(column))


def test_a_disqualified_bot_sits_out_and_the_game_goes_on() -> None:
    game = play_game((stupid_player, QUITTER, smart_player), 3)
    assert game.fouls == (Foul(1, "raised RuntimeError: I give up"),)
    assert game.winner in (0, 2) and game.scores[0] == (0, 0, 0) and game.scores[-1][1] == 0


def test_the_last_one_left_wins_and_seats_rotate() -> None:
    assert play_game((QUITTER, QUITTER, QUITTER), 1).winner == 1
    assert [row.games for row in tournament((stupid_player, QUITTER), 20, 0).standings] == [20, 0]
    rows = tournament((QUITTER, QUITTER), 10, 0).standings
    assert [(row.games, row.fouls, row.reason) for row in rows] == [(5, 5, "raised RuntimeError: I give up")] * 2


def test_an_interrupted_tournament_returns_finished_games() -> None:
    stop, bots = Mock(side_effect=[None, None, KeyboardInterrupt]), (stupid_player, stupid_player)
    assert tournament(bots, 50, 1, stop) == tournament(bots, 3, 1)
    assert [call.args for call in stop.call_args_list] == [(1, 50), (2, 50), (3, 50)]


@pytest.mark.proof
def test_smart_player_wins_95_percent_of_games_and_60_percent_of_sets() -> None:
    smart, stupid = (result := tournament((smart_player, stupid_player), 1000, 2026)).standings
    low, high = wilson(smart.games, result.games)
    assert high >= 0.95 and low > 0.93
    assert 0.59 < smart.sets / result.sets < 0.63 and smart.points / smart.sets > 1.5 * stupid.points / stupid.sets


PICTURES = {
    "rates": lambda: rates_chart(tournament((replace(smart_player, name="<&>"), stupid_player), 6, 1)),
    "scores": lambda: score_chart(("<&>", "b"), play_game((smart_player, stupid_player), 1)),
    "heat": lambda: heat_map(round_robin((replace(smart_player, name="<&>"), stupid_player, QUITTER), 4, 1)),
    "nothing yet": lambda: rates_chart(tournament((smart_player, stupid_player), 0, 1)),
}


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_is_static_svg_with_words_beside_it(kind: str) -> None:
    picture = PICTURES[kind]()
    bundle = picture._repr_mimebundle_()
    root = ElementTree.fromstring(bundle["image/svg+xml"])
    assert (root.tag, root.get("role")) == ("{http://www.w3.org/2000/svg}svg", "img")
    assert not any("script" in element.tag for element in root.iter())
    image = ElementTree.fromstring(bundle["text/html"].removesuffix(">") + "/>")
    assert image.get("alt") == bundle["text/plain"] == repr(picture)
    assert (image.get("src") or "").startswith("data:image/svg+xml;base64,")


# ------------------------------------------------------------------------------------------------ champion's contest

EXERCISE = read_unit("bots")["champion"]
CONTESTS = CHECKS["champion"].contests


def graded_champion(source: str) -> ExerciseReport:
    """Return the report on an answer to `champion`, the only one in its notebook."""
    policy = Policy(exercises=("champion",), seconds_per_exercise=10)
    return grade(submission_with("bots", {"champion": source}), policy)["champion"]


def graded_among_solved(unit: Unit, name: str, source: str, seconds: int = 10) -> ExerciseReport:
    """Return the report on an answer by someone who has solved the rest; nothing is withheld."""
    answers = reference_answers(unit) | {name: source}
    return grade(submission_with(unit, answers), Policy(seconds_per_exercise=seconds))[name]


def with_play_card(*body: str) -> str:
    """Return an answer whose `play_card(view)` has this body, followed by SmartPlayer's."""
    lines = "\n        ".join((*body, "return smart_play_card(view)"))
    bot = "Bot('Mine', play_card, smart_play_drawn, smart_choose_color)"
    return f"def champion():\n    def play_card(view):\n        {lines}\n    return {bot}\n"


def deals_played(monkeypatch: pytest.MonkeyPatch, winner: int | None) -> tuple[Stop | None, list[list[int]]]:
    """Play the contest without processes, so that a bot wins all sets (0), none (1) or half; return the deals, too."""
    deals: list[list[int]] = [[], []]

    def played(seeds: tuple[int, ...], seat: int, *_: object) -> list[SetResult]:
        deals[seat].extend(seeds)
        return [SetResult(None if winner is None else abs(seat - winner)) for _ in seeds]

    monkeypatch.setattr(contest, "play_at_seat", played)
    return contest.play_contest(exam_for(HELD.unit), HELD, next(iter(CONTESTS)), Mock(), Mock(bot="champion")), deals


@pytest.mark.sandbox
def test_no_deal_is_played_at_both_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    lost, deals = deals_played(monkeypatch, None)
    (entry,) = CONTESTS.values()
    assert lost is not None and [len({*seat}) for seat in deals] == [entry.deals, entry.deals]
    assert {*deals[0]}.isdisjoint(deals[1])


@pytest.mark.sandbox
@pytest.mark.parametrize("winner", [0, 1])
def test_contest_ends_as_soon_as_it_is_sure(monkeypatch: pytest.MonkeyPatch, winner: int) -> None:
    lost, deals = deals_played(monkeypatch, winner)
    assert (lost is None) == (winner == 0) and [*map(len, deals)] == [400, 400]


def played_here(bot: Bot, seed: str) -> Duel:
    """Return the duel of the contest of `champion` under a seed, played in this process."""
    ((name, entry),) = CONTESTS.items()
    deals, sets = [contest.deal_seeds(entry, EXERCISE, name, seed, seat) for seat in (0, 1)], list[SetResult]()
    for number, pair in enumerate(zip(*deals, strict=True), 1):
        for seat, deal in enumerate(pair):
            bots_here = (smart_player, bot) if seat else (bot, smart_player)
            sets.append(drive(ARENA.steps(2, deal, 0), answers_of(bots_here)))
        if number % contest.IN_A_ROUND == 0 and entry.stops(duel_from(sets)):
            break
    return duel_from(sets)


@pytest.mark.sandbox
@pytest.mark.proof
def test_each_seat_has_its_own_process_and_a_copy_of_smart_player_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    stranger = Mock(wraps=contest.UntrustedPlayer)
    monkeypatch.setattr(contest, "UntrustedPlayer", stranger)
    report = graded_champion("def champion():\n    return smart_player")
    assert report.state == WRONG and report.points < report.of / 2
    children = [id(call.args[0]) for call in stranger.call_args_list]
    assert len(children) == len({*children}) and len(children) % 2 == 0


@pytest.mark.sandbox
def test_sets_at_once_are_the_sets_one_after_the_other() -> None:
    class Here:
        lost = ""

        def ask(self, asked: list[tuple[str, View]]) -> list[object]:
            return [getattr(bot, question)(view) for question, view in asked]

    bot, seeds = champion(), game_seeds(5, 30)
    sides = [contest.play_in_parallel(seeds, seat, Here(), ARENA, smart_player) for seat in (0, 1)]  # type: ignore[arg-type]
    together = contest.duel_from([result for deal in zip(*sides, strict=True) for result in deal])
    assert together == duel(bot, smart_player, seeds)


@pytest.mark.sandbox
def test_a_foul_is_a_verdict_to_paste_that_does_not_tell_the_seed() -> None:
    report = graded_champion(
        "def champion():\n    return Bot('Mine', first_card, smart_play_drawn, smart_choose_color)"
    )
    code, _, foul = facet_failure_text(report.facets[1]).partition(": ")
    names = {"champion": lambda: Bot("Mine", first_card, smart_player.play_drawn, smart_player.choose_color)}
    assert foul.startswith(f"played {eval(code, vars(bots) | names)}")
    verdicts = "".join(map(facet_failure_text, report.facets))
    for name, entry in CONTESTS.items():
        deals = (contest.deal_seeds(entry, EXERCISE, name, "0", seat) for seat in (0, 1))
        assert not any(str(deal) in verdicts for deal in chain(*deals))


@pytest.mark.sandbox
@pytest.mark.parametrize(
    "body", one_in(3, ["return lambda: 0", "__import__('os').close(3)", "raise ValueError('x' * 1995 + str(object()))"])
)
def test_the_same_bot_has_the_same_report(body: str) -> None:
    verdicts = {facet_failure_text(graded_champion(with_play_card(body)).facets[1]) for _ in range(2)}
    assert len(verdicts) == 1, verdicts


HOSTILE = {
    "ends its process": (with_play_card("__import__('os')._exit(0)"), "ended the process"),
    "never answers": (with_play_card("while True: pass"), "took longer than 2 s"),
    "uses the time up": (with_play_card("sum(range(300_000))"), "took longer than 2 s"),
    "waits for ever": (with_play_card("import os", "os.read(3, 1)"), "took longer than 11 s"),
    "wakes now and then": (
        with_play_card(
            "import os, signal, time",
            "def work(*_):",
            "    until = time.process_time() + 0.3",
            "    while time.process_time() < until: pass",
            "signal.signal(signal.SIGALRM, work)",
            "try: signal.setitimer(signal.ITIMER_REAL, 5, 5)",
            "except OSError: signal.alarm(5)",
            "while True: os.read(3, 1)",
        ),
        "took longer than 11 s",
    ),
    "sleeps": (with_play_card("import time", "time.sleep(60)"), "it wins too few sets against SmartPlayer"),
    "claims": ("def champion():\n    return Duel((1,) * 2000, ())", "returned Duel("),
    "patches the engine": (
        with_play_card(
            "import course.arena.set, course.arena.contests",
            "course.arena.contests.sign_test = lambda *_: 0.0",
            "course.arena.set.drive = course.arena.set.play_set = None",
        ),
        "it wins too few sets against SmartPlayer",
    ),
}


@pytest.mark.sandbox
@pytest.mark.parametrize("name", one_in(8, [*HOSTILE]))
def test_a_hostile_bot_wins_nothing(name: str) -> None:
    source, reason = HOSTILE[name]
    report = graded_among_solved(read_unit("bots"), "champion", source, seconds=2)
    verdicts = [facet_failure_text(facet) for facet in report.facets]
    assert report.state == WRONG and reason in "\n".join(verdicts), verdicts


@pytest.mark.sandbox
@pytest.mark.parametrize(("won", "lost", "passes"), [(600, 450, True), (530, 470, False), (80, 0, False)])
def test_smart_player_is_beaten_with_the_stated_confidence(won: int, lost: int, passes: bool) -> None:
    (entry,) = CONTESTS.values()
    outcome = Duel((1,) * won + (-1,) * lost, ())
    assert (contest.contest_loss(entry, outcome, "champion") is None) is passes


@pytest.mark.sandbox
@pytest.mark.proof
def test_the_reference_wins_its_contest_under_other_seeds() -> None:
    (entry,) = CONTESTS.values()
    assert all(entry.is_won(played_here(champion(), seed)) for seed in "abcdefghij")


# ------------------------------------------------------------------------------------------------ docs/own-contest.md

PAGE = ROOT / "docs" / "own-contest.md"


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the pack of the page. New processes make it, since this one would keep its first version."""
    folder = tmp_path_factory.mktemp("own")
    printed_by(foldem("new", folder / "matches", "--unit", "nim"))
    for part in read_page(PAGE):
        if isinstance(part, File):
            (folder / part.name).parent.mkdir(exist_ok=True)
            (folder / part.name).write_text(part.text)
    printed_by(foldem("build", "--pack", folder / "matches"))
    return folder / "matches"


def changed_rules(matches: Path, folder: Path, *changes: tuple[str, str]) -> Path:
    """Write a copy of the pack with changes in its arena, and return its folder."""
    shutil.copytree(matches, folder / "matches")
    file = folder / "matches" / "matches_course" / "nim" / "contest.py"
    for change in changes:
        file.write_text(file.read_text().replace(*change))
    return folder / "matches"


@pytest.fixture
def nim(matches: Path, monkeypatch: pytest.MonkeyPatch) -> Unit:
    monkeypatch.setenv(packs.VARIABLE, str(matches))
    return read_unit("nim")


def take(*body: str) -> str:
    return "def best_take(heap):\n    " + "\n    ".join(body)


# ------------------------------------------------------------------------------------------------ its contests

LOST = {
    "a worse bot": (take("return heap % 3 or 3"), "it does not win enough deals against threes_take"),
    "too many": (take("return heap % 4"), "): answered 0, where 1 to "),
    "another type": (take("return True if heap > 6 else heap % 4 or 1"), "): answered True, where 1 to "),
    "no value": (take("return None if heap > 6 else heap % 4 or 1"), "): answered None, where 1 to "),
    "not sent": (take("return (lambda: 1) if heap > 6 else heap % 4 or 1"), "where 1 to "),
    "a crash": (take("return heap % 4 or 1 if heap < 7 else {}[heap]"), "): raised KeyError: "),
    "no end": (take("while heap > 6: pass", "return heap % 4 or 1"), "its bot took longer than 2 s"),
    "an exit": (take("if heap > 6: __import__('os')._exit(3)", "return heap % 4 or 1"), "its bot ended the process"),
}


@pytest.mark.proof
@pytest.mark.sandbox
def test_a_better_bot_of_a_pack_wins_its_contest(nim: Unit) -> None:
    report = graded_among_solved(nim, "best_take", nim["best_take"].source)
    assert report.state == PASSED and "right in all 2 calls and up to 200 sets " in headline(report)


@pytest.mark.sandbox
@pytest.mark.parametrize("name", one_in(4, [*LOST]))
def test_a_bot_of_a_pack_loses_its_contest_for_a_reason(nim: Unit, name: str) -> None:
    source, reason = LOST[name]
    report = graded_among_solved(nim, "best_take", source, seconds=2)
    assert report.state == WRONG and reason in facet_failure_text(report.facets[-1]), facet_failure_text(
        report.facets[-1]
    )


@pytest.mark.promise("batch")
def test_an_answer_for_which_the_rules_raise_is_a_foul_in_a_contest(nim: Unit) -> None:
    held = contest.unit_arena(nim)

    def rules(players: int, seed: int, first: int) -> Steps[str, object]:
        return SetResult(int(str((yield 0, "take", 3))))

    bot = cast("Any", SimpleNamespace(ask=lambda _: ["x"], lost=None))
    with pytest.raises(contest.RuleBroken, match="for which the rules raise ValueError"):
        contest.play_in_parallel((1,), 0, bot, replace(held.arena, steps=rules), None)


# ------------------------------------------------------------------------------------------------ its tournaments


def bot_files(folder: Path, **answers: str) -> list[Path]:
    """Write a file with a bot for each answer, and return the files."""
    files = [folder / f"{name}.py" for name in answers]
    for file, answer in zip(files, answers.values(), strict=True):
        file.write_text(f"def take(heap):\n    return {answer}\n")
    return files


@pytest.mark.proof
@pytest.mark.sandbox
@pytest.mark.promise("batch")
def test_an_answer_for_which_the_rules_raise_ends_no_tournament(matches: Path, tmp_path: Path) -> None:
    pack = changed_rules(matches, tmp_path, ("type(take) is not int or ", ""))
    words = *bot_files(tmp_path, bad="'x'", lost="{}[heap]"), "best", "--pack", pack
    shown = printed_by(foldem("tournament", *words))
    assert "the first time, it answered 'x', for which the rules raise" in shown
    assert "the first time, it raised KeyError: " in shown


@pytest.mark.sandbox
@pytest.mark.promise("terminal")
def test_an_answer_that_rules_quote_writes_nothing_to_the_terminal(matches: Path, tmp_path: Path) -> None:
    quoting = "raise illegal_answer(take,", 'raise Illegal(f"said {take}" if take else'
    pack = changed_rules(matches, tmp_path, ("import Arena", "import Illegal, Arena"), quoting)
    (bad,) = bot_files(tmp_path, bad="'\\x1b[2J' * 1000")
    done = foldem("tournament", bad, "best", "--pack", pack)
    assert "time, it said \N{REPLACEMENT CHARACTER}[2J" in done.stdout and "\x1b[2J" not in done.stdout, done.stderr
    assert len(done.stdout) < 5_000


@pytest.mark.sandbox
def test_bots_of_a_pack_play_a_league(nim: Unit, matches: Path, tmp_path: Path) -> None:
    for name, body in {"Four": "return heap % 4 or 1", "Zero": "return heap % 4"}.items():
        notebook = notebook_with(nim, {"best_take": take(body)}, (f"league_name = {name!r}",))
        write_file(tmp_path / "submitted" / f"student{len(body)}" / "nim" / "0_nim.ipynb", notebook)
    write_file(tmp_path / "foldem.toml", "")
    shown = printed_by(foldem_here("tournament", tmp_path, "--pack", matches, "--unit", "nim"))
    assert re.search("Zero committed .* fouls; the first time, it answered 0, where 1 to 3 matches can be taken", shown)
    assert "Four" in (tmp_path / "league" / "index.html").read_text()


def test_a_tournament_needs_a_unit_with_an_arena(nim: Unit) -> None:
    for unit, message in ((None, "add --unit bots or --unit nim"), ("sedma", "the unit sedma has no game for bots")):
        with pytest.raises((TournamentError, UnitError), match=message):
            chosen_arena(known(), unit)


# ------------------------------------------------------------------------------------------------ its bundles


@pytest.mark.promise("references")
def test_no_starter_repository_contains_a_packs_references(matches: Path, tmp_path: Path) -> None:
    done = foldem_here("bundle", tmp_path / "start", "--for", "github", "--unit", "nim", "--pack", matches)
    assert is_one_line_refusal(done) and "students could read its reference solutions" in done.stderr
    assert not (tmp_path / "start").exists()


# ------------------------------------------------------------------------------------------------ names and values


def test_functions_play_in_notebooks(nim: Unit) -> None:
    held = contest.unit_arena(nim)
    best, threes = held.reference_bot("best_take"), held.reference_bot("threes_take")
    assert [row.name for row in tournament_in(held.arena, (best, threes), 2).standings] == ["best_take", "threes_take"]
    won, lost = duel_in(held.arena, best, threes, game_seeds(1, 50)).pairs
    assert won > lost


ONE_BY_ONE = {f"red_{question}": getattr(smart_player, question) for question in ARENA.questions}
NAMED_BOTS = {
    "a value": (ARENA, {"bot": smart_player}, "", smart_player),
    "functions": (ARENA, ONE_BY_ONE, "red", replace(smart_player, name="red")),
    "a function that makes it": (ARENA, {"made": lambda: stupid_player}, "made", stupid_player),
    "an exercise": (ARENA, {"champion": lambda: smart_player}, "", smart_player),
    "the only function": (replace(ARENA, bot=None, questions=("take",)), {"take": abs}, "", abs),
}


@pytest.mark.parametrize("kind", NAMED_BOTS)
def test_names_define_a_bot_of_an_arena(kind: str) -> None:
    arena, names, wanted, bot = NAMED_BOTS[kind]
    assert find_bot(arena, names, wanted) == bot


@pytest.mark.parametrize(
    ("names", "message"),
    [({}, "it has no `bot`, `play_card` or `champion`"), ({"champion": lambda: 3}, "returned 3, which is not a Bot")],
)
def test_a_file_without_a_bot_of_an_arena_is_refused(names: dict[str, object], message: str) -> None:
    with pytest.raises((LookupError, TypeError), match=message):
        find_bot(ARENA, names, "")


NO_ANSWERS = ["f", "take"], ["v", "Path", "x"], ["?", "x"], {"a": 1}


def test_views_and_answers_of_a_unit_arrive_as_they_were_sent(nim: Unit) -> None:
    codec, view = codec_of(contest.unit_arena(nim).arena, Wire(sedma)), (sedma.PIQUET_DECK[:3], {"a": 1.5}, None)
    assert codec.decode_question(json.loads(json.dumps(codec.encode_question("take", view)))) == ("take", view)
    assert codec.decode_answer(json.loads(json.dumps(codec.encode_answer(view)))) == view
    for convert, thing in [(codec.encode_answer, each) for each in (abs, object())] + [
        (codec.decode_answer, each) for each in NO_ANSWERS
    ]:
        with pytest.raises(ValueError, match=r"."):
            convert(thing)


def test_the_page_explains_every_field_of_an_arena_and_a_contest() -> None:
    text = PAGE.read_text()
    assert [each.name for kind in (Arena, Contest) for each in fields(kind) if f"| `{each.name}` |" not in text] == []


# ------------------------------------------------------------------------------------------------ in a pack's folder

READING = ("check", "0_war.ipynb"), ("grade", "."), ("pytest", "0_war.ipynb"), ("tournament", "a.py", "b.py")


@pytest.mark.promise("others")
@pytest.mark.promise("check")
@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_commands_that_read_students_work_run_no_pack_around_them(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A student can hand in a folder with a pack, and a teacher may work in that folder."""
    eve = tmp_path / "eve"
    shutil.copytree(Path(__file__).parent / "packs" / "war", eve)
    shutil.copy(eve / "notebooks" / "0_war.ipynb", eve)
    for name in ("a.py", "b.py"):
        (eve / name).write_text("play_card = play_drawn = choose_color = abs\n")
    for file in eve.rglob("*.py"):
        if file.parent != eve:
            file.write_text(f"open({str(tmp_path / 'run')!r}, 'w')\n{file.read_text()}")
    monkeypatch.chdir(eve)
    foldem_here(*words)
    assert not (tmp_path / "run").exists()


# ------------------------------------------------------------------------------------------------ one match

HELD = contest.unit_arena(read_unit("bots"))
CHAMPION = """def champion():
    def play_card(view):
        {first}
        return playable_cards(view)[{at}]

    return Bot("Champion", play_card, smart_play_drawn, smart_choose_color)
"""


def picky(at: int, rolls: bool) -> Bot:
    """Return a bot that plays one of its cards by its place, or by chance."""

    def play_card(view: View) -> Any:
        cards = playable_cards(view)
        return cards[(view.roll if rolls else at) % len(cards)]

    return Bot(f"picky {at}", play_card, smart_player.play_drawn, lambda view: COLORS[(view.roll + at) % 4])


@dataclass
class Trusted:
    """A stand-in for a seated bot: it answers in this process, and is out after a number of messages."""

    bot: Bot
    messages: int = 10**6
    is_late: bool = False
    lost: None = None

    @property
    def is_out(self) -> bool:
        return self.messages < 0

    def ask(self, questions: Sequence[tuple[str, object]]) -> list[object]:
        self.messages -= 1
        if self.is_out:
            return [TooLate(1.0)] * len(questions)
        return [function_for(self.bot, question)(view) for question, view in questions]


def match_between(one: Bot, two: Bot, seed: int, stages: Sequence[int], messages: int = 10**6) -> Match:
    sides = (Trusted(one), Trusted(two, messages)), (Trusted(two), Trusted(one))
    return play_match(cast(Any, sides), HELD, game_seeds(seed, stages[-1]), stages)


BOTS = st.one_of(st.sampled_from([smart_player, stupid_player]), st.builds(picky, st.integers(0, 3), st.booleans()))


@given(BOTS, BOTS, st.integers(0, 2**32))
def test_a_match_is_what_the_arena_plays(one: Bot, two: Bot, seed: int) -> None:
    match, duel = match_between(one, two, seed, (2, 3)), duel_in(HELD.arena, one, two, game_seeds(seed, 3))
    won = duel.outcomes.count(1), duel.outcomes.count(-1)
    assert (match.sets, match.won, match.deals) == (6, won, duel.pairs)


def test_a_bot_that_is_out_loses_the_match() -> None:
    match = match_between(smart_player, stupid_player, 1, (4, 8), messages=3)
    assert (match.out, match.won, match.deals, match.winner, match.share(1)) == ((False, True), (8, 0), (4, 0), 0, 0.0)
    assert match.fouls[0].number == 0 and public_reason(match.fouls[1].reason) == "took longer than 1 s"


# ------------------------------------------------------------------------------------------------ a course

NAMES: dict[str, object] = {
    "stud01": "Fox",
    "stud02": "Fox",
    "stud03": '<script>alert("x")</script>',
    "stud04": "Stall",
    "stud05": "Crash",
}
STAYS_OUT: dict[str, object] = {"stud06": "a\u202eb", "stud07": "Ada Lovelace", "stud08": "x" * 31, "stud09": 7}
FIRST = {"stud04": "while True: pass", "stud05": "if view.roll % 5 == 0: raise ValueError('Ada Lovelace is bad')"}


def hand_in(course: Path, student: str, name: object, first: str = "") -> None:
    """Hand in a notebook with a champion that begins each answer with a statement. All champions are different."""
    first = first or f"tag = {student!r}"
    answers = reference_answers(read_unit("bots")) | {"champion": CHAMPION.format(first=first, at=-(len(first) % 2))}
    notebook = notebook_with("bots", answers)
    notebook.cells.append(nbformat.v4.new_code_cell(f"league_name = {name!r}"))
    write_file(course / "submitted" / student / "bots" / "5_bots.ipynb", notebook)


def new_course(folder: Path) -> Path:
    write_file(folder / "foldem.toml", "")
    write_file(folder / "roster.csv", "id,name\nstud01,Ada Lovelace\nstud10,Grace Hopper\n")
    for student, name in (NAMES | STAYS_OUT | {"stud10": ""}).items():
        hand_in(folder, student, name, FIRST.get(student, ""))
    return folder


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course whose league has been played."""
    folder = new_course(tmp_path_factory.mktemp("term") / "cs101")
    done = foldem_here("tournament", folder, "--jobs", "2")
    write_file(folder.with_suffix(".txt"), printed_by(done) + done.stderr)
    return folder


def page_of(course: Path) -> str:
    return (course / "league" / "index.html").read_text()


def match_keys(course: Path) -> set[str]:
    """Return the keys of the stored matches."""
    with closing(sqlite3.connect(course / DATABASE_FILE)) as database, suppress(sqlite3.OperationalError):
        return {key for (key,) in database.execute("SELECT key FROM foldem_match")}
    return set()  # the store has no tables yet


@pytest.mark.parametrize("name", ["Zo\u034fe Miller", "Zoe\u3164Miller", "Ｚｏｅ Ｍｉｌｌｅｒ", "zoé⠀miller", "\u3164"])
def test_a_name_in_disguise_is_no_pseudonym(name: str, tmp_path: Path) -> None:
    new_course(tmp_path)
    write_file(tmp_path / "roster.csv", "id,name\nstud10,Zoë Miller\n")
    for student in ("stud02", "stud03"):
        hand_in(tmp_path, student, name)
    course = read_course(tmp_path, known())
    bots = contestants_in(course, HELD, course.store(None))
    assert {bot.origin for bot in bots} == {*NAMES, "stud07"} - {"stud02", "stud03"}


@pytest.mark.proof
@pytest.mark.sandbox
def test_the_page_has_pseudonyms_and_reasons_but_no_text_of_a_bot(course: Path) -> None:
    page, printed = page_of(course), course.with_suffix(".txt").read_text()
    assert not re.search(r"stud\d\d|Ada|Lovelace|Grace|<script>alert|https?://", page)
    assert re.findall(r'class="name">([^<]*)</th>', page)[-1] == "Stall" and ">Fox 2</a></th>" in page
    assert "&lt;script&gt;alert" in page and "out of the league: it took longer than 1 s" in page
    assert "the first time, it raised an exception" in page and "Ada Lovelace is bad" in printed
    for student in STAYS_OUT:
        assert re.search(f"{student} does not take part in the league: league_name must be", printed)


@pytest.mark.proof
@pytest.mark.sandbox
def test_only_matches_of_changed_bots_are_played_again(course: Path, tmp_path: Path) -> None:
    shutil.copytree(course, again := tmp_path / "cs101")
    (again / "submitted" / "stud02").rename(again / "submitted" / "another")
    printed_by(foldem_here("tournament", again))
    assert page_of(again) == page_of(course) and match_keys(again) == match_keys(course)
    hand_in(again, "stud05", "Crash", "pass")
    printed_by(foldem_here("tournament", again))
    rivals = len(NAMES) - 2  # all but the bot itself and the one that is out
    assert match_keys(again) > match_keys(course) and len(match_keys(again) - match_keys(course)) == 1 + rivals


@pytest.mark.proof
@pytest.mark.parametrize("stop", [SIGINT, SIGKILL])
@pytest.mark.sandbox
def test_after_an_interrupt_the_next_run_ends_with_the_same_page(course: Path, tmp_path: Path, stop: Signals) -> None:
    again = new_course(tmp_path / "cs101")
    with subprocess.Popen([FOLDEM, "tournament", again], env=PLAIN, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not ((again / DATABASE_FILE).exists() and len(match_keys(again)) > 6):
            sleep(0.01)
        process.send_signal(stop)
        _, errors = process.communicate(timeout=PATIENCE)
    last = 130, "foldem: interrupted. Run the same command to continue."
    assert stop == SIGKILL or (process.returncode, errors.splitlines()[-1]) == last
    assert 6 < len(match_keys(again)) < len(match_keys(course))
    printed_by(foldem_here("tournament", again))
    assert page_of(again) == page_of(course) and match_keys(again) == match_keys(course)


@pytest.mark.proof
@pytest.mark.sandbox
def test_forget_deletes_the_matches_and_the_page_of_a_league(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path / "cache"))
    shutil.copytree(course, again := tmp_path / "cs101")
    assert b"Lovelace" in (again / DATABASE_FILE).read_bytes()  # in the message of another student's exception
    foldem_here("forget", "stud01", again, "--yes")
    assert not (again / "league").exists() and not match_keys(again)
    assert b"Lovelace" not in (again / DATABASE_FILE).read_bytes()


def test_a_league_needs_two_bots(tmp_path: Path) -> None:
    hand_in(tmp_path, "stud01", "Fox")
    write_file(tmp_path / "foldem.toml", "")
    done = foldem_here("tournament", tmp_path)
    assert is_one_line_refusal(done) and "needs at least two bots, but has 1" in done.stderr


@pytest.mark.proof
@pytest.mark.npm
@pytest.mark.browser
@pytest.mark.sandbox
def test_the_page_of_a_league_is_accessible_at_three_widths(course: Path, tmp_path: Path) -> None:
    with chromium(tmp_path / "profile") as browser:
        page = browser.new_page()
        page.goto((course / "league" / "index.html").as_uri())
        assert_page_accessible(page)
