"""`foldem doctor`: check what works on this machine, and say what to install for the rest."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import typer

from autograder.commands.options import DoctorOptions
from autograder.config import (
    PUBLISHED_SEED,
    ConfigError,
    policy_for,
    secret_folders,
    settings_file_for,
)
from autograder.errors import MODULES_BY_EXTRA, install_command
from autograder.grading.run import installed_version
from autograder.sandbox.host import (
    BUBBLEWRAP,
    INSTALL_ADVICE,
    LANDLOCK,
    has_bubblewrap_or_landlock,
    sandbox_advice,
    sandbox_problems,
)
from autograder.term.course import chosen_catalogue
from autograder.units.pack import Catalogue
from course.show.results import BAD, GOOD, OPEN, STATE_SIGNS


@dataclass(frozen=True)
class Finding:
    """The result of one check, and how to solve the problem if there is one (`remedy`).

    `state` is good, bad (something does not work) or open (a warning).
    """

    state: str
    about: str
    result: str
    remedy: str = ""

    def __str__(self) -> str:
        line = f"{STATE_SIGNS[self.state]} {self.about:<12} {self.result}"
        return f"{line}\n  {'':<12} → {self.remedy}" if self.remedy else line


def run(options: DoctorOptions) -> int:
    """Print each finding as soon as its check is done, then a summary. Return 1 if something does not work, else 0."""
    findings = []
    for finding in examine_machine(chosen_catalogue(options.pack)):
        typer.echo(finding)
        findings.append(finding)
    typer.echo(findings_summary(findings))
    return int(any(finding.state == BAD for finding in findings))


def examine_machine(catalogue: Catalogue) -> Iterator[Finding]:
    """Yield a finding for each thing that learning, teaching and grading need."""
    yield Finding(GOOD, "Python", f"{sys.version.split()[0]} at {sys.executable}")
    yield Finding(GOOD, "foldem", f"{installed_version()} at {Path(__file__).parents[2]}")
    lacking = ", ".join(extra for extra, modules in MODULES_BY_EXTRA.items() if not all(map(find_spec, modules)))
    yield Finding(GOOD, "packages", f"extras not installed: {lacking}" if lacking else "all extras installed")
    yield _check_kernel()
    yield _check_sandbox(catalogue)
    yield _check_settings()


def _check_kernel() -> Finding:
    """Check that notebooks start this Python. Another Python cannot import `course`."""
    if not find_spec("jupyter_client"):
        return Finding(OPEN, "kernel", "JupyterLab is not installed", install_command("lab"))
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    os.environ.setdefault("JUPYTER_PREFER_ENV_PATH", "1")
    try:
        program = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except NoSuchKernel:
        program = "nothing"
    if program in ("python", "python3") or Path(program).parent == Path(sys.executable).parent:
        return Finding(GOOD, "kernel", f"python3 starts {program}")
    remedy = "pip install ipykernel, then python -m ipykernel install --sys-prefix"
    return Finding(BAD, "kernel", f"python3 starts {program} instead of this Python", remedy)


def _check_sandbox(catalogue: Catalogue) -> Finding:
    """Check for a sandbox that passes its self-test."""
    if not has_bubblewrap_or_landlock():
        return Finding(BAD, "sandbox", f"none on this system ({sys.platform})", sandbox_advice())
    reasons: list[str] = []
    for level in (BUBBLEWRAP, LANDLOCK):
        failed = sandbox_problems(level, secret_folders(catalogue))
        if not failed:
            return Finding(GOOD, "sandbox", "; ".join([f"{level} passes its self-test", *reasons]))
        reasons.append(f"{level} fails: {', '.join(failed[:3])}")
    return Finding(BAD, "sandbox", "; ".join(reasons), INSTALL_ADVICE)


def _check_settings() -> Finding:
    """Check the settings that apply in this folder."""
    file = settings_file_for(Path.cwd())
    try:
        has_own_seed = policy_for(Path.cwd()).seed != PUBLISHED_SEED
    except ConfigError as error:
        return Finding(BAD, "settings", str(error), f"correct {file}")
    if file is None or has_own_seed:
        return Finding(GOOD, "settings", str(file or "none; this folder is not in a course folder"))
    remedy = "add a seed; students can learn the published exam by heart"
    return Finding(OPEN, "settings", f"{file} has no seed", remedy)


def findings_summary(findings: list[Finding]) -> str:
    """Return one line that says what works, and names what is missing or broken."""
    bad = [finding.about for finding in findings if finding.state == BAD]
    if not bad:
        return "Everything works: learning, checking and grading."
    if bad == ["sandbox"]:
        return "Learning and checking work. Grading other people's notebooks needs a sandbox, which is missing."
    return f"Missing or broken: {', '.join(bad)}."
