"""A teacher's own notebook becomes a unit, which has what any unit has, and all other cells stay as they are."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path

import nbformat
import pytest

from autograder.importing.deciding import Decision, decide_on_questions
from autograder.importing.reading import read_homework
from autograder.importing.recording import rehearse
from autograder.importing.summary import decision_sign
from course.check import watch_cell
from tests.classroom import notebook_with, write_file, write_files
from tests.command import foldem, foldem_here, install_kit, is_one_line_refusal, printed_by, run_in_kit
from tests.kernel import Kernel, working_in
from tests.sample import one_in
from tests.test_author_mistakes import contents
from tests.units import read_unit

pytestmark = [pytest.mark.nbgrader, pytest.mark.sandbox, pytest.mark.bubblewrap]
SHAPES = Path(__file__).with_name("shapes")
OUTCOMES = {
    "01_region_in_function": "✓ steps",
    "02_hidden_and_split_points": "✓ shout",
    "03_solution_around_def": "✓ vowels",
    "04_solution_unmarked": "✓ middle",
    "06_no_reference": "· twice",
    "07_nested_values": "✓ best, ✓ first_odd",
    "09_raises": "✓ coins",
    "10_precondition": "✓ spread, ✓ trace",
    "11_in_place": "✓ drop_negative",
    "12_needs_earlier_cells": "✓ words, ✓ frequent",
    "13_tests_that_cannot_fail": "! rows",
    "15_function_as_argument": "~ fixed",
    "16_two_functions_together": "~ pack + unpack",
    "17_values": "✓ mean, ✓ dear, · is_six",
    "18_stays_as_it_is": "✓ area, · lamp, · centre, · plot, · lines, · why, · own",
    "20_otter_assign": "✓ minutes, ✓ week, · q3",
}


@cache
def decisions(shape: str) -> tuple[Decision, ...]:
    """Return what becomes of the questions of a shape."""
    homework = read_homework(SHAPES / f"{shape}.ipynb")
    return decide_on_questions(homework, rehearse(homework))[0]


def in_short(decision: Decision) -> str:
    """Return the decision_sign of a question and the names of its exercises."""
    return f"{decision_sign(decision)} {' + '.join(each.name for each in decision.exercises) or decision.question.name}"


@pytest.mark.parametrize("shape", one_in(2, [*OUTCOMES]))
def test_each_shape_has_its_outcome(shape: str) -> None:
    assert ", ".join(map(in_short, decisions(shape))) == OUTCOMES[shape]


CHECKS = "exams/homework/checks.py"


def file_made(folder: Path, pack: str, path: str) -> str:
    """Import the notebook in a folder into a new pack, and return the text of a file of the pack."""
    printed_by(foldem_here("import", folder / "homework.ipynb", "--into", folder / pack))
    return (folder / pack / path).read_text(encoding="utf-8")


def decided(folder: Path, *cells: tuple[str, str]) -> str:
    """Return what becomes of the questions of a notebook with these cells: the kind and the text of each."""
    flags = {
        "plain": None,
        "answer": {"grade": False, "solution": True, "locked": False, "task": False},
        "test": {"grade": True, "solution": False, "locked": True, "task": False, "points": 1},
    }
    made = [nbformat.v4.new_code_cell(text) for _, text in cells]
    for number, (cell, (kind, _)) in enumerate(zip(made, cells, strict=True)):
        if settings := flags[kind]:
            cell.metadata["nbgrader"] = {**settings, "grade_id": f"c{number}", "schema_version": 3}
    nbformat.write(nbformat.v4.new_notebook(cells=made), folder / "homework.ipynb")
    homework = read_homework(folder / "homework.ipynb")
    return ", ".join(map(in_short, decide_on_questions(homework, rehearse(homework))[0]))


ROOT = "def root(x):\n    ### BEGIN SOLUTION\n    return math.sqrt(x)\n    ### END SOLUTION"
ROOT_TEST = "assert root(4) == 2\nassert root(9) == 3"


def test_functions_that_print_or_have_no_points_are_imported(tmp_path: Path) -> None:
    answer = "def add(a, b):\n    print(a + b)\n    return a + b\n\ndef twice(a):\n    return 2 * a"
    assert (
        decided(tmp_path, ("answer", answer), ("test", "assert add(1, 2) == 3\nassert twice(4) == 8"))
        == "~ add + twice"
    )
    notebook = nbformat.read(tmp_path / "homework.ipynb", as_version=4)
    notebook.cells[1].metadata["nbgrader"]["points"] = 0
    nbformat.write(notebook, tmp_path / "homework.ipynb")
    printed = printed_by(foldem_here("import", tmp_path / "homework.ipynb", "--into", tmp_path / "printing"))
    assert "✓ add, twice  0 points   int, int -> int, and int -> int; 2 calls of yours" in printed


FUNCTIONS = """
import math

LIMIT = 10


def root(number):
    \"\"\"Return the whole root.

    >>> root(9), root(17)
    (3, 4)
    >>> root(-1)
    Traceback (most recent call last):
    ValueError: no root
    \"\"\"
    if number < 0:
        raise ValueError("no root")
    return min(math.isqrt(number), LIMIT)


def without_examples(number):
    return number
"""


def test_functions_with_doctests_in_a_python_file_are_questions(tmp_path: Path) -> None:
    (tmp_path / "roots.py").write_text(FUNCTIONS, encoding="utf-8")
    assert "✓ root  1 point    int -> int; 3 calls of yours" in printed_by(
        foldem_here("import", tmp_path / "roots.py", "--into", tmp_path / "roots_pack")
    )
    statement = (tmp_path / "roots_pack" / "solutions" / "roots.py").read_text(encoding="utf-8")
    assert "    ValueError: no root\n" in statement  # since a doctest compares the message
    assert is_one_line_refusal(foldem_here("import", tmp_path / "roots_pack" / "exams" / "roots" / "checks.py"))


SUMS = "def sums(rows):\n    return [sum(row) for row in rows]"
DIGEST = "import hashlib, json\nassert hashlib.sha256(json.dumps({}).encode()).hexdigest() == '{}'"


def digest_test(code: str, value: object) -> str:
    return DIGEST.format(code, hashlib.sha256(json.dumps(value).encode()).hexdigest())


CALL = "result = sums([[1, 2], [4], [5, 9]])\n"
HELPER = "def same(one, other):\n    assert one == other\n\n\nsame(sums([[1, 2], [4], [5, 9]]), [3, 4, 14])"
TESTS = {
    "a helper of the tests": ("✓ sums", HELPER),
    "a digest": ("✓ sums", CALL + digest_test("result", [3, 4, 14])),
    "each item": ("✓ sums", CALL + "assert result[0] == 3\nassert result[1] == 4\nassert result[2] == 14"),
    "one item": ("~ sums", CALL + "assert result[1] == 4"),
    "each item, by and by": ("✓ sums", f"{CALL}assert result[0] == 3\n{CALL}assert result[1:] == [4, 14]"),
    "the length": ("· sums", CALL + "assert len(result) == 3 and isinstance(result, list)"),
    "any order": ("· sums", CALL + "assert sorted(result) == [3, 4, 14]"),
    "another call": ("· sums", CALL + "assert sums([result]) == sums([[3, 4, 14]])"),
    "its own result": ("· sums", CALL + "assert sums([[1, 2], [4], [5, 9]]) == result"),
}


STDOUT = "import io\nfrom contextlib import redirect_stdout\nwith redirect_stdout(io.StringIO()) as out:\n    bars(3)\n"
TWICE, TOTAL = "def twice(n):\n    return 2 * n", "def total(row):\n    return sum(map(twice, row))"
EACH_TEST = "assert total([1, 4]) == 10", "assert twice(3) == 6"
DECIDED: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    **{test: (outcome, (("answer", SUMS), ("test", code))) for test, (outcome, code) in TESTS.items()},
    "magics and missing modules stop no other cell": (
        "✓ root",
        (
            ("plain", "%reset -f\n%matplotlib inline\nimport no_such_module.part as part\nimport math\n!pip list"),
            ("answer", ROOT),
            ("test", ROOT_TEST),
        ),
    ),
    "a solution in a test's cell": ("✓ root", (("plain", "import math"), ("test", ROOT), ("test", ROOT_TEST))),
    "printed text": (
        "~ bars",
        (
            ("answer", "def bars(n):\n    print('#' * n)"),
            ("test", f"{STDOUT}assert out.getvalue() == '###\\n'"),
        ),
    ),
    "sets of texts": (
        "✓ longest",
        (
            ("answer", "def longest(words):\n    return max(words, key=len)"),
            ("test", "assert longest({'one', 'three', 'eleven'}) == 'eleven'\nassert longest({'a', 'def'}) == 'def'"),
        ),
    ),
    "a failure that the test catches": (
        "! sums",
        (
            ("answer", SUMS),
            (
                "test",
                "from nose.tools import assert_equal\ntry:\n    assert_equal(sums([[1, 2], [4]]), [3, 4])\n"
                "except AssertionError as error:\n    print(error)",
            ),
        ),
    ),
    "values, if a test wants one value": (
        "✓ total, · foods",
        (
            ("answer", "total = sum([1, 4])"),
            ("test", digest_test("total", 5)),
            ("answer", "foods = ['egg', 'ham']"),
            ("test", "assert len(foods) == 2"),
        ),
    ),
    "an item of a long value": (
        "~ table",
        (("answer", "table = [[a + b for a in range(5)] for b in range(5)]"), ("test", "assert table[2][3] == 5")),
    ),
    "functions in the order of their needs": (
        "~ twice + total",
        (("answer", f"{TOTAL}\n\n{TWICE}"), ("test", "\n".join(EACH_TEST))),
    ),
    "a function that is needed before its question": (
        "· total, ✓ twice",
        (("plain", TWICE), ("answer", TOTAL), ("test", EACH_TEST[0]), ("answer", TWICE), ("test", EACH_TEST[1])),
    ),
    "values that only a relation connects": (
        "~ width + height + area",
        (
            ("answer", "width = 3\nheight = 5\narea = width * height"),
            ("test", "assert width == 3\nassert height == 5\nassert area == width * height"),
        ),
    ),
}


@pytest.mark.parametrize("what", one_in(2, [*DECIDED]))
def test_import_finds_out_what_a_test_compares(what: str, tmp_path: Path) -> None:
    outcome, cells = DECIDED[what]
    assert decided(tmp_path, *cells) == outcome


TYPING = (
    "import io\nfrom unittest import mock\nwith mock.patch('builtins.input', side_effect=['a', 'x']):\n"
    "    with mock.patch('sys.stdout', new=io.StringIO()) as out:\n        ask()\nassert out.getvalue() == 'ok\\n'"
)
ADD = ("answer", "def add(n, step=lambda n: n + 1):\n    return step(n)")
LESSONS = "solutions/homework.py"
MADE: dict[str, tuple[str, tuple[tuple[str, str], ...], str, tuple[str, ...]]] = {
    "lines that a test types": (
        "~ ask",
        (("answer", "def ask():\n    while input('Code: ') != 'x':\n        pass\n    print('ok')"), ("test", TYPING)),
        CHECKS,
        ("Case((), typed=('a', 'x'))",),
    ),
    "items of a generator": (
        "✓ evens",
        (
            ("answer", "def evens():\n    number = 0\n    while True:\n        yield number\n        number += 2"),
            ("test", "from itertools import islice\nassert list(islice(evens(), 3)) == [0, 2, 4]"),
        ),
        LESSONS,
        ("def evens() -> Iterator[int]:",),
    ),
    "a function as default": (
        "✓ add",
        (ADD, ("test", "assert add(3) == 4\nassert add(-1) == 0")),
        LESSONS,
        ("def add",),
    ),
    "a function as argument": (
        "~ add",
        (ADD, ("test", "assert add(3) == 4\nassert add(-1, step=lambda n: 2 * n) == -2")),
        CHECKS,
        ("keywords=(('step', NamedFunction('add_function_1')),)",),
    ),
    "a tolerance as wide as the test's": (
        "✓ speed",
        (("answer", "speed = 100 / 9.58"), ("test", "assert abs(speed - 10.438) < 0.01")),
        CHECKS,
        ("tolerance=0.0009,",),
    ),
    "a value whose name is taken": (
        "✓ answer, ✓ answer_2, · answer",
        (
            ("answer", "# Store 6 in answer.\n### BEGIN SOLUTION\nanswer = 6\n### END SOLUTION"),
            ("test", "assert answer == 6"),
            ("answer", "answer = 'b'"),
            ("test", "assert answer == 'b'"),
            ("answer", "answer += 'c'"),
            ("test", "assert answer == 'bc'"),
        ),
        LESSONS,
        (
            'answer_2: str = \'b\'\n"""The value that the text calls `answer`."""',
            "# %% [markdown]\n# ```text\n# Store 6 in answer.\n# ```\n\n# %%\nanswer: int",
        ),
    ),
}


@pytest.mark.parametrize("what", one_in(2, [*MADE]))
def test_import_writes_what_the_notebook_has(what: str, tmp_path: Path) -> None:
    outcome, cells, path, texts = MADE[what]
    assert decided(tmp_path, *cells) == outcome
    made = file_made(tmp_path, f"made_{list(MADE).index(what)}", path)  # no other test imports this name
    assert [text for text in texts if text not in made] == []


def test_several_values_share_the_points_of_their_question(tmp_path: Path) -> None:
    answer, test = "width = 3\nheight = 5\narea = width * height", "assert width == 3\nassert height == 5\n"
    assert decided(tmp_path, ("answer", answer), ("test", test + "assert area == 15")) == "✓ width + height + area"
    printed = printed_by(foldem_here("import", tmp_path / "homework.ipynb", "--into", tmp_path / "areas"))
    assert "int (0.34 points), and int (0.33 points), and int (0.33 points); 3 values" in printed


def test_a_test_that_deletes_a_function_makes_no_example(tmp_path: Path) -> None:
    """It is in nbgrader's own quick start."""
    gone = "kept = twice\ndel twice\ntry:\n    total([1])\nexcept NameError:\n    twice = kept\nelse:\n    assert False"
    tests = [("test", "assert twice(3) == 6"), ("test", "assert total([1]) == 2"), ("test", gone)]
    assert decided(tmp_path, ("answer", TWICE), tests[0], ("answer", TOTAL), *tests[1:]) == "✓ twice, ✓ total"
    assert "NameError" not in file_made(tmp_path, "gone", LESSONS)


def imported(shape: str, folder: Path) -> str:
    """Import a shape into a pack, and return what the command printed."""
    return printed_by(foldem_here("import", SHAPES / f"{shape}.ipynb", "--into", folder))


def test_cells_that_stay_are_the_same_and_in_order(tmp_path: Path) -> None:
    source, imported_names = SHAPES / "18_stays_as_it_is.ipynb", ("area", "area_t")
    imported(source.stem, tmp_path / "pack")
    made = tmp_path / "pack" / "solutions" / "unit_18_stays_as_it_is.ipynb"
    cells = [nbformat.read(path, as_version=4).cells for path in (made, source)]
    kept, old = ([(cell.cell_type, cell.source, cell.metadata) for cell in each] for each in cells)
    assert kept == [each for each in old if each[2].get("nbgrader", {}).get("grade_id") not in imported_names]


def test_points_of_test_cells_are_weights_of_their_facets(tmp_path: Path) -> None:
    imported("02_hidden_and_split_points", tmp_path / "split_points")
    checks = (tmp_path / "split_points" / "exams" / "unit_02_hidden_and_split_points" / "checks.py").read_text(
        encoding="utf-8"
    )
    assert (
        "weights={'the examples of the statement': 0.0, 'tests of shout_t1': 0.6667, 'tests of shout_t2': 1.3333},"
        in checks
    )


@pytest.mark.proof
def test_the_same_file_gives_the_same_bytes(tmp_path: Path) -> None:
    made = []
    for seed in "12":
        words, settings = ("--into", tmp_path / seed / "pack"), {"PYTHONHASHSEED": seed, "PYTHONDONTWRITEBYTECODE": "1"}
        printed_by(foldem("import", SHAPES / "17_values.ipynb", *words, **settings))
        made.append({path.relative_to(tmp_path / seed): data for path, data in contents(tmp_path / seed).items()})
    assert made[0] == made[1] != {}


def test_import_counts_changed_solutions_that_only_the_exam_refuses(tmp_path: Path) -> None:
    line = "of 8 small changes to your solutions, your tests notice 0, and the exam 8"
    assert line in imported("13_tests_that_cannot_fail", tmp_path / "cannot_fail").splitlines()
    assert (tmp_path / "cannot_fail" / "import.md").read_text(encoding="utf-8").splitlines().count(f"- {line}") == 1


def test_import_lists_changed_solutions_that_the_tests_do_not_notice(tmp_path: Path) -> None:
    imported("13_tests_that_cannot_fail", tmp_path / "unnoticed")
    page = (tmp_path / "unnoticed" / "import.md").read_text(encoding="utf-8").splitlines()
    assert sum(line.endswith(": your tests do not notice it, but the exam does") for line in page) == 8


def test_a_cell_of_the_teacher_redefines_no_given_name(tmp_path: Path) -> None:
    imported("12_needs_earlier_cells", tmp_path / "teachers_cell")
    assert 'title = "12 needs earlier cells"' in (
        tmp_path / "teachers_cell/teachers_cell_course/unit_12_needs_earlier_cells/unit.toml"
    ).read_text("utf-8"), "the name of the file, because the first heading is a question's"
    path = tmp_path / "teachers_cell" / "notebooks" / "0_unit_12_needs_earlier_cells.ipynb"
    notebook = nbformat.read(path, as_version=4)
    answer = next(cell for cell in notebook.cells if cell.id == "words")
    for cell, is_blamed in (("", False), ("SMALL_WORDS = set()\n", True)):
        answer.source = f"{cell}def words(text):\n    return [word for word in text.split() if word not in SMALL_WORDS]"
        nbformat.write(notebook, tmp_path / path.name)
        done = foldem_here("check", tmp_path / path.name, "words", "--pack", tmp_path / "teachers_cell")
        assert "expected" in done.stdout and ("redefines `SMALL_WORDS`" in done.stdout) is is_blamed


@pytest.mark.parametrize("text", ["no json", "{}", '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'])
def test_bad_notebook_gets_one_line(text: str, tmp_path: Path) -> None:
    assert is_one_line_refusal(foldem_here("import", write_file(tmp_path / "bad.ipynb", text)))


def test_cells_of_an_old_nbgrader_are_brought_up_to_date(tmp_path: Path) -> None:
    text = (SHAPES / "01_region_in_function.ipynb").read_text("utf-8")
    old = write_file(tmp_path / "old.ipynb", text.replace('"schema_version": 3', '"schema_version": 1'))
    assert {cell.node.metadata["nbgrader"]["schema_version"] for cell in read_homework(old).cells[1:]} == {3}


def test_nothing_is_written_in_a_dry_run(tmp_path: Path) -> None:
    words = ("import", SHAPES / "04_solution_unmarked.ipynb", "--into", tmp_path / "pack", "--dry-run")
    assert "✓ middle" in printed_by(foldem_here(*words))
    assert not (tmp_path / "pack").exists()


def test_a_notebook_without_a_solution_imports_nothing(tmp_path: Path) -> None:
    done = foldem_here("import", SHAPES / "06_no_reference.ipynb", "--into", tmp_path / "pack")
    assert (done.returncode, (tmp_path / "pack").exists()) == (1, False)
    assert "add one between BEGIN SOLUTION and END SOLUTION" in done.stdout


def test_cell_that_nbgrader_cannot_read_is_reported_in_one_line(tmp_path: Path) -> None:
    notebook = nbformat.read(SHAPES / "18_stays_as_it_is.ipynb", as_version=4)
    for cell in (cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "lamp_t"):
        cell.source += "\n### BEGIN HIDDEN TESTS\n### BEGIN HIDDEN TESTS"
    done = foldem_here("import", write_file(tmp_path / "nested.ipynb", notebook), "--into", tmp_path / "nested_pack")
    assert is_one_line_refusal(done) and "RuntimeError: Encountered nested begin hidden tests" in done.stderr


# ------------------------------------------------------------------------------------------------ an imported unit


TOGETHER = "02_hidden_and_split_points", "07_nested_values"
WORDS_OF_GAMES = re.compile(r"\b(cards?|games?|deck|deals?|dealt|domino(es)?|players?|Uno|Sedma|Basra)\b")
RIGHT = """def shout(text):
    if text.endswith("!"):
        return text.upper()
    return text.upper() + "!"
"""


FIRST_ODD = """def first_odd(rows):
    for row in rows:
        for number in row:
            if number % 2:
                return number
    return None
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a pack, `lab`, of a teacher's notebook."""
    folder = tmp_path_factory.mktemp("imported")
    parts = [nbformat.read(SHAPES / f"{shape}.ipynb", as_version=4) for shape in TOGETHER]
    parts[0].cells += parts[1].cells
    nbformat.write(parts[0], folder / "shouting.ipynb")
    printed_by(foldem_here("import", folder / "shouting.ipynb", "--into", folder / "lab"))
    return folder


@pytest.fixture(scope="module")
def kit(lab: Path) -> Path:
    """Return the folder of a kit; what its wheels contain is next to it."""
    return install_kit(lab, "--pack", lab / "lab", "--unit", "shouting")


def test_check_in_a_kit_shows_the_smallest_failing_call_and_no_game(kit: Path) -> None:
    wrong = "def shout(text):\n    return text + '!'"
    caught = "print(check('shout'))\nprint(catch(example('shout', ('ah',), 'AH!')))"
    text = run_in_kit(kit, "lab_course.shouting", wrong, "print(check('shout'))")
    text += run_in_kit(kit, "lab_course.shouting", RIGHT, caught)
    assert re.search(r"shout\('ah?'\)", text) and "right in all" in text and not WORDS_OF_GAMES.search(text)
    assert re.search(r"caught [1-9] of [2-9] wrong answers to `shout`", text), text
    files = [path for path in kit.parent.joinpath("installed").rglob("*") if path.is_file()]
    assert [path.name for path in files if b"stop!" in path.read_bytes()] == [], "a hidden call of the teacher"


def test_calls_of_an_imported_unit_can_be_watched_and_asked_about(
    lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLDEM_PACKS", str(lab / "lab"))
    read_unit("shouting")
    with working_in(tmp_path):
        kernel = Kernel(has_imports=False)
        kernel.run("from lab_course.shouting import *\nfrom course.check import *")
        kernel.shell.register_magic_function(watch_cell, "cell", "watch")  # which the first import in a process does
        kernel.run(FIRST_ODD)
        lines = ("check('first_odd')", "%%watch\nfirst_odd([[2], [3]])", "viva('first_odd')")
        shown = {code: kernel.run(code) for code in lines}
    checked, watched, asked = shown.values()
    assert "right in all" in checked and "first_odd([[2], [3]]) → 3" in watched and "?" in asked
    assert WORDS_OF_GAMES.findall(checked + watched + asked) == []


@pytest.mark.proof
def test_reports_and_oral_questions_name_no_game(lab: Path) -> None:
    notebook = notebook_with(read_unit("shouting", lab / "lab"), {"shout": RIGHT, "first_odd": FIRST_ODD})
    write_files(lab / "submitted", {"ada/shouting/0_shouting.ipynb": notebook})
    reports, printed = lab / "reports", ""
    for words in (
        ("grade", lab / "submitted", "--out", reports),
        ("report", reports),
        ("viva", reports, "--student", "ada"),
    ):
        printed += printed_by(foldem(*words, "--pack", lab / "lab"))
    pages = (
        re.sub("<(style|script).*?</|<[^>]*>", "", path.read_text(), flags=re.DOTALL) for path in lab.rglob("*.html")
    )
    shown = printed + "".join(pages)
    assert shown.count("shout") > 3 and WORDS_OF_GAMES.findall(shown) == []
