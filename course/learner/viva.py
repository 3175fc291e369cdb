"""The oral check of the learner's own answer, after a pass: `viva("move_action")`. Nothing is marked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from course.diagnoses.obstacle import obstacle_text
from course.kernel import notebook
from course.kernel.attended import publish_button
from course.kernel.notebook import NotRight
from course.learner.answer import Answer, answer_to
from course.learner.predicting import PosedQuestion
from course.learner.progress import current_state, stored_state
from course.show.results import GOOD, Result, Shown, prose
from course.show.widgets import until_widget

NUMBER_OF_QUESTIONS = 3
VIVA_OFFER = "Oral check: can you explain it?"
NO_QUESTION = (
    "There are no questions about `{}`. Either this function has no branch or loop, or its known inputs are too few, "
    "too long or too similar for questions."
)
COMMENTS = "Correct.", "That is not right. To see how the call runs, use `watch`."


def viva(exercise: str | Callable[..., object]) -> Shown | None:
    """Ask three questions about the learner's own answer to an exercise, once the answer is right: an oral check.

    Raises NotRight if the answer has not passed.
    """
    if notebook.stage():
        return None
    own = answer_to(exercise)
    if current_state(own.space, own.unit, own.name, stored_state(own)) != GOOD:
        raise NotRight(f'the oral check needs a right answer: when check("{own.name}") passes, run this cell again')
    if own.obstacle:
        raise NotRight(f"the oral check cannot ask about `{own.name}`: {obstacle_text(own.obstacle, own.name)}")
    posed = own_questions(own)
    if not posed:
        return prose((NO_QUESTION.format(own.name),))
    for each in posed:
        notebook.show(each)
    return None


def own_questions(own: Answer) -> tuple[PosedQuestion, ...]:
    """Return questions about an answer in this notebook. The same answer in the same folder has the same questions."""
    from course.viva import questions_about  # imported here, because few cells need it
    from course.viva.question import calls_of, with_numbers

    seed = f"{own.space.folder} {own.unit}"
    questions = questions_about(own.source, own.name, own.names, calls_of(own.unit, own.name), seed, own.unit)
    return tuple(
        PosedQuestion(
            each.text,
            f"{with_numbers(each.code)}\n\n{each.shown_calls}".rstrip(),
            each.choices,
            each.right,
            each.why,
            COMMENTS,
        )
        for each in questions[:NUMBER_OF_QUESTIONS]
    )


def offer_questions(answer: Answer, result: Result) -> bool:
    """Show a right result, and the button below it. Return False if there are no widgets."""
    try:
        from course.learner.asking import PosedTurn, widget_that_asks_in_turn
    except ImportError:
        return False

    def pose() -> list[PosedTurn]:
        if posed := own_questions(answer):
            return [each.turn for each in posed]
        raise NotRight(NO_QUESTION.format(answer.name))

    notebook.show(replace(result, offer=""))
    publish_button(widget_that_asks_in_turn(VIVA_OFFER, pose)._repr_mimebundle_(), until_widget(""))
    return True
