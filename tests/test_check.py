"""The results of `check` in a notebook: in a real shell, in a real kernel, and under nbgrader."""

from __future__ import annotations

import builtins
import gc
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import course.check
import course.kernel.notebook
from autograder.submission.sort import submission_of_cells
from autograder.units.build import student_stub
from course.kernel import history
from course.kernel.history import log
from course.kernel.limits import OBJECTS_BETWEEN_COLLECTIONS
from course.kernel.unwritten import show_unwritten_as_one_line
from tests.classroom import solved_notebook
from tests.command import CELL_PATIENCE, foldem, foldem_here, is_one_line_refusal
from tests.kernel import IMPORTS, RIGHT, Kernel, save
from tests.kernel import folder as folder
from tests.kernel import kernel as kernel
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
    course.kernel.catalogue.sealed.cache_clear()  # without fork, the autograder seals exams
    yield
    course.kernel.catalogue.sealed.cache_clear()


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
    "an exercise whose cell was not run": ((), "check('flip')", ("○ flip: its cell was not run", "0 of 22"), ()),
    "a stub": ((STUB,), "check('flip')", ("○ flip: not written yet",), ()),
    "a syntax error": ((UNPARSED,), "check('flip')", ("✗ flip: Python cannot read its cell: invalid syntax",), ()),
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
ENDLESS_ROW: Row = (ENDLESS,), "check('flip')", ("0 of 2 examples right, 1 not tried", "took too long"), ()


@pytest.mark.parametrize("row", SHOWN_BY_A_COURSE)
def test_check_without_the_autograder_shows(kernel: Kernel, without_autograder: None, row: str) -> None:
    assert faults(kernel, SHOWN_BY_A_COURSE[row]) == []


@pytest.mark.forks  # Python 3.11 without a timer stops no call
def test_examples_after_one_that_never_ends_are_not_tried(kernel: Kernel, without_autograder: None) -> None:
    assert faults(kernel, ENDLESS_ROW) == []


IN_NEED = "turned = Domino(1, 2)\ndef flip(domino):\n    return Domino(domino.right, domino.left)"
CHECK = 'from course.check import check\ncheck("flip")'
FIRST_CELL = "Run the first cell (`from course.dominoes import *`), then the cell of `flip`"


@pytest.mark.parametrize(
    ("cells", "headline"),
    [
        ([], "○ flip: its cell was not run"),
        ([IN_NEED], "○ flip: its cell stopped with an error, before flip was defined"),
        ([IN_NEED, "Chain"], "○ flip: its cell stopped with an error, before flip was defined"),
        ([CHECK, IN_NEED, "Chain"], "✗ flip: its cell stopped with NameError in line 1, before flip was defined"),
    ],
)
def test_check_before_the_imports_names_the_cell_to_run_first(folder: Path, cells: list[str], headline: str) -> None:
    shown = Kernel(has_imports=False).after(*cells, check=CHECK)
    assert headline in first_line(shown) and FIRST_CELL in shown


@pytest.mark.forks
def test_check_after_the_imports_asks_to_run_the_cell_again(folder: Path) -> None:
    kernel, imports = Kernel(has_imports=False), "from course.dominoes import *"
    assert "Run the cell of `flip` again: it shows what stopped it." in kernel.after(IN_NEED, imports, check=CHECK)
    shown = kernel.after("del Domino", IN_NEED, imports, check=CHECK)
    assert "`Domino` was not defined when this function ran, but it is now. Run the cell of `flip` again" in shown
    assert "right in all" in kernel.after(IN_NEED, check=CHECK)


@pytest.mark.forks
def test_a_cell_saved_after_its_last_run_was_edited_but_not_run(kernel: Kernel, folder: Path) -> None:
    save(folder, {"flip": STUB})
    kernel.run(WRONG)
    save(folder, {"flip": RIGHT}, seconds_later=1)
    assert "you changed its cell, but did not run it" in first_line(kernel.after())
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
    log()
    kernel.shell.run_cell(source, store_history=True, cell_id="flip")
    assert "right in all" in first_line(kernel.run('check("flip")'))
    save(folder, {"flip": source}, seconds_later=1)
    assert "✓ flip" in kernel.run("progress()")
    monkeypatch.setattr(course.kernel.catalogue, "examiner", lambda: None)
    assert "2 of 2 examples right" in first_line(kernel.run('check("flip")'))


def test_a_cell_that_needs_unwritten_functions_says_so_in_one_line(kernel: Kernel) -> None:
    log()
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


class ShownElsewhere(Exception):
    """An error that the shell shows in its own way, as Colab does for failed imports."""


def test_errors_that_the_shell_shows_itself_are_left_to_it(kernel: Kernel) -> None:
    shown: list[object] = []
    kernel.shell.set_custom_exc((ShownElsewhere,), lambda shell, kind, error, trace, tb_offset=None: shown.append(kind))
    show_unwritten_as_one_line()
    kernel.shell.user_ns["ShownElsewhere"] = ShownElsewhere
    kernel.run("raise ShownElsewhere")
    assert shown == [ShownElsewhere]
    assert kernel.after(STUB, check="flip(Domino(1, 2))").startswith("flip is not written yet")
    assert shown == [ShownElsewhere]


@pytest.mark.parametrize("name", ["<module>", "<cell line: 0>", "<cell line: 12>"])
def test_line_of_an_error_is_known_however_ipython_names_cells(name: str) -> None:
    code = compile("1\n1 / 0", "cell", "exec").replace(co_name=name)
    with pytest.raises(ZeroDivisionError) as raised:
        exec(code)
    assert history._line_of(raised.value) == 2


@pytest.mark.parametrize(
    ("last", "output", "error"),
    [
        ("check(flip)", "✗ flip", r".*NotRight: flip is not right yet\n$"),
        ("1 / 0", "", r"Traceback.*ZeroDivisionError"),
    ],
)
def test_script_ends_at_a_wrong_answer(tmp_path: Path, last: str, output: str, error: str) -> None:
    (tmp_path / "mine.py").write_text(f"{IMPORTS}\n{WRONG}\n{last}\n")
    done = subprocess.run([sys.executable, "mine.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and output in done.stdout and re.match(error, done.stderr, re.DOTALL)


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


def test_garbage_is_collected_seldom_while_a_check_runs(kernel: Kernel, without_autograder: None) -> None:
    before = gc.get_threshold()
    kernel.run("import gc\nthresholds = []")
    kernel.after(RIGHT.replace("return", "thresholds.append(gc.get_threshold()[0])\n    return"))
    assert {*kernel.shell.user_ns["thresholds"]} == {OBJECTS_BETWEEN_COLLECTIONS}
    assert gc.get_threshold() == before


def test_the_first_check_loads_no_course_puzzles_or_impostors() -> None:
    unneeded = {"autograder.term.course", "autograder.grading.puzzles", "autograder.exam.impostors"}
    code = f"import sys, autograder.hosts.kernel; print(sys.modules.keys() & {unneeded})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


MINE = "def mine(domino):\n    return Domino(domino.right, domino.left)\n"
UNSEEN = [
    "(flip := mine)",
    "for flip in (mine,): pass",
    "from contextlib import nullcontext\nwith nullcontext(mine) as flip: pass",
    "match mine:\n    case flip: pass",
    "globals()['flip'] = mine",
]


@pytest.mark.parametrize("binding", UNSEEN)
def test_a_definition_that_grading_does_not_find_is_not_called_right(
    kernel: Kernel, without_autograder: None, binding: str
) -> None:
    assert not submission_of_cells(UNIT, [MINE + binding]).answers
    shown = kernel.after(MINE + binding)
    assert "no cell defines flip in a way that can be graded" in first_line(shown)
    assert "Write def flip(…): … or flip = …" in shown.replace("`", "")


@pytest.mark.parametrize(
    "source",
    [
        f"{MINE}flip = mine",
        f"{MINE}if mine:\n    flip = mine",
        f"{MINE}flip, other = mine, 1",
        f"%%time\n{RIGHT}",
        f"%%capture shown\n%%time\n{RIGHT}",
    ],
)
def test_a_definition_that_grading_finds_is_checked(kernel: Kernel, without_autograder: None, source: str) -> None:
    assert submission_of_cells(UNIT, [source]).answers
    assert "2 of 2 examples right" in first_line(kernel.after(source))


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


@pytest.mark.forks
@pytest.mark.parametrize(("answer", "mark"), [(RIGHT, "1"), (WRONG, "0"), (UNPARSED, "0"), (STUB, "0"), (FAILS, "0")])
def test_under_autograde_the_value_is_the_mark(
    kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch, answer: str, mark: str
) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    save(folder, {"flip": answer})
    result = kernel.shell.run_cell('check("flip")', store_history=True)
    assert result.success and repr(result.result) == mark and not (folder / ".foldem").exists()


@pytest.mark.forks
def test_validate_reports_mistakes_in_a_short_error(
    kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    save(folder, {"flip": WRONG})
    error = kernel.shell.run_cell('check("flip")').error_in_exec
    assert type(error).__name__ == "NotRight" and len(str(error)) < 100


@pytest.mark.forks
def test_in_trusted_mode_a_machine_without_a_sandbox_grades_all_the_same(
    kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from autograder.sandbox import host

    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    monkeypatch.setattr(host, "failings", lambda level, secrets: ("broken",))
    save(folder, {"flip": RIGHT})
    assert repr(kernel.shell.run_cell('check("flip")').result) == "1"


def test_under_autograde_without_the_autograder_it_fails_loudly(
    kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch, without_autograder: None
) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert "nothing can be graded" in str(kernel.shell.run_cell('check("flip")').error_in_exec)


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


def test_the_terminal_refuses_other_files_in_one_line(folder: Path) -> None:
    (folder / "notes.ipynb").write_text("{")
    for name in ("notes.ipynb", "nothing.ipynb"):
        done = foldem_here("check", folder / name)
        assert is_one_line_refusal(done) and not done.stdout
