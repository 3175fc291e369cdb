"""`foldem today`: the questions of today in the terminal, as `today()` asks them in a notebook."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from rich.console import Console

from autograder.commands.options import TodayOptions
from course.kernel.workspace import Workspace
from course.learner.owned import own_questions_in
from course.learner.practising import DailyPractice, choice_of, practice_of, question_elements
from course.learner.questions import IdeaQuestion
from course.learner.spacing import IdeaKey
from course.show.blocks import Element, as_text

STOPPED_EARLY = "Stopped. The answers so far are saved."


def run(options: TodayOptions) -> int:
    """Ask the questions of today, until all are answered or the learner stops."""
    space, console = Workspace({}, options.folder.resolve()), Console(highlight=False, markup=False, soft_wrap=True)
    practice = practice_of(space, date.today(), own_questions_in(space, options.trust))
    console.print(practice.state)
    try:
        for number, (idea, question) in enumerate(practice.open, 1):
            _show(console, question_elements(question, f"{number}."))
            _show(console, _reply(console, practice, idea, question))
    except (EOFError, KeyboardInterrupt):
        console.print(f"\n{STOPPED_EARLY}")
    return 0


def _show(console: Console, elements: Iterable[Element]) -> None:
    console.print(as_text(elements))


def _reply(console: Console, practice: DailyPractice, idea: IdeaKey, question: IdeaQuestion) -> tuple[Element, ...]:
    """Read letters until one is a choice, and return the reply. Raises EOFError if the learner stops."""
    while choice_of(question, letter := console.input("> ")) is None:
        if letter.strip().lower() in ("q", "quit", "exit"):
            raise EOFError
        _show(console, practice.result(idea, question, letter))
    return practice.result(idea, question, letter)
