"""The sandbox from outside: one process per submission, a forked child per exercise, and how each ended.

Levels: "bubblewrap" (namespaces, and a seccomp filter in each child), "landlock" (for containers without user
namespaces: Landlock, seccomp), "off" (for one's own code, or said aloud); all have limits. The first two are used
only where a self-test from inside finds nothing wrong. macOS has only "off"; Windows, which cannot fork, has none.
No level has a writable place: what one child could leave there, the references of other exercises among it,
another could find.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from autograder.sandbox import mounts

BUBBLEWRAP, LANDLOCK, OFF = "bubblewrap", "landlock", "off"
ENVIRONMENT = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "PYTHONCOERCECLOCALE": "0", "TZ": "UTC"}
MEGABYTE = 1 << 20
INSTALL = (
    "install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap); "
    "a teacher who trusts the submissions may say --sandbox=off"
)


class NoSandbox(RuntimeError):
    """No level of confinement that was asked for holds here."""


class SandboxDied(RuntimeError):
    """The sandbox itself failed: a fault of ours, not of an answer."""


class ChildTooSlow(Exception):
    """A child has used up its wall-clock time."""


class ChildTooLoud(Exception):
    """A child has sent more than it may."""


@dataclass(frozen=True)
class Limits:
    """What a child may use. CPU and wall-clock time in seconds; memory, a file's size and what it sends in MB."""

    cpu_seconds: int = 10
    wall_seconds: float = 30.0
    memory_mb: int = 512
    output_mb: int = 16
    file_mb: int = 1
    open_files: int = 32


@dataclass(frozen=True)
class Exit:
    """How a child ended, as numbers and as one line that goes on from "it"."""

    signal: int | None
    status: int | None
    cpu_seconds: float
    text: str


class Child:
    """A confined child, as the grader talks to it."""

    def __init__(self, channel: socket.socket, sandbox: Cage) -> None:
        self._channel, self._sandbox, self._limits = channel, sandbox, sandbox.limits
        self._deadline = time.monotonic() + self._limits.wall_seconds
        self._received = 0
        self._stopped = ""
        self._exit: Exit | None = None

    def send(self, data: bytes) -> None:
        """Send one message; a child that is gone by then is noticed when it is listened to."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self._within_time(lambda: self._channel.sendall(len(data).to_bytes(4, "big") + data))

    def receive(self) -> bytes | None:
        """Give the next message, None if the child is gone. ChildTooSlow and ChildTooLoud end its run."""
        header = self._exactly(4)
        return None if header is None else self._exactly(int.from_bytes(header, "big"))

    def _exactly(self, count: int) -> bytes | None:
        self._count(count)
        data = bytearray()
        while len(data) < count:
            part = self._part(min(count - len(data), MEGABYTE))
            if not part:
                return None
            data += part
        return bytes(data)

    def _count(self, count: int) -> None:
        self._received += count
        if self._received > self._limits.output_mb * MEGABYTE:
            self._stopped = f"sent more than {self._limits.output_mb} MB"
            raise ChildTooLoud(self._stopped)

    def _part(self, most: int) -> bytes:
        try:
            return self._within_time(lambda: self._channel.recv(most))
        except ConnectionResetError:
            return b""

    def _within_time(self, act: Any) -> Any:
        try:
            self._channel.settimeout(max(self._deadline - time.monotonic(), 1e-6))
            return act()
        except TimeoutError:
            self._stopped = f"took longer than {self._limits.wall_seconds:g} s"
            raise ChildTooSlow(self._stopped) from None

    def end(self) -> Exit:
        """End the child if it is still there, and say how it ended."""
        if self._exit is None:
            self._channel.close()
            told = self._sandbox.reap()
            self._exit = Exit(**told, text=self._stopped or _story(told, self._limits))
        return self._exit


def _story(told: dict[str, Any], limits: Limits) -> str:
    """Say how a child ended of itself."""
    if told["signal"] is None:
        return f"ended the process (exit status {told['status']})"
    if told["signal"] == signal.SIGKILL and told["cpu_seconds"] > 0.98 * limits.cpu_seconds:
        return f"used up its {limits.cpu_seconds} s of CPU time"
    if told["signal"] == signal.SIGKILL:
        return "was killed"
    return f"was killed ({(signal.strsignal(told['signal']) or 'by a signal').lower()})"


class Cage:
    """A process that children are forked from, at a level that nobody has checked yet. A context manager."""

    def __init__(
        self,
        modules: Sequence[str] = (),
        limits: Limits | None = None,
        level: str = OFF,
        runner: str = "inside.runner",
        extra: Sequence[Path] = (),
    ) -> None:
        self.modules, self.limits, self.level, self.runner = tuple(modules), limits or Limits(), level, runner
        self.extra = tuple(path.resolve() for path in extra)

    def __enter__(self) -> Cage:
        if not hasattr(os, "fork"):
            raise NotImplementedError("the sandbox forks, which this system cannot; use Linux, macOS or WSL")
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = _started(self._command(theirs.fileno()), theirs.fileno())
        self._control.settimeout(self.limits.wall_seconds + 30)
        try:
            self._order(json.dumps(self._settings()).encode() + b"\n")
            self._line()
        except SandboxDied:
            raise SandboxDied(f"the sandbox does not start: {self._last_words()}") from None
        return self

    def __exit__(self, *_: object) -> None:
        """Close the control socket, at which the zygote ends; wait for that, so that its time is accounted for."""
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)
            select.select([self._control], [], [], 2)
        self._control.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(2)
        self._process.kill()
        self._process.communicate()

    def _last_words(self) -> str:
        self._process.kill()
        words = self._process.communicate()[1].decode(errors="replace").strip()
        self._control.close()
        return words.splitlines()[-1] if words else "no reason given"

    @contextmanager
    def child(self) -> Iterator[Child]:
        """Give a new child; it is gone when the block ends."""
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                self._order(b"f", theirs.fileno())
            child = Child(ours, self)
            try:
                yield child
            finally:
                child.end()

    def reap(self) -> dict[str, Any]:
        """End the present child, and give its signal, exit status and CPU time."""
        self._order(b"r")
        told: dict[str, Any] = json.loads(self._line())
        return told

    def _order(self, order: bytes, *fds: int) -> None:
        try:
            if fds:
                socket.send_fds(self._control, [order], list(fds))
            else:
                self._control.sendall(order)
        except OSError as error:
            raise SandboxDied(f"the sandbox has died: {error}") from None

    def _line(self) -> bytes:
        """Give the zygote's next line; it sends one only when asked, so nothing comes behind it."""
        line = b""
        while not line.endswith(b"\n"):
            try:
                part = self._control.recv(1 << 16)
            except OSError as error:
                raise SandboxDied(f"the sandbox does not answer: {error}") from None
            if not part:
                raise SandboxDied("the sandbox has died")
            line += part
        return line

    def _command(self, control: int) -> list[str]:
        if self.level == BUBBLEWRAP:
            program = shutil.which("bwrap") or "bwrap"
            start = mounts.start_command(mounts.PACKAGES_CAGED["inside"], control)
            return [*mounts.bubblewrap(program, self.extra), *start]
        return mounts.start_command(str(mounts.PACKAGES["inside"]), control)

    def _settings(self) -> dict[str, Any]:
        packages = mounts.PACKAGES_CAGED if self.level == BUBBLEWRAP else mounts.PACKAGES
        readable = [*mounts.readable(), *mounts.PACKAGES.values(), *self.extra] if self.level == LANDLOCK else []
        return {
            "confined": self.level != OFF,
            "packages": {name: str(folder) for name, folder in packages.items()},
            "readable": [str(path) for path in readable],
            "extra": [str(path) for path in self.extra],
            "modules": self.modules,
            "runner": self.runner,
            "limits": asdict(self.limits),
        }


def _started(command: list[str], control: int) -> subprocess.Popen[bytes]:
    """Start a cage's process, in a session of its own: an interrupt is for the grader to handle."""
    try:
        return subprocess.Popen(
            command,
            pass_fds=(control,),
            env=ENVIRONMENT,
            cwd="/",
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
    except OSError as error:
        raise SandboxDied(f"the sandbox does not start: {error}") from None


class Sandbox(Cage):
    """A cage at a level that holds here; "auto" is the best that does. One for each submission."""

    def __init__(
        self,
        modules: Sequence[str] = (),
        limits: Limits | None = None,
        level: str = "auto",
        runner: str = "inside.runner",
        extra: Sequence[Path] = (),
    ) -> None:
        super().__init__(modules, limits, find_level() if level == "auto" else checked_level(level), runner, extra)

    def __enter__(self) -> Sandbox:
        super().__enter__()
        return self


def checked_level(level: str) -> str:
    """Give a level that was asked for by name; NoSandbox if it does not hold here."""
    if level not in (BUBBLEWRAP, LANDLOCK, OFF):
        raise NoSandbox(f"there is no sandbox level {level!r}, only auto, bubblewrap, landlock and off")
    if level != OFF and (found := failings(level)):
        raise NoSandbox(f"nothing is graded, because the sandbox {level} does not hold here: {_list(found)}. {INSTALL}")
    return level


def find_level() -> str:
    """Give the best level whose self-test finds nothing; NoSandbox, saying what to install, if none does."""
    for level in (BUBBLEWRAP, LANDLOCK):
        if not failings(level):
            return level
    reasons = "; ".join(f"{level}: {_list(failings(level))}" for level in (BUBBLEWRAP, LANDLOCK))
    raise NoSandbox(f"nothing is graded, because this machine has no sandbox ({reasons}): {INSTALL}")


def _list(found: Sequence[str]) -> str:
    return ", ".join(found[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "")


@cache
def failings(level: str) -> tuple[str, ...]:
    """Give what is wrong with a level here, or why it cannot be had; nothing if it holds. Tested once per process."""
    if sys.platform != "linux":
        return (f"{sys.platform} has none",)
    if level == BUBBLEWRAP and not shutil.which("bwrap"):
        return ("bubblewrap is not installed",)
    try:
        return tuple(self_test(level))
    except SandboxDied as error:
        return (str(error),)


def self_test(level: str, secrets: Iterable[Path] = ()) -> list[str]:
    """Try from inside everything that must not be possible, and what must; give what went wrong."""
    with tempfile.TemporaryDirectory(prefix="foldem-neighbour-") as folder:
        neighbour = Path(folder, "neighbour.ipynb")
        neighbour.write_text("{}")
        paths = [str(path.resolve()) for path in (neighbour, *_own_secrets(), *secrets) if path.exists()]
        with Cage(level=level, runner="inside.selftest") as cage, cage.child() as child:
            child.send(json.dumps(paths).encode())
            found = child.receive()
            if found is None:
                raise SandboxDied(f"its self-test {child.end().text}")
    return [str(name) for name in json.loads(found)]


def _own_secrets() -> Iterator[Path]:
    """Give what no answer may read: the solutions, the checks, the kept exams, with a file of each."""
    from autograder.exams import cache_folder

    solutions = find_spec("solutions")
    places = [Path(place) for place in (solutions.submodule_search_locations or ())] if solutions else []
    for folder in (*places, Path(__file__).parent.parent, cache_folder()):
        yield folder
        yield from sorted(path for path in folder.glob("*") if path.is_file())[:1]
