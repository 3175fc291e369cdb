"""What is offered below a check that failed: a button that runs the smallest failing call, and shows that run."""

from __future__ import annotations

from course.notebook import Names
from course.results import Result
from course.tables.attended import WIDGET, as_pair, is_attended, publish_alive
from course.tables.scene import in_its_place
from course.watch.asked import given_beside, watched_code
from course.watch.viewer import Viewer

WATCH_IT = "Watch it run"


def offer(result: Result, names: Names) -> None:
    """Show the button below a result, where somebody is there to press it and there is a call that failed."""
    code = failed_code(result)
    if not code or not is_attended():
        return
    try:
        from course.watch.widget import widget_that_offers
    except ImportError:
        return
    widget = widget_that_offers(WATCH_IT, lambda: shown(code, names))
    data, *metadata = as_pair(widget._repr_mimebundle_())
    renew = publish_alive(({"text/plain": "", WIDGET: data[WIDGET]}, *metadata), in_its_place(""))

    def shown(code: str, names: Names) -> Viewer:
        viewer = failed_run(code, names)
        renew(in_its_place(viewer.still["text/html"]))
        return viewer


def failed_code(result: Result) -> str:
    """Give what has to be run to see the smallest failing call, "" if no call failed."""
    failure = result.first.failure if result.first else None
    return "\n".join((*failure.setup, failure.call)) if failure and failure.call else ""


def failed_run(code: str, names: Names) -> Viewer:
    """Give the run of a failing call, among the learner's own functions; given names mean what is given."""
    return watched_code(code, names, {**names, **given_beside(names)})
