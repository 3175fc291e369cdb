"""The calls of an exercise, as code: those of its visible examples, and of its sealed exam."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module

from course.exam.observing import wire_of
from course.exam.sealed import SealedPaper
from course.exam.snippets import call_code
from course.kernel import catalogue
from course.kernel.catalogue import StatedExample

MOST_OF_A_PAPER = 200


def calls_of(unit: str, name: str) -> tuple[str, ...]:
    """Return the calls of an exercise that are known here, as code."""
    stated = catalogue.statements(unit)
    exam = catalogue.sealed(unit)
    paper = exam.paper(name) if name in exam.papers else None
    return calls_in(stated.module, name, stated.by_name[name].examples, paper)


def calls_in(module: str, name: str, examples: Iterable[StatedExample], paper: SealedPaper | None) -> tuple[str, ...]:
    """Return the calls of an exercise's examples and of its sealed exam, as code that the unit's names can run."""
    shown = (each.call for each in examples if not each.setup)
    return tuple(dict.fromkeys((*shown, *_sealed_calls(module, name, paper))))


def _sealed_calls(module: str, name: str, paper: SealedPaper | None) -> Iterator[str]:
    wire = wire_of(import_module(module))
    calls = [call for facet in paper.facets for call in facet.calls if call.kind == "args"] if paper else []
    for call in calls[:MOST_OF_A_PAPER]:
        yield call_code(wire, name, call, paper is not None and paper.prints)
