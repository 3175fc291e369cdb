"""Run the failing call of a wrong answer again, and send what decided its outcome. Nothing is judged here.

The expected result of this call comes along: the report shows it anyway.
"""

from __future__ import annotations

import json
import linecache
from contextlib import suppress
from importlib import import_module
from types import ModuleType

from course.diagnoses.failure import Did, Failure
from course.exam.depth import allow_calls
from course.kernel.catalogue import homes
from course.watch.facts import FACT_LIMITS, facts_of
from course.watch.watching import given_by, recorded_code

from . import runner
from .orders import FactsRequest, request_in
from .tickers import heed_alarms


def prepare(modules: list[ModuleType]) -> None:
    """Do the work once that every child would otherwise repeat, and that a confined child cannot do."""
    runner.prepare(modules)
    homes()


def main(connection: runner.Channel) -> None:
    """Load the definitions, run the call, and send the facts as text, which is empty if there are none."""
    request, text = request_in(FactsRequest, connection.receive()), ""
    heed_alarms()
    allow_calls()
    bench = runner.Bench(import_module(request.given), request.setup)
    bench.load(request.setup)
    for label, source in request.texts:
        linecache.cache[f"<{label}>"] = len(source), None, source.splitlines(keepends=True), f"<{label}>"
    failure, names = Failure(request.call, Did(request.did), None, request.wanted, row=request.row), bench.learner
    with suppress(BaseException):  # the answer may raise anything
        scope = {**bench.references, **names, **given_by(request.given)}
        run = recorded_code(failure.source, names, scope, FACT_LIMITS)
        text = facts_of(run, request.setup.answer or "", failure, names)
    connection.send(json.dumps(text).encode())
