"""Measure the cost of grading, compared with nbgrader, otter and pytest on the same notebooks, as ratios in one run.

    .venv/bin/python benchmarks/grading.py [--submissions 8] [--class 200] [--otter PROGRAM] [--save FILE]

It prints CPU seconds per submission (children included). Times vary between machines, ratios less. The ratio 1 is the
cost of nbgrader for notebooks with empty check cells. The floor is the cost of the exam's calls on the references in
one bare process, with nothing observed or compared; our aims are in `docs/decisions/speed.md`. No two
notebooks have a common answer, except in the class. Our runs use the Landlock level, because a process
in bubblewrap's namespaces is not counted among our children. If otter has its own environment, name its program.
`--save` adds this run to a JSON list of runs. README shows the medians of those in `benchmarks/grading.json`.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from _class import TYPICAL, UNIT, drawn, solved, typical, with_checks, written
from _cpu import cpu_seconds
from _rivals import otter_seconds, pytest_seconds
from jupyter_client.manager import start_new_kernel

from autograder.submission.reading import CHECK, grade_id
from tests.classroom import solved_notebook
from tests.units import read_unit

BIN = Path(sys.executable).parent
GRADE = [str(BIN / "foldem"), "grade", "--sandbox", "landlock", "--quiet"]
STEM = read_unit(UNIT).stem
# Runs a command in this process, and tells what of the processor it used itself, and its peak memory.
TELLING = """
import resource, runpy, sys
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit:
    pass
used = resource.getrusage(resource.RUSAGE_SELF)
print("USED", used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, file=sys.stderr)
"""
STOCK = """
c = get_config()
c.GenerateAssignment.preprocessors = [
    "nbgrader.preprocessors." + name
    for name in ("LockCells", "ClearOutput", "CheckCellMetadata", "ComputeChecksums", "SaveCells", "CheckCellMetadata")
]
"""


@dataclass(frozen=True)
class Row:
    """A line of the table: CPU seconds per submission, and how many there may be at most."""

    key: str
    label: str
    seconds: float
    bound: float | None = None

    def line(self, bare: float, floor: float) -> str:
        """Return the line, compared with bare nbgrader and with the floor."""
        bound = f"   bound {self.bound:.2f} {'kept' if self.seconds <= self.bound else 'MISSED'}" if self.bound else ""
        return f"{self.label:46} {self.seconds:7.3f} {bare / self.seconds:7.1f} {self.seconds / floor:8.1f}{bound}"


class Bench:
    """The folder for the measurements, with a warm exam cache of its own."""

    def __init__(self, folder: Path, count: int, size: int) -> None:
        self.folder, self.count, self.size = folder, count, size
        path = {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "FOLDEM_CACHE": str(folder / "cache")}
        self.environment = os.environ | path
        self._graded(written(folder / "warm", solved(1)))

    def _graded(self, *words: str | Path) -> float:
        """Return the CPU seconds of `foldem grade` on notebooks, children included."""
        return cpu_seconds([*GRADE, *words], cwd=self.folder, env=self.environment, capture_output=True)

    def floor(self) -> float:
        """Return the CPU seconds of the exam's calls in a bare process."""
        command = [sys.executable, Path(__file__).with_name("_floor.py")]
        how: dict[str, Any] = {"check": True, "capture_output": True, "env": self.environment}
        return float(subprocess.run(command, **how).stdout)

    def per_submission(self, notebooks: Path) -> float:
        """Return the CPU seconds per submission."""
        return self._graded(notebooks, "--fresh") / len([*notebooks.iterdir()])

    def own_share(self, notebooks: Path) -> tuple[float, float]:
        """Return the milliseconds that one more submission costs the grading process, and its peak memory in MB.

        Fixed costs are removed by subtracting the costs of a single submission.
        """
        paths = sorted(notebooks.iterdir())
        (one, _), (all_of_them, peak) = (min(self._used(chosen) for _ in range(3)) for chosen in (paths[:1], paths))
        return 1000 * (all_of_them - one) / (len(paths) - 1), peak

    def both_sides(self, notebooks: Path) -> tuple[float, float]:
        """Return the CPU seconds of grading outside and inside of the sandbox."""
        own, _ = self._used(sorted(notebooks.iterdir()))
        return own, self._graded(notebooks, "--fresh") - own

    def _used(self, paths: Iterable[Path]) -> tuple[float, float]:
        command = [sys.executable, "-c", TELLING, *GRADE, "--fresh", *map(str, paths)]
        done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        seconds, peak = done.stderr.rsplit("USED", 1)[1].split()
        return float(seconds), float(peak)

    def autograded(self, name: str, *, ours: bool, check: str | None = None) -> float:
        """Return the CPU seconds per submission of nbgrader's `autograde`, with our preprocessor or without."""
        course = self._course(self.folder / name, ours, check)
        if ours:  # a course has an exam of its own, which is built once a term
            self._graded(next(course.glob("submitted/*/*/*.ipynb")), "--store", "sqlite://")
        how: dict[str, Any] = {"cwd": course, "env": self.environment, "capture_output": True}
        return cpu_seconds(["nbgrader", "autograde", UNIT], **how) / self.count

    def _course(self, folder: Path, ours: bool, check: str | None) -> Path:
        """Make a course folder with submissions; `check` replaces the check cells' source, if it is given."""
        how: dict[str, Any] = {"check": True, "capture_output": True, "env": self.environment}
        subprocess.run([BIN / "foldem", "course", folder, "--unit", UNIT], **how)
        if not ours:
            (folder / "nbgrader_config.py").write_text(STOCK)
        settings = folder / "foldem.toml"
        settings.write_text(settings.read_text().replace('sandbox = "auto"', 'sandbox = "landlock"'))
        with_checks(folder / "source" / UNIT / f"{STEM}.ipynb", check)
        subprocess.run(["nbgrader", "generate_assignment", UNIT], cwd=folder, **how)
        for path in written(folder / "taken", solved(self.count)).iterdir():
            target = folder / "submitted" / path.stem / UNIT / f"{STEM}.ipynb"
            target.parent.mkdir(parents=True)
            with_checks(path.rename(target), check)
        return folder

    def rows(self, otter: Path | None) -> Iterator[Row]:
        """Measure, and return the lines of the table; the first one is the bare cost."""
        right, mixed = written(self.folder / "right", solved(self.count)), typical(self.count)
        yield Row("nbgrader", "nbgrader, empty check cells: bare cost", self.autograded("bare", ours=False, check="1"))
        yield Row("kernel", "nbgrader, our check cells in a kernel", self.autograded("checked", ours=False))
        yield Row("preprocessor", "nbgrader with our preprocessor", self.autograded("ours", ours=True))
        if otter:
            try:
                yield Row("otter", "otter run, empty tests", otter_seconds(otter, self.folder / "otter"))
            except (OSError, subprocess.CalledProcessError) as error:
                print(f"otter cannot run ({otter}): {reason_of(error)}", flush=True)
        bare, full, calls = pytest_seconds(self.folder / "pytest")
        yield Row("pytest_empty", "pytest per submission, bare", bare)
        yield Row("pytest", f"pytest per submission, {calls:,} calls", full)
        yield Row("foldem", f"foldem grade, {number_of_calls():,} calls", self.per_submission(right), 0.30)
        wrong, drawn_class = written(self.folder / "mixed", mixed), drawn(self.size, TYPICAL)
        yield Row("mistaken", f"  where {TYPICAL:.0%} of the answers are mistaken", self.per_submission(wrong), 0.48)
        folder = written(self.folder / "class", drawn_class)
        yield Row("class", f"  a class of {self.size} like that", self.per_submission(folder), 0.25)


def reason_of(error: OSError | subprocess.CalledProcessError) -> str:
    """Return the last line of what a program printed, or why it could not be started."""
    output = getattr(error, "stderr", None) or getattr(error, "output", None) or str(error)
    text = output.decode(errors="replace") if isinstance(output, bytes) else output
    return next((line for line in reversed(text.splitlines()) if line.strip()), "no reason given")


def number_of_calls() -> int:
    """Return the number of calls in the exam."""
    from autograder.exam.store import exam_for

    return sum(len(facet.calls) for paper in exam_for(read_unit(UNIT)).by_name.values() for facet in paper.facets)


def save(rows: list[Row], path: Path) -> None:
    """Add a run to the JSON list of runs in a file."""
    runs = json.loads(path.read_text()) if path.exists() else []
    runs.append({"date": time.strftime("%Y-%m-%d"), "rows": [asdict(row) for row in rows]})
    path.write_text(json.dumps(runs, indent=1) + "\n")


def checks_in_a_kernel(folder: Path) -> list[float]:
    """Return the wall-clock seconds of each check cell of a solved notebook in a kernel."""
    folder.mkdir()
    manager, client = start_new_kernel(cwd=str(folder))
    seconds = []
    try:
        for cell in (cell for cell in solved_notebook(UNIT).cells if cell.cell_type == "code"):
            began = time.perf_counter()
            client.execute_interactive(cell.source, output_hook=lambda _: None, stdin_hook=lambda _: None)
            if grade_id(cell).endswith(CHECK):
                seconds.append(time.perf_counter() - began)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    return seconds


def main() -> None:
    """Measure, and print a line for each grader."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--submissions", type=int, default=8)
    arguments.add_argument("--class", type=int, default=200, dest="size")
    arguments.add_argument(
        "--otter", type=Path, default=shutil.which("otter", path=f"{BIN}{os.pathsep}{os.environ['PATH']}")
    )
    arguments.add_argument("--save", type=Path, help="JSON file to add this run to")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name), options.submissions, options.size)
        print(f"{UNIT}, {options.submissions} submissions, {time.strftime('%Y-%m-%d')}")
        print(f"{'':46} {'CPU s':>7} {'bare /':>7} {'/ floor':>8}")
        rows, floor = [], bench.floor()
        for row in bench.rows(options.otter):
            rows.append(row)
            print(row.line(rows[0].seconds, floor), flush=True)
        print(Row("floor", "the floor: the calls alone", floor).line(rows[0].seconds, floor))
        if options.save:
            save(rows, options.save)
        own, peak = bench.own_share(bench.folder / "right")
        print(f"own share outside the sandbox: {own:.0f} ms a submission (aim 15); peak memory {peak:.0f} MB")
        first, *others = checks_in_a_kernel(bench.folder / "kernel")
        print(f"`check` in a kernel: {first:.2f} s the first time (aim 0.6), then {median(others):.3f} s (aim 0.1)")
    if not options.otter:
        print("otter is not installed: no comparison (--otter names its program)")


if __name__ == "__main__":
    main()
