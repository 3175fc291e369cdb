"""Confinement from inside: resource limits, Landlock, and a seccomp filter that lets nothing through by default."""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import struct
import sys
from typing import Any

from . import syscalls

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 4, 22, 38
SECCOMP_MODE_FILTER = 2
EPERM = 1
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | EPERM
X32 = 0x40000000
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
ALL_BY_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}


class CannotConfine(RuntimeError):
    """A means of confinement that was asked for does not work here."""


def protect_memory() -> None:
    """Keep other processes of this user from reading or tracing this one."""
    if sys.platform == "linux":
        LIBC.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def confine(settings: dict[str, Any]) -> None:
    """Confine this process for good, as the settings say, before any code of a student's runs in it."""
    _limit_resources(settings["limits"])
    _silence()
    if settings["confined"]:
        protect_memory()
        filter_system_calls()


def _limit_resources(limits: dict[str, int]) -> None:
    megabyte = 1 << 20
    cpu = limits["cpu_seconds"]
    for kind, amount in (
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_FSIZE, limits["file_mb"] * megabyte),
        (resource.RLIMIT_NOFILE, limits["open_files"]),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, limits["processes"]),
        (resource.RLIMIT_AS, limits["memory_mb"] * megabyte),
    ):
        try:
            resource.setrlimit(kind, (amount, amount))
        except (ValueError, OSError):
            # macOS refuses some limits; on Linux a limit that is lower already stays.
            continue


def _silence() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)


def filter_system_calls() -> None:
    """Refuse every system call that is not allowed by name; CannotConfine if that does not work here."""
    machine = platform.machine()
    numbers = syscalls.allowed_on(machine)
    if numbers is None:
        raise CannotConfine(f"no table of system calls for {machine}")
    program = b"".join(_program(syscalls.ARCHITECTURES[machine][0], numbers))
    buffer = ctypes.create_string_buffer(program, len(program))
    filters = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    if LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filters, 0, 0):
        raise CannotConfine(f"seccomp: {os.strerror(ctypes.get_errno())}")


def _program(architecture: int, numbers: list[int]) -> list[bytes]:
    """Give the filter: refuse a foreign architecture and the x32 calls, allow the listed numbers, refuse the rest."""
    tail = [_statement(RETURN, 0, 0, REFUSE), _statement(RETURN, 0, 0, ALLOW)]
    count = len(numbers)
    head = [
        _statement(LOAD, 0, 0, 4),
        _statement(EQUAL, 1, 0, architecture),
        _statement(RETURN, 0, 0, REFUSE),
        _statement(LOAD, 0, 0, 0),
        _statement(AT_LEAST, count, 0, X32),
    ]
    checks = [_statement(EQUAL, count - index, 0, number) for index, number in enumerate(numbers)]
    return head + checks + tail


def _statement(code: int, if_true: int, if_false: int, operand: int) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, operand)


def landlock_version() -> int:
    """Give the version of Landlock that the kernel has, 0 for none."""
    if sys.platform != "linux":
        return 0
    return max(0, LIBC.syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1)))


def cage_zygote(settings: dict[str, Any]) -> None:
    """Where Landlock is the means, leave this process and its children only the paths in the settings."""
    if settings["level"] == "landlock":
        restrict_paths(settings["readable"], settings["writable"])


def restrict_paths(readable: list[str], writable: list[str]) -> None:
    """Leave only these paths readable and those writable; CannotConfine if Landlock does not work here."""
    version = landlock_version()
    if not version:
        raise CannotConfine("this kernel has no Landlock")
    everything = ALL_BY_VERSION.get(version, (1 << 16) - 1 if version >= 5 else (1 << 15) - 1)
    network = 3 if version >= 4 else 0
    scopes = 3 if version >= 6 else 0
    attributes = struct.pack("QQQ", everything, network, scopes)[: 24 if version >= 6 else 16 if version >= 4 else 8]
    ruleset = LIBC.syscall(LANDLOCK_CREATE, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    if ruleset < 0:
        raise CannotConfine(f"Landlock: {os.strerror(ctypes.get_errno())}")
    for path in readable:
        _allow(ruleset, path, EXECUTE | READ_FILE | READ_DIR)
    for path in writable:
        _allow(ruleset, path, everything & ~EXECUTE)
    LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if LIBC.syscall(LANDLOCK_RESTRICT, ruleset, ctypes.c_uint32(0)):
        raise CannotConfine(f"Landlock: {os.strerror(ctypes.get_errno())}")
    os.close(ruleset)


def _allow(ruleset: int, path: str, access: int) -> None:
    """Allow `access` below a path; a file takes only the rights that a file can have; a path not there is nothing."""
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):
        access &= EXECUTE | WRITE_FILE | READ_FILE | (1 << 14)
    rule = struct.pack("=Qi", access, fd)
    failed = LIBC.syscall(LANDLOCK_ADD, ruleset, ctypes.c_int(1), rule, ctypes.c_uint32(0))
    os.close(fd)
    if failed:
        raise CannotConfine(f"Landlock: {path}: {os.strerror(ctypes.get_errno())}")
