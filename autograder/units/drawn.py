"""Pictures in lessons. Authors write cards, tiles and chains as code, and the notebook shows pictures of them."""

from __future__ import annotations

import re
from html import escape

from autograder.units.pack import UnitError
from course.show.pictured import pictured

BLOCK = re.compile(r"^```draw\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
PARTED_BY = " | "


def with_pictures(text: str) -> str:
    """Return a lesson with pictures instead of `draw` blocks. Raises UnitError if a block draws nothing.

    In a line of such a block, ` | ` separates code to draw from words.
    """
    return BLOCK.sub(lambda match: _block(match[1]), text)


def _block(code: str) -> str:
    lines = [" ".join(map(_part, line.split(PARTED_BY))) for line in code.splitlines()]
    if not any("<img " in line for line in lines):
        raise UnitError(f"a lesson cannot draw this: {code}")
    return "<p>" + "<br>\n".join(lines) + "</p>"


def _part(text: str) -> str:
    """Return a picture, or words in which text between backquotes is code."""
    drawn = pictured(text).replace('style="', 'style="vertical-align:middle;', 1)
    return drawn or re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
