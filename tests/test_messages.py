"""The proof sheet shows every message that learners read, as it is now."""

from __future__ import annotations

import re

from tests.messages import AREAS, ROOT, SHEET, build_sheet, find_modules

NO_MESSAGES = re.compile(r"course/(exam/|\w+/(world|joint|alike|advice|contest)\.py)")  # but for what the areas name


def test_proof_sheet_is_current() -> None:
    assert SHEET.read_text(encoding="utf-8") == build_sheet(), "run: python -m tests.messages"


def test_every_learner_module_has_an_area() -> None:
    named = {str(path.relative_to(ROOT)) for patterns in AREAS.values() for path in find_modules(patterns)}
    modules = {str(path.relative_to(ROOT)) for path in ROOT.glob("course/**/*") if path.suffix in (".py", ".js")}
    assert [path for path in sorted(modules - named) if not NO_MESSAGES.match(path)] == []
