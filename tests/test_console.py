"""The commands in README and docs work as shown, and blocks that are not run name commands that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.main import get_command

from autograder.cli import make_app
from tests.classroom import write_file
from tests.console import PAGES, ROOT, Command, Unrun, find_differences, read_page
from tests.sample import one_in

COMMANDS = {page: sum(isinstance(part, Command) for part in read_page(page)) for page in PAGES}
RUN = sorted((page for page in PAGES if COMMANDS[page]), key=COMMANDS.__getitem__)


@pytest.mark.sandbox
@pytest.mark.nbgrader
@pytest.mark.parametrize("page", one_in(len(RUN), RUN), ids=lambda page: page.stem)
def test_console_blocks_print_what_they_show(page: Path, tmp_path: Path) -> None:
    assert "\n".join(find_differences(page, tmp_path)) == ""


@pytest.mark.parametrize(
    ("block", "difference"),
    [
        ("$ echo one two\none ...\n$ echo two\nthree\n", "page.md:4: $ echo two\n"),
        ("$ true\n$ exit 3\n", "page.md:3: $ exit 3\nexit status 3\n"),
    ],
)
def test_a_wrong_output_or_a_failure_is_reported(tmp_path: Path, block: str, difference: str) -> None:
    (only,) = find_differences(write_file(tmp_path / "page.md", f"```console\n{block}```\n"), tmp_path)
    assert only.startswith(difference)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_blocks_that_are_not_run_have_a_reason_and_commands_that_exist(page: Path) -> None:
    commands = get_command(make_app()).commands  # type: ignore[attr-defined]
    for part in (part for part in read_page(page) if isinstance(part, Unrun)):
        assert len(part.reason) > 7
        for name, rest in re.findall(r"(?<![\w/-])foldem ([a-z-]+)([^\n#&|]*)", part.text):
            known = {option for parameter in commands[name].params for option in parameter.opts}
            assert {*re.findall(r"(?<=\s)--?[a-z-]+", rest)} <= known, f"{page.relative_to(ROOT)}:{part.line}"
