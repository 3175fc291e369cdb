"""Questions about an answer's own code: which branch runs, what a name holds, which input comes out differently."""

from course.viva.making import has_choices, questions_about, reason_for_none
from course.viva.question import REASONS, CodeQuestion, NoQuestion, QuestionKind

__all__ = [
    "REASONS",
    "CodeQuestion",
    "NoQuestion",
    "QuestionKind",
    "has_choices",
    "questions_about",
    "reason_for_none",
]
