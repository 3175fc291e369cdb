"""Tournaments of bots. Each student's bot has its own sandboxed process. Called by `foldem tournament`.

The rules run here, and send a bot its own view with each question. Every game has new processes, so a bot cannot
remember anything from an earlier game. A tournament depends only on its seed, not on how many games run in parallel.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from itertools import combinations
from time import monotonic
from typing import TypeAlias

from autograder.arena.entries import Entry, TournamentError
from autograder.arena.players import SeatedBot, in_threads, with_patient_rules
from autograder.report.stops import BotFault
from autograder.sandbox.host import Limits, Sandbox
from course.arena.arena import Arena, Fault, Game, answers_of, game_seeds
from course.arena.contests import Standing, Tournament, merge, seated_game, tournament_of
from course.limits import SECONDS_PER_BOT_SET

# A question may take a second of CPU time, measured inside. The rest is a margin for bots that manipulate that clock.
BOT_LIMITS = Limits(cpu_seconds=60, wall_seconds=10, output_mb=1)
STRIKES, GAMES_AT_ONCE = 3, 64
BotSandboxes: TypeAlias = dict[int, Sandbox]  # by the index of the untrusted bot


class Interrupted(Exception):
    """Raised if the tournament was interrupted during this game."""


# ------------------------------------------------------------------------------------------------ one game


class PatientPlayer(SeatedBot):
    """A bot in a game, with a time limit for all its answers of a set."""

    left = SECONDS_PER_BOT_SET

    def answer(self, question: str, view: object) -> object:
        """Send a question, and return the answer, a `BotFault`, or a `Fault`."""
        began = monotonic()
        (answer,) = self.answers([(question, view)])
        self.left -= monotonic() - began
        if self.left > 0:
            return answer
        self.is_late = True
        return Fault(f"took longer than {SECONDS_PER_BOT_SET:g} s for a set")


@dataclass(frozen=True)
class Hall:
    """The room of a tournament: its bots, their arena, and whether running games end at their next question.

    `fault_text` returns why a bot gave no answer, as words that follow "it".
    """

    entries: Sequence[Entry]
    arena: Arena
    fault_text: Callable[[BotFault], str]
    stopping: threading.Event = field(default_factory=threading.Event)

    def game(self, table: BotSandboxes, number: int, seed: int, out: frozenset[int]) -> tuple[Game, list[int]]:
        """Play a game without the players in `out`. Return it, and the players who were lost or too slow.

        Each untrusted bot has a new process, from the sandbox that it has at the table.
        """
        in_here = answers_of([entry.bot for entry in self.entries])
        strangers: dict[int, PatientPlayer] = {}

        def begins() -> None:
            for player in strangers.values():
                player.left = SECONDS_PER_BOT_SET

        def answers(at: int, question: str, view: object) -> object:
            if self.stopping.is_set():
                raise Interrupted
            if at in out:
                return Fault(f"excluded after {STRIKES} such games")
            answer = strangers[at].answer(question, view) if at in strangers else in_here(at, question, view)
            return Fault(self.fault_text(answer)) if isinstance(answer, BotFault) else answer

        with ExitStack() as stack:
            for at, sandbox in table.items():
                entry = self.entries[at]
                if at not in out and entry.request:
                    child = stack.enter_context(sandbox.child())
                    strangers[at] = PatientPlayer(child, entry.held.codec, entry.request, number)
            game = seated_game(self.arena, len(self.entries), number, seed, answers, begins)
        return game, [at for at, player in strangers.items() if player.is_out]


# ------------------------------------------------------------------------------------------------ many games


def games_in_order(
    entries: Sequence[Entry],
    level: str,
    games: int,
    seed: int,
    jobs: int,
    target: int,
    fault_text: Callable[[BotFault], str],
    strikes: Counter[str],
) -> Generator[Game, None, None]:
    """Yield the games in order, with several at the same time.

    A bot that was lost or too slow in three games, at this table or earlier, is excluded.
    """
    arena, seeds = entries[0].held.arena, game_seeds(seed, games)
    hall = Hall(entries, replace(arena, target=target, steps=with_patient_rules(arena.steps)), fault_text)
    tables: list[BotSandboxes] = [{} for _ in range(min(jobs, games))]
    with ExitStack() as stack:
        for table in tables:
            for at, entry in enumerate(entries):
                if entry.request:
                    table[at] = stack.enter_context(entry.held.sandbox_for(entry.request, BOT_LIMITS, level))
        play = stack.enter_context(in_threads(tables, hall.game))
        stack.callback(hall.stopping.set)  # after an interrupt
        start, size = 0, 1
        while start < games:  # slow bots are excluded between batches of 1, 2, 4 ... 64 games
            out = frozenset(at for at, entry in enumerate(entries) if strikes[entry.name] >= STRIKES)
            for future in [play(number, seeds[number], out) for number in range(start, min(start + size, games))]:
                game, lost = future.result()
                strikes.update(entries[at].name for at in lost)
                yield game
            start, size = start + size, min(2 * size, GAMES_AT_ONCE)


def play_tournament(
    entries: Sequence[Entry],
    level: str,
    games: int,
    seed: int,
    jobs: int,
    target: int,
    fault_text: Callable[[BotFault], str],
    advance: Callable[[], object],
    strikes: Counter[str] | None = None,
) -> tuple[Tournament, bool]:
    """Return the standings of a tournament, and whether it was played to its end. `advance` is called after each game.

    `strikes` are the games at earlier tables in which each bot was lost or too slow. Games of this table are added.
    """
    names, strikes = tuple(entry.name for entry in entries), Counter() if strikes is None else strikes
    total = Tournament(0, 0, tuple(map(Standing, names)))
    try:
        with closing(games_in_order(entries, level, games, seed, jobs, target, fault_text, strikes)) as them:
            for game in them:
                total = merge(total, tournament_of(names, game))
                advance()
    except KeyboardInterrupt:
        return total, False
    return total, True


def pairings(entries: Sequence[Entry], pairs: bool) -> tuple[tuple[Entry, ...], ...]:
    """Return the players of each table: everyone at one table, or a table for each pair."""
    players = entries[0].held.arena.players
    tables = tuple(combinations(entries, 2)) if pairs else (tuple(entries),)
    if len(tables[0]) in players:
        return tables
    if len(entries) > players[-1] and 2 in players:
        raise TournamentError(f"one game takes at most {players[-1]} bots: add --pairs")
    raise TournamentError(f"one game takes {' or '.join(map(str, players))} bots, not {len(tables[0])}")
