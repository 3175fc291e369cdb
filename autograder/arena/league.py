"""The players of a league or tournament, and its matches: two bots play the same deals twice, with changed seats."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count, pairwise, product
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias

from msgspec import Struct, json

from autograder.arena.contest import SeatedBot, SetMoment, UnitArena, find_arena, unit_arena, with_errors_as_fouls
from autograder.exam.model import derived_seed
from autograder.exam.plan import Plan, definitions_in_order
from autograder.report.stops import BotFault
from autograder.sandbox.cage import FILE_LABEL
from autograder.sandbox.host import Limits, ReusedSandbox, SandboxDied
from autograder.sandbox.inside.orders import BotRequest, LoadStep
from autograder.sandbox.sources import digest_of_files, files_needed_by, loadable_imports
from autograder.submission.model import Submission
from autograder.submission.plain import PLAIN_MODULES
from autograder.submission.reading import AnyNotebook, read_file, read_notebook
from autograder.submission.sort import NotebookError, submission_of
from autograder.text import shown_name
from autograder.units.pack import Catalogue
from autograder.units.unit import read_unit
from course.arena.arena import Fault, Seeds, SetResult, Steps, game_seeds, next_step
from course.arena.contests import duel_from, wilson
from course.diagnoses.obstacle import obstacle_text
from course.exam.readable import one_line, printable_text
from course.limits import LARGEST_CODE


class TournamentError(NotebookError):
    """Raised for a tournament that cannot be played. The message is one line."""


@dataclass(frozen=True)
class TournamentEntry:
    """A bot in a tournament: its name, the file or student that it comes from, and the request that loads it."""

    name: str
    origin: str
    request: BotRequest


def chosen_arena(catalogue: Catalogue, unit: str | None, preferred: Collection[str] = ()) -> UnitArena:
    """Return the arena of a unit.

    If `unit` is None, return the only arena of the units `preferred`. If these units have no arena, return the only
    arena of all units.

    Raises TournamentError if there is no arena, or if there are several.
    """
    if unit:
        return unit_arena(read_unit(catalogue, unit))
    arenas = tuple(filter(None, (find_arena(read_unit(catalogue, name)) for name in catalogue.units)))
    arenas = tuple(held for held in arenas if held.unit.name in preferred) or arenas
    if len(arenas) != 1:
        names = " or ".join(f"--unit {held.unit.name}" for held in arenas)
        raise TournamentError(f"add {names}" if names else "no unit has an arena: add --pack with the folder of one")
    return arenas[0]


def entries_of(words: Sequence[str], held: UnitArena) -> list[TournamentEntry]:
    """Return the bots named on the command line. Raises TournamentError if a bot cannot be read."""
    names = numbered_names(shown_name(Path(word).stem) for word in words)
    return [TournamentEntry(name, word, _request_for_bot(held, word)) for name, word in zip(names, words, strict=True)]


def numbered_names(given: Iterable[str]) -> tuple[str, ...]:
    """Return the names, with a number added to each name that occurs again, so that no two are equal.

    >>> numbered_names(("fox", "fox 2", "fox"))
    ('fox', 'fox 2', 'fox 3')
    """
    names, results = tuple(given), list[str]()
    for name in names:
        numbered = (f"{name} {number}" for number in count(2))
        results.append(next(each for each in numbered if each not in (*names, *results)) if name in results else name)
    return tuple(results)


def _request_for_bot(held: UnitArena, word: str) -> BotRequest:
    """Return the request that loads the bot of a file, or a reference bot of the unit."""
    if exercise := held.arena.references.get(word):
        return held.request_for([LoadStep("helper", each.name, each.source) for each in held.unit.exercises], exercise)
    path = Path(word)
    if path.suffix not in (".py", ".ipynb"):
        names = "".join(f", or {name}" for name in held.arena.references)
        raise TournamentError(f"{word} is not a bot: name a .py file, a notebook{names}")
    try:
        if path.suffix == ".ipynb":
            request = request_for_notebook(held, read_notebook(path))
        else:
            text = read_file(path).decode()
            if len(text) > LARGEST_CODE:
                raise NotebookError("the file is larger than 1 MB. Make it smaller")
            request = held.request_for([LoadStep("helper", FILE_LABEL, text)], "")
    except NotebookError as error:
        raise TournamentError(f"{path}: {error}") from None
    except UnicodeDecodeError:
        raise TournamentError(f"{path}: the file is not UTF-8 text. Save it as UTF-8") from None
    if request is None:
        raise TournamentError(f"{path}: this notebook has no bot yet. Write one of {', '.join(held.arena.bots)} first")
    return request


def request_for_notebook(held: UnitArena, notebook: AnyNotebook) -> BotRequest | None:
    """Return the request that loads a notebook's best bot, or None if the notebook has no bot.

    Only bots that the notebook assigns as exercises are considered. Reference solutions do not replace missing
    exercises. Raises NotebookError if the notebook belongs to another unit.
    """
    everything = {held.unit.name: dict.fromkeys(held.unit.by_name, 0.0)}
    submission = submission_of(notebook, held.unit.catalogue, held.unit, everything)
    own, bots = submission_of(notebook, held.unit.catalogue, held.unit), held.arena.bots.items()
    written = (name for name, needed in bots if {*needed} <= {*own.assigned} & own.answers.keys())
    wanted = next(written, None)  # the best one comes first
    return held.request_for(notebook_plan(submission), wanted) if wanted else None


def notebook_plan(submission: Submission) -> Plan:
    """Return the definitions of a notebook's functions in order, in the form that the sandbox receives.

    An exercise without an answer becomes a function that raises NotImplementedError.
    """
    needed = submission.helpers_for(answer.source for answer in submission.answers.values())
    helpers = [each for each in needed if each in submission.helpers]  # without calls that only try the bots
    steps = dict[int, LoadStep]()
    for exercise in submission.unit.exercises:
        name = exercise.name
        if answer := submission.answers.get(name):
            step = LoadStep("answer", name, answer.source)
        else:
            obstacle = submission.attempts[name].obstacle
            problem = f"{name}: {one_line(obstacle_text(obstacle, name)) if obstacle else ''}"
            step = LoadStep("helper", name, f"def {name}(*_):\n    raise NotImplementedError({problem!r})")
        steps[exercise.number] = step
    return definitions_in_order(steps.items(), helpers)


# ------------------------------------------------------------------------------------------------ one match

DEALS, TRIAL = (16, 64), (1,)  # the numbers of deals after which a match ends: if it is decided, or in any case
# A bot has ten seconds of CPU time for all its answers at one seat of a match.
MATCH_LIMITS = Limits(cpu_seconds=10, wall_seconds=10, output_mb=1)
# With the same modules for all bots, a sandbox can be used again for the next one.
USUAL_MODULES = loadable_imports(f"import {name}" for name in PLAIN_MODULES)
IntPair: TypeAlias = tuple[int, int]
FoulReason: TypeAlias = BotFault | str
SeatSandboxes: TypeAlias = dict[tuple[int, ...], ReusedSandbox]  # one for each bot and seat


class BotFouls(Struct, frozen=True):
    """The number of fouls of a bot in a match, and the reason for the first one."""

    number: int = 0
    reason: FoulReason | None = None


class Match(Struct, frozen=True):
    """The result of a match, as it is stored.

    In each pair, the first item is for the first bot, and the second item for the second bot. `out` is true for a bot
    that loses all sets because its process ended or was too slow.
    """

    sets: int
    won: IntPair
    deals: IntPair
    fouls: tuple[BotFouls, BotFouls]
    out: tuple[bool, bool]

    @property
    def winner(self) -> int | None:
        """Return the index of the better bot, 0 or 1, or None if the match does not decide which bot is better.

        A bot is better if Wilson's interval for its share of the decided deals is above one half.
        """
        if True in self.out:
            return None if all(self.out) else self.out.index(False)
        if wilson(max(self.deals), sum(self.deals))[0] <= 1 / 2:
            return None
        return 0 if self.deals[0] > self.deals[1] else 1

    def share(self, bot: int) -> float:
        """Return which share of the sets a bot won, from 0 to 1. An undecided set counts as half."""
        return (1 + (self.won[bot] - self.won[1 - bot]) / self.sets) / 2


@dataclass
class RunningSet:
    """A set that two bots play: its next question or its result. `foul` has the seat and the reason of a foul."""

    steps: Steps[str, object]
    now: SetMoment = field(init=False)
    foul: tuple[int, FoulReason] | None = None

    def __post_init__(self) -> None:
        self.now = next_step(self.steps)

    def receive(self, seat: int, answer: object) -> None:
        """Continue the set with the answer of the player at `seat`."""
        self.now = next_step(self.steps, seat, Fault("gave no answer") if isinstance(answer, BotFault) else answer)
        foul = self.now.foul if isinstance(self.now, SetResult) else None
        if foul:
            self.foul = seat, answer if isinstance(answer, BotFault) else printable_text(foul.reason)


def play_sets(boards: Sequence[RunningSet], players: Sequence[SeatedBot]) -> None:
    """Play several sets in parallel until all are over, or until a player is too slow or its process ends."""
    while not any(player.is_out for player in players):
        if all(isinstance(board.now, SetResult) for board in boards):
            return
        for seat, player in enumerate(players):
            turns = [
                (board, now[1:]) for board in boards if not isinstance(now := board.now, SetResult) and now[0] == seat
            ]
            answers = player.ask([question for _, question in turns]) if turns else []
            for (board, _), answer in zip(turns, answers, strict=True):
                board.receive(seat, answer)


def play_match(sides: Sequence[Sequence[SeatedBot]], held: UnitArena, seeds: Seeds, stages: Sequence[int]) -> Match:
    """Play a match to its end.

    Each item of `sides` has a player for each seat; in the second item, the bots have changed seats. `stages` are
    numbers of deals, such as 16 and 64. After each of these numbers of deals, the match ends if one bot is clearly
    better.
    """
    rules, boards = with_errors_as_fouls(held.arena.steps), list[tuple[RunningSet, ...]]()
    for start, end in pairwise((0, *stages)):
        new = [[RunningSet(rules(2, seed, 0)) for seed in seeds[start:end]] for _ in sides]
        for side, players in zip(new, sides, strict=True):
            if not any(player.is_out for each in sides for player in each):
                play_sets(side, players)
        boards += zip(*new, strict=True)
        match = match_result(boards, sides)
        if match.winner is not None or True in match.out:
            break
    return match


def match_result(boards: Sequence[tuple[RunningSet, ...]], sides: Sequence[Sequence[SeatedBot]]) -> Match:
    """Return the result of a match after the sets played so far.

    Each deal was played in two sets, one for each item of `sides`.
    """
    first, second = (any(side[bot ^ at].is_out for at, side in enumerate(sides)) for bot in (0, 1))
    fouls = _fouls_of_bot(boards, sides, 0), _fouls_of_bot(boards, sides, 1)
    deals, sets = len(boards), 2 * len(boards)
    if first or second:
        wins = int(not first), int(not second)
        won, pairs = (sets * wins[0], sets * wins[1]), (deals * wins[0], deals * wins[1])
    else:
        duel = duel_from([board.now for deal in boards for board in deal if isinstance(board.now, SetResult)])
        won, pairs = (duel.outcomes.count(1), duel.outcomes.count(-1)), duel.pairs
    return Match(sets, won, pairs, fouls, (first, second))


def _fouls_of_bot(boards: Sequence[tuple[RunningSet, ...]], sides: Sequence[Sequence[SeatedBot]], bot: int) -> BotFouls:
    """Return the fouls of a bot. A bot has one foul if its process ended before its first answer."""
    every = [(board.foul, side) for deal in boards for side, board in enumerate(deal) if board.foul]
    reasons: list[FoulReason] = [reason for (seat, reason), side in every if seat ^ side == bot]
    if not reasons:
        reasons += [lost for at, side in enumerate(sides) if (lost := side[bot ^ at].lost)][:1]
    return BotFouls(len(reasons), next(iter(reasons), None))


# ------------------------------------------------------------------------------------------------ many matches


def bot_digest(request: BotRequest) -> str:
    """Return a digest of a bot: of all definitions that its process receives, and of its time limits."""
    return sha256(repr(request).encode()).hexdigest()


def league_digest() -> str:
    """Return a digest of the code that plays matches."""
    return digest_of_files(files_needed_by((__name__, "autograder.sandbox.inside.bot_runner"), {}))


@dataclass(frozen=True)
class League:
    """The matches of a league.

    Matches that are in the store are not played again; all others are played and then stored. `cache_key` is a digest
    of everything that a match depends on, except the bots and the seed.
    """

    held: UnitArena
    level: str
    cache_key: str
    seed: str
    jobs: int
    recall: Callable[[Sequence[str]], Mapping[str, str]]
    keep: Callable[[Mapping[str, str]], object]

    def key(self, pair: Sequence[BotRequest], stages: Sequence[int] = DEALS) -> str:
        """Return the key under which the match of two bots is stored."""
        words = self.cache_key, self.seed, str(stages), *map(bot_digest, pair)
        return sha256("|".join(words).encode()).hexdigest()

    def seed_of(self, pair: Sequence[BotRequest]) -> int:
        """Return the seed of a match.

        The seed depends on the code of both bots, so a bot's author cannot know the match's deals in advance.
        """
        return derived_seed(self.seed, self.held.unit.name, "league", *map(bot_digest, pair))

    def play_matches(
        self, pairs: Sequence[Sequence[BotRequest]], advance: Callable[[], object], stages: Sequence[int] = DEALS
    ) -> list[Match]:
        """Return the match of each pair of bots.

        `advance` is called after each match, for example to move a progress bar. New matches are played, several at a
        time, and each is stored as soon as it is over.
        """
        keys = [self.key(pair, stages) for pair in pairs]
        texts = {**self.recall([*dict.fromkeys(keys)])}
        for _ in filter(None, map(texts.get, keys)):
            advance()
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in texts}
        free = SimpleQueue[SeatSandboxes]()
        with ExitStack() as stack:
            for _ in range(self.jobs):
                table = {seat: ReusedSandbox() for seat in product((0, 1), repeat=2)}
                for sandbox in table.values():
                    stack.callback(sandbox.close)
                free.put(table)
            pool = ThreadPoolExecutor(self.jobs)
            stack.callback(pool.shutdown, cancel_futures=True)
            futures = {pool.submit(self._play_match, free, pair, stages): key for key, pair in new.items()}
            for future in as_completed(futures):
                key = futures[future]
                texts[key] = json.encode(future.result()).decode()
                self.keep({key: texts[key]})
                advance()
        return [json.decode(texts[key], type=Match) for key in keys]

    def _play_match(self, free: SimpleQueue[SeatSandboxes], pair: Sequence[BotRequest], stages: Sequence[int]) -> Match:
        """Play a match in sandboxes that no other match uses. The same bots and the same seed give the same match."""
        bots, table = dict[tuple[int, ...], SeatedBot](), free.get()
        try:
            with ExitStack() as stack:
                for (bot, seat), reused in table.items():
                    sandbox = reused.get(self.held.sandbox_for(pair[bot], MATCH_LIMITS, self.level, USUAL_MODULES))
                    child = stack.enter_context(sandbox.child())
                    bots[bot, seat] = SeatedBot(child, self.held.codec, pair[bot], seat)
                sides = (bots[0, 0], bots[1, 1]), (bots[1, 0], bots[0, 1])
                return play_match(sides, self.held, game_seeds(self.seed_of(pair), stages[-1]), stages)
        except SandboxDied as error:
            raise TournamentError(f"the sandbox failed: {error}") from None
        finally:
            free.put(table)


@dataclass(frozen=True)
class LeagueRow:
    """A bot's row in the table: its name, its fouls, and its matches by the rival's name.

    Each match is stored with the bot's index in the match (0 or 1). If `is_out` is true, the bot failed its trial and
    has no matches.
    """

    name: str
    matches: Mapping[str, tuple[Match, int]]
    fouls: BotFouls
    is_out: bool = False

    @property
    def share(self) -> float:
        """Return the share of sets that the bot won in a match, on average.

        Every match has the same weight, however long it was.
        """
        shares = [match.share(side) for match, side in self.matches.values()]
        return sum(shares) / len(shares) if shares else 0.0

    @property
    def sets(self) -> int:
        """Return the number of sets that the bot has played."""
        return sum(match.sets for match, _ in self.matches.values())

    @property
    def interval(self) -> tuple[float, float]:
        """Return Wilson's confidence interval of the bot's share."""
        return wilson(self.share * self.sets, self.sets)

    @property
    def results(self) -> tuple[int, int, int]:
        """Return the numbers of matches won, undecided and lost."""
        winners = [(match.winner, side) for match, side in self.matches.values()]
        won, undecided = sum(winner == side for winner, side in winners), sum(winner is None for winner, _ in winners)
        return won, undecided, len(winners) - won - undecided


def league_rows(names: Sequence[str], matches: Mapping[IntPair, Match], out: Mapping[int, Match]) -> list[LeagueRow]:
    """Return the rows of a league's table, the best bot first. Bots that failed their trial set come last.

    The keys of `matches` are pairs of indexes in `names`. `out` has the result of each failed trial set, by the index
    of the bot.
    """
    rows = []
    for bot, name in enumerate(names):
        own = [(pair, match, pair.index(bot)) for pair, match in matches.items() if bot in pair]
        fouls = out[bot].fouls if bot in out else [match.fouls[side] for _, match, side in own]
        reasons = (each.reason for each in fouls if each.reason is not None)
        total = BotFouls(sum(each.number for each in fouls), next(reasons, None))
        rivals = {names[pair[1 - side]]: (match, side) for pair, match, side in own}
        rows.append(LeagueRow(name, rivals, total, bot in out))
    return sorted(rows, key=lambda row: (row.is_out, -row.share, row.name))
