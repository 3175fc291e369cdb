"""`foldem tournament`: play a tournament, print its table, write its files, and return an exit status."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.arena.entries import TournamentError, entries_of
from autograder.arena.tournament import Outcome, all_played, pairings
from autograder.config import policy_for, secret_folders
from autograder.sandbox.host import SandboxDied, held_level
from autograder.units.pack import Catalogue
from course.arena.charts import Picture, heat_map, rate_text, rates_chart, score_chart
from course.arena.tournament import RoundRobin, Standing, Tournament, wilson

DONE, INTERRUPTED = 0, 130


def run(
    words: Sequence[str],
    games: int,
    jobs: int,
    seed: int | None,
    target: int,
    pairs: bool,
    level: str | None,
    out: Path | None,
    catalogue: Catalogue,
) -> int:
    """Play the tournament, print and write the results, and return the exit status."""
    entries, seed = entries_of(words, catalogue), secrets.randbits(48) if seed is None else seed
    tables, level = pairings(entries, pairs), level or policy_for(Path.cwd()).sandbox
    level = held_level(level, secret_folders(catalogue)) if any(entry.request for entry in entries) else "not needed"
    if out:
        out.mkdir(parents=True, exist_ok=True)
    try:
        outcomes, done = all_played(tables, level, games, seed, jobs, target)
    except SandboxDied as error:
        raise TournamentError(f"the sandbox failed: {error}") from None
    facts = {"games": games, "seed": seed, "to": target, "sandbox": level, "finished": done}
    print_results(Console(soft_wrap=True), outcomes, facts)
    if out:
        write_tournament(out, outcomes, facts)
        print(f"Results: {out}")
    return DONE if done else INTERRUPTED


# ------------------------------------------------------------------------------------------------ results


def print_results(console: Console, outcomes: Sequence[Outcome], facts: dict[str, object]) -> None:
    """Print the win rates with intervals for each group of bots, then the disqualifications."""
    for outcome in outcomes:
        console.print(_table(outcome.tournament))
    for line in dict.fromkeys(line for outcome in outcomes for line in _fouls(outcome.tournament)):
        console.print(line, style="red", markup=False, highlight=False)
    total = sum(outcome.tournament.games for outcome in outcomes)
    stopped = "" if facts["finished"] else "Interrupted: only finished games count. "
    note = f"{stopped}{total} games, seed {facts['seed']} (repeat them with --seed {facts['seed']})."
    console.print(note, markup=False, highlight=False)


def _table(played: Tournament) -> Table:
    table = Table("bot", "games won", "of all games (95 % interval)", "of all sets (95 % interval)", "points")
    for row in played.standings:
        shares = rate_text(row.games, played.games), rate_text(row.sets, played.sets)
        table.add_row(Text(row.name), f"{row.games} of {played.games}", *shares, str(row.points))
    return table


def _fouls(played: Tournament) -> Iterator[str]:
    for row in played.standings:
        if row.fouls:
            yield f"{row.name} was disqualified in {row.fouls} of {played.games} games; first: it {row.reason}"


def write_tournament(folder: Path, outcomes: Sequence[Outcome], facts: dict[str, object]) -> None:
    """Write tournament.json and the pictures: rates, the first game's points, and a heat map of a round robin."""
    result = facts | {"tables": [_as_dict(outcome.tournament) for outcome in outcomes]}
    text = json.dumps(result, indent=1, ensure_ascii=False)
    (folder / "tournament.json").write_text(f"{text}\n", encoding="utf-8")
    for name, picture in pictures(outcomes):
        (folder / f"{name}.svg").write_text(picture.svg, encoding="utf-8")


def _as_dict(played: Tournament) -> dict[str, object]:
    return {"games": played.games, "sets": played.sets, "players": [_row(row, played) for row in played.standings]}


def _row(row: Standing, played: Tournament) -> dict[str, object]:
    intervals = {"games": wilson(row.games, played.games), "sets": wilson(row.sets, played.sets)}
    return asdict(row) | {"intervals": intervals}


def pictures(outcomes: Sequence[Outcome]) -> Iterator[tuple[str, Picture]]:
    """Yield each picture with the name of its file."""
    for number, outcome in enumerate(outcomes, 1):
        suffix = f"-{number}" if len(outcomes) > 1 else ""
        yield f"rates{suffix}", rates_chart(outcome.tournament)
        if outcome.first:
            yield f"points{suffix}", score_chart(outcome.names, outcome.first)
    if len(outcomes) > 1:
        yield "everyone", heat_map(everyone(outcomes))


def everyone(outcomes: Sequence[Outcome]) -> RoundRobin:
    """Return the duels of all pairs as one round robin."""
    names = tuple(dict.fromkeys(name for outcome in outcomes for name in outcome.names))
    won = {pair: row.games for o in outcomes for pair, row in _duels(o)}
    games = max(1, *(outcome.tournament.games for outcome in outcomes))
    return RoundRobin(names, games, tuple(tuple(won.get((one, two), 0) for two in names) for one in names))


def _duels(outcome: Outcome) -> Iterator[tuple[tuple[str, str], Standing]]:
    first, second = outcome.tournament.standings
    yield (first.name, second.name), first
    yield (second.name, first.name), second
