"""The pack `packs/kalah`, written by the documentation alone: all that a unit of ours can do, in at most 500 lines."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from autograder.hosts.nbgrader import built_files
from autograder.units import pack as packs
from autograder.units.unit import Unit
from course.show.pictured import card_image_html
from docs.reference import pages
from tests.classroom import notebook_with, reference_answers, write_files
from tests.command import foldem, install_kit, run_in_kit
from tests.units import ROOT, mistakes_of, read_unit, right_answers

KALAH = ROOT / "packs" / "kalah"


@pytest.fixture(autouse=True)
def _kalah(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(packs.VARIABLE, str(KALAH))


def kalah() -> Unit:
    return read_unit("kalah")


def written() -> list[Path]:
    """Return the files of the pack that an author writes."""
    return sorted([*KALAH.rglob("*.py"), *KALAH.rglob("*.toml")])


def test_the_pack_has_at_most_500_lines_of_code() -> None:
    """Lessons are comments, and do not count."""
    lines = [line.strip() for path in written() for line in path.read_text("utf-8").splitlines()]
    assert sum(line != "" and not line.startswith("#") for line in lines) <= 500


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """Yield modules of ours that a file imports from, and the names."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        assert not isinstance(node, ast.Import) or not re.match(r"(course|autograder)\b", node.names[0].name)
        if isinstance(node, ast.ImportFrom) and re.match(r"(course|autograder)\b", node.module or ""):
            yield from ((node.module or "", alias.name) for alias in node.names)


def test_the_pack_imports_only_documented_names() -> None:
    documented = "\n".join([*pages().values(), *(path.read_text("utf-8") for path in ROOT.glob("docs/*.md"))])
    names = {pair for path in written() if path.suffix == ".py" for pair in imported(path)}
    modules = {module for module, _ in names if not re.search(rf"(?m)^from {module} import |`{module}`", documented)}
    others = {name for _, name in names if name != "*" and not re.search(rf"\b{name}\b", documented)}
    assert (modules, others) == (set(), set())


def test_the_committed_notebook_and_statements_are_current() -> None:
    stale = [str(path) for path, text in built_files([kalah()]).items() if path.read_text("utf-8") != text]
    assert stale == [], "run `make build`"


def submissions(folder: Path) -> Path:
    """Write a class: the references, right answers in another style, a mistake everywhere, and empty answers."""
    unit = kalah()
    answers = {
        "ada": reference_answers(unit),
        "bea": right_answers("kalah")[0].answers,
        "cleo": {mistake.exercise: mistake.source for mistake in mistakes_of("kalah")},
        "dan": {},
    }
    return write_files(folder, {f"{name}/0_kalah.ipynb": notebook_with("kalah", answers[name]) for name in answers})


@pytest.mark.sandbox
def test_right_answers_earn_all_points_and_wrong_ones_none(tmp_path: Path) -> None:
    done = foldem("grade", submissions(tmp_path / "in"), "--pack", KALAH, "--out", tmp_path / "out", FOLDEM_PACKS="")
    assert done.returncode == 0, done.stderr
    ada, bea, cleo, dan = json.loads((tmp_path / "out" / "report.json").read_text())
    assert ada["points"] == bea["points"] == ada["of"] and dan["points"] == 0
    assert [each["name"] for each in cleo["exercises"] if each["points"] >= each["of"]] == []
    done = foldem("report", tmp_path / "out", FOLDEM_PACKS=str(KALAH))
    assert done.returncode == 0 and "capture" in (tmp_path / "out" / "class.html").read_text("utf-8")


def test_the_arena_plays_by_the_rules_of_the_references() -> None:
    unit, random = kalah(), Random(1)
    names, arena = vars(unit.pack.import_role_module("solutions", "kalah")), import_module("kalah_course.kalah.contest")
    for _ in range(500):
        row, other = (tuple(random.choices(range(random.choice((2, 9))), k=4)) for _ in range(2))
        board = names["Board"](row, 3, other, 4)
        assert all(names["move"](board, house) == arena.played(board, house) for house in names["legal_houses"](board))


@pytest.mark.proof
@pytest.mark.sandbox
def test_bots_play_a_tournament(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text("def clever(board):\n    return [n > 0 for n in board.mine].index(True)\n")
    (tmp_path / "wrong.py").write_text("def clever(board):\n    return '0'\n")
    bots = (tmp_path / "first.py", tmp_path / "wrong.py", "greedy")
    done = foldem("tournament", *bots, "--pack", KALAH, FOLDEM_PACKS="")
    assert done.returncode == 0 and "answered '0', but the answer must be a house with seeds" in done.stdout, (
        done.stderr
    )


@pytest.mark.promise("batch")
def test_large_numbers_in_a_students_value_are_not_drawn() -> None:
    kalah()
    shown = card_image_html("Board((100000, 2), 0, (1_000, 0), 0)")
    assert len(shown) < 20_000 and "house with two seeds" in shown and "000" not in shown.partition("src=")[0]


@pytest.mark.proof
@pytest.mark.sandbox
def test_the_pack_is_proven() -> None:
    done = foldem("prove", "--pack", KALAH, "--jobs", "1", FOLDEM_PACKS="")
    assert done.returncode == 0, done.stdout


@pytest.mark.proof
def test_a_kit_checks_answers_to_the_pack(tmp_path: Path) -> None:
    kit = install_kit(tmp_path, "--pack", KALAH, "--unit", "kalah")
    answers = {"turn": reference_answers(kalah())["turn"]}
    answers["capture"] = next(each.source for each in mistakes_of("kalah") if each.name == "of_nothing")
    shown = {name: run_in_kit(kit, "kalah_course.kalah", answers[name], f"print(check({name!r}))") for name in answers}
    assert "right in all" in shown["turn"] and "capture is not right yet" in shown["capture"]
