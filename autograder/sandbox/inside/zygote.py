"""The process that answers are forked from: it has everything imported, and runs no code of a student's itself.

It is told over its control socket to fork (the message carries the child's own channel) and to reap. Whatever
a child is to know travels over the child's channel, so that no other child can read it here.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from . import confine, frames


def main(control_fd: int, settings: dict[str, Any]) -> None:
    """Serve the control socket until it closes."""
    control = socket.socket(fileno=control_fd)
    confine.protect_memory()
    confine.cage_zygote(settings)
    for name in settings["modules"]:
        import_module(name)
    runner = import_module(settings["runner"])
    gc.collect()
    gc.freeze()
    control.sendall(b"ready\n")
    while True:
        message, fds, _, _ = socket.recv_fds(control, 64, 1)
        if not message:
            return
        pid = os.fork()
        if pid == 0:
            _child(control, fds[0], runner, settings)
        os.close(fds[0])
        control.sendall(b"%d\n" % pid)
        control.sendall(json.dumps(_reaped(control, pid)).encode() + b"\n")


def _child(control: socket.socket, fd: int, runner: ModuleType, settings: dict[str, Any]) -> None:
    """Confine this process, run the runner over its channel, and end without running anything at exit."""
    status = 1
    try:
        control.close()
        channel = frames.Connection(socket.socket(fileno=fd))
        confine.confine(settings)
        runner.main(channel)
        status = 0
    except BaseException:
        status = 1
    finally:
        os._exit(status)


def _reaped(control: socket.socket, pid: int) -> dict[str, Any]:
    """Wait for the order to reap, kill what is left of the child, and say how it ended."""
    control.recv(64)
    done, status, used = os.wait4(pid, os.WNOHANG)
    if not done:
        os.kill(pid, signal.SIGKILL)
        _, status, used = os.wait4(pid, 0)
    died_of = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    return {
        "alive": not done,
        "signal": died_of,
        "status": None if died_of else os.WEXITSTATUS(status),
        "cpu_seconds": used.ru_utime + used.ru_stime,
    }


if __name__ == "__main__":
    main(int(sys.argv[1]), json.loads(sys.argv[2]))
