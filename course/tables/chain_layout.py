"""Where the tiles of a chain lie: two arms from the first tile, each turning at the edge of the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from course.dominoes import Domino

UNIT, TILE_EDGE = 28.0, 55.0  # half a tile's length, and what is kept free beside an arm


class Pose(NamedTuple):
    """The middle of a tile and the angle by which it is turned from upright."""

    x: float
    y: float
    angle: int


class Pen(NamedTuple):
    """Where the next tile begins: the middle of the side that it touches, the way it goes, tiles of a turn to come."""

    x: float
    y: float
    way: int = 1
    down: int = 0


def laid_out(tiles: tuple[Domino, ...], lefts: int, x: float, y: float) -> tuple[Pose, ...]:
    """Return the places of tiles, `lefts` of them left of the first that was laid, which lies in the middle of a room.

    The middle is at a point, and as far from the room's left edge as its `x` says.

    >>> laid_out((Domino(1, 2), Domino(2, 2)), 0, 460, 0)
    (Spot(x=460.0, y=0.0, angle=-90), Spot(x=502.0, y=0.0, angle=0))
    """
    first = tiles[lefts : lefts + 1]
    start = UNIT / 2 if first and _double(first[0]) else UNIT
    right = arm(tiles[lefts + 1 :], start, x - TILE_EDGE)
    left = (Pose(-spot.x, -spot.y, spot.angle) for spot in arm(tiles[:lefts][::-1], start, x - TILE_EDGE))
    middle = (Pose(0.0, 0.0, 0 if start < UNIT else -90),) if first else ()
    return tuple(Pose(spot.x + x, spot.y + y, spot.angle) for spot in (*tuple(left)[::-1], *middle, *right))


def _double(tile: Domino) -> bool:
    return tile.left == tile.right


def arm(tiles: tuple[Domino, ...], start: float, edge: float) -> Iterator[Pose]:
    """Yield the places of the tiles of the right arm, the nearest to the first tile first; it turns at the edges."""
    pen = Pen(start, 0.0)
    for tile in tiles:
        length = UNIT if _double(tile) and not pen.down else 2 * UNIT
        if not pen.down and pen.x * pen.way + length > edge:
            pen = Pen(pen.x + pen.way * UNIT / 2, pen.y - UNIT / 2, pen.way, 2)
        spot, pen = _placed(tile, pen)
        yield spot


def _placed(tile: Domino, pen: Pen) -> tuple[Pose, Pen]:
    """Return the place of a tile, and the pen after it: along the row, or downwards while the arm turns."""
    if pen.down:
        spot = Pose(pen.x, pen.y + UNIT, 0)
        below = Pen(pen.x, pen.y + 2 * UNIT, pen.way, pen.down - 1)
        return spot, below if below.down else Pen(pen.x - pen.way * UNIT / 2, below.y - UNIT / 2, -pen.way)
    length = UNIT if _double(tile) else 2 * UNIT
    turn = 0 if _double(tile) else -90 * pen.way
    return Pose(pen.x + pen.way * length / 2, pen.y, turn), Pen(pen.x + pen.way * length, pen.y, pen.way)
