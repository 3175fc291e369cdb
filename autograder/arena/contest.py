"""Bots of students, each in a sandbox, and contests, in which an exam lets them play against a reference bot."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TypeAlias

from autograder.config import secret_folders
from autograder.exam.cases import Contest
from autograder.exam.model import Exam, derived_seed
from autograder.exam.plan import Plan, sources_of
from autograder.report.stops import BotFault, BotFoul, BotLost, ContestLost, InvalidAnswer, Stop, TooLate
from autograder.sandbox.cage import ChildExit, FailedDefinition, child_error
from autograder.sandbox.host import Child, ChildTooLoud, ChildTooSlow, Limits, Sandbox
from autograder.sandbox.inside.bot_runner import codec_of
from autograder.sandbox.inside.orders import BotRequest, Setup, packed_request
from autograder.sandbox.sources import loadable_imports
from autograder.units.unit import Exercise, Unit, UnitError
from course.arena.arena import (
    Arena,
    Codec,
    Fault,
    Illegal,
    Seeds,
    SetResult,
    Steps,
    function_for,
    game_seeds,
    illegal_answer,
    next_step,
)
from course.arena.contests import Duel, duel_from
from course.exam.readable import decode_strict_json, line_without_folders, printable_text
from course.exam.wire import Wire
from course.limits import SECONDS_PER_BOT_ANSWER
from course.roles import role_module

SetRules: TypeAlias = Callable[[int, int, int], Steps[str, object]]


class UntrustedPlayer:
    """An untrusted bot, which runs in another process.

    `chance` is the seed of the bot's random numbers. An invalid answer of the bot is replaced by a `BotFault`. `lost`
    is the reason why the bot's process ended; it is None while the process runs. `is_late` is true if an answer took
    too long.
    """

    is_late = False

    def __init__(self, child: Child, codec: Codec, request: BotRequest, chance: int) -> None:
        self.lost: ChildExit | FailedDefinition | None = None
        self.child, self.codec, self.seconds = child, codec, request.answer_seconds
        child.send(packed_request(request._replace(chance=chance)))
        match decode_strict_json(self._exchange() or b"null"):
            case None:
                pass
            case [str(label), error]:
                self.lost = FailedDefinition(line_without_folders(label, 60), child_error(error))
            case _:
                self.lost = FailedDefinition("", None)

    def ask(self, questions: Sequence[tuple[str, object]]) -> list[object]:
        """Send several questions in one message, and return an answer or a `BotFault` for each."""
        frame = self._exchange(json.dumps([self.codec.encode_question(*one) for one in questions]).encode())
        if frame is None:
            assert self.lost is not None
            return [self.lost] * len(questions)
        replies = decode_strict_json(frame)
        if not isinstance(replies, list) or len(replies) != len(questions):
            return [InvalidAnswer()] * len(questions)
        return list(map(self._decoded_answer, replies))

    def _decoded_answer(self, reply: object) -> object:
        """Return the decoded answer of the bot: a value, `InvalidAnswerValue` or a `BotFault`."""
        match reply:
            case ["is", data]:
                try:
                    return self.codec.decode_answer(data)
                except Exception:  # a bot may send anything
                    return InvalidAnswer()
            case ["odd", str(text)]:
                return InvalidAnswerValue(line_without_folders(text))
            case ["raised", data] if error := child_error(data):
                return error
            case ["late"]:
                self.is_late = True
                return TooLate(self.seconds)
        return InvalidAnswer()

    def _exchange(self, message: bytes = b"") -> bytes | None:
        """Send a message, if there is one. Return the reply, or None if the process is lost."""
        try:
            if message and not self.lost:
                self.child.send(message)
            frame = None if self.lost else self.child.receive()
        except (ChildTooSlow, ChildTooLoud):
            frame = None
        if frame is None:
            self.lost = self.lost or self.child.end()
        return frame


class SeatedBot(UntrustedPlayer):
    """A bot at a seat of a game.

    The bot's time limit restarts for every message, because the bot waits while other bots play.
    """

    @property
    def is_out(self) -> bool:
        """Return whether the bot's process ended, or was too slow."""
        return self.is_late or self.lost is not None

    def ask(self, questions: Sequence[tuple[str, object]]) -> list[object]:
        self.child.restart_clock()
        return super().ask(questions)


class InvalidAnswerValue:
    """A value that is not a valid answer.

    The `repr` of this object is the text with which the bot's process described the value.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def with_errors_as_fouls(rules: SetRules) -> SetRules:
    """Return the same rules, except that an answer for which they raise an exception counts as a foul.

    With the original rules, an unexpected answer could cause an exception, which would end the tournament for all bots.
    In a contest, an exception in the rules would leave the bot ungraded.
    """

    def steps(players: int, seed: int, first: int) -> Steps[str, object]:
        inner = rules(players, seed, first)
        now = next_step(inner)
        while not isinstance(now, SetResult):
            try:
                answer = yield now
            except Illegal as error:
                answer = Fault(str(error))
            try:
                now = next_step(inner, now[0], answer)
            except Exception as error:
                raise illegal_answer(answer, f"for which the rules raise {type(error).__name__}") from None
        return now

    return steps


# ------------------------------------------------------------------------------------------------ the arena of a unit

CONTEST_ROLE = "contest"


@dataclass(frozen=True)
class UnitArena:
    """A unit and its arena: the rules by which bots play the unit's game.

    `module` is the name of the arena's module.
    """

    unit: Unit
    module: str
    arena: Arena = field(repr=False)

    @property
    def modules(self) -> tuple[str, str]:
        """Return the names of the unit's module and of the arena's module.

        The process of a bot imports both modules.
        """
        return self.unit.module.__name__, self.module

    @cached_property
    def codec(self) -> Codec:
        """Return the codec that converts the questions for a bot, and the bot's answers, to JSON and back."""
        return codec_of(self.arena, Wire(self.unit.module))

    def reference_bot(self, exercise: str) -> object:
        """Return the reference solution of an exercise as a bot.

        If the reference is a function that makes a bot, call the function.
        """
        return self.arena.bot_of(getattr(self.unit.pack.import_role_module("solutions", self.unit.name), exercise))

    def request_for(
        self, plan: Plan, wanted: str, loading: float = 2.0, answering: float = SECONDS_PER_BOT_ANSWER
    ) -> BotRequest:
        """Return the message that loads a bot in a sandbox: definitions in order, the bot's name, time limits."""
        given, arena = self.modules
        return BotRequest(given, arena, Setup(plan, seconds=loading), wanted, answering)

    def sandbox_for(self, request: BotRequest, limits: Limits, level: str, usual: tuple[str, ...]) -> Sandbox:
        """Return a sandbox for the process of a bot.

        The process can import the `usual` modules and those that the bot's code imports.
        """
        named = loadable_imports(sources_of(request.setup.plan))
        own = {name for name in named if not {name, name.rpartition(".")[0]} & {*usual}}
        catalogue = self.unit.catalogue
        return Sandbox(
            self.modules,
            limits,
            level,
            "inside.bot_runner",
            packages=catalogue.student_packages,
            imports=sorted({*usual, *own}),
            secrets=secret_folders(catalogue),
        )


def find_arena(unit: Unit) -> UnitArena | None:
    """Return a unit's arena, or None if the unit has no arena."""
    module = role_module(unit.module.__name__, CONTEST_ROLE)
    return UnitArena(unit, module.__name__, module.ARENA) if module else None


def unit_arena(unit: Unit) -> UnitArena:
    """Return a unit's arena. Raises UnitError if the unit has no arena."""
    if held := find_arena(unit):
        return held
    package = unit.pack.role_file(CONTEST_ROLE, unit.name)
    raise UnitError(f"the unit {unit.name} has no game for bots: name one with --unit, or define ARENA in {package}")


# ------------------------------------------------------------------------------------------------ contests in exams

AT_A_TIME, IN_A_ROUND = 200, 400
ChildOpener = Callable[[], AbstractContextManager[Child]]
SetMoment: TypeAlias = tuple[int, str, object] | SetResult


def sandbox_like(grading: Sandbox, modules: tuple[str, ...]) -> Sandbox:
    """Return a sandbox in which bots can use these modules, with the other settings of the `grading` sandbox."""
    limits = replace(grading.limits, output_mb=1)
    return replace(grading, modules=modules, limits=limits, runner="inside.bot_runner", withheld=())


def deal_seeds(contest: Contest, exercise: Exercise, name: str, seed: str, seat: int) -> Seeds:
    """Return the seeds of the deals that the bot plays at this seat.

    The seeds depend on the seed of the exam.

    The bot plays different deals at the two seats. If the deals were equal, the bot's two processes could tell each
    other the rival's cards.
    """
    return game_seeds(derived_seed(seed, exercise.unit, exercise.name, name, str(seat)), contest.deals)


class RuleBroken(Exception):
    """Raised when the bot breaks a rule.

    The exception has the question, the view that the bot received, and the bot's error.
    """

    def __init__(self, question: str, view: object, reason: BotFault | str) -> None:
        super().__init__(question, view, reason)
        self.question, self.view, self.reason = question, view, reason


class BotProcessLost(Exception):
    """Raised when the bot's process ends, or cannot load the bot.

    After that, the bot plays no more contests.
    """

    def __init__(self, loss: ChildExit | FailedDefinition) -> None:
        super().__init__(loss)
        self.loss = loss


def play_contest(exam: Exam, held: UnitArena, name: str, children: ChildOpener, request: BotRequest) -> Stop | None:
    """Play the contest with this name. Return the reason why the bot lost the contest, or None if the bot won.

    `request` loads the bot of an exercise in a process that `children` starts. The bot has a process for each seat.
    """
    exercise = exam.unit[request.bot]
    contest = exam.checks[exercise.name].contests[name]
    rival = held.reference_bot(contest.rival)
    deals = [deal_seeds(contest, exercise, name, exam.seed, seat) for seat in (0, 1)]
    sets, duel = list[SetResult](), Duel((), ())
    try:
        for start in range(0, contest.deals, IN_A_ROUND):
            parts = (seeds[start : start + IN_A_ROUND] for seeds in deals)
            sides = [play_at_seat(part, seat, children, request, held, rival) for seat, part in enumerate(parts)]
            sets += chain(*zip(*sides, strict=True))
            duel = duel_from(sets)
            if contest.stops(duel):
                break
    except RuleBroken as foul:
        name = exercise.name if held.arena.bot is None else f"{exercise.name}().{foul.question}"
        return BotFoul(printable_text(f"{name}({foul.view})"), foul.reason)
    except BotProcessLost as lost:
        return BotLost(exercise.name, lost.loss)
    return contest_loss(contest, duel, exercise.name)


def play_at_seat(
    seeds: Seeds, seat: int, children: ChildOpener, request: BotRequest, held: UnitArena, rival: object
) -> list[SetResult]:
    """Play a set for each seed, with the bot at this seat and the rival at the other seat, and return the results.

    Raises RuleBroken or BotProcessLost.
    """
    with children() as child:
        bot = UntrustedPlayer(child, held.codec, request, seat)
        batches = (seeds[start : start + AT_A_TIME] for start in range(0, len(seeds), AT_A_TIME))
        return [result for batch in batches for result in play_in_parallel(batch, seat, bot, held.arena, rival)]


def play_in_parallel(seeds: Seeds, seat: int, bot: UntrustedPlayer, arena: Arena, rival: object) -> list[SetResult]:
    """Play a set for each seed, all in parallel, and return the results.

    Each message to the bot contains one question from each set.
    """
    rules = with_errors_as_fouls(arena.steps)
    tables = [rules(2, seed, 0) for seed in seeds]
    now = [_next_question(steps, next_step(steps), seat, rival) for steps in tables]
    moments = [*enumerate(now)]
    while going := [(at, step) for at, step in moments if not isinstance(step, SetResult)]:
        questions = [step[1:] for _, step in going]
        answers = bot.ask(questions)
        if bot.lost:
            raise BotProcessLost(bot.lost)
        for (at, _), question, answer in zip(going, questions, answers, strict=True):
            fault = answer if isinstance(answer, BotFault) else None
            step = next_step(tables[at], seat, Fault("has no answer") if fault else answer)
            now[at] = _next_question(tables[at], step, seat, rival)
            if isinstance(step := now[at], SetResult) and step.foul:
                if step.foul.player != seat:
                    raise RuntimeError(f"the reference has broken a rule: {step.foul.reason}")
                raise RuleBroken(*question, fault or printable_text(step.foul.reason))  # no seed, which may be secret
        moments = [(at, now[at]) for at, _ in going]
    return [step for step in now if isinstance(step, SetResult)]


def _next_question(steps: Steps[str, object], now: SetMoment, seat: int, rival: object) -> SetMoment:
    """Continue a set until the player at `seat` must answer, or until it ends.

    The rival is trusted and has no time limit, so that a slow machine does not count as a foul.
    """
    while not isinstance(now, SetResult) and now[0] != seat:
        player, question, view = now
        now = next_step(steps, player, function_for(rival, question)(view))
    return now


def contest_loss(contest: Contest, duel: Duel, name: str) -> ContestLost | None:
    """Return why the bot lost a contest, or None if it won.

    `duel` has the results of sets in which the bot broke no rule.
    """
    if contest.is_won(duel):
        return None
    return ContestLost(name, contest.goal, *duel.pairs, len(duel.outcomes) // 2, duel.share)
