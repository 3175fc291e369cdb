"""Run the real `foldem` command: in a new process, or in this one if only its arguments and messages matter."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import toolz

from autograder.cli import main

FOLDEM = str(Path(sys.executable).with_name("foldem"))
# Far more than anything takes, even on a busy machine: it only ends what hangs.
PATIENCE = 600
# Seconds for a cell of a notebook. pyzmq can miss a reply of the kernel; then it is read when this time is over.
CELL_PATIENCE = 60
PLAIN = os.environ | {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}


def foldem(*words: str | Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the command, and return how it ended and what it printed."""
    command = [FOLDEM, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env=PLAIN | settings, timeout=PATIENCE)


def foldem_here(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command in this process, which is a hundred times faster than starting a new one."""
    command, shown, errors, status = ["foldem", *map(str, words)], StringIO(), StringIO(), 0
    with patch.object(sys, "argv", command), redirect_stdout(shown), redirect_stderr(errors):
        try:
            main()
        except SystemExit as ended:
            status = int(ended.code or 0)
    return subprocess.CompletedProcess(command, status, shown.getvalue(), errors.getvalue())


def printed_by(done: subprocess.CompletedProcess[str]) -> str:
    """Return what a command printed. Fail unless it succeeded."""
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def one_line_with(text: str) -> str:
    """Return a pattern for a message of one line that contains a text."""
    return rf"\A.*{re.escape(text)}.*\Z"


def is_one_line_refusal(done: subprocess.CompletedProcess[str]) -> bool:
    """Return whether the command ended with a one-line error, and did not crash."""
    lines = done.stderr.strip().splitlines()
    return done.returncode == 2 and len(lines) == 1 and lines[0].startswith("foldem: ")


def install_kit(folder: Path, *words: str | Path) -> Path:
    """Make a student kit in a folder, install its wheels next to it, and return the kit."""
    printed_by(foldem("student-kit", folder / "kit", *words))  # a new process, which knows no pack by heart
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-compile", "--target")
    subprocess.run([*pip, folder / "installed", *(folder / "kit").glob("*.whl")], check=True, timeout=PATIENCE)
    (folder / "installed" / "toolz").symlink_to(Path(toolz.__file__).parent)
    return folder / "kit"


def run_in_kit(kit: Path, module: str, *sources: str) -> str:
    """Return what code prints for a learner who has the kit and the imports of a unit."""
    code = "\n".join([f"from {module} import *", "from course.check import *", *sources])
    settings = {key: value for key, value in PLAIN.items() if not key.startswith(("PYTHON", "VIRTUAL", "FOLDEM"))}
    settings["PYTHONPATH"] = str(kit.parent / "installed")
    command = [sys.executable, "-S", "-c", code]  # without what is installed for these tests
    done = subprocess.run(command, cwd=kit, env=settings, capture_output=True, text=True, timeout=PATIENCE)
    return done.stdout + done.stderr
