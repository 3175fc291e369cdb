"""Contests: facets whose answer is a bot, which plays against a reference bot.

The rules of the game, the rival and the deals are in this process. So a bot cannot see hands or future deals, and its
actions are taken from the game, not from its own reports. But anyone who knows the exam's seed can compute all deals.
Use a secret seed if the mark matters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TypeAlias

from autograder.arena.held import UnitArena
from autograder.arena.players import Stranger, with_patient_rules
from autograder.exam.cases import Contest
from autograder.exam.model import Exam, derived_seed
from autograder.report.stops import BotFault, BotFoul, BotLost, ContestLost, Stop
from autograder.sandbox.host import Child, Sandbox
from autograder.sandbox.inside.orders import BotRequest, packed
from autograder.sandbox.outcomes import ChildExit, Unloaded
from autograder.units.unit import Exercise
from course.arena.arena import Arena, Codec, Fault, Foul, Seeds, SetResult, Steps, function_for, game_seeds, next_step
from course.arena.contests import Duel, duel_from
from course.exam.readable import printable

AT_A_TIME = 200
Children = Callable[[], AbstractContextManager[Child]]
SetMoment: TypeAlias = tuple[int, str, object] | SetResult
ResultsByRival: TypeAlias = dict[str, tuple[list[SetResult], list[SetResult]]]  # by rival: the results at each seat


def sandbox_like(like: Sandbox, modules: tuple[str, ...]) -> Sandbox:
    """Return a sandbox for the bots of a submission, with the settings of the sandbox that grades it."""
    limits = replace(like.limits, output_mb=1)
    return Sandbox(
        modules,
        limits,
        like.level,
        "inside.bot_runner",
        packages=like.packages,
        imports=like.imports,
        secrets=like.secrets,
    )


def deals_of(contests: Mapping[str, Contest], exercise: Exercise, name: str, seed: str) -> Seeds:
    """Return the deals of a contest under an exam's seed. Contests against the same rival begin with the same deals."""
    contest = contests[name]
    first = next(other for other, each in contests.items() if each.rival == contest.rival)
    return game_seeds(derived_seed(seed, exercise.unit, exercise.name, first), contest.deals)


class Fouled(Exception):
    """Raised when the bot broke a rule: the question, its view, and what was wrong with its answer."""

    def __init__(self, question: str, view: object, reason: BotFault | str) -> None:
        super().__init__(question, view, reason)
        self.question, self.view, self.reason = question, view, reason


class Lost(Exception):
    """Raised when the bot's process was lost. Then other contests are not tried."""

    def __init__(self, loss: ChildExit | Unloaded) -> None:
        super().__init__(loss)
        self.loss = loss


@dataclass(frozen=True)
class Opponent:
    """A reference bot in this process, and the rules and the codec with which an answer's bot plays against it."""

    arena: Arena
    codec: Codec
    rival: object


def play_contest(
    exam: Exam, held: UnitArena, name: str, children: Children, request: BotRequest, played: ResultsByRival
) -> Stop | None:
    """Play the contest with this name. Return the reason if the bot lost it, or None.

    `request` loads the bot of an exercise in a process of `children`. Sets that an earlier contest has `played` are not
    played again.

    Each seat has its own process, because a bot at both seats would know its rival's cards.
    """
    exercise = exam.unit[request.bot]
    contests = exam.checks[exercise.name].contests
    contest, seeds = contests[name], deals_of(contests, exercise, name, exam.seed)
    opponent = Opponent(held.arena, held.codec, held.reference(contest.rival))
    sides = played.setdefault(contest.rival, ([], []))
    try:
        for seat, results in enumerate(sides):
            results += side(seeds[len(results) :], seat, children, request, opponent)
    except Fouled as foul:
        return BotFoul(printable(f"{held.call_of(exercise.name, foul.question)}({foul.view})"), foul.reason)
    except Lost as lost:
        return BotLost(exercise.name, lost.loss)
    deals = zip(*(results[: contest.deals] for results in sides), strict=True)
    return verdict(contest, duel_from([result for deal in deals for result in deal]), exercise.name)


def side(seeds: Seeds, seat: int, children: Children, request: BotRequest, opponent: Opponent) -> list[SetResult]:
    """Return the results of sets with these seeds, in which the bot has this seat. Raises Fouled or Lost."""
    with children() as child:
        child.send(packed(request._replace(chance=seat)))
        bot = Stranger(child, opponent.codec, request.answer_seconds)
        batches = (seeds[start : start + AT_A_TIME] for start in range(0, len(seeds), AT_A_TIME))
        return [result for batch in batches for result in played_at_once(batch, seat, bot, opponent)]


def played_at_once(seeds: Seeds, seat: int, bot: Stranger, opponent: Opponent) -> list[SetResult]:
    """Return the results of several sets played in parallel. Each message contains a question from each set."""
    rules = with_patient_rules(opponent.arena.steps)
    tables = [rules(2, seed, 0) for seed in seeds]
    now = [_next_question(steps, next_step(steps), seat, opponent.rival) for steps in tables]
    moments = [*enumerate(now)]
    while going := [(at, step) for at, step in moments if not isinstance(step, SetResult)]:
        questions = [step[1:] for _, step in going]
        answers = bot.answers(questions)
        if bot.lost:
            raise Lost(bot.lost)
        for (at, _), question, answer in zip(going, questions, answers, strict=True):
            fault = answer if isinstance(answer, BotFault) else None
            step = next_step(tables[at], seat, Fault("has no answer") if fault else answer)
            now[at] = _next_question(tables[at], step, seat, opponent.rival)
            if isinstance(step := now[at], SetResult) and step.foul:
                raise _fouled(step.foul, seat, *question, fault)
        moments = [(at, now[at]) for at, _ in going]
    return [step for step in now if isinstance(step, SetResult)]


def _fouled(foul: Foul, seat: int, question: str, view: object, fault: BotFault | None) -> Exception:
    """Return the foul as a verdict. The seed of the deal is left out, because it may be secret."""
    if foul.player != seat:
        return RuntimeError(f"the reference has broken a rule: {foul.reason}")
    return Fouled(question, view, fault or printable(foul.reason))


def _next_question(steps: Steps[str, object], now: SetMoment, seat: int, rival: object) -> SetMoment:
    """Continue a set until the player at `seat` must answer, or until it ends.

    The rival is trusted and has no time limit, so that a slow machine does not count as a foul.
    """
    while not isinstance(now, SetResult) and now[0] != seat:
        player, question, view = now
        now = next_step(steps, player, function_for(rival, question)(view))
    return now


def verdict(contest: Contest, duel: Duel, name: str) -> ContestLost | None:
    """Return why a contest without a foul was lost, or None if it was won."""
    return None if contest.is_won(duel) else ContestLost(name, contest.goal, *duel.pairs, contest.deals, duel.p_value)
