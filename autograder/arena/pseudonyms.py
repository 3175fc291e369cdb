"""Pseudonyms: a student takes part in a league by `league_name = "…"` in the notebook."""

from __future__ import annotations

import ast
from collections.abc import Callable
from unicodedata import category, normalize

from autograder.submission.model import Submission
from course.syntax import tree_of

LEAGUE_NAME, PSEUDONYM_ROOM = "league_name", 30
FILLERS = "\u115f\u1160"  # letters without a picture


def pseudonym_in(submission: Submission) -> object:
    """Return the value of `league_name` in a notebook: "" without one, None if it is not a constant. No code is run."""
    sources = [helper.source for helper in submission.helpers if LEAGUE_NAME in helper.binds]
    match tree_of(sources[-1]) if sources else None:
        case None:
            return ""
        case ast.Module(body=[ast.Assign(targets=[ast.Name(id="league_name")], value=ast.Constant(value=value))]):
            return value
    return None


def plain_letters(text: str) -> str:
    """Return a text as people read it: without accents and invisible marks, and with spaces between words.

    >>> plain_letters("Ａd\\u034fa\\u3164Lov\\u00e9lace")
    'Ada Lovelace'
    """
    shown = (char for char in normalize("NFKD", text) if not category(char).startswith("M"))
    return " ".join("".join(char if char.isalnum() and char not in FILLERS else " " for char in shown).split())


def name_problem(name: object, mentions_student: Callable[[str], bool]) -> str:
    """Return why a pseudonym cannot be shown, or "".

    >>> [name_problem(name, "Ada".__eq__) for name in ("Fox", "Fox" * 11, "Ada", "a\\u202eb", " - ", 7)]
    ['', 'is longer than 30 characters', 'names a student of the course', 'has a character that cannot be shown', \
'has no letter or digit', 'is not a text in quotation marks']
    """
    if not isinstance(name, str):
        return "is not a text in quotation marks"
    if len(name) > PSEUDONYM_ROOM:
        return f"is longer than {PSEUDONYM_ROOM} characters"
    if not name.isprintable():  # controls, marks that change the direction, and characters without a picture
        return "has a character that cannot be shown"
    if not plain_letters(name):
        return "has no letter or digit"
    return "names a student of the course" if any(map(mentions_student, (name, plain_letters(name)))) else ""
