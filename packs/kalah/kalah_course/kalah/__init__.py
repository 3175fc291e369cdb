"""Types and functions that students can use in Kalah."""

from typing import TypeAlias

from course.values import value

House: TypeAlias = int
Houses: TypeAlias = tuple[int, ...]
Size: TypeAlias = int
Seeds: TypeAlias = int


@value
class Board:
    """A board for the player whose turn it is: `mine` and `store`, then the other player's houses and store.

    Seeds move through `mine` from the first house to the last, into `store`, and through `theirs` in the same way.
    """

    mine: Houses
    store: Seeds
    theirs: Houses
    other: Seeds


def ring(board: Board) -> tuple[int, ...]:
    """Return the number of seeds in each hole of the ring: your houses, your store, and the other player's houses."""
    return (*board.mine, board.store, *board.theirs)


def size_of(board: Board) -> Size:
    """Return how many houses each player has."""
    return len(board.mine)


def put(houses: Houses, house: House, seeds: Seeds) -> Houses:
    """Return `houses` with another number of seeds, `seeds`, in `house`.

    >>> put((4, 4, 4), 1, 0)
    (4, 0, 4)
    """
    return (*houses[:house], seeds, *houses[house + 1 :])


__all__ = ["Board", "House", "Houses", "Seeds", "Size", "put", "ring", "size_of"]
