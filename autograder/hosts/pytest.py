"""The plugin that every pytest on this machine loads. The plugin names the command that tests a notebook.

A `pytest.ini` next to a notebook can import code before any plugin runs. `foldem pytest` reads no such file.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--submission`, which is then rejected."""
    group = parser.getgroup("foldem", "grading notebooks")
    group.addoption(
        "--submission", action="append", metavar="NOTEBOOK", help="Not supported: use `foldem pytest NOTEBOOK`."
    )


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    """Raise UsageError for `--submission`, before any `conftest.py` is read."""
    if notebooks := early_config.known_args_namespace.submission:
        command = shlex.join(["foldem", "pytest", *notebooks])
        raise pytest.UsageError(
            f"pytest can run a student's code from files next to a notebook. Use this command instead: {command}"
        )
    return (yield)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the right command if a notebook was to be tested, and no plugin has found tests in it."""
    notebooks = [word for word in config.args if word.partition("::")[0].endswith(".ipynb")]
    if notebooks and not terminalreporter.stats:
        terminalreporter.write_line(
            f"Is it a notebook of Foldem? Then run: {shlex.join(['foldem', 'pytest', *notebooks])}"
        )
