"""The system calls that an answer may make: what pure Python needs to compute and to read files, and no more.

Everything else is refused with EPERM, which Python turns into an OSError; so forks, threads, programs, sockets,
signals to others, new limits, tracing, and calls that are not invented yet are refused whatever their numbers are.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Iterable, Iterator

# name: (number on x86_64, number on aarch64); None where the machine has no such call.
ALLOWED: dict[str, tuple[int | None, int | None]] = {
    "access": (21, None),
    "alarm": (37, None),
    "brk": (12, 214),
    "chdir": (80, 49),
    "clock_getres": (229, 114),
    "clock_gettime": (228, 113),
    "clock_nanosleep": (230, 115),
    "close": (3, 57),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "fstat": (5, 80),
    "fstatfs": (138, 44),
    "futex": (202, 98),
    "getcwd": (79, 17),
    "getdents64": (217, 61),
    "getegid": (108, 177),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getitimer": (36, 102),
    "getpgrp": (111, None),
    "getpid": (39, 172),
    "getppid": (110, 173),
    "getrandom": (318, 278),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "gettid": (186, 178),
    "gettimeofday": (96, 169),
    "getuid": (102, 174),
    "lseek": (8, 62),
    "lstat": (6, None),
    "madvise": (28, 233),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "mremap": (25, 216),
    "munmap": (11, 215),
    "nanosleep": (35, 101),
    "newfstatat": (262, 79),
    "open": (2, None),
    "openat": (257, 56),
    "poll": (7, None),
    "ppoll": (271, 73),
    "pread64": (17, 67),
    "pselect6": (270, 72),
    "read": (0, 63),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "readv": (19, 65),
    "restart_syscall": (219, 128),
    "rt_sigaction": (13, 134),
    "rt_sigpending": (127, 136),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "rt_sigsuspend": (130, 133),
    "rt_sigtimedwait": (128, 137),
    "sched_getaffinity": (204, 123),
    "sched_yield": (24, 124),
    "select": (23, None),
    "setitimer": (38, 103),
    "sigaltstack": (131, 132),
    "stat": (4, None),
    "statfs": (137, 43),
    "statx": (332, 291),
    "sysinfo": (99, 179),
    "time": (201, None),
    "times": (100, 153),
    "uname": (63, 160),
    "write": (1, 64),
    "writev": (20, 66),
}
# Calls of which only some commands are allowed: others could have the kernel signal another process (F_SETOWN,
# FIOASYNC), or type into a terminal. F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC; TCGETS,
# TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX.
BY_COMMAND: dict[str, tuple[tuple[int, int], tuple[int, ...]]] = {
    "fcntl": ((72, 25), (0, 1, 2, 3, 4, 1030)),
    "ioctl": ((16, 29), (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),
}
# machine: (its number in a seccomp filter, its column above)
ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}

LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, ARCHITECTURE, COMMAND = 0, 4, 24
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | 1
X32 = 0x40000000
Instruction = tuple[int, int, int, int]


def machine() -> str | None:
    """Give the machine that this process runs on, None if its system calls are not known here."""
    name = os.uname().machine
    return name if name in ARCHITECTURES and sys.maxsize > 1 << 32 and sys.byteorder == "little" else None


def program(machine: str) -> bytes:
    """Give the seccomp filter for a machine: refuse foreign and x32 calls, allow what is listed, refuse the rest."""
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in _instructions(*ARCHITECTURES[machine]))


def _instructions(architecture: int, column: int) -> Iterator[Instruction]:
    yield (LOAD, 0, 0, ARCHITECTURE)
    yield from _if_equal(architecture, [(LOAD, 0, 0, NUMBER)], otherwise=[(RETURN, 0, 0, REFUSE)])
    yield (AT_LEAST, 0, 1, X32)
    yield (RETURN, 0, 0, REFUSE)
    for numbers in ALLOWED.values():
        if (number := numbers[column]) is not None:
            yield from _allow_if_equal(number)
    for both, commands in BY_COMMAND.values():
        yield from _if_equal(both[column], [*_allowed_commands(commands), (RETURN, 0, 0, REFUSE)])
    yield (RETURN, 0, 0, REFUSE)


def _allowed_commands(commands: Iterable[int]) -> Iterator[Instruction]:
    yield (LOAD, 0, 0, COMMAND)
    for command in commands:
        yield from _allow_if_equal(command)


def _allow_if_equal(value: int) -> list[Instruction]:
    return _if_equal(value, [(RETURN, 0, 0, ALLOW)])


def _if_equal(value: int, block: list[Instruction], otherwise: list[Instruction] | None = None) -> list[Instruction]:
    """Give `block` to be run if what was loaded is `value`, after what returns `otherwise`."""
    if otherwise:
        return [(EQUAL, len(otherwise), 0, value), *otherwise, *block]
    return [(EQUAL, 0, len(block), value), *block]
