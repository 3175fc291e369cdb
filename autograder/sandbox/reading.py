"""Processes that may read files, but neither write nor connect. The code of a pack's author is tried in one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress

from autograder.sandbox.cage import BUBBLEWRAP, LANDLOCK

BUBBLEWRAPPED = (
    "bwrap",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--unshare-all",
    "--die-with-parent",
)
MEMORY = 4 << 30  # bytes


def reading_command(level: str, command: Sequence[str]) -> list[str]:
    """Return a command that starts another one in a process that only reads."""
    return [*(BUBBLEWRAPPED if level == BUBBLEWRAP else ()), *command]


def forbid_writing(level: str) -> None:
    """Let this process only read from now on, as far as its command has not done so, and limit its memory."""
    if level == LANDLOCK:
        from autograder.sandbox.inside.confine import restrict_paths

        restrict_paths(["/"], [os.devnull])
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
