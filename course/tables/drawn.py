"""A value as a picture, which a notebook shows below a cell."""

from html import escape

from course.show.bits import code_of
from course.show.pictured import pictured
from course.show.results import Shown


def picture(thing: object) -> Shown:
    """Return a value so that a notebook draws its cards, tiles and chains."""
    code = code_of(thing)
    return Shown(code, pictured(repr(thing)) or f"<code>{escape(code)}</code>")
