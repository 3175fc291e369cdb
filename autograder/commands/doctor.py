"""`foldem doctor`: check what works on this machine, and what to install for the rest."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import typer

from autograder.commands.chosen import chosen_catalogue
from autograder.commands.container import IMAGE, ContainerError, program_with_image
from autograder.commands.options import DoctorOptions
from autograder.config import (
    PUBLISHED,
    ConfigError,
    course_file,
    policy_for,
    secret_folders,
    with_course_packs,
)
from autograder.errors import EXTRAS, install_extra
from autograder.sandbox.host import BUBBLEWRAP, INSTALL, LANDLOCK, failings, has_sandbox_parts
from autograder.units.pack import OURS, Catalogue, UnitError
from course.show.results import BAD, GOOD, OPEN, SIGNS

LOOKED_FOR = ("anywidget", "hypothesis", "ipywidgets", "nbformat", "toolz")


@dataclass(frozen=True)
class Finding:
    """The result of one check: good, bad (something does not work) or open (a warning), with a remedy."""

    state: str
    about: str
    result: str
    remedy: str = ""

    def __str__(self) -> str:
        line = f"{SIGNS[self.state]} {self.about:<12} {self.result}"
        return f"{line}\n  {'':<12} → {self.remedy}" if self.remedy else line


def run(options: DoctorOptions) -> int:
    """Print each finding as soon as there is one, then a summary. Return 1 if something does not work."""
    findings = []
    for finding in examine(chosen_catalogue(options.pack)):
        typer.echo(finding)
        findings.append(finding)
    typer.echo(summary(findings))
    return int(any(finding.state == BAD for finding in findings))


def examine(catalogue: Catalogue) -> Iterator[Finding]:
    """Yield a finding for each thing that learning, teaching and grading need."""
    yield Finding(GOOD, "Python", f"{sys.version.split()[0]} at {sys.executable}")
    yield Finding(GOOD, "foldem", f"{_version('foldem') or 'not installed'} at {Path(__file__).parents[2]}")
    yield _packages()
    yield _kernel()
    yield _sandbox(catalogue)
    yield _settings()
    yield _units(catalogue)
    yield _nbgrader()


def _packages() -> Finding:
    missing = [name for name in LOOKED_FOR if not _version(name)]
    text = ", ".join(f"{name} {_version(name) or 'missing'}" for name in LOOKED_FOR)
    if missing:
        return Finding(BAD, "packages", text, f"pip install {' '.join(missing)}")
    lacking = [extra for extra, modules in EXTRAS.items() if not all(map(find_spec, modules))]
    extras = f"extras not installed: {', '.join(lacking)}" if lacking else "all extras are installed"
    return Finding(GOOD, "packages", f"{text}; {extras}")


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _kernel() -> Finding:
    """Check that notebooks start this Python. Another Python cannot import `course`."""
    if not find_spec("jupyter_client"):
        return Finding(OPEN, "kernel", "JupyterLab is not installed", install_extra("lab"))
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    os.environ.setdefault("JUPYTER_PREFER_ENV_PATH", "1")
    try:
        program = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except NoSuchKernel:
        return Finding(BAD, "kernel", "the kernel python3 is missing", "pip install ipykernel")
    resolved = sys.executable if program in ("python", "python3") else shutil.which(program) or program
    if Path(resolved).parent == Path(sys.executable).parent:
        return Finding(GOOD, "kernel", f"python3 starts {resolved}")
    text = f"python3 starts {resolved}, which is a different Python"
    return Finding(BAD, "kernel", text, "python -m ipykernel install --sys-prefix")


def _sandbox(catalogue: Catalogue) -> Finding:
    """Check for a sandbox that passes its self-test, or for a container instead."""
    if not has_sandbox_parts():
        try:
            return Finding(GOOD, "sandbox", f"none; {program_with_image()} grades in the container {IMAGE} instead")
        except ContainerError as error:
            if sys.platform != "linux":
                return Finding(BAD, "sandbox", f"none on this system ({sys.platform})", str(error))
            missing = "bubblewrap is missing, and this kernel has no Landlock"
            return Finding(BAD, "sandbox", missing, f"{INSTALL}, or {error}")
    reasons: list[str] = []
    for level in (BUBBLEWRAP, LANDLOCK):
        failed = failings(level, secret_folders(catalogue))
        if not failed:
            return Finding(GOOD, "sandbox", "; ".join([f"{level} passes its self-test", *reasons]))
        reasons.append(f"{level} fails: {', '.join(failed[:3])}")
    return Finding(BAD, "sandbox", "; ".join(reasons), INSTALL)


def _settings() -> Finding:
    """Check the settings that apply in this folder."""
    file = course_file(Path.cwd())
    try:
        own = policy_for(Path.cwd()).seed != PUBLISHED
    except ConfigError as error:
        return Finding(BAD, "settings", str(error), f"correct {file}")
    if file is None:
        return Finding(GOOD, "settings", "none; this folder is not in a course folder")
    if own:
        return Finding(GOOD, "settings", str(file))
    return Finding(
        OPEN, "settings", f"{file} has no seed", "add a seed; students can learn the published exam by heart"
    )


def _units(catalogue: Catalogue) -> Finding:
    """List the known units and where they come from."""
    try:
        packs = with_course_packs(catalogue, Path.cwd()).packs
    except (ConfigError, UnitError) as error:
        return Finding(BAD, "units", str(error), "correct that file")
    homes = {pack: "part of Foldem" if pack.root == OURS else f"{pack.name}, {pack.root}" for pack in packs}
    return Finding(GOOD, "units", "; ".join(f"{', '.join(pack.units)} ({home})" for pack, home in homes.items()))


def _nbgrader() -> Finding:
    """Check that the command `nbgrader` starts the nbgrader of this Python."""
    if not find_spec("nbgrader"):
        return Finding(OPEN, "nbgrader", "not installed", install_extra("nbgrader"))
    expected = Path(sys.executable).with_name("nbgrader")
    program = shutil.which("nbgrader")
    if program and Path(program).resolve() == expected.resolve():
        return Finding(GOOD, "nbgrader", str(_version("nbgrader")))
    starts = f"starts {program}" if program else "is not found"
    remedy = f"activate the environment, or run {expected}"
    return Finding(OPEN, "nbgrader", f"{_version('nbgrader')}, but the command `nbgrader` {starts}", remedy)


def summary(findings: list[Finding]) -> str:
    """Return one line that summarizes the findings."""
    bad = [finding.about for finding in findings if finding.state == BAD]
    if not bad:
        return "Everything works: learning, checking and grading."
    if bad == ["sandbox"]:
        return "Learning and checking work. Grading other people's notebooks needs a sandbox, which is missing."
    return f"Missing or broken: {', '.join(bad)}."
