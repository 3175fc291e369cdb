"""The documentation: its site is built without a warning, contacts no other host, and its links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.cli import COMMANDS, shown_command
from autograder.config import Settings
from autograder.report.model import Graded
from autograder.report.words import exported
from autograder.toml import keys_of

ROOT = Path(__file__).parent.parent
SOURCES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "decisions").glob("*.md")),
]
FROM_CODE = "settings", "checks", "course", "report-json", "exit-statuses"
FOREIGN = re.compile(r'<(?:script|link|img|iframe)[^>]*\s(?:src|href)="(?:https?:)?//[^"]*"')


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
    assert sources | {f"generated/{name}" for name in ("commands", "security", *FROM_CODE)} <= pages


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
    assert [key for key in exported(Graded("", "", "", "", "", ())) if f"`{key}`" not in text] == []


@pytest.mark.proof
def test_reference_lists_every_command_and_setting(site: Path) -> None:
    commands = (site / "generated" / "commands.html").read_text(encoding="utf-8")
    names = [shown_command(name) for name in COMMANDS]
    assert [name for name in names if f'id="foldem-{name}"' not in commands] == []
    settings = (site / "generated" / "settings.html").read_text(encoding="utf-8")
    assert [key for key in keys_of(Settings) if key not in settings] == []


@pytest.mark.parametrize("page", SOURCES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_of_the_repository(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
