"""Reading notebooks: answers, helpers, ignored cells, and that no notebook breaks the reader."""

from __future__ import annotations

import ast
import time
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.report.stops import no_answer_for
from autograder.report.words import remark_text, stop_text
from autograder.submission.model import BoundBuiltins, Submission
from autograder.submission.reading import Cell, Notebook, NotebookError, parse_cell
from autograder.submission.sort import is_bound_by_stub, submission_of_cells
from course.diagnoses.obstacle import flaw_text
from course.syntax import bound_names, global_names_in
from tests.units import read_unit, submission_of

UNIT = read_unit("dominoes")
STUB = "def flip(domino: Domino) -> Domino:\n    '''Give it.'''\n    raise NotImplementedError"


def notebook(*cells: tuple[str, str] | str) -> Notebook:
    """Return a notebook of cells: sources, or pairs of a grade id and a source."""
    pairs = [("", cell) if isinstance(cell, str) else cell for cell in cells]
    made = [Cell("code", text, {"nbgrader": {"grade_id": name}} if name else {}) for name, text in pairs]
    return Notebook(tuple(made), {"foldem": {"unit": "dominoes"}})


def read(*cells: tuple[str, str] | str) -> Submission:
    return submission_of(notebook(*cells))


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f(x): y = 1", {"f"}),
        ("async def f(): pass", {"f"}),
        ("class A: b = 1", {"A"}),
        ("import a.b, c as d", {"a", "d"}),
        ("from a import b, c as d", {"b", "d"}),
        ("from a import *", set()),
        ("a = b = 1", {"a", "b"}),
        ("a, (b, *c) = 1", {"a", "b", "c"}),
        ("[a, b] = 1", {"a", "b"}),
        ("a: int = 1", {"a"}),
        ("a: int", set()),
        ("a += 1", {"a"}),
        ("a[0] = 1", {"a"}),
        ("a.b.c = 1", {"a"}),
        ("if x: a = 1\nelif y: b = 1\nelse: c = 1", {"a", "b", "c"}),
        ("try: a = 1\nexcept E: b = 1\nelse: c = 1\nfinally: d = 1", {"a", "b", "c", "d"}),
        ("with x:\n    a = 1", {"a"}),
        ("for i in x: a[i] = 1", {"a"}),
        ("while x: a = 1", {"a"}),
        ("match x:\n    case 1: a = 1", {"a"}),
        ("f(a)", set()),
        ("del a", set()),
        ("assert a", set()),
    ],
)
def test_bound_names_of_statements(source: str, names: set[str]) -> None:
    assert bound_names(ast.parse(source).body[0]) == names


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f(deal): return deal + [draw for draw in deal]", {"f"}),
        ("def f(x): return g(x)", {"f", "g"}),
        ("def f(x=g): return [lambda: h for _ in x]", {"f", "g", "h"}),
        ("def f():\n    def g(): return h\n    return g()", {"f", "h"}),
        ("class A:\n    draw = draw\n    def deal(self): pass", {"A", "draw"}),
        ("def f():\n    global n\n    n += 1", {"f", "n"}),
        ("n += 1", {"n"}),
        ("def f(x, x): return g", {"g"}),
    ],
)
def test_the_names_that_a_source_shares_with_its_surroundings(source: str, names: set[str]) -> None:
    assert global_names_in(source) == names


@pytest.mark.parametrize(
    ("source", "unwritten"),
    [
        (STUB, True),
        ("def flip(d):\n    raise NotImplementedError", True),
        ("def flip(d):\n    raise NotImplementedError('later')", True),
        ("flip = TODO", True),
        ("flip: Any = TODO", True),
        ("def flip(d):\n    return NotImplementedError", False),
        ("def flip(d):\n    x = 1\n    raise NotImplementedError", False),
        ("def flip(d):\n    raise ValueError", False),
        ("def flip(d): ...", False),
        ("flip = flop", False),
        (f"{STUB}\ndef flip(d):\n    return d", False),
        (f"def flip(d):\n    return d\n{STUB}", True),
        ("def flop(d):\n    raise NotImplementedError\ndef flip(d): return d", False),
        ("x = 1", False),
    ],
)
def test_a_stub_is_distinguished_from_an_answer(source: str, unwritten: bool) -> None:
    assert is_bound_by_stub(ast.parse(source).body, "flip") == unwritten


@given(st.text() | st.text(alphabet="ab=:()[]{}%!?\n\r\x0c\u2028 '\"#\\,;@"))
def test_any_text_is_parsed_or_has_a_problem(text: str) -> None:
    cell = parse_cell(text)
    assert not (cell.flaw and cell.statements) and (cell.flaw is None or flaw_text(cell.flaw).isprintable())


@pytest.mark.parametrize("before", ["    {}", "\t{}", "\n  %time\n  {}", ">>> {}", "  >>> {}"])
def test_a_cell_that_is_indented_or_has_prompts_is_read_as_in_jupyter(before: str) -> None:
    margin = before.rpartition("\n")[2].format("").replace(">>>", "...")
    text = f"\n{margin}".join([before.format("def flip(d):"), "    if d:", "        return d", ""])
    source = text + "    return 2"
    names = dict[str, Any]()
    cell = parse_cell(source)
    exec(cell.text_of(cell.statements), names)
    assert cell.flaw is None and (names["flip"](1), names["flip"](0)) == (1, 2)


LINES = st.sampled_from(["x = 1", "y = 'é…'; z = 2", "def f(a):\n    return a", "@dec\ndef g(): pass", "", "# note"])


@given(st.lists(LINES, max_size=6), st.data())
def test_the_text_of_statements_is_those_statements_on_their_lines(lines: list[str], data: st.DataObject) -> None:
    cell = parse_cell("\n".join(lines))
    kept = [node for node in cell.statements if data.draw(st.booleans())]
    again = ast.parse(cell.text_of(kept)).body
    assert [(ast.dump(node), node.lineno) for node in again] == [(ast.dump(node), node.lineno) for node in kept]


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        *(
            (f"x = 1{end}def flip(d):{end}    return x{end}", "x = 1\ndef flip(d):\n    return x")
            for end in ("\r\n", "\r")
        ),
        *(
            (f"def flip(d):\n    return 'a{odd}b'\ny = 1", f"def flip(d):\n    return 'a{odd}b'")
            for odd in "\x0c\u2028\x85\x1e\v"
        ),
    ],
)
def test_lines_end_where_python_ends_them(source: str, answer: str) -> None:
    assert read(("flip", source)).answers["flip"].source == answer


def test_statements_on_one_line_are_distinguished() -> None:
    submission = read(
        "x = 1; flip = 2; y = 'é'; z = 3", ("append", "append = w; flip = 2; w = 3"), ("flip", "flip = 1")
    )
    assert ([helper.source for helper in submission.helpers], submission.answers["append"].source) == (
        ["x = 1", "y = 'é'", "z = 3", "w = 3"],
        "append = w; w = 3",
    )


def needed(submission: Submission, *names: str) -> list[str]:
    return [helper.source.strip() for helper in submission.helpers_for(names)]


IN_ORDER = ["a = 1\nb = 2", "def f(): return g()\ndef g(): return a", "a += 1\nb += 1", "from math import *"]
CIRCLE = ["def f(): return g()\ndef g(): return f()"]
TURN = [("flip", "import math\ndef turn(d): return d\ndef flip(d): return turn(d)"), ("append", "append = turn")]
FILLING = "sizes = {}\ndef fill(): sizes[2] = 7\nfill()\nprint(sizes)\nother = []\nother.append(1)"
FILLED = [FILLING, ("flip", "flip = lambda: sizes"), ("flip-check", "check('flip')"), "sizes.clear()"]
DECK = "deck = tuple(Domino(n, n) for n in range(3))\ndef total(): return deck, LIMIT"
CONSTANT = [f"LIMIT = 3\n{DECK}\nprint(total())", ("flip", "def flip(d): return total()\nwhile True: flip(deck)")]
NEEDED = [
    (IN_ORDER, "f()", "a = 1\ndef f(): return g()\ndef g(): return a\na += 1\nfrom math import *"),
    (IN_ORDER, "b", "b = 2\nb += 1\nfrom math import *"),
    (IN_ORDER, "pi", "from math import *"),
    (CIRCLE, "f", CIRCLE[0]),
    (TURN, "append = turn", "def turn(d): return d"),
    (FILLED, "flip", "sizes = {}\ndef fill(): sizes[2] = 7\nfill()\nprint(sizes)"),
    (CONSTANT, "flip", f"LIMIT = 3\n{DECK}"),
]


@pytest.mark.parametrize(("cells", "code", "helpers"), NEEDED)
def test_helpers_are_the_statements_that_are_needed_in_order(cells: list[Any], code: str, helpers: str) -> None:
    submission = read(*cells)
    statements = submission.helpers_of.get(code) or submission.helpers_for([code])
    assert "\n".join(helper.source.strip() for helper in statements) == helpers


def test_helpers_have_the_number_of_the_exercise_before_them() -> None:
    submission = read("a = 1", ("flip", "flip = a"), "b = 1", ("append", "append = b"), "c = 1")
    assert [helper.behind for helper in submission.helpers] == [0, 1, 2]
    assert [(helper.label, helper.behind) for helper in read(*TURN).helpers] == [("flip", 1), ("flip", 1)]
    plain = read(("flip-check", "check('flip')"), "f(1)\n1 / 0")
    assert plain.helpers == () and not read(("flip", "flip = 1")).helpers


def test_definitions_in_other_cells_count_where_a_check_sees_them() -> None:
    flip, append = "def turn(d): return 1\nflip = turn", "def turn(d): return 2\nappend = lambda: turn"
    submission = read(("flip", flip), ("append", append), ("append-check", "check('append')"), "turn = 3")
    assert [submission.helpers_of[name] for name in ("flip", "append")] == [(), ()]
    assert needed(submission, "lambda: turn") == ["turn = 3"]


@pytest.mark.promise("batch")
def test_needed_statements_are_found_in_time_that_grows_with_the_notebook() -> None:
    names = [f"a{n}" for n in range(900)]
    rows = [f"{name} = [{','.join(names[n : n + 50])}]" for n, name in enumerate(names)]
    submission = read(*("\n".join(rows[n : n + 90]) for n in range(0, 900, 90)), ("flip", "flip = a0"))
    began = time.process_time()
    assert len(submission.helpers_for(["a0"])) == 900
    assert time.process_time() - began < 0.5


@pytest.mark.promise("batch")
@pytest.mark.parametrize(
    "row", ["a = 1", "a = 'long'  # " + 9_000 * "x", f"a = {','.join(f'a{n}' for n in range(400))}"]
)
def test_a_notebook_of_very_many_definitions_is_refused(row: str) -> None:
    cell = "\n".join([row] * min(2_000, 24_000 // (len(row) + 1)))
    began = time.process_time()
    with pytest.raises(NotebookError, match="the notebook's code has more than"):
        read(*[cell] * 35)
    assert time.process_time() - began < 1


def test_reading_warns_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        submission = read("a = '\\d'", ("flip", "flip = lambda d: (a, '\\d', 1 is 1)"))
        assert submission.helpers_for([submission.answers["flip"].source])


def test_of_cells_that_were_run_the_last_definition_counts() -> None:
    submission = submission_of_cells(
        UNIT, ["a = 1", "def flip(d): return d", "a = 2", "def flip(d): return a", "flip(1)"]
    )
    assert submission.answers["flip"].source.strip() == "def flip(d): return a"
    assert [helper.source.strip() for helper in submission.helpers] == ["a = 2"] and submission.remarks == ()


@pytest.mark.parametrize("cell", ["len = 3", "def flip(d): return d\nfrom math import pow as sum"])
def test_a_changed_built_in_name_is_remarked_on(cell: str) -> None:
    *_, remark = submission_of_cells(UNIT, ["x = 1", cell, "def take(n, chain): return n"]).remarks
    assert remark == BoundBuiltins(("len" if "len" in cell else "sum",), 2)


METADATA = st.recursive(
    st.none() | st.integers() | st.sampled_from(["flip", "dominoes", "flip-check"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["nbgrader", "grade_id"]), inner),
    max_leaves=4,
)
CELLS = st.builds(
    Cell,
    st.sampled_from(["code", "markdown", "\x1b"]),
    st.sampled_from(
        ["x = 1", STUB, "def flip(d): return d", "flip, take = 1, 2", "no Python", "", "%%html\n<b>", "!ls"]
    ),
    METADATA | st.fixed_dictionaries({"nbgrader": METADATA}) | st.just({"nbgrader": {"grade_id": "flip"}}),
)


@given(st.lists(CELLS, max_size=6), st.dictionaries(st.sampled_from(["exercises", "version"]), METADATA))
def test_any_notebook_is_read_and_each_exercise_has_an_answer_or_a_problem(
    cells: list[Cell], metadata: dict[str, Any]
) -> None:
    submission = submission_of(Notebook(tuple(cells), {"foldem": {"unit": "dominoes"} | metadata}))
    assert set(submission.attempts) == set(UNIT.by_name)
    assert all(remark_text(remark).isprintable() for remark in submission.remarks)
    obstacles = [(attempt.name, attempt.obstacle) for attempt in submission.attempts.values() if attempt.obstacle]
    assert all(stop_text(no_answer_for(*each)).isprintable() for each in obstacles)
    assert not {name for helper in submission.helpers for name in helper.binds} & set(UNIT.by_name)
    assert [each.index for each in submission.statements] == [*range(len(submission.statements))]
