"""`foldem doctor`: what this machine can do, and what to install for the rest."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from autograder.commands.container import IMAGE, ContainerError, program_with_image
from autograder.config import (
    PUBLISHED,
    ConfigError,
    cache_folder,
    course_file,
    policy_for,
    secret_folders,
    use_course_packs,
)
from autograder.sandbox.host import BUBBLEWRAP, INSTALL, LANDLOCK, failings, may_hold
from autograder.units.pack import Pack, UnitError, known_packs, lost_packs
from course.show.results import BAD, GOOD, OPEN, SIGNS

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox")
LOOKED_FOR = ("jupyterlab", "nbgrader", "ipywidgets", "anywidget", "hypothesis", "jupytext", "nbformat", "toolz")


@dataclass(frozen=True)
class Finding:
    """One thing looked at: good, bad (something cannot be done without it) or open, in words, and what to do."""

    state: str
    about: str
    found: str
    remedy: str = ""

    def __str__(self) -> str:
        line = f"{SIGNS[self.state]} {self.about:<12} {self.found}"
        return f"{line}\n  {'':<12} → {self.remedy}" if self.remedy else line


def examine() -> Iterator[Finding]:
    """Yield what was found of each thing that learning, teaching and grading need."""
    looks: tuple[Callable[[], Finding], ...] = (
        _python,
        _foldem,
        _packages,
        _kernel,
        _sandbox,
        _cache,
        _settings,
        _units,
        _nbgrader,
        _browser,
    )
    for look in looks:
        yield look()


def _python() -> Finding:
    found = f"{sys.version.split()[0]} at {sys.executable}"
    return Finding(GOOD, "Python", found) if sys.version_info >= (3, 11) else Finding(BAD, "Python", found, "use 3.11")


def _foldem() -> Finding:
    return Finding(GOOD, "foldem", f"{_version('foldem') or 'not installed'} at {Path(__file__).parents[2]}")


def _packages() -> Finding:
    missing = [name for name in LOOKED_FOR if not _version(name)]
    found = ", ".join(f"{name} {_version(name) or 'missing'}" for name in LOOKED_FOR)
    if missing:
        return Finding(BAD, "packages", found, f"pip install {' '.join(missing)}")
    return Finding(GOOD, "packages", found)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _kernel() -> Finding:
    """Look whether the kernel that notebooks start is this Python; another one has no `course` to import."""
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    os.environ.setdefault("JUPYTER_PREFER_ENV_PATH", "1")
    try:
        program = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except NoSuchKernel:
        return Finding(BAD, "kernel", "there is no kernel python3", "pip install ipykernel")
    resolved = sys.executable if program in ("python", "python3") else shutil.which(program) or program
    if Path(resolved).parent == Path(sys.executable).parent:
        return Finding(GOOD, "kernel", f"python3 starts {resolved}")
    return Finding(
        BAD, "kernel", f"python3 starts {resolved}, another Python", "python -m ipykernel install --sys-prefix"
    )


def _sandbox() -> Finding:
    """Look for the best level whose self-test, run from inside, finds nothing, or for a container in its place."""
    if not may_hold():
        return _container()
    reasons: list[str] = []
    for level in (BUBBLEWRAP, LANDLOCK):
        found = failings(level, secret_folders())
        if not found:
            return Finding(GOOD, "sandbox", "; ".join([f"{level}: its self-test finds nothing", *reasons]))
        reasons.append(f"not {level}: {', '.join(found[:3])}")
    return Finding(BAD, "sandbox", "; ".join(reasons), INSTALL)


def _container() -> Finding:
    try:
        return Finding(GOOD, "sandbox", f"none here: {program_with_image()} grades in a container, {IMAGE}")
    except ContainerError as error:
        if sys.platform != "linux":
            return Finding(BAD, "sandbox", f"none here ({sys.platform})", str(error))
        return Finding(
            BAD, "sandbox", "bubblewrap is missing, and this kernel has no Landlock", f"{INSTALL}, or {error}"
        )


def _cache() -> Finding:
    folder = cache_folder()
    there = next(place for place in (folder, *folder.parents) if place.exists())
    if os.access(there, os.W_OK):
        return Finding(GOOD, "exam cache", str(folder))
    remedy = "set FOLDEM_CACHE to a folder that can be written to, else each exam is built again and again"
    return Finding(OPEN, "exam cache", f"{folder} cannot be written to", remedy)


def _settings() -> Finding:
    """Look whether the settings that hold in this folder can be used."""
    file = course_file(Path.cwd())
    try:
        own = policy_for(Path.cwd()).seed != PUBLISHED
    except ConfigError as error:
        return Finding(BAD, "settings", str(error), f"mend {file}")
    if file is None:
        return Finding(GOOD, "settings", "none here: this folder belongs to no course")
    if own:
        return Finding(GOOD, "settings", str(file))
    return Finding(OPEN, "settings", f"{file} has no seed of its own", "students can learn the published exam by heart")


def _units() -> Finding:
    """Look which units are known here, and from where."""
    try:
        use_course_packs(Path.cwd())
        found = "; ".join(f"{', '.join(pack.units)} ({_place(pack)})" for pack in known_packs())
        notes = [f"{name}: installed, but what belongs to it is not there" for name in lost_packs()]
    except (ConfigError, UnitError) as error:
        return Finding(BAD, "units", str(error), "mend that file")
    return Finding(OPEN if notes else GOOD, "units", found, "; ".join(notes))


def _place(pack: Pack) -> str:
    return "with Foldem" if pack == known_packs()[0] else f"{pack.name}, {pack.root}"


def _nbgrader() -> Finding:
    """Look whether the stock commands can be run, and know our preprocessors."""
    if not find_spec("nbgrader"):
        return Finding(BAD, "nbgrader", "not installed", "pip install nbgrader")
    beside = Path(sys.executable).with_name("nbgrader")
    program = shutil.which("nbgrader")
    if program and Path(program).resolve() == beside.resolve():
        return Finding(GOOD, "nbgrader", f"{_version('nbgrader')}, started by `nbgrader`")
    remedy = f"activate the environment, or type {beside}"
    return Finding(OPEN, "nbgrader", f"{_version('nbgrader')}, but `nbgrader` starts {program or 'nothing'}", remedy)


def _browser() -> Finding:
    found = next((path for path in map(shutil.which, BROWSERS) if path), None) or os.environ.get("BROWSER")
    if found or sys.platform != "linux":
        return Finding(GOOD, "browser", found or "the system's own")
    return Finding(OPEN, "browser", "none found", "foldem lab --no-browser prints an address for a browser elsewhere")


def summary(findings: list[Finding]) -> str:
    """Return in one line what can be done here."""
    bad = [finding.about for finding in findings if finding.state == BAD]
    if not bad:
        return "This machine can do everything: learn, check, grade."
    if bad == ["sandbox"]:
        return "Learning and checking work here. Grading the work of others needs a sandbox, and there is none."
    return f"Something is missing or broken: {', '.join(bad)}."
