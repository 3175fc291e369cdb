"""Simulates a poorer machine: hides programs and Landlock from this process and its children.

Features of Unix are hidden from this process alone.
"""

from __future__ import annotations

import atexit
import ctypes
import errno
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from autograder.sandbox.inside.confine import LANDLOCK_CREATE

PROGRAMS = {
    "bubblewrap": ("bwrap",),
    "browser": ("chromium", "chromium-browser"),
    "npm": ("npm",),
}
NO_NEW_PRIVILEGES, SET_SECCOMP, FILTER = 38, 22, 2
LOAD_NUMBER, SKIP_UNLESS, ANSWER = 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
ABILITIES = (*PROGRAMS, "landlock", "unix")
# What Windows has not, as far as what runs here can do without it; macOS has all of it.
MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")
CALLS = {
    os: ("fork", "forkpty", "getpgid", "killpg", "mkfifo", "sched_getaffinity", "setsid", "O_NOFOLLOW", "O_NONBLOCK"),
    signal: ("setitimer", "getitimer", "alarm", "pause", "pthread_sigmask", "SIGALRM", "SIGKILL", "SIGPROF", "SIGXCPU"),
    socket: ("send_fds", "recv_fds"),
}


def do_without(abilities: Iterable[str]) -> None:
    """Hide these abilities, permanently."""
    lost = set(abilities)
    hide({program for ability in lost & {*PROGRAMS} for program in PROGRAMS[ability]})
    if "unix" in lost:
        sys.modules |= dict.fromkeys(MODULES)  # type: ignore[arg-type]
        take_calls()
    if "landlock" in lost:
        refuse(LANDLOCK_CREATE)


def take_calls() -> None:
    """Hide functions and constants that Windows lacks from this process."""
    for module, names in CALLS.items():
        for name in names:
            vars(module).pop(name, None)


def hide(programs: set[str]) -> None:
    """Replace each folder of PATH that has one of these programs by one with links to all its others."""
    folders = map(Path, os.environ["PATH"].split(os.pathsep))
    os.environ["PATH"] = os.pathsep.join(str(_without(folder, programs)) for folder in folders)


def _without(folder: Path, programs: set[str]) -> Path:
    if not any((folder / program).exists() for program in programs):
        return folder
    links = Path(tempfile.mkdtemp(prefix="foldem-path-"))
    atexit.register(shutil.rmtree, links)
    for program in folder.iterdir():
        if program.name not in programs:
            (links / program.name).symlink_to(program)
    return links


def refuse(number: int) -> None:
    """Let a system call fail as on a kernel that does not know it."""
    libc = ctypes.CDLL(None, use_errno=True)
    question = (LOAD_NUMBER, 0, 0, 0), (SKIP_UNLESS, 0, 1, number)
    answers = (ANSWER, 0, 0, REFUSE | errno.ENOSYS), (ANSWER, 0, 0, ALLOW)
    code = b"".join(struct.pack("HBBI", *step) for step in question + answers)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(buffer))
    if libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) or libc.prctl(SET_SECCOMP, FILTER, program, 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp")


if __name__ == "__main__":
    do_without(sys.argv[1].split(","))
    sys.exit(subprocess.run(sys.argv[2:]).returncode)
