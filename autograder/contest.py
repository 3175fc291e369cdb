"""Contests: facets of an exercise whose answer is a bot, which plays against a reference, question by question.

The engine, the rival and the deals are on this side. So a bot can look neither into a hand nor at the deals to come,
and what it did is known from the game itself, not from what it says. But whoever knows the exam's seed can work out
all of its deals: where the mark matters the seed is to be a secret one.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from autograder.contestants import order_for
from autograder.exams import packed
from autograder.players import Stranger
from autograder.sandbox.host import Sandbox
from autograder.unit import Exercise
from course.arena import Answers, Steps, answers_of, set_steps
from course.arena_tournament import Duel, duel_from
from course.arena_values import Bot, Foul, Seeds, SetResult, game_seeds

AT_A_TIME = 200


@dataclass(frozen=True)
class Contest:
    """So many deals against the reference `rival`, each with both seats; `is_won` by what the duel gave, or `goal`."""

    rival: str
    deals: int
    is_won: Callable[[Duel], bool]
    goal: str


def sandbox_like(like: Sandbox) -> Sandbox:
    """Give the sandbox for the bots of a submission that is graded in `like`."""
    return Sandbox(like.modules, like.limits, like.level, "inside.bot_runner")


def deals_of(contest: Contest, exercise: Exercise, name: str, seed: str) -> Seeds:
    """Give the deals of a contest under an exam's seed."""
    return game_seeds(zlib.crc32(f"{seed}/{exercise.unit}/{exercise.name}/{name}".encode()), contest.deals)


def held(contest: Contest, seeds: Seeds, exercise: Exercise, sandbox: Sandbox, plan: list[Any], seconds: float) -> str:
    """Hold a contest in `sandbox`, where `plan` defines the answer; give "" if it is won, or why it is not.

    Each seat has a process of its own: one that sat at both would know from the one what its rival holds at the other.
    """
    name = exercise.name
    rival: Bot = getattr(import_module(f"solutions.{exercise.unit}"), contest.rival)
    sides: list[list[SetResult]] = [[], []]
    for seat, side in enumerate(sides):
        with sandbox.child() as child:
            child.send(packed(order_for(plan, name, seconds, seconds) | {"chance": seat}))
            bot = Stranger(child)
            for batch in (seeds[start : start + AT_A_TIME] for start in range(0, len(seeds), AT_A_TIME)):
                side += played_at_once(batch, seat, bot, rival)
                if bot.lost:
                    return f"{name}: the bot that it gives {bot.lost}"
                if fouls := [(seed, s.foul) for seed, s in zip(batch, side[-len(batch) :], strict=True) if s.foul]:
                    return _fouled(name, contest.rival, seat, *fouls[0])
    return verdict(contest, duel_from([result for deal in zip(*sides, strict=True) for result in deal]), name)


def _fouled(name: str, rival: str, seat: int, seed: int, foul: Foul) -> str:
    players = (f"{name}()", rival)[:: -1 if seat else 1]
    return f"play_set(({', '.join(players)}), {seed}).foul gave {foul}, expected None"


def played_at_once(seeds: Seeds, seat: int, bot: Stranger, rival: Bot) -> list[SetResult]:
    """Give the sets of these seeds, all played at the same time, so that the bot gets many questions in one message."""
    tables, theirs = [set_steps(2, seed) for seed in seeds], answers_of((rival, rival))
    now = [_asked(steps, seat, theirs, None) for steps in tables]
    while going := [at for at, seen in enumerate(now) if not isinstance(seen, SetResult)]:
        answers = bot.answers([now[at][1:] for at in going])
        for at, answer in zip(going, answers, strict=True):
            now[at] = _asked(tables[at], seat, theirs, answer)
    return now


def _asked(steps: Steps, seat: int, theirs: Answers, answer: Any) -> Any:
    """Go on with a set until the player at `seat` is asked; give that request, or the set's result."""
    try:
        request = steps.send(answer)
        while request[0] != seat:
            request = steps.send(theirs(*request))
    except StopIteration as end:
        return end.value
    return request


def verdict(contest: Contest, duel: Duel, name: str) -> str:
    """Give why a contest without a foul is lost, "" if it is won."""
    won, lost = duel.pairs
    figures = f"{won} deals won, {lost} lost, {contest.deals - won - lost} shared, so p_value = {duel.p_value:.2g}"
    return "" if contest.is_won(duel) else f"{name}: {contest.goal} ({figures})"
