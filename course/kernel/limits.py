"""Limit the time of the learner's own calls on every platform, and their memory on Linux and in browsers.

On Linux and macOS, a timer of processor time enforces the time limit, but only in the main thread. Elsewhere,
`sys.monitoring` of Python 3.12 does. To stop code that only sleeps, the kernel is interrupted.
"""

from __future__ import annotations

import builtins
import gc
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from math import inf
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, ClassVar

from course.exam.observing import TimeUp
from course.limits import (
    MOST_BROWSER_BYTES,
    MOST_MEMORY_BYTES,
    SECONDS_BETWEEN_CLOCK_READINGS,
    SECONDS_PER_BROWSER_CELL,
    SECONDS_PER_EXAMPLE,
)

try:
    import resource
except ModuleNotFoundError:  # Windows and browsers
    resource = None  # type: ignore[assignment]

TOOL_IDS = 3, 4, 5  # of `sys.monitoring`; the others are for debuggers, coverage and profilers
EVENTS_PER_CLOCK_READING = 64  # reading the clock at every event would cost more than the observed code
TICK_LENGTH = 0.02  # seconds of processor time
STATM_FILE = Path("/proc/self/statm")
SAVED_BUILTINS = vars(builtins)  # stored here, because a learner may overwrite `vars`
OBJECTS_BETWEEN_COLLECTIONS = 10_000  # Python's default of some hundred takes up to two thirds of a check's time
Clock = Callable[[], float]

if sys.platform == "emscripten":
    from pyodide_js import _module as browser
else:
    browser = None


def browser_heap_bytes() -> int:
    """Return how many bytes of memory the browser has given to Python. Outside a browser, return 0."""
    return int(browser.HEAP8.length) if browser else 0


@contextmanager
def rare_garbage_collection() -> Iterator[None]:
    """Collect garbage less often while the block runs, because most objects of a check are needed until its end."""
    before = gc.get_threshold()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


class Countdown:
    """The time that remains for a block of code.

    One countdown is used for many blocks, one after the other, because starting an observer takes long.

    While a block runs, an observer checks the countdown, and raises the countdown's `error` when the time is over. If
    the block catches the error, the observer raises it again.
    """

    error: ClassVar[type[TimeUp]] = TimeUp
    own_code, longest_look = "", inf

    def __init__(self, seconds: float, clock: Clock) -> None:
        self.seconds, self.clock, self.builtins = seconds, clock, dict(SAVED_BUILTINS)
        self.count, self.step, self.most = 0, EVENTS_PER_CLOCK_READING, browser_heap_bytes() + MOST_BROWSER_BYTES

    def __enter__(self) -> Countdown:
        self.left, self.last = self.seconds, self.clock()
        return self

    def __exit__(self, *_: object) -> None:
        SAVED_BUILTINS.update(self.builtins)  # the kernel needs them
        self.left = inf

    def is_time_up(self, code: CodeType) -> bool:
        now = self.clock()
        self.left, self.last = self.left - min(now - self.last, self.longest_look), now
        return self.left < 0 and code.co_filename != __file__

    def tick(self, code: CodeType, *_: object) -> Any:
        """Check the time at every `step`-th event only, to save time. Disable the events of all code but `own_code`."""
        self.count += 1
        if self.count % self.step:
            return None
        if not code.co_filename.startswith(self.own_code):
            return sys.monitoring.DISABLE  # type: ignore[attr-defined, unused-ignore]
        if self.is_time_up(code):
            self.step += 1  # moves the next error to another point of a loop that catches it
            raise self.error
        if browser and self.left < inf and code.co_filename != __file__ and browser_heap_bytes() > self.most:
            self.most += MOST_BROWSER_BYTES
            raise MemoryError
        return None


# ------------------------------------------------------------------------------------------------ observers


class Timer:
    """An observer that uses the system's timer of processor time. It does not slow down the observed code."""

    slower: ClassVar[int] = 1
    countdown: ClassVar[Countdown | None] = None

    def begin(self, countdown: Countdown) -> bool:
        """Start to observe a block, and return True. If the system's timer is missing or in use, return False."""
        if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
            return False
        if Timer.countdown is not None or signal.getsignal(signal.SIGPROF) not in (signal.SIG_DFL, Timer.handle_signal):
            return False
        Timer.countdown = countdown
        signal.signal(signal.SIGPROF, Timer.handle_signal)  # never removed: a late signal would end the process
        signal.setitimer(signal.ITIMER_PROF, TICK_LENGTH, TICK_LENGTH)
        return True

    def end(self) -> None:
        Timer.countdown = None
        signal.setitimer(signal.ITIMER_PROF, 0)

    @staticmethod
    def handle_signal(_: int, frame: FrameType | None) -> None:
        if Timer.countdown is not None and frame is not None and Timer.countdown.is_time_up(frame.f_code):
            raise TimeUp


class Monitor:
    """An observer of calls and backward jumps, which uses `sys.monitoring` of Python 3.12."""

    slower: ClassVar[int] = 5  # measured: 4 to 5.5; `sys.settrace` would be 16 to 60 times slower
    tool = -1

    def begin(self, countdown: Countdown) -> bool:
        """Start to observe a block, and return True. If all tool ids of `sys.monitoring` are in use, return False."""
        monitoring: Any = getattr(sys, "monitoring", None)
        self.tool = next((tool for tool in TOOL_IDS if monitoring and monitoring.get_tool(tool) is None), -1)
        if self.tool < 0:
            return False
        monitoring.use_tool_id(self.tool, "foldem")
        for event in (monitoring.events.PY_START, monitoring.events.JUMP):
            monitoring.register_callback(self.tool, event, countdown.tick)
        monitoring.set_events(self.tool, monitoring.events.PY_START | monitoring.events.JUMP)
        monitoring.restart_events()  # an earlier countdown may have disabled some
        return True

    def end(self) -> None:
        if self.tool >= 0:
            monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
            monitoring.set_events(self.tool, 0)
            monitoring.free_tool_id(self.tool)
            self.tool = -1


OBSERVERS: tuple[type[Timer | Monitor], ...] = (Timer, Monitor)


class limited:
    """Limit the processor time of a block. When the time is over, TimeUp is raised in the block.

    MemoryError is raised if the block uses too much memory.
    """

    def __init__(self, seconds: float = SECONDS_PER_EXAMPLE, clock: Clock = time.process_time) -> None:
        self.seconds, self.clock = seconds, clock

    def __enter__(self) -> limited:
        self.around = ExitStack()
        self.around.enter_context(memory_limited())
        self.around.enter_context(exit_as_exception())
        gc.freeze()  # garbage collections skip what exists already, which saves the learner's time
        self.countdown = Countdown(self.seconds, self.clock).__enter__()
        self.observer = next((each for each in (kind() for kind in OBSERVERS) if each.begin(self.countdown)), None)
        return self

    def with_limit(self, seconds: float) -> Countdown:
        """Return the countdown with a new time limit, for another block. The time between two blocks does not count."""
        self.countdown.seconds = seconds * (self.observer.slower if self.observer else 1)
        return self.countdown

    def __exit__(self, *_: object) -> None:
        self.countdown.__exit__()
        if self.observer:
            self.observer.end()
        gc.unfreeze()
        self.around.close()


@contextmanager
def exit_as_exception() -> Iterator[None]:
    """Let `exit` raise SystemExit in the block, as outside a notebook. IPython's own `exit` would end the kernel."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None or not hasattr(shell, "ask_exit"):
        yield
        return
    shell.ask_exit = sys.exit
    try:
        yield
    finally:
        vars(shell).pop("ask_exit", None)  # a nested block may have removed it


@contextmanager
def memory_limited() -> Iterator[None]:
    """Limit the additional memory that a block may use, on systems that support such limits."""
    pages = 0
    with suppress(OSError):  # unknown, as in a sandbox, which has its own limit
        pages = int(STATM_FILE.read_text(encoding="ascii").split()[0])
    if resource is None or not pages:
        yield
        return
    most, hard = before = resource.getrlimit(resource.RLIMIT_AS)
    wanted = pages * resource.getpagesize() + MOST_MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (wanted if most == resource.RLIM_INFINITY else min(most, wanted), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


# ------------------------------------------------------------------------------------------------ complete cells


class CellStopped(TimeUp):
    """Raised when a cell has run for too long. Notebooks show one sentence instead of a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [
            f"This cell was stopped after {SECONDS_PER_BROWSER_CELL:.0f} seconds. Does it have a loop that never ends? "
            "The results of your other cells are still there."
        ]


class CellCountdown(Countdown):
    """A limit on the time that the learner's own code in a cell runs.

    Waiting, for example for `input`, does not count.
    """

    error, own_code, longest_look = CellStopped, "<ipython-input", SECONDS_BETWEEN_CLOCK_READINGS


def limit_cell_time(shell: Any, seconds: float = SECONDS_PER_BROWSER_CELL, clock: Clock = time.monotonic) -> None:
    """Stop each cell that computes for too long. Browsers need a limit, because nobody can interrupt a cell there."""
    monitor = Monitor()

    def begin(*_: object) -> None:
        monitor.end()
        monitor.begin(CellCountdown(seconds, clock).__enter__())

    shell.events.register("pre_run_cell", begin)
    shell.events.register("post_run_cell", lambda *_: monitor.end())
