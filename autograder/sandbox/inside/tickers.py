"""Time limits for calls of an answer's code: a clock of CPU time that interrupts a call."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from typing import NoReturn

from course.exam.observing import TimeUp
from course.limits import MOST_IGNORED_TIMEOUTS

IGNORED_LIMIT_STATUS = 124  # the exit status of a process whose answer ignores TimeUp again and again


class cpu_limit:
    """A context manager that raises TimeUp in its block after `seconds` of CPU time, and again if the code continues.

    CPU time is enough as a limit, because a confined process cannot sleep. An unconfined process that sleeps is ended
    when its wall-clock limit is reached.

    There is no limit before `enable_cpu_limits` is called, because an unhandled alarm would end the process. Thousands
    of blocks are entered each second, so entering a block makes no system call while the clock ticks. The clock ticks
    until no block is active. The time of a block counts from the first tick inside the block.
    """

    under_way: cpu_limit | None = None

    def __init__(self, seconds: float | None) -> None:
        self.seconds, self.rings = seconds, 0

    def __enter__(self) -> None:
        if self.seconds is not None:
            cpu_limit.under_way = self
            if TICKER.is_handled and not TICKER.runs:
                TICKER.runs = True
                signal.setitimer(signal.ITIMER_PROF, 0.02, 0.02)

    def __exit__(self, *_: object) -> None:
        cpu_limit.under_way = None

    def interrupt(self) -> NoReturn:
        """Raise TimeUp. If the code has ignored TimeUp too often, end the process."""
        self.rings += 1
        if self.rings > MOST_IGNORED_TIMEOUTS:
            os._exit(IGNORED_LIMIT_STATUS)
        raise TimeUp


class exiting_cpu_limit(cpu_limit):
    """A limit like `cpu_limit`, but it ends the process after `seconds` instead of raising TimeUp.

    The grader then runs the answer again, alone in a process.
    """

    def interrupt(self) -> NoReturn:
        os._exit(0)


class Ticker:
    """A clock of CPU time. The clock stops when no block of `cpu_limit` is active."""

    is_handled, runs, since = False, False, 0.0
    met: cpu_limit | None = None

    def stop(self) -> None:
        """Stop the clock until the next block of `cpu_limit` begins."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        self.runs = False

    def tick(self, _signal: int, _frame: object) -> None:
        """Handle a timer's signal: if the active block has used up its time, interrupt the block."""
        block = cpu_limit.under_way
        if block is None:
            self.stop()
        elif block is not self.met:
            self.met, self.since = block, time.process_time()
        elif time.process_time() - self.since >= (block.seconds or 0.0):
            block.interrupt()


TICKER = Ticker()


def enable_cpu_limits() -> None:
    """Turn on the limits of `cpu_limit`, if this process may set a timer."""
    with suppress(OSError):
        TICKER.stop()
        signal.signal(signal.SIGPROF, TICKER.tick)
        TICKER.is_handled = True
