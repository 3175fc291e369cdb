"""`foldem play`: games by hand, through the real command at a real terminal."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from select import select
from shutil import copytree
from typing import Any

import nbformat
import pytest

from autograder.commands.play import ACROSS, choices_of, functions, scene, typed_choice
from course.tables import sedma_table, uno_table
from course.tables.scene import ROOMS
from solutions import sedma, uno
from tests.classroom import blank_notebook, notebook_with, right_answers
from tests.command import FOLDEM, PATIENCE, PLAIN, foldem, foldem_here, is_one_line_refusal


def at_a_terminal(*words: str | Path, answer: bytes, patience: float = PATIENCE) -> tuple[int, str]:
    """Run the command at a terminal, and type `answer` at every pause. Return its exit status and its output."""
    (ours, theirs), command = pty.openpty(), [FOLDEM, "play", *map(str, words)]
    colored = {name: value for name, value in PLAIN.items() if name != "NO_COLOR"} | {"TERM": "xterm-256color"}
    running = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=colored, start_new_session=True)
    os.close(theirs)
    try:
        shown = b"".join(_shown(ours, answer, time.monotonic() + patience))
        return running.wait(PATIENCE), shown.decode()
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
    nbformat.write(notebook, path := folder / "mine.ipynb")
    return path


def typed(*words: str | Path, lines: str) -> str:
    """Type lines in a game without a terminal until the game ends, and return the output."""
    command = [FOLDEM, "play", *map(str, words)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=100, env=PLAIN)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_uno_is_played_to_its_end_in_a_terminal() -> None:
    status, shown = at_a_terminal("uno", "--pace", "0", answer=b"a\n" + b"q\n" * 9)
    assert status == 0 and re.search("(You win|\\w+ wins)!", shown) and "left the table" in shown
    assert "\x1b[" in shown, "there should be colors"


def test_a_line_always_shows_what_can_be_typed_and_help_shows_more() -> None:
    shown = typed("sedma", lines="help\nxyzzy\nq\n")
    assert shown.count("1–4 choose · n new game · b back · h help · q leave") == 3
    assert "What you can type:" in shown and "you may lay it" in shown and "I don't know 'xyzzy'." in shown


@pytest.mark.parametrize(
    ("words", "lines", "last"),
    [
        (("sedma",), "1\n" * 8, "have won, "),
        (("basra",), "1\np\n" * 60, "The game is over. Your score:"),
        (("dominoes", "--bots", "3"), "", "You have left the table."),
    ],
)
def test_games_are_played_to_their_ends_by_numbers_or_left(words: tuple[str, ...], lines: str, last: str) -> None:
    assert last in typed(*words, lines=lines)


def test_a_notebook_plays_with_its_own_functions_and_borrows_the_rest(tmp_path: Path) -> None:
    path = notebook_file(tmp_path, notebook_with("dominoes", {"flip": "def flip(domino):\n    return 1 / 0"}))
    shown = typed("dominoes", "--trust", "--notebook", path, lines="q\n")
    borrowed = next(line for line in shown.splitlines() if line.startswith("Borrowed from the reference solutions: "))
    assert "append" in borrowed and "flip" not in borrowed


def test_an_aborted_game_says_where(tmp_path: Path) -> None:
    own = "def make_dominoes(highest):\n    return 1 / 0"
    path = notebook_file(tmp_path, notebook_with("dominoes", {"make_dominoes": own}))
    done = foldem("play", "dominoes", "--notebook", path, "--trust")
    assert done.returncode == 1 and "Traceback" not in done.stdout + done.stderr
    assert "ZeroDivisionError: division by zero (line 2 of the cell of make_dominoes)" in done.stderr


@pytest.mark.parametrize("own", ["def make_dominoes(n):\n    raise SystemExit(3)", "make_dominoes = exit(3)"])
def test_a_notebook_that_exits_python_is_reported_in_one_line(tmp_path: Path, own: str) -> None:
    path = notebook_file(tmp_path, notebook_with("dominoes", {"make_dominoes": own}))
    done = foldem_here("play", "dominoes", "--notebook", path, "--trust")
    (line,) = done.stderr.strip().splitlines()
    assert done.returncode in (1, 2) and "make_dominoes" in line and "SystemExit: 3" in line


def test_a_move_is_undone_in_the_terminal_by_typing_back() -> None:
    assert typed("sedma", lines="b\n1\nb\nb\nq\n").count("There is no move to undo yet.") == 2


def test_cards_are_chosen_by_number_by_name_and_by_the_way_they_are_read() -> None:
    view = sedma_table(names=vars(sedma), seed=5).view()
    first = choices_of(view)[0]
    words = "1", first.short, first.label[:12].upper(), "", "zz"
    assert [typed_choice(view, word) for word in words] == [first] * 3 + [None] * 2


@pytest.mark.parametrize("room", ROOMS)
def test_a_scene_fits_its_room_and_shows_every_card_of_the_hand(room: str) -> None:
    table = uno_table(bots=9, names=vars(uno), seed=5)
    table.receive(["room", room], table.revision)
    shown = scene(table.view()).plain
    assert max(map(len, shown.splitlines())) <= ROOMS[room].width // ACROSS
    assert shown.count("┌") >= 9 and "Sergey" in shown


@pytest.mark.parametrize("right", [*right_answers("uno"), *right_answers("basra"), *right_answers("dominoes")], ids=str)
def test_every_right_notebook_makes_a_game(tmp_path: Path, right: Any) -> None:
    names = functions(right.unit, notebook_file(tmp_path, notebook_with(right.unit, right.answers, right.helpers)))
    assert all(name in names for name in right.answers)


def test_a_game_starts_beside_a_unit_that_cannot_be_imported(tmp_path: Path) -> None:
    pack = copytree(Path(__file__).parents[1] / "packs" / "kalah", tmp_path / "kalah")
    (pack / "kalah_course" / "kalah" / "__init__.py").write_text("raise RuntimeError")
    done = foldem("play", "uno", FOLDEM_PACKS=str(pack))
    assert done.returncode == 0 and done.stdout.endswith("You have left the table.\n"), done.stderr


BAD = {
    "no such game": ("chess",),
    "too many bots": ("dominoes", "--bots", "4"),
    "no such notebook": ("uno", "--notebook", "{here}/nothing.ipynb"),
    "a notebook of another unit": ("uno", "--notebook", "{here}/mine.ipynb", "--trust"),
    "a notebook that nobody has said to trust": ("sedma", "--notebook", "{here}/mine.ipynb"),
}


@pytest.mark.parametrize("words", BAD.values(), ids=BAD)
def test_bad_input_is_refused_in_one_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    notebook_file(tmp_path, blank_notebook("sedma"))
    assert is_one_line_refusal(foldem_here("play", *(word.format(here=tmp_path) for word in words)))
