"""A sandbox as seen from outside: a process that forks a child for each exercise, and how each child ended."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Self, TypeVar

from msgspec import Struct

from autograder.sandbox import sources
from autograder.sandbox.inside import frames
from autograder.sandbox.sources import ALWAYS_IMPORTED
from course.diagnoses.failure import InnerCall
from course.exam.observation import is_name
from course.exam.observing import LIMITS_BY_EXCEPTION
from course.exam.readable import line_without_folders
from course.limits import LARGEST_CELL, MOST_SHOWN_ARGUMENTS

KIND_NAME_PATTERN = re.compile(r"\w{1,50}(\[\w{1,50}\])?")
FILE_LABEL = "file"  # the label of a file without cells
BY_FORCE, OVER_TIME = 9, 24  # SIGKILL and SIGXCPU, which have no names on Windows


class Exited(Struct, frozen=True, tag=True):
    """The end of a child that exited by itself, with this exit status."""

    status: int


class Killed(Struct, frozen=True, tag=True):
    """The end of a child that a signal killed."""

    signal: int


class TooSlow(Struct, frozen=True, tag=True):
    """The end of a child that used up its time of `seconds`."""

    seconds: float


class TooLoud(Struct, frozen=True, tag=True):
    """The end of a child that sent more data than is allowed."""

    megabytes: int


FAILED_EXIT = Exited(1)
ChildExit = Exited | Killed | TooSlow | TooLoud


def child_exit(signal: int | None, status: int | None, used: float, allowed: int) -> ChildExit:
    """Return how a child ended, from its signal or exit status, and from the CPU time that it used.

    A child that closes its channel may exit with status 1 or be killed before it can exit. Chance decides whether such
    a child exits or is killed, so a kill counts as an exit with status 1.

    >>> child_exit(None, 3, 0.1, 10), child_exit(9, None, 0.1, 10), child_exit(9, None, 9.9, 10)
    (Exited(status=3), Exited(status=1), TooSlow(seconds=10))
    """
    if signal is None:
        return Exited(status or 0)
    if signal == OVER_TIME or (signal == BY_FORCE and used > 0.8 * allowed):
        return TooSlow(allowed)
    return FAILED_EXIT if signal == BY_FORCE else Killed(signal)


class CodeLine(Struct, frozen=True, tag=True):
    """A line of a submission: the label of its cell (an exercise's name, or `cell_3`), and the line's number."""

    label: str
    line: int


class RaisedException(Struct, frozen=True, tag="Raised"):
    """An exception: its class's name, its message, the learner's line that raised it, and the function called there."""

    name: str
    text: str = ""
    place: CodeLine | None = None
    inside: InnerCall | None = None


class LimitReached(Struct, frozen=True, tag="Broken"):
    """The outcome of a call that reached a limit, such as the time limit."""

    limit: str


ChildError = RaisedException | LimitReached


class FailedDefinition(Struct, frozen=True, tag="Unloaded"):
    """A definition that a child could not load: its label ("" if unknown), and the error (None if unreadable)."""

    label: str
    error: ChildError | None


def child_error(data: object) -> ChildError | None:
    """Return the exception that a child reports, with its message as one line, or None if the report is malformed."""
    match data:
        case {"limit": str(limit)} if limit in LIMITS_BY_EXCEPTION.values():
            return LimitReached(limit)
        case {"raised": str(name), "text": str(text), "place": None}:
            return RaisedException(line_without_folders(name), line_without_folders(text))
        case {"raised": str(name), "text": str(text), "place": [str(label), line]} if (
            type(line) is int and 0 < line <= LARGEST_CELL  # a report with `true` could not be read again
        ):
            where = CodeLine(line_without_folders(label, 60), line)
            return RaisedException(line_without_folders(name), line_without_folders(text), where, _inner_call(data))
    return None


def _inner_call(data: object) -> InnerCall | None:
    """Return the call of a function with the kinds of its arguments; None if the report has no call or is malformed."""
    match data:
        case {"inside": [str(name), [*kinds]]} if is_name(name) and len(kinds) <= MOST_SHOWN_ARGUMENTS:
            texts = [kind for kind in kinds if isinstance(kind, str) and KIND_NAME_PATTERN.fullmatch(kind)]
            return InnerCall(name, tuple(texts)) if name.isidentifier() and len(texts) == len(kinds) else None
    return None


BUBBLEWRAP, LANDLOCK, OFF = "bubblewrap", "landlock", "off"
ENVIRONMENT = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "PYTHONCOERCECLOCALE": "0", "TZ": "UTC"}
MEGABYTE = 1 << 20
BYTES_PER_READ = 1 << 16
WORKING_CPU_SHARE = 1 / 50  # a child that uses this share of a processor is working, even on a busy machine
ADDR_NO_RANDOMIZE, ASK_PERSONALITY = 0x0040000, 0xFFFFFFFF  # constants for Linux's `personality`
T = TypeVar("T")


class SandboxDied(RuntimeError):
    """Raised when the sandbox itself fails. The answer that runs is not the cause of this failure."""


class ChildTooSlow(Exception):
    """Raised when a child has used up its wall-clock time."""


class ChildTooLoud(Exception):
    """Raised when a child has sent more data than is allowed."""


@dataclass(frozen=True)
class Limits:
    """The limits of a child: CPU and wall-clock seconds; MB of memory, of output and of one file; and open files."""

    cpu_seconds: int = 10
    wall_seconds: float = 30.0
    memory_mb: int = 512
    output_mb: int = 16
    file_mb: int = 1
    open_files: int = 32


class Child:
    """A confined child process, as the grader sees it.

    After the child has ended, `cpu_seconds` is the CPU time that the child used.
    """

    def __init__(self, channel: socket.socket, cage: Cage, limits: Limits) -> None:
        self._channel, self._cage, self._limits = channel, cage, limits
        self._deadline = time.monotonic() + self._limits.wall_seconds
        self._received, self._ahead = 0, bytearray()
        self._hung_up = False
        self._known_end: ChildExit | None = None
        self._has_ended = False
        self._worked = self.cpu_seconds = 0.0

    def restart_clock(self) -> None:
        """Start the wall-clock limit again, for a child that receives several requests."""
        self._deadline = time.monotonic() + self._limits.wall_seconds

    def send(self, data: bytes) -> None:
        """Send one message.

        If the child has ended, no exception is raised here, but the next `receive` returns None.
        """
        with suppress(BrokenPipeError, ConnectionResetError):
            self._run_before_deadline(lambda: self._channel.sendall(len(data).to_bytes(4, "big") + data))

    def send_last(self, data: bytes) -> None:
        """Send one message and close the sending side, so that the child does not wait for more."""
        self.send(data)
        with suppress(OSError):
            self._channel.shutdown(socket.SHUT_WR)

    def receive(self) -> bytes | None:
        """Return the next message, or None if the child has ended.

        Raises ChildTooSlow or ChildTooLoud if a limit is reached.
        """
        header = self._receive_exactly(4)
        return None if header is None else self._receive_exactly(int.from_bytes(header, "big"))

    def _receive_exactly(self, count: int) -> bytes | None:
        self._received += count
        if self._received > self._limits.output_mb * MEGABYTE:
            self._known_end = TooLoud(self._limits.output_mb)
            raise ChildTooLoud
        while len(self._ahead) < count:
            try:
                part = self._run_before_deadline(lambda: self._channel.recv(BYTES_PER_READ))
            except ConnectionResetError:
                part = b""
            except ChildTooSlow:
                # A child that has worked since the last time gets more time, because the machine is busy.
                before, self._worked = self._worked, self._cage.child_cpu_seconds()
                if self._worked - before < self._limits.wall_seconds * WORKING_CPU_SHARE:
                    raise
                self._known_end = None
                self.restart_clock()
                continue
            if not part:
                self._hung_up = True
                return None
            self._ahead += part
        data = bytes(self._ahead[:count])
        del self._ahead[:count]
        return data

    def _run_before_deadline(self, act: Callable[[], T]) -> T:
        try:
            self._channel.settimeout(max(self._deadline - time.monotonic(), 1e-6))
            return act()
        except TimeoutError:
            self._known_end = TooSlow(self._limits.wall_seconds)
            raise ChildTooSlow from None

    def end(self) -> ChildExit:
        """End the child if it still runs, and return how it ended.

        A child that has closed its channel gets time to exit by itself. If such a child were killed at once, chance
        would decide how it ends.
        """
        if not self._has_ended:
            self._channel.close()
            killed_by, status, self.cpu_seconds = self._cage.reap(patient=self._hung_up)
            self._has_ended = True
            used = self.cpu_seconds, self._limits.cpu_seconds
            of_itself = child_exit(killed_by, status, *used) if self._hung_up else FAILED_EXIT
            self._cage.is_worn |= self._known_end is not None or (self._hung_up and of_itself != Exited(0))
            self._known_end = self._known_end or of_itself
        assert self._known_end is not None
        return self._known_end


@dataclass
class Cage:
    """A process that forks child processes, which are confined at a sandbox level.

    A cage does not test whether its sandbox level works on the machine. A cage is a context manager. The process of a
    cage starts only when the first child is needed. If all results of a submission are cached, no process starts. Use a
    cage in only one thread, and with one child at a time. If `is_worn` is true, use another cage, because a child or
    the cage's process ended abnormally. If two cages are equal, a child cannot notice in which one it runs.

    A confined child cannot open files, so it can import only modules that its cage has loaded. The cage loads `imports`
    (of the standard library and toolz), and everything that the cage itself imports. The cage also loads `modules` of
    the course, and all modules of the course and of `packages` that these modules import. It does not load `withheld`
    modules. `secrets` are paths that no answer may read. After the cage has ended, `cpu_seconds` is the total CPU time
    of its processes. The processes report this time themselves, because bubblewrap hides it from the grader.
    """

    modules: Sequence[str] = ()
    limits: Limits = Limits()
    level: str = "auto"
    runner: str = "inside.runner"
    withheld: Sequence[str] = ()
    packages: Mapping[str, Path] = field(default_factory=dict)
    imports: Sequence[str] = ()
    secrets: tuple[Path, ...] = field(kw_only=True)

    def __post_init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._problem: SandboxDied | None = None
        self.is_worn, self.cpu_seconds = False, 0.0

    def __enter__(self) -> Self:
        if not hasattr(os, "fork"):
            raise NotImplementedError("the sandbox needs fork, which this system lacks; use Linux, macOS or WSL")
        return self

    def __exit__(self, *_: object) -> None:
        """Close the control sockets, which ends the processes. The first process reports the total CPU time."""
        if self._process is None:
            return
        with suppress(OSError, ValueError, SandboxDied):
            self._control.settimeout(2)
            self._control.shutdown(socket.SHUT_WR)
            self.cpu_seconds = float(self._read_line())
        self._control.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(2)
        self._process.kill()
        self._process.communicate()

    @contextmanager
    def child(self, looks: bool = False, seconds: int | None = None) -> Iterator[Child]:
        """Provide a new child process for the `with` block. The child may use `seconds` of CPU time.

        Only the self-test sets `looks`, so that its child may look for files.
        """
        if self._process is None and self._problem is None:
            self._start()
        if self._problem:
            raise self._problem
        limits, kind = self.limits, b"l" if looks else b"f"
        if seconds is not None and seconds < limits.cpu_seconds:
            wall_seconds = min(limits.wall_seconds, 3 * seconds + 5)
            limits = replace(limits, cpu_seconds=seconds, wall_seconds=wall_seconds)
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                self._send_order(frames.ORDER_FORMAT.pack(kind, limits.cpu_seconds), theirs.fileno())
            child = Child(ours, self, limits)
            try:
                yield child
            finally:
                child.end()

    def reap(self, patient: bool) -> tuple[int | None, int | None, float]:
        """End the current child.

        Return the signal that killed the child (or None), its exit status (or None), and its CPU time.
        """
        self._send_order(b"w" if patient else b"r")
        killed_by, status, cpu_seconds = self._read_line().split()
        return int(killed_by) or None, None if int(killed_by) else int(status), float(cpu_seconds)

    def child_cpu_seconds(self) -> float:
        """Return the CPU time that the current child has used so far."""
        self._send_order(b"c")
        return float(self._read_line())

    def _send_order(self, order: bytes, *fds: int) -> None:
        try:
            if fds:
                socket.send_fds(self._control, [order], list(fds))
            else:
                self._control.sendall(order)
        except OSError as error:
            raise self._sandbox_error(f"has died: {error}") from None

    def _read_line(self) -> bytes:
        """Return the process's next line. The process sends a line only on request, so no other line follows."""
        line = b""
        while not line.endswith(b"\n"):
            try:
                part = self._control.recv(1 << 16)
            except OSError as error:
                raise self._sandbox_error(f"does not respond: {error}") from None
            if not part:
                raise self._sandbox_error("has died")
            line += part
        return line

    def _sandbox_error(self, how: str) -> SandboxDied:
        self.is_worn = True
        return SandboxDied(f"the sandbox {how}")

    def _start(self) -> None:
        """Start the process in its own session, so that only the grader receives interrupts."""
        self._control, theirs = socket.socketpair()
        files = sources.course_files(self.modules, self.withheld, self.packages)
        command = sources.zygote_command(str(sources.PACKAGE_FOLDERS["inside"]), theirs.fileno())
        if self.level == BUBBLEWRAP:
            start = sources.zygote_command(sources.sandbox_path("inside"), theirs.fileno())
            command = [*sources.bubblewrap_command(shutil.which("bwrap") or "bwrap", files), *start]
        try:
            with theirs, disable_address_randomization():
                process = subprocess.Popen(
                    command,
                    pass_fds=(theirs.fileno(),),
                    env=ENVIRONMENT,
                    cwd="/",
                    start_new_session=True,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                )
        except OSError as error:
            self._control.close()
            self._problem = self._sandbox_error(f"does not start: {error}")
            return
        self._control.settimeout(self.limits.wall_seconds + 30)
        try:
            self._send_order(json.dumps(self._settings(files)).encode() + b"\n")
            self._read_line()
        except BaseException as error:  # after an interrupt, the next child starts another process
            process.kill()
            words = process.communicate()[1].decode(errors="replace").strip()
            self._control.close()
            if not isinstance(error, SandboxDied):
                raise
            reason = words.splitlines()[-1].removeprefix("inside.confine.") if words else "no reason given"
            self._problem = self._sandbox_error(f"does not start: {reason}")
        else:
            self._process = process

    def _settings(self, files: Mapping[Path, str]) -> dict[str, object]:
        folders = {**sources.PACKAGE_FOLDERS, **self.packages}
        packages = {name: sources.sandbox_path(name) for name in folders} if self.level == BUBBLEWRAP else folders
        complete = [sources.PACKAGE_FOLDERS[name] for name in sources.MOUNTED_COMPLETELY]
        readable = [*sources.readable_paths(), *complete, *files] if self.level == LANDLOCK else []
        return {
            "confined": self.level != OFF,
            "packages": {name: str(folder) for name, folder in packages.items()},
            "readable": [str(path) for path in readable],
            "modules": self.modules,
            "course": sources.course_modules(self.modules, self.withheld, self.packages),
            "imports": [*ALWAYS_IMPORTED, *sources.standard_imports_of(self.withheld, self.packages), *self.imports],
            "runner": self.runner,
            "limits": asdict(self.limits),
        }


@contextmanager
def disable_address_randomization() -> Iterator[None]:
    """Disable address randomization in the processes that this thread starts during the `with` block.

    Some hashes, and so the order of some sets, depend on memory addresses. In containers that do not allow fixed
    addresses, addresses stay random.
    """
    import ctypes

    personality = getattr(ctypes.CDLL(None), "personality", None) if sys.platform == "linux" else None
    before = personality(ctypes.c_ulong(ASK_PERSONALITY)) if personality else -1
    if before < 0 or personality is None:
        yield
        return
    personality(ctypes.c_ulong(before | ADDR_NO_RANDOMIZE))
    try:
        yield
    finally:
        personality(ctypes.c_ulong(before))
