"""Run a teacher's notebook in a sandboxed kernel, and record which calls its tests make, and what they compare.

Two things are read from the code of a test: how to run it again, and which of its lines cannot fail.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from autograder.config import ConfigError
from autograder.hosts.cells import RunCells
from autograder.hosts.kernel_sandbox import KernelSandbox, kernel_sandbox_problem
from autograder.importing.reading import CellRole, Homework, SourceCell
from autograder.units.build import KERNEL_SPEC
from course.limits import SECONDS_PER_IMPORTED_CELL, SECONDS_PER_IMPORTED_NOTEBOOK
from course.syntax import lines_of

if TYPE_CHECKING:
    from jupyter_client.manager import KernelManager

RECORDER_FILE = Path(__file__).with_name("inside.py")
RUN_SEEDS = ("1", "2")  # what differs between two runs depends on chance
TEST_ERRORS = {"AssertionError", "Exception", "BaseException"}
RAISE_AGAIN_CODE = "if __import__('sys').exc_info()[0] is AssertionError:\n    raise"
UNINTENDED_ERRORS = (
    "StdinNotImplementedError",
    "NameError",
)  # `input` without a test that types; a test has deleted a name


class RecordedValue(msgspec.Struct, frozen=True):
    """A recorded value: its code if it is a literal, or else the name of the function or of the value's type."""

    code: str = ""
    function: str = ""
    type: str = ""


class Comparison(msgspec.Struct, frozen=True):
    """The part of a result or of a variable that a test compares.

    `sees` names the part that is compared; it is "" if the test could not run again. `leaves` says for each leaf of the
    value, such as a number or a text, whether the test compares it. If the test compares all leaves, `leaves` is empty.
    """

    sees: Literal["", "all", "items", "any order", "property", "nothing"] = ""
    tolerance: float = 0.0
    leaves: tuple[bool, ...] = ()


class TestCall(msgspec.Struct, frozen=True):
    """A call that a test made, with the arguments before and after the call.

    `line` is a line number in the test's cell. `inspects` is true if the test compares arguments that the call changed.
    `typed` are the lines that `input` returned. `items` is the code of a list of the items that the test took from a
    generator.
    """

    name: str
    line: int
    args: tuple[RecordedValue, ...] = ()
    named: dict[str, RecordedValue] = {}
    result: RecordedValue = RecordedValue()
    raised: str = ""
    message: str = ""
    after: tuple[RecordedValue, ...] = ()
    comparison: Comparison = Comparison()
    inspects: bool = False
    typed: tuple[str, ...] = ()
    items: str = ""

    @property
    def arguments(self) -> tuple[RecordedValue, ...]:
        return (*self.args, *self.named.values())

    @property
    def changes_arguments(self) -> bool:
        """Return whether the call changed an argument."""
        return self.after != self.args

    @property
    def key(self) -> str:
        """Return a text that is equal for calls of the same function with the same input."""
        return str((self.name, self.args, self.named, self.typed))


class TestRecord(msgspec.Struct, frozen=True):
    """The record of a test: its calls, the values of variables before the test, and what the test compares."""

    calls: tuple[TestCall, ...] = ()
    values: dict[str, RecordedValue] = {}
    comparison: dict[str, Comparison] = {}


@dataclass(frozen=True)
class CellOutcome:
    """The outcome of a code cell: its error (or ""), its result as text, and its record if the cell is a test."""

    error: str = ""
    result: str = ""
    recorded: TestRecord = field(default_factory=TestRecord)


class RehearsalRunner(RunCells):
    """Runs a notebook in a sandboxed kernel. A seed decides the order of the items in Python's sets."""

    seed = RUN_SEEDS[0]

    def sandbox_of(self, manager: KernelManager, **options: object) -> KernelSandbox:
        """Return the provisioner that starts a sandboxed kernel with this object's seed."""
        assert manager.kernel_spec
        manager.kernel_spec.env = {**manager.kernel_spec.env, "PYTHONHASHSEED": self.seed}
        return super().sandbox_of(manager, **options)


def run_once(homework: Homework, seed: str) -> dict[int, CellOutcome]:
    """Run a notebook, and return the outcome of each code cell by the cell's number.

    Raises ConfigError if no kernel can start here.
    """
    text, nodes = RECORDER_FILE.read_text(encoding="utf-8"), [*chain(*(ast.walk(cell.tree) for cell in homework.cells))]
    modules = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    lines = (  # the recorder's names stay out of the notebook
        "__foldem__ = {'__name__': '__foldem__'}",
        f"exec({text!r}, __foldem__)",
        "__foldem__['add_nose_module']()",
        f"__foldem__['add_missing_modules'](*{sorted(modules)!r})",
        f"__foldem__ = __foldem__['CallRecorder'](globals(), {seed})",
    )
    cells = [(None, new_code_cell("\n".join(lines))), *_cells_to_run(homework, seed == RUN_SEEDS[0])]
    for number, (_, cell) in enumerate(cells):
        cell["id"] = f"cell-{number}"
    notebook = new_notebook(cells=[cell for _, cell in cells], metadata={"kernelspec": KERNEL_SPEC})
    if wrong := kernel_sandbox_problem():
        raise ConfigError(wrong)
    runner = RehearsalRunner(timeout=SECONDS_PER_IMPORTED_CELL, longest=SECONDS_PER_IMPORTED_NOTEBOOK)
    runner.seed, runner.enabled = seed, True
    try:
        runner.preprocess(notebook, {"metadata": {"path": str(homework.path.parent.resolve())}})
    except (SystemExit, RuntimeError) as error:
        raise ConfigError(str(error).removeprefix("foldem: ")) from None
    ran = dict[int, CellOutcome]()
    for index, cell in cells:
        outputs = cell.outputs
        if index is not None and index >= 0:
            errors = [f"{each.ename}: {each.evalue}" for each in outputs if each.output_type == "error"]
            results = [each.data.get("text/plain", "") for each in outputs if each.output_type == "execute_result"]
            ran[index] = CellOutcome(" ".join("".join(errors[:1]).split())[:200], "".join(results[-1:]))
        elif index is not None:  # the end of a test, whose record is the last line that the kernel printed
            shown = "".join(each.text for each in outputs if each.output_type == "stream" and each.name == "stdout")
            with suppress(ValueError, IndexError, RecursionError):
                record = msgspec.convert(json.loads(lines_of(shown)[-1]), TestRecord)
                ran[-index] = replace(ran[-index], recorded=record)
    return ran


def _cells_to_run(homework: Homework, compares: bool) -> Iterator[tuple[int | None, NotebookNode]]:
    """Yield the cells to run, each with its number. The cell at the end of a test has a negative number.

    `compares` is true if the end finds out what the test compares.
    """
    variables = {name for cell in homework.cells if cell.role is not CellRole.TEST for name in cell.defined_names}
    functions = dict.fromkeys(name for question in homework.questions for name in question.functions)
    answered = {cell.index: question.variables for question in homework.questions for cell in question.tests}
    for cell in homework.cells:
        if cell.node.cell_type != "code":
            continue
        if cell.role is CellRole.TEST:
            yield None, new_code_cell(f"__foldem__.begin_test({[*functions]}, {sorted(variables)})")
        yield cell.index, new_code_cell(cell.code)
        if cell.role is CellRole.TEST:
            ends = [code_to_repeat(cell), *answered.get(cell.index, ())] if compares else []
            yield -cell.index, new_code_cell(f"__foldem__.end_test({', '.join(map(repr, ends))})")


@dataclass(frozen=True)
class Rehearsal:
    """The outcomes of two runs of a notebook, with different seeds. The keys are the indexes of the cells."""

    first: dict[int, CellOutcome]
    second: dict[int, CellOutcome]

    def error(self, index: int) -> str:
        """Return the error with which a cell ends in the first run, or ""."""
        return self.first[index].error

    def calls(self, index: int) -> tuple[TestCall, ...]:
        """Return the calls that a test makes in both runs, without duplicates.

        Calls are left out if they need input that nobody typed, or a name that a test has deleted.
        """
        again = {call.key for call in self.second[index].recorded.calls if call.raised not in UNINTENDED_ERRORS}
        calls = {call.key: call for call in self.first[index].recorded.calls if call.key in again}
        return tuple(calls.values())

    def varying_functions(self, index: int) -> set[str]:
        """Return the names of the functions whose results in a test are different in the two runs."""
        again = {call.key: call for call in self.second[index].recorded.calls}
        calls = (call for call in self.first[index].recorded.calls if call.key in again)
        return {call.name for call in calls if _outcome(call) != _outcome(again[call.key])}

    def value(self, index: int, name: str) -> RecordedValue | None:
        """Return a variable's value before a test.

        Return None if the variable has no value, or if the value differs between the two runs.
        """
        one, other = (run[index].recorded.values.get(name) for run in (self.first, self.second))
        return one if one == other else None

    def comparison(self, index: int, name: str) -> Comparison | None:
        """Return which part of a variable's value a test compares, or None if the value is not a literal."""
        return self.first[index].recorded.comparison.get(name)

    def has_value(self, index: int, name: str) -> bool:
        return name in self.first[index].recorded.values


def _outcome(call: TestCall) -> tuple[object, ...]:
    return call.result, call.raised, call.after, call.items


def rehearse(homework: Homework) -> Rehearsal:
    """Run a notebook twice in parallel, with different seeds. Raises ConfigError if no kernel can start here."""
    with ThreadPoolExecutor() as pool:
        return Rehearsal(*pool.map(partial(run_once, homework), RUN_SEEDS))


# --------------------------------------------------------------------------------------- the code of test cells


def code_to_repeat(cell: SourceCell) -> str:
    """Return the code of a test, changed so that the test can run again.

    If the test catches errors of failed comparisons, the returned code raises these errors again. For a test of Otter
    Assign, the code also stores the text of the last expression, because Otter compares this text.
    """
    tree = ast.parse(cell.code if cell.is_python else "")
    for handler in _handlers_of_failures(tree):
        handler.body[:0] = ast.parse(RAISE_AGAIN_CODE).body
    last = tree.body[-1] if tree.body else None
    if cell.has_result and isinstance(last, ast.Expr):
        tree.body[-1] = ast.parse(f"__foldem__.result = repr({ast.unparse(last)})").body[0]
    return ast.unparse(tree)


def lines_that_cannot_fail(cell: SourceCell) -> list[int]:
    """Return the lines at which a test catches the error of a failed comparison, and does not raise it again."""
    handlers = _handlers_of_failures(cell.tree)
    return [each.lineno for each in handlers if not any(isinstance(node, ast.Raise) for node in ast.walk(each))]


def lambdas_in(cell: SourceCell, name: str, line: int) -> Iterator[tuple[int | str, ast.Lambda]]:
    """Yield the lambda functions that a line passes to calls of `name`, each with its position or its keyword."""
    for node in ast.walk(cell.tree):
        if (
            isinstance(node, ast.Call)
            and node.lineno <= line <= (node.end_lineno or 0)
            and _called_name(node.func) == name
        ):
            arguments: list[tuple[int | str, ast.expr]] = [*enumerate(node.args)]
            arguments += [(key.arg or "", key.value) for key in node.keywords]
            yield from ((at, arg) for at, arg in arguments if isinstance(arg, ast.Lambda))


def _handlers_of_failures(tree: ast.Module) -> list[ast.ExceptHandler]:
    """Return the handlers that catch the error of `assert`, or of a function such as `assert_equal`."""
    handlers = list[ast.ExceptHandler]()
    for node in (each for each in ast.walk(tree) if isinstance(each, ast.Try)):
        parts = [part for statement in node.body for part in ast.walk(statement)]
        names = [_called_name(part.func) for part in parts if isinstance(part, ast.Call)]
        if any(isinstance(part, ast.Assert) for part in parts) or any(name.startswith("assert") for name in names):
            handlers += [each for each in node.handlers if each.type is None or _names_in(each.type) & TEST_ERRORS]
    return handlers


def _names_in(node: ast.expr) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _called_name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
