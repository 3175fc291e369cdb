"""The functions to watch a run in a notebook: `watch(f, x)`, `on_paper(f, x)`, and `%%watch` above an expression."""

from __future__ import annotations

import ast
import io
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module

from course.effects import scripted
from course.exam.calls import Names
from course.exam.observing import TimeUp
from course.functional import Recur
from course.kernel import catalogue, notebook
from course.kernel.borrowed import independent_references
from course.kernel.limits import limited
from course.kernel.notebook import NotRight
from course.limits import SECONDS_FOR_EXTRAS
from course.show.bits import code_of, exception_text
from course.show.snapshots import ContainerCopy, ObjectCopy, UncopiedValue
from course.syntax import node_code
from course.values import strictly_equal
from course.watch.hooked import HOOKED_FUNCTION_NODES, SPOTS, function_of
from course.watch.record import RUN_LIMITS, AlreadyRecording, RunLimits, functions_in, is_given_function, record_run
from course.watch.run import CallOwner, EventKind, RecordedCall, RecordedRun
from course.watch.viewer import AS_CALLS, ON_PAPER, Viewer

WHAT_TO_WATCH = "watch a function that you wrote in this notebook, with `def` or `lambda`"
HOW_TO_WATCH = "pass the function itself, without quotes, and its arguments: watch(f, x), not watch(f(x))"
ARGUMENT_ROOM, EXPECTED_ROOM, SEEDS = 60, 100, (1, 2)
INCOMPLETE_TYPES = UncopiedValue, ObjectCopy, ContainerCopy, Recur  # of values that were not recorded completely
CallOutcome = tuple[bool, object]  # whether an exception was raised, and the exception or the result


class NoWatchedCall(NotRight):
    """Raised if a run ends without a call of the learner's functions."""


def watch(function: Callable[..., object], *args: object) -> Viewer:
    """Run a function once, and show its calls, the decisions in each call, and the results."""
    return _viewer_of_call(function, args, AS_CALLS, notebook.namespace(1))


def on_paper(function: Callable[..., object], *args: object) -> Viewer:
    """Run a function once, and show how its call is rewritten step by step, as on paper, until it is a value."""
    return _viewer_of_call(function, args, ON_PAPER, notebook.namespace(1))


def _viewer_of_call(function: Callable[..., object], args: tuple[object, ...], way: str, names: Names) -> Viewer:
    if trouble := why_unwatchable(function, names):
        raise NotRight(trouble)
    name, *arguments = (code_of(each, ARGUMENT_ROOM) for each in (function, *args))
    return viewer_of_run(recorded_run(function, args, names, f"{name}({', '.join(arguments)})"), names, way)


def recorded_run(
    function: Callable[..., object], args: tuple[object, ...], names: Names, title: str, limits: RunLimits = RUN_LIMITS
) -> RecordedRun:
    """Run a function, and return the recorded run. Raises NotRight if no call in the run can be watched."""
    try:
        run = record_run(function, args, names, title=title, limits=limits)
    except AlreadyRecording:
        raise NotRight("`watch` is already running: do not call it inside a function that is watched") from None
    if len(run.calls) > 1:
        return run
    match run.error:
        case NameError(name=str(name)):
            raise NotRight(f"`{name}` is not defined: run the cell that defines it")
        case None:
            raise NoWatchedCall(f"this code calls no function of yours: {WHAT_TO_WATCH}")
    kind = type(run.error).__name__
    raise NotRight(f"this code raised {kind} before it called a function of yours, so there is nothing to watch")


def viewer_of_run(run: RecordedRun, names: Names, way: str = AS_CALLS) -> Viewer:
    """Return a viewer of a run. The first call with a wrong result is marked."""
    return Viewer(run, way, first_wrong_call_of(run, names))


# ---------------------------------------------------------------------------------------------------- what can be
# watched


def why_unwatchable(function: object, names: Names) -> str:
    """Return in one line why a function cannot be watched, or "" if the function can be watched."""
    if not callable(function):
        return HOW_TO_WATCH
    if any(each.__globals__ is names or is_given_function(each) for each in functions_in(function)):
        return ""
    return f"`{getattr(function, '__name__', type(function).__name__)}` cannot be watched: {WHAT_TO_WATCH}"


# ---------------------------------------------------------------------------------------------------- code


def recorded_run_of_code(
    source: str, names: Names, scope: Names | None = None, limits: RunLimits = RUN_LIMITS
) -> RecordedRun:
    """Run some code, and return the recorded run of its last line.

    Raises NotRight if the last line is not an expression, or if no call in the code can be watched.
    """
    try:
        match ast.parse(source).body:
            case [*before, ast.Expr(value=last)]:
                setup = compile(ast.Module(before, []), "<above what is watched>", "exec")
                called = compile(ast.Expression(last), "<what is watched>", "eval")
            case _:
                raise NotRight("write a call below `%%watch`, such as f(x)")
    except SyntaxError as error:  # code that can be parsed may still fail to compile
        raise NotRight(f"Python cannot read this code ({error.msg}). Write one call below `%%watch`") from None
    scope = names if scope is None else scope
    if any(callable(scope.get(name)) for name in called.co_names) or not setup.co_names:
        exec(setup, scope)
        return recorded_run(partial(eval, called, scope), (), names, " ".join(node_code(last).split()), limits)
    title = "; ".join(line.strip() for line in source.strip().splitlines())
    run = recorded_run(partial(exec, setup, scope), (), names, title, limits)
    return replace(run, value=eval(called, scope) if run.error is None else None)


def viewer_of_code(source: str, names: Names) -> Viewer:
    """Run some code, and return a viewer of the recorded run."""
    return viewer_of_run(recorded_run_of_code(source, names), names)


def given_names_of(module: str) -> Names:
    """Return the names that a unit defines, with their values.

    Examples use the unit's own values, even if a cell has redefined a name.
    """
    unit = import_module(module)
    return {name: getattr(unit, name) for name in getattr(unit, "__all__", ())}


# ---------------------------------------------------------------------------------------------------- the first wrong
# call, where references are installed


def first_wrong_call_of(run: RecordedRun, names: Names) -> dict[int, str]:
    """Return the number of the first wrong call, with its expected result as code; {} if no call is wrong."""
    if catalogue.reference_provider() is None or notebook.nbgrader_step():
        return {}
    ended = sorted((call for call in run.calls[1:] if call.end >= 0), key=lambda call: call.end)
    with suppress(TimeUp), limited(SECONDS_FOR_EXTRAS):
        for call in ended:
            if expected := _expected_result(run, call, names):
                return {call.number: expected}
    return {}


def _expected_result(run: RecordedRun, call: RecordedCall, names: Names) -> str:
    """Return the expected result of a call, or "" if the result is right or cannot be judged."""
    reference, end, args = _reference_of(call, names), run.events[call.end], tuple(each for _, each in call.args)
    if reference is None or any(isinstance(each, INCOMPLETE_TYPES) or callable(each) for each in (*args, end.value)):
        return ""
    first, other = (_outcome_of(reference, args, seed) for seed in SEEDS)
    if not _are_same_outcomes(first, other) or _are_same_outcomes(first, (end.kind is EventKind.RAISES, end.value)):
        return ""
    raised, thing = first
    return exception_text(thing) if raised and isinstance(thing, BaseException) else code_of(thing, EXPECTED_ROOM)


def _reference_of(call: RecordedCall, names: Names) -> Callable[..., object] | None:
    """Return the reference for the exercise that a call runs, or None if several results may be right."""
    node = SPOTS[call.spot].node if call.kind is CallOwner.OWN and call.spot >= 0 else None
    if not isinstance(node, HOOKED_FUNCTION_NODES) or function_of(node):
        return None
    # Other decorators, or `*` and `**` parameters, change how a function is called.
    decorators = {getattr(each, "id", "") for each in getattr(node, "decorator_list", ())}
    if decorators - {"curry", "tail_recursive"} or node.args.vararg or node.args.kwarg or node.args.kwonlyargs:
        return None
    unit = notebook.unit_with_exercise(names, call.name)
    is_judged = unit is not None and catalogue.reference_provider().has_one_answer(unit, call.name)
    return independent_references(unit)[call.name] if unit and is_judged else None  # type: ignore[no-any-return]


def _outcome_of(function: Callable[..., object], args: tuple[object, ...], seed: int) -> CallOutcome:
    try:
        with scripted((), seed, io.StringIO()):
            return False, function(*args)
    except (TimeUp, KeyboardInterrupt):
        raise
    except BaseException as error:  # a table asks the person by an exception that is no Exception
        return True, error


def _are_same_outcomes(one: CallOutcome, other: CallOutcome) -> bool:
    if one[0] or other[0]:
        return one[0] == other[0] and type(one[1]) is type(other[1])
    return strictly_equal(one[1], other[1])
