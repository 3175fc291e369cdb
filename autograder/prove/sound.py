"""Inspect the units of an author in a separate process with a time limit, so that nothing can run forever.

Called by `foldem build`, `foldem new` and `foldem prove`, and by itself in that process.
"""

from __future__ import annotations

import faulthandler
import json
import os
import pickle
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from typing import IO

from autograder.prove.inspection import inspect
from autograder.prove.shown import Begin
from autograder.sandbox.host import NoSandbox, find_level
from autograder.sandbox.reading import only_read, reading_command
from autograder.units.pack import Pack
from autograder.units.unit import Unit, UnitError, read_unit

SECONDS_PER_STEP = 10  # of computing, for an import, an example or a prediction
TIMES_ASLEEP = 6  # of waiting, so many times more
COMMAND = (sys.executable, "-P", "-m", "autograder.prove.sound")
SOUND, END = "sound", "\n\n"
FRAME = re.compile(r'File "(.+)", line (\d+) in ')


def demand_sound(units: Sequence[Unit]) -> tuple[str, ...]:
    """Raise UnitError, in one line with file and line, for the first mistake of the author of these units.

    Their code may read files, but neither write nor connect. Return a warning if this machine has no sandbox for that.
    """
    level, warnings = _level()
    message = pickle.dumps((units[0].catalogue, [unit.name for unit in units], SECONDS_PER_STEP, level))
    done = subprocess.run(reading_command(level, COMMAND), input=message, capture_output=True)
    *steps, last = done.stdout.decode(errors="replace").split(END)
    if last != SOUND:
        raise UnitError(_reason(units[0].pack, steps, last or done.stderr.decode(errors="replace")))
    return warnings


def _level() -> tuple[str, tuple[str, ...]]:
    """Return the best sandbox here, and a warning if there is none."""
    try:
        return find_level(()), ()
    except NoSandbox:
        return "off", ("note: this machine has no sandbox, so code of the pack may write files and connect",)


def _reason(pack: Pack, steps: list[str], last: str) -> str:
    """Return why an inspection ended: the mistake, or what took too long."""
    location, what = json.loads(steps[-1]) if steps else (f"{pack.settings}:1", "the inspection")
    if last.startswith("{"):
        return str(json.loads(last)["wrong"])
    frames = [f"{file}:{line}" for file, line in FRAME.findall(last)]
    location = next(filter(pack.is_at, frames), location)
    if frames:
        return f"{location}: {what} takes too long. Does a loop or a recursion never end here?"
    return f"{location}: {what} ended its process: {' '.join(last.split())[-200:]}"


def main() -> None:
    """Inspect the units of the message at standard input, and write what is wrong to standard output."""
    catalogue, names, seconds, level = pickle.load(sys.stdin.buffer)
    report = os.fdopen(os.dup(1), "w", encoding="utf-8")
    with open(os.devnull, "r+", encoding="utf-8") as null:
        for stream in (0, 1):
            os.dup2(null.fileno(), stream)
    only_read(level)
    if hasattr(faulthandler, "register"):
        faulthandler.register(signal.SIGVTALRM, file=report, chain=True)
    units = [read_unit(catalogue, name) for name in names]
    report.write(_verdict(units, partial(_begin, report, seconds)))
    report.close()


def _verdict(units: Sequence[Unit], begin: Begin) -> str:
    try:
        for unit in units:
            inspect(unit, begin)
    except UnitError as error:
        return json.dumps({"wrong": str(error)})
    finally:
        faulthandler.cancel_dump_traceback_later()
    return SOUND


def _begin(report: IO[str], seconds: float, location: str, what: str) -> None:
    """Begin a step, which ends this process if it takes too long: then the report ends with a traceback."""
    report.write(f"{json.dumps([location, what])}{END}")
    report.flush()
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    faulthandler.dump_traceback_later(TIMES_ASLEEP * seconds, exit=True, file=report)


if __name__ == "__main__":
    main()
