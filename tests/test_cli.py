"""Every command through the real command: help with an example, bad input refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder import cli
from tests.classroom import write_file
from tests.command import foldem_here, is_one_line_refusal
from tests.sample import one_in

COMMANDS = (
    *("grade", "collect", "export", "check", "course", "student-kit", "doctor", "lab", "build"),
    "tournament",
)


def test_all_commands_and_the_documentation_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "DOCUMENTATION", (tmp_path / "none", page := write_file(tmp_path / "index.html")))
    shown = foldem_here("--help").stdout
    assert all(command in shown for command in COMMANDS) and page.as_uri() in "".join(shown.split())


@pytest.mark.parametrize("command", one_in(4, [*COMMANDS]))
def test_the_help_of_a_command_has_an_example(command: str) -> None:
    done = foldem_here(command, "--help")
    assert done.returncode == 0 and f"Example: foldem {command}" in done.stdout


BAD = {
    "no such unit": ("course", "{here}/c", "--unit", "domino"),
    "no such exercise": ("course", "{here}/c", "--unit", "dominoes", "--exercises", "flip..supress"),
    "a range backwards": ("course", "{here}/c", "--unit", "dominoes", "--exercises", "suppress..flip"),
    "an empty range": ("course", "{here}/c", "--unit", "dominoes", "--exercises", ".."),
    "a part of no unit": ("course", "{here}/c", "--exercises", "flip"),
    "a part of two units": ("course", "{here}/c", "--unit", "dominoes", "--unit", "sedma", "--exercises", "flip"),
    "a name that nbgrader refuses": ("course", "{here}/c", "--name", "a+b"),
    "a course in a file": ("course", "{here}/file"),
    "a course below a file": ("course", "{here}/file/c"),
    "a kit of no such unit": ("student-kit", "{here}/k", "--unit", "domino"),
    "a kit of nothing released": ("student-kit", "{here}/k", "--course", "{here}"),
    "a kit over something": ("student-kit", "{here}"),
    "a kit over a file": ("student-kit", "{here}/file"),
    "a lab in a file": ("lab", "{here}/file"),
    "a check of nothing": ("check", "{here}/nothing.ipynb"),
    "a check of no notebook": ("check", "{here}/file"),
    "a build of no unit": ("build", "domino"),
    "a bundle over a file": ("bundle", "{here}/file", "--for", "gradescope", "--unit", "sedma"),
    "a bundle of no such unit": ("bundle", "{here}/b", "--for", "gradescope", "--unit", "poker"),
    "a bundle for no platform": ("bundle", "{here}/b", "--for", "moodle"),
    "changes as JSON": ("grade", "{here}", "--diff", "--json"),
    "an upgrade of one unit": ("course", "{here}", "--upgrade", "--unit", "dominoes"),
    "a course and a file": ("tournament", "{here}", "{here}/file"),
}


@pytest.mark.parametrize("words", BAD.values(), ids=BAD)
def test_bad_input_is_refused_in_one_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "file").write_text("a file")
    done = foldem_here(*(word.format(here=tmp_path) for word in words))
    assert is_one_line_refusal(done), done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
