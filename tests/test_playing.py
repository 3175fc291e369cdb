"""`foldem play`: games by hand, through the real command at a real terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from select import select
from typing import Any

import nbformat
import pytest

from autograder.commands.play import functions
from autograder.units.unit import read_unit
from tests.classroom import blank_notebook, notebook_with, right_answers
from tests.command import FOLDEM, PLAIN, foldem, is_one_line_refusal


def at_a_terminal(*words: str | Path, answer: bytes, patience: float = 60) -> tuple[int, str]:
    """Run the command at a terminal, typing `answer` at every pause; give its exit status and all that was shown."""
    ours, theirs = pty.openpty()
    command = [FOLDEM, "play", *map(str, words)]
    running = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=PLAIN, start_new_session=True)
    os.close(theirs)
    try:
        shown = b"".join(_shown(ours, answer, time.monotonic() + patience))
        return running.wait(10), shown.decode()
    finally:
        running.kill()
        os.close(ours)


def _shown(terminal: int, answer: bytes, end: float) -> Iterator[bytes]:
    with suppress(OSError):  # which is how a terminal says that nobody is there any more
        while time.monotonic() < end:
            if select([terminal], [], [], 0.5)[0]:
                yield os.read(terminal, 1 << 16)
            else:
                os.write(terminal, answer)


def notebook_file(folder: Path, notebook: Any) -> Path:
    path = folder / "mine.ipynb"
    nbformat.write(notebook, path)
    return path


def test_uno_is_played_to_its_end_by_a_player_who_goes_automatic() -> None:
    status, shown = at_a_terminal("uno", answer=b"-1\n")
    assert status == 0 and "Enter the number of the selected card" in shown and " wins. " in shown


def test_basra_is_played_by_numbers_to_the_score() -> None:
    status, shown = at_a_terminal("basra", answer=b"1\n" * 30)
    assert status == 0 and "Which number?" in shown and "Score: " in shown


def test_dominoes_asks_for_a_tile_and_leaving_is_no_error() -> None:
    status, shown = at_a_terminal("dominoes", answer=b"\x04")
    assert status == 0 and "Player 1 (human)" in shown and "You have left the table." in shown


def test_a_notebook_plays_with_its_own_functions_and_borrows_the_rest(tmp_path: Path) -> None:
    own = 'def string_of_player(player: Player) -> str:\n    return "Whoever\\t"'
    path = notebook_file(tmp_path, notebook_with("dominoes", {"string_of_player": own}))
    status, shown = at_a_terminal("dominoes", "--notebook", path, answer=b"\x04")
    borrowed = next(line for line in shown.splitlines() if line.startswith("Borrowed from the references: "))
    assert status == 0 and "Whoever" in shown and "flip" in borrowed and "string_of_player" not in borrowed


def test_a_game_that_breaks_off_says_where(tmp_path: Path) -> None:
    own = "def string_of_player(player: Player) -> str:\n    return 1 / 0"
    path = notebook_file(tmp_path, notebook_with("dominoes", {"string_of_player": own}))
    status, shown = at_a_terminal("dominoes", "--notebook", path, answer=b"\x04")
    assert status == 1 and "ZeroDivisionError: division by zero (line 2 of the cell of string_of_player)" in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize("right", [*right_answers("uno"), *right_answers("basra"), *right_answers("dominoes")], ids=str)
def test_every_right_notebook_makes_a_game(tmp_path: Path, right: Any) -> None:
    path = notebook_file(tmp_path, notebook_with(right.unit, right.answers, right.helpers))
    names = functions(read_unit(right.unit), path)
    assert all(name in names for name in right.answers)


def test_without_a_terminal_it_says_so() -> None:
    done = foldem("play", "uno")
    assert is_one_line_refusal(done) and "needs a terminal" in done.stderr


BAD = {
    "no such game": ("sedma",),
    "no such notebook": ("uno", "--notebook", "{here}/nothing.ipynb"),
    "a notebook of another unit": ("uno", "--notebook", "{here}/mine.ipynb"),
}


@pytest.mark.parametrize("words", BAD.values(), ids=BAD)
def test_bad_input_is_refused_in_one_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    notebook_file(tmp_path, blank_notebook("sedma"))
    done = foldem("play", *(word.format(here=tmp_path) for word in words))
    assert is_one_line_refusal(done) and "terminal" not in done.stderr


def test_the_help_has_an_example() -> None:
    done = foldem("play", "--help")
    assert done.returncode == 0 and "Example: foldem play uno" in done.stdout
