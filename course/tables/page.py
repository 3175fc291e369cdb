"""The table of a shared game in a site's `play.html`, where a worker calls `play` with the link's last part."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from course.kernel import catalogue
from course.kernel.notebook import NotRight
from course.show.pictures import art
from course.show.widgets import show_in
from course.tables.link import read_link
from course.tables.scene import SceneView
from course.tables.sharing import game_named, opened, sentence


class PageWidget:
    """What `play.html` shows of a table, as a widget without Jupyter: each change is sent as JSON."""

    def __init__(self, send: Callable[[str], object], pictures: Iterable[str]) -> None:
        self.__dict__["send"] = send
        self.art = {key: art(key) for key in pictures}

    def __setattr__(self, name: str, value: object) -> None:
        self.__dict__[name] = value
        self.send(json.dumps({name: value}))

    def show(self, view: SceneView) -> None:
        """Show a view of the table, and the pictures that it needs."""
        show_in(self, view, [view["items"], view.get("run")])


def play(link: str, packages: Iterable[str], send: Callable[[str], object]) -> Callable[[str], None] | None:
    """Open the game of a link, and return a function that receives clicks; None if the game cannot be played."""
    catalogue.mentioned.update(packages)
    try:
        game = read_link(link)
        send(json.dumps({"title": game_named(game.unit).title, "author": game.author}))
        table = opened(game)
    except NotRight as trouble:
        send(json.dumps({"failed": sentence(trouble)}))
        return None
    table.can_be_shared = False
    widget = PageWidget(send, table.game.art)
    react = table.connect(widget)
    widget.show(table.view())

    def receive(message: str) -> None:
        click = json.loads(message)
        widget.show(react(click["do"], click["rev"]))

    return receive
