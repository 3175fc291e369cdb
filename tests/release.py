"""`make release`: build the distributions twice, check them, and try each in a clean environment on each Python.

The files are left in `dist/`. Nothing is uploaded: `.github/workflows/release.yml` does that.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.units import ROOT, read_unit

DIST = ROOT / "dist"
PROJECTS = (ROOT, ROOT / "packages" / "course")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
FIRST = read_unit("warmup").exercises[0]
LEARNER = f"""
from course.warmup import *
from course.check import *
{FIRST.source}
result = check("{FIRST.name}")
print(result)
assert "right in all" in str(result)
"""


def main() -> None:
    """Build, compare, check, and try. Stop at the first fault."""
    with tempfile.TemporaryDirectory() as folder:
        tools = environment(Path(folder) / "tools", sys.executable)
        run(tools, "-m", "pip", "install", "--quiet", "hatchling", "twine")
        shutil.rmtree(DIST, ignore_errors=True)
        build(tools, DIST)
        build(tools, Path(folder) / "again")
        ensure_same(DIST, Path(folder) / "again")
        run(tools, "-m", "twine", "check", "--strict", *files(DIST))
        for number, python in pythons():
            print(f"Python {number}", flush=True)
            try_learner(environment(Path(folder) / f"learner-{number}", python), Path(folder) / f"cards-{number}")
            teacher = environment(Path(folder) / f"teacher-{number}", python)
            install(teacher, "foldem[all]" if sys.version.startswith(number) else "foldem")
            grade_class(teacher, Path(folder) / f"class-{number}")
    print("\n".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}" for file in files(DIST)))


def build(tools: Path, target: Path) -> None:
    """Build the source distribution and the wheel of each project."""
    for project in PROJECTS:
        subprocess.run(
            [tools, "-m", "hatchling", "build", "--directory", target],
            cwd=project,
            check=True,
            stdout=subprocess.DEVNULL,
            env=os.environ | {"SOURCE_DATE_EPOCH": "1580601600"},  # 2020-02-02, so that the bytes do not change
        )


def ensure_same(one: Path, other: Path) -> None:
    """Stop unless two folders contain the same files, byte by byte."""
    digests = [{file.name: hashlib.sha256(file.read_bytes()).digest() for file in files(each)} for each in (one, other)]
    different = sorted(name for name, _ in digests[0].items() ^ digests[1].items())
    if different or len(digests[0]) != 2 * len(PROJECTS):
        sys.exit(f"two builds differ: {', '.join(different) or 'a file is missing'}")


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def pythons() -> Iterator[tuple[str, str]]:
    """Yield the number and the program of each supported Python on this machine."""
    for number in PYTHONS:
        in_pyenv = sorted((Path.home() / ".pyenv" / "versions").glob(f"{number}.*/bin/python{number}"))
        if program := next(iter(in_pyenv), shutil.which(f"python{number}")):
            yield number, str(program)


def environment(folder: Path, python: str) -> Path:
    """Make a clean environment, and return its Python."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def try_learner(python: Path, folder: Path) -> None:
    """Install foldem-course from the built files, copy the notebooks, and check the first exercise."""
    install(python, "foldem-course")
    run(python.with_name("foldem-course"), folder)
    run(python, "-c", LEARNER, cwd=folder)


def grade_class(python: Path, folder: Path) -> None:
    """Make the demo's class, grade it, and write its report, outside the checkout."""
    foldem = partial(run, python.with_name("foldem"), cwd=python.parent)
    foldem("demo", folder, "--unit", "warmup")
    foldem("doctor")
    shutil.unpack_archive(folder / "submissions.zip", folder / "work")
    foldem("grade", folder / "work", "--sandbox", "off", "--out", folder / "out")
    foldem("report", folder / "out")


def install(python: Path, what: str) -> None:
    run(python, "-m", "pip", "install", "--quiet", "--find-links", DIST, "--pre", what)


def run(python: Path, *words: str | Path, cwd: Path = ROOT) -> None:
    safe = os.environ | {"PYTHONSAFEPATH": "1"}  # the packages of the checkout must not be found
    subprocess.run([python, *words], check=True, cwd=cwd, env=safe)


if __name__ == "__main__":
    main()
