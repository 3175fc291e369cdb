"""The pack of docs/own-contest.md: bots of a unit from elsewhere play in contests, tournaments and a leaderboard."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from autograder.arena.contest import RuleBroken, played_at_once, unit_arena
from autograder.arena.entries import TournamentError, chosen_arena
from autograder.config import Policy
from autograder.exam.cases import Contest
from autograder.grading.run import grade
from autograder.report.model import PASSED, WRONG, ExerciseReport
from autograder.report.render import headline
from autograder.report.words import verdict_text
from autograder.sandbox.inside.bot_runner import codec_of, find_bot
from autograder.units import pack as packs
from autograder.units.pack import UnitError
from autograder.units.unit import Unit
from course import sedma
from course.arena.arena import Arena, SetResult, Steps, game_seeds
from course.arena.contests import duel_in, tournament_in
from course.arena.set import ARENA as OURS
from course.exam.wire import Wire
from solutions.bots import smart_player, stupid_player
from tests.classroom import notebook_with, reference_answers, submission_with, write_file
from tests.command import foldem, foldem_here, is_one_line_refusal, printed_by
from tests.console import ROOT, File, read_page
from tests.sample import one_in
from tests.units import known, read_unit

PAGE = ROOT / "docs" / "own-contest.md"


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the pack of the page. New processes make it, since this one would keep its first version."""
    folder = tmp_path_factory.mktemp("own")
    printed_by(foldem("new", folder / "matches", "--unit", "nim"))
    for part in read_page(PAGE):
        if isinstance(part, File):
            (folder / part.name).parent.mkdir(exist_ok=True)
            (folder / part.name).write_text(part.text)
    printed_by(foldem("build", "--pack", folder / "matches"))
    return folder / "matches"


def changed_rules(matches: Path, folder: Path, *changes: tuple[str, str]) -> Path:
    """Write a copy of the pack with changes in its arena, and return its folder."""
    shutil.copytree(matches, folder / "matches")
    file = folder / "matches" / "matches_course" / "nim" / "contest.py"
    for change in changes:
        file.write_text(file.read_text().replace(*change))
    return folder / "matches"


@pytest.fixture
def nim(matches: Path, monkeypatch: pytest.MonkeyPatch) -> Unit:
    monkeypatch.setenv(packs.VARIABLE, str(matches))
    return read_unit("nim")


def graded(unit: Unit, source: str, seconds: int = 10) -> ExerciseReport:
    """Return the report on an answer to `best_take`."""
    answers = reference_answers(unit) | {"best_take": source}
    return grade(submission_with(unit, answers), Policy(seconds_per_exercise=seconds))["best_take"]


def take(*body: str) -> str:
    return "def best_take(heap):\n    " + "\n    ".join(body)


# ------------------------------------------------------------------------------------------------ contests

LOST = {
    "a worse bot": (take("return heap % 3 or 3"), "it does not win enough deals against threes_take"),
    "too many": (take("return heap % 4"), "): answered 0, where 1 to "),
    "another type": (take("return True if heap > 6 else heap % 4 or 1"), "): answered True, where 1 to "),
    "no value": (take("return None if heap > 6 else heap % 4 or 1"), "): answered None, where 1 to "),
    "not sent": (take("return (lambda: 1) if heap > 6 else heap % 4 or 1"), "where 1 to "),
    "a crash": (take("return heap % 4 or 1 if heap < 7 else {}[heap]"), "): raised KeyError: "),
    "no end": (take("while heap > 6: pass", "return heap % 4 or 1"), "its bot took longer than 2 s"),
    "an exit": (take("if heap > 6: __import__('os')._exit(3)", "return heap % 4 or 1"), "its bot ended the process"),
}


@pytest.mark.proof
@pytest.mark.sandbox
def test_a_better_bot_of_a_pack_wins_its_contest(nim: Unit) -> None:
    report = graded(nim, nim["best_take"].source)
    assert report.state == PASSED and "right in all 2 calls and up to 200 sets " in headline(report)


@pytest.mark.sandbox
@pytest.mark.parametrize("name", one_in(4, [*LOST]))
def test_a_bot_of_a_pack_loses_its_contest_for_a_reason(nim: Unit, name: str) -> None:
    source, reason = LOST[name]
    report = graded(nim, source, seconds=2)
    assert report.state == WRONG and reason in verdict_text(report.facets[-1]), verdict_text(report.facets[-1])


@pytest.mark.promise("batch")
def test_an_answer_for_which_the_rules_raise_is_a_foul_in_a_contest(nim: Unit) -> None:
    held = unit_arena(nim)

    def rules(players: int, seed: int, first: int) -> Steps[str, object]:
        heap = yield 0, "take", 3
        return SetResult(int(str(heap)))

    bot = cast("Any", SimpleNamespace(answers=lambda _: ["x"], lost=None))
    with pytest.raises(RuleBroken, match="for which the rules raise ValueError"):
        played_at_once((1,), 0, bot, replace(held.arena, steps=rules), None)


# ------------------------------------------------------------------------------------------------ tournaments


def bots(folder: Path, **answers: str) -> list[Path]:
    """Write a file with a bot for each answer, and return the files."""
    files = [folder / f"{name}.py" for name in answers]
    for file, answer in zip(files, answers.values(), strict=True):
        file.write_text(f"def take(heap):\n    return {answer}\n")
    return files


@pytest.mark.proof
@pytest.mark.sandbox
@pytest.mark.promise("batch")
def test_an_answer_for_which_the_rules_raise_ends_no_tournament(matches: Path, tmp_path: Path) -> None:
    pack = changed_rules(matches, tmp_path, ("type(take) is not int or ", ""))
    words = *bots(tmp_path, bad="'x'", lost="{}[heap]"), "best", "--pack", pack
    shown = printed_by(foldem("tournament", *words))
    assert "the first time, it answered 'x', for which the rules raise" in shown
    assert "the first time, it raised KeyError: " in shown


@pytest.mark.sandbox
@pytest.mark.promise("terminal")
def test_an_answer_that_rules_quote_writes_nothing_to_the_terminal(matches: Path, tmp_path: Path) -> None:
    quoting = "raise illegal_answer(take,", 'raise Illegal(f"said {take}" if take else'
    pack = changed_rules(matches, tmp_path, ("import Arena", "import Illegal, Arena"), quoting)
    (bad,) = bots(tmp_path, bad="'\\x1b[2J' * 1000")
    done = foldem("tournament", bad, "best", "--pack", pack)
    assert "time, it said \N{REPLACEMENT CHARACTER}[2J" in done.stdout and "\x1b[2J" not in done.stdout, done.stderr
    assert len(done.stdout) < 5_000


@pytest.mark.sandbox
def test_bots_of_a_pack_play_a_league(nim: Unit, matches: Path, tmp_path: Path) -> None:
    for name, body in {"Four": "return heap % 4 or 1", "Zero": "return heap % 4"}.items():
        notebook = notebook_with(nim, {"best_take": take(body)}, (f"league_name = {name!r}",))
        write_file(tmp_path / "submitted" / f"student{len(body)}" / "nim" / "0_nim.ipynb", notebook)
    write_file(tmp_path / "foldem.toml", "")
    shown = printed_by(foldem_here("tournament", tmp_path, "--pack", matches, "--unit", "nim"))
    assert re.search("Zero committed .* fouls; the first time, it answered 0, where 1 to 3 matches can be taken", shown)
    assert "Four" in (tmp_path / "league" / "index.html").read_text()


def test_a_tournament_needs_a_unit_with_an_arena(nim: Unit) -> None:
    for unit, message in ((None, "add --unit bots or --unit nim"), ("sedma", "the unit sedma has no game for bots")):
        with pytest.raises((TournamentError, UnitError), match=message):
            chosen_arena(known(), unit)


# ------------------------------------------------------------------------------------------------ platforms


@pytest.mark.promise("references")
def test_no_starter_repository_contains_a_packs_references(matches: Path, tmp_path: Path) -> None:
    done = foldem_here("bundle", tmp_path / "start", "--for", "github", "--unit", "nim", "--pack", matches)
    assert is_one_line_refusal(done) and "students could read its reference solutions" in done.stderr
    assert not (tmp_path / "start").exists()


# ------------------------------------------------------------------------------------------------ the engine


def test_functions_play_in_notebooks(nim: Unit) -> None:
    held = unit_arena(nim)
    best, threes = held.reference("best_take"), held.reference("threes_take")
    assert [row.name for row in tournament_in(held.arena, (best, threes), 2).standings] == ["best_take", "threes_take"]
    won, lost = duel_in(held.arena, best, threes, game_seeds(1, 50)).pairs
    assert won > lost


RED = {f"red_{question}": getattr(smart_player, question) for question in OURS.questions}
BOTS = {
    "a value": (OURS, {"bot": smart_player}, "", smart_player),
    "functions": (OURS, RED, "red", replace(smart_player, name="red")),
    "a function that makes it": (OURS, {"made": lambda: stupid_player}, "made", stupid_player),
    "an exercise": (OURS, {"champion": lambda: smart_player}, "", smart_player),
    "the only function": (replace(OURS, bot=None, questions=("take",)), {"take": abs}, "", abs),
}


@pytest.mark.parametrize("kind", BOTS)
def test_names_define_a_bot_of_an_arena(kind: str) -> None:
    arena, names, wanted, bot = BOTS[kind]
    assert find_bot(arena, names, wanted) == bot


@pytest.mark.parametrize(
    ("names", "message"),
    [({}, "it has no `bot`, `play_card` or `champion`"), ({"champion": lambda: 3}, "returned 3, which is not a Bot")],
)
def test_a_file_without_a_bot_of_an_arena_is_refused(names: dict[str, object], message: str) -> None:
    with pytest.raises((LookupError, TypeError), match=message):
        find_bot(OURS, names, "")


NO_ANSWERS = ["f", "take"], ["v", "Path", "x"], ["?", "x"], {"a": 1}


def test_views_and_answers_of_a_unit_arrive_as_they_were_sent(nim: Unit) -> None:
    codec, view = codec_of(unit_arena(nim).arena, Wire(sedma)), (sedma.PIQUET_DECK[:3], {"a": 1.5}, None)
    assert codec.question_in(json.loads(json.dumps(codec.question_out("take", view)))) == ("take", view)
    assert codec.answer_in(json.loads(json.dumps(codec.answer_out(view)))) == view
    for convert, thing in [(codec.answer_out, each) for each in (abs, object())] + [
        (codec.answer_in, each) for each in NO_ANSWERS
    ]:
        with pytest.raises(ValueError, match=r"."):
            convert(thing)


def test_the_page_explains_every_field_of_an_arena_and_a_contest() -> None:
    text = PAGE.read_text()
    assert [each.name for kind in (Arena, Contest) for each in fields(kind) if f"| `{each.name}` |" not in text] == []


# ------------------------------------------------------------------------------------------------ in a pack's folder


READING = ("check", "0_war.ipynb"), ("grade", "."), ("pytest", "0_war.ipynb"), ("tournament", "a.py", "b.py")


@pytest.mark.promise("others")
@pytest.mark.promise("check")
@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_commands_that_read_students_work_run_no_pack_around_them(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A student can hand in a folder with a pack, and a teacher may work in that folder."""
    eve = tmp_path / "eve"
    shutil.copytree(Path(__file__).parent / "packs" / "war", eve)
    shutil.copy(eve / "notebooks" / "0_war.ipynb", eve)
    for name in ("a.py", "b.py"):
        (eve / name).write_text("play_card = play_drawn = choose_color = abs\n")
    for file in eve.rglob("*.py"):
        if file.parent != eve:
            file.write_text(f"open({str(tmp_path / 'run')!r}, 'w')\n{file.read_text()}")
    monkeypatch.chdir(eve)
    foldem_here(*words)
    assert not (tmp_path / "run").exists()
