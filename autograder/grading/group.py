"""Run the plain answers of a submission as a group, one after another in one child. `run.py` calls this.

Only a right result of a group counts. Any other answer runs again alone, so its neighbors never affect a mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from autograder.exam.model import Exam, Paper
from autograder.exam.plan import Parted, Plan, common_orders, parted, usual_parts
from autograder.grading.session import AnswerGroup, Record, Setting
from autograder.grading.turns import Turn
from autograder.sandbox.host import Child, ChildTooLoud, ChildTooSlow, SandboxDied, Shared
from autograder.sandbox.inside.orders import Commons, Rest, Rests, packed
from autograder.submission.plain import can_share_process

CLEAN_LOAD = b'{"error": null, "helpers": []}'
MOST_PER_CALL, MOST_IN_ALL, FEWEST = 0.1, 2, 3


def with_group(setting: Setting, turns: Iterable[Turn]) -> Setting:
    """Return the setting with the group of its plain answers, which have run. A few answers are no group."""
    shared = _shared(setting.exam, setting.policy.seconds_per_call)
    rests = {turn.name: rest for turn in turns if (rest := _member(setting, turn))}
    if not rests or (len(rests) < FEWEST and not setting.sandbox.is_met_again(shared)):
        return setting
    return replace(setting, group=AnswerGroup(shared, rests, dict(_records(setting, shared, [*rests.values()]))))


def _member(setting: Setting, turn: Turn) -> Rest | None:
    """Return the request for an answer that may run in a group; None for others, and if the verdict is cached."""
    paper = setting.exam.by_name[turn.name]
    try:
        plan = setting.plan({turn.name, *turn.own}, paper, turn.references)
        is_known = setting.memory.recalled(setting.run_of("exam of", turn.name, plan), plan)
        return None if is_known else _rest(setting.exam, paper, plan)
    except Exception:  # its own turn reports this
        return None


def _rest(exam: Exam, paper: Paper, plan: Plan) -> Rest | None:
    name = paper.exercise.name
    usual, parts = _usual(exam).get(name), parted(exam, plan, name, paper.mentions)
    if usual is None or parts is None or _names(usual) != _names(parts):
        return None
    sources = (step.source for step in plan if isinstance(step.source, str))
    return Rest(parts.rest, name) if can_share_process(sources, exam.unit.module) else None


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
        parts, papers = _usual(exam), exam.by_name
        return packed(
            Commons([common_orders(exam, name, parts[name], papers[name].orders, seconds, ()) for name in parts])
        )

    return Shared((exam, "group", seconds), read)


def _records(setting: Setting, shared: Shared, waiting: Sequence[Rest]) -> Iterator[tuple[str, Record]]:
    """Run answers in one child, and yield what they sent. After an answer that ends the child, start another one."""
    seconds = min(MOST_IN_ALL, setting.budget.left)
    while len(waiting) > 1 and seconds >= 1:
        rest = iter(waiting)
        try:
            with setting.sandbox.child(seconds=int(seconds), shared=shared) as child:
                child.send_last(packed(Rests(waiting, MOST_PER_CALL)))
                for each in rest:
                    yield each.answer, _record(child, len(setting.exam.by_name[each.answer].facets))
        except (ChildTooSlow, ChildTooLoud, EOFError):
            pass
        except SandboxDied:
            return
        waiting, seconds = [*rest], seconds - child.cpu_seconds


def _record(child: Child, facets: int) -> Record:
    """Return what the next answer of a group sends. Raises EOFError if the child has ended."""
    messages = [_message(child)]
    if messages[0] == CLEAN_LOAD:
        messages += [_message(child) for _ in range(2 * facets)]
    return Record(tuple(messages), float(_message(child)))


def _message(child: Child) -> bytes:
    message = child.receive()
    if message is None:
        raise EOFError
    return message
