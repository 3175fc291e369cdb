"""The page for an oral check: questions about a student's own answers, and a part for the examiner."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment

from autograder.text import counted, shown_name
from course.viva.question import CodeQuestion, with_numbers

ORAL_TEMPLATE = Path(__file__).with_name("oral.html")


def oral_page(student: str, questions: Sequence[CodeQuestion]) -> str:
    """Return the page as HTML. Everything in it that comes from a student is escaped."""
    environment = Environment(autoescape=True, trim_blocks=True)
    environment.globals |= {"counted": counted, "with_numbers": with_numbers}
    template = environment.from_string(ORAL_TEMPLATE.read_text(encoding="utf-8"))
    return template.render(student=shown_name(student), questions=questions)
