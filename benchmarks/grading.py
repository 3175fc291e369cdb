"""What grading costs: 20 submissions of the dominoes notebook, graded by us and by nbgrader, in one run.

    .venv/bin/python benchmarks/grading.py [--submissions 20]

Prints CPU seconds per submission (children included) and the ratios: machines are noisy, ratios are less so.
Our runs use the Landlock level, because a process in bubblewrap's namespaces is not counted among our children.
Trial cells are left out of all submissions: under stock nbgrader, one that never ends would stop the run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from _cpu import cpu_seconds  # noqa: E402

from autograder.submission.notebook import grade_id  # noqa: E402
from autograder.units.mistakes import mistakes_of  # noqa: E402
from autograder.units.unit import read_unit  # noqa: E402
from tests.classroom import notebook_with, references, right_answers  # noqa: E402

UNIT = "dominoes"
BIN = Path(sys.executable).parent
PEAK = """
import resource, runpy, sys
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit:
    pass
print("PEAK", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""
STOCK = """
c = get_config()
c.GenerateAssignment.preprocessors = [
    "nbgrader.preprocessors." + name
    for name in ("LockCells", "ClearOutput", "CheckCellMetadata", "ComputeChecksums", "SaveCells", "CheckCellMetadata")
]
"""
ENVIRONMENT = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}


def submissions(count: int) -> list[Any]:
    """Give notebooks of a plausible class: right ones in several styles, and ones with a few mistakes each."""
    made: list[Any] = [notebook_with(UNIT, right.answers, right.helpers) for right in right_answers(UNIT)]
    for index in range(count - len(made)):
        made.append(notebook_with(UNIT, references(read_unit(UNIT)) | mistakes(index)))
    for notebook in made:
        notebook.cells = [cell for cell in notebook.cells if cell.cell_type != "code" or is_kept(cell)]
    return made[:count]


def mistakes(index: int) -> dict[str, str]:
    """Give a mistake in every fifth exercise, another one for each index."""
    chosen = [exercise.name for exercise in read_unit(UNIT).exercises if (exercise.number + index) % 5 == 0]
    found = {name: [wrong.source for wrong in mistakes_of(UNIT) if wrong.exercise == name] for name in chosen}
    return {name: sources[index % len(sources)] for name, sources in found.items()}


def is_kept(cell: Any) -> bool:
    """Tell whether a cell is an answer, a check, a helper or the import."""
    return bool(grade_id(cell)) or cell.id in ("helpers", "start-2")


def cpu_of(command: list[str], folder: Path, env: dict[str, str] | None = None) -> float:
    """Run a command and give the CPU seconds that it and its children used."""
    return cpu_seconds(command, cwd=folder, env=env or ENVIRONMENT, capture_output=True)


def peak_memory_mb(command: list[str], folder: Path) -> float:
    """Give the peak memory of one process, its children not counted, in MB."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK, *command], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True
    )
    return int(done.stderr.rsplit("PEAK", 1)[1]) / 1024


def course(folder: Path, notebooks: list[Any], sandboxed: bool, change: Callable[[str], str]) -> Path:
    """Make a course folder with submissions; `change` alters the check cells' source."""
    subprocess.run([BIN / "foldem", "course", folder, "--unit", UNIT], check=True, capture_output=True, env=ENVIRONMENT)
    if not sandboxed:
        (folder / "nbgrader_config.py").write_text(STOCK)
    settings = folder / "foldem.toml"
    settings.write_text(settings.read_text().replace('sandbox = "auto"', 'sandbox = "landlock"'))
    stem = read_unit(UNIT).stem
    source = folder / "source" / UNIT / f"{stem}.ipynb"
    rewrite(source, source, change)
    subprocess.run(
        ["nbgrader", "generate_assignment", UNIT], cwd=folder, env=ENVIRONMENT, check=True, capture_output=True
    )
    for index, notebook in enumerate(notebooks):
        target = folder / "submitted" / f"student{index:02}" / UNIT / f"{stem}.ipynb"
        target.parent.mkdir(parents=True)
        nbformat.write(notebook, target)
        rewrite(target, target, change)
    return folder


def rewrite(source: Path, target: Path, change: Callable[[str], str]) -> None:
    """Write a notebook with its check cells' source changed."""
    notebook = json.loads(source.read_text())
    for cell in notebook["cells"]:
        if cell.get("metadata", {}).get("nbgrader", {}).get("grade"):
            cell["source"] = change("".join(cell["source"]))
    target.write_text(json.dumps(notebook))


def main() -> None:
    """Measure, and print a line for each way."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--submissions", type=int, default=20)
    count = arguments.parse_args().submissions
    with tempfile.TemporaryDirectory() as name:
        folder, notebooks = Path(name), submissions(count)
        plain = folder / "plain"
        plain.mkdir()
        for index, notebook in enumerate(notebooks):
            nbformat.write(notebook, plain / f"student{index:02}.ipynb")
        cold_cache = ENVIRONMENT | {"FOLDEM_CACHE": str(folder / "cache")}
        grade = [str(BIN / "foldem"), "grade", str(plain), "--sandbox", "landlock", "--out", str(folder / "reports")]
        cold = cpu_of(allowing_one(grade), folder, cold_cache)
        ours = cpu_of(allowing_one(grade), folder, cold_cache)
        calls = json.loads((folder / "reports" / "report.json").read_text())[0]["calls"]
        peak = peak_memory_mb([str(BIN / "foldem"), "grade", str(plain)], folder)
        autograde = ["nbgrader", "autograde", UNIT]
        inside = cpu_of(autograde, course(folder / "ours", notebooks, True, str))
        checked = cpu_of(autograde, course(folder / "stock", notebooks, False, str))
        bare = cpu_of(autograde, course(folder / "bare", notebooks, False, lambda _: "1"))
    print(f"{count} submissions of {UNIT}, {calls:,} calls checked in each, {time.strftime('%Y-%m-%d')}")
    rows = [
        ("foldem grade, exam cache warm", ours),
        ("foldem grade, exam cache cold", cold),
        ("nbgrader with our preprocessor", inside),
        ("stock nbgrader, our check cells", checked),
        ("stock nbgrader, empty check cells", bare),
    ]
    for label, seconds in rows:
        print(f"{label:36} {seconds / count:7.3f} CPU s a submission   bare cost / this = {bare / seconds:5.1f}")
    print(f"stock nbgrader with our check cells costs {checked / ours:.1f} times `foldem grade`")
    print(f"peak memory of one grading process: {peak:.0f} MB")


def allowing_one(command: list[str]) -> list[str]:
    """Let a command's exit status 1 (some could not be graded) pass."""
    return ["sh", "-c", '"$@"; [ $? -lt 2 ]', "sh", *command]


if __name__ == "__main__":
    main()
