"""Tournaments of untrusted bots: each sees only its own views, and can spoil only its own game."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from textwrap import dedent
from typing import Any, cast

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.arena.contest import InvalidAnswerValue, UntrustedPlayer
from autograder.arena.league import TRIAL, League, Match, TournamentError, chosen_arena, entries_of
from autograder.commands.options import TournamentOptions
from autograder.commands.tournament import league_of
from autograder.report.stops import BotFault
from autograder.report.words import bot_fault_text as fault_text
from autograder.sandbox.cage import LANDLOCK, Child
from autograder.sandbox.host import find_level
from autograder.sandbox.inside import bot_runner
from autograder.term.course import Course
from autograder.term.store import IN_MEMORY_ADDRESS
from course.arena.set import answers_of, drive, set_steps
from course.arena.values import CODEC, COLORS, DECK, POSSIBLE_ANSWERS, Bot, View
from solutions.bots import smart_player, stupid_player
from tests.classroom import blank_notebook, notebook_with, right_answers, solved_notebook
from tests.command import foldem_here, is_one_line_refusal
from tests.units import known, secret_folders

pytestmark = pytest.mark.sandbox
HELD = chosen_arena(known(), "bots")
HONEST = """
from course.bots import *

def playable(view):
    fitting = [c for c in view.hand if c.color is view.color or c.value == view.top.value < WILD or c.value == WILD]
    return fitting or [card for card in view.hand if card.value == WILD_DRAW_FOUR]

def play_card(view):
    return playable(view)[0]

def play_drawn(view):
    return view.drawn.color is view.color or view.drawn.value in (view.top.value, WILD, WILD_DRAW_FOUR)

def choose_color(view):
    return COLORS[view.roll % 4]
"""
# Tells by an exception what it has found: the reason for its disqualification.
CHEAT = """
import gc, os, sys
from pathlib import Path
from course.arena import set as arena

def tries(view):
    yield "a table", lambda: next(it for it in gc.get_objects() if isinstance(it, arena._Table))
    yield "a set", lambda: next(it for it in gc.get_objects() if getattr(it, "__name__", "") == "set_steps" and
                                type(it) is not type(tries))
    yield "another view", lambda: next(it for it in gc.get_objects() if type(it) is arena.View and it is not view)
    yield "another hand", lambda: next(it for it in gc.get_objects() if is_hand(it) and it is not view.hand)
    yield "processes", lambda: os.listdir("/proc")
    yield "the parent's memory", lambda: Path(f"/proc/{os.getppid()}/mem").read_bytes()
    yield "its own maps", lambda: Path("/proc/self/maps").read_text()
    yield "the parent", lambda: os.kill(os.getppid(), 0)
    yield "the solutions", lambda: __import__("solutions.bots")
    yield "the engine", lambda: __import__("autograder.arena.league")
    yield "another file", lambda: os.fstat(4)
    yield "a thread", lambda: __import__("_thread").start_new_thread(int, ())
    yield "a hand in a frame", lambda: next(it for it in framed() if is_hand(it) and it is not view.hand)

def is_hand(it):
    return type(it) is tuple and 1 < len(it) < 50 and all(type(card) is arena.Card for card in it)

def framed():
    frame = sys._getframe()
    while frame:
        yield from frame.f_locals.values()
        frame = frame.f_back

def works(attempt):
    try:
        attempt()
    except BaseException:
        return False
    return True

def play_card(view):
    raise RuntimeError("found: " + (", ".join(name for name, attempt in tries(view) if works(attempt)) or "nothing"))

play_drawn = choose_color = play_card
"""
STATEFUL = (
    HONEST
    + """
import random
asked = []

def play_card(view):
    asked.append(view)
    cards = playable(view)
    return cards[(random.randrange(9) + len(asked)) % len(cards)]
"""
)


def always(body: str) -> str:
    """Return the file of a bot that always does the same."""
    return f"import os, signal, sys, time\ndef play_card(view):\n    {body}\nplay_drawn = choose_color = play_card\n"


def bot_file(folder: Path, name: str, text: str) -> str:
    path = folder / f"{name}.py"
    path.write_text(dedent(text), encoding="utf-8")
    return str(path)


def notebook_file(folder: Path, name: str, notebook: Any) -> str:
    nbformat.write(notebook, path := folder / f"{name}.ipynb")
    return str(path)


def matches_of(*words: str, jobs: int = 1, level: str = "") -> list[Match]:
    """Return the match of each of these bots against StupidPlayer, with one deal."""
    *bots, rival = entries_of([*words, "stupid"], HELD)
    league = League(HELD, level or find_level(secret_folders()), "", "7", jobs, lambda keys: {}, lambda texts: None)
    return league.play_matches([(bot.request, rival.request) for bot in bots], lambda: None, TRIAL)


def reason_in(match: Match) -> str:
    """Return why the first bot of a match committed its first foul, or ""."""
    reason = match.fouls[0].reason or ""
    return reason if isinstance(reason, str) else fault_text(reason)


# ------------------------------------------------------------------------------------------------ the pipe


def views(number: int) -> list[tuple[Any, View]]:
    """Return all questions of a set."""
    questions: list[tuple[Any, View]] = []
    ask = answers_of((smart_player, stupid_player, smart_player))

    def answers(player: int, question: Any, view: View) -> Any:
        questions.append((question, view))
        return ask(player, question, view)

    drive(set_steps(3, number), answers)
    return questions


@pytest.mark.parametrize("number", range(5))
def test_a_view_arrives_as_it_was_sent(number: int) -> None:
    for question, view in views(number):
        arrived = CODEC.decode_question(json.loads(json.dumps(CODEC.encode_question(question, view))))
        assert arrived == (question, view) and all(map(any, [[c is card for card in DECK] for c in arrived[1].hand]))


class Teller:
    """A stand-in for a child: it sends these frames, whatever it receives."""

    def __init__(self, *frames: bytes) -> None:
        self.frames = [b"null", *frames]

    def send(self, _data: bytes) -> None: ...

    def receive(self) -> bytes:
        return self.frames.pop(0)


def decoded(frame: bytes) -> Any:
    """Return the answer that the engine reads from a frame of a bot's process."""
    return UntrustedPlayer(cast(Child, Teller(frame)), CODEC, HELD.request_for([], ""), 0).ask(views(1)[:1])[0]


def shown_reports(answer: Any) -> Any:
    """Return the answer that the engine receives from a bot that always answers this."""
    bot = Bot("x", *[lambda view: answer] * 3)
    return decoded(json.dumps([bot_runner.reply_of(bot, CODEC, CODEC.encode_question(*views(1)[0]), 1.0)]).encode())


@pytest.mark.parametrize("answer", [*dict.fromkeys(DECK), True, False, *COLORS])
def test_an_answer_arrives_as_the_very_thing(answer: Any) -> None:
    assert shown_reports(answer) is answer


@pytest.mark.parametrize("answer", [1, 0, None, "RED", (), [DECK[0]], 1.0, View, DECK])
def test_invalid_bot_answers_arrive_as_their_repr(answer: Any) -> None:
    assert type(shown_reports(answer)) is InvalidAnswerValue and repr(shown_reports(answer))[:80] == repr(answer)[:80]


FRAMES = [b"[" * 100_000, b'["AB"]', b'["odd"]', b'[["odd",1]]', b'{"a":1}', b"NaN", b'["A","A"]', b"[]", b"null"]


@given(st.binary(max_size=50) | st.sampled_from(FRAMES))
def test_no_frame_of_a_bot_upsets_the_engine(frame: bytes) -> None:
    assert isinstance(decoded(frame), (BotFault, InvalidAnswerValue, *map(type, POSSIBLE_ANSWERS)))


def test_a_bots_message_becomes_one_short_printable_line() -> None:
    raised = {"raised": "E", "text": "a\n\x1b[31m" + "b" * 1000, "place": None}
    line = fault_text(decoded(json.dumps([["raised", raised]]).encode()))
    assert line.isprintable() and len(line) <= 410


# ------------------------------------------------------------------------------------------------ strangers


def test_the_number_of_jobs_changes_no_match(tmp_path: Path) -> None:
    words = [bot_file(tmp_path, name, STATEFUL) for name in ("one", "two", "three")]
    assert matches_of(*words, jobs=1) == matches_of(*words, jobs=2)


def test_a_cheating_bot_in_the_process_of_the_rules_sees_other_hands() -> None:
    names, _seen = dict[str, Any](), views(1)
    exec(CHEAT, names)
    with pytest.raises(RuntimeError, match="found: a table, a set, another view, another hand, "):
        drive(set_steps(2, 1), lambda _player, _question, view: names["play_card"](view))


@pytest.mark.parametrize("level", ["", pytest.param(LANDLOCK, marks=pytest.mark.landlock)])
def test_a_cheating_bot_sees_only_its_own_view(tmp_path: Path, level: str) -> None:
    (match,) = matches_of(bot_file(tmp_path, "cheat", CHEAT), level=level)
    assert reason_in(match) == "raised RuntimeError: found: nothing"


REASONS = {
    "while True: pass": "took longer than 1 s",
    "raise ValueError('no idea')": "raised ValueError: no idea",
    "raise ValueError": "raised ValueError",
    "class Mute(Exception): __str__ = lambda self: 1\n    raise Mute": "raised Mute",
    "sys.exit(3)": "raised SystemExit: 3",
    "return None": "answered None, ",
    "return 'RED'": "answered 'RED', ",
    "from course.bots import RED, Card; return Card(RED, 99)": "answered Card(RED, 99), ",
    "os._exit(3)": "ended the process (exit status 3)",
    "os.kill(os.getpid(), 9)": "",
    "return play_card(view)": "raised RecursionError",
    "os.write(3, b'x' * 50)": "sent more than 1 MB of data",
    "os.write(3, (3).to_bytes(4, 'big') + b'???')": "sent an invalid answer",
}


@pytest.mark.promise("terminal")
def test_file_names_are_shown_without_terminal_codes(tmp_path: Path) -> None:
    done = foldem_here("tournament", str(tmp_path / "\x1b[2J.txt"), "smart")
    assert "\x1b[2J" not in done.stdout + done.stderr


BROKEN = {
    "def play_card(view:\n": "does not load: SyntaxError",
    "x = 1\n1 / 0\n": "does not load: ZeroDivisionError: division by zero (line 2 of the file)",
    "x = 1\n": "does not load: LookupError: it has no `bot`, `play_card` or `champion`",
    "import os; os._exit(0)": "ended the process (exit status 0)",
    "from solutions.bots import *": "does not load: ModuleNotFoundError",
    "while True: pass": "does not load: took too long",
}


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Match]:
    """Return the match of each odd bot, by the text of its file."""
    folder, texts = tmp_path_factory.mktemp("bots"), [*map(always, REASONS), *BROKEN]
    words = [bot_file(folder, f"odd {number}", text) for number, text in enumerate(texts)]
    return dict(zip(texts, matches_of(*words), strict=True))


@pytest.mark.parametrize("body", REASONS)
def test_a_bot_loses_its_sets_with_a_reason(matches: dict[str, Match], body: str) -> None:
    match = matches[always(body)]
    assert reason_in(match).startswith(REASONS[body]) and match.share(0) == 0.0


@pytest.mark.parametrize("text", BROKEN)
def test_a_file_that_does_not_load_is_out_with_the_reason(matches: dict[str, Match], text: str) -> None:
    assert matches[text].out == (True, False) and reason_in(matches[text]).startswith(BROKEN[text])


SWALLOWS = "while True:\n        try:\n            while True: pass\n        except BaseException: pass"


@pytest.mark.proof
def test_a_bot_that_swallows_its_time_limit_is_stopped(tmp_path: Path) -> None:
    (match,) = matches_of(bot_file(tmp_path, "odd", always(SWALLOWS)))
    assert re.match("took longer than 1 s|used up its 10 s of CPU time", reason_in(match)) and match.out[0]


# ------------------------------------------------------------------------------------------------ who plays


def test_a_notebooks_best_bot_plays(tmp_path: Path) -> None:
    smart = right_answers("bots")[0].answers
    unwritten = notebook_with("bots", {name: source for name, source in smart.items() if name != "champion"})
    word = notebook_file(tmp_path, "mine", unwritten)
    entries = entries_of((word, notebook_file(tmp_path, "solved", solved_notebook("bots")), "smart"), HELD)
    assert [entry.request.bot for entry in entries] == ["smart", "champion", "smart_player"]


NEEDS_ANOTHER = """
def champion():
    return Bot("Mine", lambda view: smart_play_card(view), smart_play_drawn, smart_choose_color)
"""


@pytest.mark.promise("references")
def test_a_notebooks_own_list_of_exercises_gives_its_bot_no_references(tmp_path: Path) -> None:
    answer = """
def champion():
    raise ValueError([each.__code__.co_names for each in (smart_play_card, smart_play_drawn, smart_choose_color)])
"""
    notebook = notebook_with("bots", {"champion": answer})
    notebook.metadata["foldem"]["exercises"] = ["champion"]
    reason = reason_in(*matches_of(notebook_file(tmp_path, "eve", notebook)))
    assert reason == f"does not load: ValueError: {[('NotImplementedError',)] * 3}"


def test_unwritten_functions_are_named_when_needed(tmp_path: Path) -> None:
    answers = right_answers("bots")[0].answers | {"champion": NEEDS_ANOTHER}
    del answers["smart_play_card"]
    word = notebook_file(tmp_path, "5_bots", notebook_with("bots", answers, right_answers("bots")[0].helpers))
    assert reason_in(*matches_of(word)) == "raised NotImplementedError: smart_play_card: not written yet"


@pytest.mark.promise("others")
def test_no_two_bots_share_a_name(tmp_path: Path) -> None:
    words = [bot_file(tmp_path, name, HONEST) for name in ("fox", "fox 2", "fox")]
    entries = entries_of((*words, "smart", "smart"), HELD)
    assert [entry.name for entry in entries] == ["fox", "fox 2", "fox 3", "smart", "smart 2"]


@pytest.mark.promise("others")
def test_a_bot_that_is_a_link_or_no_file_does_not_take_part(tmp_path: Path) -> None:
    (tmp_path / "eve.py").symlink_to("ann.py")
    os.mkfifo(tmp_path / "ivy.py")
    for name, reason in (("eve.py", "a link to another file"), ("ivy.py", "not a regular file")):
        with pytest.raises(TournamentError, match=reason):
            entries_of([str(tmp_path / name)], HELD)


@pytest.mark.promise("others")
def test_nobody_can_know_the_seed_of_a_tournament_of_files() -> None:
    course, options = Course(known()), TournamentOptions(bots=[])
    seeds = {league_of(course, HELD, course.store(IN_MEMORY_ADDRESS), options).seed for _ in range(2)}
    assert len(seeds) == 2 and "0" not in seeds


# ------------------------------------------------------------------------------------------------ the command


BAD = {
    "one bot": ("smart",),
    "no such file": ("{here}/nothing.py", "smart"),
    "no such notebook": ("{here}/nothing.ipynb", "smart"),
    "no such name": ("clever", "smart"),
    "a folder": ("{here}", "smart"),
    "a file that is no text": ("{here}/bytes.py", "smart"),
    "a notebook that is none": ("{here}/none.ipynb", "smart"),
    "a notebook of another unit": ("{here}/other.ipynb", "smart"),
    "a notebook without a bot": ("{here}/blank.ipynb", "smart"),
    "no such sandbox": ("{here}/fine.py", "smart", "--sandbox", "strong"),
}


@pytest.mark.parametrize("words", BAD.values(), ids=BAD)
def test_bad_input_is_refused_in_one_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "none.ipynb").write_text("{}")
    bot_file(tmp_path, "fine", HONEST)
    notebook_file(tmp_path, "other", blank_notebook("sedma"))
    notebook_file(tmp_path, "blank", blank_notebook("bots"))
    done = foldem_here("tournament", *(word.format(here=tmp_path) for word in words))
    assert is_one_line_refusal(done), done.stderr
