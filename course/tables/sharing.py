"""Sharing a game: a link made from the learner's own functions, and the table that such a link opens."""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from html import escape

from course.exam.calls import Names
from course.exam.readable import one_line
from course.graph import reached
from course.kernel import catalogue
from course.kernel.borrowed import is_borrowed
from course.kernel.notebook import NotRight
from course.kernel.workspace import Workspace, workspace_of
from course.show.results import OPEN, Shown, framed, prose
from course.syntax import bound_names, first_line, lines_of, names_in
from course.tables.game import UnitGame, game_of
from course.tables.learner import ENDS_A_CALL, exception_line
from course.tables.link import LONGEST_NAME, SharedGame, link_text
from course.tables.table import AnyTable, missing_text

PAGE, PACE = "play.html", 0.7
SITE = re.compile(r"https?://[^\s#?]+")
KERNEL_OF_SITE = re.compile(r"(https?://.+/)static/pyodide/")
ABOUT = "Whoever opens this link plays with your functions, in a browser. The link contains their code:"
OFF = "links to games are off in this course"
NO_SITE = 'a link needs the address of a site that `foldem site` made: `share("{}", site="https://…")`'
COPY = "navigator.clipboard.writeText(this.previousElementSibling.value).then(() => (this.textContent = 'Copied'))"


def sentence(trouble: NotRight) -> str:
    """Return a message as a sentence.

    >>> sentence(NotRight("there is no game"))
    'There is no game.'
    """
    text = str(trouble)
    return f"{text[0].upper()}{text[1:]}" + "." * (text[-1] not in ".`")


def shared_link(names: Names, unit: str, author: str = "", site: str = "") -> str:
    """Return the address that opens a unit's game with the learner's functions. Raises NotRight if there is none."""
    space = workspace_of(names)
    for settings in space.settings:
        demand_allowed(settings, datetime.now(UTC))
    game_named(unit)
    game = SharedGame(unit, shared_cells(space, unit), one_line(author, LONGEST_NAME - 1))
    if missing := opened(game).missing:
        raise NotRight(missing_text(unit, missing))
    return f"{site_of(space, unit, site)}{PAGE}#{link_text(game)}"


def demand_allowed(settings: Mapping[str, object], now: datetime) -> None:
    """Raise NotRight if a course does not allow links: `sharing` is true, false, or the time at which they begin."""
    begins = settings.get("sharing", False)
    if isinstance(begins, str):
        begins = datetime.fromisoformat(begins)
    if isinstance(begins, datetime) and begins.astimezone() > now:
        raise NotRight(f"{OFF} until {begins:%Y-%m-%d %H:%M}")
    if not begins:
        raise NotRight(OFF)


def site_of(space: Workspace, unit: str, named: str = "") -> str:
    """Return the address of the site: as named, of this page, or from the settings. Raises NotRight without one."""
    addresses = (named, _site_here(), *(settings.get("site") for settings in space.settings))
    address = next(filter(None, addresses), "")
    if not isinstance(address, str) or not SITE.fullmatch(address):
        raise NotRight(NO_SITE.format(unit))
    return f"{address.rstrip('/')}/"


def _site_here() -> str:
    """Return the address of the site in which this kernel runs, or "" if it runs on a computer."""
    if sys.platform != "emscripten":
        return ""
    from js import location

    return match[1] if (match := KERNEL_OF_SITE.match(str(location.href))) else ""


def shared_cells(space: Workspace, unit: str) -> tuple[str, ...]:
    """Return the statements that define the unit's exercises and all that these use, in the order of their last runs.

    Raises NotRight if an exercise is borrowed.
    """
    last: dict[str, str] = {}
    for run in space.runs:
        for statement in run.statements:
            text = "\n".join(lines_of(run.source)[first_line(statement) - 1 : statement.end_lineno])
            for name in bound_names(statement):
                last.pop(name, None)  # its place is that of its last run
                last[name] = text
    exercises = catalogue.statements(unit).by_name
    if borrowed := [name for name in exercises if is_borrowed(space.names, unit, name)]:
        raise NotRight(f"`{borrowed[0]}` is borrowed: write it yourself, then the game is yours to share")
    used = reached([name for name in exercises if name in last], lambda name: names_in(last[name]) & last.keys())
    return tuple(dict.fromkeys(text for name, text in last.items() if name in used))


def game_named(unit: str) -> UnitGame:
    """Return the game of a unit. Raises NotRight if there is no unit of that name, or it has no game."""
    stated = catalogue.all_statements()
    game = game_of(stated[unit].module) if unit in stated else None
    if game is None or game.play is None:
        raise NotRight(f"there is no game {one_line(unit)!r} here")
    return game


def opened(game: SharedGame) -> AnyTable:
    """Return the table of a shared game. Its functions run in a namespace of their own.

    Raises NotRight if they cannot be defined.
    """
    unit_game = game_named(game.unit)
    cells = (f"from {catalogue.statements(game.unit).module} import *", *game.cells)
    names: Names = {"__name__": "__main__", "In": ["", *cells, ""]}
    for number, cell in enumerate(cells, 1):
        file = f"<cell {number} of {game.unit}>"
        linecache.cache[file] = len(cell), None, cell.splitlines(keepends=True), file
        try:
            exec(compile(cell, file, "exec", dont_inherit=True), names)
        except ENDS_A_CALL as error:
            raise NotRight(f"the functions of this game cannot be defined: {exception_line(error)}") from None
    assert unit_game.play is not None
    return unit_game.play(names, unit_game.bots[0], PACE)


def shown_link(names: Names, unit: str, author: str, site: str) -> Shown:
    """Return a link to a game with a button that copies it, or the reason why there is none."""
    try:
        link = shared_link(names, unit, author, site)
    except NotRight as trouble:
        return prose((sentence(trouble),))
    box = f'<textarea readonly rows="3" style="width:100%;box-sizing:border-box">{escape(link)}</textarea>'
    button = f'<button style="font:inherit" onclick="{escape(COPY)}">Copy the link</button>'
    way = f'<a href="{escape(link)}" target="_blank" rel="noopener">Open it</a>'
    return Shown(f"{ABOUT}\n{link}", framed(f"<div>{ABOUT}</div>{box}{button} &ensp; {way}", OPEN))
