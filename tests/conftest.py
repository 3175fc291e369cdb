"""Marks say what a test needs. If the machine lacks it, the test is skipped, or fails if CI is set.

Options such as `--without bubblewrap` run the tests as on a machine without it. A proof tries all of the course where
the suite tries only a part. Proofs run only with `--proofs`.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from autograder.sandbox.inside.confine import landlock_version
from course.limits import FEWEST_OBJECTS_PER_COLLECTION
from tests.grader import Grader
from tests.without import ABILITIES, PROGRAMS, do_without

# No test looks at a clock: on a busy machine any example may take long.
settings.register_profile("foldem", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("foldem")

# Collected tests are a million objects and hardly any garbage, so nothing searches for it until all are collected.
gc.disable()
FREEZE = gc.freeze

# Whatever is begun in a shell's background ignores Ctrl-C, and so would all that a test begins and interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass(frozen=True)
class Need:
    """Something that tests need of the machine: what provides it, whether that is available, and what to do if not."""

    abilities: set[str]
    is_met: Callable[[], bool]
    remedy: str


@cache
def bubblewrap_works() -> bool:
    """Return whether bubblewrap starts. In many containers it is installed, but has no permissions."""
    program = shutil.which("bwrap")
    trial = [program or "", "--unshare-all", "--ro-bind", "/", "/", "true"]
    return program is not None and subprocess.run(trial, capture_output=True).returncode == 0


def forks() -> bool:
    return hasattr(os, "fork")


def has(ability: str) -> bool:
    return any(map(shutil.which, PROGRAMS[ability]))


SERVERS = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
ALLOWED = "apt-get install bubblewrap (and a container must be allowed to make namespaces)"
NEEDS = {
    "sandbox": Need(
        {"bubblewrap", "landlock"}, lambda: forks() and (bubblewrap_works() or landlock_version() > 0), ALLOWED
    ),
    "forks": Need({"unix"}, forks, "use Linux, macOS or WSL"),
    "bubblewrap": Need({"bubblewrap"}, bubblewrap_works, ALLOWED),
    "landlock": Need({"landlock"}, lambda: landlock_version() > 0, "use Linux 5.13 or newer, with Landlock in its lsm"),
    "browser": Need({"browser"}, lambda: has("browser"), "apt-get install chromium"),
    "postgresql": Need({"postgresql"}, lambda: bool(SERVERS and find_spec("psycopg")), "apt-get install postgresql"),
    "npm": Need({"npm"}, lambda: has("npm"), "apt-get install npm"),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--without", action="append", default=[], choices=ABILITIES, help="run as on a poorer machine")
    parser.addoption("--proofs", action="store_true", help="run the proofs, and only these")
    parser.addoption("--part", metavar="K/N", default="1/1", help="run every Nth test, from the Kth on")


def pytest_configure(config: pytest.Config) -> None:
    do_without(config.getoption("without"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that grade or need a rich machine, and keep either the proofs or all other tests.

    Tests with a browser run one after the other.

    Marks must be set before pytest selects tests by them.
    """
    for item in items:
        if "grader" in getattr(item, "fixturenames", ()):
            item.add_marker("sandbox")
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.xdist_group("browser"))
        if any(map(item.get_closest_marker, NEEDS)):
            item.add_marker("rich")
    wanted, (first, step) = config.getoption("proofs"), map(int, config.getoption("part").split("/"))
    if not 1 <= first <= step:
        raise pytest.UsageError("--part K/N: K is at least 1, and at most N")
    chosen = [item for item in items if is_proof(item) == wanted][first - 1 :: step]
    config.hook.pytest_deselected(items=[*{*items} - {*chosen}])
    items[:] = chosen


def pytest_collection_finish() -> None:
    """Keep the objects of collected tests out of all searches for garbage and for functions: there are a million.

    They stay frozen: each time limit in this process would thaw them.
    """
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(FEWEST_OBJECTS_PER_COLLECTION)
    gc.freeze = gc.unfreeze = lambda: None


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Freeze what the tests of a module leave behind, such as exams. Otherwise each watched call searches all of it."""
    if nextitem is None or nextitem.path != item.path:
        FREEZE()


def is_proof(item: pytest.Item) -> bool:
    return item.get_closest_marker("proof") is not None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test if the machine lacks what it needs. Pytest's last lines count the skipped tests by reason."""
    for name, need in NEEDS.items():
        if item.get_closest_marker(name) and not need.is_met():
            message, lost = f"no {name} here: {need.remedy}", set(item.config.getoption("without"))
            if os.environ.get("CI") and not (need.abilities <= lost or "unix" in lost):
                pytest.fail(message, pytrace=False)
            pytest.skip(message)


@pytest.fixture(scope="session")
def grader() -> Iterator[Grader]:
    with ExitStack() as stack:
        yield Grader(stack)


@pytest.fixture(autouse=True)
def _like_a_new_process() -> Iterator[None]:
    """Forget earlier checks, and restore `__main__`, which a shell replaces by a module without a spec."""
    if check := sys.modules.get("course.check"):
        check._newest_cell_when_wrong.clear()
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before
