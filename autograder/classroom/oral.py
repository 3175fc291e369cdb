"""The page for an oral check: questions about a student's own answers, and a part for the examiner."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.classroom.template import rendered
from autograder.text import counted, shown_name
from course.viva.question import CodeQuestion, with_numbers


def oral_page(student: str, questions: Sequence[CodeQuestion]) -> str:
    """Return the page as HTML. Everything in it that comes from a student is escaped."""
    functions = {"counted": counted, "with_numbers": with_numbers}
    return rendered("oral.html", functions, student=shown_name(student), questions=questions)
