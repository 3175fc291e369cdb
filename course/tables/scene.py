"""What a table shows, as a dict of plain data: items at their places, words, controls; and its still picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from toolz import partition_all

from course.show.drawing import art
from course.show.widgets import in_its_place
from course.svg import image, svg, tag

Item: TypeAlias = dict[str, Any]
SceneView: TypeAlias = dict[str, Any]
Action: TypeAlias = Any
T = TypeVar("T")

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Room:
    """How wide a table is, in units that are about a pixel: a narrow one is laid out anew, not drawn smaller."""

    name: str
    width: int

    @property
    def middle(self) -> float:
        """Return the middle from left to right."""
        return self.width / 2

    def x(self, x: float) -> float:
        """Return where a place of the wide room lies in this one.

        >>> WIDE.x(460), NARROW.x(460)
        (460.0, 280.0)
        """
        return x * self.width / WIDE.width

    def lines(self, things: Iterable[T], most: int) -> list[tuple[T, ...]]:
        """Return things line by line, at most so many in each, but all in one where there is room."""
        several = tuple(things)
        return [several] if self is WIDE else list(partition_all(most, several))


WIDE, NARROW = Room("wide", 920), Room("narrow", 560)
ROOMS = {room.name: room for room in (WIDE, NARROW)}


def item(key: str, picture: str, x: float, y: float, label: str = "", do: Action = None, **more: Any) -> Item:
    """Return a drawn thing: key (it moves if it appears elsewhere next), picture, center, name and action.

    `more`: `z` a scale, `r` an angle, `c` classes (`dim`, `glow`), `f` where it comes from when it is new.
    """
    given = {"l": label, "do": do} | more
    return {"k": key, "a": picture, "x": round(x), "y": round(y)} | {name: it for name, it in given.items() if it}


def words(key: str, text: str, x: float, y: float, look: str = "") -> Item:
    """Return a line of text with its middle at a place; `look` are classes: `big`, `bold`, `gold`, `start`."""
    return {"k": key, "t": text, "x": round(x), "y": round(y)} | ({"c": look} if look else {})


def button(label: str, do: Action, *, strong: bool = False) -> dict[str, Any]:
    """Return a button of the bar below the table."""
    return {"l": label, "do": do} | ({"c": "strong"} if strong else {})


def row(count: int, middle: float, room: float, step: float) -> list[float]:
    """Return the places of `count` things side by side: `step` apart, closer if there is not room for that.

    >>> row(3, 100, 500, 50), row(3, 100, 80, 50)
    ([50.0, 100.0, 150.0], [60.0, 100.0, 140.0])
    """
    apart = min(step, room / max(count - 1, 1))
    return [middle + apart * (n - (count - 1) / 2) for n in range(count)]


def names_of(items: Iterable[Item]) -> list[str]:
    """Return the names of things, and the words, in reading order."""
    return [each.get("l") or each["t"] for each in items if each.get("l") or each.get("t")]


def alt_text(view: SceneView) -> str:
    """Return in words what the table shows."""
    return f"{view['title']}. {view['status']} On the table: {'; '.join(names_of(view['items']))}."


def plain_text(view: SceneView) -> str:
    """Return the table as plain text."""
    lines = [f"{view['title']}: {view['status']}"] + [f"  {name}" for name in names_of(view["items"])]
    return "\n".join(lines + [f"  - {line}" for line in view.get("log", ())])


@cache
def scene_style() -> str:
    """Return the style sheet of the scene."""
    return (HERE / "scene.css").read_text(encoding="utf-8")


def still(view: SceneView) -> str:
    """Return the table as an SVG that stands alone."""
    inside = "".join(map(_drawn, view["items"]))
    width, height = view["w"], view["h"]
    felt = tag("rect", **{"class": "felt"}, width=width, height=height, rx=14)
    size = {"class": "foldem-scene", "width": width, "height": height, "viewBox": f"0 0 {width} {height}"}
    return svg(f"<style>{scene_style()}</style>", felt, inside, **size)


def _drawn(each: Item) -> str:
    turn = f" rotate({each['r']})" if "r" in each else ""
    scale = f" scale({each['z']})" if "z" in each else ""
    place = f'transform="translate({each["x"]},{each["y"]}){turn}{scale}"'
    inside = art(each["a"]) if "a" in each else f'<text y="5">{escape(each["t"])}</text>'
    kind = "art" if "a" in each else "said"
    return f'<g class="item {kind} {each.get("c", "")}" {place}><g>{inside}</g></g>'


def still_html(view: SceneView) -> str:
    """Return the still picture as HTML that a sanitiser lets through: an image with its text."""
    picture = image(still(view), alt_text(view), style="max-width:100%")
    return f"<div>{picture}<p>{escape(view['status'])}</p></div>"


def stand_in_html(view: SceneView) -> str:
    """Return the still picture as the output before a widget's, which is seen while there is no widget."""
    return in_its_place(f"{still_html(view)}<p>Run this cell to play.</p>")
