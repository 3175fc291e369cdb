"""Code shared by the widgets of tables and runs: scripts, pictures, and the static picture shown before a widget."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from course.show.pictures import art

HERE = Path(__file__).parent
# A saved widget does not work when its notebook is opened again. So a static picture is in an output above the
# widget's. The picture is hidden while the widget works; otherwise the widget's output is hidden.
UNTIL_WIDGET = """<style>
.jp-OutputArea-child:has(.foldem-still):has(+ .jp-OutputArea-child .foldem-live),
.jp-OutputArea-child:has(.foldem-still) + .jp-OutputArea-child:not(:has(.foldem-live)) { display: none }
</style>"""


def script(*files: str) -> str:
    """Return the contents of files in this package as one text, because a browser gets only one script."""
    return "".join((HERE.parent / file).read_text(encoding="utf-8") for file in files)


def show_in(widget: Any, view: object, shown: object, name: str = "view") -> None:
    """Set the attribute `name` of a widget to a view.

    Before that, send the pictures in `shown` that the widget lacks.
    """
    new = pictures_in(shown) - widget.art.keys()
    if new:
        widget.art = widget.art | {key: art(key) for key in sorted(new)}
    setattr(widget, name, view)


def pictures_in(thing: object) -> frozenset[str]:
    """Return the keys of the pictures that occur in the view of a table or a run."""
    match thing:
        case {"a": str(picture)}:
            return frozenset((picture,))
        case [str(), str(), str(picture), str()] if ":" in picture:
            return frozenset((picture,))
        case dict():
            return frozenset().union(*map(pictures_in, thing.values()))
        case list():
            return frozenset().union(*map(pictures_in, thing))
    return frozenset()


def until_widget(html: str) -> str:
    """Return HTML that is visible only until the widget in the next output works."""
    return f'{UNTIL_WIDGET}<div class="foldem-still">{html}</div>'
