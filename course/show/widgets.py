"""Code that the widgets of tables and of runs share: scripts, pictures, and the static picture before them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from course.show.drawing import art

HERE = Path(__file__).parent
# A saved widget does not work when its notebook is opened again. Therefore a static picture is in an output of its own,
# which is hidden while the output after it shows a widget; if that output shows none, it is hidden instead.
UNTIL_WIDGET = """<style>
.jp-OutputArea-child:has(.foldem-still):has(+ .jp-OutputArea-child .foldem-live),
.jp-OutputArea-child:has(.foldem-still) + .jp-OutputArea-child:not(:has(.foldem-live)) { display: none }
</style>"""


def script(*files: str) -> str:
    """Return files of this package joined, since a browser gets one script and one style sheet."""
    return "".join((HERE.parent / file).read_text(encoding="utf-8") for file in files)


def show_in(widget: Any, view: dict[str, object], run: object) -> None:
    """Update a widget's view, after sending the pictures in the run that it does not have yet."""
    new = pictures_in(run) - widget.art.keys()
    if new:
        widget.art = widget.art | {key: art(key) for key in sorted(new)}
    widget.view = view


def pictures_in(thing: object) -> frozenset[str]:
    """Return the keys of the pictures in a run's view."""
    match thing:
        case [str(), str(), str(picture), str()] if ":" in picture:
            return frozenset((picture,))
        case dict():
            return frozenset().union(*map(pictures_in, thing.values()))
        case list():
            return frozenset().union(*map(pictures_in, thing))
    return frozenset()


def until_widget(html: str) -> str:
    """Return HTML that is visible only while the output after it shows no widget."""
    return f'{UNTIL_WIDGET}<div class="foldem-still">{html}</div>'
