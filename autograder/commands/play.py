"""`foldem play`: a game by hand in the terminal, made of the learner's own functions, which are trusted here."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.arena.entries import plan
from autograder.sandbox.inside.orders import Step
from autograder.submission.model import Submission
from autograder.submission.sort import NotebookError, read_submission
from autograder.units.unit import Unit, UnitError, read_unit

Names = dict[str, Any]
OVER, BROKEN = 0, 1


class NoGame(UnitError):
    """A game that cannot be played here; the message is one line."""


def _uno(names: Names) -> None:
    winner, losses = names["game"](names["ten_players"](names["naive"]))
    print(f"\n{winner} wins.", ", ".join(f"{name} {loss}" for name, loss in losses))


def _dominoes(names: Names) -> None:
    names["play"](6, "HB")


def _basra(names: Names) -> None:
    from course.basra_game import by_hand, play_basra

    play_basra(names["capture"], names["is_game_over"], names["produce_shuffled_deck"], names["sort"], by_hand)


GAMES: dict[str, Callable[[Names], None]] = {"uno": _uno, "dominoes": _dominoes, "basra": _basra}


def play(game: str, notebook: Path | None) -> int:
    """Play a game to its end, or until the player leaves, and give the exit status."""
    if game not in GAMES:
        raise NoGame(f"there is no game {game!r} to play by hand, only {', '.join(GAMES)}")
    names = functions(read_unit(game), notebook)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NoGame("play needs a terminal to type in")
    try:
        GAMES[game](names)
    except (KeyboardInterrupt, EOFError):
        print("\nYou have left the table.")
    except Exception as error:
        print(f"foldem: the game has broken off: {story(error)}", file=sys.stderr)
        return BROKEN
    return OVER


def functions(unit: Unit, notebook: Path | None) -> Names:
    """Give the names of a unit, its exercises defined by a notebook, or by the references where it does not."""
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
        return read_submission(notebook, unit)
    except NotebookError as error:
        raise NotebookError(f"{notebook}: {error}") from None


def _say_what_is_borrowed(submission: Submission) -> None:
    missing = [name for name in submission.assigned if name not in submission.answers]
    if missing:
        print(f"Borrowed from the references: {', '.join(missing)}")


def _define(step: Step, names: Names) -> None:
    try:
        exec(compile(str(step.source), f"<{step.name}>", "exec", dont_inherit=True), names)
    except Exception as error:
        raise NotebookError(f"the cell of {step.name} fails when run: {story(error)}") from None


def story(error: Exception) -> str:
    """Give an exception in a line, with the learner's own line that it came from."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename[1:-1].isidentifier()]
    where = f" (line {frames[-1].lineno} of the cell of {frames[-1].filename[1:-1]})" if frames else ""
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":") + where
