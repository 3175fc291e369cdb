"""The widgets of questions and Parsons puzzles. They get answers from the browser, and reply with the result."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

import anywidget
import traitlets

from course.exam.sealed import Puzzle
from course.kernel.notebook import NotRight, call_between_cells
from course.show.pictures import joined_files

CHECK_ANSWER, NEXT_QUESTION = "Check my answer", "Next question"
CODE_IS_RUNNING = "Your code is running …"

# A question's text, its code, its choices with letters, and what returns the reply to a letter, as HTML.
QuestionParts: TypeAlias = tuple[str, str, list[tuple[str, str]], Callable[[str], str]]


class AskingWidget(anywidget.AnyWidget):
    """A widget that shows a question, and then the reply to the learner's answer.

    The browser gets the reply only after the learner has answered.
    """

    _esm = joined_files("show/page.js", "learner/asking.js")
    _css = joined_files("learner/asking.css")
    question = traitlets.Dict().tag(sync=True)
    reply_html = traitlets.Unicode().tag(sync=True)


def widget_that_asks(text: str, code: str, choices: list[tuple[str, str]], reply: Callable[[str], str]) -> AskingWidget:
    """Return the widget of a question. `reply` returns the HTML that is shown after the first answer."""
    widget = AskingWidget(question=_question_data(text, code, choices, button=CHECK_ANSWER))
    _pass_on_answers(widget, lambda answers: widget.reply_html or reply(answers[0]))
    return widget


def widget_that_offers_lines(
    offer: str, text: str, lines: list[str], button: str, reply: Callable[[list[str]], str]
) -> AskingWidget:
    """Return a widget with a button. A click on the button opens lines of text that the learner completes.

    Each time the learner sends the lines, `reply` gets them and returns the HTML to show.
    """
    widget = AskingWidget(question=_question_data(text, lines=lines, button=button, offer=offer))
    _pass_on_answers(widget, reply)
    return widget


def widget_that_asks_in_turn(offer: str, pose: Callable[[], Sequence[QuestionParts]]) -> AskingWidget:
    """Return a widget with a button that opens questions, one after the other.

    `pose` returns the questions when the button is clicked. `pose` raises NotRight if there are no questions.
    """
    widget = AskingWidget(question=_question_data("", offer=offer))
    turns = _ask_in_turn(widget, pose)
    next(turns)

    def receive(answers: list[str]) -> None:
        with suppress(StopIteration):
            turns.send(answers)

    _pass_on_answers(widget, receive)
    return widget


def _ask_in_turn(widget: AskingWidget, pose: Callable[[], Sequence[QuestionParts]]) -> Generator[None, list[str], None]:
    """Ask the questions in turn. The caller sends each answer, and then an empty list to get the next question."""
    yield
    _show_question(widget, _question_data(CODE_IS_RUNNING))
    posed: Sequence[QuestionParts] = ()
    try:
        posed = pose()
    except NotRight as error:
        _show_question(widget, _question_data(str(error)))
    for left, (question, code, choices, reply) in zip(range(len(posed) - 1, -1, -1), posed, strict=True):
        parts = _question_data(question, code, choices, button=CHECK_ANSWER)
        _show_question(widget, parts | {"next": NEXT_QUESTION if left else ""})
        while not (answers := (yield)):
            pass
        widget.reply_html = reply(answers[0])
        while (yield):
            pass


def _show_question(widget: AskingWidget, parts: Mapping[str, object]) -> None:
    with widget.hold_sync():
        widget.question, widget.reply_html = dict(parts), ""


def _question_data(
    text: str,
    code: str = "",
    choices: Sequence[tuple[str, str]] = (),
    lines: Sequence[str] = (),
    button: str = "",
    offer: str = "",
) -> dict[str, object]:
    """Return a question for the browser. Its text has no backquotes around code, since the browser would show them."""
    shown = {"text": text.replace("`", ""), "code": code, "choices": [*choices], "lines": [*lines]}
    return {**shown, "button": button, "offer": offer, "next": ""}


def _pass_on_answers(widget: AskingWidget, receive: Callable[[list[str]], str | None]) -> None:
    """Pass the answers from the browser to `receive`, and show the HTML that it returns."""

    def show_reply(answers: list[str]) -> None:
        html = receive(answers)
        if html is not None:
            widget.reply_html = html

    def react(_: object, message: dict[str, list[str]], __: object) -> None:
        call_between_cells(lambda: show_reply(message["answers"]))

    widget.on_msg(react)


# ------------------------------------------------------------------------------------------------ puzzles


class OrderingWidget(anywidget.AnyWidget):
    """The widget of a puzzle: lines to put in order, the letters of the chosen lines, and the last check's result."""

    _esm = joined_files("show/page.js", "learner/ordering.js")
    _css = joined_files("learner/ordering.css")
    puzzle = traitlets.Dict().tag(sync=True)
    order = traitlets.Unicode().tag(sync=True)
    reply_html = traitlets.Unicode().tag(sync=True)


def widget_of_puzzle(puzzle: Puzzle, reply: Callable[[str], str]) -> OrderingWidget:
    """Return the widget of a puzzle. `reply` returns the HTML that is shown after each check of an order."""
    lines, start = [*puzzle.lettered_lines.items()], len(puzzle.header) + 1
    widget = OrderingWidget(puzzle={"signature": puzzle.signature, "lines": lines, "start": start})

    def show_reply(order: str) -> None:
        widget.reply_html = ""  # so that an equal reply is sent again
        widget.reply_html = reply(order)

    def react(_: object, message: dict[str, object], __: object) -> None:
        call_between_cells(lambda: show_reply(str(message["order"])))

    widget.on_msg(react)
    return widget
