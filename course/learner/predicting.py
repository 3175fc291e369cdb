"""Questions with lettered choices, as predict, viva and today show them."""

from __future__ import annotations

import ast
import io
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from importlib import import_module
from string import ascii_uppercase
from textwrap import dedent
from typing import TYPE_CHECKING

from course.diagnoses.obstacle import obstacle_text
from course.kernel import catalogue, notebook
from course.kernel.notebook import NotRight, bundle_with_widget, publish_button
from course.learner.answer import Answer, answer_to
from course.learner.progress import current_state, stored_state
from course.show.blocks import CodeExample, Element, Prose, as_html, as_text
from course.show.pictures import html_until_widget
from course.show.results import GOOD, DisplayedText, Result, framed_elements, framed_prose

if TYPE_CHECKING:
    from course.learner.asking import AskingWidget, QuestionParts

PREDICTION_QUESTION = "What is the result? Think first, then answer."
ERROR_CHOICE = "an error"
WRONG_PREDICTION_COMMENT = "That is not the result. Find out why: a wrong prediction teaches you more than a right one."
RIGHT_PREDICTION_COMMENT = "Correct. Could you explain why?"


class InteractiveDisplay(ABC):
    """An object that is displayed as a widget, or as text if widgets do not work.

    Dataclass subclasses need `repr=False`.
    """

    @abstractmethod
    def elements(self) -> Iterable[Element]:
        """Return the elements that are shown if widgets do not work."""

    @abstractmethod
    def widget(self) -> object:
        """Return the widget. Raises ImportError if widgets are not installed."""

    def __repr__(self) -> str:
        return as_text(self.elements())

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> object:
        return bundle_with_widget(framed_elements(self.elements())._repr_mimebundle_(), self.widget)


def lettered_choices(choices: Sequence[str]) -> list[tuple[str, str]]:
    """Return each choice with a letter, as pairs. Line breaks in a choice become `⏎`."""
    return [(letter, choice.replace("\n", " ⏎ ")) for letter, choice in zip(ascii_uppercase, choices, strict=False)]


def index_of_choice(letter: str, choices: Sequence[str]) -> int | None:
    """Return the index of the choice with this letter, or None if no choice has the letter.

    >>> index_of_choice(" b ", ("one", "two")), index_of_choice("c", ("one", "two"))
    (1, None)
    """
    letters = [each for each, _ in lettered_choices(choices)]
    return letters.index(letter.strip().upper()) if letter.strip().upper() in letters else None


@dataclass(frozen=True, repr=False)
class PosedQuestion(InteractiveDisplay):
    """A question that can be shown as a widget or as text.

    `right` is the index of the right choice, and `why` is the reason why this choice is right, or "". `comments` has
    the comment on a right answer and the comment on a wrong answer. `save` is called with True if the answer was right,
    and with False if it was wrong. `result` is the result of the code (or ""), which every reply shows.
    """

    text: str
    code: str
    choices: tuple[str, ...]
    right: int | None
    why: str
    comments: tuple[str, str]
    number: int | None = None
    save: Callable[[bool], None] = lambda is_right: None
    result: str = ""

    def elements(self) -> Iterator[Element]:
        """Yield the question, its code if it has some, and its choices with letters."""
        yield Prose(self.text, f"{self.number}." if self.number else "?")
        if self.code:
            yield CodeExample(self.code)
        yield CodeExample("\n".join(f"{letter}  {choice}" for letter, choice in lettered_choices(self.choices)))

    def reply(self, letter: str) -> tuple[Element, ...]:
        """Save the answer with this letter, and return the reply. If no choice has this letter, nothing is saved."""
        index = index_of_choice(letter, self.choices)
        if index is None:
            return (Prose(f"Answer with a letter from A to {lettered_choices(self.choices)[-1][0]}."),)
        is_right = index == self.right
        self.save(is_right)
        elements: list[Element] = [Prose(self.comments[0 if is_right else 1])]
        if self.result:
            elements += [Prose("The result is:"), CodeExample(self.result)]
        elif not is_right and self.right is not None:
            elements += [Prose("The right choice is:"), CodeExample(self.choices[self.right])]
        return (*elements, *([Prose(self.why, "Why?")] if self.why else []))

    @property
    def question_parts(self) -> QuestionParts:
        """Return the parts of the question's form: text, code, choices, and the function that returns the reply."""
        text = f"{self.number}. {self.text}" if self.number else self.text
        return text, self.code, lettered_choices(self.choices), lambda letter: as_html(self.reply(letter))

    def widget(self) -> AskingWidget:
        """Return the question as a form."""
        from course.learner.asking import widget_that_asks  # imported here, because it needs anywidget

        return widget_that_asks(*self.question_parts)


# ------------------------------------------------------------------------------------------------ predictions


def outcome_of(code: str, unit: str = "") -> tuple[str, bool]:
    """Run some code. Return the printed text and the value of the last line, and whether the code raises an exception.

    The code can use the unit's names, but not the learner's. If the code raises an exception, the last line of the
    traceback replaces the value.
    """
    printed, last, raises = io.StringIO(), "", False
    names: dict[str, object] = {"__name__": "predicted"}
    if unit:
        module = import_module(f"{catalogue.package_of_unit(unit)}.{unit}")
        names |= {name: getattr(module, name) for name in module.__all__}
    with redirect_stdout(printed):
        try:
            *before, end = ast.parse(code).body
            exec(compile(ast.Module(before, []), "<predicted>", "exec"), names)
            if isinstance(end, ast.Expr):
                value = eval(compile(ast.Expression(end.value), "<predicted>", "eval"), names)
                last = "" if value is None else repr(value)
            else:
                exec(compile(ast.Module([end], []), "<predicted>", "exec"), names)
        except Exception as error:
            last, raises = f"{type(error).__name__}: {error}", True
    return f"{printed.getvalue()}{last}".rstrip("\n"), raises


def prediction_question(code: str, choices: tuple[str, ...], why: str, unit: str = "") -> PosedQuestion:
    """Return a question that asks for the result of some code.

    The right choice is the result of the code, or `an error` if the code raises an exception.
    """
    result, raises = outcome_of(code, unit)
    right = next((n for n, each in enumerate(choices) if each == result or (raises and each == ERROR_CHOICE)), None)
    return PosedQuestion(
        PREDICTION_QUESTION,
        code,
        choices,
        right,
        why,
        (RIGHT_PREDICTION_COMMENT, WRONG_PREDICTION_COMMENT),
        result=result,
    )


def predict(code: str, *choices: str, why: str) -> PosedQuestion | None:
    """Ask what `code` returns. The learner picks one of the `choices`, then sees the result and the reason `why`."""
    if notebook.nbgrader_step():
        return None
    unit = next(iter(notebook.imported_units(notebook.namespace(1))), "")
    return prediction_question(dedent(code).strip("\n"), choices, why, unit)


# ------------------------------------------------------------------------------------------------ the oral check

QUESTIONS_PER_VIVA = 3
VIVA_OFFER = "Oral check: can you explain it?"
NO_VIVA_QUESTIONS = (
    "There are no questions about `{}`. Either this function has no branch or loop, or its known inputs are too few, "
    "too long or too similar for questions."
)
VIVA_COMMENTS = "Correct.", "That is not right. To see how the call runs, use `watch`."


def viva(exercise: str | Callable[..., object]) -> DisplayedText | None:
    """Ask three questions about the learner's own right answer to an exercise: an oral check.

    Raises NotRight if the answer has not passed its check.
    """
    if notebook.nbgrader_step():
        return None
    own = answer_to(exercise)
    if current_state(own.space, own.unit, own.name, stored_state(own)) != GOOD:
        raise NotRight(f'the oral check needs a right answer: when check("{own.name}") passes, run this cell again')
    if own.obstacle:
        raise NotRight(f"the oral check cannot ask about `{own.name}`: {obstacle_text(own.obstacle, own.name)}")
    posed = viva_questions(own)
    if not posed:
        return framed_prose((NO_VIVA_QUESTIONS.format(own.name),))
    for each in posed:
        notebook.show(each)
    return None


def viva_questions(own: Answer) -> tuple[PosedQuestion, ...]:
    """Return questions about the learner's own answer.

    The same answer in the same folder always has the same questions.
    """
    # Imported here, because few cells need it.
    from course.viva import known_calls_of, questions_about, with_line_numbers

    seed = f"{own.space.folder} {own.unit}"
    questions = questions_about(own.source, own.name, own.names, known_calls_of(own.unit, own.name), seed, own.unit)
    return tuple(
        PosedQuestion(
            each.text,
            f"{with_line_numbers(each.code)}\n\n{each.shown_calls}".rstrip(),
            each.choices,
            each.right,
            each.why,
            VIVA_COMMENTS,
        )
        for each in questions[:QUESTIONS_PER_VIVA]
    )


def offer_viva_questions(answer: Answer, result: Result) -> bool:
    """Show the result of a right answer, with a button that opens questions about this answer.

    Return False if there are no widgets.
    """
    try:
        from course.learner.asking import widget_that_asks_in_turn
    except ImportError:
        return False

    def pose() -> list[QuestionParts]:
        if posed := viva_questions(answer):
            return [each.question_parts for each in posed]
        raise NotRight(NO_VIVA_QUESTIONS.format(answer.name))

    notebook.show(replace(result, offer=""))
    publish_button(widget_that_asks_in_turn(VIVA_OFFER, pose)._repr_mimebundle_(), html_until_widget(""))
    return True
