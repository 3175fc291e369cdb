"""Predictions: what will this code return? The learner answers before the result is shown, and nothing is marked.

The result is computed from the code itself. Without widgets, the answer is added to the call, and the cell is run
again: `predict("1 + 1", "2", "11", why="…", answer="A")`.
"""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from string import ascii_uppercase
from textwrap import dedent

from course.kernel import catalogue, notebook
from course.show.blocks import CodeExample, Element, Prose, as_html, as_text
from course.show.results import OPEN, Shown, framed
from course.syntax import UNPARSED

WHAT_RESULT = "What is the result? Think first, then answer."
AN_ERROR = "an error"
MISSED = "Not this time. A wrong prediction teaches you more than a right one: find out why."
HELD = "Correct. Could you explain why?"
SIDEWAYS = 'No buttons here? Show the code of this cell, add answer="…" as the last argument, and run it again.'


@dataclass(frozen=True)
class Prediction:
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
        """Return the result, and whether the code raises an exception."""
        printed = io.StringIO()
        with redirect_stdout(printed):
            try:
                last, raises = self._last(), False
            except Exception as error:
                last, raises = f"{type(error).__name__}: {error}", True
        return f"{printed.getvalue()}{last}".rstrip("\n"), raises

    def _last(self) -> str:
        """Return the value of the last line, as the notebook would show it."""
        *before, last = ast.parse(self.code).body
        names = _given(self.unit)
        exec(compile(ast.Module(before, []), "<predicted>", "exec"), names)
        if not isinstance(last, ast.Expr):
            exec(compile(ast.Module([last], []), "<predicted>", "exec"), names)
            return ""
        value = eval(compile(ast.Expression(last.value), "<predicted>", "eval"), names)
        return "" if value is None else repr(value)

    def is_right(self, answer: str) -> bool:
        """Return whether a chosen or typed answer is the right one."""
        result, raises = self._outcome
        return (raises and answer == AN_ERROR) or _tidy(answer) == _tidy(result)

    def chosen(self, answer: str) -> str:
        """Return the choice with this letter. Any other answer is returned unchanged."""
        letters = dict(zip(ascii_uppercase, self.choices, strict=False))
        return letters.get(answer.strip().upper(), answer)

    def asking(self) -> Iterator[Element]:
        """Yield the question."""
        yield Prose(WHAT_RESULT, "?")
        yield CodeExample(self.code)
        if self.choices:
            yield CodeExample("\n".join(f"{letter}  {choice}" for letter, choice in self.lettered))

    @property
    def lettered(self) -> list[tuple[str, str]]:
        """Return the choices with their letters; line breaks in a choice become `⏎`."""
        return [
            (letter, choice.replace("\n", " ⏎ ")) for letter, choice in zip(ascii_uppercase, self.choices, strict=False)
        ]

    def telling(self, answer: str) -> tuple[Element, ...]:
        """Return the reply to an answer: whether it is right, the result, and the explanation."""
        chosen = self.chosen(answer)
        greeting = HELD if self.is_right(chosen) else MISSED
        expected = () if self.is_right(chosen) else (Prose(f"You expected: `{chosen}`", faint=True),)
        return (Prose(greeting), *expected, Prose("The result is:"), CodeExample(self.result), Prose(self.why, "Why?"))

    def __repr__(self) -> str:
        return as_text((*self.asking(), Prose(SIDEWAYS, faint=True)))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> object:
        from course.kernel.attended import alive  # imported here, because it is needed only when a question is drawn

        elements = (*self.asking(), Prose(SIDEWAYS, faint=True))
        still = {"text/plain": repr(self), "text/html": framed(as_html(elements), OPEN)}
        return alive(still, self._widget)

    def _widget(self) -> object:
        from course.learner.asking import widget_that_asks

        return widget_that_asks(self.code, self.lettered, lambda answer: as_html(self.telling(answer)), WHAT_RESULT)


def _given(unit: str) -> dict[str, object]:
    """Return a namespace with the names of a unit's module."""
    names: dict[str, object] = {"__name__": "predicted"}
    if unit:
        module = import_module(f"{catalogue.home_of(unit)}.{unit}")
        names |= {name: getattr(module, name) for name in module.__all__}
    return names


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
    return question if answer is None else answered(question, str(answer))


def answered(question: Prediction, answer: str) -> Shown:
    """Return a question with the reply to an answer."""
    elements = (*question.asking(), *question.telling(answer))
    return Shown(as_text(elements), framed(as_html(elements), OPEN))
