"""A limit of time and memory for a learner's own calls, wherever Python runs.

Where a process has a timer (Linux, macOS; the main thread) it ticks, and costs nothing. Elsewhere (Windows, a browser,
another thread) what runs is watched from inside, by `sys.monitoring` where Python has it (3.12), else by a trace
function. Timers, debuggers and profilers of others are left alone. Memory is limited on Linux, and in a
browser, where each cell is limited as well: nobody can interrupt it there.
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
from typing import Any, ClassVar, NamedTuple, Protocol

from course.exam.observing import TimeUp

try:
    import resource
except ModuleNotFoundError:  # Windows and browsers
    resource = None  # type: ignore[assignment]

SECONDS, SECONDS_PER_CALL = 5.0, 1.0  # of an example; of a call in an exam
MOST_MEMORY = 1 << 30  # bytes that calls may take, beyond what there was before
MOST_IN_A_BROWSER = 1 << 29  # which takes seconds to give so much, and nothing back
SLOWER_WHEN_TRACED = 5
SLOWER_IN_A_BROWSER = 5  # whose only clock goes on while other processes have the processor
TOOLS, CELL_TOOL = (3, 4, 2), 5
EVERY = 64  # looks at the clock take longer than most of what is watched
TICK = 0.02  # seconds of the processor's time
LOOK = 0.1  # seconds on the wall
ASLEEP = 0.02  # of the time on the wall: who computes has more, on a busy machine, too
ENDING = ("exception", "return")  # of a generator that is thrown away, too, where nobody can be told
STATM = Path("/proc/self/statm")
BUILT_IN = vars(builtins)  # not asked for again, since `vars` itself may be overwritten
Clock = Callable[[], float]

if sys.platform == "emscripten":
    from pyodide_js import _module as browser
else:
    browser = None


def heap() -> int:
    """Return how much memory the browser has given to Python, in bytes; 0 elsewhere, where the system limits it."""
    return int(browser.HEAP8.length) if browser else 0


class Watch:
    """Counts what happens, and raises TimeUp once the time is over; and again, if that was caught."""

    def __init__(self, seconds: float, clock: Clock, outside: FrameType) -> None:
        self.outside, self.most = outside, heap() + MOST_IN_A_BROWSER
        self.clock, self.end, self.count, self.step = clock, clock() + seconds, 0, EVERY
        self.seconds = seconds

    def tick(self, code: CodeType, *_: Any) -> None:
        self.count += 1
        if self.count % self.step:
            return
        if self.is_up(code):
            self.step += 1  # so that it comes elsewhere in a loop that has caught it
            raise TimeUp
        if browser and self.end < inf and code.co_filename != __file__ and heap() > self.most:
            self.most += MOST_IN_A_BROWSER
            raise MemoryError

    def is_up(self, code: CodeType) -> bool:
        return self.clock() > self.end and code.co_filename != __file__

    def trace(self, frame: FrameType, event: str, arg: Any) -> Callable[..., Any] | None:
        try:
            if event not in ENDING:
                self.tick(frame.f_code)
        except TimeUp:
            sys.setprofile(self.profile)
            raise
        if "__file__" in frame.f_globals:  # a module's own loops come to an end
            return None
        frame.f_trace_opcodes = turns_on_the_spot(frame.f_code)
        return self.trace

    def profile(self, frame: FrameType, event: str, arg: Any) -> None:
        """Watch again: Python ends a trace that has raised, and what it raised may have been caught."""
        if sys.gettrace() is None:
            sys.settrace(self.trace)
            around: FrameType | None = frame
            while around is not None and around is not self.outside:
                around.f_trace = self.trace
                around = around.f_back


@cache
def turns_on_the_spot(code: CodeType) -> bool:
    """Return whether a loop such as `while True: pass` is a single jump, which no trace of lines ever sees."""
    return any(each.opname.startswith("JUMP_BACK") and each.argval == each.offset for each in get_instructions(code))


# ------------------------------------------------------------------------------------------------ ways to watch


class Way(Protocol):
    """How what runs is watched: so much slower than without."""

    slower: ClassVar[int]

    def is_free(self) -> bool:
        """Return whether Python has it here, and nobody else uses it."""

    def begin(self, watch: Watch) -> None:
        """Watch from now on."""

    def end(self) -> None:
        """Watch no more."""


class Look(NamedTuple):
    """A look at this thread: when, how long it has computed, and how often it has waited for anything but that."""

    when: float
    used: float
    pauses: int

    @staticmethod
    def now() -> Look:
        pauses = resource.getrusage(getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF)).ru_nvcsw
        return Look(time.monotonic(), time.thread_time(), pauses)

    def has_slept(self, first: Look, seconds: float) -> bool:
        """Return whether code with so many seconds to compute has waited too long. Graded calls never do."""
        took, longest = self.when - first.when, 3 * seconds
        if self.used - first.used < ASLEEP * took:
            longest = min(longest, max(seconds, 3 * SECONDS_PER_CALL))
        return took > longest + 1 and self.pauses != first.pauses


class Timer:
    """A timer of the processor's time; one on the wall, far more patient, is there for what sleeps."""

    slower: ClassVar[int] = 1
    watch: ClassVar[Watch | None] = None
    met: ClassVar[tuple[float, Look]] = inf, Look(0.0, 0.0, 0)  # a time's end, and what there was at first sight

    def is_free(self) -> bool:
        if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
            return False
        return Timer.watch is None and signal.getsignal(signal.SIGPROF) in (signal.SIG_DFL, Timer.ring)

    @staticmethod
    def has_wall() -> bool:
        """Return whether nobody else has set the alarm on the wall."""
        is_set = signal.getitimer(signal.ITIMER_REAL) != (0.0, 0.0)
        return signal.getsignal(signal.SIGALRM) in ((Timer.look,) if is_set else (signal.SIG_DFL, Timer.look))

    def begin(self, watch: Watch) -> None:
        Timer.watch = watch
        signal.signal(signal.SIGPROF, Timer.ring)  # for good: a late one would end the process
        signal.setitimer(signal.ITIMER_PROF, TICK, TICK)
        if Timer.has_wall():
            signal.signal(signal.SIGALRM, Timer.look)
            signal.setitimer(signal.ITIMER_REAL, LOOK, LOOK)

    def end(self) -> None:
        Timer.watch = None
        signal.setitimer(signal.ITIMER_PROF, 0)
        if signal.getsignal(signal.SIGALRM) == Timer.look:
            signal.setitimer(signal.ITIMER_REAL, 0)

    @staticmethod
    def ring(_: int, frame: FrameType | None) -> None:
        if Timer.watch is not None and frame is not None and Timer.watch.is_up(frame.f_code):
            raise TimeUp

    @staticmethod
    def look(_: int, frame: FrameType | None) -> None:
        watch = Timer.watch
        if watch is None or watch.end == inf or frame is None or frame.f_code.co_filename == __file__:
            return
        end, first = Timer.met
        if end != watch.end:
            Timer.met = watch.end, Look.now()
        elif Look.now().has_slept(first, watch.seconds):
            raise TimeUp


class Monitoring:
    """Python's own events: whatever goes on for ever calls, or jumps back."""

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
    """A trace function."""

    slower: ClassVar[int] = SLOWER_WHEN_TRACED

    def is_free(self) -> bool:
        return not hasattr(sys, "monitoring") and (sys.gettrace(), sys.getprofile()) == (None, None)

    def begin(self, watch: Watch) -> None:
        sys.settrace(watch.trace)

    def end(self) -> None:
        sys.setprofile(None)
        sys.settrace(None)


WATCHES: tuple[Callable[[], Way], ...] = (Timer, Monitoring, Tracing)


class limited:
    """Let a block take so many seconds of the processor's time; TimeUp is raised in it when they are over.

    MemoryError is raised where it takes too much.
    """

    def __init__(self, seconds: float = SECONDS, clock: Clock = time.process_time) -> None:
        self.seconds, self.clock = seconds, clock

    def __enter__(self) -> limited:
        self.watch = Watch(self.seconds, self.clock, sys._getframe(1))
        self.builtins = dict(BUILT_IN)
        self.way = next((way for way in (kind() for kind in WATCHES) if way.is_free()), None)
        self.around = ExitStack()
        self.around.enter_context(memory_limited())
        self.around.enter_context(others_values_kept())
        self.around.enter_context(kernel_kept())
        if self.way:
            self.way.begin(self.watch)
        return self

    def renewed(self, seconds: float) -> _Renewed:
        """Let a block within take so many seconds, and what comes between such blocks any time."""
        return _Renewed(self.watch, seconds * (self.way.slower if self.way else 1), self.builtins)

    def __exit__(self, *_: object) -> None:
        BUILT_IN.update(self.builtins)  # without which no kernel lives
        self.watch.end = inf
        if self.way:
            self.way.end()
        self.around.close()


class _Renewed:
    """A block of its own time among many that are watched together: to watch each by itself would take longer."""

    def __init__(self, watch: Watch, seconds: float, kept: dict[str, Any]) -> None:
        self.watch, self.seconds, self.kept = watch, seconds, kept

    def __enter__(self) -> None:
        self.watch.seconds, self.watch.end = self.seconds, self.watch.clock() + self.seconds

    def __exit__(self, *_: object) -> None:
        BUILT_IN.update(self.kept)
        self.watch.end = inf


@contextmanager
def others_values_kept() -> Iterator[None]:
    """Have nothing that was there before searched for what can go: that would take the time of whoever is limited."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def kernel_kept() -> Iterator[None]:
    """Let what ends the kernel of a notebook, as `exit` does there, end no more than the block, as elsewhere."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None or not hasattr(shell, "ask_exit"):
        yield
        return
    shell.ask_exit = sys.exit
    try:
        yield
    finally:
        vars(shell).pop("ask_exit", None)  # a block within has done so


@contextmanager
def memory_limited() -> Iterator[None]:
    """Let a block take so much memory more than there is, where Python can tell and the system can limit it."""
    if resource is None or not STATM.exists():
        yield
        return
    most, hard = before = resource.getrlimit(resource.RLIMIT_AS)
    wanted = int(STATM.read_text(encoding="ascii").split()[0]) * resource.getpagesize() + MOST_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (wanted if most == resource.RLIM_INFINITY else min(most, wanted), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


# ------------------------------------------------------------------------------------------------ whole cells

CELL_SECONDS, LONGEST_LOOK = 180.0, 0.5
OWN_CODE = "<ipython-input"


class CellStopped(TimeUp):
    """A cell has computed for too long. Shown as a sentence."""

    def _render_traceback_(self) -> list[str]:
        took = f"after {CELL_SECONDS:.0f} seconds. Does it have a loop that never ends?"
        return [f"This cell was stopped {took} The results of your other cells are still there."]


class CellWatch(Watch):
    """Watches the learner's own code in a cell; who waits, for `input` say, takes no time."""

    def __init__(self, seconds: float, clock: Clock) -> None:
        super().__init__(seconds, clock, sys._getframe())
        self.last, self.left = clock(), seconds

    def tick(self, code: CodeType, *_: Any) -> Any:
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


def watch_cells(shell: Any, seconds: float = CELL_SECONDS, clock: Clock = time.monotonic) -> None:
    """Have each cell stopped that computes for too long, by an event of Python's own."""
    monitoring = getattr(sys, "monitoring", None)
    if monitoring is None or monitoring.get_tool(CELL_TOOL) is not None:
        return
    monitoring.use_tool_id(CELL_TOOL, "foldem cells")
    kinds = monitoring.events.PY_START, monitoring.events.JUMP

    def begin(*_: Any) -> None:
        watch = CellWatch(seconds, clock)
        for kind in kinds:
            monitoring.register_callback(CELL_TOOL, kind, watch.tick)
        monitoring.set_events(CELL_TOOL, kinds[0] | kinds[1])
        monitoring.restart_events()

    shell.events.register("pre_run_cell", begin)
    shell.events.register("post_run_cell", lambda *_: monitoring.set_events(CELL_TOOL, 0))
