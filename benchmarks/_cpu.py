"""The CPU time of a command, including its child processes."""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def cpu_seconds(command: Sequence[str | Path], **how: Any) -> float:
    """Run a command, which must succeed, and return the CPU seconds that it and its children used."""
    before = _used()
    subprocess.run(command, check=True, **how)
    return _used() - before


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
