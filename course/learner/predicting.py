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
from dataclasses import dataclass, replace
from importlib import import_module
from string import ascii_uppercase
from textwrap import dedent
from typing import TYPE_CHECKING

from course.kernel import catalogue, notebook
from course.kernel.attended import bundle_with_widget
from course.show.blocks import CodeExample, Element, Prose, as_html, as_text
from course.show.results import framed_elements

if TYPE_CHECKING:
    from course.learner.asking import AskingWidget, PosedTurn

WHAT_RESULT = "What is the result? Think first, then answer."
AN_ERROR = "an error"
MISSED = "That is not the result. Find out why: a wrong prediction teaches you more than a right one."
HELD = "Correct. Could you explain why?"
SIDEWAYS = (
    'No buttons here? Show the code of this cell, add a letter as the last argument, such as answer="A", and run it.'
)


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


@dataclass(frozen=True, repr=False)
class PosedQuestion(Interactive):
    """A question that can be shown as a widget or as text.

    `right` is the index of the right choice, `why` the reason, or "". The `comments` are on a right answer and on a
    wrong one. `save` gets whether the answer was right. `result` is code that each reply shows, or "".
    `without_buttons` says how to answer where there is no widget.
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
    without_buttons: str = ""

    def elements(self) -> Iterator[Element]:
        """Yield the question, its code if any, and its choices with letters."""
        yield Prose(self.text, f"{self.number}." if self.number else "?")
        if self.code:
            yield CodeExample(self.code)
        yield CodeExample("\n".join(f"{letter}  {choice}" for letter, choice in lettered(self.choices)))
        if self.without_buttons:
            yield Prose(self.without_buttons, faint=True)

    def reply(self, letter: str) -> tuple[Element, ...]:
        """Save an answer, and return the reply. A letter that is no choice is not saved."""
        index = choice_of(letter, self.choices)
        if index is None:
            return (Prose(f"Answer with a letter from A to {lettered(self.choices)[-1][0]}."),)
        is_right = index == self.right
        self.save(is_right)
        elements: list[Element] = [Prose(self.comments[0 if is_right else 1])]
        if self.result:
            elements += [Prose("The result is:"), CodeExample(self.result)]
        elif not is_right and self.right is not None:
            elements += [Prose("The right choice is:"), CodeExample(self.choices[self.right])]
        return (*elements, *([Prose(self.why, "Why?")] if self.why else []))

    @property
    def turn(self) -> PosedTurn:
        """Return the text, code, choices and reply of the question, for its form."""
        text = f"{self.number}. {self.text}" if self.number else self.text
        return text, self.code, lettered(self.choices), lambda letter: as_html(self.reply(letter))

    def widget(self) -> AskingWidget:
        """Return the question as a form."""
        from course.learner.asking import widget_that_asks  # imported here, because it needs anywidget

        return widget_that_asks(*self.turn)


# ------------------------------------------------------------------------------------------------ predictions


def outcome_of(code: str, unit: str = "") -> tuple[str, bool]:
    """Return what some code prints and the value of its last line, and whether it raises an exception.

    The code can use the unit's names, but not the learner's. For an exception, the value is its line in a traceback.
    """
    printed, last, raises = io.StringIO(), "", False
    names: dict[str, object] = {"__name__": "predicted"}
    if unit:
        module = import_module(f"{catalogue.home_of(unit)}.{unit}")
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


def prediction_of(code: str, choices: tuple[str, ...], why: str, unit: str = "") -> PosedQuestion:
    """Return the question what some code returns. A right choice is the result, or `an error` for an exception."""
    result, raises = outcome_of(code, unit)
    right = next((n for n, each in enumerate(choices) if each == result or (raises and each == AN_ERROR)), None)
    return PosedQuestion(
        WHAT_RESULT, code, choices, right, why, (HELD, MISSED), result=result, without_buttons=SIDEWAYS
    )


def predict(code: str, *choices: str, why: str, answer: str | None = None) -> object:
    """Ask what `code` returns: the reader picks one of the `choices`.

    The result and `why` are shown only after an answer. Without widgets, the letter of a choice is passed as `answer=`.
    """
    if notebook.stage():
        return None
    unit = next(iter(notebook.units_imported(notebook.namespace(1))), "")
    question = prediction_of(dedent(code).strip("\n"), choices, why, unit)
    if answer is None:
        return question
    return framed_elements((*replace(question, without_buttons="").elements(), *question.reply(str(answer))))
