"""The learner's functions, as tables call them: looked up anew each time, under a seed, with every fault named."""

from __future__ import annotations

import io
import random
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from course.effects import scripted
from course.exam.observing import text_said
from course.exam.readable import one_line
from course.kernel import catalogue, notebook
from course.kernel.borrowed import is_borrowed
from course.kernel.workspace import names_used, workspace_of
from course.learner import hints
from course.learner.answer import answer_among

T = TypeVar("T")
LONGEST_STORY = 600
ASKS_AGAIN = "your code asked the player twice in one turn: ask once, and keep the answer"
# What ends a learner's call is told at the table; what a table itself raises (`Ask`), or a limit, goes on its way.
ENDS_A_CALL = (Exception, KeyboardInterrupt, SystemExit, GeneratorExit)
# Who is told of each call of a learner's function before it is made: where a call never ends, it is known by then.
told_first: ContextVar[Callable[[str], None] | None] = ContextVar("told_first", default=None)


class Ask(BaseException):
    """What a strategy raises in the middle of a turn to ask a person; no `except Exception` of a learner stops it."""

    def __init__(self, *question: Any) -> None:
        super().__init__(*question)
        self.question = question


class LearnerFault(Exception):
    """A learner's function raised or broke a rule: which call it was, and what was wrong with it."""

    def __init__(self, call: str, trouble: str) -> None:
        super().__init__(trouble)
        self.call, self.trouble = call, _without_middle(trouble)


def _without_middle(text: str) -> str:
    """Return a text as one line, its middle left out where it is long: what was expected stands at the end."""
    told = text if len(text) <= LONGEST_STORY else f"{text[: LONGEST_STORY - 120]} … {text[-100:]}"
    return one_line(told, LONGEST_STORY)


@contextmanager
def seeded(seed: int) -> Iterator[io.StringIO]:
    """Let `seed` rule over all chance, the course's and Python's, while the block runs; give what is printed in it."""
    before, printed = random.getstate(), io.StringIO()
    random.seed(seed)
    try:
        with scripted((), seed, printed):
            yield printed
    finally:
        random.setstate(before)


def call_text(name: str, args: tuple[Any, ...]) -> str:
    """Return a call as it is written in code, cut short where it is very long.

    >>> call_text("flip", (1, "a"))
    "flip(1, 'a')"
    """
    text = f"{name}({', '.join(getattr(arg, '__name__', None) or repr(arg) for arg in args)})"
    return text if len(text) <= LONGEST_STORY else f"{text[:LONGEST_STORY]} …"


class Learner:
    """A learner's namespace, and the unit at work in it."""

    def __init__(self, unit: str, names: dict[str, Any]) -> None:
        self.unit, self.names = unit, names

    def named(self) -> tuple[str, ...]:
        """Return the exercises that the running cell names, and does not define itself."""
        cell = (notebook.cells_run(self.names) or [""])[-1]
        return tuple(sorted(name for name in names_used(cell) if catalogue.exercise_of(self.unit, name)))

    def now(self, function: Callable[..., T]) -> Callable[..., T]:
        """Return what a function is by now that was not written yet when it was handed to a table."""
        name = getattr(function, "__name__", "")
        return self.names.get(name, function) if notebook.is_unwritten({name: function}, name) else function

    def missing(self, needs: tuple[str, ...]) -> tuple[str, ...]:
        """Return the functions that are not written yet, of `needs` and of those that these use."""
        return tuple(name for name in self._used(needs) if notebook.is_unwritten(self.names, name))

    def _used(self, needs: tuple[str, ...]) -> tuple[str, ...]:
        """Return `needs` and the exercises that the learner's own cells use for them."""
        own = [name for name in needs if not is_borrowed(self.names, self.unit, name)]
        answers = [answer_among(self.names, name, self.unit) for name in own[:1]]
        answers += [answers[0].other(name) for name in own[1:]]
        return tuple(dict.fromkeys((*needs, *(used for answer in answers for used in answer.uses))))

    def call(self, name: str, *args: Any) -> Any:
        """Return what the learner's function answers; Fault if it raises."""
        return guarded(self.names[name], name, args)

    def borrow(self, needs: tuple[str, ...]) -> None:
        """Let the references stand in for what is missing, where borrowing is allowed."""
        if lend := lender(self.names):
            for name in self.missing(needs):
                guarded(lend, "borrow", (name,))

    def borrowed(self, needs: tuple[str, ...]) -> tuple[str, ...]:
        """Return the functions of `needs` that are borrowed."""
        return tuple(name for name in self._used(needs) if is_borrowed(self.names, self.unit, name))


def guarded(function: Callable[..., T], name: str, args: tuple[Any, ...]) -> T:
    """Return what a function answers; Fault with the call and the line if it raises."""
    try:
        if tell := told_first.get():
            tell(call_text(name, args))
        return function(*args)
    except LearnerFault:
        raise
    except ENDS_A_CALL as error:
        trouble = "it is not written yet" if notebook.is_unwritten({name: function}, name) else story(error)
        raise LearnerFault(call_text(name, args), trouble) from error


def story(error: BaseException) -> str:
    """Return an exception in a line, with the function and the line that raised it."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    what = "it was stopped before it returned" if isinstance(error, KeyboardInterrupt) else said_by(error)
    return f"{what} (in {where.name}, line {where.lineno})"


def said_by(error: BaseException) -> str:
    """Return an exception in a line, whatever its own methods do.

    >>> said_by(ValueError("no\\nsuch card")), said_by(SystemExit())
    ('ValueError: no such card', 'SystemExit')
    """
    return one_line(f"{type(error).__name__}: {text_said(error)}").removesuffix(":")


def lender(names: dict[str, Any]) -> Callable[[str], Any] | None:
    """Return what lends references, None where borrowing is not allowed or there are none."""
    allowed = workspace_of(names).is_allowed("borrowing") and catalogue.references() is not None
    return hints.borrow if allowed else None


def rule(holds: bool, call: str, trouble: str) -> None:
    """Raise a Fault unless a rule of the game holds."""
    if not holds:
        raise LearnerFault(call, trouble)


def answering(answers: tuple[T, ...]) -> Callable[..., T]:
    """Return a strategy that gives these answers one by one, and asks when they have run out."""
    left = iter(answers)

    def strategy(*question: Any) -> T:
        for answer in left:
            return answer
        raise Ask(*question)

    return strategy
