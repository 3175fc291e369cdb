"""The cost of a second run of `foldem grade` on an unchanged class: under 10 % of the first.

Run `python benchmarks/term.py [students]`: CPU time of the whole command, its sandboxes included; the status is 1 if
the promise is broken. Also prints the cost of grading one student who has handed in again.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).parent.parent))

from _cpu import cpu_seconds

from autograder.commands.demo import imperfect_notebook
from tests.classroom import notebook_with
from tests.units import read_unit

FOLDEM, UNIT = Path(sys.executable).with_name("foldem"), "dominoes"
PROMISE = 0.1


def hand_in(folder: Path, number: int, cell: str = "") -> Path:
    """Write a student's notebook: every fourth exercise has a mistake, some are missing, no two are alike."""
    path = folder / f"s{number:03}" / UNIT / "1_dominoes.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    notebook = imperfect_notebook(read_unit(UNIT), number)
    notebook.cells.append(nbformat.v4.new_code_cell(f"mine = {number}{cell}"))
    nbformat.write(notebook, path)
    return path


def seconds_of(*words: str | Path, cache: Path) -> float:
    """Return the CPU seconds that `foldem grade` takes."""
    return cpu_seconds([FOLDEM, "grade", *words, "--quiet"], env=os.environ | {"FOLDEM_CACHE": str(cache)})


def main(students: int) -> int:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "cs101").mkdir()
        (root / "cs101" / "foldem.toml").write_text('seed = "0"\n')
        submitted, out, cache = root / "cs101" / "submitted", root / "out", root / "cache"
        for number in range(students):
            hand_in(submitted, number)
        nbformat.write(notebook_with(UNIT, {}), root / "warm.ipynb")
        seconds_of(root / "warm.ipynb", "--store", "sqlite://", cache=cache)  # the exam is built but once a term
        first = seconds_of(submitted, "--out", out, cache=cache)
        pages = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
        second = seconds_of(submitted, "--out", out, cache=cache)
        assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == pages
        one = seconds_of(hand_in(submitted, 7, " + 1").parent, "--out", out, cache=cache)
    print(
        f"{students} submissions: {first:.1f} CPU s, again {second:.1f} ({second / first:.1%}, promised: {PROMISE:.0%})"
    )
    print(f"one of them handed in again: {one:.1f} CPU s")
    return int(second >= PROMISE * first)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 120))
