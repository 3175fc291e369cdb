"""Run the plain answers of a submission as a group, one after another in one child. `run.py` calls this.

An answer that fails to load or reaches a limit runs again alone, so its neighbors never affect a mark (`trial.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import takewhile

from autograder.config import Policy
from autograder.exam.model import Exam, Paper
from autograder.exam.plan import Parted, Plan, common_orders, parted, sources_of, usual_parts
from autograder.grading.memory import Verdict
from autograder.grading.session import AnswerGroup, Record, Setting
from autograder.grading.turns import Turn
from autograder.sandbox.host import Child, ChildTooLoud, ChildTooSlow, Shared
from autograder.sandbox.inside.orders import ChildRequest, Rest, StationRequest, packed
from autograder.submission.plain import can_share_process
from autograder.submission.stateless import is_stateless

FEWEST, MOST_GROUP_HELPERS = 2, 200
# CPU seconds for all answers and for one call, and their largest shares of the limits for the answers that run alone.
# The clock for a call ticks every 0.02 s. So a group may allow a call 0.04 s more.
MOST_GROUP_SECONDS, SHARE_OF_BUDGET = 2, 20
MOST_PER_CALL, SHARE_OF_CALL, LEAST_PER_CALL = 0.1, 4, 0.1


def with_group(setting: Setting, turns: Sequence[Turn]) -> Setting:
    """Return the setting with the group of its plain answers, which have run. A few answers are no group."""
    if len(turns) < FEWEST or not _may_group(setting):
        return setting
    shared, rests = _shared(setting.exam, setting.policy.seconds_per_call), dict(_members(setting, turns))
    if len(rests) < FEWEST:
        return setting
    records = dict[str, Record]()
    with suppress(Exception):  # the other answers run alone, and report what is wrong
        records.update(_records(setting, shared, [*rests.values()]))
    return replace(setting, group=AnswerGroup(shared, rests, records))


def _may_group(setting: Setting) -> bool:
    policy, submission = setting.policy, setting.submission
    return (
        policy.seconds_per_call >= LEAST_PER_CALL
        and policy.seconds_per_submission >= SHARE_OF_BUDGET
        and len(submission.helpers) <= MOST_GROUP_HELPERS
        and is_stateless(setting.exam.unit.module)
    )


def _members(setting: Setting, turns: Iterable[Turn]) -> Iterator[tuple[str, Rest]]:
    """Yield the requests for answers that may run in a group, and have no cached verdict.

    Stop if reading them takes too long.
    """
    until = setting.budget.left - setting.policy.seconds_per_submission / SHARE_OF_BUDGET
    runs = dict[str, tuple[str, Plan]]()
    for turn in takewhile(lambda _: setting.budget.left >= until, turns):
        with suppress(Exception):  # its own turn reports this
            runs[turn.name] = _run(setting, turn)
    known = list[Verdict | None]()
    with suppress(Exception):  # as above
        known += setting.memory.recalled(runs.values())
    for name, verdict in zip(runs, known, strict=False):
        if setting.budget.left < until:
            return
        with suppress(Exception):
            if verdict is None and (rest := _rest(setting.exam, setting.exam.by_name[name], runs[name][1])):
                yield name, rest


def _run(setting: Setting, turn: Turn) -> tuple[str, Plan]:
    """Return the name of a run and its plan."""
    plan = setting.plan({turn.name, *turn.own}, setting.exam.by_name[turn.name], turn.references)
    return setting.run_of("exam of", turn.name, plan), plan


def _rest(exam: Exam, paper: Paper, plan: Plan) -> Rest | None:
    name = paper.exercise.name
    usual, parts = _usual(exam).get(name), parted(exam, plan, name, paper.mentions)
    if usual is None or parts is None or _names(usual) != _names(parts):
        return None
    return Rest(parts.rest, name) if can_share_process(sources_of(plan), exam.unit.module) else None


def _names(parts: Parted) -> tuple[list[object], list[object]]:
    return [step[:2] for step in parts.before], [step[:2] for step in parts.after]


@cache
def _usual(exam: Exam) -> Mapping[str, Parted]:
    """Return what all answers to each exercise share. An exercise with contests or withheld modules is left out."""
    names = [name for name, paper in exam.by_name.items() if not paper.contests and not paper.modules]
    return {name: parts for name in names if (parts := usual_parts(exam, name))}


@cache
def _shared(exam: Exam, seconds: float) -> Shared:
    """Return the request that all groups share."""

    def read() -> bytes:
        parts, by_name = _usual(exam), exam.by_name
        commons = [common_orders(exam, name, parts[name], by_name[name].orders, seconds, ()) for name in parts]
        return packed(StationRequest(commons))

    return Shared((exam, "group", seconds), read)


def seconds_in_group(policy: Policy) -> tuple[int, float]:
    """Return the CPU seconds for all answers of a group, and for one call.

    They are well below the limits for an answer alone, so an answer that is right in a group would be right alone.
    """
    seconds = min(MOST_GROUP_SECONDS, policy.seconds_per_exercise, policy.seconds_per_submission // SHARE_OF_BUDGET)
    return seconds, min(MOST_PER_CALL, policy.seconds_per_call / SHARE_OF_CALL)


def _records(setting: Setting, shared: Shared, waiting: Sequence[Rest]) -> Iterator[tuple[str, Record]]:
    """Run answers in one child, and yield what they sent. After an answer that ends the child, start another one.

    This time is not part of the submission's budget, since a right answer is charged for its own time in its turn.
    """
    seconds, seconds_per_call = seconds_in_group(setting.policy)
    used = 0.0
    while len(waiting) > 1 and used < seconds:
        rest = iter(waiting)
        with setting.sandbox.child(seconds=max(1, int(seconds - used)), shared=shared) as child:
            child.send_last(packed(ChildRequest(waiting, seconds_per_call)))
            with suppress(ChildTooSlow, ChildTooLoud, EOFError):
                for each in rest:
                    yield each.answer, _record(child, len(setting.exam.by_name[each.answer].facets))
        waiting, used = [*rest], used + child.cpu_seconds


def _record(child: Child, facets: int) -> Record:
    """Return what the next answer of a group sends. Raises EOFError if the child has ended."""
    messages = [_message(child)]
    if messages[0].startswith(b'{"error": null'):
        messages += [_message(child) for _ in range(2 * facets)]
    return Record(tuple(messages), float(_message(child)))


def _message(child: Child) -> bytes:
    message = child.receive()
    if message is None:
        raise EOFError
    return message
