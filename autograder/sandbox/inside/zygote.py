"""The process from which answers are forked. This process has imported everything already, and runs no student's code.

Its control socket receives requests: fork a child, read a child's clock, or end a child, at once or after a moment. A
child's data goes through a channel that only this child has, so no other child can read it.
"""

from __future__ import annotations

import _socket
import builtins
import gc
import io
import json
import os
import resource
import signal
import struct
import sys
import time
from contextlib import suppress
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from types import ModuleType
from typing import Any, NoReturn

from . import confine, frames

CHANNEL, CONTROL = 3, 4
FD_RANGE_END = 1 << 20
_builtin_open = open
ForkOrder = tuple[bytes, int, int]  # the child's kind, seconds of CPU time, and channel
PATIENCE = 0.5


class MountedPackageFinder:
    """An import finder for packages in the folders where they are mounted.

    The finder loads only these packages, and no other modules in the same folders.
    """

    def __init__(self, folders: dict[str, str]) -> None:
        self.folders = folders

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the spec of a mounted package."""
        if name not in self.folders:
            return None
        folder = self.folders[name]
        return spec_from_file_location(name, f"{folder}/__init__.py", submodule_search_locations=[folder])


def main(control_fd: int) -> NoReturn:
    """Answer the requests on the control socket until the socket closes.

    All children continue from this function, so their call stacks begin with the same calls.
    """
    gc.disable()  # what these processes load, they keep
    os.dup2(control_fd, CONTROL)  # every child closes this number; all other files are closed here
    os.closerange(CHANNEL, CONTROL)
    os.closerange(CONTROL + 1, FD_RANGE_END)
    control = _socket.socket(fileno=CONTROL)
    line = b""
    while not line.endswith(b"\n"):
        part = control.recv(1 << 16)
        if not part:
            os._exit(0)
        line += part
    settings = json.loads(line)
    del line, part
    runner = _prepare_runner(settings)
    control.sendall(b"ready\n")
    try:
        while not (order := _fork_once(control)):  # in a forked process, the loop ends
            pass
        kind, seconds, channel = order
        settings["limits"] |= {"cpu_seconds": seconds}
        _run_child(channel, settings, kind == b"l", runner)
    finally:
        os._exit(1)


def _fork_once(control: _socket.socket) -> ForkOrder | None:
    """Carry out the next request to fork, and return this request in the new process.

    In the old process, send the child's CPU time on each request, and finally how the child ended. A child may leave no
    trace that a later child could notice.
    """
    message, ancillary, _, _ = control.recvmsg(frames.ORDER_FORMAT.size, _socket.CMSG_SPACE(4))
    if not message:  # the control socket is closed
        with suppress(OSError):
            used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
            control.sendall(b"%f\n" % sum(each.ru_utime + each.ru_stime for each in used))
        os._exit(0)
    (channel,) = struct.unpack("i", ancillary[0][2])
    pid = os.fork()
    if pid == 0:
        return (*frames.ORDER_FORMAT.unpack(message), channel)
    os.close(channel)
    while (reaping := control.recv(1)) == b"c":
        control.sendall(b"%f\n" % _cpu_seconds_of(pid))
    control.sendall(_reap_child(pid, PATIENCE if reaping == b"w" else 0.0))
    return None


def _prepare_runner(settings: dict[str, Any]) -> ModuleType:
    """Import everything a child needs, confine this process, and return the runner."""
    sys.argv[:], sys.path[:1] = [""], []
    sys.meta_path[:0] = [
        frames.WithheldModuleFinder([*settings["course"], *settings["modules"]]),  # type: ignore[list-item]
        MountedPackageFinder(settings["packages"]),  # type: ignore[list-item]
    ]
    modules = [import_module(name) for name in settings["modules"]]
    runner = import_module(settings["runner"])
    getattr(runner, "prepare", len)(modules)
    if settings["confined"]:
        confine.prepare_confinement()
        # An answer cannot open files. A missing module raises its error later, in the answer. A module may raise
        # anything: `unittest.__main__` runs the tests that it finds, and exits.
        for name in (*settings["course"], *settings["imports"]):
            with suppress(BaseException):
                import_module(name)
    if settings["readable"]:
        confine.restrict_paths(settings["readable"], [os.devnull])
    for patience in (0.0, PATIENCE):  # the first fork leaves traces in memory that a child could notice
        _reap_child(os.fork() or os._exit(0), patience)
    gc.collect()
    gc.freeze()
    return runner


def _run_child(channel: int, settings: dict[str, Any], looks: bool, runner: ModuleType) -> NoReturn:
    """Confine this process, run the runner with its channel, and end without running exit handlers."""
    status = 1
    try:
        os.dup2(1, 2)  # the numbers 0, 1 and 2 are connected to nothing
        if channel != CHANNEL:
            os.dup2(channel, CHANNEL)
        os.closerange(CHANNEL + 1, 64)  # close everything except the channel
        confine.limit_resources(settings["limits"])
        if settings["confined"]:
            builtins.open = io.open = _open_with_shared_null  # type: ignore[assignment]
            confine.confine_child(looks)
        runner.main(frames.Connection(CHANNEL))
        status = 0
    finally:
        os._exit(status)


def _open_with_shared_null(file: Any, mode: str = "r", *rest: Any, **options: Any) -> Any:
    """Open a file as usual, except /dev/null, which some answers need and which is already open."""
    return _builtin_open(os.dup(1) if file == os.devnull else file, mode, *rest, **options)


def _cpu_seconds_of(pid: int) -> float:
    """Return the CPU time that a child has used so far, or 0 if the system has no such clock."""
    try:
        return time.clock_gettime(~pid << 3 | 2)  # the number that clock_getcpuclockid returns for a process on Linux
    except OSError:
        return 0.0


def _reap_child(pid: int, patience: float) -> bytes:
    """Kill a child after at most `patience` seconds, and return its signal, status and CPU time.

    No child may change this process's memory. Otherwise, the next child could learn from memory addresses how an
    earlier child ended. For this reason, a child is killed even if it has ended, and the numbers have a fixed width.
    """
    status, cpu_seconds = (_reap_on_linux if sys.platform == "linux" else _reap_elsewhere)(pid, patience)
    return b"%4d %4d %14.6f\n" % (os.WTERMSIG(status), os.WEXITSTATUS(status), cpu_seconds)


def _reap_on_linux(pid: int, patience: float) -> tuple[int, float]:
    """Reap without `wait4`.

    The result of `wait4` has large integers, which are objects that are freed in varying order.
    """
    until = time.monotonic() + patience
    while patience and not os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) and time.monotonic() < until:
        time.sleep(0.001)
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    cpu_seconds = _cpu_seconds_of(pid)
    return os.waitpid(pid, 0)[1], cpu_seconds


def _reap_elsewhere(pid: int, patience: float) -> tuple[int, float]:
    done, until = 0, time.monotonic() + patience
    while patience and not done and time.monotonic() < until:
        done, status, used = os.wait4(pid, os.WNOHANG)
        time.sleep(0 if done else 0.001)
    if not done:
        os.kill(pid, signal.SIGKILL)
        _, status, used = os.wait4(pid, 0)
    return status, used.ru_utime + used.ru_stime
