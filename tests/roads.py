"""Count the functions that a check, a submission and a click call. `make house` prints the numbers.

Each path is walked twice in this process. The first walk loads and builds what later ones reuse, so only the second
walk counts, which has another answer. Work in other processes does not count, and neither do layers that know of no
learner and no submission (`TOOLS`), such as the syntax tree or the wire format, and what authors of units write.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from unittest.mock import patch

from IPython.utils.capture import capture_output

from autograder.commands.grade import grade_paths
from autograder.commands.options import GradeOptions
from course import dominoes
from course.check import NotRight, check
from course.kernel import catalogue
from course.tables import try_tile
from tests.classroom import notebook_with, reference_answers
from tests.kernel import Kernel, working_in
from tests.sealed import read_sealed
from tests.units import ROOT, known, read_unit

HALVES = tuple(f"{ROOT / half}{os.sep}" for half in ("course", "autograder"))
AUTHORS = (
    str(ROOT / "autograder" / "exams"),
    *(str(path.with_name("__init__.py")) for path in (ROOT / "course").glob("*/unit.toml")),
)
TOOLS = tuple(
    f"{tool}."
    for tool in (
        *(f"course.{layer}" for layer in ("exam", "diagnoses", "form", "show", "arena")),
        *(f"course.{leaf}" for leaf in ("effects", "functional", "kernel.limits", "svg", "syntax", "values")),
        *(f"autograder.{layer}" for layer in ("units", "exam", "sandbox", "text", "toml")),
    )
)
RIGHT = reference_answers(read_unit("dominoes"))["flip"]
WRONG = RIGHT.replace("return", "return domino or")
Functions = set[tuple[str, str]]  # each with its module


@cache
def files() -> dict[str, Path]:
    """Return the modules of both halves by name; exams and mistakes of units are left out."""
    paths = [path for half in ("course", "autograder") for path in (ROOT / half).rglob("*.py")]
    return {name_of(path): path for path in sorted(path for path in paths if "exams" not in path.parts)}


@cache
def trees() -> dict[str, ast.Module]:
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in files().items()}


def name_of(path: Path) -> str:
    """Return the name that a file is imported by."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def functions_called_by(walk: Callable[[], object]) -> Functions:
    """Return the different functions, methods and properties that a walk calls, each with its module.

    A comprehension, a lambda or a function within a function is part of the one around it.
    """
    called = Functions()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        is_ours = code.co_filename.startswith(HALVES) and not code.co_filename.startswith(AUTHORS)
        if event == "call" and is_ours and "<" not in code.co_qualname:
            called.add((name_of(Path(code.co_filename)), code.co_qualname))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        walk()
    finally:
        sys.setprofile(before)
    return {each for each in called if not f"{each[0]}.".startswith(TOOLS)}


# ---------------------------------------------------------------------------------------------------- the call paths


@contextmanager
def kernel(has_autograder: bool) -> Iterator[Kernel]:
    """Provide a notebook's kernel, with an autograder, or with a kit's sealed exam and no references."""
    with TemporaryDirectory() as folder, working_in(Path(folder)), ExitStack() as stack:
        if not has_autograder:
            exam = read_sealed("dominoes")
            for name, thing in {"examiner": None, "reference_provider": None, "sealed_exam_of": exam}.items():
                stack.enter_context(patch.object(catalogue, name, lambda *_, thing=thing: thing))
        yield Kernel()


def check_path(answer: str, has_autograder: bool) -> Functions:
    """Return the functions of the second check of `flip`, with a comment in the answer that the first one lacks."""
    with kernel(has_autograder) as running:
        for cell in (answer, 'check("flip")', f"{answer}\n# again"):
            running.run(cell)

        def check_again() -> None:
            with capture_output(display=False), suppress(NotRight):
                check("flip")

        return functions_called_by(check_again)


def grade_path() -> Functions:
    """Return the functions of `foldem grade` for a folder with one notebook, after grading one of another student."""

    def grade(student: str, answers: dict[str, str]) -> Functions:
        folder = Path(student)
        folder.mkdir()
        (folder / "1_dominoes.ipynb").write_text(json.dumps(notebook_with("dominoes", answers)), encoding="utf-8")
        options = GradeOptions(paths=[folder], out=Path("out"), sandbox="off", quiet=True)
        return functions_called_by(lambda: grade_paths(options, known()))

    right = reference_answers(read_unit("dominoes"))
    with TemporaryDirectory() as folder, working_in(Path(folder)):
        grade("ada", right)
        return grade("ben", {name: f"{source}\n# again" for name, source in right.items()} | {"flip": WRONG})


def click_path() -> Functions:
    """Return the functions of a click at a table, after another one."""
    names = {name: thing for name, thing in vars(dominoes).items() if name in dominoes.__all__}
    module = read_unit("dominoes").pack.import_role_module("solutions", "dominoes")
    table = try_tile(dominoes.Chain(6, "6-1 1-5", 5), names=names | vars(module))

    def click() -> Functions:
        item = next(item for item in table.view()["items"] if "do" in item)
        return functions_called_by(lambda: table.receive(item["do"], table.revision))

    return [click() for _ in range(2)][-1]


CALL_PATHS: dict[str, Callable[[], Functions]] = {
    "check of a right answer, with the kit": lambda: check_path(RIGHT, False),
    "check of a wrong answer, with the kit": lambda: check_path(WRONG, False),
    "check of a right answer, with everything": lambda: check_path(RIGHT, True),
    "check of a wrong answer, with everything": lambda: check_path(WRONG, True),
    "foldem grade": grade_path,
    "a click at a table": click_path,
}


def main() -> None:
    for name, walk in CALL_PATHS.items():
        print(f"{name}: {len(walk())} functions")


if __name__ == "__main__":
    main()
