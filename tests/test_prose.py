"""Check that messages, lessons, hints, the beliefs behind known mistakes, and the pages are in plain English."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.prose import ROOT, broken_rules, find_faults, read_paragraphs

LEARNERS = ("tests/messages.md", "solutions/*.py", "course/*/unit.toml", "autograder/exams/*/mistakes.py")
PACKS = ("packs/*/*/*.py", "packs/*/*/*/*.py", "packs/*/*/*/*.toml")
PATTERNS = (*LEARNERS, *PACKS, "README.md", "CHANGELOG.md", "docs/*.md")
PATHS = sorted(path for pattern in PATTERNS for path in ROOT.glob(pattern))
RETIRED = re.compile(  # terms with a successor in docs/glossary.md
    r"\b(?:hand-ins?|our (?:versions?|solutions?)|finished functions?|impostors?|"
    r"(?:ordered|called) color|at place \d|rules? of form|form counts)\b",
    re.IGNORECASE,
)
RECORDED = ("where True or False was asked for", "where a color was asked for")  # recorded games have these words


def test_titles_may_begin_with_a_question_word() -> None:
    assert broken_rules("What a card captures") == []
    assert broken_rules("What a card captures is taken from the floor.") != []


@pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_people_read_is_plain_english(path: Path) -> None:
    assert [str(fault) for fault in find_faults(path) if fault.sentence not in RECORDED] == []


@pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_people_read_has_one_term_for_an_idea(path: Path) -> None:
    texts = [paragraph.text for paragraph in read_paragraphs(path)]
    assert [text for text in texts if RETIRED.search(text)] == []
