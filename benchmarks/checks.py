"""Check a corpus of right, wrong, mixed and broken notebooks, and print a digest of what `check` found.

Run `python benchmarks/checks.py` before and after a change: the digests must be equal. With `--kit`, only the sealed
exam is available, as in a student kit. `--to FILE` writes the results for `diff`, with a line for each check. The CPU
time of a check is printed, too, including the processes that it starts. A check of an answer that never ends takes as
long as a call may take.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from statistics import fmean, median
from time import process_time
from typing import Any

from _aims import with_aim

sys.path.insert(0, str(Path(__file__).parent.parent))

from autograder.config import PUBLISHED_SEED
from autograder.exam.sealing import sealed_practice
from autograder.prove.answers import reference_answers
from autograder.units.build import student_stub
from autograder.units.unit import Unit
from course.kernel import catalogue, notebook
from course.show.results import Result
from tests.kernel import Kernel, working_in
from tests.units import mistakes_of, read_unit, unit_names

TIMES, SLOWEST = 3, 12  # new kernels, and the checks that are listed
# Check in a new kernel, with the answer in the first argument, and the kit's folder in the second, if there is one.
FIRST = """
import sys
from os import times
from pathlib import Path
from time import process_time
from IPython.core.interactiveshell import InteractiveShell
shell, (answer, *kit) = InteractiveShell.instance(), sys.argv[1:]
shell.run_cell("from course.warmup import *; from course.check import *")
if kit:
    from course.kernel import catalogue
    home = catalogue.file_of
    catalogue.file_of = lambda unit, name: Path(kit[0], f"{unit}.json") if "sealed" in name else home(unit, name)
    catalogue.examiner = lambda: None
shell.run_cell(answer, store_history=True)
before = process_time()
shell.run_cell('check("swap_ends")')
print(process_time() - before + sum(times()[2:4]))
"""
Notebook = tuple[str, dict[str, str], tuple[str, ...]]  # its kind, the cells by exercise, what is checked
BROKEN = (
    "def {name}(*args)\n    return args",
    "def another_name(*args):\n    return args",
    "raise KeyError('on the way')\ndef {name}(*args):\n    return args",
    "def {name}(*args):\n    raise ValueError(args)",
    "def {name}(*args):\n    while True: pass",
    "{name} = None",
    "def {name}(*args):\n    return [*args, *{name}(*args)]",
    "async def {name}(*args):\n    return args",
    "for {name} in range(3): pass",
)


def notebooks_of(unit: Unit, one_in: int) -> Iterator[Notebook]:
    """Yield the notebooks of a unit's corpus."""
    right, wrong = reference_answers(unit), mistakes_of(unit.name)
    yield "right", right, tuple(right)
    for each in wrong[::one_in]:
        yield f"wrong: {each.name}", right | {each.exercise: each.source}, (each.exercise,)
    mixed = dict(right)
    for number, name in enumerate(right):
        own = [each.source for each in wrong if each.exercise == name]
        mixed[name] = (
            own[0] if own and number % 3 == 1 else student_stub(unit[name]) if number % 5 == 4 else right[name]
        )
    yield "mixed", mixed, tuple(mixed)
    names = [*right][:: max(1, len(right) // len(BROKEN))]
    broken = {name: text.format(name=name) for name, text in zip(names, BROKEN, strict=False)}
    yield "broken", right | broken, tuple(right)


def checked(unit: Unit, cells: dict[str, str], names: tuple[str, ...]) -> Iterator[tuple[Result | str, float]]:
    """Yield what each check shows, and its CPU time."""
    shown: list[Any] = []
    notebook.show = lambda thing, **_: shown.append(thing)  # what is right is returned, all else is shown
    with tempfile.TemporaryDirectory() as folder, working_in(Path(folder)):
        kernel = Kernel()
        kernel.run(f"from {unit.pack.course}.{unit.name} import *")
        for source in cells.values():
            kernel.run(source)
        kernel.shell.user_ns["_shown"] = shown
        for name in names:
            shown.clear()
            before = cpu()
            with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
                kernel.run(f"_shown.append(check({name!r}))")
            yield next((each for each in shown if isinstance(each, Result)), "nothing"), cpu() - before


def cpu() -> float:
    """Return the CPU time of this process and of its ended children."""
    return process_time() + sum(os.times()[2:4])


def first_seconds(kit: Path | None) -> float:
    """Return the CPU time of the first check in a new kernel."""
    words = [read_unit("warmup")["swap_ends"].source, *([str(kit)] if kit else [])]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", FIRST, *words],
            cwd=folder, env={**os.environ, "PYTHONPATH": sys.path[0]}, stdout=subprocess.PIPE, text=True, check=True,
        )  # fmt: skip
    return float(done.stdout.split()[-1])


def comparable(result: Result | str) -> tuple[Any, ...]:
    """Return the parts of a result that must not change: state, points, and the failing call of each facet."""
    if isinstance(result, str):
        return (result,)
    facets = (
        (part.state, part.about, part.failure and (part.failure.call, part.failure.did, part.failure.error))
        for part in result.parts
    )
    return (result.state, result.points, result.form_points, *facets)


def with_kit(folder: Path) -> None:
    """Leave only the sealed exams, as in a student kit."""
    for unit in unit_names():
        (folder / f"{unit}.json").write_text(sealed_practice(read_unit(unit), PUBLISHED_SEED), encoding="utf-8")
    home = catalogue.file_of
    catalogue.file_of = lambda unit, name: folder / f"{unit}.json" if "sealed" in name else home(unit, name)
    catalogue.examiner = lambda: None  # type: ignore[assignment]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kit", action="store_true")
    parser.add_argument("--to", type=Path)
    parser.add_argument("--one-in", type=int, default=3, help="of the wrong answers every how-many-th")
    parser.add_argument("units", nargs="*")
    options = parser.parse_args()
    lines, times = [], dict[str, float]()
    with tempfile.TemporaryDirectory() as folder:
        if options.kit:
            with_kit(Path(folder))
        firsts = [first_seconds(Path(folder) if options.kit else None) for _ in range(TIMES)]
        for unit in map(read_unit, options.units or unit_names()):
            for kind, cells, names in notebooks_of(unit, options.one_in):
                for name, (result, seconds) in zip(names, checked(unit, cells, names), strict=True):
                    lines.append(f"{unit.name} {kind} {name} {comparable(result)}")
                    times[f"{unit.name} {kind} {name}"] = seconds
    text = "\n".join(lines)
    if options.to:
        options.to.write_text(text + "\n", encoding="utf-8")
    print(f"{len(lines)} checks, digest {hashlib.sha256(text.encode()).hexdigest()[:16]}")
    print_times(times, median(firsts))


def print_times(times: dict[str, float], first: float) -> None:
    """Print the CPU times of checks, with their aims."""
    right = {name: seconds for name, seconds in times.items() if " right " in name}
    with_aim("a right answer, median", 1000 * median(right.values()), 30, "ms")
    with_aim("the first check in a kernel", 1000 * first, 150, "ms")
    with_aim("the slowest right answer", 1000 * max(right.values()), 1000, "ms")
    print(f"all checks, mean {1000 * fmean(times.values()):.1f} ms; the slowest:")
    for name in sorted(times, key=lambda name: -times[name])[:SLOWEST]:
        print(f"  {1000 * times[name]:7.0f} ms  {name}")


if __name__ == "__main__":
    main()
