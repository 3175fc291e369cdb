"""The plugin that every pytest on this machine loads. The plugin names the command that tests a notebook.

A `pytest.ini` next to a notebook can import code before any plugin runs. `foldem pytest` reads no such file.
"""

from __future__ import annotations

import shlex

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the right command if a notebook was to be tested, and no plugin has found tests in it."""
    notebooks = [word for word in config.args if word.partition("::")[0].endswith(".ipynb")]
    if notebooks and not terminalreporter.stats:
        terminalreporter.write_line(
            f"Is it a notebook of Foldem? Then run: {shlex.join(['foldem', 'pytest', *notebooks])}"
        )
