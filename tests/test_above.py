"""Marks follow the notebook: the verdict on an answer is that of its check cell after all cells above it have run.

Generated notebooks are run in a real IPython shell from top to bottom, with right earlier answers, and are graded. An
answer is right if and only if the values that it uses are those of the shell at its check cell. So an answer that
compares them is given the shell's values, and must pass. Two rules belong to the law: a statement that raises is
skipped, as if it had a cell of its own, and the name of an exercise keeps the value that its own cell gives it.

FOLDEM_EXAMPLES=1000 pytest tests/test_above.py tries so many notebooks.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import takewhile
from random import Random

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from autograder.report.model import PASSED, WRONG
from autograder.report.words import note_lines, problem_text
from autograder.submission.reading import Cell, Notebook
from tests.grader import Grader
from tests.kernel import QUIET
from tests.sample import one_in
from tests.units import read_unit, submission_of

UNIT = read_unit("dominoes")
EXERCISES = ("flip", "append", "suppress")
NOTEBOOKS = int(os.environ.get("FOLDEM_EXAMPLES", "60"))  # the suite tries a third of them
FIRST = "from course.dominoes import *\nfrom contextlib import nullcontext\nfrom functools import singledispatch"
ANSWER = """{source}
def {name}(*given):
    if str({values}) != {expected}:
        raise ValueError({values})
    {effect}
    return right_{name}(*given)"""

BEGINNINGS = (
    "numbers = []",
    "numbers = [1, 2]",
    "table = {}",
    "table = dict(a=1)",
    "limit = 7",
    "limit = (1, (2, 3))",
    "rows = [[], [1]]",
    "pair = numbers, table",
    "same = numbers",
    "def total(): return sum(numbers)",
    "def total(): return sum(numbers) + limit[0]",
    "def double(n): return 2 * n",
    "double = lambda n: n + n",
    "def size(): return len(table) + double(2)",
    "@singledispatch\ndef kind(thing): return 'thing'",
    "counter = iter(range(9))",
    "class Registry:\n    names = []\n    def __init_subclass__(cls): Registry.names.append(cls.__name__)",
    "def entering(function):\n    numbers.append(3)\n    return function",
    "def put(key):\n    def put_it(function): table[key] = function()\n    return put_it",
    "def fill(): table.update(b=2)",
    "def clear():\n    global numbers\n    numbers = []",
    "def grow(items): items.append(len(items))",
    "def note():\n    total.calls = 1",
)
CHANGES = (
    "numbers.append(5)",
    "numbers += [6]",
    "numbers[0] = 8",
    "table['c'] = 3",
    "table.update(d=double(2))",
    "fill()",
    "clear()",
    "note()",
    "grow(numbers)",
    "grow(same)",
    "grow(pair[0])",
    "for row in rows: grow(row)",
    "rows[0].append(7)",
    "[table.setdefault(n, n) for n in (1, 2)]",
    "first = next(counter)",
    "limit = limit, 1",
    "if numbers:\n    limit = 9",
    "@entering\ndef double(n): return 3 * n",
    "@put('e')\ndef five(): return 5",
    "@kind.register(int)\ndef _(thing): return 'int'",
    "class Own(Registry): pass",
    "print(total())",
    "print(double(numbers))",
    "double(4)",
    "assert total() >= 0",
    "table['right'] = flip(Domino(1, 2)) == Domino(2, 1)",
    "numbers.append(len(suppress(Domino(1, 2), (Domino(1, 2),))))",
    "del double",
    "del numbers[0]",
    "del table",
    "len = lambda items: 77",
    "del len",
    "str = repr",
    "import math as table",
    "from math import gcd as double",
    "numbers = 1 / 0",
    "limit = undefined",
    "1 / 0",
    "with nullcontext([1]) as numbers: numbers.append(2)",
    "match (4, 5):\n    case limit, _: numbers.append(limit)",
    "print(table := {'walrus': 1})",
    "try:\n    1 / 0\nexcept ZeroDivisionError as table:\n    numbers.append(6)",
    "while len(numbers) < 4: numbers.append(0)",
    "numbers, table = [3], {'t': 3}",
    "same.extend(numbers[:2])",
)
REUSED = (
    "for {name} in (1, 2): numbers.append({name})",
    "for {name} in 'ab': print({name})",
    "with nullcontext(3) as {name}: table['with'] = {name}",
    "match (7, 8):\n    case {name}, _: numbers.append({name})",
    "print({name} := 3)",
    "import math as {name}",
    "from math import gcd as {name}",
    "try:\n    1 / 0\nexcept ZeroDivisionError as {name}:\n    numbers.append(9)",
    "{name} = 1",
    "{name}, other = 1, 2",
    "def {name}(*given): return 3",
    "def spoil():\n    global {name}\n    {name} = 3\nspoil()",
    "try:\n    del {name}\nexcept NameError: pass",
)
VALUES = (
    "numbers",
    "table",
    "limit",
    "rows",
    "pair",
    "same",
    "total()",
    "double(3)",
    "size()",
    "kind(1)",
    "Registry.names",
    "len(numbers)",
    "getattr(total, 'calls', 0)",
    "sum(numbers)",
)


@dataclass(frozen=True)
class Made:
    """A generated notebook: its cells, and for each answer the values that it compares and what else it does."""

    cells: tuple[tuple[str, tuple[str, ...]], ...]
    values: Mapping[str, str]
    effects: Mapping[str, str]

    def answer(self, name: str, expected: str) -> str:
        """Return an answer that is right if its values are the `expected` ones."""
        source = UNIT[name].source.replace(f"def {name}(", f"def right_{name}(")
        values, effect = self.values[name], self.effects[name]
        return ANSWER.format(source=source, name=name, values=values, effect=effect, expected=expected)


def made(seed: int) -> Made:
    """Return a generated notebook."""
    random = Random(seed)
    pick = random.choice
    uses = {name: ", ".join(random.sample(VALUES, random.randint(1, 4))) for name in EXERCISES}
    effects = {name: random.choice(("pass", "pass", "pass", "table.setdefault('called', 1)")) for name in EXERCISES}

    def statements(most: int) -> tuple[str, ...]:
        pool = [*BEGINNINGS, *2 * CHANGES, *REUSED]
        return tuple(pick(pool).replace("{name}", pick(EXERCISES)) for _ in range(random.randint(0, most)))

    cells = [("", (FIRST,)), ("", tuple(each for each in BEGINNINGS if random.random() < 0.8))]
    for name in EXERCISES:
        cells += [("", statements(3)) for _ in range(random.randint(0, 3))]
        above, below = tuple(random.sample(BEGINNINGS, random.choice((0, 0, 0, 1)))), statements(2)
        below = tuple(each for each in below if name not in each and "suppress(" not in each)
        cells.append((name, (*above, f"<{name}>", *below)))
        cells += [("", statements(2)) for _ in range(random.choice((0, 0, 1)))]
        if random.random() < 0.1:
            cells.append(("", (f"<{name}>",)))
        cells.append((f"{name}-check", (f"check('{name}')",)))
    cells += [("", statements(3)) for _ in range(random.randint(0, 2))]
    return Made(tuple(cells), {name: f"({uses[name]},)" for name in EXERCISES}, effects)


def run_in(shell: InteractiveShell, source: str, own: str = "") -> BaseException | None:
    """Run a statement in a cell, and return what it raises. Names of other exercises keep their values."""
    others, names = [name for name in EXERCISES if name != own], shell.user_ns
    before = {name: names[name] for name in others if name in names}
    with capture_output():
        result = shell.run_cell(source)
    for name in others:
        names.pop(name, None)
    names.update(before)
    return result.error_before_exec or result.error_in_exec


CALLS = {
    "flip": ("flip(Domino(1, 2))", "Domino(2, 1)"),
    "append": ("append(Domino(5, 1), Chain(1, '1-2 4-3', 3), '<')", "Chain(5, '5-1 1-2 4-3', 3)"),
    "suppress": ("suppress(Domino(4, 5), (Domino(3, 2), Domino(5, 4)))", "(Domino(3, 2),)"),
}


def at_check(notebook: Made, name: str, expected: str, code: str) -> object:
    """Return the value of code at a check cell in the shell, or the exception that it raises.

    The answer compares its values with the `expected` ones. Earlier answers are right.
    """
    shell, is_below = InteractiveShell.instance(config=QUIET), False
    shell.reset(new_session=True)
    texts = {f"<{each}>": UNIT[each].source for each in EXERCISES}
    texts[f"<{name}>"] = notebook.answer(name, expected)
    for label, statements in takewhile(lambda cell: cell[0] != f"{name}-check", notebook.cells):
        for each in (texts.get(each, each) for each in statements):
            is_second_try = is_below and isinstance(ast.parse(each).body[0], (ast.Assign, ast.FunctionDef))
            run_in(shell, each, label or (name if is_second_try else ""))
        is_below = is_below or label == name
    return run_in(shell, f"FOUND = {code}") or shell.user_ns["FOUND"]


def notebook_of(notebook: Made, expected: Mapping[str, str]) -> Notebook:
    texts = {f"<{name}>": notebook.answer(name, repr(text)) for name, text in expected.items()}
    cells = (
        Cell("code", "\n".join(texts.get(each, each) for each in statements), {"nbgrader": {"grade_id": label}})
        for label, statements in notebook.cells
    )
    return Notebook(tuple(cells), {"foldem": {"unit": "dominoes", "exercises": list(EXERCISES)}})


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with ExitStack() as stack:
        yield Grader(stack)
    InteractiveShell.clear_instance()


@pytest.mark.sandbox
@pytest.mark.promise("marks")
@pytest.mark.parametrize("seed", one_in(3, range(NOTEBOOKS)))
def test_verdict_is_that_of_the_check_cell_in_a_kernel(grader: Grader, seed: int) -> None:
    notebook = made(seed)
    codes = {name: f"str({values})" for name, values in notebook.values.items()}
    values = {name: str(at_check(notebook, name, code, code)) for name, code in codes.items()}
    report = grader.grade(submission_of(notebook_of(notebook, values)), *EXERCISES)
    for name, (call, result) in CALLS.items():
        found = at_check(notebook, name, repr(values[name]), f"{call} == {call} == {result}")
        expected = PASSED if found is True else WRONG
        if not isinstance(found, NameError):  # else a definition below the check may count
            assert report[name].state == expected, (name, found, problem_text(report[name]), note_lines(report[name]))


@pytest.mark.proof
def test_generated_notebooks_have_right_and_wrong_answers(grader: Grader) -> None:
    """Else the law would say nothing."""
    notebooks = [made(seed) for seed in range(30)]
    submissions = [submission_of(notebook_of(each, dict.fromkeys(EXERCISES, ""))) for each in notebooks]
    needed = [len(submission.helpers_of[name]) for submission in submissions for name in EXERCISES]
    rights = [at_check(each, "flip", "''", f"str({each.values['flip']})") for each in notebooks]
    assert sum(needed) > 5 * len(needed) and 5 < sum(isinstance(right, str) for right in rights) < 30
