"""A prediction in the browser: the question goes there, an answer comes back, and then what the code gives goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

from course.kernel.attended import among_cells
from course.show.widgets import script


class AskingWidget(anywidget.AnyWidget):
    """A question, and what is said to the answer; nothing of that is known to the browser before."""

    _esm = script("show/page.js", "learner/asking.js")
    _css = script("learner/asking.css")
    question = traitlets.Dict().tag(sync=True)
    told = traitlets.Unicode().tag(sync=True)


def widget_that_asks(code: str, choices: list[tuple[str, str]], reply: Callable[[str], str]) -> AskingWidget:
    """Return the widget of a question; it shows the `reply`, as HTML, to the first answer."""
    widget = AskingWidget(question={"code": code, "choices": choices})

    def tell(answer: str) -> None:
        widget.told = widget.told or reply(answer)

    def react(_: Any, message: dict[str, Any], __: Any) -> None:
        among_cells(lambda: tell(str(message["answer"])))

    widget.on_msg(react)
    return widget
