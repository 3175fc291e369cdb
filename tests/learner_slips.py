"""`python -m tests.learner_slips` writes the two sheets of learners' slips, and what `check` shows for each.

`learner_slips.json` has slips that the messages were made with, `new_slips.json` slips by somebody who had not read
`course/diagnoses`. A slip is cells, in the order in which they are run. `before` and `after` are judgements of the
message, made by hand: whether it leads straight to the fix (yes), to a part of it (partly), or not (no). `again` is the
judgement of somebody else, and `blind` of a third person, who saw only cells and message.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import course.check
from course.kernel import history
from course.kernel.borrowed import show_unwritten_as_one_line
from tests.kernel import Kernel, working_in
from tests.units import ROOT, read_unit

SHEETS = "learner_slips", "new_slips"
SECONDS = re.compile(r"\d+(\.\d+)? m?s\b")


def slips_of(name: str) -> list[dict[str, Any]]:
    slips: list[dict[str, Any]] = json.loads(Path(__file__).with_name(f"{name}.json").read_text(encoding="utf-8"))
    return slips


def shown_for(slip: dict[str, Any]) -> str:
    """Return what `check` shows after the cells of a slip, in a kernel in which the earlier answers are right."""
    unit = read_unit(slip["unit"])
    number = next((each.number for each in unit.exercises if each.name == slip["exercise"].lower()), 1)
    earlier = [each.source for each in unit.exercises if each.number < number]
    course.check._newest_cell_when_wrong.clear()  # as in a new kernel
    with tempfile.TemporaryDirectory() as folder, working_in(Path(folder)):
        kernel = Kernel(has_imports=False)
        history.recorded_run_ends()
        show_unwritten_as_one_line()
        kernel.run(f"from {unit.module.__name__} import *\nfrom course.check import *")
        kernel.run("\n\n\n".join(earlier))
        return kernel.after(*slip["cells"], check=slip["check"]).strip().replace(f"{ROOT}/", "")


def sheet(slips: list[dict[str, Any]]) -> Iterator[str]:
    yield "# Slips of learners, and what they read\n\nWritten by `python -m tests.learner_slips`.\n"
    judged = [when for when in ("before", "after", "again", "blind") if when in slips[0]]
    for when in judged:
        counts = Counter(slip[when] for slip in slips)
        yield f"Led straight to the fix {when}: {counts['yes']} yes, {counts['partly']} partly, {counts['no']} no.\n"
    for number, slip in enumerate(slips, 1):
        yield f"## {number}. {slip['exercise']}: {slip['slip']} ({' → '.join(slip[when] for when in judged)})\n"
        for cell in slip["cells"]:
            yield f"```text\n{cell}\n```\n"
        yield f"```text\n{shown_for(slip)}\n```\n"


if __name__ == "__main__":
    os.environ.pop("JPY_SESSION_NAME", None)
    for name in SHEETS:
        Path(__file__).with_name(f"{name}.md").write_text("\n".join(sheet(slips_of(name))), encoding="utf-8")
