"""Measure a teacher's loop: collect a class, grade one notebook whose exam is cached, and report on 2,000 hand-ins.

    .venv/bin/python benchmarks/teacher.py [--hand-ins 2000] [--collected 200] [--runs 3]

Prints CPU seconds with all child processes, as medians, beside their aims, and what a grade imports: each package or
room with its milliseconds, and why a grade needs it. The exit status is 1 if an aim is missed.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent))

import nbformat
from _aims import with_aim
from _class import UNIT, solved
from _cpu import cpu_seconds
from class_page import fill

from tests.downloads import moodle_folder, write_zip
from tests.units import read_unit

FOLDEM = Path(sys.executable).with_name("foldem")
GRADE = FOLDEM, "grade", "--sandbox", "landlock"  # bubblewrap hides the time of its children
AIMS = {"grade": 0.6, "report": 10.0, "collect": 1.0}
LEAST_SHOWN = 2.0  # milliseconds
WHY = {
    "annotated_types": "pydantic needs it",
    "autograder": "our own rooms: each takes part in grading, or in storing and showing results",
    "concurrent": "workers return their results as futures",
    "course": "the observer, the rules of form and the diagnoses, which learners' kits use, too",
    "ctypes": "the sandbox calls the kernel's confinement through it",
    "doctest": "reads the visible examples of exercises",
    "email": "importlib.metadata parses the metadata of packages with it",
    "filelock": "locks a submission while it is graded",
    "html": "results as HTML, and nbgrader's texts",
    "importlib": "finds installed packs and versions",
    "multiprocessing": "the channel to other grading processes",
    "msgspec": "decodes what comes from other processes and from disk",
    "pydantic": "typer checks the options with it",
    "pydantic_core": "pydantic needs it",
    "rich": "the table of marks and the progress bar",
    "sqlalchemy": "the store of results",
    "sqlite3": "SQLAlchemy needs it",
    "toolz": "small functions, in the course, too",
    "typer": "reads the command line",
    "typing_extensions": "pydantic and msgspec need it",
    "typing_inspection": "pydantic needs it",
    "unittest": "doctest needs it",
}


def imports_of(command: list[str | Path]) -> Counter[str]:
    """Return the milliseconds that a command takes to import each package; our own are split into rooms."""
    options = {"env": os.environ | {"PYTHONPROFILEIMPORTTIME": "1"}, "stdout": subprocess.DEVNULL}
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=True, **options)
    took = Counter[str]()
    for microseconds, module in re.findall(r"^import time: +(\d+) \| +\d+ \| +(\S+)$", done.stderr, re.MULTILINE):
        top, *rest = module.split(".")
        took[".".join([top, *rest[:1]]) if top in ("autograder", "course") else top] += int(microseconds) / 1000
    return took


def grade(folder: Path) -> Callable[[], float]:
    """Return a measurement of grading one solved notebook that was not graded before."""
    notebooks = iter(solved(1000))

    def measure() -> float:
        path = folder / "one.ipynb"
        nbformat.write(next(notebooks), path)
        return cpu_seconds([*GRADE, path], stdout=subprocess.DEVNULL)

    measure()  # builds the exam, and compiles modules
    return measure


def report(folder: Path, hand_ins: int) -> Callable[[], float]:
    """Return a measurement of the report on a class."""
    folder.mkdir()
    fill(folder, "warmup", hand_ins)
    return lambda: cpu_seconds([FOLDEM, "report", folder], stdout=subprocess.DEVNULL)


def collect(folder: Path, hand_ins: int) -> Callable[[], float]:
    """Return a measurement of collecting a download from Moodle in a new course."""
    file, students = f"{read_unit(UNIT).stem}.ipynb", [f"Student {number:03}" for number in range(hand_ins)]
    texts = map(nbformat.writes, solved(hand_ins))
    files = {f"{moodle_folder(name, number)}/{file}": next(texts) for number, name in enumerate(students)}
    folder.mkdir(parents=True)
    download, numbers = write_zip(folder / "CS101-Week 3-1.zip", files), iter(range(1000))

    def measure() -> float:
        course = folder / f"cs{next(numbers)}"
        (course / "source" / UNIT).mkdir(parents=True)
        (course / "source" / UNIT / file).write_bytes((read_unit(UNIT).pack.folder("notebooks") / file).read_bytes())
        (course / "foldem.toml").write_text("")
        (course / "roster.csv").write_text(
            "\n".join(["id,name", *(f"s{name[-3:]},{name}" for name in students)]) + "\n"
        )
        return cpu_seconds([FOLDEM, "collect", download, course], stdout=subprocess.DEVNULL)

    return measure


def main() -> int:
    """Measure all three, print the figures and the imports, and return the exit status."""
    options = argparse.ArgumentParser()
    options.add_argument("--hand-ins", type=int, default=2000)
    options.add_argument("--collected", type=int, default=200)
    options.add_argument("--runs", type=int, default=3)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["FOLDEM_CACHE"] = str(folder / "cache")
        steps = {
            "collect": (f"collect {chosen.collected} hand-ins", collect(folder / "collect", chosen.collected)),
            "grade": ("grade one notebook", grade(folder)),
            "report": (f"report on {chosen.hand_ins} hand-ins", report(folder / "report", chosen.hand_ins)),
        }
        took = {step: median(measure() for _ in range(chosen.runs)) for step, (_, measure) in steps.items()}
        imported = imports_of([*GRADE, folder / "one.ipynb", "--fresh"])
    for step, (label, _) in steps.items():
        with_aim(label, 1000 * took[step], 1000 * AIMS[step], "ms")
    print(f"\nA grade imports for {sum(imported.values()):.0f} ms:")
    for package, milliseconds in imported.most_common():
        if milliseconds >= LEAST_SHOWN:
            print(f"{milliseconds:6.1f} ms  {package}: {WHY.get(package.partition('.')[0], 'part of Python')}")
    return int(any(took[step] > aim for step, aim in AIMS.items()))


if __name__ == "__main__":
    sys.exit(main())
