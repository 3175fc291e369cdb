"""Where a run first goes wrong: the first call that gives what the reference does not, where there is a reference."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from course.effects import scripted
from course.exam.observing import TimeUp
from course.functional import Recur
from course.kernel import catalogue, notebook
from course.kernel.limits import limited
from course.kernel.notebook import Names
from course.show.bits import code_of, story
from course.show.snapshots import Alive, Copied, Held
from course.values import strictly_equal
from course.watch.hooked import SPOTS, function_of
from course.watch.run import Kind, RecordedCall, RecordedRun, Whose

EXPECTED = "expected"  # how a mark begins that tells what a call should return
SECONDS_OF_ALL, SEEDS, EXPECTED_ROOM = 2.0, (1, 2), 100
Came = tuple[bool, Any]  # whether it raised, and what came


def wrong_calls(run: RecordedRun, names: Names) -> dict[int, str]:
    """Return the first call that came back with something else than the reference would, and what was expected."""
    if catalogue.references() is None or notebook.stage():
        return {}
    ended = sorted((call for call in run.calls[1:] if call.end >= 0), key=lambda call: call.end)
    try:
        with limited(SECONDS_OF_ALL):
            found = ((call.number, wrong) for call in ended if (wrong := _wrong(run, call, names)))
            return dict([next(found)])
    except (TimeUp, StopIteration):
        return {}


def _wrong(run: RecordedRun, call: RecordedCall, names: Names) -> str:
    """Return what was expected of a call if something else came, "" if it is right or cannot be told."""
    reference = _reference_of(call, names)
    end = run.events[call.end]
    args = tuple(each for _, each in call.args)
    if reference is None or not _are_whole((*args, end.value)):
        return ""
    first, *others = (_came(reference, args, seed) for seed in SEEDS)
    if any(not _alike(first, other) for other in others) or _alike(first, (end.kind is Kind.RAISES, end.value)):
        return ""
    raised, thing = first
    return f"{EXPECTED} {story(thing) if raised else code_of(thing, EXPECTED_ROOM)}"


def _reference_of(call: RecordedCall, names: Names) -> Callable[..., Any] | None:
    """Return the reference for the exercise that a call is of, where there is one right answer only."""
    node = SPOTS[call.spot].node if call.kind is Whose.OWN and call.spot >= 0 else None
    if node is None or function_of(node) or _is_changed(node):
        return None
    unit = notebook.unit_here(names, call.name)
    return catalogue.references().only_answer(unit, call.name) if unit else None  # type: ignore[no-any-return]


def _is_changed(node: Any) -> bool:
    """Return whether a function is called otherwise than its code says: through a decorator, or with stars."""
    decorators = {getattr(each, "id", "") for each in getattr(node, "decorator_list", ())}
    return bool(decorators - {"curry", "tail_recursive"} or node.args.vararg or node.args.kwarg or node.args.kwonlyargs)


def _are_whole(things: tuple[Any, ...]) -> bool:
    """Return whether values are there as they were, and no stand-ins for them."""
    return not any(isinstance(each, (Alive, Copied, Held, Recur)) or callable(each) for each in things)


def _came(function: Callable[..., Any], args: tuple[Any, ...], seed: int) -> Came:
    try:
        with scripted((), seed, io.StringIO()):
            return False, function(*args)
    except Exception as error:
        return True, error


def _alike(one: Came, other: Came) -> bool:
    if one[0] or other[0]:
        return one[0] == other[0] and type(one[1]) is type(other[1])
    return strictly_equal(one[1], other[1])
