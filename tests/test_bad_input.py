"""Bad input: anything broken, missing or misplaced gets a clear line, and the rest is graded.

The last part is random input. `make attacks` sets FOLDEM_EXAMPLES=1000 to try so many notebooks.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, chdir
from copy import deepcopy
from functools import cache
from itertools import chain
from pathlib import Path, PurePath
from time import process_time
from typing import Any

import msgspec
import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.config import PUBLISHED_SEED, Policy, folder_with_settings, policy_for
from autograder.exam.model import Exam, Paper
from autograder.exam.store import exam_for
from autograder.grading.judgement import assessor_for
from autograder.grading.run import grade
from autograder.report.model import PASSED, UNWRITTEN, WRONG, Graded, Report, Ungradable
from autograder.report.stops import BadFile
from autograder.report.words import (
    facet_failure_text,
    first_problem_text,
    note_lines,
    problem_text,
    remark_lines,
    stop_text,
)
from autograder.sandbox.host import ReusedSandbox
from autograder.submission.find import misnamed_notebooks, page_file_name
from autograder.submission.reading import (
    PYTHON_FILE_MESSAGE,
    NotebookError,
    grade_id,
    notebook_in,
    parse_cell,
    read_content,
    read_notebook,
)
from autograder.term.collected import SubmittedWork, read_work
from autograder.term.files import locate_files
from autograder.term.view import ShownReport, write_results
from course.diagnoses.compared import differing_spans
from course.diagnoses.obstacle import TOO_LONG, Flaw
from course.exam import wire
from course.exam.readable import decode_strict_json
from course.limits import LARGEST_FILE
from tests.classroom import (
    blank_notebook,
    graded_class,
    notebook_with,
    reference_answers,
    solved_notebook,
    submission_with,
    write_file,
    write_files,
)
from tests.command import foldem, foldem_here, is_one_line_refusal
from tests.grader import Grader
from tests.units import find_notebooks, known, read_submission, read_unit, report_on, submission_of

pytestmark = pytest.mark.sandbox
SOME = ("flip", "append", "suppress", "take", "get_hand_size")
POLICY = Policy(seconds_per_call=0.3, seconds_per_exercise=2, exercises=SOME)
REFERENCES = {name: text for name, text in reference_answers(read_unit("dominoes")).items() if name in SOME}
WRONG_FLIP = "def flip(domino):\n    return domino"
Edit = Callable[[Any], None]


SHARED = ReusedSandbox()


@pytest.fixture(scope="module", autouse=True)
def closed() -> Iterator[None]:
    """Close the sandbox after the last test."""
    yield
    SHARED.close()


def graded(edit: Edit) -> Graded:
    """Return the report on a notebook with a few right answers after an edit of its cells."""
    notebook = notebook_with("dominoes", REFERENCES)
    edit(notebook)
    return grade(submission_of(notebook), POLICY, shared=SHARED)


def place_of(notebook: Any, name: str) -> int:
    return next(place for place, cell in enumerate(notebook.cells) if grade_id(cell) == name)


def cell_of(notebook: Any, name: str) -> Any:
    return notebook.cells[place_of(notebook, name)]


def adding(source: str, before: str = "append") -> Edit:
    """Return the edit that adds a cell."""
    return lambda notebook: notebook.cells.insert(place_of(notebook, before), new_code_cell(source))


def writing(name: str, source: str) -> Edit:
    """Return the edit that fills an exercise's cell."""
    return lambda notebook: cell_of(notebook, name).update(source=source)


def tagging(tag: object) -> Edit:
    """Return the edit that adds two cells with an invalid tag."""
    tagged = [make("# x", metadata={"nbgrader": tag}) for make in (new_code_cell, new_markdown_cell)]
    return lambda notebook: notebook.cells.extend(tagged)


def all_of(*edits: Edit) -> Edit:
    """Return the edit that makes several edits."""
    return lambda notebook: [edit(notebook) for edit in edits]


def states(report: Graded, *but: str) -> set[str]:
    return {exercise.state for exercise in report.exercises if exercise.name not in but}


# Files that are no submission
EMPTY_CELLS = '{"nbformat": 4, "metadata": {}, "cells": ['


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("", "the file is not a valid Jupyter notebook: it is empty. Hand it in again"),
        ('{"cells":\n [', "the file is not a valid Jupyter notebook: line 2 is broken. Hand it in again"),
        ('{"cells":\n [a]}', "the file is not a valid Jupyter notebook: line 2 is broken. Hand it in again"),
        ("{\n<<<<<<< HEAD\n", "the file is not a valid Jupyter notebook: line 2 is a conflict marker of git."),
        ('{"cells": []}\nBest regards', "the file is not a valid Jupyter notebook: line 2 is broken."),
        ('{"nbformat": "4"}', "the file is not a valid Jupyter notebook of format 4"),
        ("print('hello')", "the file is not a valid Jupyter notebook"),
        ("[]", "the file is not a valid Jupyter notebook"),
        ("[" * 100_000, "the file is not a valid Jupyter notebook"),
        ('{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}', "the file is not a valid Jupyter notebook"),
        ('{"nbformat": 99, "metadata": {}, "cells": []}', "the file is not a valid Jupyter notebook"),
        ('{"nbformat": 4, "metadata": [], "cells": [1, [], null]}', "no unit found"),
        (
            '{"nbformat": 4, "metadata": {"foldem": {"unit": ["x"]}}, "cells": []}',
            "no unit found: the notebook has no cells",
        ),
        ('{"nbformat": 4, "metadata": {"foldem": 5}, "cells": [{}]}', "no unit found"),
        ("{}".encode("utf-16"), "the file cannot be read: UTF-16 text. Save it as UTF-8"),
        (b"\xe4", "the file cannot be read: not UTF-8 text. Save it as UTF-8"),
        (EMPTY_CELLS + "[]," * 1_000_000 + "[]]}", "the file contains more than 1,000,000 parts"),
        (EMPTY_CELLS + '{"cell_type": "code"},' * 10_000 + "{}]}", "the notebook has more than 10,000 cells"),
    ],
    ids=range(18),
)
def test_a_file_that_is_no_notebook_gets_one_line(tmp_path: Path, content: str | bytes, line: str) -> None:
    report = report_on(write_file(tmp_path / "my.ipynb", content), POLICY)
    assert isinstance(report, Ungradable) and stop_text(report.reason).startswith(line) and not report.is_graded


def test_missing_paths_folders_and_pipes_get_different_messages(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.ipynb")
    (tmp_path / "folder.ipynb").mkdir()
    assert {name: report_on(tmp_path / name, POLICY) for name in ("none", "folder.ipynb", "pipe.ipynb")} == {
        "none": Ungradable(BadFile("the file cannot be read: No such file or directory")),
        "folder.ipynb": Ungradable(BadFile("not a regular file")),
        "pipe.ipynb": Ungradable(BadFile("not a regular file")),
    }


def test_a_notebook_with_too_much_text_is_refused() -> None:
    notebook = solved_notebook("dominoes")
    notebook.cells += [new_code_cell("x = 1\n" * 15_000) for _ in range(12)]
    with pytest.raises(NotebookError, match="hold more than 1 MB"):
        submission_of(notebook)


# Notebooks in another form


@pytest.mark.parametrize(
    ("cells", "trouble"), [(slice(None), "not written yet"), (slice(0), "the cell of this exercise is missing")]
)
def test_a_notebook_without_an_answer_is_worth_nothing_and_is_graded(cells: slice, trouble: str) -> None:
    notebook = blank_notebook("dominoes")
    notebook.cells = notebook.cells[cells]
    report = grade(submission_of(notebook), POLICY)
    assert (report.points, states(report), report.is_graded) == (0, {UNWRITTEN}, True)
    assert first_problem_text(report["flip"]) == trouble


# Cells that are broken


STUB = cell_of(blank_notebook("dominoes"), "flip").source
HELPER = "def turned(domino):\n    return make(domino.right, domino.left)"
FLIPPED = "def flip(domino): return turned(domino)"
MAGICS = ("%matplotlib inline", "!pip install x", "files = !ls", "flip?", "%timeit flip(Domino(1, 2))", "%%html\n<b>hi")
NO_DIFFERENCE: dict[str, Edit] = {
    "no metadata": lambda notebook: notebook.metadata.pop("foldem"),
    "cells in another order": lambda notebook: notebook.cells.reverse(),
    "a wrong tag": lambda notebook: cell_of(notebook, "flip").metadata["nbgrader"].update(grade_id="append"),
    "an operator at the start of a line": writing(
        "flip", "def flip(domino):\n    n = (7\n        % 4) - 3\n    return Domino(domino.right + n, domino.left)\n!ls"
    ),
    "widgets and calls at top level": adding("import ipywidgets\nslider = ipywidgets.IntSlider()\nslider\n1 / 0"),
    "a line of blanks": adding(" " * 99_000 + "x" + " " * 500),
    "helpers in other cells": all_of(
        adding("make = Domino; unused = 1 / 0", before="flip"),
        writing("flip", "def flip(domino):\n    return turned(domino)"),
        adding(HELPER, before="suppress"),
    ),
    "a helper in the cell of another exercise": all_of(
        writing("flip", f"{REFERENCES['flip']}\n\n{HELPER.replace('make', 'Domino')}"),
        writing("take", REFERENCES["take"].replace("return", "turned; return", 1)),
    ),
    "a helper in a check cell": all_of(
        writing("flip", "def flip(domino):\n    return turned(domino)"),
        writing("flip-check", f"make = Domino\n{HELPER}\ncheck('flip')"),
    ),
    **{magic: adding(f"{magic}\nx = 1") for magic in MAGICS},
    **{
        f"{magic} in an answer": writing("flip", f"{magic}\n{REFERENCES['flip']}\nflip?\n%timeit flip(Domino(1, 2))")
        for magic in ("%%time", "%matplotlib inline", "!ls", "found = %pwd")
    },
    **{str(tag)[:20]: tagging(tag) for tag in (None, [], 5, {"grade_id": ["flip"]}, {"grade_id": "x" * 10**5})},
    "a repair above the check, which calls the answer by another name": all_of(
        writing("flip", "def flip(domino):\n    return domino.right, domino.left"),
        adding("old = flip\ndef flip(domino):\n    return Domino(*old(domino))", before="flip-check"),
    ),
}


def merged(name: str) -> Edit:
    """Return the edit of Jupyter's *Merge Cells*: one cell has several answers, the others are gone or unwritten."""

    def edit(notebook: Any) -> None:
        notebook.cells = [cell for cell in notebook.cells if grade_id(cell) not in ("append", "suppress")]
        for each in ("flip", "take"):
            writing(each, cell_of(blank_notebook("dominoes"), each).source)(notebook)
        writing(name, "\n\n".join(REFERENCES[each] for each in SOME[:4]))(notebook)

    return edit


# Names that other cells bind, too.
TABLE = "table, rest = [], {}\nfor _ in (1, 2):\n    table.append(1)\nrest.update(a=1)\nrest.update(1)"
KINDS = "from functools import singledispatch\n@singledispatch\ndef turned(thing): return 0"
KIND = "@turned.register(Domino)\ndef _(thing): return Domino(thing.right, thing.left)"
COMPLETED = all_of(
    writing("flip", "def flip(domino): return turned(domino) if len(table) == 2 and rest else domino"),
    *(adding(source, before="flip") for source in (TABLE, KINDS, KIND)),
    adding("table.append(1)", before="append"),
)
BOUND_AGAIN = all_of(
    writing("flip", FLIPPED),
    adding("def turned(domino): return Domino(domino.right, domino.left)", before="flip"),
    adding("def turned(domino): return 3", before="is_sound"),
    adding("Chain = 1", before="take"),
    adding("sum = tuple = all = 0", before="play"),
)
ABOVE_THE_CHECK = {
    "def turned(domino): return domino": HELPER.replace("make", "Domino"),
    "def turned(domino): return domino.right, domino.left": "flip = compose(lambda pair: Domino(*pair), flip)",
    "turned = curry(lambda domino: Domino(*flip.order(domino)))": "flip.order = lambda tile: (tile.right, tile.left)",
}
ANNOTATED = (
    REFERENCES["flip"].replace("-> Domino:", "-> Optional[Domino]:").replace("    return", "    display(1); return")
)
NO_DIFFERENCE |= {
    "a name that is bound again below": BOUND_AGAIN,
    "a name that is bound again between": all_of(BOUND_AGAIN, adding("turned = None", before="append")),
    "a given name that a cell below the check binds": all_of(
        writing("flip", "def flip(domino): return first((Domino(domino.right, domino.left), 1))"),
        adding("first, second = 3, 4", before="append"),
    ),
    "a value that is completed in a cell above": COMPLETED,
    **{
        f"a cell above the check changes {helper}": all_of(
            writing("flip", f"{helper}\n{FLIPPED}"), adding(below, before="flip-check")
        )
        for helper, below in ABOVE_THE_CHECK.items()
    },
    "a display": writing("flip", ANNOTATED),
    "a display that is imported": writing(
        "flip",
        "from IPython.display import clear_output, display\n" + ANNOTATED.replace("return", "clear_output(); return"),
    ),
    "an import that the answer does not need": writing(
        "flip", f"import numpy as np\nfrom IPython.display import display\n{REFERENCES['flip']}\ndisplay(np)"
    ),
    "a statement that answers two exercises": all_of(
        writing(
            "flip",
            "\n".join(
                [REFERENCES[name].replace(f"def {name}", f"def own_{name}") for name in ("flip", "append")]
                + ["flip, append = own_flip, own_append"]
            ),
        ),
        writing("append", "# see above"),
    ),
    "merged into the cell of flip": merged("flip"),
    "merged into the cell of take": merged("take"),
    "the stub above the answer": writing("flip", f"{STUB}\n\n{REFERENCES['flip']}"),
    **{
        f"a cell of {kind}": lambda notebook, kind=kind: cell_of(notebook, "flip").update(cell_type=kind)
        for kind in ("markdown", "raw", "no kind at all\n")
    },
}
# Lines below the answer that only try it.
BELOW = (
    "flip = 1 / 0",
    "assert flip(Domino(1, 2)) == 3",
    "for tile in my_tiles:\n    print(flip(tile))",
    "result = flip(5)",
    "tile = input()",
    "import matplotlib.pyplot as plt\nfigure = plt.figure()",
    "from ipywidgets import interact\n@interact(n=(0, 6))\ndef show(n):\n    return flip(Domino(n, n))",
    "x = await something",
    "rounds = [flip(Domino(1, 2)) for _ in iter(int, 1)]",
    "while True: pass",
)
TRIAL = "def rounds(size): return [flip(Domino(1, 2)) for _ in iter(int, 1)]\nrounds(limit)"
NO_DIFFERENCE |= {trial: writing("flip", f"{REFERENCES['flip']}\n{trial}") for trial in BELOW}
NO_DIFFERENCE |= {
    f"a call with {constant}": writing(
        "flip", f"limit = {constant}\n{REFERENCES['flip'].replace('    return', '    limit; return')}\n{TRIAL}"
    )
    for constant in ("(2, 7)", "tuple([2, 7])", "7", "Domino(2, 7)")
}
# Tables that other statements complete.
SIZES = "def get_hand_size(count):\n    match sizes.get(count):\n        case None:\n"
SIZES += "            raise ValueError('Between 2 and 4 players, please!')\n        case size:\n            return size"
CLASS_TABLE = """from dataclasses import dataclass
from typing import ClassVar
@dataclass
class Table:
    sizes: ClassVar[dict[int, int]] = {2: 7, 3: 6, 4: 6}
sizes = Table.sizes
"""
IN_ITS_CELL = (
    f"sizes = {{2: 7}}\nsizes.update({{3: 6, 4: 6}})\nprint(sizes[9])\n{SIZES}",
    f"sizes = {{}}\n{SIZES}\ndef fill(): sizes.update({{2: 7, 3: 6, 4: 6}})\nfill()",
    f"sizes = {{}}\n{SIZES}\nmatch {{2: 7, 3: 6, 4: 6}}:\n    case sizes: pass",
    f"{CLASS_TABLE}{SIZES}",
    *(
        f"sizes = {{}}\n{fill}\nprint(1 / 0)\n{SIZES}"
        for fill in (
            "def put(n, size): sizes[n] = size\ndef fill(): put(2, 7), put(3, 6), put(4, 6)\nfill()",
            "[sizes.setdefault(n, 6 + (n == 2)) for n in (2, 3, 4)]",
            "(sizes := {2: 7, 3: 6, 4: 6})",
        )
    ),
)
FILLED_BY_OTHERS = (
    "def fill(table): [table.setdefault(n, 6 + (n == 2)) for n in (2, 3, 4)]\nfill(sizes)",
    "def fill():\n    global sizes\n    sizes = {2: 7, 3: 6, 4: 6}\nfill()",
    "put = lambda n: lambda size: sizes.__setitem__(n, size())\n"
    "@put(2)\ndef seven(): return 7\n@put(3)\ndef six(): return 6\n@put(4)\ndef same(): return 6",
    "class Size:\n    def __init_subclass__(cls, n): sizes[n] = 6 + (n == 2)\n"
    "class Two(Size, n=2): pass\nclass Three(Size, n=3): pass\nclass Four(Size, n=4): pass",
)
FILLED = (
    "sizes.update({2: 7, 3: 6, 4: 6})",
    "for n in 2, 3, 4: sizes.update({n: 6 + (n == 2)})",
    "_ = [sizes.update({n: 6 + (n == 2)}) for n in (2, 3, 4)]",
    "(sizes := {2: 7, 3: 6, 4: 6})",
    "for sizes in [{2: 7, 3: 6, 4: 6}]: pass",
    *FILLED_BY_OTHERS,
)
NO_DIFFERENCE |= {f"its cell has {source}": writing("get_hand_size", source) for source in IN_ITS_CELL}
NO_DIFFERENCE |= {
    f"another cell has {fill}": all_of(
        writing("get_hand_size", SIZES),
        adding(f"sizes = {{}}\n{fill}\nprint(sizes[9])", before="get_hand_size"),
    )
    for fill in FILLED
}


@pytest.mark.parametrize("name", NO_DIFFERENCE)
def test_odd_cells_make_no_difference(name: str) -> None:
    report = graded(NO_DIFFERENCE[name])
    assert (report.unit, states(report)) == ("dominoes", {PASSED})
    assert report.remarks == () or name not in MAGICS


UNREADABLE = "Python cannot read the cell: "
COSTS: dict[str, tuple[Edit, str]] = {
    "no indentation": (writing("flip", "def flip(domino):\nreturn domino"), f"{UNREADABLE}expected an indented block"),
    "its cell is deleted": (
        lambda notebook: notebook.cells.remove(cell_of(notebook, "flip")),
        "the cell of this exercise is missing",
    ),
    "another name": (
        writing("flip", "def flipped(domino): return domino"),
        "the cell defines `flipped`, but the exercise is `flip`",
    ),
    "the stub below the answer": (writing("flip", f"{REFERENCES['flip']}\n\n{STUB}"), "not written yet"),
    "a missing module": (
        writing("flip", f"import numpy as np\n{REFERENCES['flip'].replace('return', 'return np or')}"),
        "No module named 'numpy'",
    ),
    "a value that a cell above the check changes": (
        all_of(COMPLETED, adding("table.append(1)", before="flip-check")),
        "returned",
    ),
    "a table that is wrong": (writing("get_hand_size", f"sizes = dict(2)\n{SIZES}"), "TypeError"),
    **{
        f"too late, {fill}": (
            all_of(writing("get_hand_size", SIZES), adding("sizes = {}", before="get_hand_size"), adding(fill)),
            "ValueError",
        )
        for fill in FILLED_BY_OTHERS
    },
    "its cell fails": (
        writing("flip", f"half = 1 / 0\n{REFERENCES['flip'].replace('return', 'return half and')}"),
        "the cell fails when it runs: ZeroDivisionError: division by zero (line ",
    ),
    **{
        repr(source[:20]): (writing("flip", f"{source}\n{REFERENCES['flip']}"), UNREADABLE)
        for source in (
            "x = " + "-" * 5000 + "1",
            "x = " + "1+" * 2000 + "1",
            "if a: pass\n" + "elif a: pass\n" * 500,
            "x = " + "[" * 500,
            "\0",
            "\ud800",
            "x = 1\n" * 9000,
            "'" + "x" * 200_000 + "'",
        )
    },
}


@pytest.mark.parametrize("edit, line", COSTS.values(), ids=COSTS)
def test_a_broken_cell_costs_only_its_own_points(edit: Edit, line: str) -> None:
    [broken] = (each for each in graded(edit).exercises if each.state != PASSED)
    assert line in first_problem_text(broken) and first_problem_text(broken).isprintable()


def copying(first: str, second: str) -> Edit:
    """Return the edit that writes two texts into the cell of `flip` and a copy of it."""

    def edit(notebook: Any) -> None:
        notebook.cells.append(nbformat.from_dict(deepcopy(cell_of(notebook, "flip")) | {"source": second}))
        cell_of(notebook, "flip").source = first

    return edit


REMARKED: dict[str, tuple[Edit, str]] = {
    "no Python": (adding("this is no Python"), "cell"),
    "its own cell is missing": (
        lambda notebook: cell_of(notebook, "flip").metadata.pop("nbgrader"),
        "flip: its own cell is missing",
    ),
    "its own cell is still the stub": (
        lambda notebook: copying(STUB, REFERENCES["flip"])(notebook) or notebook.cells[-1].metadata.clear(),
        "flip: its own cell is missing or has no answer",
    ),
    **{
        f"its own cell has only {rest[:12]!r}": (
            all_of(writing("flip", rest), adding(REFERENCES["flip"])),
            "flip: its own cell is missing or has no answer",
        )
        for rest in ("", "# see below", "print(flip(Domino(1, 2)))", "def flip(domino)")
    },
    **{
        f"its answer is in the cell of append, and its own cell {state}": (
            all_of(writing("append", f"both = 2\n{REFERENCES['append']}\n{REFERENCES['flip']}"), edit),
            "flip: its own cell is missing or has no answer",
        )
        for state, edit in {
            "is still the stub": lambda notebook: cell_of(notebook, "flip").update(source=STUB),
            "was merged with it": lambda notebook: notebook.cells.remove(cell_of(notebook, "flip")),
        }.items()
    },
    **{
        f"its answer is in the check cell of {name}": (
            all_of(writing("flip", STUB), writing(f"{name}-check", f"check('{name}')\n{REFERENCES['flip']}")),
            "flip: its ",
        )
        for name in ("flip", "append")
    },
    **{
        source: (adding(source), "flip: also defined in cell")
        for source in (WRONG_FLIP, "flip = None", "flip, x = 1, 2", "import sys as flip", "x = 1; flip = x")
    },
    "in the cell of another answer": (
        writing("append", REFERENCES["append"] + "\n" + WRONG_FLIP),
        "flip: also defined in cell",
    ),
    "a second try above the check": (
        all_of(writing("flip", WRONG_FLIP), adding(REFERENCES["flip"], before="flip-check")),
        "flip: its cell occurs 2 times",
    ),
    "a second try below the check, with a check of its own": (
        all_of(writing("flip", WRONG_FLIP), adding(f"{REFERENCES['flip']}\ncheck('flip')", before="append")),
        "flip: its cell occurs 2 times",
    ),
    **{
        f"a copy with {second[:9]}": (copying(first, second), "flip: its cell occurs 2 times")
        for first, second in (
            (REFERENCES["flip"], STUB),
            (WRONG_FLIP, REFERENCES["flip"]),
            (REFERENCES["flip"], "oh no"),
        )
    },
}


@pytest.mark.parametrize("edit, line", REMARKED.values(), ids=REMARKED)
def test_what_is_ignored_gets_a_remark(edit: Edit, line: str) -> None:
    report = graded(edit)
    assert states(report) == {PASSED}
    assert any(remark.startswith(line) for remark in remark_lines(report)), report.remarks


REUSED = (
    "for {} in (1, 2): print({})",
    "with nullcontext(3) as {}: print({})",
    "match 3:\n    case {}: print({})",
    "print(({} := 4), {})",
    "import math as {}, sys as {}",
    "try:\n    1 / 0\nexcept ZeroDivisionError as {}: print({})",
    "del {}; {} = None",
    "def spoil():\n    global {}\n    {} = 3\nspoil()",
)


@pytest.mark.parametrize("statement", REUSED)
@pytest.mark.parametrize("before", ["flip", "suppress", ""])
def test_name_of_an_exercise_keeps_the_value_of_its_own_cell(statement: str, before: str) -> None:
    source = f"from contextlib import nullcontext\nnumbers = []\n{statement.format('flip', 'flip')}\nnumbers.append(1)"
    add = adding(source, before) if before else lambda notebook: notebook.cells.append(new_code_cell(source))
    needing = REFERENCES["suppress"].replace("return", "assert len(numbers) == 1; return" if before else "return")
    report = graded(all_of(writing("suppress", needing), add))
    assert states(report) == {PASSED} and "flip(" in needing
    named = [line for line in remark_lines(report) if line.startswith("flip: also defined in cell")]
    assert len(named) == ("global" not in statement)


def test_an_alias_of_an_earlier_exercise_is_named_after_it() -> None:
    own = "def unused(view): return smart_play_drawn(view)"
    player = f"{own}\n{reference_answers(read_unit('bots'))['stupid_player']}"
    answers = {"stupid_player": player, "smart_play_drawn": "smart_play_drawn = stupid_play_drawn"}
    report = grade(submission_with("bots", answers), Policy(exercises=("stupid_player",)))
    assert states(report) == {PASSED}


def test_a_hundred_broken_cells_are_not_a_hundred_remarks() -> None:
    report = graded(lambda notebook: notebook.cells.extend(new_code_cell("no Python") for _ in range(100)))
    assert len(remark_lines(report)) < 30 and states(report) == {PASSED}


# Cells out of place


def test_a_failing_helper_is_reported_in_exercises_that_need_it() -> None:
    needing = writing("flip", "def flip(domino):\n    return table[domino]")
    report = graded(all_of(needing, lambda notebook: notebook.cells.insert(1, new_code_cell("table = 1 / 0"))))
    assert note_lines(report["flip"]) == (
        "a helper in cell_2 fails: ZeroDivisionError: division by zero (line 1 of the cell of cell_2)",
    )
    assert states(report, "flip") == {PASSED}


def test_answers_in_each_others_cells_count_and_are_reported() -> None:
    def edit(notebook: Any) -> None:
        one, other = cell_of(notebook, "flip"), cell_of(notebook, "append")
        one.metadata.nbgrader.grade_id, other.metadata.nbgrader.grade_id = "append", "flip"

    report = graded(edit)
    assert states(report) == {PASSED}
    assert [line.partition(":")[0] for line in remark_lines(report)] == ["flip", "append"]


# A class


def test_each_notebook_is_listed_once_under_a_unique_name(tmp_path: Path) -> None:
    ann, bob, _ = (write_file(tmp_path / f"{name}/x.ipynb") for name in ("ann", "bob", "bob/.ipynb_checkpoints"))
    assert [path for _, path in find_notebooks([tmp_path, ann, tmp_path / "bob"])] == [ann, bob]
    assert len({name for name, _ in find_notebooks([ann, bob])}) == 2


@pytest.mark.promise("batch")
@pytest.mark.parametrize(("folder", "label"), [("submitted", ""), ("download", "_1_assignsubmission_file")])
def test_thousands_of_files_of_a_student_stop_no_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, label: str
) -> None:
    """Each file has its own time."""
    monkeypatch.setattr("autograder.commands.grade.MOST_HAND_INS", 2)
    names = "ann/tiles/1_dominoes", *(f"eve{label}/{number}/x" for number in range(9)), "zoe/tiles/1_dominoes"
    write_files(tmp_path / folder, {f"{name}.ipynb": blank_notebook("dominoes") for name in names})
    done = foldem_here("grade", tmp_path / folder, "--json", "--quiet", "--out", tmp_path / "out")
    assert [each["submission"][:3] for each in json.loads(done.stdout)] == ["ann", "eve", "eve", "zoe"]
    assert f"eve{label} has more than 2 notebooks: only the first 2 notebooks are graded" in done.stderr


@pytest.mark.promise("check")
def test_foldem_check_is_confined_and_ignores_settings_beside_the_file(tmp_path: Path) -> None:
    forks = "import os\ndef flip(domino):\n    os.fork()\n    return Domino(domino.right, domino.left)"
    nbformat.write(notebook_with("dominoes", {"flip": forks}), tmp_path / "my.ipynb")
    (tmp_path / "foldem.toml").write_text("[[[")
    done = foldem("check", tmp_path / "my.ipynb", "flip")
    assert "PermissionError" in done.stdout and done.returncode == 1


@pytest.mark.promise("others")
def test_a_link_is_not_followed_and_stops_no_other_file(tmp_path: Path) -> None:
    write_file(tmp_path / "zed" / "nb.ipynb", solved_notebook("warmup"))
    for name, target in (("ann", "../zed/nb.ipynb"), ("loop", "nb.ipynb")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "nb.ipynb").symlink_to(target)
    (tmp_path / "bob").symlink_to("zed")
    reports = {item.name: item.report for item in graded_class(tmp_path)}
    assert isinstance(reports["ann/nb"], Ungradable) and stop_text(reports["ann/nb"].reason).startswith(
        "this is a link to another file"
    )
    assert reports["bob"] == reports["loop/nb"] == reports["ann/nb"]
    assert isinstance(reports["zed/nb"], Graded) and reports["zed/nb"].points == 20.0


NESTED = "submitted/ann/dominoes", "submitted/ann/dominoes/submitted/bob/dominoes"
FOREIGN = "ann/1_dominoes", "eve/submitted/ann/dominoes"


@pytest.mark.promise("others")
@pytest.mark.parametrize("has_settings", [True, False])
@pytest.mark.parametrize(
    ("folders", "given", "students"),
    [
        (NESTED, ".", ["ann", "ann"]),
        (NESTED, "submitted", ["ann", "ann"]),
        (NESTED, "submitted/ann", ["ann", "ann"]),
        (NESTED, "submitted/ann/dominoes/my.ipynb", ["ann"]),
        (FOREIGN, ".", ["ann", "eve"]),
    ],
)
def test_a_folder_submitted_in_a_hand_in_is_no_classmate_s(
    tmp_path: Path, folders: tuple[str, ...], given: str, students: list[str], has_settings: bool
) -> None:
    files = {f"{folder}/my.ipynb": "" for folder in folders} | ({"foldem.toml": ""} if has_settings else {})
    write_files(tmp_path, files)
    located = [*locate_files(find_notebooks([tmp_path / given]), tmp_path if has_settings else None)]
    assert [each.student for each in located] == students
    assert {each.assignment for each in located} == ({"dominoes"} if folders == NESTED else {""})


def test_a_name_is_shown_without_its_control_characters_and_is_no_formula(tmp_path: Path) -> None:
    write_files(tmp_path, dict.fromkeys(("\x1b[2J.ipynb", "=HYPERLINK(1).ipynb"), blank_notebook("warmup")))
    assert all(item.name.isprintable() for item in graded_class(tmp_path, out=tmp_path / "out"))
    assert "\n'=HYPERLINK(1),warmup," in (tmp_path / "out" / "report.csv").read_text()


@pytest.mark.promise("batch")
def test_half_a_character_or_a_byte_order_mark_stops_no_report(tmp_path: Path) -> None:
    notebook = notebook_with("dominoes", REFERENCES)
    notebook.metadata.foldem.version = notebook.metadata.orig_nbformat = "\ud83d"
    for cell in notebook.cells:
        cell.source += "\n# \ud83d \U0001f0a1"
    (tmp_path / "half.ipynb").write_text(json.dumps(notebook), encoding="utf-8-sig")
    done = foldem_here("grade", tmp_path, "--out", tmp_path / "out")
    [report] = json.loads((tmp_path / "out" / "report.json").read_text())
    assert (done.returncode, report["points"] > 0) == (0, True)
    assert read_notebook(tmp_path / "half.ipynb").cells[1].source.endswith("\n# ? \U0001f0a1")


@pytest.mark.promise("batch")
def test_a_cell_of_many_f_string_parts_is_not_parsed() -> None:
    assert parse_cell("x = f'" + "{1}" * 33_000 + "'").flaw == Flaw(TOO_LONG)


@pytest.mark.promise("batch")
def test_advice_on_a_wrong_answer_takes_no_long_time() -> None:
    braces = "def flip(domino):\n    return f'" + "{1}" * 60_000 + "'"
    names = "def flip(domino):\n    " + "".join(f"{'ab' * 94}{number} = " for number in range(500)) + "1"
    names += f"\n    return {'a' * 97 + 'b' * 97}"
    line = "def move(*args): x = " + "a" * 60_000 + " $"
    pattern = f"""def append(*_):
    a = {{}}
    *a["](x+x+)+y"], last = "ab"
    pair = a["](x+x+)+y"], " a'{"x" * 60}"
    raise AttributeError("'list' object has no attribute 'x'")"""
    answers = {"flip": braces, "take": names.replace("flip", "take"), "move": line, "append": pattern}
    policy = Policy(sandbox="off", exercises=tuple(answers))
    grade(submission_with("dominoes", {}), policy)  # builds the exam, if it is not cached
    began = process_time()
    report = grade(submission_with("dominoes", answers), policy)
    assert "Keep the cell below" in str(report["flip"].advice) and report["take"].state == WRONG
    differing_spans("(" + "Card(SPADE, 1), " * 180 + ")", " ," * 999)
    assert process_time() - began < 4


@pytest.mark.promise("batch")
def test_a_python_file_is_named_if_it_has_answers_and_never_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parsing takes a second for each megabyte, and a small zip can contain a thousand of them."""
    files = {"part.py": b"import os\n", "mine.py": b"\xef\xbb\xbffrom course.warmup import *\n# L\xf6sung\n"}
    write_files(tmp_path / "eve", files)
    monkeypatch.delattr("autograder.submission.reading.tree_of")
    assert [*misnamed_notebooks([tmp_path], known())] == [(tmp_path / "eve/mine.py", PYTHON_FILE_MESSAGE)]
    works = [read_work(PurePath(name), content, known()) for name, content in files.items()]
    assert works == [SubmittedWork(), SubmittedWork(problem=PYTHON_FILE_MESSAGE)]


@pytest.fixture
def deep_path(tmp_path: Path) -> Iterator[Path]:
    """Provide a folder that `rm` empties afterwards. Python's own function would call itself for each nested folder."""
    yield tmp_path
    subprocess.run(["rm", "-rf", tmp_path / "d"], check=True)


def test_nested_folders_long_names_and_devices_stop_no_other_file(deep_path: Path) -> None:
    with chdir(deep_path):
        for _ in range(1_050):
            os.mkdir("d")
            os.chdir("d")
    write_file(deep_path / f"{'n' * 240}.ipynb")
    (deep_path / "zero.ipynb").symlink_to("/dev/zero")
    notebooks = dict(find_notebooks([deep_path]))
    assert [path.name[:4] for path in notebooks.values()] == ["nnnn", "zero"]
    assert all(len(page_file_name(name)) <= 255 for name in notebooks)
    assert page_file_name("\u00e9" * 200) != page_file_name("\u00e9" * 201)


def test_pages_of_names_that_differ_only_in_case_are_two_files(tmp_path: Path) -> None:
    """On macOS and Windows, one page would overwrite the other."""
    reports = (ShownReport("", name, name, "", Ungradable(BadFile("no"))) for name in ("Ann/x", "ann/x", "ANN"))
    write_results(tmp_path, reports, lambda _: {})
    pages = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.html")]
    assert len({*map(str.lower, pages)}) == len(pages) == 3


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, with a cache in it."""
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


CONFIG = {"nbgrader_config.py": "open('/ran', 'w')\nc.CourseDirectory.db_url = 'sqlite:///x.db'"}


def course_files(here: Path, files: Mapping[str, str]) -> dict[str, str]:
    """Return files that look like a course. The code in them makes the file `ran` in a folder."""
    code = {name: text.replace("'/ran'", repr(str(here / "ran"))) for name, text in files.items()}
    return {"foldem.toml": 'seed = "hers"', "submitted/eve/warmup/0_warmup.ipynb": "{"} | code


def test_a_zip_is_refused_with_the_command_that_collects_it(here: Path) -> None:
    done = foldem_here("grade", write_file(here / "eve.zip"))
    assert is_one_line_refusal(done) and f"run foldem collect {here / 'eve.zip'} with your course" in done.stderr


@pytest.mark.promise("others")
def test_no_code_is_taken_from_nbgrader_s_settings_among_the_submissions(here: Path) -> None:
    write_files(here / "eve", course_files(here, CONFIG))
    done = foldem_here("grade", "eve")
    assert done.returncode == 2 and "so its db_url is not used" in done.stderr
    assert not (here / "ran").exists()
    assert foldem_here("grade", "eve/submitted").returncode == 1 and not (here / "ran").exists()


@pytest.mark.promise("others")
def test_no_reference_is_taken_from_pins_among_the_submissions(here: Path) -> None:
    pack = read_unit("warmup").pack
    runs = pack.file("solutions", "warmup").read_text().replace("return 20", "return open('/ran', 'w') and 20", 1)
    files = {"pinned/warmup.toml": pack.toml("warmup").read_text(), "pinned/warmup.py": runs}
    notebook = {"submitted/eve/warmup/0_warmup.ipynb": blank_notebook("warmup")}
    write_files(here / "eve", course_files(here, files) | notebook)
    done = foldem_here("grade", "eve")
    assert done.returncode == 2 and "warmup.py: it would be run, so it must not be in the folder to" in done.stderr
    assert not (here / "ran").exists()


@pytest.mark.promise("others")
@pytest.mark.parametrize("settings", ['seed = "hers"', "what is no TOML"])
def test_settings_in_a_hand_in_affect_and_hide_nobody(here: Path, settings: str) -> None:
    files = {"ann/work/0_warmup.ipynb": "{", "ann/foldem.toml": settings, "ann/adjust.toml": "what is no TOML"}
    write_files(here, files | {"ben/0_warmup.ipynb": "{"})
    for words in (["ann", "ben"], [here]):
        done = foldem_here("grade", *words, "--json")
        assert done.returncode == 1 and len(json.loads(done.stdout)) == 2
        assert (f"{Path('ann', 'foldem.toml')} is ignored" in done.stderr) == (len(words) > 1)


@pytest.mark.promise("terminal")
def test_folder_names_are_shown_without_terminal_codes(here: Path) -> None:
    names = dict.fromkeys(("\x1b[2J/work/0_warmup.ipynb", "ben/work/0_warmup.ipynb"), "{")
    write_files(here, names | {"\x1b[2J/foldem.toml": 'packs = ["nowhere"]'})
    done = foldem_here("grade", "\x1b[2J", "ben")
    assert "it names are not used" in done.stderr and "is ignored: it applies to only some" in done.stderr
    assert "\x1b[2J" not in done.stderr


@pytest.mark.promise("others")
def test_settings_come_only_from_above_the_given_path(tmp_path: Path) -> None:
    notebook = write_file(tmp_path / "all" / "ann" / "nb.ipynb")
    write_file(notebook.with_name("foldem.toml"), 'seed = "hers"')
    for path in (notebook, notebook.parent, tmp_path / "all"):
        assert policy_for(folder_with_settings(path)).seed == PUBLISHED_SEED
    write_file(tmp_path / "foldem.toml", 'seed = "ours"')
    assert policy_for(folder_with_settings(notebook)).seed == "ours"


# ---------------------------------------------------------------- Files that are nearly a notebook, or have an odd name


def answered() -> nbformat.NotebookNode:
    return notebook_with("warmup", reference_answers(read_unit("warmup")))


def test_outputs_of_thirty_megabytes_are_not_read(tmp_path: Path) -> None:
    notebook = answered()
    cell = next(each for each in notebook.cells if each.cell_type == "code")
    cell["outputs"] = [nbformat.v4.new_output("display_data", {"image/png": "A" * 31_000_000})]
    path = write_file(tmp_path / "0_warmup.ipynb", nbformat.writes(notebook))
    assert set(read_submission(path).answers) == set(read_unit("warmup").by_name)


def test_file_above_the_limit_says_what_to_clear(tmp_path: Path) -> None:
    with (tmp_path / "x.ipynb").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(NotebookError, match="Clear the outputs of all cells, and hand it in again"):
        read_content(tmp_path / "x.ipynb")


def test_cells_without_metadata_are_known_by_their_ids() -> None:
    notebook = answered() | {"cells": [cell | {"metadata": {}} for cell in answered().cells]}
    texts = json.dumps(notebook), json.dumps(answered())
    stripped, original = (submission_of(notebook_in(Path("0_warmup.ipynb"), text.encode())) for text in texts)
    assert stripped.remarks == original.remarks and stripped.answers.keys() == original.answers.keys()


@pytest.mark.parametrize("name", ["0_WARMUP.IPYNB", "0_warmup.ipynb.txt", "0_warmup.json"])
def test_misnamed_notebook_in_a_folder_is_named(tmp_path: Path, name: str) -> None:
    others = dict.fromkeys(("timestamp.txt", "data.json", ".hidden.json"), "{}")
    answers = {name: nbformat.writes(answered()), "answers.PY": "from course.warmup import *\n"}
    write_files(tmp_path / "s1", others | answers)
    done = foldem_here("grade", tmp_path)
    assert f"{name} is not graded: its name does not end with .ipynb. Rename" in done.stderr
    assert "answers.PY is not graded: this is a Python file" in done.stderr
    assert done.stderr.count("is not graded") == 2


def test_class_without_a_readable_file_gets_its_table(tmp_path: Path) -> None:
    write_files(tmp_path, {f"in/s{number}/0_warmup.ipynb": "" for number in range(5)})
    done = foldem_here("grade", tmp_path / "in", "--out", tmp_path / "out")
    assert done.returncode == 1 and done.stdout.count("it is empty. Hand it") == 5
    assert len([*(tmp_path / "out/pages").glob("*/*.html")]) == 5 and (tmp_path / "out/report.csv").is_file()
    assert "Foldem ," not in next((tmp_path / "out/pages").glob("*/*.html")).read_text()
    refused = foldem_here("report", tmp_path / "out")
    assert is_one_line_refusal(refused) and "is graded yet: run foldem grade" in refused.stderr


@pytest.mark.parametrize("name", ["Kurs [A]", "what?", "[x]/cs101"])
def test_course_folder_that_nbgrader_cannot_search_is_refused(tmp_path: Path, name: str) -> None:
    done = foldem_here("course", tmp_path / name, "--unit", "warmup")
    assert is_one_line_refusal(done) and "nbgrader finds no notebook" in done.stderr and not (tmp_path / name).exists()


def test_next_command_is_quoted_for_a_shell(tmp_path: Path) -> None:
    done = foldem_here("course", tmp_path / "a & 'b' $c", "--unit", "warmup")
    words = shlex.split(done.stdout.splitlines()[-1])
    assert words[:3] == ["Next:", "cd", str(tmp_path / "a & 'b' $c")]
    assert json.loads((tmp_path / "a & 'b' $c" / "source/warmup/0_warmup.ipynb").read_text())


# --------------------------------------------------------------------------------------------------------- Random input


EXAMPLES = int(os.environ.get("FOLDEM_EXAMPLES", "60"))
FOURTH = settings(max_examples=EXAMPLES // 4, deadline=None)
EXERCISES = ("flip", "take")
ANSWERS = {name: text for name, text in reference_answers(read_unit("dominoes")).items() if name in EXERCISES}
REAL = json.loads(nbformat.writes(notebook_with("dominoes", ANSWERS)))

ATOMS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9))
KEYS = st.sampled_from(["cells", "metadata", "nbformat", "nbformat_minor", "source", "cell_type", "foldem", "x"])
TREES = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5))
CODE = st.one_of(
    st.text(max_size=80),
    st.sampled_from([*ANSWERS.values(), "def flip(d): return d", "flip = 5", "import os; os._exit(1)", "a ??"]),
    st.text(alphabet="()[]{}:\n\t =,.'\"\\x0\ud800é#%!?", max_size=200),
)
NAMES = st.sampled_from(["flip", "take", "flip-check", "take-check", "", "move"]) | ATOMS
CELLS = st.fixed_dictionaries(
    {"cell_type": st.sampled_from(["code", "markdown", "raw"]) | ATOMS, "source": CODE | st.lists(CODE) | ATOMS},
    optional={"metadata": st.fixed_dictionaries({}, optional={"nbgrader": st.fixed_dictionaries({"grade_id": NAMES})})},
)
SAYS = st.fixed_dictionaries({"unit": st.just("dominoes") | ATOMS}, optional={"exercises": st.lists(NAMES) | ATOMS})
NOTEBOOKS = st.fixed_dictionaries(
    {"cells": st.lists(CELLS, max_size=9), "nbformat": st.just(4), "metadata": st.fixed_dictionaries({"foldem": SAYS})}
)
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1", "cp037", "shift_jis", "utf-7")


@pytest.fixture(scope="module")
def steady() -> Iterator[Grader]:
    """Provide a grader whose sandboxes grade all notebooks of a test; an honest student's notebook comes last."""
    with ExitStack() as stack:
        grader = Grader(stack)
        before = marks(grader.grade(submission_with("dominoes", ANSWERS), *EXERCISES))
        yield grader
        after = marks(grader.grade(submission_with("dominoes", ANSWERS), *EXERCISES))
        assert after == before == {"flip": 1.0, "take": 1.0}


def marks(report: Graded) -> dict[str, float]:
    return {each.name: each.points / each.of for each in report.exercises if each.of}


def report_by(grader: Grader, path: Path, data: bytes) -> Report:
    try:
        return grader.grade(read_submission(write_file(path, data)), *EXERCISES)
    except NotebookError as error:
        return Ungradable(BadFile(str(error)))


def lines_of(report: Report) -> list[str]:
    """Return everything that a table shows of a report, each in a line."""
    if isinstance(report, Ungradable):
        return [stop_text(report.reason)]
    texts = [(problem_text(each), *note_lines(each), first_problem_text(each)) for each in report.exercises]
    return [*remark_lines(report), *chain(*texts)]


@st.composite
def changed(draw: st.DrawFn, tree: Any) -> Any:
    """Return a tree in which one part, at any depth, is replaced, missing, or doubled."""
    if not isinstance(tree, (dict, list)) or not tree or draw(st.integers(0, 5)) == 0:
        return draw(TREES | CODE)
    key = draw(st.sampled_from(sorted(tree) if isinstance(tree, dict) else range(len(tree))))
    change = draw(st.sampled_from(["change", "change", "change", "drop", "double"]))
    new = draw(changed(tree[key]))
    if isinstance(tree, dict):
        others = {name: part for name, part in tree.items() if name != key}
        return others if change == "drop" else others | {key: new}
    middle = {"change": [new], "drop": [], "double": [tree[key], tree[key]]}[change]
    return [*tree[:key], *middle, *tree[key + 1 :]]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Return a notebook's file in any encoding, with some bytes replaced."""
    raw = json.dumps(REAL, ensure_ascii=draw(st.booleans())).encode(draw(st.sampled_from(ENCODINGS)), errors="replace")
    start, size = draw(st.integers(0, len(raw))), draw(st.sampled_from([0, 0, 1, 9, 5000]))
    return raw[:start] + draw(st.binary(max_size=9)) + raw[start + size :]


FILES = {
    "any JSON": TREES.map(json.dumps).map(str.encode),
    "any cells": NOTEBOOKS.map(json.dumps).map(str.encode),
    "a changed notebook": changed(REAL).map(json.dumps).map(str.encode),
    "a damaged or wrongly encoded notebook": damaged(),
}


@pytest.mark.parametrize("kind", FILES)
@FOURTH
@given(data=st.data())
def test_any_file_is_graded_or_refused_in_one_line(
    steady: Grader, tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject
) -> None:
    report = report_by(steady, tmp_path_factory.getbasetemp() / "my.ipynb", data.draw(FILES[kind]))
    assert all(line.isprintable() and len(line) < 30_000 for line in lines_of(report))
    assert msgspec.json.decode(msgspec.json.encode(report), type=Report) == report
    assert isinstance(report, Ungradable) or report.is_graded, [problem_text(each) for each in report.exercises]


# ------------------------------------------------------------------------------------------------ the channel


@cache
def exam() -> Exam:
    """Return the exam of dominoes. It is read when a test runs, since each process collects all tests."""
    return exam_for(read_unit("dominoes"), POLICY.seed)


def paper(name: str) -> Paper:
    return exam().by_name[name]


JUDGED = ("flip", "legal_adds", "list_shuffle", "play")
HEADS = st.sampled_from(["ok", "raised", "fault", "t", "l", "s", "z", "d", "v", "e", "n", "f", "x", "c", "?", "Domino"])
OBSERVED = st.recursive(
    ATOMS | HEADS,
    lambda inner: st.lists(inner, max_size=5) | st.builds(lambda head, rest: [head, *rest], HEADS, st.lists(inner)),
)
STORIES = st.fixed_dictionaries({"raised": ATOMS, "text": ATOMS, "place": st.lists(ATOMS) | ATOMS})
FRAMES = st.one_of(
    st.binary(max_size=200),
    st.lists(OBSERVED).map(lambda tree: json.dumps(tree).encode()),
    st.deferred(lambda: st.sampled_from([f.expected_bytes for each in JUDGED for f in paper(each).facets])).flatmap(
        lambda frame: st.builds(
            lambda at, size, new: frame[:at] + new + frame[at + size :],
            st.integers(0, len(frame)), st.integers(0, 9), st.binary(max_size=9) | st.sampled_from([b"[", b"]", b"9"]),
        )
    ),
)  # fmt: skip
NOTES = st.binary(max_size=50) | st.builds(
    lambda notes: json.dumps(notes).encode(), st.dictionaries(st.sampled_from("012x"), STORIES | OBSERVED) | OBSERVED
)


@settings(max_examples=EXAMPLES)
@given(st.sampled_from(JUDGED), FRAMES, NOTES)
def test_whatever_bytes_a_process_sends_are_judged(name: str, frame: bytes, notes: bytes) -> None:
    assessor = assessor_for(exam(), name)
    for index, facet in enumerate(paper(name).facets):
        report, trees = assessor.judge_cached(index, frame, notes).report, decode_strict_json(frame)
        assert facet_failure_text(report).isprintable()
        right = isinstance(trees, list) and wire.text_of(trees[: len(facet.calls)]).encode() == facet.expected_bytes
        assert right or not report.passed or name == "list_shuffle"
