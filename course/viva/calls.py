"""The calls of an exercise, as code: those of its visible examples, and of its exam."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from course.exam.calls import Call
from course.exam.observing import wire_of
from course.exam.snippets import call_code
from course.kernel import catalogue
from course.limits import MOST_CALLS_OF_A_PAPER


def calls_of(unit: str, name: str) -> tuple[str, ...]:
    """Return the calls of an exercise that are known here, as code: of its examples, and of its exam if any."""
    stated, full, exam = catalogue.statements(unit), catalogue.examiner(), catalogue.sealed(unit)
    shown = tuple(each.call for each in stated.by_name[name].examples if not each.setup)
    if name in exam.papers:
        paper = exam.papers[name]
        calls = (call for facet in paper.facets for call in facet.calls)
        return (*shown, *calls_as_code(stated.module, name, calls, paper.prints))
    return (*shown, *(full.calls(unit, name) if catalogue.has_full_exams() else ()))


def calls_as_code(module: str, name: str, calls: Iterable[Call], prints: bool) -> tuple[str, ...]:
    """Return the calls of an exam as code, without visible examples.

    Seeds are left out, because nobody can predict their effect. Only a run of the calls shows which of them depend on
    chance.
    """
    wire = wire_of(import_module(module))
    unseeded = (call._replace(chance=None) if isinstance(call.chance, int) else call for call in calls)
    given = [call for call in unseeded if call.kind == "args"]
    return tuple(call_code(wire, name, call, prints) for call in given[:: 1 + len(given) // MOST_CALLS_OF_A_PAPER])
