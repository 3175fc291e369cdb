"""Questions about an answer's own code: which branch runs, what a name holds, which input comes out differently."""

from course.viva.calls import calls_of
from course.viva.making import questions_about
from course.viva.question import CodeQuestion, QuestionKind

__all__ = ["CodeQuestion", "QuestionKind", "calls_of", "questions_about"]
