"""The sandbox from outside: one process per submission, a forked child per exercise, and how each ended.

Levels: "bubblewrap" (namespaces, and a seccomp filter in each child), "landlock" (for containers without user
namespaces: Landlock, seccomp, limits), "off" (limits only: for one's own code, or said aloud). The first two are
used only where a self-test from inside finds nothing that it could do. macOS has only "off", Windows none.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import course

INSIDE = Path(__file__).parent / "inside"
COURSE = Path(course.__file__).parent
BUBBLEWRAP, LANDLOCK, OFF = "bubblewrap", "landlock", "off"
INSTALL = (
    "there is no sandbox on this machine, so nothing is graded: install bubblewrap "
    "(Debian, Ubuntu: apt-get install bubblewrap). A teacher who trusts the submissions may say --sandbox=off. "
    "`foldem doctor` tells more."
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
    """What a child may use. CPU and wall-clock time in seconds; memory, its files and what it sends in MB."""

    cpu_seconds: int = 10
    wall_seconds: float = 30.0
    memory_mb: int = 512
    output_mb: int = 16
    file_mb: int = 1
    open_files: int = 32
    processes: int = 512


@dataclass(frozen=True)
class Exit:
    """How a child ended."""

    signal: int | None
    status: int | None
    cpu_seconds: float
    killed: bool = False

    @property
    def text(self) -> str:
        """Give one clear line, as said of a call: "ended the process (exit status 3)"."""
        if self.signal in (signal.SIGXCPU, signal.SIGKILL) and not self.killed:
            return "used up the CPU time that an exercise may take"
        if self.killed:
            return "took too long, or sent too much, and was stopped"
        if self.signal is not None:
            return f"crashed the process ({signal.Signals(self.signal).name})"
        return f"ended the process (exit status {self.status})"


class Child:
    """A confined child, as the grader talks to it."""

    def __init__(self, channel: socket.socket, control: socket.socket, limits: Limits) -> None:
        self.channel, self.control, self.limits = channel, control, limits
        self.deadline = time.monotonic() + limits.wall_seconds
        self.received = 0
        self._exit: Exit | None = None

    def send(self, data: bytes) -> None:
        """Send one message; a child that is gone by then is noticed when it is listened to."""
        self.channel.settimeout(self._left())
        with suppress(BrokenPipeError, ConnectionResetError, TimeoutError):
            self.channel.sendall(len(data).to_bytes(4, "big") + data)

    def receive(self) -> bytes | None:
        """Give the next message, None if the child is gone. ChildTooSlow and ChildTooLoud end its run."""
        header = self._exactly(4)
        return None if header is None else self._exactly(int.from_bytes(header, "big"))

    def _exactly(self, count: int) -> bytes | None:
        self.received += count
        if self.received > self.limits.output_mb << 20:
            raise ChildTooLoud(f"sent more than {self.limits.output_mb} MB")
        parts = bytearray()
        while len(parts) < count:
            self.channel.settimeout(self._left())
            try:
                part = self.channel.recv(min(count - len(parts), 1 << 20))
            except TimeoutError:
                raise ChildTooSlow("took too long") from None
            except ConnectionResetError:
                return None
            if not part:
                return None
            parts += part
        return bytes(parts)

    def _left(self) -> float:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise ChildTooSlow("took too long")
        return left

    def end(self) -> Exit:
        """End the child if it is still there, and say how it ended."""
        if self._exit is None:
            self.channel.close()
            self.control.sendall(b"reap\n")
            told = json.loads(_line(self.control))
            self._exit = Exit(
                None if told["alive"] else told["signal"], told["status"], told["cpu_seconds"], bool(told["alive"])
            )
        return self._exit


class Sandbox:
    """One sandbox, for one submission: a process that answers are forked from. A context manager."""

    def __init__(
        self,
        modules: Sequence[str] = (),
        limits: Limits | None = None,
        level: str = "auto",
        runner: str = "inside.runner",
        extra: Sequence[Path] = (),
    ) -> None:
        self.modules, self.limits, self.runner, self.extra = tuple(modules), limits or Limits(), runner, tuple(extra)
        self.level = find_level() if level == "auto" else checked_level(level)

    def __enter__(self) -> Sandbox:
        self.scratch = tempfile.mkdtemp(prefix="foldem-")
        self.control, theirs = socket.socketpair()
        self.control.settimeout(self.limits.wall_seconds + 30)
        with theirs:
            self.process = subprocess.Popen(
                self._command(theirs.fileno()),
                pass_fds=(theirs.fileno(),),
                env=ENVIRONMENT,
                cwd=self.scratch,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
        try:
            _line(self.control)
        except SandboxDied:
            stderr = self.process.stderr
            story = stderr.read()[-500:].decode(errors="replace").strip() if stderr else ""
            self.__exit__(None, None, None)
            raise SandboxDied(f"it does not start: {story}") from None
        return self

    def __exit__(self, *_: object) -> None:
        self.control.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(2)
        self.process.kill()
        self.process.wait()
        if self.process.stderr:
            self.process.stderr.close()
        shutil.rmtree(self.scratch, ignore_errors=True)

    @contextmanager
    def child(self) -> Iterator[Child]:
        """Give a new child; it is gone when the block ends."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            try:
                socket.send_fds(self.control, [b"fork\n"], [theirs.fileno()])
            except OSError as error:
                raise SandboxDied(str(error)) from None
            theirs.close()
            _line(self.control)
            child = Child(ours, self.control, self.limits)
            try:
                yield child
            finally:
                child.end()

    def _command(self, control: int) -> list[str]:
        settings = {
            "level": self.level,
            "confined": self.level != OFF,
            "modules": self.modules,
            "runner": self.runner,
            "limits": asdict(self.limits),
            "readable": [str(path) for path in self._readable()],
            "writable": [self.scratch, os.devnull],
        }
        places = self._places()
        start = f"import sys; sys.path[:0] = {places!r}; from inside.zygote import main; import json; "
        start += "main(int(sys.argv[1]), json.loads(sys.argv[2]))"
        python = [sys.executable if self.level == OFF else _real_python(), "-s", "-S", "-B", "-c", start]
        wrap = bubblewrap(self._readable()) if self.level == BUBBLEWRAP else []
        return [*wrap, *python, str(control), json.dumps(settings)]

    def _places(self) -> list[str]:
        """The folders that modules are found in, inside: those above `inside`, `course` and toolz."""
        return ["/foldem", *map(str, self.extra)] if self.level == BUBBLEWRAP else [*_linked(), *map(str, self.extra)]

    def _readable(self) -> list[Path]:
        return [*_interpreter_paths(), INSIDE, COURSE, _toolz(), *self.extra, Path("/etc/localtime")]


ENVIRONMENT = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"}


def _line(control: socket.socket) -> bytes:
    """Give the next line from the zygote; SandboxDied if it is gone."""
    line = bytearray()
    while not line.endswith(b"\n"):
        try:
            part = control.recv(1)
        except OSError as error:
            raise SandboxDied(str(error)) from None
        if not part:
            raise SandboxDied("its process is gone")
        line += part
    return bytes(line)


@cache
def _toolz() -> Path:
    import toolz

    return Path(toolz.__file__).parent


@cache
def _linked() -> tuple[str, ...]:
    """Give one folder that holds exactly `inside`, `course` and toolz, for the levels that mount nothing."""
    folder = tempfile.mkdtemp(prefix="foldem-path-")
    for name, path in (("inside", INSIDE), ("course", COURSE), ("toolz", _toolz())):
        os.symlink(path, os.path.join(folder, name))
    import atexit

    atexit.register(shutil.rmtree, folder, True)
    return (folder,)


@cache
def _real_python() -> str:
    """Give the interpreter itself: a virtual environment's link would lead to its site-packages."""
    return os.path.realpath(sys.executable)


@cache
def _interpreter_paths() -> tuple[Path, ...]:
    """Give what the interpreter needs: itself, the standard library without site-packages, shared libraries."""
    library = Path(sysconfig.get_path("stdlib"))
    parts = [part for part in library.iterdir() if part.name not in ("site-packages", "dist-packages", "__pycache__")]
    shared = [Path(place) for place in ("/lib", "/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu")]
    libpython = sorted(Path(sys.base_prefix, "lib").glob("libpython*"))
    cache_file = [Path("/etc/ld.so.cache")]
    return tuple(path for path in (Path(_real_python()), *parts, *libpython, *shared, *cache_file) if path.exists())


def bubblewrap(readable: Sequence[Path]) -> list[str]:
    """Give the command that builds the cage: namespaces, and nothing mounted but what is readable."""
    command = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    command += ["--tmpfs", "/", "--dev", "/dev"]
    for path in readable:
        target = f"/foldem/{path.name}" if path in (INSIDE, COURSE, _toolz()) else str(path)
        command += ["--ro-bind", str(path), target]
    command += ["--size", str(8 << 20), "--tmpfs", "/scratch", "--chdir", "/scratch", "--remount-ro", "/"]
    return command


def checked_level(level: str) -> str:
    """Give a level that was asked for by name; NoSandbox if it does not hold here."""
    if level not in (BUBBLEWRAP, LANDLOCK, OFF):
        raise NoSandbox(f"there is no sandbox level {level!r}: auto, bubblewrap, landlock or off")
    if level != OFF and (found := failings(level)):
        raise NoSandbox(f"the sandbox level {level} does not hold here: {'; '.join(found)}. {INSTALL}")
    return level


@cache
def find_level() -> str:
    """Give the best level whose self-test finds nothing; NoSandbox, saying what to install, if none does."""
    for level in (BUBBLEWRAP, LANDLOCK):
        if not failings(level):
            return level
    raise NoSandbox(INSTALL)


@cache
def failings(level: str) -> tuple[str, ...]:
    """Give what a level fails to prevent here, or why it cannot be had; nothing if it holds."""
    if sys.platform != "linux":
        return (f"{sys.platform} has no sandbox",)
    if level == BUBBLEWRAP and not shutil.which("bwrap"):
        return ("bubblewrap is not installed",)
    try:
        return tuple(self_test(level))
    except SandboxDied as error:
        return (str(error),)


def self_test(level: str, secrets: Sequence[Path] = ()) -> list[str]:
    """Try from inside everything that must not be possible, and give what was."""
    from autograder.exams import cache_folder

    with tempfile.TemporaryDirectory(prefix="foldem-neighbour-") as folder:
        neighbour = Path(folder) / "neighbour.ipynb"
        neighbour.write_text("a neighbour's submission")
        targets = [COURSE.parent / "solutions", INSIDE.parent.parent, cache_folder(), neighbour, *secrets]
        sandbox = Sandbox.__new__(Sandbox)
        sandbox.modules, sandbox.limits, sandbox.runner, sandbox.extra = (), Limits(), "inside.selftest", ()
        sandbox.level = level
        with sandbox, sandbox.child() as child:
            child.send(json.dumps([str(path) for path in targets if path.exists()]).encode())
            told = child.receive()
            if told is None:
                raise SandboxDied(f"the self-test {child.end().text}")
            return list(json.loads(told))
