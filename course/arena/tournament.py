"""Tournaments, round robins and duels for bots of the unit `bots`."""

from __future__ import annotations

from collections.abc import Sequence

from course.arena.arena import Seeds
from course.arena.contests import Duel, ProgressCallback, RoundRobin, Tournament, duel_in, round_robin_in, tournament_in
from course.arena.set import ARENA
from course.arena.values import Bot
from course.functional import curry

__all__ = ["duel", "round_robin", "tournament"]


def tournament(
    bots: Sequence[Bot], games: int = 1000, seed: int = 0, progress: ProgressCallback | None = None
) -> Tournament:
    """Play a tournament of `bots`, which change seats from game to game. The same seed gives the same result.

    `progress(done, total)` is called about a hundred times; pass `progress=show_bar` to print a progress bar. If you
    interrupt the tournament, you get the results of the games that are finished.
    """
    return tournament_in(ARENA, bots, games, seed, progress)


def round_robin(bots: Sequence[Bot], games: int = 200, seed: int = 0) -> RoundRobin:
    """Play a round robin of `bots`, with `games` games for each pair, and return the results.

    Every pair of bots plays with the same seeds.
    """
    return round_robin_in(ARENA, bots, games, seed)


@curry
def duel(bot: Bot, rival: Bot, seeds: Seeds) -> Duel:
    """Play two sets of `bot` against `rival` for each seed, with the same deal and swapped seats. Return the duel.

    The function is curried, so `duel(bot)` returns a function of a rival and the seeds.
    """
    return duel_in(ARENA, bot, rival, seeds)
