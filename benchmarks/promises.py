"""Speeds and sizes that tests can't check, since no test looks at a clock. The exit status is 1 if one is missed.

Run `python benchmarks/promises.py`: it measures CPU time, the best of five, and the installed packages.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import distribution
from pathlib import Path
from time import process_time

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

sys.path.insert(0, str(Path(__file__).parent.parent))

from autograder.submission.reading import Cell, Notebook
from autograder.units.unit import requirements_of
from course.form import review
from solutions.sedma import PIQUET_DECK, replay
from tests.units import read_unit, submission_of, unit_names

RECORDS = [tuple(random.Random(seed).sample(PIQUET_DECK, 32)) for seed in range(1000)]
ANSWERS = [
    (requirements_of(unit, exercise), exercise.source)
    for unit in map(read_unit, unit_names())
    for exercise in unit.exercises
]
CHAIN = Cell("code", "\n".join(f"a{n} = a{n + 1}" for n in range(4_000)), {})
ENTANGLED = Notebook((CHAIN,) * 3, {"foldem": {"unit": "dominoes"}})


def replay_all() -> None:
    for record in RECORDS:
        replay(record)


def review_all() -> None:
    for exercise, source in ANSWERS:
        review(exercise, source)


# What is done, how often in one go, and the most seconds that each may take.
PROMISES: dict[str, tuple[Callable[[], object], int, float]] = {
    "a record of Sedma is replayed": (replay_all, len(RECORDS), 1 / 20_000),
    "an answer's form is reviewed": (review_all, len(ANSWERS), 0.005),
    "a notebook of 12,000 entangled definitions is read": (lambda: submission_of(ENTANGLED), 1, 5.0),
}


# The most packages that an installation brings, itself included.
SIZES = {"foldem-course": 25, "foldem": 55}
COMMAND = [str(Path(sys.executable).with_name("foldem")), "--help"]
MOST_FOR_HELP = 0.25


def packages(name: str) -> set[str]:
    """Return the packages that an installation without extras consists of, from the metadata in this environment."""
    known, queue = set[str](), [name]
    while queue:
        if (each := canonicalize_name(queue.pop())) not in known:
            known.add(each)
            queue += needed_by(each)
    return known


def needed_by(name: str) -> Iterator[str]:
    """Yield the names of the packages that a package needs on this machine."""
    for line in distribution(name).requires or ():
        requirement = Requirement(line)
        if not requirement.marker or requirement.marker.evaluate({"extra": ""}):
            yield requirement.name


def help_seconds() -> float:
    """Return the least CPU seconds that `foldem --help` takes."""

    def once() -> float:
        before = os.times()
        subprocess.run(COMMAND, stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    return min(once() for _ in range(5))


def seconds(act: Callable[[], object]) -> float:
    """Return the least CPU seconds that something takes."""

    def once() -> float:
        start = process_time()
        act()
        return process_time() - start

    return min(once() for _ in range(5))


def main() -> int:
    taken = {name: seconds(act) / times for name, (act, times, _) in PROMISES.items()}
    for name, each in taken.items():
        print(f"{name} in {1000 * each:.3f} ms (promised: {1000 * PROMISES[name][2]:g})")
    sizes = {name: len(packages(name)) for name in SIZES}
    for name, size in sizes.items():
        print(f"{name} installs {size} packages (promised: at most {SIZES[name]})")
    for_help = help_seconds()
    print(f"foldem --help takes {for_help:.3f} s of CPU (promised: {MOST_FOR_HELP})")
    is_slow = for_help > MOST_FOR_HELP or any(each > PROMISES[name][2] for name, each in taken.items())
    return int(is_slow or any(size > SIZES[name] for name, size in sizes.items()))


if __name__ == "__main__":
    sys.exit(main())
