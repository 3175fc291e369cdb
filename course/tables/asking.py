"""A prediction in the browser: the question goes there, an answer comes back, and then what the code gives goes."""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

from course.blocks import as_html
from course.predicting import Prediction
from course.tables.widget import among_cells, script


class AskingWidget(anywidget.AnyWidget):
    """A question, and what is said to the answer; nothing of that is known to the browser before."""

    _esm = script("tables/page.js", "tables/asking.js")
    _css = script("tables/asking.css")
    question = traitlets.Dict().tag(sync=True)
    told = traitlets.Unicode().tag(sync=True)


def widget_that_asks(question: Prediction) -> AskingWidget:
    """Give the widget of a question; the first answer has it say what comes, and why."""
    widget = AskingWidget(question={"code": question.code, "choices": question.lettered})

    def tell(answer: str) -> None:
        widget.told = widget.told or as_html(question.telling(answer))

    def react(_: Any, message: dict[str, Any], __: Any) -> None:
        among_cells(lambda: tell(str(message["answer"])))

    widget.on_msg(react)
    return widget
