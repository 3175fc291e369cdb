"""The pages of a league: its table, and replays to step through. They work offline, and show only pseudonyms."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from autograder.arena.contest import UnitArena
from autograder.arena.league import DEALS, LeagueRow, Reason
from autograder.arena.players import with_patient_rules
from autograder.classroom.page import HERE, rendered, template_text
from autograder.report.words import bot_fault_text
from autograder.sandbox.outcomes import Broken, Raised, Unloaded
from autograder.sandbox.sources import digest_of_files, files_behind, role_modules
from course.arena.arena import Fault, SetResult, drive
from course.show.pictures import art
from course.show.widgets import pictures_in, script
from course.tables.game import SetQuestions, game_of, packed_views
from course.tables.scene import ROOMS, scene_style, sizes_of

GAMES = "games"
NEIGHBORS = 2  # there is a replay of each bot against so many bots below it


@dataclass(frozen=True)
class SetReplay:
    """A set to step through: the names of the bots at its two seats, its seed, and their accepted answers as JSON."""

    held: UnitArena
    names: tuple[str, str]
    seed: int
    moves: Sequence[object]

    @property
    def file(self) -> str:
        """Return the name of its page. Every page has a different name."""
        key = repr((self.names, self.seed, self.moves, self.held.unit.version, _layout()))
        return f"{GAMES}/{sha256(key.encode()).hexdigest()[:20]}.html"

    def played(self) -> tuple[SetQuestions, SetResult]:
        """Return each question with its view and answer, and the result. If answers are missing, it is a foul."""
        questions, moves = list[tuple[int, str, object, object]](), [*self.moves][::-1]

        def answers(player: int, question: str, view: object) -> object:
            answer = self.held.codec.answer_in(moves.pop()) if moves else Fault("breaks a rule")
            questions.append((player, question, view, answer))
            return answer

        result = drive(with_patient_rules(self.held.arena.steps)(2, self.seed, 0), answers)
        return tuple(questions), result

    def page(self) -> str:
        """Return its page."""
        questions, result = self.played()
        game = game_of(self.held.unit.module.__name__)
        assert game and game.show_set
        view, moments = game.show_set(self.names, questions, result), range(len(questions) + 1)
        views = {name: [view(number, room) for number in moments] for name, room in ROOMS.items()}
        items = [item for shown in views.values() for each in shown for item in each["items"]]
        title = f"{self.names[0]} against {self.names[1]}"
        packed = packed_views({name: [{**each, "log": ()} for each in shown] for name, shown in views.items()})
        facts = {"title": title, "sizes": sizes_of(items), "art": {key: art(key) for key in sorted(pictures_in(items))}}
        data = packed | facts | {"rooms": {name: room.width for name, room in ROOMS.items()}}
        lines = [each["status"] for each in views["wide"]]
        text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")  # safe in a script element
        return rendered("league.html", title=title, root="../", game=text, lines=lines)


@cache
def _layout() -> str:
    """Return a digest of everything that a replay's page depends on, except the set."""
    return digest_of_files([*files_behind((__name__, *role_modules("table")), {}), HERE / "league.html"])


def league_pages(title: str, rows: Sequence[LeagueRow], held: UnitArena) -> Iterator[tuple[str, str | SetReplay]]:
    """Yield the files of a league by name: replays, whose pages need not be written twice, and texts.

    A unit whose game has no `show_set` has no replays.
    """
    game = game_of(held.unit.module.__name__)
    can_show = bool(game and game.show_set)
    below = [(row, rows[at + 1 : at + 1 + NEIGHBORS] if can_show else ()) for at, row in enumerate(rows)]
    replays = {}
    for row, rival in ((row, rival) for row, rivals in below for rival in rivals if not rival.is_out):
        match, side = row.matches[rival.name]  # its first bot has the first seat
        names = (row.name, rival.name) if side == 0 else (rival.name, row.name)
        replays[row.name, rival.name] = SetReplay(held, names, match.seed, match.moves[0])
    yield from ((replay.file, replay) for replay in replays.values())
    shown = [_shown(row, rows, replays) for row in rows]
    index = rendered("league.html", title=title, root="", game_title=held.arena.title, deals=DEALS, rows=shown)
    yield "index.html", index
    yield "league.css", template_text("league.css") + scene_style() + script("tables/table.css")
    own = script("show/page.js", "tables/table.js").replace("export default { render };\n", "")
    yield "replay.js", f'(() => {{\n"use strict";\n{own}{template_text("replay.js")}}})();\n'


def _shown(
    row: LeagueRow, rows: Sequence[LeagueRow], replays: Mapping[tuple[str, str], SetReplay]
) -> dict[str, object]:
    """Return what the table shows of a row."""
    own = {name: replay.file for pair, replay in replays.items() if row.name in pair for name in pair}
    low, high = row.interval
    matches = []
    for name, (match, side) in row.matches.items():
        result = "undecided" if match.winner is None else "won" if match.winner == side else "lost"
        figures = {"won": match.won[side], "lost": match.won[1 - side], "sets": match.sets, "result": result}
        matches.append({"name": name, "replay": own.get(name), **figures})
    return {
        "rank": "" if row.is_out else 1 + sum(other.share > row.share for other in rows),
        "name": row.name,
        "is_out": row.is_out,
        "share": row.share,
        "low": low,
        "high": high,
        "results": row.results,
        "sets": row.sets,
        "fouls": row.fouls.number,
        "reason": public_reason(row.fouls.reason),
        "matches": matches,
    }


def public_reason(reason: Reason | None) -> str:
    """Return why a bot committed a foul, as words that follow "it", without any text that its author wrote.

    >>> public_reason("played 'Ada is stupid'"), public_reason(Raised("AdaError"))
    ('broke a rule', 'raised an exception')
    """
    match reason:
        case None:
            return ""
        case str():
            return "broke a rule"
        case Raised() | Broken():
            return "raised an exception"
        case Unloaded():
            return "does not load"
    return bot_fault_text(reason)
