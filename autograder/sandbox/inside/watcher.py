"""Run a failing call again, record it, and send the record to the grader, which judges it."""

from __future__ import annotations

import json
import linecache
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from importlib import import_module

from course.kernel.catalogue import unit_packages
from course.watch.hooked import SPOTS, hooked_source
from course.watch.record import RunLimits, record_run
from course.watch.run import EventKind, RecordedRun

from . import runner
from .frames import Connection
from .orders import Request, unpacked_request
from .tickers import enable_cpu_limits

RECORDING_LIMITS = RunLimits(steps=1_000, values=2_000, seconds=1.0)
prepare = runner.prepare
unit_packages()  # remembered, because a confined child cannot read files


def main(connection: Connection) -> None:
    """Load the definitions, make the call, and send the record of its run.

    If recording the call fails or takes too long, send nothing.
    """
    request = unpacked_request(Request, connection.receive())
    [(setup, orders)] = request.runs
    assert isinstance(orders, tuple)
    before, call, cells = orders
    enable_cpu_limits()
    runner.allow_nested_calls()
    bench = runner.AnswerObserver(import_module(request.given), setup)
    bench.load(setup)
    first = len(SPOTS)
    for name, text in cells:
        linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
        hooked_source(name, text, annotations.compiler_flag, True)
    spots = {spot: number for number, spot in enumerate(range(first, len(SPOTS)))}
    scope = {**bench.references, **bench.learner}
    with suppress(BaseException):  # the answer may raise anything
        exec("\n".join(before), scope)
        run = record_run(
            partial(eval, compile(call, "<call>", "eval"), scope), (), bench.learner, limits=RECORDING_LIMITS
        )
        if not run.left_out:
            connection.send(json.dumps(_run_as_data(run, bench.wire.encode, spots)).encode())


def _run_as_data(run: RecordedRun, encode: Callable[[object], object], spots: Mapping[int, int]) -> list[object]:
    """Return a run as data. `spots` are the numbers of the cells' spots; a spot outside of these cells is -1."""
    calls = []
    for each in run.calls:
        args = [[name, encode(arg)] for name, arg in each.args]
        calls.append((each.parent, each.kind, each.name, args, spots.get(each.spot, -1), each.end))
    values = (bool(each.value) if each.kind is EventKind.TEST else each.value for each in run.events)
    pairs = zip(run.events, values, strict=True)
    return [calls, [(*each[:2], spots.get(each.spot, -1), encode(value)) for each, value in pairs], run.state]
