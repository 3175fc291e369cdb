"""The view of a table as plain data: items with positions, texts and controls.

This module also draws the static picture of a view.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from toolz import partition_all

from course.show.blocks import backquotes_html
from course.show.pictures import html_until_widget, picture_kind, picture_svg
from course.svg import image, svg, tag

Item: TypeAlias = dict[str, Any]
SceneView: TypeAlias = dict[str, Any]
Action: TypeAlias = list[object]
T = TypeVar("T")

TABLES_FOLDER = Path(__file__).parent
CHOICE_MARKER = ", you may "  # the part of a label after this says what a click does


@dataclass(frozen=True)
class Room:
    """The width of a table, in units of about a pixel. Narrow tables have a different layout."""

    name: str
    width: int

    @property
    def middle(self) -> float:
        """Return the x coordinate of the table's middle."""
        return self.width / 2

    def x(self, x: float) -> float:
        """Convert an x coordinate on a wide table to the x coordinate on this table.

        >>> WIDE.x(460), NARROW.x(460)
        (460.0, 280.0)
        """
        return x * self.width / WIDE.width

    def lines(self, things: Iterable[T], most: int) -> list[tuple[T, ...]]:
        """Split things into lines of about equal length, each with at most `most` things.

        On a wide table, all things are in one line.
        """
        several = tuple(things)
        count = -(-len(several) // most) or 1
        return [several] if self is WIDE else list(partition_all(-(-len(several) // count), several))


WIDE, NARROW = Room("wide", 920), Room("narrow", 560)
ROOMS = {room.name: room for room in (WIDE, NARROW)}


def item(key: str, picture: str, x: float, y: float, label: str = "", do: object = None, **more: object) -> Item:
    """Return an item of a view: a picture with its position, label and action.

    If two views have items with the same key, the page shows one picture that moves. `more` may have `z` (scale), `r`
    (angle), `c` (classes such as `dim` and `glow`), and `f` (the position at which a new item appears).
    """
    given = {"l": label, "do": do} | more
    return {"k": key, "a": picture, "x": round(x), "y": round(y)} | {name: it for name, it in given.items() if it}


def words(key: str, text: str, x: float, y: float, look: str = "") -> Item:
    """Return a centered line of text as an item. `look` has classes: `big`, `bold`, `gold`, `start`."""
    return {"k": key, "t": text, "x": round(x), "y": round(y)} | ({"c": look} if look else {})


def button(label: str, do: Action, *, strong: bool = False) -> Item:
    """Return a button for the bar below the table."""
    return {"l": label, "do": do} | ({"c": "strong"} if strong else {})


def row(count: int, middle: float, room: float, step: float) -> list[float]:
    """Return the x coordinates of `count` things in a row.

    The distance between two things is `step`, or less if there is not enough room.

    >>> row(3, 100, 500, 50), row(3, 100, 80, 50)
    ([50.0, 100.0, 150.0], [60.0, 100.0, 140.0])
    """
    apart = min(step, room / max(count - 1, 1))
    return [middle + apart * (n - (count - 1) / 2) for n in range(count)]


def item_texts(items: Iterable[Item]) -> list[str]:
    """Return the labels and texts of items, in the order of the items."""
    return [each.get("l") or each["t"] for each in items if each.get("l") or each.get("t")]


def plain_text(view: SceneView) -> str:
    """Return a table's view as plain text."""
    lines = [f"{view['title']}: {view['status']}"] + [f"  {name}" for name in item_texts(view["items"])]
    return "\n".join(lines + [f"  - {line}" for line in view.get("log", ())])


def picture_sizes(items: Iterable[Item]) -> dict[str, tuple[float, float]]:
    """Return the size of each kind of picture that these items use."""
    return {each["a"].partition(":")[0]: picture_kind(each["a"]).size for each in items if "a" in each}


@cache
def scene_style() -> str:
    """Return the style sheet for items."""
    return (TABLES_FOLDER / "scene.css").read_text(encoding="utf-8")


def view_svg(view: SceneView) -> str:
    """Return the picture of a view as SVG that needs no other files."""
    drawn = []
    for each in view["items"]:
        turn = f" rotate({each['r']})" if "r" in each else ""
        scale = f" scale({each['z']})" if "z" in each else ""
        position = f'transform="translate({each["x"]},{each["y"]}){turn}{scale}"'
        inside = picture_svg(each["a"]) if "a" in each else f'<text y="5">{escape(each["t"])}</text>'
        kind = "art" if "a" in each else "said"
        drawn.append(f'<g class="item {kind} {each.get("c", "")}" {position}><g>{inside}</g></g>')
    width, height = view["w"], view["h"]
    felt = tag("rect", **{"class": "felt"}, width=width, height=height, rx=14)
    size = {"class": "foldem-scene", "width": width, "height": height, "viewBox": f"0 0 {width} {height}"}
    return svg(f"<style>{scene_style()}</style>", felt, "".join(drawn), **size)


def static_html(view: SceneView) -> str:
    """Return the picture of a view as an HTML image with alternative text. HTML sanitizers accept this image."""
    text = f"{view['title']}. {view['status']} On the table: {'; '.join(item_texts(view['items']))}."
    picture = image(view_svg(view), text, style="max-width:100%")
    return f"<div>{picture}<p>{backquotes_html(view['status'])}</p></div>"


def stand_in_html(view: SceneView) -> str:
    """Return the picture of a view as HTML that is shown until the widget has loaded."""
    return html_until_widget(f"{static_html(view)}<p>Run this cell to play.</p>")
