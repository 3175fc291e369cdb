"""`catch("flip")`: examples of an exercise to fill in before writing it, as a form, or as the code of a cell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from course.exam.impostors import chosen_inputs
from course.exam.observing import TimeUp
from course.exam.readable import one_line
from course.kernel import catalogue, notebook
from course.kernel.attended import is_attended, publish_button
from course.kernel.limits import limited
from course.kernel.notebook import NotRight
from course.learner.answer import Answer, answer_to
from course.learner.impostors import JudgedExamples, OwnExample, caught, known_of
from course.show.blocks import CodeExample, Element, Prose, as_html
from course.show.interactive import Interactive
from course.show.widgets import until_widget

if TYPE_CHECKING:
    from course.learner.asking import AskingWidget

INPUTS_SHOWN = 6
OFFER = "Find the wrong answers"
WHAT = "What does `{name}` return? {count} wrong answers are known: which of them do your examples catch?"
BUTTON = "Try my examples"
FILL_IN = "Copy this into a cell, replace some of the `...` by results, and run it. It earns no points:"


@dataclass(frozen=True, repr=False)
class Invitation(Interactive):
    """The offer to try examples of an exercise first, with inputs from its world."""

    answer: Answer

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """Return the code of some inputs that together catch all wrong answers, the shortest first."""
        known = known_of(self.answer.unit, self.answer.name)
        if known is None:
            return ()
        codes = known.codes(import_module(self.answer.requirements.module), self.answer.name)
        return tuple(sorted((codes[index] for index in chosen_inputs(known.caught, INPUTS_SHOWN)), key=len))

    @property
    def _text(self) -> str:
        known = known_of(self.answer.unit, self.answer.name)
        return WHAT.format(name=self.answer.name, count=len(known.beliefs) if known else 0)

    @property
    def code(self) -> str:
        """Return a cell with the examples, whose results are to be filled in."""
        lines = [f'    example("{self.answer.name}", {code}, ...),' for code in self.arguments]
        return "\n".join(("from course.check import catch, example", "", "catch(", *lines, ")"))

    def elements(self) -> Iterator[Element]:
        """Yield the question, and the code of the cell."""
        yield Prose(self._text, "?")
        yield Prose(FILL_IN, faint=True)
        yield CodeExample(self.code)

    def widget(self) -> AskingWidget:
        """Return the form, behind a button."""
        from course.learner.asking import widget_that_offers_lines  # imported here, because it needs anywidget

        calls = [call_with(self.answer.name, code) for code in self.arguments]
        return widget_that_offers_lines(OFFER, self._text, calls, BUTTON, self.reply)

    def reply(self, typed: list[str]) -> str:
        """Return HTML with the wrong answers that the typed results catch. Lines without a result are left out."""
        pairs = [(code, text) for code, text in zip(self.arguments, typed, strict=True) if text.strip()]
        try:
            examples = tuple(self._example(*pair) for pair in pairs)
            return as_html(caught(examples, len(examples)).elements() if examples else [Prose(self._text)])
        except NotRight as error:
            return as_html([Prose(str(error))])

    def _example(self, arguments: str, result: str) -> OwnExample:
        names = {**vars(import_module(self.answer.requirements.module))}
        try:
            with limited():
                value = eval(result.strip(), names)
                own = OwnExample(self.answer, eval(arguments, names), value)
                own.line  # noqa: B018  which fails for a value that has no code
        except (Exception, TimeUp) as error:
            text = f"`{one_line(result, 60)}` is not a result: {one_line(error, 100)}. Write it as Python shows it."
            raise NotRight(text) from None
        return own


def call_with(name: str, arguments: str) -> str:
    """Return the code of a call, from the code of a tuple of arguments.

    >>> call_with("flip", "(Domino(1, 2),)"), call_with("f", "(1, (2,))")
    ('flip(Domino(1, 2))', 'f(1, (2,))')
    """
    return f"{name}{arguments.removesuffix(',)')}{')' * arguments.endswith(',)')}"


def catch(*examples: object) -> object:
    """Show which examples of an exercise are right, and which wrong answers they catch. This earns no points.

    With the name of an exercise, or its function, show examples of it to fill in.
    """
    if notebook.stage():
        return None
    first = examples[0] if len(examples) == 1 else None
    if isinstance(first, str) or callable(first):
        answer = answer_to(first, 1)
        return Invitation(answer) if known_of(answer.unit, answer.name) else JudgedExamples(answer, (), ())
    own = tuple(each for each in examples if isinstance(each, OwnExample))
    return caught(own, len(examples))


def is_catchable(answer: Answer) -> bool:
    """Return whether wrong answers to an exercise can be caught here; False if that is not computed yet."""
    full = catalogue.examiner()
    known = full.stored_impostors(answer.unit) if full else catalogue.sealed(answer.unit).impostors
    return known is not None and answer.name in known


def offer_examples(answer: Answer) -> None:
    """Show the button below a result, if wrong answers can be caught and a person uses this kernel."""
    if is_attended() and is_catchable(answer):
        with suppress(ImportError):  # without widgets there is no button
            publish_button(Invitation(answer).widget()._repr_mimebundle_(), until_widget(""))
