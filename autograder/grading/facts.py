"""The facts of a failing call: what decided it. They are chosen here, from what a process without results recorded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from threading import get_ident
from typing import Any, TypeAlias

from msgspec import json

from autograder.grading.diagnosed import labeled_source
from autograder.grading.runs import Job, Setting
from autograder.sandbox.host import Sandbox
from autograder.sandbox.inside.orders import Request, packed
from autograder.sandbox.reuse import ReusedSandbox
from course.diagnoses.failure import Failure
from course.exam.readable import from_inside
from course.exam.wire import Wire
from course.watch.facts import facts_of
from course.watch.hooked import SPOTS, add_spots
from course.watch.run import Event, Kind, RecordedCall, RecordedRun, State, Whose

SECONDS_TO_RECORD, LONGEST_FACTS = 2, 800
SentCall: TypeAlias = tuple[int, Whose, str, list[tuple[str, Any]], int, int]
SentRun: TypeAlias = tuple[list[SentCall], list[tuple[Kind, int, int, Any]], State]
_watchers = cache(lambda thread: ReusedSandbox())


def facts_from_child(setting: Setting, job: Job, failure: Failure) -> str:
    """Return what decided the outcome of a job's failing call, or "" if that is unknown. The call runs again.

    The process that runs it knows no expected result. Only plain answers run again: they cannot reach the recorder.
    """
    if not job.is_plain:
        return ""
    labels = dict.fromkeys(step.name for step in job.plan if isinstance(step.source, str))
    cells = [(f"<{label}>", labeled_source(setting.submission, label)) for label in labels]
    unit, first, like = setting.exam.unit, len(SPOTS), setting.sandbox
    run = job.run(setting)._replace(orders=(failure.setup, failure.call, cells))
    others = like.limits, like.level, "inside.watcher", like.withheld, like.packages, like.imports
    try:
        sandbox = _watchers(get_ident()).get(
            Sandbox((*like.modules, "course.watch.record"), *others, secrets=like.secrets)
        )
        with sandbox.child(seconds=SECONDS_TO_RECORD) as child:
            child.send_last(packed(Request(unit.module.__name__, [run])))
            received = child.receive() or b""
        for _, text in cells:
            add_spots(text)
        recorded = _recorded(json.decode(received, type=SentRun), setting.exam.wire, [*range(first, len(SPOTS)), -1])
        return from_inside(facts_of(recorded, job.paper.exercise.name, failure, vars(unit.module)), LONGEST_FACTS)
    except Exception:  # what a process sends may be anything
        return ""
    finally:
        del SPOTS[first:]


def _recorded(sent: SentRun, wire: Wire, spots: Sequence[int]) -> RecordedRun:
    """Return the run that a process has sent; its spots count from the first cell. Raises IndexError or WireError."""
    calls, events, state = sent
    made = (
        RecordedCall(
            number, parent, kind, name, tuple((each, wire.decode(arg)) for each, arg in args), spots[place], -1, -1, end
        )
        for number, (parent, kind, name, args, place, end) in enumerate(calls)
    )
    noted = (Event(kind, call, spots[place], wire.decode(tree)) for kind, call, place, tree in events)
    return RecordedRun("", tuple(made), tuple(noted), state, None, None, 0)
