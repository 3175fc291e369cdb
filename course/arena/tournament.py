"""Many games, and what can be concluded from them: tournaments, round robins, paired duels, intervals and tests.

Everything depends on one seed and on nothing else. A tournament's seed gives each game its own seed, and a game's
seed gives each set its own; so games can be played in any order and in any number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from math import comb, sqrt
from statistics import NormalDist
from typing import TypeAlias

from course.arena.set import Answers, answers_of, play_set, run_game
from course.arena.values import TARGET, Bot, Foul, Game, Seeds, SetResult, game_seeds
from course.functional import curry
from course.values import value

__all__ = [
    "Duel", "RoundRobin", "Standing", "Tournament", "best_of", "duel", "duel_from", "merge", "round_robin",
    "show_bar", "sign_test", "tournament", "wilson",
]  # fmt: skip

Progress: TypeAlias = Callable[[int, int], None]


@value
class Standing:
    """What a player has after a tournament: games, sets and points won, and its fouls with the reason of the first."""

    name: str
    games: int = 0
    sets: int = 0
    points: int = 0
    fouls: int = 0
    reason: str | None = None


@value
class Tournament:
    """How a tournament stands: the games and sets played, and everyone's standing, in the order of the players."""

    games: int
    sets: int
    standings: tuple[Standing, ...]


def seated_game(
    players: int, number: int, seed: int, answers: Answers, target: int = TARGET, begins: Callable[[], object] = tuple
) -> Game:
    """Return game `number` of a tournament, told by player; at place 0 sits player `number`, then the next one."""
    order = tuple((position + number) % players for position in range(players))
    seat_of = tuple(map(order.index, range(players)))
    game = run_game(
        players, seed, lambda position, question, view: answers(order[position], question, view), target, begins
    )
    winner, *sets = (None if position is None else order[position] for position in (game.winner, *game.set_winners))
    scores = tuple(tuple(row[seat] for seat in seat_of) for row in game.scores)
    return Game(winner, tuple(sets), scores, tuple(Foul(order[foul.player], foul.reason) for foul in game.fouls))


def standing(name: str, player: int, game: Game) -> Standing:
    """Return what one game adds to a player's standing."""
    reasons = [foul.reason for foul in game.fouls if foul.player == player]
    sets, points = game.set_winners.count(player), game.scores[-1][player]
    return Standing(name, int(game.winner == player), sets, points, len(reasons), next(iter(reasons), None))


def tournament_of(names: Sequence[str], game: Game) -> Tournament:
    """Return the tournament that consists of one game."""
    return Tournament(1, len(game.scores), tuple(standing(name, at, game) for at, name in enumerate(names)))


def _add(one: Standing, two: Standing) -> Standing:
    sums = (one.games + two.games, one.sets + two.sets, one.points + two.points, one.fouls + two.fouls)
    return Standing(one.name, *sums, one.reason if one.fouls else two.reason)


def merge(one: Tournament, two: Tournament) -> Tournament:
    """Return two parts of a tournament as one; the earlier games come first, so that the first foul is known."""
    standings = tuple(map(_add, one.standings, two.standings))
    return Tournament(one.games + two.games, one.sets + two.sets, standings)


def played(names: Sequence[str], numbered_seeds: Iterable[tuple[int, int]], answers: Answers) -> Iterator[Tournament]:
    """Yield one tournament of one game for each (number, seed)."""
    for number, seed in numbered_seeds:
        yield tournament_of(names, seated_game(len(names), number, seed, answers))


def show_bar(done: int, total: int) -> None:
    """Print how far a tournament is, over what was printed before."""
    filled = 30 * done // total
    bar = "█" * filled + "·" * (30 - filled)
    print(f"\r{bar} {done} of {total} games", end="\n" if done == total else "", flush=True)


def tournament(bots: Sequence[Bot], games: int = 1000, seed: int = 0, progress: Progress | None = None) -> Tournament:
    """Return the tournament of `bots`, in which the seats rotate: the same for the same seed.

    `progress(done, total)` is told how far it is, about a hundred times; `show_bar` prints a bar. Interrupt it, and
    you get the games that are over.
    """
    names = tuple(bot.name for bot in bots)
    total = Tournament(0, 0, tuple(map(Standing, names)))
    try:
        for part in played(names, enumerate(game_seeds(seed, games)), answers_of(bots)):
            total = merge(total, part)
            if progress and (total.games % max(1, games // 100) == 0 or total.games == games):
                progress(total.games, games)
    except KeyboardInterrupt:
        pass
    return total


@value
class RoundRobin:
    """Everyone against everyone: `won[i][j]` of `games` games were won by player i against player j."""

    names: tuple[str, ...]
    games: int
    won: tuple[tuple[int, ...], ...]


def round_robin(bots: Sequence[Bot], games: int = 200, seed: int = 0) -> RoundRobin:
    """Return the round robin of `bots`, `games` games for each pair; every pair plays the same seeds."""
    pairs = tuple(combinations(range(len(bots)), 2))
    results = {(i, j): tournament((bots[i], bots[j]), games, seed).standings for i, j in pairs}
    won = {(i, j): first.games for (i, j), (first, _) in results.items()}
    won |= {(j, i): second.games for (i, j), (_, second) in results.items()}
    rows = tuple(tuple(won.get((i, j), 0) for j in range(len(bots))) for i in range(len(bots)))
    return RoundRobin(tuple(bot.name for bot in bots), games, rows)


def wilson(wins: float, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval for the true rate of which `wins` of `games` were seen; (0.0, 1.0) without a game.

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
    """Return the chance to win more than half of `sets` sets (an odd number), each of them with chance `rate`.

    >>> round(best_of(1, 0.6), 3), round(best_of(13, 0.6), 3), round(best_of(99, 0.6), 3)
    (0.6, 0.771, 0.978)
    """
    return sum(comb(sets, won) * rate**won * (1 - rate) ** (sets - won) for won in range(sets // 2 + 1, sets + 1))


def sign_test(won: int, lost: int) -> float:
    """Return the chance that a fair coin falls on one side `won` times or more in `won + lost` throws.

    >>> sign_test(5, 0), sign_test(1, 1)
    (0.03125, 0.75)
    """
    throws = won + lost
    return sum(comb(throws, heads) for heads in range(won, throws + 1)) / 2**throws


@value
class Duel:
    """Two sets for each seed, the same deal with seats swapped: 1 where the bot won, -1 where it lost, 0 undecided.

    `faults` are the reasons for which it was disqualified.
    """

    outcomes: tuple[int, ...]
    faults: tuple[str, ...]

    @property
    def share(self) -> float:
        """Return the share of the sets that the bot won, an undecided one counted half."""
        return (1 + sum(self.outcomes) / len(self.outcomes)) / 2

    @property
    def pairs(self) -> tuple[int, int]:
        """Return how many deals the bot won, and how many it lost, over both seats together."""
        sums = tuple(map(sum, zip(self.outcomes[::2], self.outcomes[1::2], strict=True)))
        return sum(total > 0 for total in sums), sum(total < 0 for total in sums)

    @property
    def p_value(self) -> float:
        """Return the chance that a bot no better than its rival does as well as this (a sign test on deals)."""
        return sign_test(*self.pairs)


def duel_from(sets: Sequence[SetResult]) -> Duel:
    """Return the duel that consists of these sets, in which the bot sits at place 0 and at place 1 by turns."""
    faults = (s.foul.reason for number, s in enumerate(sets) if s.foul and s.foul.player == number % 2)
    return Duel(tuple(_outcome(result, number % 2) for number, result in enumerate(sets)), tuple(faults))


def _outcome(result: SetResult, seat: int) -> int:
    winner = 1 - result.foul.player if result.foul else result.winner
    return 0 if winner is None else 1 if winner == seat else -1


@curry
def duel(bot: Bot, rival: Bot, seeds: Seeds) -> Duel:
    """Return the duel of `bot` against `rival`: two sets for each seed, the same deal with seats swapped.

    It is curried: `duel(bot)` waits for a rival and the seeds.
    """
    return duel_from([play_set(pair, seed) for seed in seeds for pair in ((bot, rival), (rival, bot))])
