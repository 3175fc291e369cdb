"""The documentation: its site, its links, the figures in README, and laws for what developers read."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from statistics import median

import pytest

from autograder.cli import COMMANDS, command_name
from autograder.config import Settings
from autograder.report.model import Graded
from autograder.report.words import exported_report
from autograder.toml import toml_keys_of
from autograder.units.mistakes import mistakes_of
from course.show.results import duration_text
from tests import retired
from tests.units import ROOT, read_unit, unit_names

SOURCES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "decisions").glob("*.md")),
]
FROM_CODE = "settings", "checks", "course", "report-json", "exit-statuses"
GENERATED = {
    f"generated/{name}" for name in ("commands", *FROM_CODE, "architecture", "contributing", "changelog", "security")
}
FOREIGN = re.compile(r'<(?:script|link|img|iframe)[^>]*\s(?:src|href)="(?:https?:)?//[^"]*"')

# ------------------------------------------------------------------------------------------------ the site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    words = "--quiet", "--fail-on-warning", "--doctree-dir", folder / "trees", ROOT / "docs", folder / "site"
    done = subprocess.run([sys.executable, "-m", "sphinx", *words], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return folder / "site"


@pytest.mark.proof
def test_site_has_every_page(site: Path) -> None:
    pages = {page.relative_to(site).with_suffix("").as_posix() for page in site.rglob("*.html")}
    sources = {path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in SOURCES[1:]}
    assert sources | GENERATED <= pages


@pytest.mark.proof
def test_site_names_the_file_above_each_block_for_one(site: Path) -> None:
    text = (site / "change-marks.html").read_text(encoding="utf-8")
    names = re.findall(r"<p>(Add to )?<code[^>]*><span class=\"pre\">([^<]*)</span></code>:</p>", text)
    assert names == [("", "cs101/adjust.toml"), ("Add to ", "cs101/adjust.toml")]


@pytest.mark.proof
def test_site_contacts_no_other_host(site: Path) -> None:
    assert [found for page in site.rglob("*.html") for found in FOREIGN.findall(page.read_text(encoding="utf-8"))] == []


@pytest.mark.proof
def test_reference_pages_have_no_empty_meanings(site: Path) -> None:
    pages = (ROOT / "docs" / "generated" / f"{name}.md" for name in FROM_CODE)
    lines = [(page.name, line) for page in pages for line in page.read_text(encoding="utf-8").splitlines()]
    assert [line for line in lines if re.search(r"\|\s+\|$", line[1])] == []


@pytest.mark.proof
def test_report_page_lists_every_key(site: Path) -> None:
    text = (ROOT / "docs" / "generated" / "report-json.md").read_text(encoding="utf-8")
    assert [key for key in exported_report(Graded("", "", "", "", "", ())) if f"`{key}`" not in text] == []


@pytest.mark.proof
def test_reference_lists_every_command_and_setting(site: Path) -> None:
    commands = (site / "generated" / "commands.html").read_text(encoding="utf-8")
    names = [command_name(name) for name in COMMANDS]
    assert [name for name in names if f'id="foldem-{name}"' not in commands] == []
    settings = (site / "generated" / "settings.html").read_text(encoding="utf-8")
    assert [key for key in toml_keys_of(Settings) if key not in settings] == []


@pytest.mark.parametrize("page", SOURCES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_of_the_repository(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if not (page.parent / link).exists()]
    assert [link for link in missing if link.removesuffix(".md") not in GENERATED] == []


# ------------------------------------------------------------------------------------------------ figures in README

README = (ROOT / "README.md").read_text(encoding="utf-8")
SAVED = ROOT / "benchmarks" / "grading.json"  # benchmarks/grading.py --save benchmarks/grading.json
UNITS = [read_unit(name) for name in unit_names()]


def test_readme_counts_units_exercises_and_hours() -> None:
    hours = sorted(duration_text(each.points for each in unit.exercises).removesuffix(" hours") for unit in UNITS)
    assert len(UNITS) == 6 and f"Six units take {hours[0]} to {hours[-1]} hours each." in README
    assert f"The units have {sum(len(unit.exercises) for unit in UNITS)} exercises." in README


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
    with_pytest = f"For {counts['pytest'][0]} of the {counts['foldem'][0]} calls, pytest took {seconds['pytest']} s"
    assert f"{with_pytest}. For empty tests, pytest took {seconds['pytest_empty']} s." in README


# ------------------------------------------------------------------------------------------------ what developers read

LONGEST = {"README.md": 110, "ARCHITECTURE.md": 120, "CONTRIBUTING.md": 100, "SECURITY.md": 100}
MOST_WORDS = 900
CODE = "course", "solutions", "autograder", "tests", "benchmarks"


@cache
def our_code() -> dict[Path, ast.Module]:
    """Return the modules that developers write, parsed, by their paths."""
    paths = (path for folder in CODE for path in sorted((ROOT / folder).rglob("*.py")))
    # Learners and attackers write otherwise.
    ours = (path for path in paths if not {*path.relative_to(ROOT).parts} & {"attacks", "right"})
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in ours}


@pytest.mark.parametrize("page", LONGEST)
def test_pages_of_the_repository_stay_short(page: str) -> None:
    assert len((ROOT / page).read_text(encoding="utf-8").splitlines()) <= LONGEST[page]


@pytest.mark.parametrize("page", ["first-minutes", "first-course", "own-homework", "first-unit"])
def test_first_hour_of_each_reader_is_one_short_page(page: str) -> None:
    assert len((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8").split()) <= MOST_WORDS


def test_first_minutes_show_the_exercise_as_in_the_notebook() -> None:
    cells = json.loads((ROOT / "notebooks" / "0_warmup.ipynb").read_text(encoding="utf-8"))["cells"]
    (exercise,) = (
        "".join(cell["source"]) for cell in cells if cell["source"][:1] == ["def swap_ends(hand: Hand) -> Hand:\n"]
    )
    assert exercise in (ROOT / "docs" / "first-minutes.md").read_text(encoding="utf-8")


def test_files_named_in_architecture_and_decisions_exist() -> None:
    pages = [ROOT / "ARCHITECTURE.md", *(ROOT / "docs" / "decisions").glob("*.md")]
    texts = [page.read_text(encoding="utf-8") for page in pages]
    named = {name for text in texts for name in re.findall(r"[\w-][\w/-]*\.(?:py|mjs|js|toml|md)\b", text)}
    files = {path.as_posix() for folder in (*CODE, "docs") for path in (ROOT / folder).rglob("*.*")} | {"/foldem.py"}
    assert {name for name in named if not any(file.endswith(f"/{name}") for file in files)} == {
        *("foldem.toml", "adjust.toml")  # which users write
    }


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
