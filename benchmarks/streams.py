"""Measure classes of any size: memory does not grow with the class, and as many processors are busy as `--jobs` says.

Run `python benchmarks/streams.py [submissions] [jobs]`: it grades small parts of the warm-up, no two alike. It prints
memory, CPU seconds and the number of busy processors, for a first and a second run. The exit status is 1 if a run takes
more memory than promised.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.classroom import notebook_with, reference_answers
from tests.units import read_unit

FOLDEM = Path(sys.executable).with_name("foldem")
UNIT, PROMISE = "warmup", 300
STYLES = 8


def hand_in(folder: Path, number: int) -> None:
    """Write a submission with the first few exercises, and a cell that no other has."""
    answers = dict(list(reference_answers(read_unit(UNIT)).items())[: 1 + number % STYLES])
    notebook = notebook_with(UNIT, answers)
    path = folder / f"s{number:05}" / UNIT / "0_warmup.ipynb"
    path.parent.mkdir(parents=True)
    text = json.dumps({**notebook, "cells": [*notebook.cells, _cell(f"mine = {number}")]})
    path.write_text(text, encoding="utf-8")


def _cell(source: str) -> dict[str, object]:
    return {"cell_type": "code", "id": "mine", "source": source, "metadata": {}, "outputs": [], "execution_count": None}


def run(*words: str | Path, cache: Path) -> float:
    """Grade, print the costs, and return the megabytes of the largest process."""
    began, settings = monotonic(), os.environ | {"FOLDEM_CACHE": str(cache)}
    process = subprocess.Popen([FOLDEM, "grade", *map(str, words), "--quiet"], env=settings)
    _, status, used = os.wait4(process.pid, 0)
    seconds, cpu, size = monotonic() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(
        f"{size:.0f} MB, {cpu:.1f} CPU s in {seconds:.1f} s: {cpu / seconds:.2f} processors busy, status {status}",
        flush=True,
    )
    return size


def main(number: int, jobs: int) -> int:
    with tempfile.TemporaryDirectory() as name:
        submitted, out, cache = Path(name, "submitted"), Path(name, "out"), Path(name, "cache")
        for each in range(number):
            hand_in(submitted, each)
        run(submitted / "s00000", "--store", "sqlite://", cache=cache)  # the exam is built but once a term
        print(f"{number} submissions, --jobs {jobs}, and again")
        sizes = [run(submitted, "--out", out, "--jobs", str(jobs), cache=cache) for _ in range(2)]
    return int(max(sizes) >= PROMISE)


if __name__ == "__main__":
    words = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*(words + [8000, 2][len(words) :])))
