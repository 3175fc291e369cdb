"""README is short, and its figures are those of the course and of the last benchmark."""

from __future__ import annotations

import json
import re
from statistics import median

import pytest

from autograder.units.mistakes import mistakes_of
from course.show.results import duration
from tests.units import ROOT, read_unit, unit_names

README = (ROOT / "README.md").read_text(encoding="utf-8")
SAVED = ROOT / "benchmarks" / "grading.json"  # benchmarks/grading.py --save benchmarks/grading.json
UNITS = [read_unit(name) for name in unit_names()]
WORDS = {6: "Six"}


def test_readme_takes_two_minutes_to_read() -> None:
    assert len(README.splitlines()) <= 110


def test_readme_counts_units_exercises_and_hours() -> None:
    hours = sorted(duration(each.points for each in unit.exercises).removesuffix(" hours") for unit in UNITS)
    assert f"{WORDS[len(UNITS)]} units take {hours[0]} to {hours[-1]} hours each." in README
    assert f"They have {sum(len(unit.exercises) for unit in UNITS)} exercises." in README


def test_readme_and_page_on_grading_count_the_known_mistakes() -> None:
    counts = [len(mistakes_of(unit)) for unit in UNITS]
    rows = re.findall(
        r"^\| [^|]+ \| \d+ \| [\d,]+ of .*$", (ROOT / "docs" / "grading.md").read_text("utf-8"), re.MULTILINE
    )
    assert [row.split(" | ")[2] for row in rows] == [f"{count:,} of {count:,}" for count in (*counts, sum(counts))]
    assert f"The exams refuse all of {sum(counts):,} known wrong answers" in README


def test_readme_compares_with_the_medians_of_the_saved_runs() -> None:
    if not SAVED.exists():
        pytest.skip("no saved runs: benchmarks/grading.py --save benchmarks/grading.json")
    runs = [{row["key"]: row for row in run["rows"]} for run in json.loads(SAVED.read_text(encoding="utf-8"))]
    keys = set.intersection(*map(set, runs))
    seconds = {key: f"{median(run[key]['seconds'] for run in runs):.2f}" for key in keys}
    counts = {key: re.findall(r"\d[\d,]*", runs[-1][key]["label"]) for key in keys}
    cells = (
        f"CPU seconds for {len(read_unit('dominoes').exercises)} exercises",
        f"{seconds['foldem']}, with {counts['foldem'][0]} calls; {seconds['class']} in a class of {counts['class'][0]}",
        f"{seconds['nbgrader']} with empty tests, {seconds['preprocessor']} with our preprocessor",
        f"{seconds['otter']} with empty tests",
    )
    assert f"| {' | '.join(cells)} |" in README
    with_pytest = f"pytest took {seconds['pytest']} s for {counts['pytest'][0]} of these calls"
    assert f"{with_pytest}, and {seconds['pytest_empty']} s for empty tests." in README
