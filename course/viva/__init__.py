"""Questions about an answer's own code: which branch runs, what a name holds, which input comes out differently."""

from course.viva.making import can_be_asked_about, questions_about
from course.viva.question import CodeQuestion, QuestionKind

__all__ = ["CodeQuestion", "QuestionKind", "can_be_asked_about", "questions_about"]
