"""Limit the time of the learner's own calls on every platform, and their memory on Linux and in browsers.

A timer of processor time enforces the limit where there is one (Linux and macOS, in the main thread). Code that only
sleeps is stopped by interrupting the kernel. Elsewhere `sys.monitoring` or
a trace function checks the clock. Other tools' timers, debuggers and profilers are left alone.
"""

from __future__ import annotations

import builtins
import gc
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dis import get_instructions
from functools import cache
from math import inf
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, ClassVar

from course.exam.observing import TimeUp

try:
    import resource
except ModuleNotFoundError:  # Windows and browsers
    resource = None  # type: ignore[assignment]

SECONDS, SECONDS_PER_CALL = 5.0, 1.0  # for an example; for a call in an exam
MOST_MEMORY = 1 << 30  # bytes that calls may use, in addition to the memory that is in use before
MOST_IN_A_BROWSER = 1 << 29  # lower, since allocating takes seconds there, and memory is never returned
SLOWER_WHEN_TRACED = 5
SLOWER_IN_A_BROWSER = 5  # a browser's only clock also counts the time of other processes
TOOLS, CELL_TOOL = (3, 4, 2), 5
EVERY = 64  # reading the clock at every event would cost more than the observed code
TICK = 0.02  # seconds of processor time
LAST_EVENTS = ("exception", "return")  # TimeUp cannot propagate from these
STATM = Path("/proc/self/statm")
BUILT_IN = vars(builtins)  # stored here, because a learner may overwrite `vars`
OBJECTS_BETWEEN_COLLECTIONS = 10_000  # Python's default of some hundred takes up to two thirds of a check's time
Clock = Callable[[], float]

if sys.platform == "emscripten":
    from pyodide_js import _module as browser
else:
    browser = None


def browser_heap_bytes() -> int:
    """Return how many bytes of memory the browser has given to Python; 0 elsewhere, where the system sets the limit."""
    return int(browser.HEAP8.length) if browser else 0


@contextmanager
def rare_garbage_collection() -> Iterator[None]:
    """Collect garbage less often while the block runs, since most objects of a check live as long as it does."""
    before = gc.get_threshold()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


class Watch:
    """A counter of events, which raises TimeUp once the time is over.

    If the code catches TimeUp, it is raised again.
    """

    def __init__(self, seconds: float, clock: Clock, outside: FrameType) -> None:
        self.outside, self.most = outside, browser_heap_bytes() + MOST_IN_A_BROWSER
        self.clock, self.end, self.count, self.step = clock, clock() + seconds, 0, EVERY

    def tick(self, code: CodeType, *_: object) -> None:
        self.count += 1
        if self.count % self.step:
            return
        if self.is_up(code):
            self.step += 1  # moves the next TimeUp to another point of a loop that catches it
            raise TimeUp
        if browser and self.end < inf and code.co_filename != __file__ and browser_heap_bytes() > self.most:
            self.most += MOST_IN_A_BROWSER
            raise MemoryError

    def is_up(self, code: CodeType) -> bool:
        return self.clock() > self.end and code.co_filename != __file__

    def trace(self, frame: FrameType, event: str, arg: object) -> Callable[..., Any] | None:
        try:
            if event not in LAST_EVENTS:
                self.tick(frame.f_code)
        except TimeUp:
            sys.setprofile(self.profile)
            raise
        if "__file__" in frame.f_globals:  # loops in installed modules are assumed to end
            return None
        frame.f_trace_opcodes = has_tight_loop(frame.f_code)
        return self.trace

    def profile(self, frame: FrameType, event: str, arg: object) -> None:
        """Start tracing again.

        Python stops tracing when a trace function raises TimeUp, and the learner's code may have caught it.
        """
        if sys.gettrace() is None:
            sys.settrace(self.trace)
            around: FrameType | None = frame
            while around is not None and around is not self.outside:
                around.f_trace = self.trace
                around = around.f_back


@cache
def has_tight_loop(code: CodeType) -> bool:
    """Return whether code has a loop like `while True: pass`: a single jump without line events."""
    return any(each.opname.startswith("JUMP_BACK") and each.argval == each.offset for each in get_instructions(code))


# ------------------------------------------------------------------------------------------------ ways to observe


# Each way makes the observed code slower, by the factor `slower`. It is free if this Python supports it, and no other
# tool is using it.


class Timer:
    """A timer of processor time."""

    slower: ClassVar[int] = 1
    watch: ClassVar[Watch | None] = None

    def is_free(self) -> bool:
        if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
            return False
        return Timer.watch is None and signal.getsignal(signal.SIGPROF) in (signal.SIG_DFL, Timer.ring)

    def begin(self, watch: Watch) -> None:
        Timer.watch = watch
        signal.signal(signal.SIGPROF, Timer.ring)  # not removed, because a late signal would then end the process
        signal.setitimer(signal.ITIMER_PROF, TICK, TICK)

    def end(self) -> None:
        Timer.watch = None
        signal.setitimer(signal.ITIMER_PROF, 0)

    @staticmethod
    def ring(_: int, frame: FrameType | None) -> None:
        if Timer.watch is not None and frame is not None and Timer.watch.is_up(frame.f_code):
            raise TimeUp


class Monitoring:
    """An observer of calls and backward jumps, by `sys.monitoring`. Endless code must do one or the other."""

    slower: ClassVar[int] = SLOWER_IN_A_BROWSER if browser else 1
    tool = -1

    def is_free(self) -> bool:
        monitoring = getattr(sys, "monitoring", None)
        free = (tool for tool in TOOLS if monitoring is not None and monitoring.get_tool(tool) is None)
        self.tool = next(free, -1)
        return self.tool >= 0

    def begin(self, watch: Watch) -> None:
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
        events = monitoring.events
        monitoring.use_tool_id(self.tool, "foldem")
        for event in (events.PY_START, events.JUMP):
            monitoring.register_callback(self.tool, event, watch.tick)
        monitoring.set_events(self.tool, events.PY_START | events.JUMP)

    def end(self) -> None:
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
        monitoring.set_events(self.tool, 0)
        monitoring.free_tool_id(self.tool)


class Tracing:
    """An observer of code that uses a trace function."""

    slower: ClassVar[int] = SLOWER_WHEN_TRACED

    def is_free(self) -> bool:
        return not hasattr(sys, "monitoring") and (sys.gettrace(), sys.getprofile()) == (None, None)

    def begin(self, watch: Watch) -> None:
        sys.settrace(watch.trace)

    def end(self) -> None:
        sys.setprofile(None)
        sys.settrace(None)


WATCHES: tuple[type[Timer | Monitoring | Tracing], ...] = (Timer, Monitoring, Tracing)


class limited:
    """Limit the processor time of a block: when the time is over, TimeUp is raised in the block.

    MemoryError is raised if the block uses too much memory.
    """

    def __init__(self, seconds: float = SECONDS, clock: Clock = time.process_time) -> None:
        self.seconds, self.clock = seconds, clock

    def __enter__(self) -> limited:
        self.watch = Watch(self.seconds, self.clock, sys._getframe(1))
        self.builtins = dict(BUILT_IN)
        self.way = next((way for way in (kind() for kind in WATCHES) if way.is_free()), None)
        self.around = ExitStack()
        self.around.enter_context(memory_limited())
        self.around.enter_context(kernel_protected())
        gc.freeze()  # garbage collections skip what exists already, which saves the learner's time
        if self.way:
            self.way.begin(self.watch)
        return self

    def renewed(self, seconds: float) -> _Renewed:
        """Return a block with its own time limit. The time between such blocks is not limited."""
        return _Renewed(self.watch, seconds * (self.way.slower if self.way else 1), self.builtins)

    def __exit__(self, *_: object) -> None:
        BUILT_IN.update(self.builtins)  # the kernel needs them
        self.watch.end = inf
        if self.way:
            self.way.end()
        gc.unfreeze()
        self.around.close()


class _Renewed:
    """One of many blocks that share an observer, since starting an observer for each takes longer."""

    def __init__(self, watch: Watch, seconds: float, saved: dict[str, object]) -> None:
        self.watch, self.seconds, self.saved = watch, seconds, saved

    def __enter__(self) -> None:
        self.watch.end = self.watch.clock() + self.seconds

    def __exit__(self, *_: object) -> None:
        BUILT_IN.update(self.saved)
        self.watch.end = inf


@contextmanager
def kernel_protected() -> Iterator[None]:
    """Let `exit` end only the block and not the kernel, as it would outside a notebook."""
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
    """Limit the memory that a block may use in addition to what is in use, on systems that support it."""
    if resource is None or not (pages := _pages_in_use()):
        yield
        return
    most, hard = before = resource.getrlimit(resource.RLIMIT_AS)
    wanted = pages * resource.getpagesize() + MOST_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (wanted if most == resource.RLIM_INFINITY else min(most, wanted), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _pages_in_use() -> int:
    """Return the number of memory pages in use; 0 if it is unknown, as in a sandbox, which has its own limit."""
    try:
        return int(STATM.read_text(encoding="ascii").split()[0])
    except OSError:
        return 0


# ------------------------------------------------------------------------------------------------ complete cells

CELL_SECONDS, LONGEST_LOOK = 180.0, 0.5
OWN_CODE = "<ipython-input"


class CellStopped(TimeUp):
    """Raised when a cell has run for too long. Notebooks show this error as a sentence."""

    def _render_traceback_(self) -> list[str]:
        took = f"after {CELL_SECONDS:.0f} seconds. Does it have a loop that never ends?"
        return [f"This cell was stopped {took} The results of your other cells are still there."]


class CellWatch(Watch):
    """A watch over the learner's own code in a cell. Waiting, for example for `input`, does not count."""

    def __init__(self, seconds: float, clock: Clock) -> None:
        super().__init__(seconds, clock, sys._getframe())
        self.last, self.left = clock(), seconds

    def tick(self, code: CodeType, *_: object) -> Any:
        if not code.co_filename.startswith(OWN_CODE):
            return sys.monitoring.DISABLE  # type: ignore[attr-defined, unused-ignore]
        super().tick(code)
        return None

    def is_up(self, code: CodeType) -> bool:
        now = self.clock()
        self.left, self.last = self.left - min(now - self.last, LONGEST_LOOK), now
        if self.left < 0:
            raise CellStopped
        return False


# A browser cannot interrupt a cell, so every cell has a limit there.
def watch_cells(shell: Any, seconds: float = CELL_SECONDS, clock: Clock = time.monotonic) -> None:
    """Stop each cell that computes for too long, by `sys.monitoring`."""
    monitoring = getattr(sys, "monitoring", None)
    if monitoring is None or monitoring.get_tool(CELL_TOOL) is not None:
        return
    monitoring.use_tool_id(CELL_TOOL, "foldem cells")
    kinds = monitoring.events.PY_START, monitoring.events.JUMP

    def begin(*_: object) -> None:
        watch = CellWatch(seconds, clock)
        for kind in kinds:
            monitoring.register_callback(CELL_TOOL, kind, watch.tick)
        monitoring.set_events(CELL_TOOL, kinds[0] | kinds[1])
        monitoring.restart_events()

    shell.events.register("pre_run_cell", begin)
    shell.events.register("post_run_cell", lambda *_: monitoring.set_events(CELL_TOOL, 0))
