"""What widgets of tables and of runs share: their scripts, the pictures sent to them, the still picture before them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from course.show.drawing import art

HERE = Path(__file__).parent
# A widget that is saved comes to nothing when its notebook is opened again. So the still picture stands in an output of
# its own, hidden as long as the output behind it shows a table; and where that one shows none, it is hidden.
IN_ITS_PLACE = """<style>
.jp-OutputArea-child:has(.foldem-still):has(+ .jp-OutputArea-child .foldem-live),
.jp-OutputArea-child:has(.foldem-still) + .jp-OutputArea-child:not(:has(.foldem-live)) { display: none }
</style>"""


def script(*files: str) -> str:
    """Return some files of this package as one text: a browser is sent one script, and one style sheet."""
    return "".join((HERE.parent / file).read_text(encoding="utf-8") for file in files)


def show_in(widget: Any, view: dict[str, Any], run: Any) -> None:
    """Let a widget show a view; what pictures the run in it needs beyond those that were sent go before it."""
    new = pictures_in(run) - widget.art.keys()
    if new:
        widget.art = widget.art | {key: art(key) for key in sorted(new)}
    widget.view = view


def pictures_in(thing: Any) -> frozenset[str]:
    """Return the keys of the pictures in a run view, as it is sent."""
    match thing:
        case [str(), str(), str(picture), str()] if ":" in picture:
            return frozenset((picture,))
        case dict():
            return frozenset().union(*map(pictures_in, thing.values()))
        case list():
            return frozenset().union(*map(pictures_in, thing))
    return frozenset()


def in_its_place(html: str) -> str:
    """Return HTML that is seen only while the output behind it shows no widget."""
    return f'{IN_ITS_PLACE}<div class="foldem-still">{html}</div>'
