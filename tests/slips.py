"""The slips of `slips.toml`, and what follows when a learner does what the messages say.

`follow` lists the steps to which the messages of a slip lead. Each step is a text in the answer, and its replacement.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from course.show.results import GOOD, Result
from tests.classroom import reference_answers
from tests.lesson import Lesson
from tests.units import read_unit

SLIPS = tomllib.loads(Path(__file__).with_name("slips.toml").read_text(encoding="utf-8"))["slip"]
SECONDS = 0.2
FIXED, NEXT, SAME, SILENT = "fixed", "next message", "the same message", "no message"


def outcome_of(slip: dict[str, Any]) -> str:
    """Return the outcome of following the messages of a slip, one after another."""
    results = list(checked_in_turn(slip))
    for before, after in pairwise(results):
        if after.state != GOOD and message(after) == message(before):
            return SAME
        if after.state != GOOD and not message(after).strip():
            return SILENT
    return FIXED if results[-1].state == GOOD else NEXT


def checked_in_turn(slip: dict[str, Any]) -> Iterator[Result]:
    """Yield the result of a slip, and the result after each step that its messages lead to."""
    source = slip["answer"].strip()
    yield check_in_kit(slip, source)
    for old, new in slip["follow"]:
        assert old in source, f"{slip['name']}: {old!r} is not in the answer"
        source = source.replace(old, new)
        yield check_in_kit(slip, source)


def check_in_kit(slip: dict[str, Any], source: str) -> Result:
    """Return the result of `check` for a slip if only the course is installed and all other answers are right."""
    unit, name = slip.get("unit", "warmup"), slip["exercise"]
    return Lesson(unit, *(reference_answers(read_unit(unit)) | {name: source}).values()).check(name)


def message(result: Result) -> str:
    """Return the part of a result that says what to do."""
    return f"{result.says}\n{result.example}"
