"""Questions about an answer's own code, as values."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import StrEnum

from course.syntax import expression_of, lines_of, unparsed


class NoQuestion(StrEnum):
    """The reason why there is no question about a call or an answer."""

    SAME_WAY, TOO_DEEP, FEW, ALIKE = "same", "deep", "few", "alike"  # of an answer
    UNSOUND, FORGEABLE = "unsound", "forgeable"  # of an answer, in an oral check
    CHANCE, HELPER, LIMIT, LONG = "chance", "helper", "limit", "long"  # of a call, or of too many calls


REASONS = {
    NoQuestion.SAME_WAY: "it has no branch, recursion or loop, so every input takes the same path through the code",
    NoQuestion.TOO_DEEP: "its code is nested too deeply",
    NoQuestion.FEW: "too few short inputs are known",
    NoQuestion.ALIKE: "the known inputs take paths that are too similar",
    NoQuestion.UNSOUND: "its code ends or disturbs the process that makes the questions",
    NoQuestion.FORGEABLE: "its code is not plain, so it could forge questions",
    NoQuestion.CHANCE: "its result depends on chance",
    NoQuestion.HELPER: "a function that it calls is missing or not written yet",
    NoQuestion.LIMIT: "it takes too many steps with the known inputs",
    NoQuestion.LONG: "its results are too long to show",
}


WIDEST_CALL = 100


class QuestionKind(StrEnum):
    """The subject of a question."""

    BRANCH = "branch"  # the branch that a call takes first
    LINE = "line"  # the line that runs in a call, or doesn't
    INPUT = "input"  # the call that takes a branch, or doesn't
    VALUE = "value"  # what a name holds at the n-th call or round
    COUNT = "count"  # how many calls or rounds there are
    SWAP = "swap"  # the call that comes out differently if two branches change places


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
        """Return the calls as code, numbered if there are several; "" if the choices show them."""
        if self.choices == self.calls:
            return ""
        calls = [wrapped_call(call) for call in self.calls]
        return calls[0] if len(calls) == 1 else "\n".join(f"# call {n}\n{call}" for n, call in enumerate(calls, 1))


def with_numbers(code: str) -> str:
    """Return code with line numbers."""
    return "\n".join(f"{number:>3}  {line}".rstrip() for number, line in enumerate(lines_of(code.rstrip()), 1))


def wrapped_call(code: str) -> str:
    """Return a long call with one argument on each line.

    >>> wrapped_call("flip(Domino(1, 2))")
    'flip(Domino(1, 2))'
    """
    match expression_of(code):
        case ast.Call(func=function, args=args, keywords=keywords) if len(code) > WIDEST_CALL:
            lines = (f"    {unparsed(each)}," for each in (*args, *keywords))
            return "\n".join((f"{unparsed(function)}(", *lines, ")"))
    return code
