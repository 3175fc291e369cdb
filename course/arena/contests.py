"""Tournaments, round robins and paired duels in any arena, with confidence intervals and statistical tests.

Everything depends on one seed. A tournament's seed determines the seed of each game, and a game's seed the seed of each
set. So games can be played in any order and in any number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb, sqrt
from statistics import NormalDist
from typing import TypeAlias

from course.arena.arena import (
    Answers,
    Arena,
    Foul,
    Game,
    Seeds,
    SetResult,
    answers_of,
    drive,
    game_seeds,
    name_of_bot,
    run_game,
)
from course.values import value

__all__ = [
    "Duel", "RoundRobin", "Standing", "Tournament", "best_of", "duel_from", "duel_in", "round_robin_in",
    "show_bar", "sign_test", "tournament_in", "wilson",
]  # fmt: skip

ProgressCallback: TypeAlias = Callable[[int, int], None]


@value
class Standing:
    """A player's results in a tournament: games, sets and points won, fouls, and the reason for the first foul."""

    name: str
    games: int = 0
    sets: int = 0
    points: int = 0
    fouls: int = 0
    reason: str | None = None


@value
class Tournament:
    """The results of a tournament so far: the numbers of games and sets, and a standing for each player."""

    games: int
    sets: int
    standings: tuple[Standing, ...]


def play_seated_game(arena: Arena, players: int, number: int, seed: int, answers: Answers[str, object]) -> Game:
    """Play game `number` of a tournament, and return the game. Its results are sorted by player, not by seat.

    Player `number % players` has seat 0, the next player seat 1, and so on.
    """
    order = tuple((position + number) % players for position in range(players))
    seat_of = tuple(map(order.index, range(players)))
    game = run_game(arena, players, seed, lambda position, *question: answers(order[position], *question))
    winner, *sets = (None if position is None else order[position] for position in (game.winner, *game.set_winners))
    scores = tuple(tuple(row[seat] for seat in seat_of) for row in game.scores)
    return Game(winner, tuple(sets), scores, tuple(Foul(order[foul.player], foul.reason) for foul in game.fouls))


def tournament_with_game(total: Tournament, game: Game) -> Tournament:
    """Return the results of a tournament after one more game."""
    rows = []
    for player, row in enumerate(total.standings):
        reasons = [foul.reason for foul in game.fouls if foul.player == player]
        games, sets = row.games + (game.winner == player), row.sets + game.set_winners.count(player)
        points, fouls = row.points + game.scores[-1][player], row.fouls + len(reasons)
        rows.append(Standing(row.name, games, sets, points, fouls, row.reason or next(iter(reasons), None)))
    return Tournament(total.games + 1, total.sets + len(game.scores), tuple(rows))


def show_bar(done: int, total: int) -> None:
    """Print a progress bar, which overwrites the bar printed before."""
    filled = 30 * done // total
    bar = "█" * filled + "·" * (30 - filled)
    print(f"\r{bar} {done} of {total} games", end="\n" if done == total else "", flush=True)


def tournament_in(
    arena: Arena, bots: Sequence[object], games: int = 1000, seed: int = 0, progress: ProgressCallback | None = None
) -> Tournament:
    """Play a tournament of `bots`, which change seats from game to game. The same seed gives the same result.

    `progress(done, total)` is called about a hundred times; pass `progress=show_bar` to print a progress bar. If you
    interrupt the tournament, you get the results of the games that are finished.
    """
    total, answers = Tournament(0, 0, tuple(Standing(name_of_bot(bot)) for bot in bots)), answers_of(bots)
    try:
        for number, game_seed in enumerate(game_seeds(seed, games)):
            total = tournament_with_game(total, play_seated_game(arena, len(bots), number, game_seed, answers))
            if progress and (total.games % max(1, games // 100) == 0 or total.games == games):
                progress(total.games, games)
    except KeyboardInterrupt:
        pass
    return total


@value
class RoundRobin:
    """The results of every player against every other: player i won `won[i][j]` of `games` games against player j."""

    names: tuple[str, ...]
    games: int
    won: tuple[tuple[int, ...], ...]


def round_robin_in(arena: Arena, bots: Sequence[object], games: int = 200, seed: int = 0) -> RoundRobin:
    """Play a round robin of `bots`, with `games` games for each pair, and return the results.

    Every pair of bots plays with the same seeds.
    """
    pairs = tuple(combinations(range(len(bots)), 2))
    results = {(i, j): tournament_in(arena, (bots[i], bots[j]), games, seed).standings for i, j in pairs}
    won = {(i, j): first.games for (i, j), (first, _) in results.items()}
    won |= {(j, i): second.games for (i, j), (_, second) in results.items()}
    rows = tuple(tuple(won.get((i, j), 0) for j in range(len(bots))) for i in range(len(bots)))
    return RoundRobin(tuple(map(name_of_bot, bots)), games, rows)


def wilson(wins: float, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval for the probability of a win, after `wins` wins in `games` games.

    Without games, return (0.0, 1.0).

    >>> tuple(round(bound, 3) for bound in wilson(95, 100))
    (0.888, 0.978)
    >>> tuple(round(bound, 3) for bound in wilson(950, 1000))
    (0.935, 0.962)
    """
    if not games:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate, spread = wins / games, z * z / games
    middle, half = rate + spread / 2, z * sqrt(rate * (1 - rate) / games + spread / games / 4)
    return max(0.0, (middle - half) / (1 + spread)), min(1.0, (middle + half) / (1 + spread))


def best_of(sets: int, rate: float) -> float:
    """Return the probability of winning most of `sets` sets (an odd number), if each is won with probability `rate`.

    >>> round(best_of(1, 0.6), 3), round(best_of(13, 0.6), 3), round(best_of(99, 0.6), 3)
    (0.6, 0.771, 0.978)
    """
    return sum(comb(sets, won) * rate**won * (1 - rate) ** (sets - won) for won in range(sets // 2 + 1, sets + 1))


def sign_test(won: int, lost: int) -> float:
    """Return the probability that a fair coin shows heads at least `won` times in `won + lost` throws.

    >>> sign_test(5, 0), sign_test(1, 1)
    (0.03125, 0.75)
    """
    throws = won + lost
    return sum(comb(throws, heads) for heads in range(won, throws + 1)) / 2**throws


@value
class Duel:
    """The results of a bot against a rival. For each seed, there are two sets with the same deal and swapped seats.

    A set counts 1 if the bot wins, -1 if it loses, and 0 if neither wins. `faults` are the reasons for the bot's
    disqualifications.
    """

    outcomes: tuple[int, ...]
    faults: tuple[str, ...]

    @property
    def share(self) -> float:
        """Return what fraction of the sets the bot won. A set without a winner counts as half a win."""
        return (1 + sum(self.outcomes) / len(self.outcomes)) / 2

    @property
    def pairs(self) -> tuple[int, int]:
        """Return how many deals the bot won and how many it lost.

        The bot wins a deal if it wins more sets of this deal than it loses.
        """
        sums = tuple(map(sum, zip(self.outcomes[::2], self.outcomes[1::2], strict=True)))
        return sum(total > 0 for total in sums), sum(total < 0 for total in sums)

    @property
    def p_value(self) -> float:
        """Return the p-value of a sign test of the hypothesis that the bot is not stronger than its rival."""
        return sign_test(*self.pairs)


def duel_from(sets: Sequence[SetResult]) -> Duel:
    """Return the duel that consists of these sets.

    The bot's seat alternates: 0 in the first set, 1 in the second set, 0 in the third set.
    """
    outcomes, faults = list[int](), list[str]()
    for number, result in enumerate(sets):
        seat, foul = number % 2, result.foul
        winner = 1 - foul.player if foul else result.winner
        outcomes.append(0 if winner is None else 1 if winner == seat else -1)
        if foul and foul.player == seat:
            faults.append(foul.reason)
    return Duel(tuple(outcomes), tuple(faults))


def duel_in(arena: Arena, bot: object, rival: object, seeds: Seeds) -> Duel:
    """Play two sets of `bot` against `rival` for each seed, with the same deal and swapped seats. Return the duel."""
    pairs = ((seed, pair) for seed in seeds for pair in ((bot, rival), (rival, bot)))
    return duel_from([drive(arena.steps(2, seed, 0), answers_of(pair)) for seed, pair in pairs])
