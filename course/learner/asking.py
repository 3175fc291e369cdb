"""The widget of a prediction: sends the question to the browser, receives the answer, and replies with the result."""

from __future__ import annotations

from collections.abc import Callable

import anywidget
import traitlets

from course.kernel.attended import among_cells
from course.show.widgets import script

WHAT_RESULT = "What is the result? Think first, then answer."


class AskingWidget(anywidget.AnyWidget):
    """A question, and the reply to the answer. The browser gets the result only after the answer."""

    _esm = script("show/page.js", "learner/asking.js")
    _css = script("learner/asking.css")
    question = traitlets.Dict().tag(sync=True)
    reply_html = traitlets.Unicode().tag(sync=True)


def widget_that_asks(
    code: str, choices: list[tuple[str, str]], reply: Callable[[str], str], text: str = WHAT_RESULT
) -> AskingWidget:
    """Return the widget of a question; `reply` makes the HTML that follows the first answer."""
    widget = AskingWidget(question={"text": text, "code": code, "choices": choices})

    def tell(answer: str) -> None:
        widget.reply_html = widget.reply_html or reply(answer)

    def react(_: object, message: dict[str, object], __: object) -> None:
        among_cells(lambda: tell(str(message["answer"])))

    widget.on_msg(react)
    return widget
