"""Messages, lessons, pages, docstrings, help texts and generated files must be in plain English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
import typer

from autograder.cli import make_app
from autograder.commands.bundle import RUN_SCRIPT, SETUP_SCRIPT, WORKFLOW_TEMPLATE
from autograder.commands.course import NBGRADER_CONFIG_TEMPLATE
from autograder.commands.new import TEMPLATES_FOLDER
from autograder.commands.student_kit import KIT_README_TEMPLATE, KIT_SETTINGS_TEMPLATE
from autograder.config import settings_text
from tests.messages import SHEET, build_sheet
from tests.prose import (
    ROOT,
    broken_rules,
    find_faults,
    plain,
    read_docstrings,
    read_paragraphs,
    split_markdown,
    split_sentences,
)

PAGES = (
    *("tests/messages.md", "solutions/*.py", "course/*/unit.toml", "autograder/exams/*/mistakes.py"),
    *("packs/*/*/*.py", "packs/*/*/*/*.py", "packs/*/*/*/*.toml", "README.md", "CHANGELOG.md", "docs/*.md"),
)
RETIRED = re.compile(  # terms with a successor in docs/glossary.md
    r"\b(?:hand-ins?|our (?:versions?|solutions?)|finished functions?|impostors?|"
    r"(?:ordered|called) color|at place \d|rules? of form|form counts)\b",
    re.IGNORECASE,
)
COMMANDS = typer.main.get_command(make_app()).commands  # type: ignore[attr-defined]


def files(pattern: str) -> list[Path]:
    return sorted(ROOT.glob(pattern))


@pytest.mark.parametrize("pattern", [*PAGES, "course/**/*.py", "autograder/**/*.py"])
def test_what_people_read_is_plain_english(pattern: str) -> None:
    faults = [fault for path in files(pattern) for fault in find_faults(path)]
    assert files(pattern) and [*map(str, faults)] == []


@pytest.mark.parametrize("pattern", PAGES)
def test_what_people_read_has_one_term_for_an_idea(pattern: str) -> None:
    texts = [paragraph.text for path in files(pattern) for paragraph in read_paragraphs(path)]
    assert [text for text in texts if RETIRED.search(text)] == []


def faults_in(paragraphs: Iterable[str]) -> list[str]:
    """Return the sentences that break a rule, each with the rule."""
    sentences = (sentence for text in paragraphs for sentence in split_sentences(text))
    return [f"{rule}: {sentence}" for sentence in sentences for rule in broken_rules(sentence)]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_is_plain_english(name: str) -> None:
    first, *others = COMMANDS[name].help.split("\n\n")
    texts = [first, *(part for part in others if not part.startswith("Example:"))]
    texts += [option.help for option in COMMANDS[name].params if getattr(option, "help", None)]
    assert faults_in(map(plain, texts)) == [] and len(first) <= 112
    assert [text for text in texts if not plain(text).endswith((".", "…"))] == []


def comments_of(text: str) -> Iterator[str]:
    """Yield the comments of a file; lines without a code line between them are one paragraph."""
    for block in re.findall(r"(?:^[ \t]*#[^\n]*\n)+", text, re.MULTILINE):
        yield plain(re.sub(r"^[ \t]*# ?", "", block, flags=re.MULTILINE))


GENERATED = {
    "workflow": WORKFLOW_TEMPLATE,
    "setup": SETUP_SCRIPT,
    "run": RUN_SCRIPT,
    "kit": KIT_SETTINGS_TEMPLATE,
    "nbgrader": NBGRADER_CONFIG_TEMPLATE,
}
GENERATED |= {path.name: path.read_text(encoding="utf-8") for path in TEMPLATES_FOLDER.glob("*.txt")}
GENERATED |= {"foldem.toml": settings_text(ROOT)}


@pytest.mark.parametrize("name", sorted(GENERATED))
def test_generated_files_are_in_plain_english(name: str) -> None:
    source = GENERATED[name].replace("$", "") if ".py" in name else ""  # names with $ are not Python yet
    assert faults_in([*comments_of(GENERATED[name]), *(part.text for part in read_docstrings(source))]) == []


def test_the_readme_of_a_student_kit_is_plain_english() -> None:
    assert faults_in(paragraph.text for paragraph in split_markdown(KIT_README_TEMPLATE, 1)) == []


def test_proof_sheet_is_current() -> None:
    assert SHEET.read_text(encoding="utf-8") == build_sheet(), "run: python -m tests.messages"
