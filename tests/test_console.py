"""Commands as users type them: those in README and docs, help with an example, bad input, and the demo."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.main import get_command

from autograder import cli
from autograder.cli import make_app
from tests.classroom import write_file
from tests.command import foldem_here, is_one_line_refusal
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


NAMED = "grade", "collect", "export", "check", "course", "student-kit", "doctor", "lab", "build", "tournament"


def test_all_commands_and_the_documentation_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "DOCUMENTATION_PAGES", (tmp_path / "none", page := write_file(tmp_path / "index.html")))
    shown = foldem_here("--help").stdout
    assert all(command in shown for command in NAMED) and page.as_uri() in "".join(shown.split())


@pytest.mark.parametrize("command", one_in(4, NAMED))
def test_the_help_of_a_command_has_an_example(command: str) -> None:
    done = foldem_here(command, "--help")
    assert done.returncode == 0 and f"Example: foldem {command}" in done.stdout


REFUSED = {
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
    "an upgrade of no course": ("course", "{here}/nowhere", "--upgrade"),
    "a test of no notebook": ("pytest", "{here}/none.ipynb"),
    "a report on nothing": ("report", "{here}", "--store", "sqlite://"),
    "a course and a file": ("tournament", "{here}", "{here}/file"),
}


@pytest.mark.parametrize("words", REFUSED.values(), ids=REFUSED)
def test_bad_input_is_refused_in_one_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "file").write_text("a file")
    done = foldem_here(*(word.format(here=tmp_path) for word in words))
    assert is_one_line_refusal(done), done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_worksheet_of_the_demo_has_all_hand_in_times(tmp_path: Path) -> None:
    folder, course = tmp_path / "class", tmp_path / "course"
    assert foldem_here("demo", folder, "--unit", "warmup").returncode == 0
    assert foldem_here("course", course, "--unit", "warmup").returncode == 0
    (course / "roster.csv").write_bytes((folder / "roster.csv").read_bytes())
    with (course / "foldem.toml").open("a", encoding="utf-8") as settings:
        settings.write("deadlines = { warmup = 2026-03-08T23:59:00+01:00 }\n")
    done = foldem_here("collect", folder / "submissions.zip", course, "--times", folder / "worksheet.csv")
    late = [line for line in (done.stdout + done.stderr).splitlines() if "late" in line]
    assert late == ["s103: warmup is late by 8 h 6 min", "s104: warmup is late by 8 h 6 min"]
    assert "no submission time" not in done.stdout + done.stderr and "6 notebooks collected" in done.stdout
