"""The pytest plugin that names the right command if somebody runs plain `pytest` on a notebook.

Every pytest on this machine loads it. A `pytest.ini` next to a notebook can import code before any plugin runs, but
`foldem pytest` reads no such file.
"""

from __future__ import annotations

import shlex

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the command that grades notebooks, if pytest was called with notebooks but has found no tests in them."""
    notebooks = [word for word in config.args if word.partition("::")[0].endswith(".ipynb")]
    if notebooks and not terminalreporter.stats:
        terminalreporter.write_line(
            f"Is it a notebook of Foldem? Then run: {shlex.join(['foldem', 'pytest', *notebooks])}"
        )
