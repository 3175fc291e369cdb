"""A link to a game, made from the learner's own functions, and the widget of the page that the link opens."""

from __future__ import annotations

import json
import linecache
import re
import sys
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from course.exam.calls import Names
from course.exam.readable import one_line
from course.kernel import catalogue
from course.kernel.borrowed import is_borrowed
from course.kernel.notebook import NotRight
from course.kernel.workspace import Workspace, workspace_of
from course.limits import LONGEST_AUTHOR, LONGEST_GAME, LONGEST_LINK
from course.show.pictures import set_widget_view
from course.syntax import bound_names, first_line_number, global_names_in, lines_of, reachable_from
from course.tables.learner import CALL_ERRORS, error_as_line
from course.tables.scene import SceneView
from course.values import value

LINK_FORMAT = 1
LINK_PATTERN = re.compile(r"#?(\d{1,3})\.([^\W\d]\w{0,60})\.([\w-]+)", re.ASCII)
RAW_DEFLATE = -zlib.MAX_WBITS  # deflate without a header
DAMAGED_LINK_MESSAGE = "This link is damaged or incomplete: ask for a new link."
NEWER_LINK_MESSAGE = "This link comes from a newer version of this site. Load the page again."
TOO_LONG_MESSAGE = f"your functions are too long for a link, which has at most {LONGEST_LINK:,} characters"


@value
class SharedGame:
    """A unit's game: the statements that define the learner's functions, in order, and the author's name (or "")."""

    unit: str
    cells: tuple[str, ...]
    author: str = ""


def encode_game(game: SharedGame) -> str:
    """Return a game as the last part of a link. Raises NotRight if the link is too long.

    >>> read_link(encode_game(SharedGame("dominoes", ("flip = str",), "Ada")))
    SharedGame('dominoes', ('flip = str',), 'Ada')
    """
    data = json.dumps({"by": game.author, "cells": game.cells}, separators=(",", ":"), ensure_ascii=False)
    packer = zlib.compressobj(9, zlib.DEFLATED, RAW_DEFLATE)
    packed = packer.compress(data.encode("utf-8", "replace")) + packer.flush()
    text = f"{LINK_FORMAT}.{game.unit}.{urlsafe_b64encode(packed).decode().rstrip('=')}"
    if len(text) > LONGEST_LINK or len(data) > LONGEST_GAME:
        raise NotRight(TOO_LONG_MESSAGE)
    return text


def read_link(text: str) -> SharedGame:
    """Return the game in the last part of a link. Raises NotRight if the text is damaged or too long."""
    parts = LINK_PATTERN.fullmatch(text) if len(text) <= LONGEST_LINK + 1 else None
    if parts is None or int(parts[1]) < 1:
        raise NotRight(DAMAGED_LINK_MESSAGE)
    if int(parts[1]) > LINK_FORMAT:
        raise NotRight(NEWER_LINK_MESSAGE)
    try:
        unpacker = zlib.decompressobj(RAW_DEFLATE)
        data = unpacker.decompress(urlsafe_b64decode(parts[3] + "=" * (-len(parts[3]) % 4)), 4 * LONGEST_GAME)
        if not unpacker.eof or unpacker.unused_data:  # incomplete, or longer than any game
            raise NotRight(DAMAGED_LINK_MESSAGE)
        match json.loads(data.decode("utf-8")):
            case {"by": str(author), "cells": [*cells]} if len(author) <= LONGEST_AUTHOR:
                if all(isinstance(cell, str) for cell in cells):
                    return SharedGame(parts[2], tuple(cells), author)
    except (ValueError, RecursionError, zlib.error):
        pass
    raise NotRight(DAMAGED_LINK_MESSAGE)


PLAY_PAGE = "play.html"
SITE_ADDRESS_PATTERN = re.compile(r"https?://[^\s#?]+")
KERNEL_ADDRESS_PATTERN = re.compile(r"(https?://.+/)static/pyodide/")
LINK_EXPLANATION = (
    "This link opens your game in a browser, with your functions. The link contains the code of these functions:"
)
SHARING_OFF_MESSAGE = "links to games are switched off in this course"
NO_GAME_MESSAGE = "there is no game `{}` here: name a unit that has a game"
NO_SITE_MESSAGE = 'a link needs the address of a site that `foldem site` made: `share("{}", site="https://…")`'


def sentence_of(trouble: NotRight) -> str:
    """Return the message of an exception as a sentence with a capital letter and a period.

    >>> sentence_of(NotRight("there is no game"))
    'There is no game.'
    """
    text = str(trouble)
    return f"{text[0].upper()}{text[1:]}" + "." * (text[-1] not in ".`")


def game_link(names: Names, unit: str, author: str = "", site: str = "") -> str:
    """Return the address that opens a unit's game with the learner's functions. Raises NotRight if no link can be made.

    The address begins with `site`. If `site` is "", the address begins with the site of the current page, or with the
    site in the settings.
    """
    space = workspace_of(names)
    for settings in space.settings:
        ensure_sharing_allowed(settings, datetime.now(UTC))
    game = SharedGame(unit, shared_statements(space, unit), one_line(author, LONGEST_AUTHOR - 1))
    run_definitions(game)
    here = ""
    if sys.platform == "emscripten":  # the kernel runs in a page of a site
        from js import location

        match = KERNEL_ADDRESS_PATTERN.match(str(location.href))
        here = match[1] if match else ""
    address = next(filter(None, (site, here, *(settings.get("site") for settings in space.settings))), "")
    if not isinstance(address, str) or not SITE_ADDRESS_PATTERN.fullmatch(address):
        raise NotRight(NO_SITE_MESSAGE.format(unit))
    return f"{address.rstrip('/')}/{PLAY_PAGE}#{encode_game(game)}"


def ensure_sharing_allowed(settings: Mapping[str, object], now: datetime) -> None:
    """Raise NotRight if a course does not allow links to games.

    The setting `sharing` is true, false, or the time from which links are allowed.
    """
    begins = settings.get("sharing", False)
    if isinstance(begins, str):
        begins = datetime.fromisoformat(begins)
    if isinstance(begins, datetime) and begins.astimezone() > now:
        raise NotRight(f"{SHARING_OFF_MESSAGE} until {begins:%Y-%m-%d %H:%M}")
    if not begins:
        raise NotRight(SHARING_OFF_MESSAGE)


def shared_statements(space: Workspace, unit: str) -> tuple[str, ...]:
    """Return the statements that define the unit's exercises and their helpers.

    The statements are in the order in which they were last run.

    Raises NotRight if the unit is unknown, or if an exercise is borrowed.
    """
    if unit not in catalogue.units():
        raise NotRight(NO_GAME_MESSAGE.format(one_line(unit)))
    last: dict[str, str] = {}
    for run in space.runs:
        for statement in run.statements:
            text = "\n".join(lines_of(run.source)[first_line_number(statement) - 1 : statement.end_lineno])
            for name in bound_names(statement):
                last.pop(name, None)  # its place is that of its last run
                last[name] = text
    exercises = catalogue.statements(unit).by_name
    if borrowed := [name for name in exercises if is_borrowed(space.names, unit, name)]:
        raise NotRight(
            f"the game uses the reference solution of `{borrowed[0]}`. Write this function, then you can share the game"
        )
    used = reachable_from(
        [name for name in exercises if name in last], lambda name: global_names_in(last[name]) & last.keys()
    )
    return tuple(dict.fromkeys(text for name, text in last.items() if name in used))


def run_definitions(game: SharedGame) -> Names:
    """Run the statements of a game, and return the namespace that they define. Raises NotRight if a statement fails."""
    cells = (f"from {catalogue.statements(game.unit).module} import *", *game.cells)
    names: Names = {"__name__": "__main__", "In": ["", *cells, ""]}
    for number, cell in enumerate(cells, 1):
        file = f"<cell {number} of {game.unit}>"
        linecache.cache[file] = len(cell), None, cell.splitlines(keepends=True), file
        try:
            exec(compile(cell, file, "exec", dont_inherit=True), names)
        except CALL_ERRORS as error:
            raise NotRight(f"the functions of this game cannot be defined: {error_as_line(error)}") from None
    return names


class PageWidget:
    """A table on the page `play.html`.

    The object does the work of a widget without Jupyter, and sends each change to the page as JSON.
    """

    send: Callable[[str], object]
    art: dict[str, str]
    scene: SceneView
    calling: dict[str, object]

    def __init__(self, send: Callable[[str], object]) -> None:
        super().__setattr__("send", send)
        self.art = {}

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        self.send(json.dumps({name: value}))

    def show(self, view: SceneView) -> None:
        """Show a view of the table. The pictures in the view are sent first."""
        set_widget_view(self, view, [view["items"], view.get("run")], "scene")
