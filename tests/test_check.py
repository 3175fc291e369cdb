"""The results of `check` in a notebook: in a real shell, in a real kernel, and under nbgrader."""

from __future__ import annotations

import builtins
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import course.check
import course.kernel.notebook
from autograder.sandbox import host
from autograder.submission.sort import submission_of_cells
from autograder.units.build import student_stub
from course.kernel.borrowed import show_unwritten_as_one_line
from course.kernel.history import recorded_run_ends
from tests.classroom import solved_notebook
from tests.command import CELL_PATIENCE, foldem
from tests.kernel import IMPORTS, RIGHT, Kernel, save
from tests.kernel import folder as folder
from tests.kernel import kernel as kernel
from tests.roads import CALL_PATHS
from tests.sample import one_in
from tests.units import read_unit

UNIT = read_unit("dominoes")
STUB = student_stub(UNIT["flip"])
WRONG = "def flip(domino):\n    return domino"
FAILS = "def flip(domino):\n    turned = domino.rigth\n    return Domino(turned, domino.left)"
UNPARSED = "def flip(domino):\n    return Domino(domino.right domino.left)"


@pytest.fixture
def without_autograder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(course.kernel.catalogue, "examiner", lambda: None)
    course.kernel.catalogue.sealed_exam_of.cache_clear()  # without fork, the autograder seals exams
    yield
    course.kernel.catalogue.sealed_exam_of.cache_clear()


def first_line(shown: str) -> str:
    return next(line for line in shown.splitlines() if line[:1] in tuple("✓✗○◇"))


VALUE_STUB = student_stub(read_unit("warmup")["total_penalty"])
HELPER = "def turned(domino):\n    return Domino(domino.rigth, 1)"
SELF = "def flip(domino):\n    check('flip')\n    return Domino(domino.right, domino.left)"
FAILED_CALL = "  call      flip(Domino(2, 3))\n  returned  Domino(2, 3)\n  expected  Domino(3, 2)"
OWN_LINE = "line 2 of flip: `turned = domino.rigth`"
CAPTURING = "def flip(domino):\n    match domino:\n        case left: pass\n        case right: pass"
ENDLESS = "def flip(domino):\n    while domino.left != domino.right: pass\n    return domino"
NO_TRACE = "Traceback", ".py"
Row = tuple[tuple[str, ...], str, tuple[str, ...], tuple[str, ...]]

# The cells that are run, the last cell, and texts that are shown or not.
SHOWN: dict[str, Row] = {
    "an exercise whose cell was not run": ((), "check('flip')", ("○ flip: the cell was not run", "0 of 22"), ()),
    "a stub": ((STUB,), "check('flip')", ("○ flip: not written yet",), ()),
    "a syntax error": ((UNPARSED,), "check('flip')", ("✗ flip: Python cannot read the cell: invalid syntax",), ()),
    "a syntax error after a pass": ((RIGHT, UNPARSED), "check('flip')", ("✗ flip: Python cannot read",), ()),
    "a wrong answer": ((WRONG,), "check('flip')", ("✗ flip: 0 of 2 checks pass",), ()),
    "a right answer": ((RIGHT,), "check('flip')", ("✓ flip: right in all", "1 of 22"), ()),
    "progress of another exercise": ((RIGHT, "check('flip')"), "check('append')", ("1 of 22",), ()),
    "a value that is still TODO": (
        ("from course.warmup import *", VALUE_STUB),
        "check('total_penalty')",
        ("not written yet",),
        (),
    ),
    "a function in place of its name": ((RIGHT,), "check(flip)", ("✓ flip: right in all",), ()),
    "another function": ((), "check(print)", ("no exercise 'print'",), ()),
    "a mistyped name": ((), "check('flop')", ("there is no exercise 'flop': did you mean 'flip'?",), NO_TRACE),
    "a number in place of a name": ((), "check(5)", ("in quotes",), NO_TRACE),
    "a lambda in place of its name": (("flip = lambda domino: domino",), "check(flip)", ("in quotes",), NO_TRACE),
    "an error": (
        (FAILS,),
        "check('flip')",
        ("call      flip(Domino(2, 3))", "raised    AttributeError", OWN_LINE),
        NO_TRACE,
    ),
    "an error in a helper": (
        (HELPER, "def flip(domino):\n    return turned(domino)"),
        "check('flip')",
        ("line 2 of cell_2: `return Domino(domino.rigth, 1)`",),
        (),
    ),
    "an endless answer": ((ENDLESS,), "check('flip')", ("took too long",), NO_TRACE),
}


@pytest.mark.forks
@pytest.mark.parametrize("row", SHOWN)
def test_check_shows_the_state_of_an_exercise(kernel: Kernel, row: str) -> None:
    assert faults(kernel, SHOWN[row]) == []


def faults(kernel: Kernel, row: Row) -> list[str]:
    """Return the texts of a row that are missing in what its last cell shows, and those that should not be there."""
    cells, last, wanted, unwanted = row
    shown = kernel.after(*cells, check=last)
    return [text for text in wanted if text not in shown] + [text for text in unwanted if text in shown]


SHOWN_BY_A_COURSE: dict[str, Row] = {
    "a right answer": ((RIGHT,), "check('flip')", ("2 of 2 examples right", "only the visible examples"), ()),
    "a wrong answer": ((WRONG,), "check('flip')", (FAILED_CALL,), ()),
    "an error": ((FAILS,), "check('flip')", (OWN_LINE,), ("Traceback",)),
    "a cell that stopped": ((f"{WRONG}\n1 / 0",), "check('flip')", ("✗ flip",), ()),
    "a pattern that captures": ((CAPTURING,), "check('flip')", ("✗ flip",), ()),
    "a mended answer": ((CAPTURING, f"{WRONG}\n1 / 0", RIGHT), "check('flip')", ("2 of 2 examples right",), ()),
    "an answer that checks itself": (
        (SELF,),
        "check('flip')",
        ("raised    NotRight", "call `check` in another cell", "line 2 of flip"),
        (),
    ),
    "an answer after one that checked itself": (
        (SELF, "check('flip')", RIGHT),
        "check('flip')",
        ("2 of 2 examples right",),
        (),
    ),
    "an interrupted answer": (
        ("def flip(domino):\n    raise KeyboardInterrupt",),
        "check('flip')",
        ("flip: the check was interrupted",),
        NO_TRACE,
    ),
}


@pytest.mark.parametrize("row", SHOWN_BY_A_COURSE)
def test_check_without_the_autograder_shows(kernel: Kernel, without_autograder: None, row: str) -> None:
    assert faults(kernel, SHOWN_BY_A_COURSE[row]) == []


IN_NEED = "turned = Domino(1, 2)\ndef flip(domino):\n    return Domino(domino.right, domino.left)"
CHECK = 'from course.check import check\ncheck("flip")'
FIRST_CELL = "Run the first cell (`from course.dominoes import *`), then the cell of `flip`"


@pytest.mark.parametrize(
    ("cells", "headline"),
    [
        ([], "○ flip: the cell was not run"),
        ([IN_NEED], "○ flip: the cell stopped with an error, before flip was defined"),
        ([IN_NEED, "Chain"], "○ flip: the cell stopped with an error, before flip was defined"),
        ([CHECK, IN_NEED, "Chain"], "✗ flip: the cell stopped with NameError in line 1, before flip was defined"),
    ],
)
def test_check_before_the_imports_names_the_cell_to_run_first(folder: Path, cells: list[str], headline: str) -> None:
    shown = Kernel(has_imports=False).after(*cells, check=CHECK)
    assert headline in first_line(shown) and FIRST_CELL in shown


@pytest.mark.forks
def test_check_after_the_imports_asks_to_run_the_cell_again(folder: Path) -> None:
    kernel, imports = Kernel(has_imports=False), "from course.dominoes import *"
    assert "Run the cell of `flip` again to see the error that stopped it." in kernel.after(
        IN_NEED, imports, check=CHECK
    )
    shown = kernel.after("del Domino", IN_NEED, imports, check=CHECK)
    assert "`Domino` was not defined when this function ran, but it is now. Run the cell of `flip` again" in shown
    assert "right in all" in kernel.after(IN_NEED, check=CHECK)


@pytest.mark.forks
def test_a_cell_saved_after_its_last_run_was_edited_but_not_run(kernel: Kernel, folder: Path) -> None:
    save(folder, {"flip": STUB})
    kernel.run(WRONG)
    save(folder, {"flip": RIGHT}, seconds_later=1)
    assert "you changed the cell, but did not run it" in first_line(kernel.after())
    assert "right in all" in first_line(kernel.after(RIGHT))


@pytest.mark.forks
@pytest.mark.parametrize(
    ("run", "saved"),
    [
        (RIGHT, f"# right?\n{RIGHT.replace('(domino):', '( domino ) :')}"),
        (RIGHT, STUB),
        *[(f"{RIGHT}\n%time flip(Domino(1, 2))",) * 2],
    ],
)
def test_a_cell_with_other_spaces_or_without_an_answer_was_not_edited(
    kernel: Kernel, folder: Path, run: str, saved: str
) -> None:
    kernel.run(run)
    save(folder, {"flip": saved}, seconds_later=1)
    assert "right in all" in first_line(kernel.after())


@pytest.mark.forks
@pytest.mark.parametrize("magic", ["%%time", "%%capture", "%%capture output\n%time 1", "%%time\n!true"])
def test_a_cell_below_a_magic_is_the_exercise_s_as_it_is_in_grading(
    kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch, magic: str
) -> None:
    source = f"{magic}\n{RIGHT}"
    recorded_run_ends()
    kernel.shell.run_cell(source, store_history=True, cell_id="flip")
    assert "right in all" in first_line(kernel.run('check("flip")'))
    save(folder, {"flip": source}, seconds_later=1)
    assert "✓ flip" in kernel.run("progress()")
    monkeypatch.setattr(course.kernel.catalogue, "examiner", lambda: None)
    assert "2 of 2 examples right" in first_line(kernel.run('check("flip")'))


def test_a_cell_that_needs_unwritten_functions_says_so_in_one_line(kernel: Kernel) -> None:
    recorded_run_ends()
    show_unwritten_as_one_line()
    again = 'then run this cell again. Or run borrow("{0}") first, to use the reference solution\n'
    unwritten = "{0} is not written yet (exercise {1}). Write it and run its cell, " + again
    use = "turned = flip(Domino(1, 2))"
    assert kernel.run(use) == f"flip is not defined yet (exercise 1). Run its cell, {again.format('flip')}"
    kernel.run(STUB)
    assert kernel.run(use) == unwritten.format("flip", 1)
    assert kernel.run("turned").startswith(
        "turned is not defined yet, because cell [4] stopped with an error. Run that cell"
    )
    kernel.run("from course.values import TODO\nappend = TODO")
    for use in ("append(1)", "append.left", "len(append)"):
        assert kernel.run(f"def using(): return {use}\nusing()") == unwritten.format("append", 2)


def test_errors_that_the_shell_shows_itself_are_left_to_it(kernel: Kernel) -> None:
    """Colab shows failed imports in its own way."""
    shown: list[object] = []
    kernel.shell.set_custom_exc((ZeroDivisionError,), lambda *raised, **_: shown.append(raised[1]))
    show_unwritten_as_one_line()
    assert kernel.after("1 / 0", STUB, check="flip(Domino(1, 2))").startswith("flip is not written yet")
    assert shown == [ZeroDivisionError]


def test_script_ends_at_a_wrong_answer(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(f"{IMPORTS}\n{WRONG}\ncheck(flip)\n")
    done = subprocess.run([sys.executable, "mine.py"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        1,
        "course.kernel.notebook.NotRight: flip is not right yet",
    )
    assert "✗ flip" in done.stdout


@pytest.mark.parametrize("cell", ["def flip(domino):\n    if domino:\n        raise NotImplementedError", "", FAILS])
def test_a_written_function_that_fails_shows_its_line(kernel: Kernel, cell: str) -> None:
    show_unwritten_as_one_line()
    kernel.run(cell)
    assert "Traceback (most recent call last)" in kernel.run("flip(Domino(1, 2))" if cell else "nobody_has_this")


@pytest.mark.forks
def test_a_process_that_died_is_replaced(kernel: Kernel) -> None:
    from autograder.hosts import kernel as examiner

    kernel.after(RIGHT)
    sandbox = examiner.open_kernel_sandbox(read_unit("dominoes"), examiner.kernel_policy(Path.cwd()))
    sandbox._process.kill()
    sandbox._process.wait()
    assert "right in all" in first_line(kernel.after())


def test_the_first_check_loads_no_course_puzzles_or_impostors() -> None:
    unneeded = {"autograder.term.course", "autograder.grading.puzzles", "autograder.exam.impostors"}
    code = f"import sys, autograder.hosts.kernel; print(sys.modules.keys() & {unneeded})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


MINE = "def mine(domino):\n    return Domino(domino.right, domino.left)\n"
UNSEEN = [
    f"{MINE}(flip := mine)",
    f"{MINE}for flip in (mine,): pass",
    f"{MINE}from contextlib import nullcontext\nwith nullcontext(mine) as flip: pass",
    f"{MINE}match mine:\n    case flip: pass",
    f"{MINE}globals()['flip'] = mine",
]
DEFINED = [
    f"{MINE}flip = mine",
    f"{MINE}if mine:\n    flip = mine",
    f"{MINE}flip, other = mine, 1",
    f"%%time\n{RIGHT}",
    f"%%capture shown\n%%time\n{RIGHT}",
]


@pytest.mark.parametrize("source", [*UNSEEN, *DEFINED])
def test_only_a_definition_that_grading_finds_is_checked(kernel: Kernel, without_autograder: None, source: str) -> None:
    is_unseen = source in UNSEEN
    assert bool(submission_of_cells(UNIT, [source]).answers) != is_unseen
    shown = kernel.after(source)
    headline = "no cell defines flip in a form that can be graded" if is_unseen else "2 of 2 examples right"
    assert headline in first_line(shown) and ("Write `def flip(…): …` or `flip = …`" in shown) == is_unseen


@pytest.mark.parametrize("leaving", ["exit()", "quit()", "get_ipython().ask_exit()"])
def test_an_answer_that_leaves_does_not_end_the_kernel(
    kernel: Kernel, without_autograder: None, monkeypatch: pytest.MonkeyPatch, leaving: str
) -> None:
    left: list[str] = []
    monkeypatch.setattr(type(kernel.shell), "ask_exit", lambda _: left.append("the kernel"), raising=False)
    assert "raised    SystemExit" in kernel.after(f"def flip(domino):\n    {leaving}")
    assert "SystemExit" in kernel.run("from course.watch import watch\nwatch(flip, Domino(1, 2))")
    table = "from course.tables import try_tile\ntable = try_tile()\ntable.receive(['pick', 0], table.revision)"
    shown = kernel.after(f"def legal_adds(domino, chain):\n    {leaving}", table, check="print(table.fault.trouble)")
    assert "SystemExit" in shown and left == []
    kernel.run(leaving)
    assert left == ["the kernel"]


@pytest.mark.parametrize("overwriting", ["builtins.len = 3", "builtins.vars = None", "vars(builtins).clear()"])
def test_an_answer_that_overwrites_built_ins_harms_only_itself(
    kernel: Kernel, without_autograder: None, overwriting: str
) -> None:
    had, before = vars(builtins), dict(vars(builtins))
    kernel.run(
        f"def flip(domino):\n    import builtins\n    {overwriting}\n    return Domino(domino.right, domino.left)"
    )
    try:
        shown = kernel.run('check("flip")')
        after = {name: had.get(name) for name in ("len", "vars")}
    finally:
        had.update(before)
    assert after == {"len": len, "vars": vars} and "Traceback" not in shown and first_line(shown)


# --- nbgrader


def checked_by_nbgrader(kernel: Kernel, folder: Path, answer: str, stage: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return how the cell of a check ended in a stage of nbgrader."""
    monkeypatch.setenv("NBGRADER_EXECUTION", stage)
    save(folder, {"flip": answer})
    return kernel.shell.run_cell('check("flip")', store_history=True)


@pytest.mark.forks
@pytest.mark.parametrize(("answer", "mark"), [(RIGHT, "1"), (WRONG, "0"), (UNPARSED, "0"), (STUB, "0"), (FAILS, "0")])
def test_under_autograde_the_value_is_the_mark(
    kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch, answer: str, mark: str
) -> None:
    monkeypatch.setattr(
        host, "sandbox_problems", lambda level, secrets: ("broken",)
    )  # in trusted mode, no sandbox is needed
    ended = checked_by_nbgrader(kernel, folder, answer, "autograde", monkeypatch)
    assert ended.success and repr(ended.result) == mark and not (folder / ".foldem").exists()


@pytest.mark.forks
def test_validate_reports_mistakes_in_a_short_error(
    kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = checked_by_nbgrader(kernel, folder, WRONG, "validate", monkeypatch).error_in_exec
    assert type(error).__name__ == "NotRight" and len(str(error)) < 100


def test_under_autograde_without_the_autograder_it_fails_loudly(
    kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch, without_autograder: None
) -> None:
    ended = checked_by_nbgrader(kernel, folder, RIGHT, "autograde", monkeypatch)
    assert "nothing can be graded" in str(ended.error_in_exec)


# --- whole notebooks


def test_run_all_with_exercise_4_unsolved_still_checks_exercise_22(folder: Path) -> None:
    notebook = solved_notebook("dominoes")
    for cell in notebook.cells:
        if cell.id == "legal_adds":
            cell.source = student_stub(UNIT["legal_adds"])
    nbformat.write(notebook, folder / "1_dominoes.ipynb")
    NotebookClient(notebook, timeout=CELL_PATIENCE, resources={"metadata": {"path": str(folder)}}).execute()
    shown = {cell.id: json.dumps(cell.outputs, ensure_ascii=False) for cell in notebook.cells if "outputs" in cell}
    assert "legal_adds: not written yet" in shown["legal_adds-check"]
    assert "✓ play: right in all" in shown["play-check"] and "21 of 22" in shown["play-check"]
    assert "21 of 22" in shown["start-tools"] and "✓ play" in shown["start-tools"]


@pytest.mark.forks
@pytest.mark.parametrize("answer", one_in(3, [RIGHT, WRONG, FAILS, UNPARSED, STUB]))
def test_the_terminal_shows_the_same_as_the_notebook(kernel: Kernel, folder: Path, answer: str) -> None:
    result = re.split(r"( ·|\n) +Stuck\?|\n.* of 22", output := kernel.after(answer))[0].splitlines()
    done = foldem("check", save(folder, {"flip": answer}), "flip")
    assert done.stdout.splitlines()[1:] == result[result.index(first_line(output)) :]
    assert done.returncode == (0 if answer == RIGHT else 1)


# -------------------------------------------------------------------------------------- the running notebook

OLDER = "def flip(domino):\n    a, b = domino.left, domino.right\n    return Domino(b, a)"
OLD, NEW = "old_dominoes.ipynb", "1_dominoes.ipynb"


def solved_beside_an_old_one(folder: Path) -> Kernel:
    """Return the kernel of 1_dominoes, which is solved, run and saved. The other notebook was saved even later."""
    kernel = Kernel()
    kernel.run(RIGHT)
    save(folder, {"flip": RIGHT}, seconds_later=1)
    save(folder, {"flip": OLDER}, seconds_later=2, name=OLD)
    return kernel


def in_jupyter(kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JPY_SESSION_NAME", str(folder / NEW))


def renamed_since_the_kernel_started(kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a kernel that was started under the name of another notebook. Only the running one has the cell."""
    monkeypatch.setenv("JPY_SESSION_NAME", str(folder / OLD))
    save(folder, {"flip": RIGHT}, seconds_later=1, cells={"mine": 'check("flip")'})
    tells_cell(kernel, "mine", monkeypatch)


def tells_cell(kernel: Kernel, cell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(kernel.shell), "get_parent", lambda _: {"metadata": {"cellId": cell}}, raising=False)


def in_a_browser(kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate JupyterLite, whose kernel is not ipykernel and reports the cell itself."""
    save(folder, {"flip": RIGHT}, seconds_later=1, cells={"mine": 'check("flip")'})
    lite = SimpleNamespace(get_parent=lambda: {"metadata": {"cellId": "mine"}})
    monkeypatch.setattr(kernel.shell, "kernel", lite, raising=False)


def in_a_notebook_that_is_no_unit(kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "scratch.ipynb").write_text('{"cells": [], "metadata": {}}')
    monkeypatch.setenv("JPY_SESSION_NAME", str(folder / "scratch.ipynb"))


FRONT_ENDS = (
    in_a_browser,
    in_a_notebook_that_is_no_unit,
    in_jupyter,
    lambda kernel, folder, _: kernel.shell.user_ns.update({"__vsc_ipynb_file__": str(folder / NEW)}),  # VS Code
    renamed_since_the_kernel_started,
    lambda *_: None,  # a front end that tells nothing
)


@pytest.mark.parametrize("tell", FRONT_ENDS)
def test_a_right_answer_is_right_whatever_files_are_beside_the_notebook(
    folder: Path, tell: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = solved_beside_an_old_one(folder)
    tell(kernel, folder, monkeypatch)  # type: ignore[operator]
    assert "✓ flip: right in all" in kernel.run('check("flip")')


def test_the_running_notebook_determines_the_exercises_to_solve(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = solved_beside_an_old_one(folder)
    save(folder, {}, seconds_later=3, name=OLD, metadata={"exercises": ["flip", "append"]})
    in_jupyter(kernel, folder, monkeypatch)
    assert "1 of 22" in kernel.run('check("flip")')


def test_progress_of_one_notebook_does_not_count_for_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = solved_beside_an_old_one(folder)
    in_jupyter(kernel, folder, monkeypatch)
    kernel.run('check("flip")')
    save(folder, {"flip": RIGHT}, seconds_later=9, name=OLD)
    save(folder, {}, seconds_later=9)
    assert "↻ flip" in Kernel().run('print(progress("dominoes"))')


@pytest.mark.forks
def test_nbgraders_validation_grades_the_notebook_it_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    kernel = Kernel()
    kernel.run(RIGHT)
    save(folder, {"flip": "def flip(domino):\n    return domino"})
    save(folder, {"flip": RIGHT}, name="zzz.ipynb")
    assert "✓ flip: right in all" in kernel.run('check("flip")')


# -------------------------------------------------------------------------------------- call paths

CEILINGS = {
    "check of a right answer, with the kit": 70,
    "check of a wrong answer, with the kit": 190,  # with the facts of the failing call
    "check of a right answer, with everything": 185,
    "check of a wrong answer, with everything": 320,
    "foldem grade": 302,  # with the facts of the failing call, and the choice between files
    "a click at a table": 20,
}


def numbers_of_functions() -> dict[str, int]:
    return {name: len(walk()) for name, walk in CALL_PATHS.items()}


@pytest.mark.forks
def test_call_paths_grow_no_longer() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:  # what ran before makes a path longer
        numbers = pool.submit(numbers_of_functions).result()
    assert {name: number for name, number in numbers.items() if number > CEILINGS[name]} == {}


@pytest.mark.parametrize(("item", "is_blamed"), [("dominoes[0]", False), ("dominoes[1]", True)])
def test_cell_that_defines_a_given_function_again_redefines_nothing(kernel: Kernel, item: str, is_blamed: bool) -> None:
    shown = kernel.after(
        f"def first(dominoes):\n    return {item}", "def flip(domino):\n    return Domino(first((7, domino.left)), 7)"
    )
    assert ("redefines `first`" in shown) is is_blamed and "right in all" not in shown
