"""`foldem play`: play the games of the notebooks in the terminal, with the learner's own functions, unconfined."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from time import sleep

from rich.console import Console
from rich.text import Text

from autograder.arena.entries import plan
from autograder.commands.chosen import chosen_catalogue
from autograder.commands.options import PlayOptions
from autograder.commands.screen import frame, help_line, help_text, room_for, typed_choice
from autograder.errors import UserError
from autograder.sandbox.inside.orders import Step
from autograder.submission.sort import NotebookError, read_submission
from autograder.text import shown_name
from autograder.units.pack import Catalogue
from autograder.units.unit import Unit, read_unit
from course.exam.calls import Names
from course.tables.game import game_of
from course.tables.learner import exception_line
from course.tables.scene import SceneView
from course.tables.table import AnyTable

OVER, BROKEN = 0, 1
UNDO = ("b", "back", "undo")
MEANWHILE = "waiting for the other players … · Ctrl-C quit"


def run(options: PlayOptions) -> int:
    """Play a game until the player quits, and return the exit status."""
    catalogue, notebook = chosen_catalogue(options.pack), options.notebook
    make, seats = _game_in(catalogue, options.game)
    bots = seats[0] if options.bots is None else options.bots
    if bots not in seats:
        raise UserError(f"{options.game} takes {seats[0]} to {seats[-1]} bots, not {bots}")
    if notebook and notebook.is_file() and not options.trust:
        ensure_trust(notebook)
    names = functions(read_unit(catalogue, options.game), notebook)
    console = Console(highlight=False)
    try:
        return sit_down(make(names, bots, options.pace), console)
    except (KeyboardInterrupt, EOFError):
        console.print("\nYou have left the table.")
    return OVER


def _game_in(catalogue: Catalogue, unit: str) -> tuple[Callable[[Names, int, float], AnyTable], range]:
    """Return how to make the table of a unit's game, and the possible numbers of bots.

    Raises UserError if the unit has no game.
    """
    game = game_of(catalogue.pack_of(unit).given(unit)) if unit in catalogue.units else None
    if game is None or game.play is None:
        games = {each: game_of(catalogue.pack_of(each).given(each)) for each in catalogue.units}
        known = [each for each, other in games.items() if other and other.play]
        raise UserError(f"there is no game {unit!r}: choose one of {', '.join(known)}")
    return game.play, game.bots


def ensure_trust(notebook: Path) -> None:
    """Ask whether to run a notebook without a sandbox.

    Raises UserError if the answer is no, or if no person can answer.
    """
    warning = f"{notebook} runs without a sandbox, like any program that you start"
    if not sys.stdin.isatty():
        raise UserError(f"{warning}. If you trust it, add --trust")
    if input(f"{shown_name(warning)}. Do you trust it? [y/N] ").strip().lower() not in ("y", "yes"):
        raise UserError("not started")


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
        if typed in UNDO and table.last_choice is not None:
            return table.receive(["undo"], table.revision)
        if typed in ("h", "help", "?"):
            console.print(Text(help_text(view)))
        elif typed in UNDO:
            console.print("There is no move to undo yet.")
        elif typed:
            console.print(Text(f"I don't know {typed!r}. Type h for help."))


def functions(unit: Unit, notebook: Path | None) -> Names:
    """Return the names of a unit. Exercises come from a notebook if there is one, or else from the references."""
    names = {name: getattr(unit.module, name) for name in unit.module.__all__} | {"__name__": "__main__"}
    steps = [Step("helper", exercise.name, exercise.source) for exercise in unit.exercises]
    if notebook:
        try:
            submission = read_submission(notebook, unit.catalogue, unit)
        except NotebookError as error:
            raise NotebookError(f"{notebook}: {error}") from None
        if missing := [name for name in submission.assigned if name not in submission.answers]:
            print(f"Borrowed from the reference solutions: {', '.join(missing)}")
        steps = plan(submission, lambda _, name: unit[name].source)
    for step in steps:
        try:
            exec(compile(str(step.source), f"<{step.name}>", "exec", dont_inherit=True), names)
        except (Exception, SystemExit) as error:
            if step.kind == "helper":
                continue  # as in the exam of an answer that does not need it
            raise NotebookError(f"the cell of {step.name} fails when run: {failure_line(error)}") from None
    return names


def failure_line(error: BaseException) -> str:
    """Return one line about an exception, with the learner's line that raised it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename[1:-1].isidentifier()]
    where = f" (line {frames[-1].lineno} of the cell of {frames[-1].filename[1:-1]})" if frames else ""
    return exception_line(error) + where
