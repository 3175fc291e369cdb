"""`foldem bundle`: make what a platform needs to grade an assignment."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.commands import classroom50, github, gradescope
from autograder.commands.options import BundleOptions
from autograder.config import ConfigError

PLATFORM_WRITERS = {"gradescope": gradescope.run, "github": github.run, "classroom50": classroom50.run}


def run(options: BundleOptions) -> Iterator[str]:
    """Write the files for the platform, and yield what to do next. Raises ConfigError if it is unknown."""
    if options.platform not in PLATFORM_WRITERS:
        raise ConfigError(f"--for is one of {', '.join(PLATFORM_WRITERS)}")
    return PLATFORM_WRITERS[options.platform](options)
