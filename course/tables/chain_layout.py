"""Positions of the tiles of a chain.

Two arms start at the first tile, and turn at the edge of the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

UNIT, TILE_EDGE = 28.0, 55.0  # half of a tile's length, and the space between arms


class Pose(NamedTuple):
    """A tile's position: its middle, and its angle from upright."""

    x: float
    y: float
    angle: int


def laid_out(doubles: Sequence[bool], x: float, y: float) -> tuple[Pose, ...]:
    """Return the positions of tiles around a point. `doubles` says for each tile whether it is a double.

    `x` and `y` are the coordinates of this point. The edges of the room are at the distance `x` on both sides of the
    point.

    >>> laid_out((False, True), 460, 0)
    (Pose(x=446.0, y=0.0, angle=-90), Pose(x=488.0, y=0.0, angle=0))
    """
    if not doubles:
        return ()
    half = len(doubles) // 2
    lengths = [UNIT if is_double else 2 * UNIT for is_double in doubles]  # doubles lie across the chain
    start = lengths[half] / 2
    right = tuple(arm(lengths[half + 1 :], start, x - TILE_EDGE))
    left = [Pose(-pose.x, -pose.y, pose.angle) for pose in arm(lengths[:half][::-1], start, x - TILE_EDGE)]
    poses = (*left[::-1], Pose(0.0, 0.0, 0 if lengths[half] == UNIT else -90), *right)
    is_row = not any(pose.y for pose in poses)
    shift = (poses[0].x - lengths[0] / 2 + poses[-1].x + lengths[-1] / 2) / 2 if is_row else 0.0
    return tuple(Pose(pose.x + x - shift, pose.y + y, pose.angle) for pose in poses)


def arm(lengths: Sequence[float], start: float, edge: float) -> Iterator[Pose]:
    """Yield the positions of the right arm's tiles, from `start` on. The arm turns at the edges.

    Tiles of length UNIT are doubles. In a turn, two tiles lie below each other, and doubles are upright, too.
    """
    x, y, way, turning = start, 0.0, 1, 0  # the middle of the side that the next tile touches; tiles left in a turn
    for length in lengths:
        if not turning and x * way + length > edge:
            x, y, turning = x + way * UNIT / 2, y - UNIT / 2, 2
        if not turning:
            yield Pose(x + way * length / 2, y, 0 if length == UNIT else -90 * way)
            x += way * length
            continue
        yield Pose(x, y + UNIT, 0)
        y, turning = y + 2 * UNIT, turning - 1
        if not turning:
            x, y, way = x - way * UNIT / 2, y - UNIT / 2, -way
