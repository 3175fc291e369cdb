"""The link to a shared game: the code of a learner's functions, compressed into the part of an address after `#`.

Browsers do not send that part to a server. Links of every format number must stay readable.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

from course.kernel.notebook import NotRight
from course.values import value

LINK_FORMAT = 1
LINK_PATTERN = re.compile(r"#?(\d{1,3})\.([^\W\d]\w{0,60})\.([\w-]+)", re.ASCII)
LONGEST_LINK, LONGEST_GAME, MOST_SHARED, LONGEST_AUTHOR = 24_000, 200_000, 500, 60  # characters, but for the cells
RAW = -zlib.MAX_WBITS  # deflate without a header
DAMAGED_LINK = "This link is damaged. Perhaps its end is missing: ask for it again."
NEWER_LINK = "This link comes from a newer version of this site. Load the page again."
TOO_LONG_TO_SHARE = f"your functions are too long for a link, which has at most {LONGEST_LINK:,} characters"


@value
class SharedGame:
    """The game of a unit, played by these statements, in the order in which they run; and who wrote them, if known."""

    unit: str
    cells: tuple[str, ...]
    author: str = ""


def link_text(game: SharedGame) -> str:
    """Return a game as the last part of a link. Raises NotRight if it is too long.

    >>> read_link(link_text(SharedGame("dominoes", ("flip = str",), "Ada")))
    SharedGame('dominoes', ('flip = str',), 'Ada')
    """
    data = json.dumps({"by": game.author, "cells": game.cells}, separators=(",", ":"), ensure_ascii=False)
    packer = zlib.compressobj(9, zlib.DEFLATED, RAW)
    packed = packer.compress(data.encode("utf-8", "replace")) + packer.flush()
    text = f"{LINK_FORMAT}.{game.unit}.{urlsafe_b64encode(packed).decode().rstrip('=')}"
    if len(text) > LONGEST_LINK or len(data) > LONGEST_GAME or len(game.cells) > MOST_SHARED:
        raise NotRight(TOO_LONG_TO_SHARE)
    return text


def read_link(text: str) -> SharedGame:
    """Return the game in the last part of a link. Raises NotRight if it is damaged or too long to be a game."""
    parts = LINK_PATTERN.fullmatch(text) if len(text) <= LONGEST_LINK + 1 else None
    if parts is None or int(parts[1]) < 1:
        raise NotRight(DAMAGED_LINK)
    if int(parts[1]) > LINK_FORMAT:
        raise NotRight(NEWER_LINK)
    try:
        match json.loads(_unpacked(parts[3])):
            case {"by": str(author), "cells": [*cells]} if len(author) <= LONGEST_AUTHOR and len(cells) <= MOST_SHARED:
                if all(isinstance(cell, str) for cell in cells):
                    return SharedGame(parts[2], tuple(cells), author)
    except (ValueError, RecursionError, zlib.error):
        pass
    raise NotRight(DAMAGED_LINK)


def _unpacked(text: str) -> str:
    """Return the text in a packed part. Raises NotRight if it is incomplete or longer than any game."""
    unpacker = zlib.decompressobj(RAW)
    data = unpacker.decompress(urlsafe_b64decode(text + "=" * (-len(text) % 4)), 4 * LONGEST_GAME)
    if not unpacker.eof or unpacker.unused_data:
        raise NotRight(DAMAGED_LINK)
    return data.decode("utf-8")
