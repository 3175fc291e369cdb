"""What teachers read is plain English: help texts, the comments of `foldem.toml`, and generated files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
import typer

from autograder.cli import make_app
from autograder.commands.bundle import RUN, SETUP, WORKFLOW
from autograder.commands.course import NBGRADER_CONFIG
from autograder.commands.new import TEMPLATES
from autograder.commands.student_kit import KIT_SETTINGS, README
from autograder.config import settings_text
from tests.prose import (
    ROOT,
    Paragraph,
    broken_rules,
    find_faults,
    plain,
    read_docstrings,
    split_markdown,
    split_sentences,
)

COMMANDS = typer.main.get_command(make_app()).commands  # type: ignore[attr-defined]


def faults(paragraphs: Iterable[str]) -> list[str]:
    """Return the sentences that break a rule, each with the rule."""
    sentences = (sentence for text in paragraphs for sentence in split_sentences(text))
    return [f"{rule}: {sentence}" for sentence in sentences for rule in broken_rules(sentence)]


def comments(text: str) -> Iterator[str]:
    """Yield the comments of a file; lines without a code line between them are one paragraph."""
    for block in re.findall(r"(?:^[ \t]*#[^\n]*\n)+", text, re.MULTILINE):
        yield plain(re.sub(r"^[ \t]*# ?", "", block, flags=re.MULTILINE))


def help_texts(name: str) -> list[str]:
    """Return the paragraphs of a command's help, and the help of its options."""
    command = COMMANDS[name]
    paragraphs = [plain(part) for part in command.help.split("\n\n") if not part.startswith("Example:")]
    return [*paragraphs, *(plain(option.help) for option in command.params if getattr(option, "help", None))]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_is_plain_english(name: str) -> None:
    texts = help_texts(name)
    assert faults(texts) == [] and all(text.endswith((".", "…")) for text in texts), texts


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_says_in_one_line_what_a_command_does(name: str) -> None:
    assert len(COMMANDS[name].help.split("\n\n")[0]) <= 112


def test_comments_of_new_settings_are_plain_english(tmp_path: Path) -> None:
    found = list(comments(settings_text(tmp_path)))
    assert len(found) > 5 and faults(found) == []


GENERATED = {"workflow": WORKFLOW, "setup": SETUP, "run": RUN, "kit": KIT_SETTINGS, "nbgrader": NBGRADER_CONFIG}
GENERATED |= {path.name: path.read_text(encoding="utf-8") for path in TEMPLATES.glob("*.txt")}


def docstrings(name: str) -> Iterator[str]:
    """Yield the docstrings of a generated Python file; $-names are not Python yet."""
    if ".py" in name:
        yield from (part.text for part in read_docstrings(GENERATED[name].replace("$", "")))


@pytest.mark.parametrize("name", sorted(GENERATED))
def test_comments_of_generated_files_are_plain_english(name: str) -> None:
    assert faults([*comments(GENERATED[name]), *docstrings(name)]) == []


ROOMS = sorted({path.parent for half in ("course", "autograder") for path in ROOT.glob(f"{half}/**/*.py")})


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(ROOT)))
def test_docstrings_of_a_room_are_plain_english(room: Path) -> None:
    found = [str(fault) for module in sorted(room.glob("*.py")) for fault in find_faults(module)]
    assert len(ROOMS) > 20 and found == []


def test_the_readme_of_a_student_kit_is_plain_english() -> None:
    found: list[Paragraph] = list(split_markdown(README, 1))
    assert len(found) > 3 and faults(paragraph.text for paragraph in found) == []
