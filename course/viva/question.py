"""Questions about an answer's own code, as values."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import StrEnum

from course.syntax import expression_of, lines_of, unparsed

CALL_WIDTH = 100


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
