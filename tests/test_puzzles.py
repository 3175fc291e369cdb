"""Parsons puzzles: made from references and known mistakes, judged by the exam, and absent where a course says so."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from zipfile import ZipFile

import pytest

from autograder.commands.student_kit import build_wheel, unit_files
from autograder.grading import puzzles, runs
from autograder.grading.puzzles import PuzzleMaker, puzzle_of
from autograder.hosts.kernel import Examiner
from autograder.prove.answers import names_with, reference_answers, sandbox_of, sealed_of
from autograder.sandbox import sources
from autograder.sandbox.host import SandboxDied
from autograder.units.build import built_notebook
from course.exam.sealed import Puzzle
from course.kernel import catalogue
from course.learner.answer import answer_among
from course.learner.hints import TASK, ShownPuzzle, hints_of, result_of_order
from course.learner.progress import load, progress_file
from course.show.results import BAD, GOOD
from tests.classroom import write_file
from tests.kernel import Kernel, folder, kernel
from tests.sample import one_in
from tests.sealed import read_sealed
from tests.units import known, read_unit, unit_names

__all__ = ("folder", "kernel")  # fixtures
MAKERS = [PuzzleMaker(read_unit(unit), exercise) for unit in unit_names() for exercise in read_unit(unit).exercises]
PUZZLED = [maker for maker in MAKERS if maker.has_puzzle]
APPEND = next(maker for maker in PUZZLED if maker.exercise.name == "append")
MOST_ORDERS = 20
cached_seal = cache(read_sealed)


def identity(maker: PuzzleMaker) -> str:
    return f"{maker.unit.name}-{maker.exercise.name}"


def letters_of(puzzle: Puzzle, lines: tuple[str, ...]) -> str:
    """Return the letters of lines in their order."""
    left, letters = dict(puzzle.lettered), ""
    for line in lines:
        letters += next(letter for letter, text in left.items() if text == line)
        del left[letters[-1]]
    return letters


def orders_near(maker: PuzzleMaker, puzzle: Puzzle) -> Iterator[str]:
    """Yield orders that compile: the reference's, with two neighbours swapped, a line left out, or a wrong line."""
    right, wrong = letters_of(puzzle, maker.right), {*puzzle.lettered}
    wrong -= {*right}
    cuts = range(len(right))
    orders = {right[:cut] + right[cut + 1 : cut + 2] + right[cut] + right[cut + 2 :] for cut in cuts}
    orders |= {right[:cut] + more + right[cut + 1 :] for cut in cuts for more in ("", *wrong)}
    for order in sorted(orders - {right}, key=lambda order: order != right):
        try:
            compile(puzzle.assembled(order), "<puzzle>", "exec")
        except SyntaxError:
            continue
        yield order


@pytest.mark.parametrize("maker", one_in(60, PUZZLED), ids=identity)
def test_orders_are_accepted_as_the_exam_accepts_them(maker: PuzzleMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "examiner", lambda: None)
    monkeypatch.setattr(catalogue, "_lender", lambda: None)
    monkeypatch.setattr(catalogue, "sealed", cached_seal)
    unit, name, puzzle = maker.unit, maker.exercise.name, maker.puzzle()
    answer = answer_among(names_with(unit, reference_answers(unit)), name, unit.name)

    def judged(order: str) -> tuple[bool, str]:
        is_right = maker.passes(puzzle.assembled(order), sandbox_of(unit))
        return is_right, result_of_order(answer, puzzle, order).state

    right = letters_of(puzzle, maker.right)
    assert puzzle.lines != maker.right and judged(right)[0] and judged(right)[1] != BAD
    near = [*orders_near(maker, puzzle)]
    for order in near[:: len(near) // MOST_ORDERS + 1]:
        is_right, state = judged(order)
        assert state != BAD if is_right else state != GOOD or not sealed_of(unit, name), puzzle.assembled(order)


def test_wrong_lines_come_from_known_mistakes_and_are_refused() -> None:
    puzzle = APPEND.puzzle()
    wrong = {*puzzle.lines} - {*APPEND.right}
    (line,) = (line for line in wrong if "Chain(_, text, right)" in line)
    code = "\n".join((*APPEND.header, *APPEND.right)).replace("        case Chain(left, text, right):", line)
    assert len(wrong) == 3 and not APPEND.passes(code, sandbox_of(APPEND.unit))


def test_without_fork_a_puzzle_has_no_wrong_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacks_fork(*_: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(puzzles, "open_sandbox", lacks_fork)
    assert sorted(APPEND.puzzle().lines) == sorted(APPEND.right)


def test_a_puzzle_is_made_once_for_kernels_and_kits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path))
    made = Examiner().puzzle("dominoes", "append")
    monkeypatch.setattr(PuzzleMaker, "wrong", lambda _: pytest.fail("the puzzle is made again"))
    assert made and made == puzzle_of(APPEND.unit, "append")


# --- hints


def test_hint_begins_with_the_puzzle_then_shows_words(kernel: Kernel, folder: Path) -> None:
    first, *others = hints_of("dominoes")["append"]
    shown = [kernel.run('hint("append")') for _ in range(2)]
    assert TASK in shown[0] and first not in shown[0] and "at_left = " in shown[0]
    assert first in shown[1] and others[0] not in shown[1] and load(folder, "dominoes")["append"].hints == 2


def test_a_solved_puzzle_is_shown_and_earns_nothing(kernel: Kernel, folder: Path) -> None:
    order = letters_of(APPEND.puzzle(), APPEND.right)
    answer = answer_among(kernel.shell.user_ns, "append", "dominoes")
    shown = [result_of_order(answer, APPEND.puzzle(), each).text() for each in (order, order[:-1], order[::-1])]
    assert "these lines are right" in shown[0] and "yourself" in shown[0]
    assert "not right yet" in shown[1] and "cannot be in that position" in shown[2]
    assert "append" not in load(folder, "dominoes") and "append" not in kernel.shell.user_ns


@pytest.mark.parametrize("text", ["", "puzzles = false", "puzzles = true\nhints = false"])
def test_a_course_has_no_puzzles_unless_it_allows_them(kernel: Kernel, folder: Path, text: str) -> None:
    (folder / "foldem.toml").write_text(text)
    assert "at_left" not in kernel.run('hint("append")')
    progress_file(folder, "dominoes").unlink(missing_ok=True)
    (folder / "foldem.toml").write_text("puzzles = true")
    assert "at_left = " in kernel.run('hint("append")')


# --- kits


KITS = {None: True, "puzzles = true": True, "": False, "puzzles = false": False, "puzzles = true\nhints = false": False}


@pytest.mark.parametrize("settings", KITS)
def test_only_kits_with_puzzles_contain_lines_of_references(tmp_path: Path, settings: str | None) -> None:
    course, unit = tmp_path / "cs101", read_unit("dominoes")
    write_file(course / "foldem.toml", settings or "")
    files = unit_files([built_notebook(unit)], known(), course if settings is not None else None)
    with ZipFile(build_wheel(tmp_path, known().packs[0], True, files)) as wheel:
        named = {name for name in wheel.namelist() if "puzzle" in name and "at_right = " in wheel.read(name).decode()}
    assert named == ({"course/puzzles/dominoes.json"} if KITS[settings] else set())


# --- the widget


def test_check_without_lines_asks_to_move_some() -> None:
    widget = ShownPuzzle(answer_among({}, "append", "dominoes"), APPEND.puzzle()).widget()
    widget._handle_custom_msg({"order": ""}, [])
    assert "Move lines to your answer first." in widget.reply_html


def test_a_puzzle_has_no_line_that_could_not_be_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_known", {})
    monkeypatch.setattr(sources, "start_command", lambda *_: ["/no/such/program"])
    with pytest.raises(SandboxDied, match="does not start"):
        APPEND.puzzle()
