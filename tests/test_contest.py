"""The open exercise: a bot is judged by the sets that it plays, and can't see or claim anything else."""

from __future__ import annotations

from itertools import chain
from unittest.mock import Mock

import pytest

from autograder.arena import contest
from autograder.arena.contest import unit_arena
from autograder.config import Policy
from autograder.exam.store import exam_for
from autograder.exams.bots.checks import CHECKS
from autograder.grading.run import grade
from autograder.report.model import WRONG, ExerciseReport
from autograder.report.stops import Stop
from autograder.report.words import verdict_text
from course import bots
from course.arena.arena import SetResult, answers_of, drive, game_seeds
from course.arena.contests import Duel, duel_from
from course.arena.set import ARENA
from course.arena.tournament import duel
from course.arena.values import Bot, View
from course.bots import first_card
from solutions.bots import champion, smart_player
from tests.classroom import reference_answers, submission_with
from tests.sample import one_in
from tests.units import read_unit

pytestmark = pytest.mark.sandbox
EXERCISE = read_unit("bots")["champion"]
CONTESTS = CHECKS["champion"].contests


def graded(source: str) -> ExerciseReport:
    """Return the report on an answer to `champion`, the only one in its notebook."""
    policy = Policy(exercises=("champion",), seconds_per_exercise=10)
    return grade(submission_with("bots", {"champion": source}), policy)["champion"]


def graded_among_solved(source: str, seconds: int = 10) -> ExerciseReport:
    """Return the report on an answer to `champion` by someone who has solved the rest; nothing is withheld."""
    answers = reference_answers(read_unit("bots")) | {"champion": source}
    return grade(submission_with("bots", answers), Policy(seconds_per_exercise=seconds))["champion"]


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

    monkeypatch.setattr(contest, "side", played)
    exam, held = exam_for(read_unit("bots")), unit_arena(read_unit("bots"))
    return contest.play_contest(exam, held, next(iter(CONTESTS)), Mock(), Mock(bot="champion")), deals


def test_no_deal_is_played_at_both_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    lost, deals = deals_played(monkeypatch, None)
    (entry,) = CONTESTS.values()
    assert lost is not None and [len({*seat}) for seat in deals] == [entry.deals, entry.deals]
    assert {*deals[0]}.isdisjoint(deals[1])


@pytest.mark.parametrize("winner", [0, 1])
def test_contest_ends_as_soon_as_it_is_sure(monkeypatch: pytest.MonkeyPatch, winner: int) -> None:
    lost, deals = deals_played(monkeypatch, winner)
    assert (lost is None) == (winner == 0) and [*map(len, deals)] == [400, 400]


def played_here(bot: Bot, seed: str) -> Duel:
    """Return the duel of the contest of `champion` under a seed, played in this process."""
    ((name, entry),) = CONTESTS.items()
    deals, sets = [contest.deals_of(entry, EXERCISE, name, seed, seat) for seat in (0, 1)], list[SetResult]()
    for number, pair in enumerate(zip(*deals, strict=True), 1):
        for seat, deal in enumerate(pair):
            bots_here = (smart_player, bot) if seat else (bot, smart_player)
            sets.append(drive(ARENA.steps(2, deal, 0), answers_of(bots_here)))
        if number % contest.IN_A_ROUND == 0 and entry.stops(duel_from(sets)):
            break
    return duel_from(sets)


@pytest.mark.proof
def test_each_seat_has_its_own_process_and_a_copy_of_smart_player_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    stranger = Mock(wraps=contest.UntrustedPlayer)
    monkeypatch.setattr(contest, "UntrustedPlayer", stranger)
    report = graded("def champion():\n    return smart_player")
    assert report.state == WRONG and report.points < report.of / 2
    children = [id(call.args[0]) for call in stranger.call_args_list]
    assert len(children) == len({*children}) and len(children) % 2 == 0


def test_sets_at_once_are_the_sets_one_after_the_other() -> None:
    class Here:
        lost = ""

        def answers(self, asked: list[tuple[str, View]]) -> list[object]:
            return [getattr(bot, question)(view) for question, view in asked]

    bot, seeds = champion(), game_seeds(5, 30)
    sides = [contest.played_at_once(seeds, seat, Here(), ARENA, smart_player) for seat in (0, 1)]  # type: ignore[arg-type]
    together = contest.duel_from([result for deal in zip(*sides, strict=True) for result in deal])
    assert together == duel(bot, smart_player, seeds)


def test_a_foul_is_a_verdict_to_paste_that_does_not_tell_the_seed() -> None:
    report = graded("def champion():\n    return Bot('Mine', first_card, smart_play_drawn, smart_choose_color)")
    code, _, foul = verdict_text(report.facets[1]).partition(": ")
    names = {"champion": lambda: Bot("Mine", first_card, smart_player.play_drawn, smart_player.choose_color)}
    assert foul.startswith(f"played {eval(code, vars(bots) | names)}")
    verdicts = "".join(map(verdict_text, report.facets))
    for name, entry in CONTESTS.items():
        deals = (contest.deals_of(entry, EXERCISE, name, "0", seat) for seat in (0, 1))
        assert not any(str(deal) in verdicts for deal in chain(*deals))


@pytest.mark.parametrize(
    "body", one_in(3, ["return lambda: 0", "__import__('os').close(3)", "raise ValueError('x' * 1995 + str(object()))"])
)
def test_the_same_bot_has_the_same_report(body: str) -> None:
    verdicts = {verdict_text(graded(with_play_card(body)).facets[1]) for _ in range(2)}
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


@pytest.mark.parametrize("name", one_in(8, [*HOSTILE]))
def test_a_hostile_bot_wins_nothing(name: str) -> None:
    source, reason = HOSTILE[name]
    report = graded_among_solved(source, seconds=2)
    verdicts = [verdict_text(facet) for facet in report.facets]
    assert report.state == WRONG and reason in "\n".join(verdicts), verdicts


@pytest.mark.parametrize(("won", "lost", "passes"), [(600, 450, True), (530, 470, False), (80, 0, False)])
def test_smart_player_is_beaten_with_the_stated_confidence(won: int, lost: int, passes: bool) -> None:
    (entry,) = CONTESTS.values()
    outcome = Duel((1,) * won + (-1,) * lost, ())
    assert (contest.verdict(entry, outcome, "champion") is None) is passes


@pytest.mark.proof
def test_the_reference_wins_its_contest_under_other_seeds() -> None:
    (entry,) = CONTESTS.values()
    assert all(entry.is_won(played_here(champion(), seed)) for seed in "abcdefghij")
