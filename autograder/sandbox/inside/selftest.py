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

Try = Callable[[], object]
LIBC = ctypes.CDLL(None, use_errno=True)
F_SETOWN, PTRACE_SEIZE = 8, 0x4206
OWN_VARIABLES = {"PYTHONHASHSEED", "PYTHONUTF8", "PYTHONCOERCECLOCALE", "TZ", "PWD", "LC_CTYPE"}
INSIDE = os.path.dirname(__file__)
CHANNEL = 3  # the numbers below it are connected to /dev/null
PARENT = os.getpid()  # the process that imports this module; its child runs it
# System calls that must be blocked, as numbers on x86_64 and aarch64. If one is not blocked, the kernel reports an
# error in its arguments instead.
BARE: dict[str, tuple[int, int]] = {
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

    If `looks` is true, this child may access files, unlike an answer. It then tests which files can be found and
    changed.
    """
    looks, *secrets = json.loads(connection.receive())
    attempts = FILES | {f"reading {path}": partial(_read, path) for path in secrets}
    needs = MUST_WORK
    if looks:
        needs = {}
    else:
        attempts |= FUNCTIONS_TRIED
    if (machine := syscalls.machine()) and not looks:
        column = syscalls.ARCHITECTURES[machine][1]
        attempts |= {f"the system call {name}": partial(_gets_through, both[column]) for name, both in BARE.items()}
    successes = [name for name, attempt in attempts.items() if _succeeds(attempt)]
    successes += [f"refusing {name}" for name, need in needs.items() if not _succeeds(need)]
    connection.send(json.dumps(successes).encode())


def _succeeds(attempt: Try) -> bool:
    try:
        return attempt() is not False
    except BaseException:
        return False


def _gets_through(number: int) -> bool:
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


def _socket(family: int, kind: int) -> None:
    socket.socket(family, kind).close()


def _look(path: str) -> bool:
    """Return whether a look at this path reveals anything about files."""
    looks: tuple[Try, ...] = (
        lambda: os.stat(path),
        lambda: os.lstat(path),
        lambda: os.listdir(path),
        lambda: os.open(path, os.O_RDONLY),
        lambda: os.open(path, os.O_PATH),
        lambda: os.readlink(path),
        lambda: os.statvfs(path),
        lambda: os.chdir(path),
        lambda: os.access(path, os.F_OK) or _refused(),
    )
    return any(_answers(look) for look in looks)


def _refused() -> NoReturn:
    """Raise the error that `os.access` hides: `os.access` returns False for missing files and for blocked calls."""
    LIBC.access(b"/no/such/path", 0)
    raise OSError(ctypes.get_errno(), "access")


def _answers(look: Try) -> bool:
    try:
        look()
    except OSError as error:
        return error.errno not in (errno.EPERM, errno.ENOSYS)
    return True


def _set_flags(fd: int) -> None:
    fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL))


def _clock_of(pid: int) -> bool:
    """Return whether the CPU clock of another process can be read. The clock's number contains the process id."""
    moment = (ctypes.c_long * 2)()
    return LIBC.clock_gettime(ctypes.c_int((~pid << 3) | 2), moment) == 0


def _wake() -> bool:
    """Return whether the kernel looks for processes that wait at an address in shared memory."""
    column, number = 0 if syscalls.machine() == "x86_64" else 1, syscalls.FUTEX
    return LIBC.syscall(ctypes.c_long(number[column]), ctypes.byref(ctypes.c_int()), 1, 1, None, None, 0) != -1


def _connect() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as channel, suppress(ConnectionRefusedError):
        channel.settimeout(0.2)
        channel.connect(("127.0.0.1", 9))


def _write(folder: str) -> None:
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


def _recursion() -> None:
    def deeper() -> None:
        deeper()

    with suppress(RecursionError):
        deeper()


def _memory() -> bool:
    try:
        return len(bytearray(1 << 40)) < 0
    except MemoryError:
        return True


class _AlarmRang(Exception):
    pass


def _ring(_signal: int, _frame: object) -> None:
    raise _AlarmRang


def _alarm() -> bool:
    signal.signal(signal.SIGPROF, _ring)
    signal.setitimer(signal.ITIMER_PROF, 0.001)
    try:
        while True:
            pass
    except _AlarmRang:
        return True


FILES: dict[str, Try] = {
    "reading the parent's memory": lambda: _read(f"/proc/{PARENT}/mem"),
    "reading the parent's environment": lambda: _read(f"/proc/{PARENT}/environ"),
    "listing processes": lambda: _read("/proc"),
    "reading /etc/passwd": lambda: _read("/etc/passwd"),
    "writing to the current folder": partial(_write, "."),
    "writing to /": partial(_write, "/"),
    "writing to /tmp": partial(_write, "/tmp"),
    "writing to /dev": partial(_write, "/dev"),
    "writing to /dev/shm": partial(_write, "/dev/shm"),
    "writing beside its own modules": partial(_write, INSIDE),
    "changing its own modules": lambda: open(__file__, "ab").close(),
    "writing to the standard library": partial(_write, os.path.dirname(os.__file__)),
    "making a folder": _make_folder,
    "making itself the owner of a file": lambda: os.chmod(__file__, os.stat(__file__).st_mode),
    "importing solutions": lambda: importlib.import_module("solutions"),
    "importing autograder": lambda: importlib.import_module("autograder"),
}
FUNCTIONS_TRIED: dict[str, Try] = {
    "forking": _fork,
    "running a program": _exec,
    "starting a thread": lambda: _thread.start_new_thread(int, ()),
    "a TCP socket": partial(_socket, socket.AF_INET, socket.SOCK_STREAM),
    "a UDP socket": partial(_socket, socket.AF_INET, socket.SOCK_DGRAM),
    "a unix socket": partial(_socket, socket.AF_UNIX, socket.SOCK_STREAM),
    "a pair of sockets": socket.socketpair,
    "connecting": _connect,
    "listening under an abstract name": lambda: socket.socket(socket.AF_UNIX).bind("\0foldem-self-test"),
    "probing the parent": lambda: os.kill(PARENT, 0),
    "signalling the parent": lambda: os.kill(PARENT, signal.SIGWINCH),
    "signalling everybody": lambda: os.kill(-1, 0),
    "having the kernel signal the parent": lambda: fcntl.fcntl(3, F_SETOWN, PARENT),
    "tracing the parent": lambda: LIBC.ptrace(PTRACE_SEIZE, PARENT, None, None) == 0,
    "raising its limits": _raise_limit,
    "taking more memory than allowed": lambda: mmap.mmap(-1, 1 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS),
    "having memory in common": lambda: mmap.mmap(-1, 4096),
    "a timer of real time": lambda: signal.setitimer(signal.ITIMER_REAL, 60),
    "looking for a file": partial(_look, INSIDE),
    "looking for what is not there": partial(_look, "/no/such/path"),
    "setting flags of an open file": partial(_set_flags, 0),
    "setting the channel's flags": partial(_set_flags, 3),
    "having its number": lambda: os.getpid() != 0,
    "reading another process's clock": lambda: any(map(_clock_of, (1, 2, PARENT))),
    "waking other processes": _wake,
    "asking what the machine does": lambda: LIBC.sysinfo(ctypes.create_string_buffer(512)) == 0,
    "seeing the grader's environment": lambda: bool(set(os.environ) - OWN_VARIABLES),
    "finding open files": lambda: any(LIBC.fcntl(fd, fcntl.F_GETFD) != -1 for fd in range(CHANNEL + 1, 1 << 12)),
}
MUST_WORK: dict[str, Try] = {
    "modules of the standard library": lambda: [importlib.import_module(name) for name in ("fractions", "queue")],
    "the time and chance": lambda: (__import__("time").sleep(0), __import__("random").Random()),
    "/dev/null": lambda: open(os.devnull, "w").close(),
    "a nap": lambda: __import__("time").sleep(0.01),
    "a RecursionError": _recursion,
    "a MemoryError": _memory,
    "an alarm": _alarm,
}
