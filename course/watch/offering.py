"""What is offered below a check that failed: a button that runs the smallest failing call, and shows that run."""

from __future__ import annotations

from course.kernel.attended import WIDGET, as_pair, is_attended, publish_alive
from course.learner.answer import Answer
from course.show.results import Result
from course.show.widgets import in_its_place
from course.watch.asked import given_by, watched_code
from course.watch.viewer import Viewer

WATCH_IT = "Watch it run"


def offer(answer: Answer, result: Result) -> None:
    """Show the button below a result, where somebody is there to press it and there is a call that failed."""
    code = failed_code(result)
    if not code or not is_attended():
        return
    try:
        from course.watch.widget import widget_that_offers
    except ImportError:
        return
    widget = widget_that_offers(WATCH_IT, lambda: shown(code))
    data, *metadata = as_pair(widget._repr_mimebundle_())
    renew = publish_alive(({"text/plain": "", WIDGET: data[WIDGET]}, *metadata), in_its_place(""))

    def shown(code: str) -> Viewer:
        viewer = failed_run(code, answer)
        renew(in_its_place(viewer.still["text/html"]))
        return viewer


def failed_code(result: Result) -> str:
    """Return what has to be run to see the smallest failing call, "" if no call failed."""
    failure = result.first.failure if result.first else None
    return "\n".join((*failure.setup, failure.call)) if failure and failure.call else ""


def failed_run(code: str, answer: Answer) -> Viewer:
    """Return the run of a failing call, among the learner's own functions; it is looked at where the answer is called.

    Given names mean what is given.
    """
    viewer = watched_code(code, answer.names, {**answer.names, **given_by(answer.asked.module)})
    own = next((call.number for call in viewer.run.calls if call.name == answer.name and call.number), None)
    if own is not None and viewer.run.events[viewer.run.steps[0]].call != own:
        viewer.receive(["call", own])
    return viewer
