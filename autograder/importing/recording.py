"""Run a teacher's notebook in a sandboxed kernel, and record what its tests call and see."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from autograder.config import ConfigError
from autograder.hosts.cells import RunCells
from autograder.importing.reading import Homework, Role
from autograder.importing.testing import code_to_repeat
from autograder.units.build import KERNEL
from course.limits import SECONDS_PER_NOTEBOOK, SECONDS_PER_STEP
from course.syntax import lines_of

if TYPE_CHECKING:
    from jupyter_client.manager import KernelManager

    from autograder.hosts.kernel_sandbox import KernelSandbox

RECORDER_FILE = Path(__file__).with_name("inside.py")
RUN_SEEDS = ("1", "2")  # what differs between two runs depends on chance
NOT_MEANT = "StdinNotImplementedError", "NameError"  # `input` without a test that types; a test has deleted a name


class Value(msgspec.Struct, frozen=True):
    """A recorded value: its code, if it is a literal, or else the name of a function or of its type."""

    code: str = ""
    function: str = ""
    type: str = ""


class Comparison(msgspec.Struct, frozen=True):
    """The part of a result or a variable that a test compares. It is "" if the test could not run again.

    `leaves` are true for the numbers and texts that are compared, if it is not all of them.
    """

    sees: Literal["", "all", "items", "any order", "property", "nothing"] = ""
    tolerance: float = 0.0
    leaves: tuple[bool, ...] = ()


class TestCall(msgspec.Struct, frozen=True):
    """A call that a test made, with its arguments before and after it. `line` is the line of the test's cell.

    `inspects` is true if the test compares arguments that the call changed. `typed` are the lines that `input` gave.
    `items` is the code of a list: the items of a generator that the test used.
    """

    name: str
    line: int
    args: tuple[Value, ...] = ()
    named: dict[str, Value] = {}
    result: Value = Value()
    raised: str = ""
    message: str = ""
    after: tuple[Value, ...] = ()
    comparison: Comparison = Comparison()
    inspects: bool = False
    typed: tuple[str, ...] = ()
    items: str = ""

    @property
    def given(self) -> tuple[Value, ...]:
        return (*self.args, *self.named.values())

    @property
    def changes(self) -> bool:
        """Return whether the call changed an argument."""
        return self.after != self.args

    @property
    def key(self) -> str:
        """Return a text that is the same for the same call."""
        return str((self.name, self.args, self.named, self.typed))


class Recorded(msgspec.Struct, frozen=True):
    """The record of a test: its calls, the values of variables before it, and what it compares of them."""

    calls: tuple[TestCall, ...] = ()
    values: dict[str, Value] = {}
    comparison: dict[str, Comparison] = {}


@dataclass(frozen=True)
class Ran:
    """The outcome of a code cell: its error, or "", the text of its result, and the record of a test."""

    error: str = ""
    result: str = ""
    recorded: Recorded = field(default_factory=Recorded)


class Rehearse(RunCells):
    """Runs a notebook in a sandboxed kernel with a seed for the order of sets."""

    seed = RUN_SEEDS[0]

    def sandbox_of(self, manager: KernelManager, **options: object) -> KernelSandbox:
        """Return the provisioner, for a kernel with a seed."""
        assert manager.kernel_spec
        manager.kernel_spec.env = {**manager.kernel_spec.env, "PYTHONHASHSEED": self.seed}
        return super().sandbox_of(manager, **options)


def run_once(homework: Homework, seed: str) -> dict[int, Ran]:
    """Return what happened to each code cell, by its number. Raises ConfigError if no kernel can start here."""
    cells = [(None, new_code_cell(_beginning(homework, seed))), *_cells(homework, seed == RUN_SEEDS[0])]
    for number, (_, cell) in enumerate(cells):
        cell["id"] = f"cell-{number}"
    notebook = new_notebook(cells=[cell for _, cell in cells], metadata={"kernelspec": KERNEL})
    runner = Rehearse(timeout=SECONDS_PER_STEP, longest=SECONDS_PER_NOTEBOOK)
    runner.seed, runner.enabled = seed, True
    try:
        runner.preprocess(notebook, {"metadata": {"path": str(homework.path.parent.resolve())}})
    except (SystemExit, RuntimeError) as error:
        raise ConfigError(str(error).removeprefix("foldem: ")) from None
    ran = dict[int, Ran]()
    for index, cell in cells:
        if index is not None:
            ran[abs(index)] = _ended(cell) if index >= 0 else _with_record(ran[-index], cell)
    return ran


def _beginning(homework: Homework, seed: str) -> str:
    """Return the code that starts the recorder. Its names stay out of the notebook."""
    text, nodes = RECORDER_FILE.read_text(encoding="utf-8"), [*chain(*(ast.walk(cell.tree) for cell in homework.cells))]
    modules = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    lines = ["__foldem__ = {'__name__': '__foldem__'}", f"exec({text!r}, __foldem__)", "__foldem__['offer_nose']()"]
    lines.append(f"__foldem__['offer_missing'](*{sorted(modules)!r})")
    return "\n".join((*lines, f"__foldem__ = __foldem__['CallRecorder'](globals(), {seed})"))


def _cells(homework: Homework, compares: bool) -> Iterator[tuple[int | None, NotebookNode]]:
    """Yield the cells to run, each with its number. The end of a test has its number as a negative one.

    `compares` is true if the end finds out what the test compares.
    """
    variables = {name for cell in homework.cells if cell.role is not Role.TEST for name in cell.bound}
    functions = dict.fromkeys(name for question in homework.questions for name in question.functions)
    answered = {cell.index: question.variables for question in homework.questions for cell in question.tests}
    for cell in homework.cells:
        if cell.node.cell_type != "code":
            continue
        if cell.role is Role.TEST:
            yield None, new_code_cell(f"__foldem__.begin({[*functions]}, {sorted(variables)})")
        yield cell.index, new_code_cell(cell.code)
        if cell.role is Role.TEST:
            ends = [code_to_repeat(cell), *answered.get(cell.index, ())] if compares else []
            yield -cell.index, new_code_cell(f"__foldem__.end({', '.join(map(repr, ends))})")


def _ended(cell: NotebookNode) -> Ran:
    errors = [f"{each.ename}: {each.evalue}" for each in cell.outputs if each.output_type == "error"]
    results = [each.data.get("text/plain", "") for each in cell.outputs if each.output_type == "execute_result"]
    return Ran(" ".join("".join(errors[:1]).split())[:200], "".join(results[-1:]))


def _with_record(ran: Ran, cell: NotebookNode) -> Ran:
    """Return what happened to a test, with its record, which is the last line that the kernel printed."""
    text = "".join(each.text for each in cell.outputs if each.output_type == "stream" and each.name == "stdout")
    try:
        recorded = msgspec.convert(json.loads(lines_of(text)[-1]), Recorded)
    except (ValueError, IndexError, RecursionError):
        return ran
    return Ran(ran.error, ran.result, recorded)


@dataclass(frozen=True)
class Rehearsal:
    """Two runs of a notebook with different seeds."""

    first: dict[int, Ran]
    second: dict[int, Ran]

    def error(self, index: int) -> str:
        """Return the error with which a cell ends, or ""."""
        return self.first[index].error

    def calls(self, index: int) -> tuple[TestCall, ...]:
        """Return the calls of a test that are the same in both runs, each once.

        Those that nobody types for are left out, and those that lack a name, since a test has deleted it.
        """
        again = {call.key for call in self.second[index].recorded.calls if call.raised not in NOT_MEANT}
        calls = {call.key: call for call in self.first[index].recorded.calls if call.key in again}
        return tuple(calls.values())

    def varies(self, index: int) -> set[str]:
        """Return the functions of which a test makes a call whose result differs from run to run."""
        again = {call.key: call for call in self.second[index].recorded.calls}
        calls = (call for call in self.first[index].recorded.calls if call.key in again)
        return {call.name for call in calls if _outcome(call) != _outcome(again[call.key])}

    def value(self, index: int, name: str) -> Value | None:
        """Return a variable's value before a test, or None if it has none, or differs from run to run."""
        one, other = (run[index].recorded.values.get(name) for run in (self.first, self.second))
        return one if one == other else None

    def comparison(self, index: int, name: str) -> Comparison | None:
        """Return what a test compares of a variable. It is None if the variable is no literal."""
        return self.first[index].recorded.comparison.get(name)

    def has_value(self, index: int, name: str) -> bool:
        return name in self.first[index].recorded.values


def _outcome(call: TestCall) -> tuple[object, ...]:
    return call.result, call.raised, call.after, call.items


def rehearse(homework: Homework) -> Rehearsal:
    """Run a notebook twice, at the same time. Raises ConfigError if no kernel can start here."""
    with ThreadPoolExecutor() as pool:
        return Rehearsal(*pool.map(partial(run_once, homework), RUN_SEEDS))
