"""The real `foldem` command, as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

FOLDEM = str(Path(sys.executable).with_name("foldem"))
# Far more than anything takes, even on a busy machine: it only ends what hangs.
PATIENCE = 600
PLAIN = os.environ | {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}


def foldem(*words: str | Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run the command and give how it ended and what it printed."""
    command = [FOLDEM, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env=PLAIN | settings, timeout=PATIENCE)


def is_one_line_refusal(done: subprocess.CompletedProcess[str]) -> bool:
    """Tell whether the command refused with one line, and did not crash."""
    lines = done.stderr.strip().splitlines()
    return done.returncode == 2 and len(lines) == 1 and lines[0].startswith("foldem: ")
