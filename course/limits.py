"""A limit of time for a learner's own calls, wherever Python runs: no signals, no threads.

What runs is watched from inside, by `sys.monitoring` where Python has it (3.12), else by a trace function. A debugger
that traces already is left alone, and so is a profiler.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dis import get_instructions
from functools import cache
from math import inf
from types import CodeType, FrameType
from typing import Any

from course.exam.observing import TimeUp

SECONDS, SECONDS_PER_CALL = 5.0, 1.0  # of an example; of a call in an exam
SLOWER_WHEN_TRACED = 5
TOOLS = (3, 4, 2, 5)
EVERY = 64  # looks at the clock take longer than most of what is watched
ENDING = ("exception", "return")  # of a generator that is thrown away, too, where nobody can be told
Clock = Callable[[], float]


class Watch:
    """Counts what happens, and raises TimeUp once the time is over; and again, if that was caught."""

    def __init__(self, seconds: float, clock: Clock, outside: FrameType) -> None:
        self.outside = outside
        self.clock, self.end, self.count, self.step = clock, clock() + seconds, 0, EVERY

    def tick(self, code: CodeType, *_: Any) -> None:
        self.count += 1
        if self.count % self.step == 0 and self.clock() > self.end and code.co_filename != __file__:
            self.step += 1  # so that it comes elsewhere in a loop that has caught it
            raise TimeUp

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
    """Tell whether a loop such as `while True: pass` is a single jump, which no trace of lines ever sees."""
    return any(each.opname.startswith("JUMP_BACK") and each.argval == each.offset for each in get_instructions(code))


class limited:
    """Let a block take so many seconds of the processor's time; TimeUp is raised in it when they are over."""

    def __init__(self, seconds: float = SECONDS, clock: Clock = time.process_time) -> None:
        self.seconds, self.clock, self.tool = seconds, clock, -1

    def __enter__(self) -> limited:
        self.watch = watch = Watch(self.seconds, self.clock, sys._getframe(1))
        monitoring = getattr(sys, "monitoring", None)
        self.is_tracing = monitoring is None and (sys.gettrace(), sys.getprofile()) == (None, None)
        if monitoring is not None:
            self._monitor(monitoring, watch)
        elif self.is_tracing:
            sys.settrace(watch.trace)
        return self

    def renewed(self, seconds: float) -> _Renewed:
        """Let a block within take so many seconds, and what comes between such blocks any time."""
        return _Renewed(self.watch, seconds * (SLOWER_WHEN_TRACED if self.is_tracing else 1))

    def _monitor(self, monitoring: Any, watch: Watch) -> None:
        self.tool = next((tool for tool in TOOLS if monitoring.get_tool(tool) is None), -1)
        if self.tool < 0:
            return
        events = monitoring.events
        monitoring.use_tool_id(self.tool, "foldem")
        for event in (events.PY_START, events.JUMP):  # whatever goes on for ever calls, or jumps back
            monitoring.register_callback(self.tool, event, watch.tick)
        monitoring.set_events(self.tool, events.PY_START | events.JUMP)

    def __exit__(self, *_: object) -> None:
        monitoring = getattr(sys, "monitoring", None)
        if self.is_tracing:
            sys.setprofile(None)
            sys.settrace(None)
        elif monitoring is not None and self.tool >= 0:
            monitoring.set_events(self.tool, 0)
            monitoring.free_tool_id(self.tool)


class _Renewed:
    """A block of its own time among many that are watched together: to watch each by itself would take longer."""

    def __init__(self, watch: Watch, seconds: float) -> None:
        self.watch, self.seconds = watch, seconds

    def __enter__(self) -> None:
        self.watch.end = self.watch.clock() + self.seconds

    def __exit__(self, *_: object) -> None:
        self.watch.end = inf
