"""The sandbox: what an answer can't do in it, how it may end, and that it leaves nothing to the next answer."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from textwrap import dedent

import pytest

from autograder.sandbox import host, sources
from autograder.sandbox.cage import (
    BUBBLEWRAP,
    FAILED_EXIT,
    LANDLOCK,
    OFF,
    Cage,
    ChildExit,
    Exited,
    Killed,
    TooLoud,
    TooSlow,
)
from autograder.sandbox.host import ChildTooLoud, ChildTooSlow, Limits, NoSandbox, SandboxDied
from autograder.sandbox.inside import syscalls
from tests.sample import CONFINED, LEVELS
from tests.units import secret_folders

# Tests of the cage import these; what a submission imports is known before it starts.
IMPORTS = (
    "decimal",
    "statistics",
    "hashlib",
    "datetime",
    "resource",
    "socket",
    "subprocess",
    "tempfile",
    "threading",
    "mmap",
)
Sandbox = partial(host.Sandbox, secrets=secret_folders())
SMALL = Limits(cpu_seconds=1, wall_seconds=8, memory_mb=200, output_mb=4)
# Runs what it is sent, with its connection as `connection`, and sends the repr of `seen` or the error.
RUNNER = """
def main(connection):
    names = {"connection": connection, "seen": None}
    try:
        exec(connection.receive(), names)
    except Exception as error:
        names["seen"] = error
    connection.send(repr(names["seen"]).encode())
"""


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runner")
    (folder / "__init__.py").touch()
    (folder / "main.py").write_text(RUNNER)
    return folder


def hostile(
    folder: Path, level: str, limits: Limits = SMALL, runner: str = "hostile.main", imports: Sequence[str] = ()
) -> host.Sandbox:
    """Return a sandbox with a runner of this folder, which is the package `hostile` there."""
    modules, packages = ("course.warmup", runner), {"hostile": folder}
    return Sandbox(modules, limits, level, runner, packages=packages, imports=imports)


@pytest.fixture(scope="module", params=CONFINED)
def open_cage(request: pytest.FixtureRequest, runner: Path) -> Iterator[Sandbox]:
    with hostile(runner, request.param, imports=(*IMPORTS, "fcntl", "toolz.curried")) as sandbox:
        yield sandbox


@pytest.fixture
def cage(open_cage: Sandbox) -> Iterator[Sandbox]:
    """Provide a sandbox, in which the next child must work whatever a test has done to its own."""
    yield open_cage
    assert next_child_works(open_cage)


def message_of(sandbox: Cage, source: str) -> str | None:
    """Return the message of a child that runs a source, or None if the child has ended."""
    with sandbox.child() as child:
        child.send(dedent(source).encode())
        answer = child.receive()
        return None if answer is None else answer.decode()


def ended(sandbox: Cage, source: str) -> ChildExit:
    """Return how a child ends that a source kills."""
    with sandbox.child() as child:
        child.send(dedent(source).encode())
        assert child.receive() is None
        return child.end()


def next_child_works(sandbox: Cage) -> bool:
    return message_of(sandbox, "seen = sum(range(5))") == "10"


# What the sandbox is for


@pytest.mark.promise("escape")
@pytest.mark.parametrize("level", CONFINED)
def test_the_self_test_finds_nothing_wrong(level: str) -> None:
    assert host.run_self_test(level, secret_folders()) == []


def test_the_self_test_fails_without_a_sandbox(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("?")
    found = host.run_self_test(OFF, (*secret_folders(), secret))
    assert {*found} > {
        *("forking", "running a program", "a TCP socket", "a UDP socket", "a unix socket"),
        *("signalling the parent", "writing to /tmp", "listing processes", f"reading {secret}"),
        *("looking for a file", "looking for what is not there", "setting flags of an open file"),
        *("having memory in common", "having its number", "reading another process's clock"),
        *("waking other processes", "asking what the machine does"),
        *(f"the system call {name}" for name in ("pidfd_open", "process_vm_readv", "unshare")),
    }
    assert {Path(name).name for name in found} > {"solutions", "neighbor.ipynb"}


@pytest.mark.parametrize("level", CONFINED)
@pytest.mark.parametrize("deed", ["confine_child", "filter_system_calls"])
def test_the_self_test_notices_a_child_that_is_not_confined(
    level: str, deed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "inside"
    shutil.copytree(sources.PACKAGE_FOLDERS["inside"], broken)
    source = (broken / "confine.py").read_text()
    (broken / "confine.py").write_text(f"{source}\n\ndef {deed}(*_: object) -> None:\n    return\n")
    monkeypatch.setitem(sources.PACKAGE_FOLDERS, "inside", broken)
    assert {"forking", "a UDP socket", "the system call io_uring_setup"} < set(
        host.run_self_test(level, secret_folders())
    )


@pytest.mark.landlock
def test_the_self_test_notices_landlock_that_grants_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "readable_paths", lambda: (Path("/"),))
    found = host.run_self_test(LANDLOCK, secret_folders())
    assert "reading /etc/passwd" in found and any(name.endswith("solutions") for name in found)


@pytest.mark.parametrize(
    ("level", "refusal"),
    [
        (BUBBLEWRAP, r"failed its self-test \(forking\); install bubblewrap.*--sandbox=off"),
        (LANDLOCK, r"failed its self-test \(forking\); install bubblewrap.*--sandbox=off"),
        ("auto", r"no sandbox \(bubblewrap: forking; landlock: forking\); install bubblewrap"),
        ("strong", "unknown sandbox 'strong'"),
    ],
)
def test_a_level_at_which_something_succeeds_is_not_used(
    level: str, refusal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "sandbox_problems", lambda level, secrets: ("forking",))
    with pytest.raises(NoSandbox, match=refusal):
        Sandbox(level=level)


def test_auto_takes_landlock_where_bubblewrap_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        host, "sandbox_problems", lambda level, secrets: ("no namespaces",) if level == BUBBLEWRAP else ()
    )
    assert Sandbox().level == LANDLOCK


# What an answer tries


@pytest.mark.parametrize(
    "deed",
    [
        "import os; [os.fork() for _ in range(100)]",
        "import os; os.execv('/bin/true', ['true'])",
        "import subprocess; subprocess.run(['true'])",
        "import socket; socket.create_connection(('127.0.0.1', 22))",
        "import socket; socket.socketpair()",
        "import os; os.kill(os.getppid(), 9)",
        "import os; os.kill(-1, 9)",
        "import os; os.killpg(0, 9)",
        "import os; os.pidfd_open(os.getppid())",
        "import os; os.mkdir('x')",
        "import os; os.remove('/usr/bin/env')",
        "import os; os.memfd_create('x')",
        "import os; os.pipe()",
        "import tempfile; tempfile.TemporaryFile()",
        "open('x', 'w')",
        "open('/tmp/x', 'w')",
        "import resource; resource.setrlimit(resource.RLIMIT_CPU, (99, 99))",
        "import threading; threading.Thread(target=print).start()",
        "import fcntl, os; fcntl.fcntl(3, fcntl.F_SETOWN, os.getppid())",
        "import ctypes; ctypes.CDLL('/tmp/x.so')",
        "open('/proc/self/mem', 'rb')",
        "import solutions.dominoes",
        "import autograder",
        "import hypothesis",
    ],
)
def test_a_deed_that_reaches_out_is_an_error_of_the_answer_only(cage: Sandbox, deed: str) -> None:
    assert "Error" in (message_of(cage, deed) or "")


def test_a_child_has_no_descriptor_except_its_channel(cage: Sandbox) -> None:
    source = """
    import fcntl
    seen = []
    for fd in range(1 << 15):
        try:
            fcntl.fcntl(fd, fcntl.F_GETFD)
            seen.append(fd)
        except OSError:
            pass
    """
    assert message_of(cage, source) == "[0, 1, 2, 3]"


@pytest.mark.promise("escape")
@pytest.mark.landlock
def test_a_descriptor_of_a_high_number_is_closed_too(runner: Path) -> None:
    with ExitStack() as stack:
        for _ in range(300):
            stack.enter_context(open(os.devnull))
        sandbox = stack.enter_context(hostile(runner, LANDLOCK, imports=("fcntl",)))
        source = """
        import fcntl
        def is_open(fd):
            try:
                return fcntl.fcntl(fd, fcntl.F_GETFD) >= 0
            except OSError:
                return False
        seen = [*filter(is_open, range(1 << 12))]
        """
        assert message_of(sandbox, source) == "[0, 1, 2, 3]"


@pytest.mark.promise("answers")
@pytest.mark.parametrize(
    "look",
    [
        "os.stat(path)",
        "os.lstat(path)",
        "os.open(path, os.O_RDONLY)",
        "os.open(path, os.O_PATH)",
        "os.listdir(path)",
        "os.scandir(path)",
        "os.readlink(path)",
        "os.statvfs(path)",
        "os.chdir(path)",
        "os.utime(path)",
        "os.getcwd()",
        "__import__('fcntl').fcntl(1, 4, 2048)",
        "__import__('mmap').mmap(-1, 4096)",
    ],
)
def test_it_can_neither_look_for_a_file_nor_leave_a_trace(cage: Sandbox, look: str) -> None:
    for path in ("/usr", "/no/such/path"):
        assert "PermissionError" in (message_of(cage, f"import os; path = {path!r}; seen = {look}") or "")


@pytest.mark.promise("answers")
def test_no_answer_sees_process_numbers_or_sleeps(cage: Sandbox) -> None:
    source = """
    import os, time, select, threading
    time.sleep(100)
    lock = threading.Lock()
    held = lock.acquire(), lock.acquire()
    select.select([3], [], [], 100)
    seen = os.getpid(), os.getppid(), held
    """
    assert message_of(cage, source) == "(0, 0, (True, False))"


@pytest.mark.parametrize("level", LEVELS)
def test_it_sees_neither_the_graders_environment_nor_its_arguments(
    level: str, runner: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLDEM_SECRET", "42")
    with hostile(runner, level) as sandbox:
        seen = message_of(sandbox, "import os, sys; seen = sorted(os.environ), sys.argv, sys.path") or ""
    assert "FOLDEM_SECRET" not in seen and "site-packages" not in seen


@pytest.mark.skipif(syscalls.machine_type() != "x86_64", reason="these doors are in x86_64 only")
@pytest.mark.parametrize("call", ["b8 02 00 00 00 cd 80 c3", "b8 39 00 00 40 0f 05 c3"], ids=["i386", "x32"])
def test_the_other_doors_to_the_same_kernel_are_shut(cage: Sandbox, call: str) -> None:
    source = f"""
    import ctypes, mmap
    page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
    page.write(bytes.fromhex("{call}"))
    fork = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    seen = fork()
    """
    assert message_of(cage, source) in (None, "-1", "-38")


def test_changes_to_modules_stay_within_a_child(cage: Sandbox) -> None:
    assert message_of(cage, "import builtins, course.warmup; builtins.sum = None; course.warmup.stolen = 1") == "None"
    assert (
        message_of(cage, "import course.warmup; seen = hasattr(course.warmup, 'stolen'), sum((1, 2))") == "(False, 3)"
    )


# How an answer ends


IGNORING = """
import signal
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
while True: pass
"""


@pytest.mark.landlock
def test_waiting_forever_is_ended_by_the_wall_clock(runner: Path) -> None:
    with hostile(runner, LANDLOCK, Limits(wall_seconds=2)) as sandbox, sandbox.child() as child:
        child.send(b"connection.receive()")
        with pytest.raises(ChildTooSlow):
            child.receive()
        assert child.end() == TooSlow(2)


@pytest.mark.landlock
def test_a_working_process_gets_time_on_a_slow_machine(runner: Path) -> None:
    with hostile(runner, LANDLOCK, Limits(cpu_seconds=1, wall_seconds=0.4)) as sandbox:
        assert ended(sandbox, "while True: pass") == TooSlow(1)


@pytest.mark.landlock
def test_a_child_that_never_reads_blocks_nobody(runner: Path) -> None:
    (runner / "deaf.py").write_text("def main(connection):\n    while True: pass\n")
    with (
        hostile(runner, LANDLOCK, Limits(wall_seconds=0.3), "hostile.deaf") as sandbox,
        sandbox.child() as child,
        pytest.raises(ChildTooSlow),
    ):
        child.send(bytes(1 << 24))


def test_small_pieces_without_end_cost_only_the_hoarder(cage: Sandbox) -> None:
    with cage.child() as child:
        child.send(b"hoard = []\nwhile True: hoard.append([0] * 999)")
        assert child.receive() in (None, b"MemoryError()")


@pytest.mark.parametrize(
    "source",
    [
        "for _ in range(100): connection.send(bytes(1 << 20))",
        "connection.send(bytes(5 << 20))",
        "import os; os.write(3, bytes([255] * 4))",  # a length without a message
    ],
)
def test_more_output_than_allowed_is_refused(cage: Sandbox, source: str) -> None:
    with cage.child() as child:
        child.send(source.encode())
        with pytest.raises(ChildTooLoud):
            while child.receive():
                pass
        assert child.end() == TooLoud(4)


@pytest.mark.parametrize(
    ("source", "child_exit"),
    [
        ("import os; os._exit(3)", Exited(3)),
        ("raise SystemExit", Exited(1)),
        ("raise KeyboardInterrupt", Exited(1)),
        ("import ctypes; ctypes.string_at(0)", Killed(signal.SIGSEGV)),
        ("import signal; signal.setitimer(signal.ITIMER_PROF, 0.02)\nwhile True: pass", Killed(signal.SIGPROF)),
        ("import os; os.close(3); os._exit(0)", Exited(0)),
        ("import os, time; os.close(3); time.sleep(0.1); os._exit(5)", Exited(5)),
        ("import os; os.close(3)\nwhile True: pass", Exited(1)),
        (IGNORING, TooSlow(1)),
    ],
)
def test_how_a_child_ends_itself_is_known(cage: Sandbox, source: str, child_exit: ChildExit) -> None:
    assert ended(cage, source) == child_exit


@pytest.mark.promise("marks")
def test_a_child_that_is_ended_early_ends_the_same_whoever_is_first(
    cage: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a message that cannot be read, the child may exit before it is killed. Its report must not show which."""
    reap = Cage.reap
    monkeypatch.setattr(Cage, "reap", lambda *args, **options: (None, 3, reap(*args, **options)[2]))
    with cage.child() as child:
        child.send(b"seen = 1")
        assert (child.receive(), child.end()) == (b"1", FAILED_EXIT)


def test_a_sandbox_that_dies_is_a_fault_of_the_sandbox(runner: Path) -> None:
    with hostile(runner, OFF) as sandbox:
        with pytest.raises(SandboxDied), sandbox.child() as child:
            child.send(b"import os; os.kill(os.getppid(), 9)")
            child.receive()
        with pytest.raises(SandboxDied), sandbox.child():
            pass


@pytest.mark.landlock
def test_a_missing_module_is_a_sandbox_fault() -> None:
    problem = pytest.raises(SandboxDied, match=r"does not start: ModuleNotFoundError: No module named 'course\.poker'")
    with problem, Sandbox(("course.poker",), level=LANDLOCK) as sandbox, sandbox.child():
        pass


def test_after_an_interrupted_start_the_next_child_starts_another_process(
    runner: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A learner may interrupt the kernel, whose sandbox is kept, at any moment."""

    def interrupted(_: Cage) -> bytes:
        raise KeyboardInterrupt

    with hostile(runner, OFF) as sandbox:
        with monkeypatch.context() as patch:
            patch.setattr(Cage, "_read_line", interrupted)
            with pytest.raises(KeyboardInterrupt), sandbox.child():
                pass
        assert next_child_works(sandbox)


# What an honest answer needs


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("from fractions import Fraction; seen = Fraction(1, 3) + 1", "Fraction(4, 3)"),
        ("import course.basra; seen = 1", "1"),
        ("seen = len([bytearray(1 << 24) for _ in range(1000)])", "MemoryError()"),
        ("import re, json, random, decimal, statistics, itertools, zlib, hashlib, ctypes; seen = 2", "2"),
        ("from toolz import compose, curry; seen = compose(len, str)(123)", "3"),
        ("import time; time.sleep(0.001); seen = time.time() > 0", "True"),
        ("import datetime; seen = datetime.datetime.now().astimezone().tzname()", "'UTC'"),
        ("import contextlib, os\nwith contextlib.redirect_stdout(open(os.devnull, 'w')): print('x')", "None"),
        ("import sys; print('to nobody'); print('to nobody', file=sys.stderr); seen = 'é'", "'é'"),
        ("def f(): return f()\ntry: f()\nexcept RecursionError: seen = 3", "3"),
    ],
)
def test_ordinary_code_works_at_every_level(cage: Sandbox, source: str, seen: str) -> None:
    assert message_of(cage, source) == seen


def test_a_call_can_be_given_a_time_limit_of_its_own(cage: Sandbox) -> None:
    source = """
    import signal
    def stop(*_): raise TimeoutError("enough")
    def spin():
        while True: pass
    for timer, number in ((signal.ITIMER_PROF, signal.SIGPROF), (signal.ITIMER_VIRTUAL, signal.SIGVTALRM)):
        signal.signal(number, stop)
        signal.setitimer(timer, 0.01)
        try:
            spin()
        except TimeoutError:
            seen = number
    """
    assert "SIGVTALRM" in (message_of(cage, source) or "")


@pytest.mark.bubblewrap
@pytest.mark.landlock
def test_hashes_are_the_same_in_two_sandboxes(runner: Path) -> None:
    def hashed(level: str) -> str | None:
        with hostile(runner, level) as sandbox:
            return message_of(sandbox, "seen = hash('a'), list({'ace', 'king', 'queen'})")

    assert len({hashed(level) for level in (BUBBLEWRAP, BUBBLEWRAP, LANDLOCK, OFF)}) == 1


@pytest.mark.bubblewrap
def test_nothing_of_a_sandbox_is_left_running_after_an_interrupt(runner: Path) -> None:
    before, sandbox = running(runner), hostile(runner, BUBBLEWRAP)  # others of other tests are still open
    with pytest.raises(KeyboardInterrupt), sandbox, sandbox.child() as child:
        child.send(b"while True: pass")
        assert running(runner) > before
        raise KeyboardInterrupt
    assert running(runner) == before and sandbox.cpu_seconds > 0


def running(runner: Path) -> int:
    """Return the number of processes that have this folder mounted."""
    found = 0
    for commands in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found += str(runner).encode() in commands.read_bytes()
    return found


def test_no_installed_package_is_shown() -> None:
    assert not any("site-packages" in str(path) or "dist-packages" in str(path) for path in sources.readable_paths())
    assert not any(path.is_relative_to(shown) for path in sources.hidden_paths() for shown in sources.readable_paths())
