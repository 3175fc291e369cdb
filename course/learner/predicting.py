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
from textwrap import dedent

from course.kernel import catalogue, notebook
from course.learner.choices import choice_of, lettered, question_elements
from course.show.blocks import CodeExample, Element, Prose, as_html
from course.show.interactive import Interactive
from course.show.results import Shown, framed_elements
from course.syntax import UNPARSED

WHAT_RESULT = "What is the result? Think first, then answer."
AN_ERROR = "an error"
MISSED = "Not this time. Find out why: a wrong prediction teaches you more than a right one."
HELD = "Correct. Could you explain why?"
SIDEWAYS = 'No buttons here? Show the code of this cell, add answer="…" as the last argument, and run it again.'


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
        index = choice_of(answer, self.choices)
        return answer if index is None else self.choices[index]

    def asking(self) -> Iterator[Element]:
        """Yield the question."""
        yield from question_elements(WHAT_RESULT, self.code, self.choices)

    def elements(self) -> Iterator[Element]:
        """Yield the question, and how to answer it without a widget."""
        yield from self.asking()
        yield Prose(SIDEWAYS, faint=True)

    def telling(self, answer: str) -> tuple[Element, ...]:
        """Return the reply to an answer: whether it is right, the result, and the explanation."""
        chosen = self.chosen(answer)
        greeting = HELD if self.is_right(chosen) else MISSED
        expected = () if self.is_right(chosen) else (Prose(f"You expected: `{chosen}`", faint=True),)
        return (Prose(greeting), *expected, Prose("The result is:"), CodeExample(self.result), Prose(self.why, "Why?"))

    def widget(self) -> object:
        """Return the question as a form."""
        from course.learner.asking import widget_that_asks  # imported here, because it needs anywidget

        choices = lettered(self.choices)
        return widget_that_asks(self.code, choices, lambda answer: as_html(self.telling(answer)), WHAT_RESULT)


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
    return framed_elements((*question.asking(), *question.telling(answer)))
