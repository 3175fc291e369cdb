"""Calls of the learner's functions by tables. Each call uses the current definition and a seed, and reports errors."""

from __future__ import annotations

import io
import random
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from course.effects import scripted
from course.exam.calls import Names
from course.exam.observing import error_message
from course.exam.readable import one_line
from course.kernel import catalogue, notebook
from course.kernel.borrowed import REFERENCE_FILE_PREFIX, borrow_into, is_borrowed, may_borrow, references_for
from course.kernel.workspace import workspace_of
from course.syntax import reachable_from

T = TypeVar("T")
MESSAGE_ROOM = 600
ALL_BORROWED_TEXT = (
    "All functions in this game are reference solutions. To play with your own functions, run `open_game()` in {}."
)
ASKS_AGAIN = "your code asked the player twice in one turn. Ask only once, and store the answer in a variable"
# Errors in a learner's call that the table shows. `Ask`, and the errors of limits, are not shown but passed on.
CALL_ERRORS = (Exception, KeyboardInterrupt, SystemExit, GeneratorExit)
# Called before each call of a learner's function, with its text, so that the table can name a call that never ends.
call_reporter: ContextVar[Callable[[str], None] | None] = ContextVar("call_reporter", default=None)


class Ask(BaseException):
    """Raised by a strategy to ask a person in the middle of a turn.

    A learner's `except Exception` does not catch this exception, because it is a BaseException.
    """

    def __init__(self, *question: Any) -> None:
        super().__init__(*question)
        self.question = question


class LearnerFault(Exception):
    """Raised if a learner's function raised an exception or broke a rule of the game.

    The exception has the call as text, and a description of the problem.
    """

    def __init__(self, call: str, trouble: str) -> None:
        super().__init__(trouble)
        if len(trouble) > MESSAGE_ROOM:  # the end matters more than the middle
            trouble = f"{trouble[: MESSAGE_ROOM - 120]} … {trouble[-100:]}"
        self.call, self.trouble = call, one_line(trouble, MESSAGE_ROOM)


@contextmanager
def seeded(seed: int) -> Iterator[io.StringIO]:
    """Seed all random numbers, the course's and Python's, while the block runs.

    Yield a stream with the text that the block prints.
    """
    before, printed = random.getstate(), io.StringIO()
    random.seed(seed)
    try:
        with scripted((), seed, printed):
            yield printed
    finally:
        random.setstate(before)


def call_text(name: str, args: tuple[object, ...]) -> str:
    """Return a call as code. A very long call is shortened.

    >>> call_text("flip", (1, "a"))
    "flip(1, 'a')"
    """
    text = f"{name}({', '.join(getattr(arg, '__name__', None) or repr(arg) for arg in args)})"
    return text if len(text) <= MESSAGE_ROOM else f"{text[:MESSAGE_ROOM]} …"


class Learner:
    """A learner's namespace, and the unit that the table belongs to."""

    def __init__(self, unit: str, names: Names) -> None:
        self.unit, self.names = unit, names

    def missing(self, needs: tuple[str, ...]) -> tuple[str, ...]:
        """Return the unwritten functions among `needs`, and among the functions that the learner's functions use."""
        return tuple(name for name in self._needed_exercises(needs) if notebook.is_unwritten(self.names, name))

    def _needed_exercises(self, needs: tuple[str, ...]) -> tuple[str, ...]:
        """Return `needs`, and the exercises that the learner's own functions among them use, directly or not."""
        if self.unit not in catalogue.units():
            return needs
        mentions = workspace_of(self.names).mentions

        def used(name: str) -> Iterable[str]:
            return () if is_borrowed(self.names, self.unit, name) else mentions.get(name, ())

        used_names = reachable_from(needs, used)
        exercises = catalogue.statements(self.unit).by_name
        return tuple(dict.fromkeys((*needs, *(each for each in exercises if each in used_names))))

    def call(self, name: str, *args: object) -> Any:
        """Call the learner's function, and return its result.

        Raises LearnerFault if the function raises an exception.
        """
        return guarded(self.names[name], name, args)

    def borrow(self, needs: tuple[str, ...]) -> None:
        """Borrow the reference solutions of all functions that are not written yet, if borrowing is allowed."""
        if may_borrow(self.names):
            for name in self.missing(needs):
                guarded(borrow_into, "borrow", (self.names, self.unit, name))

    def own_functions_text(self, needs: tuple[str, ...]) -> str:
        """If the game uses borrowed functions, return a text that names the learner's own functions; else ""."""
        if not any(is_borrowed(self.names, self.unit, name) for name in self._needed_exercises(needs)):
            return ""
        stated, together = catalogue.statements(self.unit), references_for(self.unit, self.names)
        own = [name for name in stated.by_name if together.is_own(name)]
        ours = {name: called for name, called in stated.calls.items() if name not in own}
        calls: dict[str, Iterable[str]] = {**workspace_of(self.names).mentions, **ours}
        in_play = reachable_from(needs, lambda name: calls.get(name, ()))
        if playing := [name for name in own if name in in_play]:
            mine = ", ".join(playing)
            return f"Your functions in this game: {mine}. For the other functions, the game uses reference solutions."
        return ALL_BORROWED_TEXT.format(stated.notebook)


def guarded(function: Callable[..., T], name: str, args: tuple[object, ...]) -> T:
    """Call a function, and return its result.

    If the function raises an exception, raise LearnerFault with the call and the line.
    """
    try:
        if tell := call_reporter.get():
            tell(call_text(name, args))
        return function(*args)
    except LearnerFault:
        raise
    except CALL_ERRORS as error:
        trouble = (
            "the function is not written yet"
            if notebook.is_unwritten({name: function}, name)
            else located_error_text(error)
        )
        raise LearnerFault(call_text(name, args), trouble) from error


def located_error_text(error: BaseException) -> str:
    """Return an exception as one line of text, with the function that raised it and the line number."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    name = f"{REFERENCE_FILE_PREFIX * where.filename.startswith(f'<{REFERENCE_FILE_PREFIX}')}{where.name}"
    what = (
        "the function was stopped before it returned" if isinstance(error, KeyboardInterrupt) else error_as_line(error)
    )
    return f"{what} (in {name}, line {where.lineno})"


def error_as_line(error: BaseException) -> str:
    """Return an exception as one line of text, even if its own methods raise exceptions.

    >>> error_as_line(ValueError("no\\nsuch card")), error_as_line(SystemExit())
    ('ValueError: no such card', 'SystemExit')
    """
    return one_line(f"{type(error).__name__}: {error_message(error)}").removesuffix(":")


def rule(holds: bool, call: str, trouble: str) -> None:
    """Raise LearnerFault if `holds` is false, because the call broke a rule of the game."""
    if not holds:
        raise LearnerFault(call, trouble)


def answering(answers: tuple[T, ...]) -> Callable[..., T]:
    """Return a strategy that returns these answers one after the other.

    When all answers are used, the strategy raises Ask.
    """
    left = iter(answers)

    def strategy(*question: object) -> T:
        for answer in left:
            return answer
        raise Ask(*question)

    return strategy
