"""Positions of the tiles of a chain.

Two arms start at the first tile, and turn at the edge of the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

UNIT, TILE_EDGE = 28.0, 55.0  # half of a tile's length, and the space between arms


class Tile(Protocol):
    """A tile with two halves; it lies across the chain if they are equal."""

    @property
    def left(self) -> int: ...

    @property
    def right(self) -> int: ...


class Pose(NamedTuple):
    """A tile's position: its middle, and its angle from upright."""

    x: float
    y: float
    angle: int


class Pen(NamedTuple):
    """The start of the next tile: the middle of the side it touches, the direction, and the tiles left in a turn."""

    x: float
    y: float
    way: int = 1
    down: int = 0


def laid_out(tiles: Sequence[Tile], x: float, y: float) -> tuple[Pose, ...]:
    """Return the positions of tiles around a point.

    `x` and `y` are the position of the point. The edges of the room are `x` to the left and to the right of it.

    >>> from course.dominoes import Domino
    >>> laid_out((Domino(1, 2), Domino(2, 2)), 460, 0)
    (Pose(x=446.0, y=0.0, angle=-90), Pose(x=488.0, y=0.0, angle=0))
    """
    if not tiles:
        return ()
    half = len(tiles) // 2
    start = UNIT / 2 if _double(tiles[half]) else UNIT
    right = tuple(arm(tiles[half + 1 :], start, x - TILE_EDGE))
    left = [Pose(-pose.x, -pose.y, pose.angle) for pose in arm(tiles[:half][::-1], start, x - TILE_EDGE)]
    poses = (*left[::-1], Pose(0.0, 0.0, 0 if start < UNIT else -90), *right)
    shift = 0.0 if any(pose.y for pose in poses) else _middle(tiles, poses)
    return tuple(Pose(pose.x + x - shift, pose.y + y, pose.angle) for pose in poses)


def _middle(tiles: Sequence[Tile], poses: tuple[Pose, ...]) -> float:
    """Return the middle of a row of tiles, from its left end to its right end."""
    begin, end = (UNIT / 2 if _double(tile) else UNIT for tile in (tiles[0], tiles[-1]))
    return (poses[0].x - begin + poses[-1].x + end) / 2


def _double(tile: Tile) -> bool:
    return tile.left == tile.right


def arm(tiles: Sequence[Tile], start: float, edge: float) -> Iterator[Pose]:
    """Yield the positions of the right arm's tiles, from `start` on. The arm turns at the edges."""
    pen = Pen(start, 0.0)
    for tile in tiles:
        length = UNIT if _double(tile) and not pen.down else 2 * UNIT
        if not pen.down and pen.x * pen.way + length > edge:
            pen = Pen(pen.x + pen.way * UNIT / 2, pen.y - UNIT / 2, pen.way, 2)
        spot, pen = _placed(tile, pen)
        yield spot


def _placed(tile: Tile, pen: Pen) -> tuple[Pose, Pen]:
    """Return a tile's position, and the start of the next tile: along the row, or downwards in a turn."""
    if pen.down:
        spot = Pose(pen.x, pen.y + UNIT, 0)
        below = Pen(pen.x, pen.y + 2 * UNIT, pen.way, pen.down - 1)
        return spot, below if below.down else Pen(pen.x - pen.way * UNIT / 2, below.y - UNIT / 2, -pen.way)
    length = UNIT if _double(tile) else 2 * UNIT
    turn = 0 if _double(tile) else -90 * pen.way
    return Pose(pen.x + pen.way * length / 2, pen.y, turn), Pen(pen.x + pen.way * length, pen.y, pen.way)
