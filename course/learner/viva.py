"""Questions about the learner's own answer, after a pass: `viva("move_action")`. Nothing is marked.

Without widgets, the answers are added to the call: `viva("move_action", answer="ACB")`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from string import ascii_uppercase

from course.kernel import notebook
from course.kernel.notebook import NotRight
from course.learner.answer import Answer, answer_to
from course.learner.progress import current_state, stored_state
from course.show.blocks import CodeExample, Element, Prose, as_html, as_text
from course.show.results import GOOD, OPEN, Shown, framed, prose
from course.viva import CodeQuestion, has_choices, questions_about
from course.viva.calls import calls_of
from course.viva.question import with_numbers

NUMBER_OF_QUESTIONS = 3
HOW_TO_ANSWER = 'No buttons here? Answer with letters, and run the cell again: `viva("{}", answer="ABC")`'
NO_BRANCH = "`{}` takes the same way for every input, so there is nothing to ask about its code."
NO_QUESTION = "There is no question about `{}`: too few short inputs are known, or its result depends on chance."
RIGHT_CHOICE = "Correct."
MISSED_CHOICE = "Not this time: the right choice is {}. `watch` shows how the call runs."


@dataclass(frozen=True)
class PosedQuestion:
    """A question about one's own code, as shown: as a widget, or as text."""

    question: CodeQuestion

    def asking(self) -> Iterator[Element]:
        """Yield the question with its choices."""
        yield Prose(self.question.text, "?")
        yield CodeExample(self.listing)
        yield CodeExample("\n".join(f"{letter}  {choice}" for letter, choice in self.lettered))

    @property
    def listing(self) -> str:
        """Return the answer's code with line numbers, and the calls in question below it."""
        calls = self.question.shown_calls
        return with_numbers(self.question.code) + (f"\n\n{calls}" if calls else "")

    @property
    def lettered(self) -> list[tuple[str, str]]:
        """Return the choices with their letters."""
        return list(zip(ascii_uppercase, self.question.choices, strict=False))

    def telling(self, letter: str) -> tuple[Element, ...]:
        """Return the reply to an answer: whether it is right, and why."""
        right = ascii_uppercase[self.question.right]
        reply = RIGHT_CHOICE if letter.strip().upper() == right else MISSED_CHOICE.format(right)
        return (Prose(reply), *((Prose(self.question.why, "Why?"),) if self.question.why else ()))

    def answered(self, letter: str) -> Shown:
        """Return the question with the reply to an answer."""
        elements = (*self.asking(), *self.telling(letter))
        return Shown(as_text(elements), framed(as_html(elements), OPEN))

    def __repr__(self) -> str:
        return as_text(self.asking())

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> object:
        from course.kernel.attended import alive  # imported here, because it is needed only when a question is drawn

        return alive({"text/plain": repr(self), "text/html": framed(as_html(self.asking()), OPEN)}, self._widget)

    def _widget(self) -> object:
        from course.learner.asking import widget_that_asks

        return widget_that_asks(
            self.listing, self.lettered, lambda letter: as_html(self.telling(letter)), self.question.text
        )


def viva(exercise: str | Callable[..., object], answer: str | None = None) -> Shown | None:
    """Ask three questions about the learner's own answer to an exercise, once the answer is right.

    Without widgets, the letters of the choices are passed as `answer`. Raises NotRight if the answer has not passed.
    """
    if notebook.stage():
        return None
    own = answer_to(exercise, 1)
    if current_state(own.space, own.unit, own.name, stored_state(own)) != GOOD:
        raise NotRight(f'viva asks about a right answer: run check("{own.name}") first, until it is green')
    posed = own_questions(own)
    if not posed:
        why = NO_QUESTION if has_choices(own.source, own.name) else NO_BRANCH
        return prose((why.format(own.name),))
    for number, each in enumerate(posed):
        notebook.show(each if answer is None else each.answered(answer[number : number + 1]))
    return prose((HOW_TO_ANSWER.format(own.name),)) if answer is None else None


def own_questions(own: Answer, most: int = NUMBER_OF_QUESTIONS) -> tuple[PosedQuestion, ...]:
    """Return questions about an answer in this notebook. The same answer in the same folder has the same questions."""
    seed = f"{own.space.folder} {own.unit}"
    questions = questions_about(own.source, own.name, own.names, calls_of(own.unit, own.name), seed, own.unit)
    return tuple(map(PosedQuestion, questions[:most]))
