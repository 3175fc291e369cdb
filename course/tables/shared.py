"""Games that learners share by links: the table of such a game, and the link that `share` shows.

A worker of `play.html` runs the table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from html import escape
from importlib import import_module

from course.exam.calls import Names
from course.kernel import catalogue
from course.kernel.borrowed import may_borrow
from course.kernel.notebook import NotRight, imported_units
from course.show.results import OPEN, DisplayedText, framed_html, framed_prose
from course.tables.game import game_of, whole_game
from course.tables.sharing import (
    LINK_EXPLANATION,
    NO_GAME_MESSAGE,
    PageWidget,
    SharedGame,
    game_link,
    read_link,
    run_definitions,
    sentence_of,
)
from course.tables.table import AnyTable, missing_text


def table_of_unit_game(names: Names, unit: str) -> AnyTable:
    """Return the table of a unit's game. If the notebook belongs to another unit, the game calls only references.

    If references may not be borrowed, return the table of a recorded game.
    """
    here = imported_units(names)
    unit = unit or next(iter(here), "")
    play = _game_opener(unit)
    if not may_borrow(names):
        return whole_game(unit)
    if unit not in here:
        module = import_module(catalogue.statements(unit).module)
        names = {"__name__": "__main__"} | {name: getattr(module, name) for name in module.__all__}
    table = play(names)
    table.can_be_shared = unit in here
    table.learner.borrow(table.needs)
    if table.is_begun:  # nobody is there, so the table has tried to open without them
        table.receive(["new"], table.revision)
    return table


def _game_opener(unit: str) -> Callable[[Names], AnyTable]:
    """Return the function that opens a unit's game. Raises NotRight if there is none."""
    stated = catalogue.all_statements().get(unit)
    game = game_of(stated.module) if stated else None
    if game is None or game.play is None:
        raise NotRight(NO_GAME_MESSAGE.format(unit))
    return game.play


COPY_LINK_SCRIPT = (
    "navigator.clipboard.writeText(this.previousElementSibling.value).then(() => (this.textContent = 'Copied'))"
)


def table_of_shared_game(game: SharedGame) -> AnyTable:
    """Return the table of a shared game.

    Raises NotRight if the unit has no game, or if the functions cannot be defined.
    """
    return _game_opener(game.unit)(run_definitions(game))


def displayed_link(names: Names, unit: str, author: str, site: str) -> DisplayedText:
    """Return a link to a game, with a button that copies the link. If no link can be made, return the reason."""
    try:
        link = game_link(names, unit, author, site)
        if missing := table_of_shared_game(read_link(link.partition("#")[2])).missing:
            raise NotRight(missing_text(unit, missing))
    except NotRight as trouble:
        return framed_prose((sentence_of(trouble),))
    box = f'<textarea readonly rows="3" style="width:100%;box-sizing:border-box">{escape(link)}</textarea>'
    button = f'<button style="font:inherit" onclick="{escape(COPY_LINK_SCRIPT)}">Copy the link</button>'
    way = f'<a href="{escape(link)}" target="_blank" rel="noopener">Open it</a>'
    return DisplayedText(
        f"{LINK_EXPLANATION}\n{link}", framed_html(f"<div>{LINK_EXPLANATION}</div>{box}{button} &ensp; {way}", OPEN)
    )


def play_link(link: str, packages: Iterable[str], send: Callable[[str], object]) -> Callable[[str], None] | None:
    """Open the game that a link contains.

    Return a function to call with each click, or None if the game cannot be opened.
    """
    catalogue.mentioned_packages.update(packages)
    try:
        game = read_link(link)
        send(json.dumps({"title": game.unit.capitalize(), "author": game.author}))
        table = table_of_shared_game(game)
    except NotRight as trouble:
        send(json.dumps({"failed": sentence_of(trouble)}))
        return None
    table.can_be_shared = False
    widget = PageWidget(send)
    table.display = widget
    widget.show(table.view())

    def receive(message: str) -> None:
        click = json.loads(message)
        widget.show(table.react(click["do"], click["rev"]))

    return receive
