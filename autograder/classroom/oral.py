"""The page for an oral check: questions about a student's own answers, and a part for the examiner."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.classroom.template import rendered
from autograder.report.render import docstrings_in
from autograder.text import counted, shown_name
from course.show.blocks import backquotes_html
from course.syntax import lines_of
from course.viva.question import CodeQuestion


def oral_page(student: str, questions: Sequence[CodeQuestion]) -> str:
    """Return the page as HTML. Everything in it that comes from a student is escaped."""
    functions = {"counted": counted, "numbered_lines": numbered_lines, "prose": backquotes_html}
    return rendered("oral.html", functions, student=shown_name(student), questions=questions)


def numbered_lines(code: str) -> list[tuple[int, str]]:
    """Return the lines of an answer with their numbers, but no docstrings.

    >>> numbered_lines("def f():\\n    'It returns 1.'\\n    return 1")
    [(1, 'def f():'), (3, '    return 1')]
    """
    docstrings = {line for first, last in docstrings_in(code) for line in range(first, last + 1)}
    return [each for each in enumerate(lines_of(code.rstrip()), 1) if each[0] not in docstrings]
