"""Machines that lack something: grading refuses without a sandbox, and tests are skipped, or fail in CI."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import FOLDEM, PATIENCE, PLAIN, is_one_line_refusal, printed_by

ROOT = Path(__file__).parent.parent
SOURCES = ("warmup", "dominoes", "sedma", "basra", "uno", "bots")


def without(abilities: str, *command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a command as on a machine that lacks something, by default not in CI."""
    poorer = [sys.executable, "-m", "tests.without", abilities, *command]
    names = {name: value for name, value in PLAIN.items() if name != "CI"} | settings
    return subprocess.run(poorer, cwd=ROOT, env=names, capture_output=True, text=True, timeout=PATIENCE)


def test_without_a_sandbox_nothing_is_graded_and_one_line_says_why() -> None:
    done = without("bubblewrap,landlock", FOLDEM, "grade", "notebooks/2_sedma.ipynb")
    assert is_one_line_refusal(done), done.stderr
    assert "apt-get install bubblewrap" in done.stderr and "--sandbox=off" in done.stderr


# What learners use where only the visible examples are checked: the notebooks' helpers, and the sources' own examples.
LEARNERS = ("check", *(f"{unit}_source_examples" for unit in SOURCES))


@pytest.mark.proof
def test_learners_need_nothing_that_only_unix_has() -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "--without", "unix"]
    command += [f"tests/test_{name}.py" for name in LEARNERS]
    names = {name: value for name, value in PLAIN.items() if name != "CI"}
    printed_by(subprocess.run(command, cwd=ROOT, env=names, capture_output=True, text=True, timeout=PATIENCE))


CHECKS = """
import sys
from pathlib import Path
from tests.without import do_without
do_without(["unix"])
import autograder.hosts.kernel, autograder.cli
from autograder.commands import check, lab, student_kit, tournament
from tests.kernel import Kernel, working_in
with working_in(Path(sys.argv[1])):
    kernel = Kernel()
    kernel.run("def flip(domino):\\n    return Domino(domino.right, domino.left) if domino.left < 6 else domino")
    print(kernel.run('check("flip")'), kernel.run('progress("dominoes")'))
    kernel.run("def flip(domino):\\n    return Domino(domino.right, domino.left)")
    print(kernel.run('check("flip")'))
"""


def test_windows_with_all_of_foldem_checks_with_the_sealed_exam(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CHECKS, str(tmp_path)]
    shown = printed_by(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE))
    wrong, right = shown.split("✗ flip", 1)[1].split("✓ flip", 1)
    assert "checks pass" in wrong and "checked by the practice exam" in wrong and "pip install" not in shown
    (calls,) = re.findall(r"right in all (\d+) calls", right)
    assert int(calls) > 20
