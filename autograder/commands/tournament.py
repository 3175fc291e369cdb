"""`foldem tournament`: play a tournament, print its table, write its files, and return an exit status."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.arena.entries import Entry, TournamentError, entries_of
from autograder.arena.tournament import all_played, pairings
from autograder.commands.chosen import chosen_catalogue, chosen_units
from autograder.commands.league import played_league
from autograder.commands.options import TournamentOptions
from autograder.config import policy_for, secret_folders
from autograder.report.words import bot_fault_text
from autograder.sandbox.host import SandboxDied, usable_level
from course.arena.arena import Arena
from course.arena.charts import rate_text
from course.arena.contests import Standing, Tournament, wilson
from course.exam.readable import one_line

DONE, INTERRUPTED = 0, 130
USUAL_GAMES = 1000


def run(options: TournamentOptions) -> int:
    """Play the tournament, or the league of a course, print and write the results, and return the exit status."""
    if any(Path(each).is_dir() for each in options.bots):
        return played_league(options)
    entries, out, games = _entries(options), options.out, options.games or USUAL_GAMES
    seed = secrets.randbits(48) if options.seed is None else options.seed
    arena = entries[0].held.arena
    arena = replace(arena, target=options.to or arena.target)
    tables, level = pairings(entries, options.pairs), _level_for(entries, options)
    if out:
        out.mkdir(parents=True, exist_ok=True)
    try:
        tournaments, done = all_played(tables, level, games, seed, options.jobs, arena.target, bot_fault_text)
    except SandboxDied as error:
        raise TournamentError(f"the sandbox failed: {error}") from None
    facts = {"games": games, "seed": seed, "to": arena.target, "sandbox": level, "finished": done}
    print_results(Console(soft_wrap=True), tournaments, facts, arena)
    if out:
        write_tournament(out, tournaments, facts)
        print(f"Results: {out}")
    return DONE if done else INTERRUPTED


def _entries(options: TournamentOptions) -> Sequence[Entry]:
    catalogue = chosen_catalogue(options.pack)
    preferred = [unit.name for unit in chosen_units(catalogue, options.pack)]
    return entries_of(options.bots, catalogue, options.unit, preferred)


def _level_for(entries: Sequence[Entry], options: TournamentOptions) -> str:
    """Return the sandbox of the bots. Bots of the unit itself need none."""
    if not any(entry.request for entry in entries):
        return "not needed"
    level = options.sandbox or policy_for(Path.cwd()).sandbox
    return usable_level(level, secret_folders(entries[0].held.unit.catalogue))


# ------------------------------------------------------------------------------------------------ results


def print_results(console: Console, tournaments: Sequence[Tournament], facts: dict[str, object], arena: Arena) -> None:
    """Print the win rates with intervals for each group of bots, then the disqualifications."""
    for each in tournaments:
        console.print(_table(each, arena.sets > 1))
    for line in dict.fromkeys(line for each in tournaments for line in _fouls(each)):
        console.print(line, style="red", markup=False, highlight=False)
    total = sum(each.games for each in tournaments)
    stopped = "" if facts["finished"] else "Interrupted: only finished games count. "
    note = f"{stopped}{total} games, seed {facts['seed']} (repeat them with --seed {facts['seed']})."
    console.print(note, markup=False, highlight=False)


def _table(played: Tournament, has_sets: bool) -> Table:
    sets = ["of all sets (95 % interval)"] if has_sets else []
    table = Table("bot", "games won", "of all games (95 % interval)", *sets, "points")
    for row in played.standings:
        shares = rate_text(row.games, played.games), *([rate_text(row.sets, played.sets)] if has_sets else [])
        table.add_row(Text(row.name), f"{row.games} of {played.games}", *shares, str(row.points))
    return table


def _fouls(played: Tournament) -> Iterator[str]:
    for row in played.standings:
        if row.fouls:
            reason = one_line(row.reason)  # rules of a pack may quote a bot's answer as it is
            yield f"{row.name} was disqualified in {row.fouls} of {played.games} games; the first time, it {reason}"


def write_tournament(folder: Path, tournaments: Sequence[Tournament], facts: dict[str, object]) -> None:
    """Write tournament.json."""
    result = facts | {"tables": [_as_dict(each) for each in tournaments]}
    text = json.dumps(result, indent=1, ensure_ascii=False)
    (folder / "tournament.json").write_text(f"{text}\n", encoding="utf-8")


def _as_dict(played: Tournament) -> dict[str, object]:
    return {"games": played.games, "sets": played.sets, "players": [_row(row, played) for row in played.standings]}


def _row(row: Standing, played: Tournament) -> dict[str, object]:
    intervals = {"games": wilson(row.games, played.games), "sets": wilson(row.sets, played.sets)}
    return asdict(row) | {"intervals": intervals}
