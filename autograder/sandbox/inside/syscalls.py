"""The system calls that an answer may make: only those that pure Python needs to compute.

All other calls fail with EPERM, which Python turns into an OSError. So forks, threads, programs, sockets, signals to
other processes, new limits, tracing, and future system calls are blocked.

No allowed call takes a path, because others can observe which files a process looks for and when it reads one. For the
same reason, answers have no shared memory, and cannot change the flags of an open file. Answers also cannot read clocks
of other processes or counters of the machine. Sleeping returns at once, and timers count only CPU time. Otherwise, a
waiting answer could wake up now and then, and seem to be working.
"""

from __future__ import annotations

import os
import struct
import sys

CallNumbers = tuple[int | None, int | None]
# CLOCK_REALTIME, _MONOTONIC, _PROCESS_CPUTIME_ID, _THREAD_CPUTIME_ID, _MONOTONIC_RAW, two coarse ones, _BOOTTIME, _TAI
ALLOWED_CLOCKS = (0, 1, 2, 3, 4, 5, 6, 7, 11)

# name: (number on x86_64, number on aarch64); None if the machine type has no such call
ALLOWED_CALLS: dict[str, CallNumbers] = {
    "brk": (12, 214),
    "close": (3, 57),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "fstat": (5, 80),
    "getegid": (108, 177),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getitimer": (36, 102),
    "getrandom": (318, 278),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "gettimeofday": (96, 169),
    "getuid": (102, 174),
    "lseek": (8, 62),
    "mprotect": (10, 226),
    "mremap": (25, 216),
    "munmap": (11, 215),
    "pread64": (17, 67),
    "read": (0, 63),
    "readv": (19, 65),
    "restart_syscall": (219, 128),
    "rt_sigaction": (13, 134),
    "rt_sigpending": (127, 136),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sched_yield": (24, 124),
    "sigaltstack": (131, 132),
    "time": (201, None),
    "times": (100, 153),
    "uname": (63, 160),
    "write": (1, 64),
    "writev": (20, 66),
}
# Calls that only the self-test may make, in a second child, to find out what a cage would show without the filter.
FILE_LOOKUP_CALLS: dict[str, CallNumbers] = {
    "access": (21, None),
    "faccessat": (269, 48),
    "getdents64": (217, 61),
    "lstat": (6, None),
    "mkdir": (83, None),
    "mkdirat": (258, 34),
    "newfstatat": (262, 79),
    "open": (2, None),
    "openat": (257, 56),
    "readlink": (89, None),
    "stat": (4, None),
}
# Calls that return 0 and do nothing. So waiting ends at once, and a process does not learn its id, which would reveal
# how many processes ran before.
SKIPPED_CALLS: dict[str, CallNumbers] = {
    "clock_nanosleep": (230, 115),
    "getpid": (39, 172),
    "getppid": (110, 173),
    "gettid": (186, 178),
    "nanosleep": (35, 101),
    "poll": (7, None),
    "ppoll": (271, 73),
    "pselect6": (270, 72),
    "select": (23, None),
}
# Calls with an argument (by index) that must have one of some values. Other commands could make the kernel signal
# another process (F_SETOWN, FIOASYNC), type into a terminal, or set a flag on a file that another process has open, too
# (F_SETFL, FIONBIO). Other clocks belong to other processes, and other advice affects the file cache. The values are:
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC; TCGETS, TIOCGWINSZ, FIONREAD, FIONCLEX, FIOCLEX;
# ITIMER_VIRTUAL, ITIMER_PROF.
ARGUMENT_CHECKED_CALLS: dict[str, tuple[tuple[int, int], int, tuple[int, ...]]] = {
    "fcntl": ((72, 25), 1, (0, 1, 2, 3, 1030)),
    "ioctl": ((16, 29), 1, (0x5401, 0x5413, 0x541B, 0x5450, 0x5451)),
    "clock_gettime": ((228, 113), 0, ALLOWED_CLOCKS),
    "clock_getres": ((229, 114), 0, ALLOWED_CLOCKS),
    "madvise": ((28, 233), 2, (4, 8)),
    "setitimer": ((38, 103), 0, (1, 2)),
}
# Memory must be private: neither MAP_SHARED nor MAP_HUGETLB.
MMAP, ITS_FLAGS, NOT_ONES_OWN = (9, 222), 3, 0x40001
# A process with one thread never has to wake other threads (FUTEX_WAKE_PRIVATE, FUTEX_WAKE_BITSET_PRIVATE) or wait for
# them.
FUTEX, ITS_OPERATION, WAKING = (202, 98), 1, (129, 138)
# machine type: (its number in a seccomp filter, its column above)
ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}

LOAD, EQUAL, AT_LEAST, HAS_BITS, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
ALLOW, ERROR = 0x7FFF0000, 0x00050000
SKIP, REFUSE, TIMED_OUT = ERROR, ERROR | 1, ERROR | 110
X32_SYSCALL_BIT = 0x40000000
Instruction = tuple[int, int, int, int]
InstructionBlock = list[Instruction]


def machine_type() -> str | None:
    """Return this machine's type, or None if this module does not list the system calls of this type."""
    name = os.uname().machine
    return name if name in ARCHITECTURES and sys.maxsize > 1 << 32 and sys.byteorder == "little" else None


def seccomp_program(machine: str, looks: bool = False) -> bytes:
    """Return the seccomp filter for a machine type, as bytes.

    The filter allows only system calls that this module lists for this machine type. The filter blocks all other system
    calls, also those of other machine types, such as x32.
    """
    architecture, column = ARCHITECTURES[machine]
    steps = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, architecture), _return(REFUSE)]
    steps += [(LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, X32_SYSCALL_BIT), _return(REFUSE)]
    for calls, end in ((ALLOWED_CALLS | FILE_LOOKUP_CALLS if looks else ALLOWED_CALLS, ALLOW), (SKIPPED_CALLS, SKIP)):
        for numbers in calls.values():
            if (number := numbers[column]) is not None:
                steps += _if_equal(number, [_return(end)])
    for both, index, values in ARGUMENT_CHECKED_CALLS.values():
        steps += _if_equal(both[column], [*_if_argument_in(index, values, ALLOW), _return(REFUSE)])
    flags = [
        _load_argument(ITS_FLAGS),
        (HAS_BITS, 0, 1, NOT_ONES_OWN),
        _return(REFUSE),
        _return(ALLOW),
    ]
    steps += _if_equal(MMAP[column], flags)
    steps += _if_equal(FUTEX[column], [*_if_argument_in(ITS_OPERATION, WAKING, SKIP), _return(TIMED_OUT)])
    return b"".join(struct.pack("=HBBI", *step) for step in (*steps, _return(REFUSE)))


def _return(verdict: int) -> Instruction:
    return RETURN, 0, 0, verdict


def _load_argument(index: int) -> Instruction:
    return LOAD, 0, 0, ARGUMENTS + 8 * index


def _if_argument_in(index: int, values: tuple[int, ...], end: int) -> InstructionBlock:
    """Return a block that jumps to its `end` if an argument has one of some values."""
    return [_load_argument(index), *(step for value in values for step in _if_equal(value, [_return(end)]))]


def _if_equal(value: int, block: InstructionBlock) -> InstructionBlock:
    """Return a block that runs `block` if the loaded value is `value`."""
    return [(EQUAL, 0, len(block), value), *block]
