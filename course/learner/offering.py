"""The button below a failed check, which runs the smallest failing call and shows how it ran."""

from __future__ import annotations

from course.kernel.attended import is_attended, publish_button
from course.learner.answer import Answer
from course.learner.rerun import failed_run_of, names_of_check
from course.show.results import Result
from course.show.widgets import until_widget
from course.watch.viewer import Viewer
from course.watch.watching import viewed

WATCH_IT = "Watch it run"


def offer(answer: Answer, result: Result) -> None:
    """Show the button below a result, if a call failed and a person uses this kernel."""
    code = failed_code(result)
    if not code or not is_attended():
        return
    try:
        from course.watch.widget import widget_that_offers
    except ImportError:
        return
    widget = widget_that_offers(WATCH_IT, lambda: shown(code))
    renew = publish_button(widget._repr_mimebundle_(), until_widget(""))

    def shown(code: str) -> Viewer:
        viewer = failed_run(code, answer)
        renew(until_widget(viewer.still["text/html"]))
        return viewer


def failed_code(result: Result) -> str:
    """Return the code of the smallest failing call, with its setup; "" if no call failed."""
    failure = result.first.failure if result.first else None
    return failure.source if failure and failure.call else ""


def failed_run(code: str, answer: Answer) -> Viewer:
    """Run a failing call as the check did, and return its viewer, at the call of the answer."""
    names = names_of_check(answer)
    viewer = viewed(failed_run_of(code, answer, names), names)
    own = next((call.number for call in viewer.run.calls if call.name == answer.name and call.number), None)
    if own is not None and viewer.run.events[viewer.run.steps[0]].call != own:
        viewer.receive(["call", own])
    return viewer
