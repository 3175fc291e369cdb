"""Run an answer with references in place of the learner's other answers, so that only this answer is checked."""

from __future__ import annotations

import ast
import linecache
from dataclasses import replace
from importlib import import_module

from course.diagnoses.failure import CHANGED, Failure
from course.exam.calls import Names
from course.exam.observing import TimeUp, wire_of
from course.form import Source
from course.kernel import catalogue
from course.kernel.borrowed import references_alone
from course.kernel.history import statements_of
from course.kernel.limits import limited
from course.learner.answer import Answer
from course.learner.examples import code_or_description
from course.syntax import bound_names


def among_references(answer: Answer) -> Answer | None:
    """Return the answer with references for all other exercises, or None if its cells fail when they run with these."""
    others = answer.requirements.exercises - {answer.name}
    ours = references_alone(answer.unit)
    scope = {**answer.names, **{name: ours[name] for name in others}}
    try:
        with limited():
            for part in (*answer.helpers, Source(answer.name, answer.source)):
                _bind(part, scope, others)
    except (Exception, TimeUp):
        return None
    return replace(answer, names=scope)


def _bind(part: Source, scope: Names, but: frozenset[str]) -> None:
    """Run a cell's definitions again in another namespace, except those of the names in `but`."""
    file = f"<by itself: {part.label}>"
    linecache.cache[file] = (len(part.source), None, part.source.splitlines(keepends=True), file)
    for statement in statements_of(part.source):
        if bound_names(statement) - but:
            exec(compile(ast.Module([statement], []), file, "exec"), scope)


def with_expected(failure: Failure, alone: Answer) -> Failure:
    """Return a failure that expects the reference's result, or the failure unchanged if other results are right."""
    is_alike = failure.did == CHANGED or not failure.call.startswith(f"{alone.name}(")
    if is_alike or not catalogue.references().has_one_answer(alone.unit, alone.name):
        return failure
    try:
        with limited():
            expected = eval(failure.call, {**alone.names, alone.name: references_alone(alone.unit)[alone.name]})
            if hasattr(type(expected), "__next__"):
                wire = wire_of(import_module(alone.requirements.module))
                expected = wire.decode(wire.encode(expected, interrupted=[]))
    except (Exception, TimeUp):
        return failure
    return replace(failure, wanted=code_or_description(expected, alone.names), remark="")
