"""`foldem today`: the questions of today in the terminal, as `today()` asks them in a notebook."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console

from autograder.commands.options import TodayOptions
from course.kernel.workspace import Workspace
from course.learner.choices import PosedQuestion, choice_of
from course.learner.practising import practice_today
from course.show.blocks import Element, as_text

STOPPED_EARLY = "Stopped. The answers so far are saved."


def run(options: TodayOptions) -> int:
    """Ask the questions of today, until all are answered or the learner stops."""
    space, console = Workspace({}, options.folder.resolve()), Console(highlight=False, markup=False, soft_wrap=True)
    practice = practice_today(space, options.trust)
    console.print(practice.state)
    try:
        for question in practice.posed:
            _show(console, question.elements())
            _show(console, _reply(console, question))
    except (EOFError, KeyboardInterrupt):
        console.print(f"\n{STOPPED_EARLY}")
    return 0


def _show(console: Console, elements: Iterable[Element]) -> None:
    console.print(as_text(elements))


def _reply(console: Console, question: PosedQuestion) -> tuple[Element, ...]:
    """Read letters until one is a choice, and return the reply. Raises EOFError if the learner stops."""
    while choice_of(letter := console.input("> "), question.choices) is None:
        if letter.strip().lower() in ("q", "quit", "exit"):
            raise EOFError
        _show(console, question.reply(letter))
    return question.reply(letter)
