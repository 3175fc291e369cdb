"""Pictures of the cards, tiles, chains, hands and desks in some code.

The code is not run. Only cards and tiles are created, from constants and from names that a unit exports.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import is_dataclass
from functools import lru_cache
from types import ModuleType
from typing import NamedTuple

from toolz import interpose

from course.show.bits import picture_key, picture_row
from course.show.pictures import picture_kind, picture_svg, spoken, units_with_pictures
from course.svg import image, svg, tag
from course.syntax import PARSING_ERRORS

ITEMS_DRAWN, GAP, APART = 16, 9, 3
GLUED, BREAK = "glued", "break"  # a tile that touches the one before it; a gap


class CardPicture(NamedTuple):
    """A picture of the cards and tiles in some code, with its SVG elements, width, height and description."""

    inside: str
    width: float
    height: float
    description: str


def card_image_html(code: str) -> str:
    """Return an image of the cards and tiles in some code, with alternative text, or "" if the code has none.

    >>> card_image_html("swap_ends(())"), card_image_html("Card(CLUB, 14)")
    ('', '')
    >>> "tile two three" in card_image_html("flip(Domino(2, 3))")
    True
    """
    drawing = card_picture_of(code)
    if drawing is None:
        return ""
    width, height = f"{drawing.width:.0f}", f"{drawing.height:g}"
    picture = svg(drawing.inside, width=width, height=height, viewBox=f"0 0 {width} {height}")
    return image(picture, drawing.description, style="max-width:100%;margin:1px 0")


@lru_cache(maxsize=256)
def card_picture_of(code: str) -> CardPicture | None:
    """Return a drawing of the cards and tiles in some code, or None if the code has none."""
    try:
        things = [*_picture_keys_in(ast.parse(code.strip()), units_with_pictures())]
    except PARSING_ERRORS:
        return None
    keys = [key for key in things if key not in (GLUED, BREAK)]
    if not keys:
        return None
    shown, more = keys[:ITEMS_DRAWN], max(len(keys) - ITEMS_DRAWN, 0)
    height = max(picture_kind(key).size_in_code.height for key in shown)
    x, parts, before = 0.0, list[str](), BREAK
    for key in things:
        if key not in (BREAK, GLUED) and len(parts) < ITEMS_DRAWN:
            x += APART * (before not in (BREAK, GLUED))
            size = picture_kind(key).size_in_code
            turn = f" rotate({size.turn})" if size.turn else ""
            position = f"translate({x + size.width / 2:g},{height / 2:g}) scale({size.scale}){turn}"
            parts.append(tag("g", picture_svg(key), transform=position))
            x += size.width
        x += GAP * (key == BREAK != before and bool(parts))
        before = key
    description = ", ".join(filter(None, map(spoken, shown)))
    if more:
        look = {"font_size": 14, "font_family": "sans-serif", "fill": "#808080"}
        parts.append(tag("text", f"+{more}", x=f"{x + 6:g}", y=f"{height / 2 + 5:g}", **look))
        x += 40
        description += f" and {more} more"
    return CardPicture("".join(parts), x, height, description)


def _picture_keys_in(node: ast.AST, units: tuple[ModuleType, ...]) -> Iterator[str]:
    """Yield the keys of the pictures in a syntax tree, in reading order, with BREAK before and after each group."""
    keys = _call_picture_keys(node, units) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
    if keys is not None:
        yield from keys
        return
    is_group = isinstance(node, (ast.Tuple, ast.List, ast.Call))
    yield from (BREAK,) * is_group
    for inner in ast.iter_child_nodes(node):
        yield from _picture_keys_in(inner, units)
    yield from (BREAK,) * is_group


def _call_picture_keys(node: ast.Call, units: tuple[ModuleType, ...]) -> list[str] | None:
    """Return the keys of the pictures for a call, or None if the call makes no card, tile or chain."""
    for unit in units:
        with suppress(Exception):  # the call may be another unit's or a learner's, with any arguments
            thing = _evaluate_node(node, unit)
            if key := picture_key(thing):
                return [key]
            if row := picture_row(thing):
                keys = [bit.picture for bit in row if bit.picture]
                return [BREAK, *interpose(GLUED, keys), BREAK]
    return None


def _evaluate_node(node: ast.expr, unit: ModuleType) -> object:
    """Return the value of a node, made with a unit's names. Raises LookupError if the node may not be evaluated."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Tuple(elts=items):
            return tuple(_evaluate_node(item, unit) for item in items)
        case ast.Name(id=name) if name in unit.__all__:
            return getattr(unit, name)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in unit.__all__:
            kind = getattr(unit, name)
            if isinstance(kind, type) and is_dataclass(kind):
                return kind(*(_evaluate_node(arg, unit) for arg in args))
    raise LookupError(ast.dump(node))
