"""Make text from learners' files and processes safe for tables, pages and terminals."""

from __future__ import annotations

import re
from hashlib import sha256
from unicodedata import normalize

from course.exam.readable import printable_text
from course.limits import MOST_NAME_BYTES

FORMULA, PLAIN_NUMBER = frozenset("=+-@"), re.compile(r"-?[\d.]*")
# In many countries, Excel splits the lines of any CSV file at semicolons, and cells with a line break in two.
INNER_FORMULA_PATTERN = re.compile(r"([;\t\r\n\v\f\x85\u2028\u2029])('?)(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])")


def shown_name(name: str) -> str:
    """Return a file's name for display. Characters that cannot be printed or decoded are replaced.

    >>> shown_name("a\\x1b[2J\\udcff.py")
    'a�[2J?.py'
    """
    return printable_text(name.encode(errors="replace").decode())


def short_name(name: str, original: str = "") -> str:
    """Return a name that every file system accepts.

    If the name is too long, cut it and add a digest of the original name.

    >>> short_name("ann"), short_name("a" * 300) == short_name("a" * 301), len(short_name("a" * 300))
    ('ann', False, 200)
    """
    content = name.encode(errors="replace")
    if len(content) <= MOST_NAME_BYTES:
        return name
    digest = sha256((original or name).encode(errors="replace")).hexdigest()[:16]
    return f"{content[: MOST_NAME_BYTES - 17].decode(errors='ignore')}-{digest}"


def count_text(count: int, thing: str) -> str:
    """Return a number with a noun, in the plural if needed.

    >>> count_text(1, "call"), count_text(2402, "call")
    ('1 call', '2,402 calls')
    """
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def points_text(points: float) -> str:
    """Return a number of points with the noun "point" or "points".

    >>> points_text(1), points_text(0.5)
    ('1 point', '0.5 points')
    """
    return f"{points:g} point{'' if points == 1 else 's'}"


def safe_cell(item: object) -> object:
    """Return the value for a cell of a spreadsheet. If a text would be read as a formula, put a quote in front of it.

    >>> safe_cell("= 1"), safe_cell("\uff1d1"), safe_cell("a = 1"), safe_cell(-1), safe_cell("Ann;=1\\v=2")
    ("'= 1", "'＝1", 'a = 1', -1, "Ann;'=1\\x0b'=2")
    """
    if not isinstance(item, str):
        return item
    text = INNER_FORMULA_PATTERN.sub(r"\1'", item)
    return f"'{text}" if normalize("NFKC", item.lstrip())[:1] in FORMULA else text


def safe_cell_of_text(cell: str) -> object:
    """Return the value for a spreadsheet cell that contains this text.

    Texts that are numbers, or a single `-`, do not change.

    >>> safe_cell_of_text("=1"), safe_cell_of_text("-1.5"), safe_cell_of_text("-")
    ("'=1", '-1.5', '-')
    """
    return cell if PLAIN_NUMBER.fullmatch(cell) else safe_cell(cell)


def text_of_safe_cell(cell: str) -> str:
    """Return the text from which `safe_cell` has made this cell.

    >>> text_of_safe_cell("'= 1"), text_of_safe_cell("'tis"), text_of_safe_cell("a = 1"), text_of_safe_cell("Ann;'=1")
    ('= 1', "'tis", 'a = 1', 'Ann;=1')
    """
    text = INNER_FORMULA_PATTERN.sub(r"\1", cell)
    return next((each for each in (text[1:], text) if safe_cell(each) == cell), cell)
