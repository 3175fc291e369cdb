"""Questions about the learner's own code: which branch runs, what a name holds, which input comes out differently."""

from course.viva.calls import calls_of
from course.viva.making import CodeQuestion, questions_about

__all__ = ["CodeQuestion", "calls_of", "questions_about"]
