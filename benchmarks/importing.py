"""Measure `foldem import`: the questions that become exercises, the wrong variants that exams refuse, and the time.

    .venv/bin/python benchmarks/importing.py [FOLDER ...]

Each folder is a course with notebooks. Without folders, it is one notebook with ten questions of `tests/shapes`.
A wrong variant is a solution with one change. It gives another result on a call of the teacher's tests, or on an input
that one of five other seeds draws near them. Seconds are those of the command beside one run of the notebook.
The exit status is 1 if an aim is missed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic

sys.path.insert(0, str(Path(__file__).parent.parent))

import nbformat
from _aims import with_aim

from autograder.config import ConfigError
from autograder.exam.build import build_exam
from autograder.exam.store import exam_for
from autograder.importing.reading import read_homework
from autograder.importing.recording import run_once
from autograder.importing.summary import VARIANTS_TRIED, run_in_exam
from autograder.importing.writing import unit_name
from autograder.prove.mutate import mutants_of
from autograder.units.unit import Unit
from tests.test_importing import SHAPES
from tests.units import read_unit

FOLDEM = Path(sys.executable).with_name("foldem")
TEN_QUESTIONS = "01", "02", "03", "04", "07", "09", "10", "11"
OTHER_SEEDS = "12345"
MOST_ACCEPTED, MOST_SECONDS = 5.0, 10.0  # percent of wrong variants, and seconds for ten questions
SIGNS = {"✓": "imported", "!": "imported", "~": "partly", "·": "stays"}


def ten_questions(folder: Path) -> Path:
    """Write a course with one notebook, and return its folder."""
    parts = [nbformat.read(next(SHAPES.glob(f"{number}_*.ipynb")), as_version=4) for number in TEN_QUESTIONS]
    for part in parts[1:]:
        parts[0].cells += part.cells
    (folder / "ten").mkdir()
    nbformat.write(parts[0], folder / "ten" / "ten.ipynb")
    return folder / "ten"


def wrong_variants(unit: Unit) -> Iterator[bool]:
    """Yield for each wrong variant of a unit's functions whether the exam refuses it."""
    exam = exam_for(unit)
    others = [build_exam(unit, seed, exam) for seed in OTHER_SEEDS]
    for exercise in (each for each in unit.exercises if each.is_called):
        name, mutants = exercise.name, mutants_of(unit, exercise)
        facets = tuple(facet for other in others for facet in other.by_name[name].facets)
        wide = replace(exam, by_name=exam.by_name | {name: replace(others[0].by_name[name], facets=facets)})
        for mutant in mutants[:: -(-len(mutants) // VARIANTS_TRIED) or 1]:
            if not run_in_exam(wide, name, mutant.source).passed:
                yield not run_in_exam(exam, name, mutant.source).passed


def seconds_of_a_run(notebook: Path) -> float:
    """Return the seconds that one run of a notebook takes in the sandbox. Raises ConfigError if nothing is graded."""
    homework, begun = read_homework(notebook), monotonic()
    run_once(homework, "2")
    return monotonic() - begun


def measure(notebook: Path, pack: Path) -> Counter[str]:
    """Import a notebook, and return what was counted."""
    own, begun = seconds_of_a_run(notebook), monotonic()
    done = subprocess.run([FOLDEM, "import", notebook, "--into", pack], capture_output=True, text=True, check=False)
    counted = Counter[str]({"seconds": monotonic() - begun - own})
    rows = [line for line in done.stdout.splitlines() if line[:2].strip() in SIGNS]
    counted.update(SIGNS[row[0]] for row in rows)
    counted["tracebacks"] += "Traceback" in done.stderr
    if not rows:
        print(f"not imported: {done.stderr.strip()}")
    if pack.exists():
        refused = [*wrong_variants(read_unit(unit_name(notebook), pack))]
        counted.update({"wrong": len(refused), "refused": sum(refused)})
    return counted


def main() -> int:
    """Measure each course, print a row for each and the figures with their aims, and return the exit status."""
    options = argparse.ArgumentParser()
    options.add_argument("folders", nargs="*", type=Path)
    with tempfile.TemporaryDirectory() as name:
        os.environ["FOLDEM_CACHE"] = f"{name}/cache"  # since a second import finds the exams of the first one
        folders = options.parse_args().folders or [ten_questions(Path(name))]
        columns = "imported", "partly", "stays", "wrong", "refused", "tracebacks", "seconds"
        print(f"{'course':<40}" + "".join(f"{column:>11}" for column in columns))
        total, numbers = Counter[str](), iter(range(10_000))
        for folder in folders:
            counted = Counter[str]()
            for notebook in sorted(folder.rglob("*.ipynb")):
                try:
                    counted += measure(notebook, Path(name) / f"pack{next(numbers)}")
                except ConfigError as error:
                    print(f"left out: {error}")
            print(f"{folder.name:<40}" + "".join(f"{counted[column]:>11.0f}" for column in columns))
            total += counted
    accepted = 100 * (1 - total["refused"] / max(1, total["wrong"]))
    seconds = 10 * total["seconds"] / max(1, sum(total[kind] for kind in ("imported", "partly", "stays")))
    with_aim("wrong variants that exams accept", accepted, MOST_ACCEPTED, "%")
    with_aim("ten questions, beside their own run", seconds, MOST_SECONDS, "s")
    return int(accepted > MOST_ACCEPTED or seconds > MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
