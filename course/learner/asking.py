"""The widget of a question: sends the question to the browser, receives the answer, and replies with the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import anywidget
import traitlets

from course.kernel.attended import among_cells
from course.show.widgets import script

TYPED = "Your answer, as Python writes it:"


class AskingWidget(anywidget.AnyWidget):
    """A question, and the reply to the answer. The browser gets the result only after the answer."""

    _esm = script("show/page.js", "learner/asking.js")
    _css = script("learner/asking.css")
    question = traitlets.Dict().tag(sync=True)
    reply_html = traitlets.Unicode().tag(sync=True)


def widget_that_asks(
    code: str,
    choices: list[tuple[str, str]],
    reply: Callable[[str], str],
    text: str,
) -> AskingWidget:
    """Return the widget of a question; `reply` makes the HTML that follows the first answer."""
    lines = [] if choices else [TYPED]
    widget = _asking(text, lines, "Check my answer", code=code, choices=choices)
    _listen(widget, lambda answers: widget.reply_html or reply(answers[0]))
    return widget


def widget_that_offers_lines(
    offer: str, text: str, lines: list[str], button: str, reply: Callable[[list[str]], str]
) -> AskingWidget:
    """Return a widget with a button, and behind it lines to type in; `reply` makes the HTML that follows each time."""
    widget = _asking(text, lines, button, offer=offer)
    _listen(widget, reply)
    return widget


def _asking(
    text: str, lines: list[str], button: str, code: str = "", choices: Sequence[tuple[str, str]] = (), offer: str = ""
) -> AskingWidget:
    """Return the widget. The browser shows its text as it is, so without the backquotes around code."""
    plain = text.replace("`", "")
    parts = {"text": plain, "code": code, "choices": [*choices], "lines": lines, "button": button, "offer": offer}
    return AskingWidget(question=parts)


def _listen(widget: AskingWidget, reply: Callable[[list[str]], str]) -> None:
    def tell(answers: list[str]) -> None:
        widget.reply_html = reply(answers)

    def react(_: object, message: dict[str, list[str]], __: object) -> None:
        among_cells(lambda: tell(message["answers"]))

    widget.on_msg(react)
