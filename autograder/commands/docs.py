"""`foldem docs`: open the documentation that comes with Foldem."""

from __future__ import annotations

import webbrowser
from collections.abc import Iterator
from pathlib import Path

from autograder.commands.options import DocsOptions
from autograder.config import ConfigError

PACKAGE = Path(__file__).parents[1]
BUILT = PACKAGE / "docs", PACKAGE.parent / "build" / "docs"  # in a wheel; in a checkout
NOT_BUILT = "the documentation is not built yet: run `make docs` in {}"
NOT_HERE = "this installation has no documentation: run `make wheel` in a copy of the repository, and install the wheel"


def run(options: DocsOptions) -> Iterator[str]:
    """Open the documentation in a browser, and yield its address.

    Raises ConfigError if the documentation has not been built.
    """
    page = next((folder / "index.html" for folder in BUILT if (folder / "index.html").is_file()), None)
    if page is None:
        raise ConfigError(NOT_BUILT.format(PACKAGE.parent) if (PACKAGE.parent / "Makefile").is_file() else NOT_HERE)
    yield page.as_uri()
    if not options.no_browser:
        webbrowser.open(page.as_uri())
