"""Attacks from inside the sandbox, which run before anything is graded. Attacks that succeed are reported.

The self-test also tries everything that a normal answer needs, and that a sandbox must therefore allow.
"""

from __future__ import annotations

import _thread
import ctypes
import errno
import fcntl
import importlib
import json
import mmap
import os
import resource
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NoReturn

from . import frames, syscalls

TriedAction = Callable[[], object]
LIBC = ctypes.CDLL(None, use_errno=True)
F_SETOWN, PTRACE_SEIZE = 8, 0x4206
ALLOWED_VARIABLES = {"PYTHONHASHSEED", "PYTHONUTF8", "PYTHONCOERCECLOCALE", "TZ", "PWD", "LC_CTYPE"}
INSIDE_FOLDER = os.path.dirname(__file__)
CHANNEL = 3  # the numbers below it are connected to /dev/null
PARENT_PID = os.getpid()  # the process that imports this module; its child runs it
# System calls that must be blocked, as numbers on x86_64 and aarch64. If one is not blocked, the kernel reports an
# error in its arguments instead.
BLOCKED_CALLS: dict[str, tuple[int, int]] = {
    "clone3": (435, 435),
    "io_uring_setup": (425, 425),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "chroot": (161, 51),
    "bpf": (321, 280),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    "memfd_create": (319, 279),
    "execveat": (322, 281),
    "rt_sigqueueinfo": (129, 138),
    "open_by_handle_at": (304, 265),
}


def main(connection: frames.Connection) -> None:
    """Try all attacks, including attempts to read the secret paths, and send the list of problems.

    The request contains `looks` and the secret paths. If `looks` is true, this child may access files, unlike an
    answer. The child then tests which files can be found and changed.
    """
    looks, *secrets = json.loads(connection.receive())
    attempts = FILE_ATTACKS | {f"reading {path}": partial(_read, path) for path in secrets}
    needs = REQUIRED_ACTIONS
    if looks:
        needs = {}
    else:
        attempts |= PROCESS_ATTACKS
    if (machine := syscalls.machine_type()) and not looks:
        column = syscalls.ARCHITECTURES[machine][1]
        attempts |= {
            f"the system call {name}": partial(_is_call_allowed, both[column]) for name, both in BLOCKED_CALLS.items()
        }
    successes = [name for name, attempt in attempts.items() if _succeeds(attempt)]
    successes += [f"refusing {name}" for name, need in needs.items() if not _succeeds(need)]
    connection.send(json.dumps(successes).encode())


def _succeeds(attempt: TriedAction) -> bool:
    try:
        return attempt() is not False
    except BaseException:
        return False


def _is_call_allowed(number: int) -> bool:
    """Return whether a call is not blocked, so that the kernel examines its (invalid) arguments."""
    bad = ctypes.c_long(-1)
    done = LIBC.syscall(ctypes.c_long(number), bad, bad, bad, bad, bad, bad)
    return done != -1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS)


def _fork() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _exec() -> None:
    with suppress(FileNotFoundError):
        os.execv("/no/such/program", ["program"])


def _open_socket(family: int, kind: int) -> None:
    socket.socket(family, kind).close()


def _reveals_files(path: str) -> bool:
    """Return whether a look at this path reveals anything about files."""
    looks: tuple[TriedAction, ...] = (
        lambda: os.stat(path),
        lambda: os.lstat(path),
        lambda: os.listdir(path),
        lambda: os.open(path, os.O_RDONLY),
        lambda: os.open(path, os.O_PATH),
        lambda: os.readlink(path),
        lambda: os.statvfs(path),
        lambda: os.chdir(path),
        lambda: os.access(path, os.F_OK) or _raise_access_error(),
    )
    return any(_is_look_allowed(look) for look in looks)


def _raise_access_error() -> NoReturn:
    """Raise the error that `os.access` hides: `os.access` returns False for missing files and for blocked calls."""
    LIBC.access(b"/no/such/path", 0)
    raise OSError(ctypes.get_errno(), "access")


def _is_look_allowed(look: TriedAction) -> bool:
    try:
        look()
    except OSError as error:
        return error.errno not in (errno.EPERM, errno.ENOSYS)
    return True


def _set_flags(fd: int) -> None:
    fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL))


def _can_read_clock(pid: int) -> bool:
    """Return whether the CPU clock of another process can be read. The clock's number contains the process id."""
    return LIBC.clock_gettime(ctypes.c_int((~pid << 3) | 2), (ctypes.c_long * 2)()) == 0


def _can_wake_processes() -> bool:
    """Return whether the kernel looks for processes that wait at an address in shared memory."""
    column, number = 0 if syscalls.machine_type() == "x86_64" else 1, syscalls.FUTEX
    return LIBC.syscall(ctypes.c_long(number[column]), ctypes.byref(ctypes.c_int()), 1, 1, None, None, 0) != -1


def _connect() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as channel, suppress(ConnectionRefusedError):
        channel.settimeout(0.2)
        channel.connect(("127.0.0.1", 9))


def _write_file(folder: str) -> None:
    path = os.path.join(folder, f"foldem-self-test-{os.getpid()}")
    with open(path, "x"):
        os.unlink(path)


def _make_folder() -> None:
    path = f"/tmp/foldem-self-test-{os.getpid()}"
    os.mkdir(path)
    os.rmdir(path)


def _raise_limit() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard + 1))


def _read(path: str) -> None:
    if os.path.isdir(path):
        os.listdir(path)
    else:
        with open(path, "rb") as file:
            file.read(1)


def _recurse_too_deep() -> None:
    def recurse() -> None:
        recurse()

    with suppress(RecursionError):
        recurse()


def _gets_memory_error() -> bool:
    try:
        return len(bytearray(1 << 40)) < 0
    except MemoryError:
        return True


class _AlarmRang(Exception):
    pass


def _on_alarm(_signal: int, _frame: object) -> None:
    raise _AlarmRang


def _gets_alarm() -> bool:
    signal.signal(signal.SIGPROF, _on_alarm)
    signal.setitimer(signal.ITIMER_PROF, 0.001)
    try:
        while True:
            pass
    except _AlarmRang:
        return True


FILE_ATTACKS: dict[str, TriedAction] = {
    "reading the parent's memory": lambda: _read(f"/proc/{PARENT_PID}/mem"),
    "reading the parent's environment": lambda: _read(f"/proc/{PARENT_PID}/environ"),
    "listing processes": lambda: _read("/proc"),
    "reading /etc/passwd": lambda: _read("/etc/passwd"),
    "writing to the current folder": partial(_write_file, "."),
    "writing to /": partial(_write_file, "/"),
    "writing to /tmp": partial(_write_file, "/tmp"),
    "writing to /dev": partial(_write_file, "/dev"),
    "writing to /dev/shm": partial(_write_file, "/dev/shm"),
    "writing beside its own modules": partial(_write_file, INSIDE_FOLDER),
    "changing its own modules": lambda: open(__file__, "ab").close(),
    "writing to the standard library": partial(_write_file, os.path.dirname(os.__file__)),
    "making a folder": _make_folder,
    "making itself the owner of a file": lambda: os.chmod(__file__, os.stat(__file__).st_mode),
    "importing solutions": lambda: importlib.import_module("solutions"),
    "importing autograder": lambda: importlib.import_module("autograder"),
}
PROCESS_ATTACKS: dict[str, TriedAction] = {
    "forking": _fork,
    "running a program": _exec,
    "starting a thread": lambda: _thread.start_new_thread(int, ()),
    "a TCP socket": partial(_open_socket, socket.AF_INET, socket.SOCK_STREAM),
    "a UDP socket": partial(_open_socket, socket.AF_INET, socket.SOCK_DGRAM),
    "a unix socket": partial(_open_socket, socket.AF_UNIX, socket.SOCK_STREAM),
    "a pair of sockets": socket.socketpair,
    "connecting": _connect,
    "listening under an abstract name": lambda: socket.socket(socket.AF_UNIX).bind("\0foldem-self-test"),
    "probing the parent": lambda: os.kill(PARENT_PID, 0),
    "signalling the parent": lambda: os.kill(PARENT_PID, signal.SIGWINCH),
    "signalling everybody": lambda: os.kill(-1, 0),
    "having the kernel signal the parent": lambda: fcntl.fcntl(3, F_SETOWN, PARENT_PID),
    "tracing the parent": lambda: LIBC.ptrace(PTRACE_SEIZE, PARENT_PID, None, None) == 0,
    "raising its limits": _raise_limit,
    "taking more memory than allowed": lambda: mmap.mmap(-1, 1 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS),
    "having memory in common": lambda: mmap.mmap(-1, 4096),
    "a timer of real time": lambda: signal.setitimer(signal.ITIMER_REAL, 60),
    "looking for a file": partial(_reveals_files, INSIDE_FOLDER),
    "looking for what is not there": partial(_reveals_files, "/no/such/path"),
    "setting flags of an open file": partial(_set_flags, 0),
    "setting the channel's flags": partial(_set_flags, 3),
    "having its number": lambda: os.getpid() != 0,
    "reading another process's clock": lambda: any(map(_can_read_clock, (1, 2, PARENT_PID))),
    "waking other processes": _can_wake_processes,
    "asking what the machine does": lambda: LIBC.sysinfo(ctypes.create_string_buffer(512)) == 0,
    "seeing the grader's environment": lambda: bool(set(os.environ) - ALLOWED_VARIABLES),
    "finding open files": lambda: any(LIBC.fcntl(fd, fcntl.F_GETFD) != -1 for fd in range(CHANNEL + 1, 1 << 12)),
}
REQUIRED_ACTIONS: dict[str, TriedAction] = {
    "modules of the standard library": lambda: [importlib.import_module(name) for name in ("fractions", "queue")],
    "the time and chance": lambda: (__import__("time").sleep(0), __import__("random").Random()),
    "/dev/null": lambda: open(os.devnull, "w").close(),
    "a nap": lambda: __import__("time").sleep(0.01),
    "a RecursionError": _recurse_too_deep,
    "a MemoryError": _gets_memory_error,
    "an alarm": _gets_alarm,
}
