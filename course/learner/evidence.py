"""The evidence for a diagnosis: the answer with its helpers, the failures, and what other cells define."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from functools import cache
from importlib import import_module

from course.diagnoses import Evidence
from course.diagnoses.evidence import no_facts
from course.diagnoses.failure import Failure
from course.exam.readable import one_line
from course.kernel.history import statements_of
from course.learner.answer import Answer
from course.syntax import bound_names


def evidence_of(answer: Answer, failures: tuple[Failure, ...], prints: bool = False, source: str = "") -> Evidence:
    """Return the evidence on an answer, or on the `source` of a cell that does not define the exercise."""
    first = tuple(sorted(failures, key=lambda failure: (not failure.call, len(failure.pasted))))
    return Evidence(
        answer.requirements,
        source or answer.source,
        first,
        answer.helpers,
        prints,
        elsewhere=dict(_elsewhere(answer)),
        rebound=dict(_rebound(answer)),
        hidden=dict(_hidden(answer)),
        not_imported=answer.not_imported,
        defined_now=frozenset(answer.space.names) if source else frozenset(),
        facts=cache(lambda: _facts(answer, first[0])) if first and first[0].call else no_facts,
    )


def _facts(answer: Answer, failure: Failure) -> str:
    from course.learner.rerun import facts_about  # imported only here, because few checks need it

    return facts_about(answer, failure)


def _elsewhere(answer: Answer) -> Iterator[tuple[str, str]]:
    """Yield the names defined in cells that were not run, or that stopped, each with a description of the cell."""
    past = answer.space.runs
    run_texts = {run.typed.strip() for run in past if not run.error}
    cells = answer.book.cells if answer.book else ()
    saved = [(source, "a cell of yours that was not run") for _, source in cells]
    ended = [(run.typed, f"{run.label}, which stopped with {run.error}") for run in past if run.error]
    for text, words in saved + ended:
        if text.strip() not in run_texts:
            names = {name for statement in statements_of(text) for name in bound_names(statement)}
            yield from ((name, words) for name in names - {*answer.names})


def _hidden(answer: Answer) -> Iterator[tuple[str, str]]:
    """Yield the built-in names that a cell has redefined, each with its value and the cell."""
    for run in answer.space.runs:
        for name in run.binds & {*vars(builtins)}:
            if name in answer.names and name not in answer.requirements.exercises:
                value = answer.names[name]
                what = "your own function" if callable(value) else f"`{one_line(repr(value), 20)}`"
                yield name, f"{what} since {run.label}"


def _rebound(answer: Answer) -> Iterator[tuple[str, str]]:
    """Yield the given names that a cell has redefined, each with the cell."""
    module = import_module(answer.requirements.module)
    for run in answer.space.runs:
        for name in run.binds & {*getattr(module, "__all__", ())}:
            if answer.names.get(name) is not getattr(module, name):
                yield name, run.label
