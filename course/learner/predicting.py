"""Questions with lettered choices, as `predict`, `viva` and `today` show them, and what is a widget or else text.

`predict` asks what some code will return: the learner answers before the result is shown, and nothing is marked. The
result is computed from the code itself. Without widgets, the answer is added to the call, and the cell is run again:
`predict("1 + 1", "2", "11", why="…", answer="A")`.
"""

from __future__ import annotations

import ast
import io
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from string import ascii_uppercase
from textwrap import dedent
from typing import TYPE_CHECKING

from course.kernel import catalogue, notebook
from course.kernel.attended import bundle_with_widget
from course.show.blocks import CodeExample, Element, Prose, as_html, as_text
from course.show.results import framed_elements
from course.syntax import UNPARSED

if TYPE_CHECKING:
    from course.learner.asking import AskingWidget, PosedTurn

WHAT_RESULT = "What is the result? Think first, then answer."
AN_ERROR = "an error"
MISSED = "Not this time. Find out why: a wrong prediction teaches you more than a right one."
HELD = "Correct. Could you explain why?"
SIDEWAYS = 'No buttons here? Show the code of this cell, add answer="…" as the last argument, and run it again.'


class Interactive(ABC):
    """Something to display, with a widget. A dataclass that is a subclass needs `repr=False`."""

    @abstractmethod
    def elements(self) -> Iterable[Element]:
        """Return what is shown without a widget."""

    @abstractmethod
    def widget(self) -> object:
        """Return the widget. Raises ImportError if widgets are not installed."""

    def __repr__(self) -> str:
        return as_text(self.elements())

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> object:
        return bundle_with_widget(framed_elements(self.elements())._repr_mimebundle_(), self.widget)


def lettered(choices: Sequence[str]) -> list[tuple[str, str]]:
    """Return choices with their letters; line breaks in a choice become `⏎`."""
    return [(letter, choice.replace("\n", " ⏎ ")) for letter, choice in zip(ascii_uppercase, choices, strict=False)]


def choice_of(letter: str, choices: Sequence[str]) -> int | None:
    """Return the index of the choice with this letter, or None.

    >>> choice_of(" b ", ("one", "two")), choice_of("c", ("one", "two"))
    (1, None)
    """
    letters = [each for each, _ in lettered(choices)]
    return letters.index(letter.strip().upper()) if letter.strip().upper() in letters else None


def question_elements(text: str, code: str, choices: Sequence[str], lead: str = "?") -> Iterator[Element]:
    """Yield a question, its code if any, and its choices with letters."""
    yield Prose(text, lead)
    if code:
        yield CodeExample(code)
    if choices:
        yield CodeExample("\n".join(f"{letter}  {choice}" for letter, choice in lettered(choices)))


@dataclass(frozen=True, repr=False)
class PosedQuestion(Interactive):
    """A question that can be shown as a widget or as text.

    `right` is the index of the right choice, `why` the reason, or "". The `comments` are on a right answer and on a
    wrong one. `save` gets whether the answer was right.
    """

    text: str
    code: str
    choices: tuple[str, ...]
    right: int
    why: str
    comments: tuple[str, str]
    number: int | None = None
    save: Callable[[bool], None] = lambda is_right: None

    def elements(self) -> Iterator[Element]:
        """Yield the question with its choices."""
        yield from question_elements(self.text, self.code, self.choices, f"{self.number}." if self.number else "?")

    def reply(self, letter: str) -> tuple[Element, ...]:
        """Save an answer, and return the reply. A letter that is no choice is not saved."""
        index = choice_of(letter, self.choices)
        if index is None:
            return (Prose(f"Answer with a letter from A to {lettered(self.choices)[-1][0]}."),)
        is_right = index == self.right
        self.save(is_right)
        reason = [Prose(self.why, "Why?")] if self.why else []
        if is_right:
            return (Prose(self.comments[0]), *reason)
        return (Prose(self.comments[1]), Prose("The right choice is:"), CodeExample(self.choices[self.right]), *reason)

    def answered(self, letter: str) -> tuple[Element, ...]:
        """Return the question with the reply to an answer."""
        return (*self.elements(), *self.reply(letter))

    @property
    def turn(self) -> PosedTurn:
        """Return the text, code, choices and reply of the question, for its form."""
        text = f"{self.number}. {self.text}" if self.number else self.text
        return text, self.code, lettered(self.choices), lambda letter: as_html(self.reply(letter))

    def widget(self) -> AskingWidget:
        """Return the question as a form."""
        from course.learner.asking import widget_that_asks  # imported here, because it needs anywidget

        text, code, choices, reply = self.turn
        return widget_that_asks(code, choices, reply, text)


# ------------------------------------------------------------------------------------------------ predictions


@dataclass(frozen=True, repr=False)
class Prediction(Interactive):
    """A question: some code, possible results (none if the answer is typed), and an explanation of the result.

    The code can use the unit's names, but not the learner's. A question is shown as a widget, or with instructions on
    how to answer without one.
    """

    code: str
    choices: tuple[str, ...]
    why: str
    unit: str = ""

    @property
    def result(self) -> str:
        """Return what the code prints and the value of its last line, or the last line of the traceback."""
        return self._outcome[0]

    @cached_property
    def _outcome(self) -> tuple[str, bool]:
        """Return the result, and whether the code raises an exception. A last value is shown as the notebook would."""
        printed, last, raises = io.StringIO(), "", False
        names: dict[str, object] = {"__name__": "predicted"}
        if self.unit:
            module = import_module(f"{catalogue.home_of(self.unit)}.{self.unit}")
            names |= {name: getattr(module, name) for name in module.__all__}
        with redirect_stdout(printed):
            try:
                *before, end = ast.parse(self.code).body
                exec(compile(ast.Module(before, []), "<predicted>", "exec"), names)
                if isinstance(end, ast.Expr):
                    value = eval(compile(ast.Expression(end.value), "<predicted>", "eval"), names)
                    last = "" if value is None else repr(value)
                else:
                    exec(compile(ast.Module([end], []), "<predicted>", "exec"), names)
            except Exception as error:
                last, raises = f"{type(error).__name__}: {error}", True
        return f"{printed.getvalue()}{last}".rstrip("\n"), raises

    def is_right(self, answer: str) -> bool:
        """Return whether a chosen or typed answer is the right one."""
        result, raises = self._outcome
        return (raises and answer == AN_ERROR) or _tidy(answer) == _tidy(result)

    def asking(self) -> Iterator[Element]:
        """Yield the question."""
        yield from question_elements(WHAT_RESULT, self.code, self.choices)

    def elements(self) -> Iterator[Element]:
        """Yield the question, and how to answer it without a widget."""
        yield from self.asking()
        yield Prose(SIDEWAYS, faint=True)

    def telling(self, answer: str) -> tuple[Element, ...]:
        """Return the reply to an answer: whether it is right, the result, and the explanation."""
        index = choice_of(answer, self.choices)
        chosen = answer if index is None else self.choices[index]
        greeting = HELD if self.is_right(chosen) else MISSED
        expected = () if self.is_right(chosen) else (Prose(f"You expected: `{chosen}`", faint=True),)
        return (Prose(greeting), *expected, Prose("The result is:"), CodeExample(self.result), Prose(self.why, "Why?"))

    def widget(self) -> object:
        """Return the question as a form."""
        from course.learner.asking import widget_that_asks  # imported here, because it needs anywidget

        choices = lettered(self.choices)
        return widget_that_asks(self.code, choices, lambda answer: as_html(self.telling(answer)), WHAT_RESULT)


def _tidy(text: str) -> str:
    """Return an answer in a normal form, without differences in spaces and quotes."""
    try:
        return ast.dump(ast.parse(text.strip(), mode="eval"))
    except UNPARSED:
        return " ".join(text.split())


def predict(code: str, *choices: str, why: str, answer: str | None = None) -> object:
    """Ask what `code` returns: the reader picks one of the `choices`, or else types the result.

    The result and `why` are shown only after an answer. Without widgets, the answer is passed as `answer=`.
    """
    if notebook.stage():
        return None
    unit = next(iter(notebook.units_imported(notebook.namespace(1))), "")
    question = Prediction(dedent(code).strip("\n"), choices, why, unit)
    return question if answer is None else framed_elements((*question.asking(), *question.telling(str(answer))))
