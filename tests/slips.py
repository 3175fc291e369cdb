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


def leads_on(results: list[Result]) -> bool:
    """Return whether each result after the first is right, or has another message than the result before it."""
    pairs = [(message(before), message(after)) for before, after in pairwise(results) if after.state != GOOD]
    return all(after.strip() and after != before for before, after in pairs)


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
