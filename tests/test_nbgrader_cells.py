"""Cells that nbgrader grades, as in a stock course or next to exercises of ours, and the kernel in bubblewrap."""

from __future__ import annotations

import asyncio
import copy
import json
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.manager import AsyncKernelManager
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder.hosts import cells, kernel_sandbox
from autograder.hosts.cells import RunCells, clean_outputs
from autograder.hosts.kernel_sandbox import KernelSandbox, folders_to_hide, kernel_sandbox_problem, python_folders_of
from autograder.submission.reading import grade_id
from autograder.units.build import source_notebook
from tests.classroom import reference_answers, write_files
from tests.command import foldem_here, one_line_with, printed_by
from tests.sample import as_proof
from tests.test_nbgrader import RUNS_EVIL, Course, filled, make_course
from tests.units import WAR, read_unit

pytestmark = [pytest.mark.nbgrader, pytest.mark.sandbox, pytest.mark.bubblewrap]

STOCK = "c = get_config()\nc.CourseDirectory.course_id = 'cs101'\n"
KERNEL_ONLY = "from autograder.hosts.cells import kernel_config\nc.merge(kernel_config(sandboxed=True))\n"
SETTINGS = "\nc.Execute.timeout = 6\nc.IncludeHeader.header = 'source/header.ipynb'\n"
CAESAR = "def caesar(text, n):\n    return ''.join(chr((ord(c) - 97 + n) % 26 + 97) for c in text)"
HIDDEN = "### BEGIN HIDDEN TESTS\nassert caesar('xyz', 3) == 'abc'\n### END HIDDEN TESTS"
TESTS = f"assert caesar('abc', 1) == 'bcd'\n{HIDDEN}"
PARTIAL = "score = 0\nif caesar('a', 1) == 'b': score += 1\nif caesar('a', 25) == 'z': score += 1\nscore / 2"
TASK = "Do it.\n=== BEGIN MARK SCHEME ===\nfull marks\n=== END MARK SCHEME ==="
SOLVED = {"caesar": CAESAR, "plot": "print('a plot')", "why": "It *is* <script>evil()</script> so"}


def cell_of(new_cell: Any, name: str, source: str, **kind: object) -> Any:
    """Return a cell of nbgrader."""
    data = dict.fromkeys(("grade", "locked", "solution", "task"), False) | {"grade_id": name, "schema_version": 3}
    return new_cell(source, id=name, metadata={"nbgrader": data | kind})


def questions() -> list[Any]:
    """Return questions of each of nbgrader's kinds."""
    solution = "def caesar(text, n):\n    ### BEGIN SOLUTION\n" + CAESAR.partition("\n")[2] + "\n    ### END SOLUTION"
    return [
        cell_of(new_markdown_cell, "intro", "Read only, $x$", locked=True),
        cell_of(new_code_cell, "caesar", solution, solution=True),
        cell_of(new_code_cell, "caesar_test", TESTS, grade=True, locked=True, points=2),
        cell_of(new_code_cell, "plot", "### BEGIN SOLUTION\n1\n### END SOLUTION", grade=True, solution=True, points=3),
        cell_of(new_markdown_cell, "why", "Because.", grade=True, solution=True, points=4),
        cell_of(new_markdown_cell, "task", TASK, locked=True, task=True, points=5),
        cell_of(new_code_cell, "partial", PARTIAL, grade=True, locked=True, points=1),
        cell_of(new_code_cell, "data", "assert open('data.txt').read() == 'hello'", grade=True, locked=True, points=1),
    ]


def homework() -> Any:
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [new_markdown_cell("# Homework <b>three</b>", id="head"), *questions()]
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def new_course(root: Path, kind: str) -> Course:
    """Return a course with a stock assignment: in stock nbgrader, in a course of ours, or with our kernel only."""
    course, config = Course(root, "", "hw"), STOCK + KERNEL_ONLY * (kind == "kernel")
    if kind == "ours":
        write_files(root, {"foldem.toml": 'seed = "x"'})
        printed_by(foldem_here("course", root, "--unit", "warmup"))
        shutil.rmtree(root / "source")
        config = (root / "nbgrader_config.py").read_text()
    header = new_notebook(cells=[new_markdown_cell("A header", id="h")])
    files = {"hw/problem.ipynb": homework(), "hw/data.txt": "hello", "header.ipynb": header}
    write_files(root / "source", files)
    write_files(root, {"nbgrader_config.py": config + SETTINGS})
    run = course.run_program if kind == "stock" else course.run
    run("nbgrader", "generate_assignment", "hw")
    return course


def answered(course: Course, answers: dict[str, str]) -> Any:
    return filled(course.released(), answers)


def hand_in_honest(course: Course) -> None:
    """Hand in answers of many kinds, also changed cells, and loops that never end."""
    warned = CAESAR.replace("    return", "    import sys\n    print('careful', file=sys.stderr)\n    return")
    memorized = "def caesar(text, n):\n    return {'abc': 'bcd'}.get(text, 'b')"
    variants = {
        "good": {},
        "memorized": {"caesar": memorized},
        "warned": {"caesar": warned},
        "endless": {"plot": "while True: pass"},
        "changed": {"caesar_test": "pass", "task": "Done."},
        "broken": {"caesar": "def caesar(:"},
    }
    for student, answers in variants.items():
        course.hand_in(student, answered(course, SOLVED | answers))
    course.hand_in("blank", course.released())
    deleted = answered(course, SOLVED)
    deleted.cells = [cell for cell in deleted.cells if grade_id(cell) != "caesar_test"]
    course.hand_in("deleted", deleted)


def rows(course: Course) -> list[Any]:
    """Return all marks and comments in the gradebook."""
    tables = (
        "SELECT auto_score, manual_score, extra_credit, needs_manual_grade, {} FROM grade",
        "SELECT auto_comment, manual_comment, 0, 0, {} FROM comment AS grade",
    )
    joined = (
        " JOIN base_cell ON base_cell.id = grade.cell_id JOIN submitted_notebook ON submitted_notebook.id = "
        "grade.notebook_id JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id"
    )
    with closing(sqlite3.connect(course.root / "gradebook.db")) as database:
        found = [database.execute(each.format("student_id, base_cell.name") + joined).fetchall() for each in tables]
    return [sorted(each, key=repr) for each in found]


def auto_marks(course: Course) -> dict[tuple[str, str], float | None]:
    """Return the mark that nbgrader has given to each student for each cell."""
    return {(student, name): score for score, *_, student, name in rows(course)[0]}


def mark_all(course: Course) -> None:
    """Mark everything by hand that is open, with an extra credit."""
    with course.gradebook() as gradebook:
        for submission in gradebook.assignment_submissions("hw"):
            for grade in (grade for notebook in submission.notebooks for grade in notebook.grades):
                if grade.auto_score is None:
                    grade.manual_score, grade.needs_manual_grade = 1.5, False
                grade.extra_credit = 0.25 if grade.name == "why" else None


def graded(root: Path, kind: str) -> tuple[Course, list[Any], dict[str, float]]:
    """Return a graded course, what was in its gradebook, and the totals after marking by hand."""
    course = new_course(root, kind)
    hand_in_honest(course)
    course.run_program("nbgrader", "autograde", "hw", in_spite_of_errors=True)
    before = rows(course)
    mark_all(course)
    return course, before, numbers(course.exported())


def numbers(texts: dict[str, str]) -> dict[str, float]:
    return {name: float(text) for name, text in texts.items()}


@pytest.mark.proof
def test_a_stock_assignment_has_stock_marks_and_no_secret(tmp_path: Path) -> None:
    _, stock, totals = graded(tmp_path / "stock", "stock")
    for kind in ("ours", "kernel"):
        course, before, after = graded(tmp_path / kind, kind)
        assert (before, after) == (stock, totals)
        course.run("nbgrader", "generate_feedback", "hw")
        release = (course.root / "release/hw/problem.ipynb").read_text()
        assert not any(hidden in release for hidden in ("HIDDEN", "MARK SCHEME", "xyz", "full marks"))
        page = (course.root / "feedback/good/hw/problem.html").read_text()
        assert "<b>three</b>" in page and not RUNS_EVIL.search(page)
    table = printed_by(foldem_here("grade", tmp_path / "ours"))
    assert "caesar_test (0 of 2)" in table and "why (1.75 of 4)" in table and "no unit" not in table
    assert numbers(Course(tmp_path / "ours", "", "hw").exported_by_us()) == totals


@pytest.mark.parametrize("sandboxed", [True, as_proof(False)])
def test_a_notebook_may_have_cells_of_both_kinds(sandboxed: bool, tmp_path: Path) -> None:
    course = Course(make_course(tmp_path / "course", "warmup", sandboxed=sandboxed).root, "warmup", "hw")
    (course.root / "source" / "warmup").rename(course.root / "source" / "hw")
    path, reports = course.root / "source" / "hw" / "0_warmup.ipynb", course.root / "reports"
    source = nbformat.read(path, as_version=4)
    test = cell_of(new_code_cell, "uses", "assert swap_ends((1, 2))[0] == 2", grade=True, locked=True, points=7)
    middle = next(index for index, cell in enumerate(source.cells) if grade_id(cell) == "riffle-check") + 1
    source.cells[middle:middle] = questions()[:3]
    source.cells += [*questions()[3:-1], test]
    nbformat.write(source, path)
    course.run("nbgrader", "generate_assignment", "hw")
    assert "xyz" not in "".join(cell.source for cell in course.released().cells)
    references = reference_answers(read_unit("warmup"))
    for student, answers in {"all": references | SOLVED, "ours": references, "theirs": SOLVED}.items():
        course.hand_in(student, answered(course, answers))
    assert "caesar_test (no mark yet)" in printed_by(foldem_here("grade", course.root))
    assert {*course.exported_by_us().values()} == {""}
    course.run("nbgrader", "autograde", "hw")
    assert course.exported() == {"all": "", "ours": "", "theirs": ""}
    mark_all(course)
    totals = {"all": 20 + 2 + 1.5 + 1.75 + 1.5 + 1 + 7, "ours": 20 + 7 + 0.25 + 1.5, "theirs": 2 + 1.5 + 1.75 + 1.5 + 1}
    printed_by(foldem_here("grade", course.root, "--out", reports))
    assert numbers(course.exported()) == numbers(course.exported_by_us()) == totals
    table = (reports / "report.csv").read_text()
    assert "caesar_test,passed,2.0,2," in table and "plot,wrong,1.5,3," in table
    page = next((reports / "pages").rglob("*warmup*.html"))
    assert "of 4 points, marked in nbgrader" in page.read_text()


ATTACKS = {
    "course": "import os\nassert not os.path.exists(ROOT) and not os.path.exists('/home')",
    "tests": "assert os.listdir() == ['data.txt'] == os.listdir('/given')",
    "references": "try:\n    import solutions.uno\nexcept ImportError: pass\nelse: raise SystemError",
    "network": "import socket\ntry: socket.create_connection(('127.0.0.1', 22), 1)\nexcept OSError: pass\nelse: 1 / 0",
    "system": "try: open('/usr/evil', 'w')\nexcept OSError: pass\nelse: 1 / 0",
    "memory": "try: bytearray(1 << 36)\nexcept MemoryError: pass\nelse: 1 / 0",
    "environment": "import os\nassert not {'HOME', 'SECRET'} & {n for n in os.environ if os.environ[n] == 'secret'}",
    "parent": "import os\nassert not [n for n in os.listdir('/proc') if n.isdigit() and int(n) > 200]",
}


@pytest.mark.promise("others")
def test_attacks_on_nbgrader_harm_no_other_student(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each attack ends the command for the class in stock nbgrader, or reads or changes what is not the student's."""
    monkeypatch.setenv("SECRET", "secret")
    course = new_course(tmp_path / "course", "kernel")
    course.hand_in("zoe", answered(course, SOLVED))
    course.hand_in(
        "probe", answered(course, SOLVED | {"plot": f"ROOT = {str(course.root)!r}\n" + "\n".join(ATTACKS.values())})
    )
    twice, old, tagged, shell = (answered(course, SOLVED) for _ in range(4))
    twice.cells.append(copy.deepcopy(twice.cells[3]))
    for cell in old.cells:
        cell.metadata.get("nbgrader", {})["schema_version"] = 1
    for cell in tagged.cells:
        cell.metadata["tags"] = ["skip-execution"]
        cell.source = cell.source.replace("return", "return 1 or") if grade_id(cell) == "caesar" else cell.source
    shell.metadata["kernelspec"] = {"name": "evil", "display_name": "x", "argv": ["touch", str(tmp_path / "evil")]}
    for name, notebook in {"twice": twice, "old": old, "tagged": tagged, "shell": shell}.items():
        course.hand_in(name, notebook)
    course.hand_in("ends", answered(course, SOLVED | {"plot": EXIT}))
    image = "'<img src=x onerror=evil()>'"
    script = f"from IPython.display import *\ndisplay(HTML({image}), Javascript('evil()'), Markdown({image}))"
    data, about = {"image/png": "AAAA", "text/plain": "x"}, {"image/png": {"width": "1 onload=evil()"}}
    picture = f"display({data}, raw=True, metadata={about})"
    course.hand_in("script", answered(course, SOLVED | {"plot": f"{script}\n{picture}"}))
    course.run("nbgrader", "autograde", "hw")
    course.run("nbgrader", "generate_feedback", "hw", "--student", "script")
    marks = auto_marks(course)
    assert {marks[name, "caesar_test"] for name in ("zoe", "probe", "twice", "old", "shell", "script", "ends")} == {2}
    assert marks["tagged", "caesar_test"] == 0 and marks["ends", "partial"] is None
    probe = nbformat.read(course.root / "autograded/probe/hw/problem.ipynb", as_version=4)
    assert {grade_id(cell): cell.outputs for cell in probe.cells if "outputs" in cell}["plot"] == []
    page = (course.root / "feedback/script/hw/problem.html").read_text()
    assert 'src="data:image/png;base64,AAAA"' in page and not RUNS_EVIL.search(page)
    assert not (tmp_path / "evil").exists()


EXIT = "import os; os._exit(1)"
LOOP = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"


@pytest.mark.proof
@pytest.mark.parametrize("end", [EXIT, LOOP])
def test_cells_below_the_end_of_a_kernel_get_no_mark(end: str, tmp_path: Path) -> None:
    course = new_course(tmp_path / "course", "kernel")
    course.hand_in("ann", answered(course, SOLVED | {"plot": end}))
    course.hand_in("bob", answered(course, SOLVED | {"caesar": f"{CAESAR}\n    pass\n{end}"}))
    course.run("nbgrader", "autograde", "hw")
    marks, names = auto_marks(course), ("caesar_test", "partial", "data")
    assert [marks["ann", name] for name in names] == [2, None, None]
    assert [marks["bob", name] for name in names] == [None, None, None]


def test_without_bubblewrap_nothing_is_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "kernel_sandbox_problem", lambda: "install bubblewrap 0.8")
    with pytest.raises(SystemExit, match=one_line_with("nothing was graded: install bubblewrap 0.8")):
        RunCells().preprocess(homework(), {})


def test_outputs_keep_tables_and_pictures_but_no_script() -> None:
    page = '<style scoped>td {}</style><table border="1" class="dataframe" onclick="evil()"><tr><td id="a">1</td></tr>'
    data = {"text/html": page, "application/javascript": "evil()", "image/png": "AAAA", "text/plain": "1"}
    [output] = clean_outputs([new_output("display_data", data=data, metadata={"image/png": {"width": "1 x=y"}})])
    assert output.metadata == {} and set(output.data) == {"text/html", "image/png", "text/plain"}
    assert output.data["text/html"] == '<table border="1" class="dataframe"><tbody><tr><td>1</td></tr></tbody></table>'


def test_build_keeps_the_cells_that_nbgrader_grades(tmp_path: Path) -> None:
    shutil.copytree(WAR, tmp_path / "war")
    file = tmp_path / "war" / "solutions" / "war.py"
    data = json.dumps({"grade": True, "locked": True, "points": 2, "grade_id": "essay_test"})
    file.write_text(f'{file.read_text()}\n\n# %% active="ipynb" nbgrader={data}\n# assert deal(()) == ((), ())\n')
    cell = next(
        cell for cell in source_notebook(read_unit("war", tmp_path / "war")).cells if grade_id(cell) == "essay_test"
    )
    assert cell.id == "essay_test" and cell.source == "assert deal(()) == ((), ())"
    assert (
        cell.metadata["nbgrader"] | {"points": 2, "solution": False, "schema_version": 3} == cell.metadata["nbgrader"]
    )


# ------------------------------------------------------------------------------------------------ the kernel


Run = Callable[[str], Awaitable[str]]


def with_kernel(folder: Path, act: Callable[[Any, Run], Awaitable[Any]], **options: object) -> Any:
    """Start a sandboxed kernel in a folder, and return what an action returns that can run code in it."""

    async def main() -> Any:
        manager: Any = AsyncKernelManager(kernel_name="python3")
        manager.provisioner = KernelSandbox(kernel_id="", kernel_spec=manager.kernel_spec, parent=manager, **options)
        await manager.start_kernel(cwd=str(folder))
        client = manager.client()
        client.start_channels()
        await client.wait_for_ready(timeout=60)

        async def run(code: str) -> str:
            texts: list[str] = []
            keep = lambda message: texts.append(  # noqa: E731
                message["content"].get("text") or message["content"].get("ename") or ""
            )
            await client.execute_interactive(code, output_hook=keep, timeout=60, allow_stdin=False)
            return "".join(texts).strip()

        try:
            return await act(manager, run)
        finally:
            client.stop_channels()
            await manager.shutdown_kernel(now=True)
            await asyncio.sleep(0)
            assert not Path(manager.provisioner.folder).exists()

    return asyncio.run(main())


@pytest.mark.promise("others")
def test_a_kernel_reaches_its_own_files_only(tmp_path: Path) -> None:
    write_files(tmp_path, dict.fromkeys(("data.csv", "problem.ipynb"), "1"))
    (tmp_path / "link").symlink_to("/etc/passwd")

    async def act(_: Any, run: Run) -> list[str]:
        look = "import os, socket; open('new', 'w'); print(sorted(os.listdir()))"
        tries = ["open('/usr/x', 'w')", "open('/given/data.csv', 'w')", "open('/dev/x', 'w')", "open('/etc/passwd')"]
        tries += ["socket.create_connection(('127.0.0.1', 1), 1)", f"os.listdir({str(tmp_path)!r})", "import solutions"]
        return [await run(code) for code in (look, *tries)]

    files, *errors = with_kernel(tmp_path, act)
    assert files == "['data.csv', 'new']" and not (tmp_path / "new").exists()
    assert set(errors) == {"OSError", "FileNotFoundError", "ModuleNotFoundError", "ConnectionRefusedError"}


def test_a_kernel_reads_an_environment_in_the_folder_of_temporary_files(tmp_path: Path) -> None:
    write_files(tmp_path, {"packages/about.txt": "there"})
    code = f"print(open({str(tmp_path / 'packages' / 'about.txt')!r}).read())"
    assert with_kernel(tmp_path, lambda _, run: run(code), readable=[str(tmp_path / "packages")]) == "there"


def test_an_interrupt_ends_a_cell_and_its_processes_but_not_the_kernel(tmp_path: Path) -> None:
    async def act(manager: Any, run: Run) -> list[str]:
        results = []
        for code in ("while True: pass", "import subprocess; subprocess.run(['sleep', '600'])"):
            running = asyncio.ensure_future(run(code))
            await asyncio.sleep(2)
            await manager.interrupt_kernel()
            results.append(await running)
        return [*results, await run("print('alive')")]

    assert with_kernel(tmp_path, act) == ["KeyboardInterrupt", "KeyboardInterrupt", "alive"]


def test_memory_and_files_are_limited(tmp_path: Path) -> None:
    async def act(_: Any, run: Run) -> list[str]:
        fill = "while True: open(str(len(os.listdir())), 'wb').write(bytes(5 << 20))"
        return [await run("bytearray(1 << 31)"), await run(f"import os\n{fill}")]

    assert with_kernel(tmp_path, act, memory_mb=1500, files_mb=50) == ["MemoryError", "OSError"]
    (tmp_path / "large").write_bytes(bytes(3 << 20))
    with pytest.raises(RuntimeError, match=r"KernelSandbox\.readable"):
        with_kernel(tmp_path, act, files_mb=2)


def test_without_bubblewrap_one_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    assert kernel_sandbox_problem() == ""
    kernel_sandbox_problem.cache_clear()
    monkeypatch.setattr(kernel_sandbox, "NAMESPACE_OPTIONS", ("--no-such-option",))
    problem = kernel_sandbox_problem()
    assert "bubblewrap 0.8" in problem and "apt-get install bubblewrap" in problem and "\n" not in problem
    kernel_sandbox_problem.cache_clear()


def test_an_environment_is_its_packages_and_its_python(tmp_path: Path) -> None:
    names = "env/bin/x", "env/lib/python3.11/site-packages/solutions/x", "python/bin/python3", "env/course/x", "other/x"
    write_files(tmp_path, dict.fromkeys((*names, "between/x"), ""))
    (tmp_path / "env/bin/python").symlink_to(tmp_path / "python/bin/python3")
    roots = python_folders_of(str(tmp_path / "env/bin/python"))
    assert roots == [tmp_path / "env", tmp_path / "python"]
    (tmp_path / "between/python3").symlink_to(tmp_path / "python/bin/python3")
    (tmp_path / "env/bin/python3").symlink_to("../../between/python3")
    assert tmp_path / "between" in python_folders_of(str(tmp_path / "env/bin/python3"))
    assert python_folders_of(str(Path.home() / "bin" / "R")) == [] == python_folders_of("/usr/bin/R")
    hidden = folders_to_hide(roots, [tmp_path / "env/course", tmp_path / "other"])
    assert hidden == [tmp_path / "env/course", tmp_path / "env/lib/python3.11/site-packages/solutions"]
