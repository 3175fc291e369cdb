"""Measure the class page: `foldem report` for 2,000 hand-ins from a store, in CPU seconds and peak memory.

    .venv/bin/python benchmarks/class_page.py [--hand-ins 2000] [--unit warmup]

A few submissions, right and wrong, are graded. Each hand-in takes each exercise, with its report and its code, from one
of these, and renames what it shares with many. So no two hand-ins are the same. The exit status is 1 if the page takes
a minute or more, or 500 MB or more.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import msgspec
from _cpu import cpu_seconds
from msgspec.structs import replace

from autograder.config import Policy
from autograder.grading.run import grade
from autograder.report.model import Graded
from autograder.submission.code import Code, code_text, submission_code
from autograder.term.files import SUBMITTED_FOLDER
from autograder.term.results import marks_json
from autograder.term.store import Store, StoredResult
from tests.classroom import notebook_with, reference_answers, right_answers
from tests.units import mistakes_of, read_unit, submission_of

GradedCodes = list[tuple[Graded, Code]]
SECONDS, MEGABYTES, KINDS = 60, 500, 12


def graded(unit: str) -> GradedCodes:
    """Return the reports on a few submissions, and their code."""
    return [(grade(each, Policy(sandbox="off")), submission_code(each)) for each in map(submission_of, notebooks(unit))]


def notebooks(unit: str) -> Iterator[object]:
    """Yield right notebooks in several styles, and some that make other mistakes in many exercises."""
    for right in right_answers(unit):
        yield notebook_with(unit, right.answers, right.helpers)
    mistakes = mistakes_of(unit)
    for kind in range(KINDS):
        chosen = random.Random(kind).sample(mistakes, len(mistakes))
        wrong = {each.exercise: each.source for each in chosen[: len(chosen) // 2]}
        yield notebook_with(unit, reference_answers(read_unit(unit)) | wrong)


def hand_in(answers: GradedCodes, number: int) -> tuple[Graded, Code]:
    """Return a hand-in whose answers are those of several others."""
    chance = random.Random(number)
    report, _ = answers[0]
    picked = {name: chance.choice(answers) for name in report.assigned_exercises}
    exercises = tuple(report[name] for name, (report, _) in picked.items())
    sources = {name: code.sources[name] for name, (_, code) in picked.items() if name in code.sources}
    prints = {
        name: [each ^ chance.choice((0, number)) for each in code.prints[name]]
        for name, (_, code) in picked.items()
        if name in code.prints
    }
    return replace(report, exercises=exercises), Code(sources, prints)


def fill(folder: Path, unit: str, count: int) -> None:
    """Write a course with so many hand-ins, as `foldem grade` leaves it."""
    answers, store = graded(unit), Store(folder / "foldem.db")
    (folder / "foldem.toml").write_text('seed = "0"\n')
    for number in range(count):
        report, code = hand_in(answers, number)
        student = f"s{number:05}"
        where = f"{SUBMITTED_FOLDER}/{student}/{unit}/{read_unit(unit).stem}.ipynb"
        location = folder.name, where, f"{student}/{unit}", student, unit
        result = student, "", report.is_graded, msgspec.json.encode(report).decode(), marks_json(report)
        store.save_result(StoredResult(*location, unit, *result), codes={student: code_text(code)})


def cost(folder: Path) -> Mapping[str, float]:
    """Make the page, and return its CPU time and memory."""
    began = time.monotonic()
    cpu = cpu_seconds([Path(sys.executable).parent / "foldem", "report", folder])
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return {"wall": time.monotonic() - began, "cpu": cpu, "memory": most}


def main() -> int:
    """Make a class and its page, print the costs, and return the exit status."""
    options = argparse.ArgumentParser()
    options.add_argument("--hand-ins", type=int, default=2000)
    options.add_argument("--unit", default="warmup")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder), chosen.unit, chosen.hand_ins)
        took = cost(Path(folder))
    print(f"{chosen.hand_ins} hand-ins to {chosen.unit}: {took['cpu']:.1f} CPU s, {took['wall']:.1f} s by the clock,")
    print(f"{took['memory']:.0f} MB at most (promised: {SECONDS} s, {MEGABYTES} MB)")
    return int(took["cpu"] >= SECONDS or took["memory"] >= MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())
