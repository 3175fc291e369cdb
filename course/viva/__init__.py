"""Questions about an answer's own code: which branch or line runs, and what value a name has."""

from course.viva.making import has_choices, questions_about
from course.viva.question import CodeQuestion, QuestionKind

__all__ = [
    "CodeQuestion",
    "QuestionKind",
    "has_choices",
    "questions_about",
]
