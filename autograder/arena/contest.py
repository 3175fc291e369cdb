"""Contests: facets whose answer is a bot, which plays against a reference bot.

The rules of the game, the rival and the deals are in this process. So a bot cannot see hands or future deals, and its
actions are taken from the game, not from its own reports. But anyone who knows the exam's seed can compute all deals.
Use a secret seed if the mark matters.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from autograder.arena.players import Stranger
from autograder.exam.cases import Contest
from autograder.exam.model import Exam, derived_seed
from autograder.report.stops import BotFoul, BotLost, ContestLost, Stop
from autograder.sandbox.host import Child, Sandbox
from autograder.sandbox.inside.orders import BotRequest
from autograder.sandbox.outcomes import ChildExit, Unloaded
from autograder.units.unit import Exercise
from course.arena.set import Question, Steps, set_steps
from course.arena.tournament import Duel, duel_from
from course.arena.values import Bot, Foul, Seeds, SetResult, View, game_seeds

AT_A_TIME = 200
Children = Callable[[], AbstractContextManager[Child]]


def sandbox_like(like: Sandbox) -> Sandbox:
    """Return a sandbox for the bots of a submission, with the settings of the sandbox that grades it."""
    limits = replace(like.limits, output_mb=1)
    return Sandbox(
        like.modules,
        limits,
        like.level,
        "inside.bot_runner",
        packages=like.packages,
        imports=like.imports,
        secrets=like.secrets,
    )


def deals_of(contest: Contest, exercise: Exercise, name: str, seed: str) -> Seeds:
    """Return the deals of a contest under an exam's seed."""
    return game_seeds(derived_seed(seed, exercise.unit, exercise.name, name), contest.deals)


class Fouled(Exception):
    """Raised when the bot broke a rule: the question, its view, and what was wrong with its answer."""

    def __init__(self, question: str, view: str, reason: str) -> None:
        super().__init__(question, view, reason)
        self.details = question, view, reason


class Lost(Exception):
    """Raised when the bot's process was lost. Then other contests are not tried."""

    def __init__(self, loss: ChildExit | Unloaded) -> None:
        super().__init__(loss)
        self.loss = loss


def play_contest(exam: Exam, exercise: Exercise, name: str, children: Children, request: BotRequest) -> Stop | None:
    """Play the contest with this name. Return the reason if the bot lost it, or None.

    `request` loads the bot in a process of `children`.

    Each seat has its own process, because a bot at both seats would know its rival's cards.
    """
    contest = exam.checks[exercise.name].contests[name]
    seeds = deals_of(contest, exercise, name, exam.seed)
    rival: Bot = getattr(exam.unit.pack.module("solutions", exercise.unit), contest.rival)
    try:
        sides = [side(seeds, seat, children, request, rival) for seat in (0, 1)]
    except Fouled as foul:
        return BotFoul(exercise.name, *foul.details)
    except Lost as lost:
        return BotLost(exercise.name, lost.loss)
    return verdict(contest, duel_from([result for deal in zip(*sides, strict=True) for result in deal]), exercise.name)


def side(seeds: Seeds, seat: int, children: Children, request: BotRequest, rival: Bot) -> list[SetResult]:
    """Return the results of sets with these seeds, in which the bot has this seat. Raises Fouled or Lost."""
    with children() as child:
        child.send(request._replace(chance=seat).packed())
        bot = Stranger(child, request.answer_seconds)
        batches = (seeds[start : start + AT_A_TIME] for start in range(0, len(seeds), AT_A_TIME))
        return [result for batch in batches for result in played_at_once(batch, seat, bot, rival)]


def played_at_once(seeds: Seeds, seat: int, bot: Stranger, rival: Bot) -> list[SetResult]:
    """Return the results of several sets played in parallel. Each message contains a question from each set."""
    tables = [set_steps(2, seed) for seed in seeds]
    now = [_next_question(steps, seat, rival, None) for steps in tables]
    while going := [at for at, step in enumerate(now) if not isinstance(step, SetResult)]:
        questions = [now[at][1:] for at in going]
        answers = bot.answers(questions)
        if bot.lost:
            raise Lost(bot.lost)
        for at, question, answer in zip(going, questions, answers, strict=True):
            now[at] = _next_question(tables[at], seat, rival, answer)
            if isinstance(now[at], SetResult) and now[at].foul:
                raise _fouled(now[at].foul, seat, *question)
    return now


def _fouled(foul: Foul, seat: int, question: Question, view: View) -> Exception:
    """Return the foul as a verdict. The seed of the deal is left out, because it may be secret."""
    if foul.player != seat:
        return RuntimeError(f"the reference has broken a rule: {foul.reason}")
    return Fouled(question, str(view), foul.reason)


def _next_question(steps: Steps, seat: int, rival: Bot, answer: Any) -> Any:
    """Continue a set until the player at `seat` must answer. Return the player, question and view, or the set's result.

    The rival is trusted and has no time limit, so that a slow machine does not count as a foul.
    """
    try:
        player, question, view = steps.send(answer)
        while player != seat:
            player, question, view = steps.send(getattr(rival, question)(view))
    except StopIteration as end:
        return end.value
    return player, question, view


def verdict(contest: Contest, duel: Duel, name: str) -> ContestLost | None:
    """Return why a contest without a foul was lost, or None if it was won."""
    return None if contest.is_won(duel) else ContestLost(name, contest.goal, *duel.pairs, contest.deals, duel.p_value)
