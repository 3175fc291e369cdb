"""Measure the call paths of a check, a submission and a click, which are the calls made on the way.

`make house` prints the results. Each path is really walked twice, in this process. The first walk loads and builds what
later ones reuse. So only the second walk counts, which has another answer. Work in other processes does not count.

- functions: the different functions, methods and properties of `course/` and `autograder/` that are called. A
  comprehension, a lambda or a function within a function is part of the one around it
- modules: the different modules that these are in
- returns: how often the path enters a module that it had left. A function that calls another one counts once, so
  loops make no path longer
- tools: layers that know of no learner and no submission (`TOOLS`), such as the syntax tree, the wire format or a
  timer. They are counted apart. What authors of units write is not counted at all
- lines: the different lines that are executed, tools aside. With bodies of 25 lines at most, no path can have fewer
  functions than a 25th of its lines
- following the answer: only the functions with an argument that is an `Answer`, a `Submission` or an `Attempt`
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from dis import get_instructions
from functools import cache
from itertools import groupby
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from unittest.mock import patch

from IPython.utils.capture import capture_output

from autograder.commands.grade import run_here
from autograder.commands.options import GradeOptions
from autograder.submission.model import Attempt, Submission
from course import dominoes
from course.check import NotRight, check
from course.kernel import catalogue
from course.learner.answer import Answer
from course.tables import try_tile
from tests.classroom import notebook_with, reference_answers
from tests.kernel import Kernel, working_in
from tests.sealed import read_sealed
from tests.units import known, read_unit

ROOT = Path(__file__).parent.parent
HALVES = tuple(f"{ROOT / half}{os.sep}" for half in ("course", "autograder"))
AUTHORS = (
    str(ROOT / "autograder" / "exams"),
    *(str(path.with_name("__init__.py")) for path in (ROOT / "course").glob("*/unit.toml")),
)
TOOLS = (
    *(f"course.{layer}" for layer in ("exam", "diagnoses", "form", "show", "arena", "kernel.files", "kernel.limits")),
    *(f"course.{leaf}" for leaf in ("effects", "functional", "graph", "svg", "syntax", "values")),
    *(f"autograder.{layer}" for layer in ("units", "exam", "sandbox", "text", "toml")),
)
RIGHT = reference_answers(read_unit("dominoes"))["flip"]
WRONG = RIGHT.replace("return", "return domino or")


@cache
def files() -> dict[str, Path]:
    """Return the modules of both halves by name; exams and mistakes of units are left out."""
    paths = [path for half in ("course", "autograder") for path in (ROOT / half).rglob("*.py")]
    ours = [path for path in paths if "exams" not in path.parts]
    return {name_of(path): path for path in sorted(ours)}


@cache
def trees() -> dict[str, ast.Module]:
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in files().items()}


def name_of(path: Path) -> str:
    """Return the name that a file is imported by."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


Called = tuple[str, str]


@dataclass(frozen=True)
class CallPath:
    """The calls on a path in order: module and function, once for each function that calls it.

    Functions that are `given` an answer are counted apart; `lines` are the executed ones, in files.
    """

    calls: tuple[Called, ...]
    given: frozenset[Called] = frozenset()
    lines: frozenset[tuple[str, int]] = frozenset()

    @property
    def without_tools(self) -> CallPath:
        return replace(self, calls=tuple(call for call in self.calls if not is_tool(call)))

    @property
    def following(self) -> CallPath:
        """Return the part of the path on which an answer is passed along."""
        return replace(self, calls=tuple(call for call in self.calls if call in self.given))

    @property
    def functions(self) -> int:
        return len(set(self.calls))

    @property
    def stays(self) -> tuple[str, ...]:
        """Return the modules on the path, in order."""
        return tuple(module for module, _ in groupby(module for module, _ in self.calls))

    @property
    def modules(self) -> int:
        return len(set(self.stays))

    @property
    def returns(self) -> int:
        return len(self.stays) - self.modules

    def __str__(self) -> str:
        return f"{self.functions} functions in {self.modules} modules, {self.returns} returns"


DOTTED_TOOLS = tuple(f"{tool}." for tool in TOOLS)
ANSWERS = Answer, Submission, Attempt


def is_tool(called: Called) -> bool:
    return f"{called[0]}.".startswith(DOTTED_TOOLS)


def call_path_of(walk: Callable[[], object]) -> CallPath:
    """Return the path of a walk."""
    calls: dict[tuple[str, Called], None] = {}
    given, lines = set[Called](), set[tuple[str, int]]()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and _is_counted(code) and frame.f_lasti < _first_yield(code):
            called = _name_of_code(code)
            calls[_caller_of(frame), called] = None
            if any(isinstance(value, ANSWERS) for value in frame.f_locals.values()):
                given.add(called)

    def trace(frame: FrameType, event: str, _: object) -> Callable[..., object] | None:
        code = frame.f_code
        if event == "line":
            lines.add((code.co_filename, frame.f_lineno))
        return trace if _is_ours(code) and not is_tool(_name_of_code(code)) else None

    before = sys.getprofile(), sys.gettrace()
    sys.setprofile(note)
    sys.settrace(trace)
    try:
        walk()
    finally:
        sys.setprofile(before[0])
        sys.settrace(before[1])
    return CallPath(tuple(called for _, called in calls), frozenset(given), frozenset(lines))


def _caller_of(frame: FrameType) -> str:
    caller = frame.f_back
    while caller and not _is_counted(caller.f_code):
        caller = caller.f_back
    return ".".join(_name_of_code(caller.f_code)) if caller else ""


def _is_counted(code: CodeType) -> bool:
    return _is_ours(code) and "<" not in code.co_qualname


@cache
def _is_ours(code: CodeType) -> bool:
    return code.co_filename.startswith(HALVES) and not code.co_filename.startswith(AUTHORS)


@cache
def _first_yield(code: CodeType) -> float:
    """Return where a generator first stops: it is called before that, and resumed after it."""
    return next((each.offset for each in get_instructions(code) if each.opname == "YIELD_VALUE"), inf)


@cache
def _name_of_code(code: CodeType) -> tuple[str, str]:
    return name_of(Path(code.co_filename)), code.co_qualname


# ---------------------------------------------------------------------------------------------------- the call paths


@contextmanager
def kernel(has_autograder: bool) -> Iterator[Kernel]:
    """Provide a notebook's kernel, with an autograder, or with a kit's sealed exam and no references."""
    with TemporaryDirectory() as folder, working_in(Path(folder)), ExitStack() as stack:
        if not has_autograder:
            for name, thing in {"examiner": None, "references": None, "sealed": read_sealed("dominoes")}.items():
                stack.enter_context(patch.object(catalogue, name, lambda *_, thing=thing: thing))
        yield Kernel()


def check_path(answer: str, has_autograder: bool) -> CallPath:
    """Return the path of the second check of `flip`, with a comment in the answer that the first one lacks."""
    with kernel(has_autograder) as running:
        for cell in (answer, 'check("flip")', f"{answer}\n# again"):
            running.run(cell)

        def check_again() -> None:
            with capture_output(display=False), suppress(NotRight):
                check("flip")

        return call_path_of(check_again)


def grade_path() -> CallPath:
    """Return the path of `foldem grade` for a folder with one notebook, after grading one of another student."""

    def grade(student: str, answers: dict[str, str]) -> CallPath:
        folder = Path(student)
        folder.mkdir()
        (folder / "1_dominoes.ipynb").write_text(json.dumps(notebook_with("dominoes", answers)), encoding="utf-8")
        options = GradeOptions(paths=[folder], out=Path("out"), sandbox="off", quiet=True)
        return call_path_of(lambda: run_here(options, known()))

    right = reference_answers(read_unit("dominoes"))
    with TemporaryDirectory() as folder, working_in(Path(folder)):
        grade("ada", right)
        return grade("ben", {name: f"{source}\n# again" for name, source in right.items()} | {"flip": WRONG})


def click_path() -> CallPath:
    """Return the path of a click at a table, after another one."""
    names = {name: thing for name, thing in vars(dominoes).items() if name in dominoes.__all__}
    module = read_unit("dominoes").pack.module("solutions", "dominoes")
    table = try_tile(dominoes.Chain(6, "6-1 1-5", 5), names=names | vars(module))

    def click() -> CallPath:
        item = next(item for item in table.view()["items"] if "do" in item)
        return call_path_of(lambda: table.receive(item["do"], table.revision))

    return [click() for _ in range(2)][-1]


CALL_PATHS: dict[str, Callable[[], CallPath]] = {
    "check of a right answer, with the kit": lambda: check_path(RIGHT, False),
    "check of a wrong answer, with the kit": lambda: check_path(WRONG, False),
    "check of a right answer, with everything": lambda: check_path(RIGHT, True),
    "check of a wrong answer, with everything": lambda: check_path(WRONG, True),
    "foldem grade": grade_path,
    "a click at a table": click_path,
}


def main() -> None:
    for name, walk in CALL_PATHS.items():
        path = walk()
        print(f"{name}: {path.without_tools}, {len(path.lines):,} lines")
        print(f"  following the answer: {path.following}; with tools: {path}")


if __name__ == "__main__":
    main()
