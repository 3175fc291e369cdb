"""The widget of a Parsons puzzle: it sends an order of lines from the browser, and replies with its result."""

from __future__ import annotations

from collections.abc import Callable

import anywidget
import traitlets

from course.exam.puzzle import Puzzle
from course.kernel.attended import call_between_cells, interruptible
from course.show.widgets import script


class OrderingWidget(anywidget.AnyWidget):
    """Lines to put in order, the letters of the lines in the answer so far, and the result of the last check."""

    _esm = script("show/page.js", "learner/ordering.js")
    _css = script("learner/ordering.css")
    puzzle = traitlets.Dict().tag(sync=True)
    order = traitlets.Unicode().tag(sync=True)
    reply_html = traitlets.Unicode().tag(sync=True)


def widget_that_orders(puzzle: Puzzle, reply: Callable[[str], str]) -> OrderingWidget:
    """Return the widget of a puzzle; `reply` makes the HTML that follows each check of an order."""
    lines, start = [*puzzle.lettered.items()], len(puzzle.header) + 1
    widget = OrderingWidget(puzzle={"signature": puzzle.signature, "lines": lines, "start": start})

    def tell(order: str) -> None:
        with interruptible():
            widget.reply_html = ""  # so that an equal reply is sent again
            widget.reply_html = reply(order)

    def react(_: object, message: dict[str, object], __: object) -> None:
        call_between_cells(lambda: tell(str(message["order"])))

    widget.on_msg(react)
    return widget
