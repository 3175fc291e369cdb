"""What a hostile answer would try, tried at start-up by ourselves: whatever succeeds is reported."""

from __future__ import annotations

import _thread
import ctypes
import json
import os
import resource
import signal
import socket
from collections.abc import Callable
from contextlib import suppress

from . import frames

PTRACE_SEIZE = 0x4206
LIBC = ctypes.CDLL(None, use_errno=True)


def main(connection: frames.Connection) -> None:
    """Try everything, given the paths of secrets, and send the list of what succeeded."""
    secrets = json.loads(connection.receive() or b"[]")
    attempts = dict(ATTEMPTS) | {f"reading {path}": lambda path=path: _read(path) for path in secrets}
    connection.send(json.dumps([name for name, attempt in attempts.items() if _succeeds(attempt)]).encode())


def _succeeds(attempt: Callable[[], object]) -> bool:
    try:
        return attempt() is not False
    except Exception:
        return False


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _exec() -> None:
    os.posix_spawn("/bin/true", ["true"], {})


def _connect(family: int, kind: int, address: object) -> Callable[[], bool]:
    def attempt() -> bool:
        with socket.socket(family, kind) as channel:
            channel.settimeout(0.2)
            with suppress(ConnectionRefusedError):
                channel.connect(address)  # type: ignore[arg-type]
        return True

    return attempt


def _signal_parent() -> None:
    os.kill(os.getppid(), 0)


def _signal_all() -> None:
    os.kill(-1, signal.SIGCONT)


def _trace_parent() -> bool:
    return LIBC.ptrace(PTRACE_SEIZE, os.getppid(), None, None) == 0


def _read_parent() -> None:
    with open(f"/proc/{os.getppid()}/mem", "rb") as memory:
        memory.read(1)


def _read_parent_environment() -> None:
    with open(f"/proc/{os.getppid()}/environ", "rb") as environment:
        environment.read(1)


def _write(path: str) -> Callable[[], None]:
    def attempt() -> None:
        with open(path, "w") as file:
            file.write("x")
        os.unlink(path)

    return attempt


def _raise_limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def _read(path: str) -> None:
    if os.path.isdir(path):
        os.listdir(path)
    else:
        with open(path, "rb") as file:
            file.read(1)


ATTEMPTS: tuple[tuple[str, Callable[[], object]], ...] = (
    ("forking", _fork),
    ("running a program", _exec),
    ("starting a thread", lambda: _thread.start_new_thread(int, ())),
    ("a TCP socket", _connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 9))),
    ("a UDP socket", _connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 9))),
    ("a unix socket", _connect(socket.AF_UNIX, socket.SOCK_STREAM, "\0foldem-self-test")),
    ("signalling the parent", _signal_parent),
    ("signalling everybody", _signal_all),
    ("tracing the parent", _trace_parent),
    ("reading the parent's memory", _read_parent),
    ("reading the parent's environment", _read_parent_environment),
    ("writing to /tmp", _write("/tmp/foldem-self-test")),
    ("writing to /", _write("/foldem-self-test")),
    ("writing to the course", _write(os.path.join(os.path.dirname(os.path.dirname(__file__)), "course", "x"))),
    ("raising its limits", _raise_limit),
)
