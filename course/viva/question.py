"""Questions about an answer's own code, as values, and the calls that they may be about."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module

from course.exam.calls import Call
from course.exam.observing import wire_of
from course.exam.snippets import call_code
from course.kernel import catalogue
from course.limits import MOST_CALLS_OF_A_PAPER
from course.syntax import expression_of, lines_of, unparsed

CALL_WIDTH = 100


class QuestionKind(StrEnum):
    """The subject of a question."""

    BRANCH = "branch"  # the branch that a call takes first
    LINE = "line"  # the line that runs in a call, or doesn't
    INPUT = "input"  # the call that takes a branch, or doesn't
    VALUE = "value"  # what a name holds at the n-th call or round
    COUNT = "count"  # how many calls or rounds there are


@dataclass(frozen=True)
class CodeQuestion:
    """A question about the code of an answer. Exactly one of its choices is right: the one with the index `right`.

    `code` is the cell that defines the answer, and `calls` are the calls that the question is about.
    """

    kind: QuestionKind
    text: str
    calls: tuple[str, ...]
    choices: tuple[str, ...]
    right: int
    why: str
    code: str = ""
    unit: str = ""
    exercise: str = ""

    @property
    def shown_calls(self) -> str:
        """Return the calls as code, numbered if there are several; "" if the choices show them.

        A long call has one argument on each line.
        """
        if self.choices == self.calls:
            return ""
        calls = []
        for call in self.calls:
            match expression_of(call):
                case ast.Call(func=function, args=args, keywords=keywords) if len(call) > CALL_WIDTH:
                    lines = (f"    {unparsed(each)}," for each in (*args, *keywords))
                    calls.append("\n".join((f"{unparsed(function)}(", *lines, ")")))
                case _:
                    calls.append(call)
        return calls[0] if len(calls) == 1 else "\n".join(f"# call {n}\n{call}" for n, call in enumerate(calls, 1))


def with_numbers(code: str) -> str:
    """Return code with line numbers."""
    return "\n".join(f"{number:>3}  {line}".rstrip() for number, line in enumerate(lines_of(code.rstrip()), 1))


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
