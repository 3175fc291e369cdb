"""The documentation: its site is built without a warning, contacts no other host, and its links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.cli import app
from autograder.config import Settings
from autograder.toml import keys_of

ROOT = Path(__file__).parent.parent
SOURCES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "decisions").glob("*.md")),
]
FOREIGN = re.compile(r'<(?:script|link|img|iframe)[^>]*\s(?:src|href)="(?:https?:)?//[^"]*"')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    words = [
        "-m",
        "sphinx",
        "--quiet",
        "--fail-on-warning",
        "--doctree-dir",
        folder / "trees",
        ROOT / "docs",
        folder / "site",
    ]
    done = subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return folder / "site"


def test_site_has_every_page(site: Path) -> None:
    pages = {page.relative_to(site).with_suffix("").as_posix() for page in site.rglob("*.html")}
    assert {path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in SOURCES[1:]} <= pages
    assert {"generated/commands", "generated/settings", "generated/security"} <= pages


def test_site_contacts_no_other_host(site: Path) -> None:
    assert [found for page in site.rglob("*.html") for found in FOREIGN.findall(page.read_text(encoding="utf-8"))] == []


def test_reference_lists_every_command_and_setting(site: Path) -> None:
    commands = (site / "generated" / "commands.html").read_text(encoding="utf-8")
    names = {
        each.name or str(each.callback and each.callback.__name__).replace("_", "-") for each in app.registered_commands
    }
    assert len(names) > 15 and [name for name in names if f'id="foldem-{name}"' not in commands] == []
    settings = (site / "generated" / "settings.html").read_text(encoding="utf-8")
    assert [key for key in keys_of(Settings) if key not in settings] == []


@pytest.mark.parametrize("page", SOURCES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_of_the_repository(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
