"""Pictures of houses and stores with their seeds, which also replace the numbers in the code of boards."""

import re
from cmath import rect
from collections.abc import Iterator
from functools import partial
from itertools import zip_longest

from course.pictures import PictureKind, Pictures, box, letters, number_word
from kalah_course.kalah import Board


def draw(width: int, code: str) -> str:
    """Return the picture of a hole: its seeds, and their number."""
    spots = (rect(21 - n // 16 * 7, 0.4 * n) for n in range(min(int(code), 99)))
    seeds = "".join(f'<circle cx="{z.real:.1f}" cy="{z.imag:.1f}" r="3" fill="#96602c"/>' for z in spots)
    return box(width, 56, "#ecd2a8", "#7a5a2e", 26) + seeds + letters(code, 0, 0, 22)


def name(kind: str, code: str) -> str:
    """Return the description of a hole, such as `house with four seeds`."""
    return f"{kind} with {number_word(code)} seed{'s' * (code != '1')}"


def board_parts(board: Board) -> Iterator[tuple[str, str]]:
    """Return the pieces of a board's code, each with the key of its picture, or with "" if it has none."""
    texts = re.split(r"(\d+)", repr(board))
    kinds = (*["house"] * len(board.mine), "store") * 2
    keys = [key for kind, number in zip(kinds, texts[1::2], strict=False) for key in ("", f"{kind}:{number}")]
    return zip_longest(texts, keys, fillvalue="")


WIDTHS = {"house": 56, "store": 84}
KINDS = {kind: PictureKind(partial(draw, width), partial(name, kind), (width, 56)) for kind, width in WIDTHS.items()}
PICTURES = Pictures(KINDS, {}, {Board: board_parts})
