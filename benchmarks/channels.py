"""Measure what two children of one sandbox could tell each other: bits per second for each possible channel.

    .venv/bin/python benchmarks/channels.py [--bits 64] [--level landlock]

One child sends a bit, and the next one listens. Each pair is forked as for two exercises. The information is the
capacity of a channel with this share of errors, per second of both children's life. This needs only `Sandbox`, so it
can measure older checkouts, too: run it there with their Python.
"""

from __future__ import annotations

import argparse
import inspect
import math
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path.cwd()))

from autograder.sandbox.cage import Limits
from autograder.sandbox.host import Sandbox

RUNNER = """
import os, time, fcntl, signal, ctypes
def main(connection):
    names = {"os": os, "time": time, "fcntl": fcntl, "ctypes": ctypes, "seen": 0}
    try:
        exec(connection.receive(), names)
    except BaseException:
        names["seen"] = 0
    connection.send(repr(int(names["seen"])).encode())
"""
# What is done to send a 0, where it is more than nothing.
ZEROS = {"flags of open files": "fcntl.fcntl(0, fcntl.F_SETFL, 0)"}
# A way: what is done to send a 1, and how it is read: `seen` is 1 or 0. {n} is new for each bit.
WAYS: dict[str, tuple[str, str]] = {
    "names that are not there": (
        "[os.access(f'/no-{n}-{k}', 0) for k in range(50)]",
        "def took(word):\n"
        "    began = time.perf_counter_ns()\n"
        "    for k in range(50): os.access(f'/{word}-{n}-{k}', 0)\n"
        "    return time.perf_counter_ns() - began\n"
        "fresh = min(took('a'), took('b'), took('c'))\nseen = took('no') < 0.75 * fresh",
    ),
    "file times": ("os.utime('/dev/null', (1, {n}))", "seen = os.stat('/dev/null').st_mtime == {n}"),
    "times of a file that is read": (
        "open('/etc/ld.so.cache', 'rb').read(1)",
        "seen = time.time() - os.stat('/etc/ld.so.cache').st_atime < 0.05",
    ),
    "flags of open files": (
        "fcntl.fcntl(0, fcntl.F_SETFL, os.O_NONBLOCK)",
        "seen = bool(fcntl.fcntl(0, fcntl.F_GETFL) & os.O_NONBLOCK)",
    ),
    "positions of open files": ("os.lseek(0, 1 + os.lseek(0, 0, 1), 0)", "seen = os.lseek(0, 0, 1) > 0"),
    "open descriptors": ("os.dup2(0, 9)", "os.fstat(9)\nseen = 1"),
    "process numbers": ("[os.fork() or os._exit(0) for _ in range(3)]", "seen = os.getpid() % 2"),
    "CPU quota": (
        "until = time.process_time() + 0.02\nwhile time.process_time() < until: pass",
        "began = time.perf_counter()\nuntil = time.process_time() + 0.002\n"
        "while time.process_time() < until: pass\nseen = time.perf_counter() - began > 0.003",
    ),
    "the processor's caches": (
        "pages = bytearray(1 << 23)\nfor _ in range(3): pages[::64] = bytes(len(pages[::64]))",
        "pages = bytes(1 << 16)\nbegan = time.perf_counter_ns()\nsum(pages[::64])\n"
        "seen = time.perf_counter_ns() - began > 9000",
    ),
    "when it ended": (
        "until = time.process_time() + 0.02\nwhile time.process_time() < until: pass",
        "seen = (time.clock_gettime_ns(time.CLOCK_MONOTONIC) - {began}) / 1e6 > {usual}",
    ),
}


def answer_of(sandbox: Sandbox, source: str) -> int:
    """Return what a child that runs a source sends."""
    with sandbox.child() as child:
        child.send(source.encode())
        return int(child.receive() or b"0")


def bits(right: float) -> float:
    """Return the information in a bit that is right this often: 1 if always, 0 for a coin."""
    if right in (0.0, 1.0):
        return 1.0
    return 1 + right * math.log2(right) + (1 - right) * math.log2(1 - right)


def measured(sandbox: Sandbox, way: str, count: int) -> tuple[float, float]:
    """Return the share of correct bits (for zeros and ones, half each), and the seconds per bit."""
    send, read = WAYS[way]
    sent = [0, 1] * (count // 2)
    random.Random(0).shuffle(sent)
    usual = sorted(_pause(sandbox) for _ in range(9))[4] + 10
    right, begun = [0, 0], time.perf_counter()
    for number, bit in enumerate(sent):
        began = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        words = {"{n}": str(number + 1), "{began}": str(began), "{usual}": str(usual)}
        texts = [send if bit else ZEROS.get(way, ""), read]
        for old, new in words.items():
            texts = [text.replace(old, new) for text in texts]
        answer_of(sandbox, texts[0])
        right[bit] += answer_of(sandbox, texts[1]) == bit
    return sum(right) / len(sent), (time.perf_counter() - begun) / len(sent)


def _pause(sandbox: Sandbox) -> float:
    """Return the milliseconds from the start of one child to the start of the next."""
    began = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    answer_of(sandbox, "")
    return answer_of(sandbox, f"seen = (time.clock_gettime_ns(time.CLOCK_MONOTONIC) - {began}) // 10**6")


def main() -> None:
    """Measure each channel, and print a line for it."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--bits", type=int, default=64)
    arguments.add_argument("--level", default="landlock")
    arguments.add_argument("--way", action="append", choices=WAYS, help="only this one")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "talk.py").write_text(RUNNER)
        known = inspect.signature(Sandbox).parameters
        more = {name: of for name, of in {"imports": ("fcntl", "time"), "secrets": ()}.items() if name in known}
        with Sandbox((), Limits(), options.level, "talk", (Path(folder),), **more) as sandbox:
            for way in options.way or WAYS:
                right, seconds = measured(sandbox, way, options.bits)
                # What luck alone may give is no channel: three standard deviations of a coin.
                lucky = 1.5 / math.sqrt(options.bits)
                rate = bits(right) / seconds if abs(right - 0.5) > lucky else 0.0
                print(
                    f"{way:30} {100 * right:5.0f} % right {1000 * seconds:8.1f} ms a bit {rate:8.2f} bits/s", flush=True
                )


if __name__ == "__main__":
    main()
