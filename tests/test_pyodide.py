"""The course in the Python of a browser, without a browser: Pyodide in Node checks right answers and slips."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from autograder.commands.site import make_site
from course.show.results import BAD, GOOD
from tests.classroom import reference_answers
from tests.command import PATIENCE
from tests.slips import SLIPS
from tests.units import known, read_unit, unit_names

HERE = Path(__file__).parent
RIGHT = {unit: reference_answers(read_unit(unit)) for unit in unit_names()}
ENDLESS = ("ran longer", "too deep", "calls itself", "never ends")  # messages that depend on the machine's limits
PLAIN = [slip for slip in SLIPS if not any(text in " ".join(slip["message"]) for text in ENDLESS)][::12]

pytestmark = [pytest.mark.npm, pytest.mark.proof]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the version of Pyodide's Python, and the result of `check` for each right answer and each slip."""
    folder = tmp_path_factory.mktemp("pyodide")
    list(make_site(folder / "site", known()))
    right = [(unit, name, "") for unit, answers in RIGHT.items() for name in answers]
    slips = [(slip.get("unit", "warmup"), slip["exercise"], slip["answer"].strip()) for slip in PLAIN]
    (folder / "input.json").write_text(json.dumps({"right": RIGHT, "answers": right + slips}), encoding="utf-8")
    python = folder / "site" / "static" / "pyodide"
    words = ["node", HERE / "pyodide.mjs", python, HERE / "inside_pyodide.py", folder / "input.json"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=10 * PATIENCE)
    assert done.returncode == 0, done.stderr[-3000:]
    version, *results = map(json.loads, done.stdout.splitlines())
    assert len(results) == len(right) + len(slips)
    return {"version": version, "right": dict(zip(right, results, strict=False)), "slips": results[len(right) :]}


def test_right_answers_are_right_in_a_browsers_python(shown: dict[str, Any]) -> None:
    assert shown["version"] == {"python": [3, 14]} and len(shown["right"]) > 100
    assert [key for key, result in shown["right"].items() if result["state"] != GOOD] == []


def test_slips_get_their_messages_in_a_browsers_python(shown: dict[str, Any]) -> None:
    pairs = list(zip(PLAIN, shown["slips"], strict=True))
    assert [slip["name"] for slip, result in pairs if result["state"] != BAD] == []
    missing = {
        slip["name"]: result["message"]
        for slip, result in pairs
        if not result["belief"] and not all(text in result["message"] for text in slip["message"])
    }
    assert missing == {}
