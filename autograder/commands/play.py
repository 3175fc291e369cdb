"""`foldem play`: play the games of the notebooks in the terminal, with the learner's own functions, unconfined."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from random import SystemRandom
from time import sleep

from rich.console import Console
from rich.text import Text

from autograder.arena.entries import plan
from autograder.commands.screen import frame, help_line, help_text, room_for, typed_choice
from autograder.sandbox.inside.orders import Step
from autograder.submission.model import Submission
from autograder.submission.sort import NotebookError, read_submission
from autograder.text import shown_name
from autograder.units.pack import Catalogue
from autograder.units.unit import Unit, UnitError, read_unit
from course.exam.calls import Names
from course.tables import basra_table, domino_table, sedma_table, uno_table, watch_set
from course.tables.learner import exception_line
from course.tables.scene import SceneView
from course.tables.table import AnyTable

OVER, BROKEN = 0, 1


class NoGame(UnitError):
    """Raised if a game cannot be played here. The message is one line."""


def _watched(names: Names, pace: float) -> AnyTable:
    seed = SystemRandom().getrandbits(32)
    return watch_set(names["smart_player"], names["stupid_player"], seed=seed, pace=pace, names=names)


# The games by unit, with the possible numbers of bots.
GAMES: dict[str, tuple[range, Callable[[Names, int, float], AnyTable]]] = {
    "uno": (range(1, 10), lambda names, bots, pace: uno_table(bots=bots, pace=pace, names=names)),
    "dominoes": (range(1, 4), lambda names, bots, pace: domino_table("H" + "B" * bots, pace=pace, names=names)),
    "sedma": (range(3, 4), lambda names, _, pace: sedma_table(pace=pace, names=names)),
    "basra": (range(1), lambda names, _, __: basra_table(names=names)),
    "bots": (range(2, 3), lambda names, _, pace: _watched(names, pace)),
}
PACE = 0.7
MEANWHILE = "waiting for the other players … · Ctrl-C quit"


def play(
    game: str,
    notebook: Path | None,
    bots: int | None = None,
    pace: float = PACE,
    *,
    catalogue: Catalogue,
    trust: bool = False,
) -> int:
    """Play a game until the player quits, and return the exit status."""
    if game not in GAMES:
        raise NoGame(f"there is no game {game!r}: choose one of {', '.join(GAMES)}")
    seats, make = GAMES[game]
    if bots is not None and bots not in seats:
        raise NoGame(f"{game} takes {seats[0]} to {seats[-1]} bots, not {bots}")
    if notebook and notebook.is_file() and not trust:
        demand_trust(notebook)
    names = functions(read_unit(catalogue, game), notebook)
    console = Console(highlight=False)
    try:
        return sit_down(make(names, seats[0] if bots is None else bots, pace), console)
    except (KeyboardInterrupt, EOFError):
        console.print("\nYou have left the table.")
    return OVER


def demand_trust(notebook: Path) -> None:
    """Ask whether to run a notebook without a sandbox.

    Raises NoGame if the answer is no, or if no person can answer.
    """
    warning = f"{notebook} runs without a sandbox, like any program that you start"
    if not sys.stdin.isatty():
        raise NoGame(f"{warning}. If you trust it, add --trust")
    if input(f"{shown_name(warning)}. Do you trust it? [y/N] ").strip().lower() not in ("y", "yes"):
        raise NoGame("not started")


def sit_down(table: AnyTable, console: Console) -> int:
    """Play until the player quits or the game fails, and return the exit status."""
    table.receive(["room", room_for(console).name], table.revision)
    while table.fault is None:
        view = table.view()
        if console.is_terminal or "wait" not in view:
            _show(view, console)
        if "wait" in view:
            sleep(view["wait"] / 1000 if console.is_terminal else 0)
            table.receive(["tick"], table.revision)
        elif not _is_answered(table, view, console):
            raise EOFError
    _show(table.view(), console)
    cause = table.fault.__cause__
    reason = failure_line(cause) if cause and not isinstance(cause, KeyboardInterrupt) else table.fault.trouble
    print(f"foldem: the game stopped: {reason}", file=sys.stderr)
    return BROKEN


def _show(view: SceneView, console: Console) -> None:
    if console.is_terminal:
        console.clear()
    console.print(frame(view))
    if console.is_terminal and "wait" in view:
        console.print(Text(MEANWHILE, style="cyan"))


def _is_answered(table: AnyTable, view: SceneView, console: Console) -> bool:
    """Ask until the player makes a move (return True) or quits (return False)."""
    while True:
        console.print(Text(help_line(view), style="cyan"))
        typed = console.input("> ").strip().lower()
        choice = typed_choice(view, typed)
        if typed in ("q", "quit", "exit", "leave"):
            return False
        if choice is not None:
            return table.receive(choice.do, table.revision)
        if typed in ("b", "back", "undo") and table.last_choice is not None:
            return table.receive(["undo"], table.revision)
        if typed:
            console.print(Text(_response_to(view, typed)))


def _response_to(view: SceneView, typed: str) -> str:
    """Return the response to input that is not a move."""
    if typed in ("h", "help", "?"):
        return help_text(view)
    return (
        "There is no move to undo yet."
        if typed in ("b", "back", "undo")
        else f"I don't know {typed!r}. Type h for help."
    )


def functions(unit: Unit, notebook: Path | None) -> Names:
    """Return the names of a unit. Exercises come from a notebook if there is one, or else from the references."""
    names = {name: getattr(unit.module, name) for name in unit.module.__all__} | {"__name__": "__main__"}
    steps = [Step("helper", exercise.name, exercise.source) for exercise in unit.exercises]
    if notebook:
        submission = _read(notebook, unit)
        _say_what_is_borrowed(submission)
        steps = plan(submission, lambda _, name: unit[name].source)
    for step in steps:
        _define(step, names)
    return names


def _read(notebook: Path, unit: Unit) -> Submission:
    try:
        return read_submission(notebook, unit.catalogue, unit)
    except NotebookError as error:
        raise NotebookError(f"{notebook}: {error}") from None


def _say_what_is_borrowed(submission: Submission) -> None:
    missing = [name for name in submission.assigned if name not in submission.answers]
    if missing:
        print(f"Borrowed from the reference answers: {', '.join(missing)}")


def _define(step: Step, names: Names) -> None:
    try:
        exec(compile(str(step.source), f"<{step.name}>", "exec", dont_inherit=True), names)
    except (Exception, SystemExit) as error:
        raise NotebookError(f"the cell of {step.name} fails when run: {failure_line(error)}") from None


def failure_line(error: BaseException) -> str:
    """Return one line about an exception, with the learner's line that raised it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename[1:-1].isidentifier()]
    where = f" (line {frames[-1].lineno} of the cell of {frames[-1].filename[1:-1]})" if frames else ""
    return exception_line(error) + where
