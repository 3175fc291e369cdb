"""The table of a league, from its matches. Called by `foldem tournament`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autograder.arena.league import BotFouls, Match, Pair
from course.arena.contests import wilson


@dataclass(frozen=True)
class LeagueRow:
    """A bot's row: its name, its matches by rival with its side in them, and its fouls.

    A bot that is `out` has no matches.
    """

    name: str
    matches: Mapping[str, tuple[Match, int]]
    fouls: BotFouls
    is_out: bool = False

    @property
    def share(self) -> float:
        """Return the mean share of sets won. All rivals count the same, however many sets were played."""
        shares = [match.share(side) for match, side in self.matches.values()]
        return sum(shares) / len(shares) if shares else 0.0

    @property
    def sets(self) -> int:
        """Return the number of sets played."""
        return sum(match.sets for match, _ in self.matches.values())

    @property
    def interval(self) -> tuple[float, float]:
        """Return Wilson's interval of the share."""
        return wilson(self.share * self.sets, self.sets)

    @property
    def results(self) -> tuple[int, int, int]:
        """Return the numbers of matches won, undecided and lost."""
        winners = [(match.winner, side) for match, side in self.matches.values()]
        won, undecided = sum(winner == side for winner, side in winners), sum(winner is None for winner, _ in winners)
        return won, undecided, len(winners) - won - undecided


def league_rows(names: Sequence[str], matches: Mapping[Pair, Match], out: Mapping[int, Match]) -> list[LeagueRow]:
    """Return the rows of a league, the best bot first. Bots that are out come last.

    `matches` are by pairs of indexes. `out` has the trials of the bots that are out.
    """
    rows = [_row(bot, names, matches, out.get(bot)) for bot in range(len(names))]
    return sorted(rows, key=lambda row: (row.is_out, -row.share, row.name))


def _row(bot: int, names: Sequence[str], matches: Mapping[Pair, Match], trial: Match | None) -> LeagueRow:
    own = [(pair, match, pair.index(bot)) for pair, match in matches.items() if bot in pair]
    fouls = trial.fouls if trial else [match.fouls[side] for _, match, side in own]
    reasons = (each.reason for each in fouls if each.reason is not None)
    total = BotFouls(sum(each.number for each in fouls), next(reasons, None))
    rivals = {names[pair[1 - side]]: (match, side) for pair, match, side in own}
    return LeagueRow(names[bot], rivals, total, bool(trial))
