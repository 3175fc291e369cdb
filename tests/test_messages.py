"""The proof sheet shows every message that learners read, as it is now."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.messages import AREAS, ROOT, SHEET, build_sheet, find_modules

NO_MESSAGES = re.compile(r"course/(exam/|\w+/(world|joint|alike|advice|contest)\.py)")  # but for what the areas name


def test_proof_sheet_is_current() -> None:
    assert SHEET.read_text(encoding="utf-8") == build_sheet(), "run: python -m tests.messages"


def test_every_learner_module_has_an_area() -> None:
    named = {str(path.relative_to(ROOT)) for patterns in AREAS.values() for path in find_modules(patterns)}
    modules = {str(path.relative_to(ROOT)) for path in ROOT.glob("course/**/*") if path.suffix in (".py", ".js")}
    assert [path for path in sorted(modules - named) if not NO_MESSAGES.match(path)] == []


def test_every_raised_sentence_is_on_the_sheet() -> None:
    """This collects the sentences in another way than the sheet does: only from `raise` statements."""
    sheet = SHEET.read_text(encoding="utf-8")
    sentences = [text for patterns in AREAS.values() for path in find_modules(patterns) for text in raised_texts(path)]
    assert len(sentences) > 20 and [text for text in sentences if text not in sheet] == []


def raised_texts(path: Path) -> list[str]:
    """Return the fixed parts, of at least two words, of the messages that a module raises."""
    text = path.read_text(encoding="utf-8") if path.suffix == ".py" else ""
    raised = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Raise)]
    constants = [each.value for node in raised for each in ast.walk(node) if isinstance(each, ast.Constant)]
    return [each.strip() for each in constants if isinstance(each, str) and re.search(r"[a-z]{3,} [a-z]{2,}", each)]
