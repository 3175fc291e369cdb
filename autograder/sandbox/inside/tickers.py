"""Time limits for calls of an answer's code: a CPU clock and a wall clock that interrupt it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from course.exam.observing import TimeUp
from course.limits import MOST_RINGS

try:
    import resource
except ModuleNotFoundError:  # nothing is graded on Windows, but the learner's checks import this module
    resource = None  # type: ignore[assignment]

HAS_TIMERS = hasattr(signal, "setitimer")
IGNORED_THE_LIMIT = 124  # the exit status of a process whose answer ignores TimeUp again and again


class cpu_limit:
    """Raise TimeUp in the block after `seconds` of CPU time, and again if the code continues.

    The wall clock allows much more time, and matters only for code that sleeps, so a confined process has none. A
    process that never gave up the processor voluntarily was only waiting for a busy machine, and gets more time.

    There is no limit before `heed_alarms`, because an unhandled alarm would end the process. A block makes no system
    call, because there are thousands of blocks a second. The clocks keep ticking as long as there are blocks, and count
    a block's time from the first tick inside it.
    """

    under_way: cpu_limit | None = None

    def __init__(self, seconds: float | None) -> None:
        self.seconds, self.rings = seconds if HAS_TIMERS else None, 0

    def __enter__(self) -> None:
        if self.seconds is not None:
            cpu_limit.under_way = self
            for ticker in TICKERS:
                if ticker.is_handled and not ticker.runs:
                    ticker.run()

    def __exit__(self, *_: object) -> None:
        cpu_limit.under_way = None

    def ring(self) -> NoReturn:
        """Raise TimeUp. If the process has ignored it too often, end the process."""
        self.rings += 1
        if self.rings > MOST_RINGS:
            os._exit(IGNORED_THE_LIMIT)
        raise TimeUp


class last_limit(cpu_limit):
    """End the process after `seconds` of CPU time. A group's answer that takes longer runs again alone."""

    def ring(self) -> NoReturn:
        os._exit(0)


class Ticker:
    """A clock of CPU time, with the name of its timer and the signal of that timer.

    The clock stops if no block is running.
    """

    def __init__(self, timer: str, alarm: str, period: float, now: Callable[[], float]) -> None:
        self.timer, self.alarm, self.period, self.now = timer, alarm, period, now
        self.is_handled, self.runs, self.since, self.gave_up = False, False, 0.0, 0
        self.met: cpu_limit | None = None

    def heed(self) -> None:
        """From now on, handle the timer's signal, if this process may set the timer."""
        if hasattr(signal, self.alarm):
            with suppress(OSError):
                self.stop()
                signal.signal(getattr(signal, self.alarm), self._tick)
                self.is_handled = True

    def run(self) -> None:
        """Start ticking."""
        self.runs = True
        signal.setitimer(getattr(signal, self.timer), self.period, self.period)

    def stop(self) -> None:
        """Stop ticking until the next block."""
        signal.setitimer(getattr(signal, self.timer), 0)
        self.runs = False

    def _tick(self, _signal: int, _frame: object) -> None:
        block = cpu_limit.under_way
        if block is None:
            self.stop()
        elif block is not self.met:
            self.met, self.since, self.gave_up = block, self.now(), times_given_up()
        elif self.is_up(block.seconds or 0.0):
            block.ring()

    def is_up(self, seconds: float) -> bool:
        """Return whether the current block has used up its seconds."""
        return self.now() - self.since >= seconds


class WallTicker(Ticker):
    """The wall clock. A process that never gave up the processor voluntarily gets more time."""

    def is_up(self, seconds: float) -> bool:
        return super().is_up(3 * seconds + 1) and times_given_up() != self.gave_up


def times_given_up() -> int:
    """Return how often this process has waited for something other than the processor."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw


TICKERS = (
    Ticker("ITIMER_PROF", "SIGPROF", 0.02, time.process_time),
    WallTicker("ITIMER_REAL", "SIGALRM", 0.1, time.monotonic),
)


def heed_alarms() -> None:
    """Make `cpu_limit` work from now on."""
    for ticker in TICKERS:
        ticker.heed()
