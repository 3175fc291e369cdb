"""Tournaments, round robins and duels for bots of the unit `bots`."""

from __future__ import annotations

from collections.abc import Sequence

from course.arena.arena import Seeds
from course.arena.contests import Duel, Progress, RoundRobin, Tournament, duel_in, round_robin_in, tournament_in
from course.arena.set import ARENA
from course.arena.values import Bot
from course.functional import curry

__all__ = ["duel", "round_robin", "tournament"]


def tournament(bots: Sequence[Bot], games: int = 1000, seed: int = 0, progress: Progress | None = None) -> Tournament:
    """Return a tournament of `bots`, who change seats from game to game. The same seed gives the same result.

    `progress(done, total)` is called about a hundred times; `show_bar` prints a bar. If you interrupt the tournament,
    you get the games that are finished.
    """
    return tournament_in(ARENA, bots, games, seed, progress)


def round_robin(bots: Sequence[Bot], games: int = 200, seed: int = 0) -> RoundRobin:
    """Return a round robin of `bots`, with `games` games for each pair. Every pair plays the same seeds."""
    return round_robin_in(ARENA, bots, games, seed)


@curry
def duel(bot: Bot, rival: Bot, seeds: Seeds) -> Duel:
    """Return the duel of `bot` against `rival`: two sets for each seed, with the same deal and swapped seats.

    The function is curried: `duel(bot)` returns a function of a rival and the seeds.
    """
    return duel_in(ARENA, bot, rival, seeds)
