"""The league: paired deals between all bots, matches that depend on their two bots alone, and a page without names."""

from __future__ import annotations

import re
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from signal import SIGINT, SIGKILL, Signals
from time import sleep
from typing import Any, cast

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.arena.contest import unit_arena
from autograder.arena.league import Match, play_match
from autograder.commands.tournament import contestants_in, public_reason
from autograder.report.stops import TooLate
from autograder.term.course import read_course
from autograder.term.store import DATABASE_FILE
from course.arena.arena import function_for, game_seeds
from course.arena.contests import duel_in
from course.arena.values import COLORS, Bot, View
from solutions.bots import playable_cards, smart_player, stupid_player
from tests.classroom import notebook_with, reference_answers, write_file
from tests.command import FOLDEM, PATIENCE, PLAIN, foldem_here, is_one_line_refusal, printed_by
from tests.stage import assert_page_accessible
from tests.test_tables_browser import chromium
from tests.units import known, read_unit

HELD = unit_arena(read_unit("bots"))
CHAMPION = """def champion():
    def play_card(view):
        {first}
        return playable_cards(view)[{at}]

    return Bot("Champion", play_card, smart_play_drawn, smart_choose_color)
"""


def picky(at: int, rolls: bool) -> Bot:
    """Return a bot that plays one of its cards by its place, or by chance."""

    def play_card(view: View) -> Any:
        cards = playable_cards(view)
        return cards[(view.roll if rolls else at) % len(cards)]

    return Bot(f"picky {at}", play_card, smart_player.play_drawn, lambda view: COLORS[(view.roll + at) % 4])


@dataclass
class Trusted:
    """A stand-in for a seated bot: it answers in this process, and is out after a number of messages."""

    bot: Bot
    messages: int = 10**6
    is_late: bool = False
    lost: None = None

    @property
    def is_out(self) -> bool:
        return self.messages < 0

    def answers(self, questions: Sequence[tuple[str, object]]) -> list[object]:
        self.messages -= 1
        if self.is_out:
            return [TooLate(1.0)] * len(questions)
        return [function_for(self.bot, question)(view) for question, view in questions]


def match_between(one: Bot, two: Bot, seed: int, stages: Sequence[int], messages: int = 10**6) -> Match:
    sides = (Trusted(one), Trusted(two, messages)), (Trusted(two), Trusted(one))
    return play_match(cast(Any, sides), HELD, game_seeds(seed, stages[-1]), stages)


# ------------------------------------------------------------------------------------------------ one match

BOTS = st.one_of(st.sampled_from([smart_player, stupid_player]), st.builds(picky, st.integers(0, 3), st.booleans()))


@given(BOTS, BOTS, st.integers(0, 2**32))
def test_a_match_is_what_the_arena_plays(one: Bot, two: Bot, seed: int) -> None:
    match, duel = match_between(one, two, seed, (2, 3)), duel_in(HELD.arena, one, two, game_seeds(seed, 3))
    won = duel.outcomes.count(1), duel.outcomes.count(-1)
    assert (match.sets, match.won, match.deals) == (6, won, duel.pairs)


def test_a_bot_that_is_out_loses_the_match() -> None:
    match = match_between(smart_player, stupid_player, 1, (4, 8), messages=3)
    assert (match.out, match.won, match.deals, match.winner, match.share(1)) == ((False, True), (8, 0), (4, 0), 0, 0.0)
    assert match.fouls[0].number == 0 and public_reason(match.fouls[1].reason) == "took longer than 1 s"


# ------------------------------------------------------------------------------------------------ a course

INTERRUPTED = "foldem: interrupted. Run the same command to continue."
WEIRD = '<script>alert("x")</script>'
NAMES: dict[str, object] = {
    "stud01": "Fox",
    "stud02": "Fox",
    "stud03": WEIRD[:30],
    "stud04": "Stall",
    "stud05": "Crash",
}
STAYS_OUT: dict[str, object] = {"stud06": "a\u202eb", "stud07": "Ada Lovelace", "stud08": "x" * 31, "stud09": 7}
FIRST = {"stud04": "while True: pass", "stud05": "if view.roll % 5 == 0: raise ValueError('Ada Lovelace is bad')"}


def hand_in(course: Path, student: str, name: object, first: str = "") -> None:
    """Hand in a notebook with a champion that begins each answer with a statement. All champions are different."""
    first = first or f"tag = {student!r}"
    answers = reference_answers(read_unit("bots")) | {"champion": CHAMPION.format(first=first, at=-(len(first) % 2))}
    notebook = notebook_with("bots", answers)
    notebook.cells.append(nbformat.v4.new_code_cell(f"league_name = {name!r}"))
    write_file(course / "submitted" / student / "bots" / "5_bots.ipynb", notebook)


def new_course(folder: Path) -> Path:
    write_file(folder / "foldem.toml", "")
    write_file(folder / "roster.csv", "id,name\nstud01,Ada Lovelace\nstud10,Grace Hopper\n")
    for student, name in (NAMES | STAYS_OUT | {"stud10": ""}).items():
        hand_in(folder, student, name, FIRST.get(student, ""))
    return folder


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course whose league has been played."""
    folder = new_course(tmp_path_factory.mktemp("term") / "cs101")
    done = foldem_here("tournament", folder, "--jobs", "2")
    write_file(folder.with_suffix(".txt"), printed_by(done) + done.stderr)
    return folder


def page_of(course: Path) -> str:
    return (course / "league" / "index.html").read_text()


def match_keys(course: Path) -> set[str]:
    """Return the keys of the stored matches."""
    with closing(sqlite3.connect(course / DATABASE_FILE)) as database, suppress(sqlite3.OperationalError):
        return {key for (key,) in database.execute("SELECT key FROM foldem_match")}
    return set()  # the store has no tables yet


@pytest.mark.parametrize("name", ["Zo\u034fe Miller", "Zoe\u3164Miller", "Ｚｏｅ Ｍｉｌｌｅｒ", "zoé⠀miller", "\u3164"])
def test_a_name_in_disguise_is_no_pseudonym(name: str, tmp_path: Path) -> None:
    new_course(tmp_path)
    write_file(tmp_path / "roster.csv", "id,name\nstud10,Zoë Miller\n")
    for student in ("stud02", "stud03"):
        hand_in(tmp_path, student, name)
    course = read_course(tmp_path, known())
    bots = contestants_in(course, HELD, course.store(None))
    assert {bot.origin for bot in bots} == {*NAMES, "stud07"} - {"stud02", "stud03"}


@pytest.mark.proof
@pytest.mark.sandbox
def test_the_page_has_pseudonyms_and_reasons_but_no_text_of_a_bot(course: Path) -> None:
    page, printed = page_of(course), course.with_suffix(".txt").read_text()
    assert not re.search(r"stud\d\d|Ada|Lovelace|Grace|<script>alert|https?://", page)
    assert re.findall(r'class="name">([^<]*)</th>', page)[-1] == "Stall" and ">Fox 2</a></th>" in page
    assert "&lt;script&gt;alert" in page and "out of the league: it took longer than 1 s" in page
    assert "the first time, it raised an exception" in page and "Ada Lovelace is bad" in printed
    for student in STAYS_OUT:
        assert re.search(f"{student} is not in the league: league_name must be", printed)


@pytest.mark.proof
@pytest.mark.sandbox
def test_only_matches_of_changed_bots_are_played_again(course: Path, tmp_path: Path) -> None:
    copytree(course, again := tmp_path / "cs101")
    (again / "submitted" / "stud02").rename(again / "submitted" / "another")
    printed_by(foldem_here("tournament", again))
    assert page_of(again) == page_of(course) and match_keys(again) == match_keys(course)
    hand_in(again, "stud05", "Crash", "pass")
    printed_by(foldem_here("tournament", again))
    rivals = len(NAMES) - 2  # all but the bot itself and the one that is out
    assert match_keys(again) > match_keys(course) and len(match_keys(again) - match_keys(course)) == 1 + rivals


@pytest.mark.proof
@pytest.mark.parametrize("stop", [SIGINT, SIGKILL])
@pytest.mark.sandbox
def test_after_an_interrupt_the_next_run_ends_with_the_same_page(course: Path, tmp_path: Path, stop: Signals) -> None:
    again = new_course(tmp_path / "cs101")
    with subprocess.Popen([FOLDEM, "tournament", again], env=PLAIN, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not ((again / DATABASE_FILE).exists() and len(match_keys(again)) > 6):
            sleep(0.01)
        process.send_signal(stop)
        _, errors = process.communicate(timeout=PATIENCE)
    assert stop == SIGKILL or (process.returncode, errors.splitlines()[-1]) == (130, INTERRUPTED)
    assert 6 < len(match_keys(again)) < len(match_keys(course))
    printed_by(foldem_here("tournament", again))
    assert page_of(again) == page_of(course) and match_keys(again) == match_keys(course)


@pytest.mark.proof
@pytest.mark.sandbox
def test_forget_deletes_the_matches_and_the_page_of_a_league(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path / "cache"))
    copytree(course, again := tmp_path / "cs101")
    assert b"Lovelace" in (again / DATABASE_FILE).read_bytes()  # in the message of another student's exception
    foldem_here("forget", "stud01", again, "--yes")
    assert not (again / "league").exists() and not match_keys(again)
    assert b"Lovelace" not in (again / DATABASE_FILE).read_bytes()


def test_a_league_needs_two_bots(tmp_path: Path) -> None:
    hand_in(tmp_path, "stud01", "Fox")
    write_file(tmp_path / "foldem.toml", "")
    done = foldem_here("tournament", tmp_path)
    assert is_one_line_refusal(done) and "needs two bots, and has 1" in done.stderr


@pytest.mark.proof
@pytest.mark.npm
@pytest.mark.browser
@pytest.mark.sandbox
def test_the_page_of_a_league_is_accessible_at_three_widths(course: Path, tmp_path: Path) -> None:
    with chromium(tmp_path / "profile") as browser:
        page = browser.new_page()
        page.goto((course / "league" / "index.html").as_uri())
        assert_page_accessible(page)
