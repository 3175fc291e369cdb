"""Tournaments of bots. Each student's bot has its own sandboxed process. Called by `foldem tournament`.

The rules run here, and send a bot its own view with each question. Every game has new processes, so a bot cannot
remember anything from an earlier game. A tournament depends only on its seed, not on how many games run in parallel.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from queue import SimpleQueue
from time import monotonic
from typing import Self, TypeAlias

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from autograder.arena.entries import Entry, TournamentError
from autograder.arena.players import TrustedPlayer, UntrustedPlayer, with_patient_rules
from autograder.report.stops import BotFault
from autograder.sandbox.host import Child, Limits, Sandbox
from autograder.sandbox.inside.orders import packed
from course.arena.arena import (
    Answers,
    Arena,
    Codec,
    Fault,
    Game,
    game_seeds,
)
from course.arena.contests import Standing, Tournament, merge, seated_game, tournament_of
from course.limits import SECONDS_PER_BOT_SET

# A question may take a second of CPU time, measured inside. The rest is a margin for bots that manipulate that clock.
BOT_LIMITS = Limits(cpu_seconds=60, wall_seconds=10, output_mb=1)
STRIKES, GAMES_AT_ONCE = 3, 64
FaultText: TypeAlias = Callable[[BotFault], str]


class Interrupted(Exception):
    """Raised if the tournament was interrupted during this game."""


# ------------------------------------------------------------------------------------------------ one game


class PatientPlayer(UntrustedPlayer):
    """An untrusted bot. Its time limit restarts for every answer, because it waits while others play."""

    left = SECONDS_PER_BOT_SET

    def __init__(self, child: Child, codec: Codec, seconds: float, fault_text: FaultText) -> None:
        super().__init__(child, codec, seconds)
        self.fault_text = fault_text

    def begin_set(self) -> None:
        """Restart the time limit for a set."""
        self.left = SECONDS_PER_BOT_SET

    def answer(self, question: str, view: object) -> object:
        """Send a question, and return the answer, or a `Fault`."""
        self.child.restart_clock()
        began = monotonic()
        (answer,) = self.answers([(question, view)])
        self.left -= monotonic() - began
        if self.left > 0:
            return Fault(self.fault_text(answer)) if isinstance(answer, BotFault) else answer
        self.is_late = True
        return Fault(f"took longer than {SECONDS_PER_BOT_SET:g} s for a set")


@dataclass(frozen=True)
class Seat:
    """A player's seat. An untrusted player has a sandbox there, which makes a new process for each game."""

    entry: Entry
    sandbox: Sandbox | None

    def sit(self, number: int, hold: ExitStack, fault_text: FaultText) -> TrustedPlayer | PatientPlayer:
        """Return the player for one game, which lasts until `hold` ends."""
        if self.sandbox is None or self.entry.request is None:
            return TrustedPlayer(self.entry.bot)
        child = hold.enter_context(self.sandbox.child())
        child.send(packed(self.entry.request._replace(chance=number)))
        return PatientPlayer(child, self.entry.held.codec, self.entry.request.answer_seconds, fault_text)


@dataclass(frozen=True)
class Played:
    """A game, and the players whose process was lost or too slow during the game."""

    game: Game
    lost: tuple[int, ...]


class TournamentSeats:
    """The seats of a tournament, one group for each game that is played in parallel. It is a context manager."""

    def __init__(
        self,
        entries: Sequence[Entry],
        level: str,
        jobs: int,
        target: int,
        fault_text: FaultText,
        strikes: Counter[str] | None = None,
    ) -> None:
        self.entries, self.level, self.jobs, self.fault_text = entries, level, jobs, fault_text
        arena = entries[0].held.arena
        self.arena: Arena = replace(arena, target=target, steps=with_patient_rules(arena.steps))
        self.strikes = Counter[str]() if strikes is None else strikes
        self.tables: SimpleQueue[list[Seat]] = SimpleQueue()
        self.stopping = threading.Event()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            for _ in range(self.jobs):
                self.tables.put([Seat(entry, self._sandbox_for(entry, stack)) for entry in self.entries])
            self.stack = stack.pop_all()
        return self

    def _sandbox_for(self, entry: Entry, stack: ExitStack) -> Sandbox | None:
        if entry.request is None:
            return None
        return stack.enter_context(entry.held.sandbox_for(entry.request, BOT_LIMITS, self.level))

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    @contextmanager
    def stopped_at_the_end(self) -> Iterator[None]:
        """After an interrupt, let running games end at their next question."""
        try:
            yield
        finally:
            self.stopping.set()

    def game(self, numbered_seed: tuple[int, int], out: frozenset[int]) -> Played:
        """Play a game without the players in `out`."""
        seats = self.tables.get()
        try:
            with ExitStack() as hold:
                return self._played(seats, *numbered_seed, out, hold)
        finally:
            self.tables.put(seats)

    def _played(self, seats: list[Seat], number: int, seed: int, out: frozenset[int], hold: ExitStack) -> Played:
        players = {at: seat.sit(number, hold, self.fault_text) for at, seat in enumerate(seats) if at not in out}

        def begins() -> None:
            for player in players.values():
                player.begin_set()

        game = seated_game(self.arena, len(seats), number, seed, self._answers(players), begins)
        return Played(game, tuple(at for at, player in players.items() if player.lost or player.is_late))

    def _answers(self, players: dict[int, TrustedPlayer | PatientPlayer]) -> Answers[str, object]:
        def answers(at: int, question: str, view: object) -> object:
            if self.stopping.is_set():
                raise Interrupted
            return (
                players[at].answer(question, view) if at in players else Fault(f"excluded after {STRIKES} such games")
            )

        return answers


# ------------------------------------------------------------------------------------------------ many games


def batches(games: int) -> Iterator[range]:
    """Yield the numbers of the games in batches of 1, 2, 4 ... 64. Slow bots are excluded between batches.

    >>> list(batches(5))
    [range(0, 1), range(1, 3), range(3, 5)]
    """
    start, size = 0, 1
    while start < games:
        yield range(start, min(start + size, games))
        start, size = start + size, min(2 * size, GAMES_AT_ONCE)


def games_in_order(hall: TournamentSeats, games: int, seed: int) -> Generator[Played, None, None]:
    """Yield the games in order.

    A bot that was lost or too slow in three games, at this table or earlier, is excluded.
    """
    seeds, strikes, names = game_seeds(seed, games), hall.strikes, [entry.name for entry in hall.entries]
    with ThreadPoolExecutor(hall.jobs) as pool, hall.stopped_at_the_end():
        for batch in batches(games):
            out = frozenset(at for at, name in enumerate(names) if strikes[name] >= STRIKES)
            for one in pool.map(partial(hall.game, out=out), [(number, seeds[number]) for number in batch]):
                strikes.update(names[at] for at in one.lost)
                yield one


def play_tournament(
    entries: Sequence[Entry],
    level: str,
    games: int,
    seed: int,
    jobs: int,
    target: int,
    fault_text: FaultText,
    advance: Callable[[], object],
    strikes: Counter[str] | None = None,
) -> tuple[Tournament, bool]:
    """Return the standings of a tournament, and whether it was played to its end. `advance` is called after each game.

    `fault_text` returns why a bot gave no answer, as words that follow "it".

    `strikes` are the games at earlier tables in which each bot was lost or too slow. Games of this table are added.
    """
    names = tuple(entry.name for entry in entries)
    total = Tournament(0, 0, tuple(map(Standing, names)))
    try:
        with (
            TournamentSeats(entries, level, min(jobs, games), target, fault_text, strikes) as hall,
            closing(games_in_order(hall, games, seed)) as them,
        ):
            for one in them:
                total = merge(total, tournament_of(names, one.game))
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


def playing_bar() -> Progress:
    """Return a progress bar for games, which disappears at the end."""
    columns = TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    return Progress(*columns, console=Console(stderr=True), transient=True)


def all_played(
    tables: Sequence[Sequence[Entry]],
    level: str,
    games: int,
    seed: int,
    jobs: int,
    target: int,
    fault_text: FaultText,
) -> tuple[list[Tournament], bool]:
    """Play the tables one after another, with a progress bar. Return their standings, and False if interrupted."""
    played, strikes = list[Tournament](), Counter[str]()
    with playing_bar() as progress:
        task = progress.add_task("playing", total=games * len(tables))
        for table in tables:
            advance = partial(progress.advance, task)
            total, done = play_tournament(table, level, games, seed, jobs, target, fault_text, advance, strikes)
            played.append(total)
            if not done:
                return played, False
    return played, True
