"""Confinement from inside: resource limits, Landlock, and a seccomp filter that blocks calls by default."""

from __future__ import annotations

import ctypes
import os
import resource
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache

from . import syscalls

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
SECCOMP_MODE_FILTER = 2
SIGKILL = 9
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
# Landlock's rights on files, and their number in each version. Then the rights on networks, and scopes.
WRITE_FILE, READ_FILE, READ_DIR = 2, 4, 8
FILE_RIGHT_COUNTS = {1: 13, 2: 14, 3: 15, 4: 15}
ALL_FILE_RIGHTS, ALL_NET_RIGHTS, ALL_SCOPES = 16, 3, 3


class CannotConfine(RuntimeError):
    """Raised if a requested kind of confinement does not work on this machine."""


def limit_resources(limits: dict[str, int]) -> None:
    """Set this process's resource limits, so that they cannot be raised again."""
    megabyte = 1 << 20
    for kind, amount, more in (
        # The limit for SIGXCPU is reached first. It is the certain sign of this limit, while the CPU times of the
        # kernel and of `wait4` differ by some percent.
        (resource.RLIMIT_CPU, limits["cpu_seconds"], 1),
        (resource.RLIMIT_AS, limits["memory_mb"] * megabyte, 0),
        (resource.RLIMIT_FSIZE, limits["file_mb"] * megabyte, 0),
        (resource.RLIMIT_NOFILE, limits["open_files"], 0),
        (resource.RLIMIT_NPROC, 0, 0),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        # macOS does not accept some limits, and a lower limit remains. If that matters, the self-test reports it.
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (amount, amount + more))


def confine_child(looks: bool = False) -> None:
    """Permanently isolate this process from all others. The process ends when its parent ends.

    If `looks` is true, the process may still look for files. The self-test needs such a process to see which files can
    be found.
    """
    _prctl(PR_SET_PDEATHSIG, SIGKILL)
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    if landlock_version() >= 6:
        _enforce(_create_ruleset(0, 0, ALL_SCOPES))
    filter_system_calls(looks)


def filter_system_calls(looks: bool = False) -> None:
    """Block every system call that `syscalls.py` does not list.

    Raises CannotConfine if seccomp does not work on this machine.
    """
    program, buffer = _seccomp_filter(looks)
    if LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0):
        raise _confinement_error("seccomp")
    del buffer


@cache
def _seccomp_filter(looks: bool) -> tuple[bytes, ctypes.Array[ctypes.c_char]]:
    """Return the filter in the kernel's format, with the memory that the filter points to."""
    machine = syscalls.machine_type()
    if machine is None:
        raise CannotConfine(f"the system calls of {os.uname().machine} are not known")
    code = syscalls.seccomp_program(machine, looks)
    buffer = ctypes.create_string_buffer(code, len(code))
    return struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(buffer)), buffer


def prepare_confinement() -> None:
    """Build the filter of system calls before the first fork, so that no child has to build it again.

    Also prevent other processes of this user from reading or tracing this process and its children.
    """
    _prctl(PR_SET_DUMPABLE, 0)
    _seccomp_filter(False)
    landlock_version()


@cache
def landlock_version() -> int:
    """Return the version of Landlock that the kernel supports, or 0 if it has none."""
    if sys.platform != "linux":
        return 0
    return max(0, LIBC.syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1)))


def restrict_paths(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Allow this process to read and write only these paths. Raises CannotConfine without Landlock."""
    version = landlock_version()
    if not version:
        raise CannotConfine("this kernel has no Landlock")
    rights = (1 << FILE_RIGHT_COUNTS.get(version, ALL_FILE_RIGHTS)) - 1
    ruleset = _create_ruleset(rights, ALL_NET_RIGHTS if version >= 4 else 0, ALL_SCOPES if version >= 6 else 0)
    allowed = [(path, READ_FILE | READ_DIR) for path in readable]
    for path, allowed_rights in (*allowed, *((path, READ_FILE | WRITE_FILE) for path in writable)):
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = struct.pack("=Qi", allowed_rights if os.path.isdir(path) else allowed_rights & ~READ_DIR, fd)
        failed = LIBC.syscall(LANDLOCK_ADD, ruleset, ctypes.c_int(1), rule, ctypes.c_uint32(0))
        os.close(fd)
        if failed:
            raise _confinement_error(f"Landlock: {path}")
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    _enforce(ruleset)


def _create_ruleset(files: int, net: int, scopes: int) -> int:
    """Return a new Landlock ruleset. Fields of the ruleset that an old kernel does not know are 0."""
    fields = struct.pack("QQQ", files, net, scopes)[: 24 if scopes else 16 if net else 8]
    ruleset: int = LIBC.syscall(LANDLOCK_CREATE, fields, ctypes.c_size_t(len(fields)), ctypes.c_uint32(0))
    if ruleset < 0:
        raise _confinement_error("Landlock")
    return ruleset


def _enforce(ruleset: int) -> None:
    failed = LIBC.syscall(LANDLOCK_RESTRICT, ruleset, ctypes.c_uint32(0))
    os.close(ruleset)
    if failed:
        raise _confinement_error("Landlock")


def _prctl(option: int, value: int) -> None:
    if LIBC.prctl(option, value, 0, 0, 0):
        raise _confinement_error("prctl")


def _confinement_error(what: str) -> CannotConfine:
    return CannotConfine(f"{what}: {os.strerror(ctypes.get_errno())}")
