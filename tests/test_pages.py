"""Laws for what developers read: pages, docstrings and names."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests import retired
from tests.house import ROOT

LONGEST = {"ARCHITECTURE.md": 120, "CONTRIBUTING.md": 100, "SECURITY.md": 100}
FIRST_HOUR = "first-minutes", "first-course", "own-homework", "first-unit"
MOST_WORDS = 900
CODE = "course", "solutions", "autograder", "tests", "benchmarks"
NOT_OURS = "attacks", "right"  # code as learners and attackers write it
WRITTEN_BY_USERS = {"foldem.toml", "adjust.toml"}


@cache
def our_code() -> dict[Path, ast.Module]:
    """Return the modules that developers write, parsed, by their paths."""
    paths = (path for folder in CODE for path in sorted((ROOT / folder).rglob("*.py")))
    ours = (path for path in paths if not {*path.relative_to(ROOT).parts} & {*NOT_OURS})
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in ours}


@pytest.mark.parametrize("page", LONGEST)
def test_pages_for_developers_stay_short(page: str) -> None:
    assert len((ROOT / page).read_text(encoding="utf-8").splitlines()) <= LONGEST[page]


@pytest.mark.parametrize("page", FIRST_HOUR)
def test_first_hour_of_each_reader_is_one_short_page(page: str) -> None:
    assert len((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8").split()) <= MOST_WORDS


def test_files_named_in_architecture_and_decisions_exist() -> None:
    pages = [ROOT / "ARCHITECTURE.md", *(ROOT / "docs" / "decisions").glob("*.md")]
    texts = [page.read_text(encoding="utf-8") for page in pages]
    named = {name for text in texts for name in re.findall(r"[\w-][\w/-]*\.(?:py|mjs|js|toml|md)\b", text)}
    files = {path.as_posix() for folder in (*CODE, "docs") for path in (ROOT / folder).rglob("*.*")} | {"/foldem.py"}
    assert {name for name in named if not any(file.endswith(f"/{name}") for file in files)} == WRITTEN_BY_USERS


@pytest.mark.parametrize("wrong", [r'"""(?:Give|Tell)s?\b', r"def test_\w{66,}"])
def test_no_docstring_begins_with_give_and_no_test_has_a_long_name(wrong: str) -> None:
    assert [path for path in our_code() if re.search(wrong, path.read_text(encoding="utf-8"))] == []


# Rooms whose identifiers still have retired words. Make one clean, and take it off this list.
NOT_CLEAN = {
    *("autograder/report", "autograder/sandbox", "autograder/term"),  # `place`, a column of the store and a key of data
    *("course/diagnoses", "course/kernel", "tests"),  # `seen` and `asked`, keys of data
    "course/exam",  # `papers`, a key of sealed exams
}


def test_clean_rooms_have_no_identifiers_with_retired_words() -> None:
    counts: dict[str, set[str]] = {}
    for path, tree in our_code().items():
        if path.name != "mistakes.py":
            counts.setdefault(retired.layer(path), set()).update(retired.retired_in(path, tree))
    assert {room: names for room, names in counts.items() if names and room not in NOT_CLEAN} == {}
    assert {room for room in NOT_CLEAN if not counts[room]} == set()
