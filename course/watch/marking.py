"""Find the first call in a run whose result differs from the reference's, where references are installed."""

from __future__ import annotations

import io
from collections.abc import Callable

from course.effects import scripted
from course.exam.calls import Names
from course.exam.observing import TimeUp
from course.functional import Recur
from course.kernel import catalogue, notebook
from course.kernel.borrowed import references_alone
from course.kernel.limits import limited
from course.limits import SECONDS_FOR_EXTRAS
from course.show.bits import code_of, exception_text
from course.show.snapshots import ContainerCopy, ObjectCopy, UncopiedValue
from course.values import strictly_equal
from course.watch.hooked import HOOKED_FUNCTIONS, SPOTS, Hookable, function_of
from course.watch.run import CallOwner, Kind, RecordedCall, RecordedRun

SEEDS, EXPECTED_ROOM = (1, 2), 100
EXPECTED = "expected "
Came = tuple[bool, object]  # whether an exception was raised, and the exception or the result


def wrong_calls(run: RecordedRun, names: Names) -> dict[int, str]:
    """Return the first call to finish with a wrong result, and the expected result; {} if there is none."""
    if catalogue.references() is None or notebook.stage():
        return {}
    ended = sorted((call for call in run.calls[1:] if call.end >= 0), key=lambda call: call.end)
    try:
        with limited(SECONDS_FOR_EXTRAS):
            results = ((call.number, wrong) for call in ended if (wrong := _wrong(run, call, names)))
            return dict([next(results)])
    except (TimeUp, StopIteration):
        return {}


def _wrong(run: RecordedRun, call: RecordedCall, names: Names) -> str:
    """Return the expected result of a call, or "" if the result is right or cannot be judged."""
    reference = _reference_of(call, names)
    end = run.events[call.end]
    args = tuple(each for _, each in call.args)
    if reference is None or not _are_complete((*args, end.value)):
        return ""
    first, *others = (_outcome_of(reference, args, seed) for seed in SEEDS)
    if any(not _have_same_outcome(first, other) for other in others) or _have_same_outcome(
        first, (end.kind is Kind.RAISES, end.value)
    ):
        return ""
    raised, thing = first
    text = exception_text(thing) if raised and isinstance(thing, BaseException) else code_of(thing, EXPECTED_ROOM)
    return f"{EXPECTED}{text}"


def _reference_of(call: RecordedCall, names: Names) -> Callable[..., object] | None:
    """Return the reference for the exercise that a call runs, or None if several results may be right."""
    node = SPOTS[call.spot].node if call.kind is CallOwner.OWN and call.spot >= 0 else None
    if not isinstance(node, HOOKED_FUNCTIONS) or function_of(node) or _is_changed(node):
        return None
    unit = notebook.unit_here(names, call.name)
    is_judged = unit is not None and catalogue.references().has_one_answer(unit, call.name)
    return references_alone(unit)[call.name] if unit and is_judged else None  # type: ignore[no-any-return]


def _is_changed(node: Hookable) -> bool:
    """Return whether decorators, or `*` and `**` parameters, change how a function is called."""
    decorators = {getattr(each, "id", "") for each in getattr(node, "decorator_list", ())}
    return bool(decorators - {"curry", "tail_recursive"} or node.args.vararg or node.args.kwarg or node.args.kwonlyargs)


def _are_complete(things: tuple[object, ...]) -> bool:
    """Return whether all values were recorded completely, without placeholders."""
    return not any(
        isinstance(each, (UncopiedValue, ObjectCopy, ContainerCopy, Recur)) or callable(each) for each in things
    )


def _outcome_of(function: Callable[..., object], args: tuple[object, ...], seed: int) -> Came:
    try:
        with scripted((), seed, io.StringIO()):
            return False, function(*args)
    except Exception as error:
        return True, error


def _have_same_outcome(one: Came, other: Came) -> bool:
    if one[0] or other[0]:
        return one[0] == other[0] and type(one[1]) is type(other[1])
    return strictly_equal(one[1], other[1])
