"""The ways to watch a run in a notebook: `watch(f, x)`, `on_paper(f, x)`, and `%%watch` above an expression."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module
from inspect import isasyncgenfunction, iscoroutinefunction
from types import CodeType, FunctionType, MethodType

from course.exam.calls import Names
from course.kernel import notebook
from course.kernel.notebook import NotRight
from course.show.bits import code_of
from course.syntax import unparsed
from course.watch.marking import wrong_calls
from course.watch.reach import functions_in, is_given
from course.watch.record import RUN_LIMITS, AlreadyRecording, record
from course.watch.recorder import RunLimits
from course.watch.run import CallOwner, RecordedRun
from course.watch.view import AS_CALLS, ON_PAPER
from course.watch.viewer import Viewer

CAN_BE_WATCHED = "watch a function that you wrote in this notebook, with `def` or `lambda`"
HOW = "pass the function and its arguments: watch(f, x), not watch(f(x))"
ARGUMENT_ROOM = 60


class NoCall(NotRight):
    """Raised if a run returns without a call of the learner's functions."""


def watch(function: Callable[..., object], *args: object) -> Viewer:
    """Run a function once, and show the run: its calls, the decisions in each, and the results."""
    return _watched(function, args, AS_CALLS, notebook.namespace(1))


def on_paper(function: Callable[..., object], *args: object) -> Viewer:
    """Run a function once, and show how its call is rewritten step by step, as on paper, until it is a value."""
    return _watched(function, args, ON_PAPER, notebook.namespace(1))


def _watched(function: Callable[..., object], args: tuple[object, ...], way: str, names: Names) -> Viewer:
    if trouble := why_unwatchable(function, names):
        raise NotRight(trouble)
    name, *arguments = (code_of(each, ARGUMENT_ROOM) for each in (function, *args))
    title = f"{name}({', '.join(arguments)})"
    return viewed(recorded_run(function, args, names, title), names, way)


def recorded_run(
    function: Callable[..., object], args: tuple[object, ...], names: Names, title: str, limits: RunLimits = RUN_LIMITS
) -> RecordedRun:
    """Return the run of a function. Raises NotRight if none of the calls in it can be watched."""
    try:
        run = record(function, args, names, title=title, limits=limits)
    except AlreadyRecording:
        raise NotRight("`watch` is already running: do not call it inside a function that is watched") from None
    if not any(call.kind is not CallOwner.RUN for call in run.calls):
        raise _no_call(run)
    return run


def viewed(run: RecordedRun, names: Names, way: str = AS_CALLS) -> Viewer:
    """Return a viewer of a run, which marks the first wrong call."""
    return Viewer(run, way, wrong_calls(run, names))


# ---------------------------------------------------------------------------------------------------- what can be
# watched


def why_unwatchable(function: object, names: Names) -> str:
    """Return in one line why a function cannot be watched, or "" if it can be."""
    if isinstance(function, str):
        return "pass the function itself, without quotes: watch(f, x)"
    if not callable(function):
        return HOW
    if isinstance(function, type):
        return f"`{function.__name__}` is a class: {CAN_BE_WATCHED}"
    inner, own_name = next(functions_in(function), None), getattr(function, "__name__", type(function).__name__)
    if isinstance(function, MethodType) or (inner and _is_of_class(inner)):
        return f"`{own_name}` is a class's method: {CAN_BE_WATCHED}"
    if inner is None:
        return f"`{own_name}` is Python's own: {CAN_BE_WATCHED}"
    if inner.__code__.co_filename == "<stdin>" and not notebook.shell():
        return f"Python does not keep the source of `{inner.__name__}` here: write it in a file, and run that"
    if iscoroutinefunction(inner) or isasyncgenfunction(inner):
        return f"`{inner.__name__}` is an `async def`: {CAN_BE_WATCHED}"
    if not any(each.__globals__ is names or is_given(each) for each in functions_in(function)):
        return f"`{inner.__name__}` comes from the module `{inner.__module__}`: {CAN_BE_WATCHED}"
    return ""


def _is_of_class(function: FunctionType) -> bool:
    outer = function.__qualname__.rpartition(".")[0]
    return bool(outer) and not outer.endswith("<locals>")


def _no_call(run: RecordedRun) -> NotRight:
    """Return an error that says in one line why a run has no call that can be shown."""
    match run.error:
        case NameError(name=str(name)):
            return NotRight(f"`{name}` is not defined: run the cell that defines it")
        case None:
            return NoCall(f"this calls no function of yours: {CAN_BE_WATCHED}")
    kind = type(run.error).__name__
    return NotRight(f"this raised {kind} before it called a function of yours, so there is nothing to watch")


# ---------------------------------------------------------------------------------------------------- code


def recorded_code(source: str, names: Names, scope: Names | None = None, limits: RunLimits = RUN_LIMITS) -> RecordedRun:
    """Run some code, and return its run. The last line must be an expression, and the lines above prepare it."""
    setup, called, last = parts_of_code(source)
    scope = names if scope is None else scope
    if any(callable(scope.get(name)) for name in called.co_names) or not setup.co_names:
        exec(setup, scope)
        return recorded_run(partial(eval, called, scope), (), names, " ".join(unparsed(last).split()), limits)
    title = "; ".join(line.strip() for line in source.strip().splitlines())
    run = recorded_run(partial(exec, setup, scope), (), names, title, limits)
    return replace(run, value=eval(called, scope) if run.error is None else None)


def watched_code(source: str, names: Names) -> Viewer:
    """Run some code, and return a viewer of its run."""
    return viewed(recorded_code(source, names), names)


def given_by(module: str) -> Names:
    """Return the names that a unit defines, with their values.

    An example uses the unit's values, even if a cell has redefined a name.
    """
    unit = import_module(module)
    return {name: getattr(unit, name) for name in getattr(unit, "__all__", ())}


def parts_of_code(source: str) -> tuple[CodeType, CodeType, ast.expr]:
    """Return the compiled lines above the last expression, and that expression, compiled and as a tree.

    Raises NotRight if the code does not end with an expression.
    """
    try:
        match ast.parse(source).body:
            case [*before, ast.Expr(value=last)]:
                above = compile(ast.Module(before, []), "<above what is watched>", "exec")
                return above, compile(ast.Expression(last), "<what is watched>", "eval"), last
    except SyntaxError as error:  # code that can be parsed may still fail to compile
        raise NotRight(f"Python cannot read this ({error.msg}). Write one call below `%%watch`") from None
    raise NotRight("write a call below `%%watch`, such as f(x)")
