"""The sandbox as seen from outside: which level works on this machine, and one process for each submission.

The level "bubblewrap" uses namespaces, and a seccomp filter in each child. "landlock" uses Landlock and seccomp, for
containers without user namespaces. "off" has no confinement: it is for one's own code, or on explicit request. All
levels have limits. The first two are used only if a self-test from inside finds no problem. On macOS, there is only
"off". On Windows, there is no level, because it cannot fork; `foldem grade` runs in a container there. At no level can
children write to a folder: another child could find what is left in it, even references. (Landlock has one gap: the
times at which files were last read, if the file system records them. These times can carry a few bits from one answer
to a later one, but never to the mark.)
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.errors import UserError
from autograder.sandbox.cage import (
    BUBBLEWRAP,
    LANDLOCK,
    OFF,
    Cage,
    Child,
    ChildTooLoud,
    ChildTooSlow,
    Limits,
    SandboxDied,
)
from course.limits import MOST_SANDBOX_USES

__all__ = [
    "Child",
    "ChildTooLoud",
    "ChildTooSlow",
    "Limits",
    "NoSandbox",
    "Sandbox",
    "SandboxDied",
    "find_level",
    "has_bubblewrap_or_landlock",
    "run_self_test",
    "sandbox_advice",
    "sandbox_problems",
]
INSTALL_ADVICE = "install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap)"
CONTAINER_ADVICE = "run it in Docker or Podman, as the page docs/hosting.md shows (their kernel needs Landlock)"
SecretPaths = tuple[Path, ...]
TRUST_ADVICE = "if you trust all submissions, add --sandbox=off"


class NoSandbox(UserError, RuntimeError):
    """Raised if no requested level of confinement works on this machine."""


@dataclass
class Sandbox(Cage):
    """A cage at a sandbox level that works on this machine. The setting "auto" selects the best level that works."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.level = usable_level(self.level, self.secrets)


def usable_level(level: str, secrets: SecretPaths) -> str:
    """Return the sandbox level for a setting such as "auto".

    Raises NoSandbox if the level does not work on this machine.
    """
    if level == "auto":
        return find_level(secrets)
    if level not in (BUBBLEWRAP, LANDLOCK, OFF):
        raise NoSandbox(f"unknown sandbox {level!r}: choose auto, bubblewrap, landlock or off")
    if level != OFF and (problems := sandbox_problems(level, secrets)):
        raise NoSandbox(
            f"nothing was graded: the sandbox {level} failed its self-test ({', '.join(problems[:5])}); "
            f"{sandbox_advice()}"
        )
    return level


def find_level(secrets: SecretPaths) -> str:
    """Return the best level that passes its self-test.

    If no level passes, raise NoSandbox with advice on what to install.
    """
    for level in (BUBBLEWRAP, LANDLOCK):
        if not sandbox_problems(level, secrets):
            return level
    reasons = "; ".join(
        f"{level}: {', '.join(sandbox_problems(level, secrets)[:5])}" for level in (BUBBLEWRAP, LANDLOCK)
    )
    raise NoSandbox(f"nothing was graded: this machine has no sandbox ({reasons}); {sandbox_advice()}")


def has_bubblewrap_or_landlock() -> bool:
    """Return whether this machine has bubblewrap (a program) or Landlock (a part of Linux), which confine processes.

    Only the self-test shows whether they work.
    """
    if sys.platform != "linux":
        return False
    from autograder.sandbox.inside.confine import landlock_version

    return shutil.which("bwrap") is not None or landlock_version() > 0


def sandbox_advice() -> str:
    """Return what to do on a machine without a sandbox."""
    steps = f"{INSTALL_ADVICE}, or {CONTAINER_ADVICE}" if sys.platform == "linux" else CONTAINER_ADVICE
    return f"{steps}; {TRUST_ADVICE}" if hasattr(os, "fork") else steps


@cache
def sandbox_problems(level: str, secrets: SecretPaths) -> tuple[str, ...]:
    """Return the problems of a sandbox level on this machine. Return () if the level works and protects these secrets.

    In one process, a level is tested only once with the same secrets.
    """
    if sys.platform != "linux":
        return (f"{sys.platform} has none",)
    if level == BUBBLEWRAP and not shutil.which("bwrap"):
        return ("bubblewrap is not installed",)
    try:
        return tuple(run_self_test(level, secrets))
    except SandboxDied as error:
        return (str(error),)


def run_self_test(level: str, secrets: Iterable[Path]) -> list[str]:
    """Try inside the sandbox everything that must be impossible there, and everything that must be possible.

    Return the list of problems. If a secret is a folder, the test also tries to read the first file in this folder.
    """
    with tempfile.TemporaryDirectory(prefix="foldem-neighbor-") as folder:
        neighbor = Path(folder, "neighbor.ipynb")
        neighbor.write_text("{}", encoding="utf-8")
        paths = [neighbor]
        for path in secrets:
            paths += [path, *[file for file in sorted(path.glob("*")) if file.is_file()][:1]]
        names = [str(path.resolve()) for path in paths if path.exists()]
        problems = dict[str, None]()
        needed = ("fractions", "queue")
        with Cage(level=level, runner="inside.selftest", imports=needed, secrets=()) as cage:
            for looks in (False, True):
                with cage.child(looks) as child:
                    child.send(json.dumps([looks, *names]).encode())
                    received = child.receive()
                    if received is None:
                        raise SandboxDied(f"its self-test did not finish: {child.end()}")
                problems |= dict.fromkeys(map(str, json.loads(received)))
    return [*problems]


class ReusedSandbox:
    """The sandbox that a thread uses for several submissions. A submission with other imports gets another sandbox."""

    def __init__(self) -> None:
        self._stack, self._uses = ExitStack(), 0
        self._sandbox: Sandbox | None = None

    def get(self, wanted: Sandbox) -> Sandbox:
        """Return the open sandbox if it is equivalent to the sandbox `wanted`.

        If the open sandbox is not equivalent or was used too often, close it, and open and return `wanted`.
        """
        current = self._sandbox
        may_stay = current == wanted and wanted.level != OFF and self._uses < MOST_SANDBOX_USES
        if current is None or current.is_worn or not may_stay:
            self.close()
            self._sandbox = current = self._stack.enter_context(wanted)
        self._uses += 1
        return current

    def close(self) -> None:
        """Close the sandbox, if one is open."""
        self._sandbox, self._uses = None, 0
        self._stack.close()
