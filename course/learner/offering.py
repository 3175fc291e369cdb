"""The run of a failing call: sentences about it in a check, and the button below that shows it.

Only failed checks import this module, because it loads everything that records a run.
"""

from __future__ import annotations

from course.diagnoses.failure import Failure
from course.exam.calls import Names
from course.exam.observing import TimeUp
from course.kernel import catalogue
from course.kernel.limits import limited
from course.kernel.notebook import is_interactive, publish_button
from course.learner.answer import Answer, answer_with_references
from course.limits import SECONDS_FOR_EXTRAS
from course.show.pictures import html_until_widget
from course.show.results import Result
from course.watch.facts import fact_sentences
from course.watch.record import RUN_LIMITS, RunLimits
from course.watch.run import RecordedRun
from course.watch.viewer import Viewer
from course.watch.watching import given_names_of, recorded_run_of_code, viewer_of_run

FACT_LIMITS = RunLimits(steps=3_000, values=30_000, seconds=1.0)
WATCH_BUTTON_LABEL = "Watch it run"


def namespace_of_check(answer: Answer) -> Names:
    """Return the namespace in which a check runs an answer.

    The namespace contains the reference solutions, if they are available.
    """
    alone = answer_with_references(answer) if answer.source and catalogue.reference_provider() is not None else None
    return (alone or answer).names


def record_failed_run(code: str, answer: Answer, names: Names, limits: RunLimits = RUN_LIMITS) -> RecordedRun:
    """Run a failing call and record it.

    Names of the unit's given functions and types have the unit's own values, even if a cell has redefined them.
    """
    return recorded_run_of_code(code, names, {**names, **given_names_of(answer.requirements.module)}, limits)


def facts_about(answer: Answer, failure: Failure) -> str:
    """Run a failing call again.

    Return a text about the steps that decided the call's outcome, or "" if these steps are unknown.
    """
    names = namespace_of_check(answer)
    try:
        with limited(SECONDS_FOR_EXTRAS):
            run = record_failed_run(failure.source, answer, names, FACT_LIMITS)
            return fact_sentences(run, answer.name, failure, names)
    except (Exception, TimeUp):  # the learner's code may raise anything
        return ""


def offer_to_watch(answer: Answer, result: Result) -> None:
    """Show the button *Watch it run* below a result, if a call failed and a person uses this kernel."""
    code = failed_call_code(result)
    if not code or not is_interactive():
        return
    try:
        from course.watch.widget import widget_that_offers_run
    except ImportError:
        return

    def show_run() -> Viewer:
        viewer = viewer_of_failed_run(code, answer)
        renew(html_until_widget(viewer.static_view["text/html"]))
        return viewer

    renew = publish_button(
        widget_that_offers_run(WATCH_BUTTON_LABEL, show_run)._repr_mimebundle_(), html_until_widget("")
    )


def failed_call_code(result: Result) -> str:
    """Return the code of the smallest failing call, with its setup; "" if no call failed."""
    failure = result.first_failed_rule.failure if result.first_failed_rule else None
    return failure.source if failure and failure.call else ""


def viewer_of_failed_run(code: str, answer: Answer) -> Viewer:
    """Run a failing call as the check did. Return a viewer of the run. The viewer begins at the call of the answer."""
    names = namespace_of_check(answer)
    viewer = viewer_of_run(record_failed_run(code, answer, names), names)
    own = next((call.number for call in viewer.run.calls if call.name == answer.name and call.number), None)
    if own is not None and viewer.run.events[viewer.run.steps[0]].call != own:
        viewer.receive(["call", own])
    return viewer
