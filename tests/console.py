"""The `console` blocks of README and docs as sessions: they are run, and their output is compared.

A block with `norun="reason"` is not run. A block with `file="path"` is written
to that file (`append` adds it at the end), and `<!-- before: COMMAND -->` is run without being shown.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.classroom import write_file
from tests.command import PATIENCE, PLAIN

CHECKER = doctest.OutputChecker()
ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PART = re.compile(
    r"^(?P<indent> *)```(?P<language>\w+)(?P<words>[^\n]*)\n(?P<body>.*?)^ *```$|<!-- before: (?P<before>.*?) -->",
    re.M | re.S,
)
ENVIRONMENT = PLAIN | {
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
    "PYTHONPATH": str(ROOT),
    "FOLDEM_CHECKOUT": str(ROOT),
}


@dataclass(frozen=True)
class Command:
    """A command of a block, and the output shown below it; None if its block shows no output."""

    line: int
    text: str
    output: str | None = None


@dataclass(frozen=True)
class Unrun:
    """A block that is not run, and the reason."""

    line: int
    reason: str
    text: str


@dataclass(frozen=True)
class File:
    """A block that a reader writes to a file."""

    line: int
    name: str
    text: str
    is_added: bool


Part = Command | Unrun | File


def read_page(page: Path) -> Iterator[Part]:
    """Yield what a reader of the page does, in order."""
    text = page.read_text(encoding="utf-8")
    for match in PART.finditer(text):
        line = text[: match.start()].count("\n") + 1
        if match["before"]:
            yield Command(line, match["before"])
        else:
            words, body = match["words"], re.sub(rf"^{match['indent']}", "", match["body"], flags=re.MULTILINE)
            if reason := re.search(r'norun="([^"]*)"', words):
                yield Unrun(line, reason[1], body)
            elif name := re.search(r'file="([^"]*)"', words):
                yield File(line, name[1], body, "append" in words.split())
            elif match["language"] == "console":
                yield from read_commands(body, line + 1)


def read_commands(body: str, line: int = 1) -> Iterator[Command]:
    r"""Yield the commands of a block; a line that ends with a backslash goes on.

    >>> [*read_commands("$ echo a\na\n$ true\n")]
    [Command(line=1, text='echo a', output='a\n'), Command(line=3, text='true', output='')]
    >>> [*read_commands("$ echo a\n")]
    [Command(line=1, text='echo a', output=None)]
    """
    matches = [*re.finditer(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", body, re.MULTILINE)]
    shows_output = any(match[2] for match in matches)
    for match in matches:
        yield Command(line + body[: match.start()].count("\n"), match[1], match[2] if shows_output else None)


class Session:
    """A reader's terminal, in an empty folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.current = folder, folder / "work"
        self.current.mkdir()

    def run(self, command: Command) -> tuple[int, str]:
        """Run a command in the current folder, which it may change; return its exit status and its output."""
        place = self.folder / "current"
        script = f'{command.text}\nstatus=$?\npwd > "{place}"\nexit $status\n'
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=self.current,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
        )
        self.current = Path(place.read_text(encoding="utf-8").strip())
        return done.returncode, tidy(done.stdout)

    def write(self, file: File) -> None:
        """Write a file of the page."""
        path = self.current / file.name
        write_file(path, (path.read_text(encoding="utf-8") if file.is_added else "") + file.text)


def tidy(text: str) -> str:
    """Return output without blanks at the ends of lines, and without empty lines around it."""
    lines = "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")
    return f"{lines}\n" if lines else ""


def find_differences(page: Path, folder: Path) -> Iterator[str]:
    """Run a page in an empty folder, and yield what differs from what it shows."""
    session = Session(folder)
    for part in read_page(page):
        if isinstance(part, File):
            session.write(part)
        elif isinstance(part, Command):
            status, output = session.run(part)
            is_as_shown = status == 0
            if part.output is not None:
                is_as_shown = CHECKER.check_output(tidy(part.output), output, doctest.ELLIPSIS)
            if not is_as_shown:
                yield f"{page.name}:{part.line}: $ {part.text}\nexit status {status}\n{output}"
